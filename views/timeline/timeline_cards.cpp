// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/common/format.h"
#include "views/common/sentences.h"
#include "views/timeline/timeline_canvas.h"

namespace fivefold::views::timeline {

using namespace common;

CardContent TimelineCanvas::eventCard(const Mark& mark) const {
    const auto& result = *m_picture.result;
    const auto& event = result.program.events[mark.event];
    const auto& step = result.program.steps[mark.step];
    CardContent card;
    card.title = QString::fromStdString(step.name);
    QString line = tr("%1 from %2 on %3")
                       .arg(formatTime(event.end - event.start), formatTime(event.start),
                           QString::fromStdString(result.program.resources[event.resource].name));
    if (event.repeat > 1)
        line += tr(", %1 times").arg(formatCount(event.repeat));
    if (const auto beside = schedule::besideCompute(result.program, mark.event); beside.value > 0)
        line +=
            tr("; %1 of it beside its own arithmetic (double buffered)").arg(formatTime(beside));
    card.lines << line << tr("step: %1").arg(timeWithBand(step.estimate));
    if (const QString hold = holdText(result, mark.event); !hold.isEmpty())
        card.lines << hold;
    if (const QString slack = slackText(result, mark.event); !slack.isEmpty())
        card.lines << slack;
    QString decided = tr("decided by: %1").arg(decidedByName(event.decidedBy));
    if (const Lens lens = m_options.lens.lens(); lens != Lens::DecidedBy)
        decided += QStringLiteral(" · ")
            + tr("%1: %2").arg(lensName(lens),
                lens == Lens::OperatorClass ? className(mark.opClass)
                                            : m_options.lens.event(mark.event).word);
    card.lines << decided;
    if (!step.estimate.because.empty())
        card.lines << asSentence(step.estimate.because);
    return card;
}

CardContent TimelineCanvas::bufferCard(lowering::BufferId id) const {
    const auto& result = *m_picture.result;
    const auto& buffer = result.program.buffers[id];
    CardContent card;
    card.title = bufferName(result, id);
    QString size = tr("%1 at %2").arg(formatBytes(buffer.bytes), formatAddress(buffer.address));
    if (const base::Bytes padding = memory::paddingOf(result.program, buffer); padding.value > 0)
        size += tr(", %1 of it padding (%2)")
                    .arg(formatBytes(padding), formatShare(padding / buffer.bytes));
    card.lines << size << tr("from %1 to %2").arg(formatTime(buffer.first), formatTime(buffer.last))
               << bufferStory(result, id);
    if (!buffer.reason.empty())
        card.lines << asSentence(buffer.reason);
    return card;
}

CardContent TimelineCanvas::labelCard(const QPoint& position) const {
    CardContent card;
    if (const BandPlace* place = m_geometry.bandLabelAt(position)) {
        const Band& band = m_picture.bands[place->band];
        card.title = band.name;
        if (band.isCache())
            card.lines << band.words;
        const auto lines = trafficLines(*m_picture.result, band.level);
        if (!lines.empty())
            card.lines << tr("Traffic by cause, over the whole program:");
        for (const TotalLine& line : lines)
            if (card.lines.size() < CardContent::kMaximumLines)
                card.lines << QStringLiteral("%1: %2").arg(line.name, line.value);
        return card;
    }
    if (const RowPlace* place = m_geometry.rowLabelAt(position)) {
        const Row& row = m_picture.rows[place->row];
        card.title = row.name;
        card.lines << tr("%1 events, busy %2 of the program")
                          .arg(formatCount(static_cast<std::int64_t>(row.marks.size())),
                              formatShare(row.busy));
    }
    return card;
}

CardContent TimelineCanvas::cardAt(const QPoint& position, QRect& mark) const {
    if (m_picture.isEmpty())
        return {};
    mark = QRect(position - QPoint(4, 8), QSize(8, 16));
    if (const Mark* under = markUnder(position))
        return eventCard(*under);
    if (m_geometry.rangeRow.contains(position) && m_totals) {
        CardContent card;
        const auto lines = totalLines(*m_picture.result, *m_totals);
        card.title = rangeTitle(*m_picture.result, *m_totals);
        for (std::size_t i = 1; i < lines.size(); ++i) // the title says the first
            if (card.lines.size() < CardContent::kMaximumLines)
                card.lines << QStringLiteral("%1: %2").arg(lines[i].name.trimmed(), lines[i].value);
        return card;
    }
    if (const auto buffer = bufferUnder(position))
        return bufferCard(*buffer);
    return labelCard(position);
}

} // namespace fivefold::views::timeline
