// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/machine/machine_geometry.h"

#include "views/common/type.h"

#include <algorithm>
#include <cmath>

namespace fivefold::views::machine {

using namespace common;
using analysis::BoxKind;
using analysis::DiagramBox;

namespace {

constexpr double kMargin = 8;
constexpr double kPadding = 6; ///< inside a box that holds others
constexpr double kGap = 5;
constexpr double kSideFromWidth = 560; ///< from here on what lies outside stands beside the device
constexpr double kSide = 164;
constexpr double kArrayFromWidth = 780, kArrayWidth = 320, kWidestArray = 460;
constexpr double kArrayBesideHeight = 170;
constexpr double kTallestLeaf = 220, kTallestMemory = 52;
constexpr double kVocabularyFromHeight = 150;
constexpr int kAllDepths = 8;

double line() {
    return lineHeight(smallFont()) + 1.0;
}

/// Natural height of a box without children.
double leafHeight(Detail detail) {
    return 6 + line() * (detail + 1);
}

double headerHeight(Detail detail) {
    return 8 + line() * (detail >= 2 ? 2 : 1); // a halo under it leaves the words free
}

double narrowest(Detail detail) {
    return detail >= 2 ? 128 : detail == 1 ? 104 : 60;
}

class Arranger {
public:
    Arranger(const Picture& picture, const Options& options, const QSizeF& size)
        : m_picture(picture)
        , m_diagram(picture.diagram)
        , m_options(options)
        , m_area(kMargin, kMargin / 2, size.width() - 2 * kMargin, size.height() - kMargin) { }

    Geometry arrange() {
        if (m_picture.isEmpty() || m_area.width() < 60 || m_area.height() < 30)
            return {};
        placeArray();
        if (!m_options.showsMachine)
            return std::move(m_geometry);
        placeVocabulary();
        split();
        for (const Detail detail : {2, 1, 0}) {
            if (detail == 2 && !m_options.saysAll)
                continue;
            if (tryLevel(detail, kAllDepths))
                return std::move(m_geometry);
        }
        for (const int depth : {2, 1})
            if (tryLevel(0, depth))
                return std::move(m_geometry);
        place(0, 0);
        return std::move(m_geometry);
    }

private:
    void placeArray() {
        if (!m_options.showsArray)
            return;
        if (!m_options.showsMachine) {
            m_geometry.array = m_area;
            return;
        }
        if (m_area.width() < kArrayFromWidth || m_area.height() < kArrayBesideHeight
            || !m_picture.stepping)
            return;
        const double width = std::clamp(
            m_area.width() * 0.3, std::min(kArrayWidth, m_area.width() * 0.36), kWidestArray);
        m_geometry.array = QRectF(m_area.right() - width, m_area.top(), width, m_area.height());
        m_area.setRight(m_geometry.array.left() - 2 * kGap);
    }

    void placeVocabulary() {
        if (m_area.height() < kVocabularyFromHeight)
            return;
        double width = 0;
        for (const QString& word : vocabulary(m_picture))
            width += textWidth(smallFont(), word) + 16;
        const int wanted = static_cast<int>(std::ceil(width / m_area.width()));
        m_geometry.vocabularyLines = std::clamp(wanted, 1, m_area.height() < 260 ? 1 : 3);
        const double height = m_geometry.vocabularyLines * line() + 4;
        m_geometry.vocabulary =
            QRectF(m_area.left(), m_area.bottom() - height, m_area.width(), height);
        m_area.setBottom(m_geometry.vocabulary.top() - kGap);
    }

    /// What lies outside the device, at the left and at the right.
    void split() {
        for (std::size_t i = 1; i < m_diagram.boxes.size(); ++i) {
            const DiagramBox& box = m_diagram.boxes[i];
            if (box.parent)
                continue;
            if (box.kind == BoxKind::Link && box.linkRole == "fabric")
                m_fabric.push_back(i);
            else if (box.kind == BoxKind::Link && box.linkRole == "chip")
                m_right.push_back(i);
            else
                m_left.push_back(i);
        }
    }

    bool isBeside() const { return m_area.width() >= kSideFromWidth; }

    QRectF deviceArea() const {
        QRectF area = m_area;
        if (isBeside()) {
            if (!m_left.empty())
                area.setLeft(area.left() + kSide + 3 * kGap);
            if (!m_right.empty())
                area.setRight(area.right() - kSide * 0.8 - 3 * kGap);
        }
        return area;
    }

    bool tryLevel(Detail detail, int depth) {
        m_detail = detail;
        m_depth = depth;
        const double outside = isBeside() ? 0 : outsideHeight();
        if (outside + deviceHeight(deviceArea().width()) > m_area.height())
            return false;
        place(detail, depth);
        return true;
    }

    double outsideHeight() const {
        const std::size_t count = m_left.size() + m_right.size();
        return count == 0 ? 0 : leafHeight(std::min(m_detail, 1)) + kGap;
    }

