// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/common/format.h"
#include "views/common/type.h"
#include "views/timeline/timeline_geometry.h"

#include <QCoreApplication>
#include <QFontMetrics>

#include <algorithm>

namespace fivefold::views::timeline {

using namespace common;

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("timeline", text);
}

/// Lays lines from the top down; what must be there at the bottom is reserved first.
class ListLayout {
public:
    ListLayout(const Picture& picture, const Geometry& geometry, const ListContent& content)
        : m_picture(picture)
        , m_content(content)
        , m_left(geometry.list.left() + 12)
        , m_width(geometry.list.width() - 24)
        , m_top(geometry.list.top() + 10)
        , m_bottom(geometry.list.bottom() - 4) { }

    std::vector<ListLine> run() {
        const auto reason = placeReason(*m_picture.result, m_content.selected);
        const double reserved = reason ? reasonHeight(*reason) : 0;
        m_bottom -= reserved;
        if (m_content.range)
            addTotals();
        addAlive();
        m_bottom += reserved;
        if (reason)
            addReason(*reason);
        if (!m_content.range)
            addTraffic();
        return std::move(m_lines);
    }

private:
    bool fits(double height) const { return m_top + height <= m_bottom; }

    void add(double height, ListLine line) {
        line.rect = QRectF(m_left, m_top, m_width, height);
        m_lines.push_back(std::move(line));
        m_top += height;
    }

    void heading(const QString& name, const QString& size) {
        add(m_small + 4, {{}, name, size, {}, {}, LineType::Heading});
    }

    void addTotals() {
        add(m_line + 4, {{}, tr("Selected range"), {}, {}, {}, LineType::Title});
        const double limit = m_top + (m_bottom - m_top) * 0.6; // what is alive stays in sight
        const auto lines = totalLines(*m_picture.result, *m_content.range);
        std::size_t shown = 0;
        for (const TotalLine& line : lines) {
            if (m_top + 2 * m_small > limit)
                break;
            add(m_small, {{}, line.name, line.value, {}, {}, LineType::Total});
            ++shown;
        }
        if (shown < lines.size())
            heading(tr("%1 more").arg(formatCount(static_cast<std::int64_t>(lines.size() - shown))),
                {});
        m_top += 10;
    }

    void addAlive() {
        if (!fits(m_line + 4))
            return;
        add(m_line + 4,
            {{}, tr("Alive at %1").arg(formatTime(m_content.cursor)), tr("by size"), {}, {},
                LineType::Title});
        for (const Band& band : m_picture.bands)
            if (!band.isCache())
                addBand(band);
        m_top += 8;
    }

    void addBand(const Band& band) {
        const analysis::Result& result = *m_picture.result;
        const auto& buffers = result.program.buffers;
        auto ids = alive(result, band.level, m_content.cursor);
        std::stable_sort(ids.begin(), ids.end(),
            [&](auto a, auto b) { return buffers[a].bytes > buffers[b].bytes; });
        base::Bytes total;
        for (const auto id : ids)
            total += buffers[id].bytes;
        if (!fits(m_small + 4))
            return;
        heading(band.instance.isEmpty() ? band.name
                                        : tr("%1, fullest %2").arg(band.name, band.instance),
            formatBytes(total));
        std::size_t shown = 0;
        for (const auto id : ids) {
            if (!fits(m_line + 2 * m_small + 8))
                break;
            add(m_line + m_small + 4,
                {{}, bufferName(result, id), formatBytes(buffers[id].bytes),
                    bufferStory(result, id), id, LineType::Buffer});
            ++shown;
        }
        if (shown < ids.size() && fits(m_small + 4))
            heading(
                tr("%1 more").arg(formatCount(static_cast<std::int64_t>(ids.size() - shown))), {});
        const std::size_t elsewhere = aliveElsewhere(result, band.level, m_content.cursor);
        if (elsewhere > 0 && fits(m_small + 4))
            heading(tr("%1 on other %2s")
                        .arg(formatCount(static_cast<std::int64_t>(elsewhere)), band.instance),
                {});
    }

    double textHeight(const QString& text) const {
        return QFontMetrics(smallFont())
                   .boundingRect(QRect(0, 0, qRound(m_width), 1000), Qt::TextWordWrap, text)
                   .height()
            + 2;
    }

    double reasonHeight(const PlaceReason& reason) const {
        return m_line + 4 + textHeight(reason.text) + m_small + 12;
    }

    void addReason(const PlaceReason& reason) {
        if (!fits(reasonHeight(reason)))
            return;
        add(m_line + 4, {{}, reason.heading, {}, {}, {}, LineType::Title});
        add(textHeight(reason.text), {{}, reason.text, {}, {}, {}, LineType::Text});
        add(m_small + 4, {{}, tr("Jump to the rule"), {}, {}, m_content.selected, LineType::Link});
        m_top += 8;
    }

    void addTraffic() {
        bool isFirst = true;
        for (const Band& band : m_picture.bands) {
            const auto lines = trafficLines(*m_picture.result, band.level);
            if (lines.empty()
                || !fits((isFirst ? m_line + 4 : 0) + m_small + 4
                    + static_cast<double>(lines.size()) * m_small))
                continue;
            if (isFirst)
                add(m_line + 4, {{}, tr("Traffic by cause"), {}, {}, {}, LineType::Title});
            isFirst = false;
            heading(band.key, {});
            for (const TotalLine& line : lines)
                add(m_small, {{}, line.name, line.value, {}, {}, LineType::Total});
        }
    }

    const Picture& m_picture;
    const ListContent& m_content;
    std::vector<ListLine> m_lines;
    double m_line = lineHeight(bodyFont()) + 2;
    double m_small = lineHeight(smallFont()) + 2;
    double m_left, m_width, m_top, m_bottom;
};

} // namespace

std::vector<ListLine> listLines(
    const Picture& picture, const Geometry& geometry, const ListContent& content) {
    if (picture.isEmpty() || geometry.list.isNull())
        return {};
    return ListLayout(picture, geometry, content).run();
}

} // namespace fivefold::views::timeline