    std::vector<std::size_t> childrenOf(std::size_t index, BoxKind kind, int depth) const {
        std::vector<std::size_t> found;
        if (depth >= m_depth)
            return found;
        for (std::size_t child : m_diagram.children(index))
            if (m_diagram.boxes[child].kind == kind)
                found.push_back(child);
        return found;
    }

    int columns(std::size_t count, double width) const {
        const double wanted = (width + kGap) / (narrowest(m_detail) + kGap);
        return std::clamp(static_cast<int>(wanted), 1, std::max(1, static_cast<int>(count)));
    }

    double memoryHeight() const { return leafHeight(std::min(m_detail, 1)); }

    /// Children that hold others get rows of their own; the others share rows.
    struct Units {
        std::vector<std::size_t> holders, leaves;
    };
    Units unitsOf(std::size_t index, int depth) const {
        Units units;
        for (std::size_t child : childrenOf(index, BoxKind::Unit, depth)) {
            const bool holds = depth + 1 < m_depth && !m_diagram.children(child).empty();
            (holds ? units.holders : units.leaves).push_back(child);
        }
        return units;
    }

    double naturalHeight(std::size_t index, double width, int depth) const {
        const auto memories = childrenOf(index, BoxKind::Memory, depth);
        const Units units = unitsOf(index, depth);
        const double inner = width - 2 * kPadding;
        double height = headerHeight(m_detail);
        height += static_cast<double>(memories.size()) * (memoryHeight() + kGap);
        for (std::size_t holder : units.holders)
            height += naturalHeight(holder, inner, depth + 1) + kGap;
        if (!units.leaves.empty()) {
            const int perRow = columns(units.leaves.size(), inner);
            const auto rows = (static_cast<int>(units.leaves.size()) + perRow - 1) / perRow;
            height += rows * (leafHeight(m_detail) + kGap);
        }
        return height + kPadding;
    }

    double deviceHeight(double width) const {
        return naturalHeight(0, width, 0)
            + static_cast<double>(m_fabric.size()) * (leafHeight(0) + kGap);
    }

    void add(std::size_t index, const QRectF& rect, const QRectF& header, bool hasChildren) {
        m_geometry.boxes << BoxShape{index, rect, header, m_detail, hasChildren};
    }

    void place(Detail detail, int depth) {
        m_detail = detail;
        m_depth = depth;
        QRectF area = deviceArea();
        if (!isBeside())
            placeAbove(area);
        placeDevice(area);
        if (isBeside())
            placeBeside(m_geometry.shapeOf(0)->rect);
    }

    void placeBeside(const QRectF device) {
        const auto column = [&](const std::vector<std::size_t>& boxes, double x, double width,
                                double edge) {
            if (boxes.empty())
                return;
            const auto count = static_cast<double>(boxes.size());
            const double tall = std::clamp(
                (m_area.height() - kGap * (count - 1)) / count, leafHeight(0), leafHeight(3));
            const double all = count * tall + kGap * (count - 1);
            double y = std::max(m_area.top(), device.center().y() - all / 2);
            for (std::size_t index : boxes) {
                const QRectF rect(x, y, width, tall);
                m_geometry.boxes << BoxShape{index, rect, rect,
                    tall >= leafHeight(2)       ? 2
                        : tall >= leafHeight(1) ? 1
                                                : 0,
                    false};
                const double from = edge > x ? rect.right() : rect.left();
                m_geometry.links << QLineF(from, rect.center().y(), edge, rect.center().y());
                y += tall + kGap;
            }
        };
        column(m_left, m_area.left(), kSide, device.left());
        column(m_right, m_area.right() - kSide * 0.8, kSide * 0.8, device.right());
    }

    void placeAbove(QRectF& device) {
        std::vector<std::size_t> boxes = m_left;
        boxes.insert(boxes.end(), m_right.begin(), m_right.end());
        if (boxes.empty())
            return;
        const double tall = leafHeight(std::min(m_detail, 1));
        const auto count = static_cast<double>(boxes.size());
        const double width = (m_area.width() - kGap * (count - 1)) / count;
        double x = m_area.left();
        for (std::size_t index : boxes) {
            const QRectF rect(x, m_area.top(), width, tall);
            m_geometry.boxes << BoxShape{index, rect, rect, std::min(m_detail, 1), false};
            m_geometry.links << QLineF(
                rect.center().x(), rect.bottom(), rect.center().x(), rect.bottom() + kGap);
            x += width + kGap;
        }
        device.setTop(m_area.top() + tall + kGap);
    }

    void placeDevice(QRectF area) {
        const double fabric = static_cast<double>(m_fabric.size()) * (leafHeight(0) + kGap);
        const double natural = deviceHeight(area.width());
        area.setHeight(
            std::min(area.height(), std::max(natural, tallest(0, area.width(), 0) + fabric)));
        placeBox(0, area, 0, fabric);
        double y = area.bottom() - fabric - kPadding + kGap;
        for (std::size_t index : m_fabric) {
            const QRectF rect(
                area.left() + kPadding, y, area.width() - 2 * kPadding, leafHeight(0));
            m_geometry.boxes << BoxShape{index, rect, rect, 0, false};
            y += leafHeight(0) + kGap;
        }
    }

    /// The height from which more would only make holes.
    double tallest(std::size_t index, double width, int depth) const {
        const auto memories = childrenOf(index, BoxKind::Memory, depth);
        const Units units = unitsOf(index, depth);
        const double inner = width - 2 * kPadding;
        double height = headerHeight(m_detail) + kPadding;
        height += static_cast<double>(memories.size()) * (kTallestMemory + kGap);
        for (std::size_t holder : units.holders)
            height += tallest(holder, inner, depth + 1) + kGap;
        if (!units.leaves.empty()) {
            const int perRow = columns(units.leaves.size(), inner);
            height += ((static_cast<int>(units.leaves.size()) + perRow - 1) / perRow)
                * (kTallestLeaf + kGap);
        }
        return height;
    }

    /// `reserved`: height at the bottom that is kept free.
    void placeBox(std::size_t index, const QRectF& rect, int depth, double reserved) {
        const auto memories = childrenOf(index, BoxKind::Memory, depth);
        const Units units = unitsOf(index, depth);
        const bool hasChildren =
            !memories.empty() || !units.holders.empty() || !units.leaves.empty();
        const double head = hasChildren ? headerHeight(m_detail) : rect.height();
        add(index, rect, QRectF(rect.left(), rect.top(), rect.width(), head), hasChildren);
        if (!hasChildren)
            return;
        const double inner = rect.width() - 2 * kPadding;
        const double spare =
            std::max(0.0, rect.height() - reserved - naturalHeight(index, rect.width(), depth));
        const double x = rect.left() + kPadding;
        double y = rect.top() + head;
        const double memoryExtra = memories.empty()
            ? 0
            : std::min(kTallestMemory - memoryHeight(),
                0.25 * spare / static_cast<double>(memories.size()));
        for (std::size_t memory : memories) {
            const QRectF bar(x, y, inner, memoryHeight() + memoryExtra);
            add(memory, bar, bar, false);
            y += bar.height() + kGap;
        }
        double left = std::max(0.0, spare - memoryExtra * static_cast<double>(memories.size()));
        const auto groups =
            static_cast<double>(units.holders.size()) + (units.leaves.empty() ? 0.0 : 1.0);
        for (std::size_t holder : units.holders) {
            const double tall = naturalHeight(holder, inner, depth + 1) + left / groups;
            placeBox(holder, QRectF(x, y, inner, tall), depth + 1, 0);
            y += tall + kGap;
        }
        placeLeaves(units.leaves, QRectF(x, y, inner, groups > 0 ? left / groups : 0), depth);
    }

    /// `room.height()` is what the rows may grow by.
    void placeLeaves(const std::vector<std::size_t>& leaves, const QRectF& room, int depth) {
        if (leaves.empty())
            return;
        const int perRow = columns(leaves.size(), room.width());
        const int rows = (static_cast<int>(leaves.size()) + perRow - 1) / perRow;
        const double tall = std::min(kTallestLeaf, leafHeight(m_detail) + room.height() / rows);
        for (std::size_t i = 0; i < leaves.size(); ++i) {
            const int row = static_cast<int>(i) / perRow;
            const int inRow = std::min(perRow, static_cast<int>(leaves.size()) - row * perRow);
            const double width = (room.width() - kGap * (inRow - 1)) / inRow;
            const double x = room.left() + (static_cast<int>(i) % perRow) * (width + kGap);
            placeBox(
                leaves[i], QRectF(x, room.top() + row * (tall + kGap), width, tall), depth + 1, 0);
        }
    }

    const Picture& m_picture;
    const analysis::MachineDiagram& m_diagram;
    const Options& m_options;
    QRectF m_area;
    Geometry m_geometry;
    std::vector<std::size_t> m_left, m_right, m_fabric;
    Detail m_detail = 2;
    int m_depth = kAllDepths;
};

} // namespace

const BoxShape* Geometry::shapeOf(std::size_t index) const {
    for (const BoxShape& shape : boxes)
        if (shape.index == index)
            return &shape;
    return nullptr;
}

std::optional<std::size_t> Geometry::boxAt(const QPointF& point) const {
    std::optional<std::size_t> found;
    double smallest = 0;
    for (const BoxShape& shape : boxes) {
        const double size = shape.rect.width() * shape.rect.height();
        if (shape.rect.contains(point) && (!found || size <= smallest)) {
            found = shape.index;
            smallest = size;
        }
    }
    return found;
}

Geometry arrange(const Picture& picture, const Options& options, const QSizeF& size) {
    return Arranger(picture, options, size).arrange();
}

} // namespace fivefold::views::machine
