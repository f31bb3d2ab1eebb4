// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/graph/changes_popup.h"

#include "views/common/format.h"
#include "views/common/sentences.h"
#include "views/common/table.h"
#include "views/common/type.h"
#include "views/graph/labels.h"
#include "views/graph/sentence.h"

#include <QCoreApplication>
#include <QHeaderView>
#include <QScreen>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace fivefold::views::graph {

namespace {

constexpr QSize kSize(560, 360); ///< at most
constexpr int kLeastHeight = 96;

QString tr(const char* text) {
    return QCoreApplication::translate("fivefold::views::graph", text);
}

class Rows {
public:
    Rows(const analysis::Result& result, const analysis::StageChanges& changes)
        : m_result(result)
        , m_changes(changes)
        , m_graph(result.program.stage(changes.stage)) { }

    QVector<ChangeRow> run() {
        for (std::size_t k = 0; k < analysis::kMovementKinds; ++k)
            added(static_cast<analysis::MovementKind>(k));
        fused();
        replaced();
        removed();
        padded();
        spilled();
        transfers();
        return std::move(m_rows);
    }

private:
    void heading(const QString& what, std::size_t count) {
        m_left = kMostRows;
        m_rows << ChangeRow{true,
            count > kMostRows ? what + tr(" (the first %1)").arg(kMostRows) : what, {}, {}, {}};
    }
    bool add(ChangeRow row) {
        if (m_left == 0)
            return false;
        --m_left;
        m_rows << std::move(row);
        return true;
    }
    QString captured(ir::NodeId id) const {
        return common::shortName(m_result.graph().nodes[id].name);
    }
    static common::Selection nodeSelection(ir::NodeId id) {
        common::Selection selection;
        selection.nodes = {id};
        return selection;
    }
    common::Selection loweredSelection(lowering::NodeId id) const {
        common::Selection selection;
        selection.nodes = m_graph.nodes[id].sources;
        if (selection.nodes.empty())
            selection.added = m_graph.nodes[id].name;
        return selection;
    }
    common::Selection valueSelection(const lowering::Value& value) const {
        common::Selection selection;
        if (value.source.isValid())
            selection.value = value.source;
        if (value.producer.isValid())
            selection.nodes = m_graph.nodes[value.producer].sources;
        return selection;
    }
    static QString reason(const std::string& rule) { return common::asSentence(rule); }

    void added(analysis::MovementKind kind) {
        const auto count = static_cast<std::size_t>(std::count_if(m_changes.added.begin(),
            m_changes.added.end(), [kind](const auto& node) { return node.kind == kind; }));
        if (count == 0)
            return;
        heading(tr("Added: %1 × %2, %3 edges")
                    .arg(count)
                    .arg(movementName(kind))
                    .arg(m_changes.edgesByKind[static_cast<std::size_t>(kind)]),
            count);
        for (const analysis::AddedNode& node : m_changes.added)
            if (node.kind == kind
                && !add({false,
                    common::shortName(m_graph.nodes[node.node].name)
                        + (node.cause.isValid() ? tr(" for %1").arg(captured(node.cause))
                                                : QString()),
                    common::formatBytes(node.bytes), reason(node.rule),
                    loweredSelection(node.node)}))
                break;
    }
    void fused() {
        if (m_changes.groups.empty())
            return;
        heading(tr("Fused: %1 %2")
                    .arg(m_changes.groups.size())
                    .arg(kernelWord(m_graph, static_cast<qint64>(m_changes.groups.size()))),
            m_changes.groups.size());
        for (const analysis::FusedGroup& group : m_changes.groups) {
            common::Selection selection;
            for (const lowering::NodeId id : m_graph.kernels[group.kernel].nodes)
                for (const ir::NodeId source : m_graph.nodes[id].sources)
                    if (!selection.contains(source))
                        selection.nodes.push_back(source);
            if (!add({false,
                    tr("%1, %2 operators")
                        .arg(kernelName(m_graph.kernels[group.kernel]))
                        .arg(group.operators),
                    {}, reason(group.rule), selection}))
                break;
        }
    }
    void replaced() {
        if (m_changes.replaced.empty())
            return;
        heading(
            tr("Replaced: %1 operators").arg(m_changes.replaced.size()), m_changes.replaced.size());
        for (const analysis::ReplacedNode& node : m_changes.replaced) {
            QStringList by;
            for (const lowering::NodeId id : node.by)
                by << QString::fromStdString(m_graph.nodes[id].op);
            constexpr qsizetype kMostWords = 8;
            if (by.size() > kMostWords)
                by = by.mid(0, kMostWords) << QStringLiteral("…");
            if (!add({false,
                    tr("%1 by %2").arg(captured(node.captured), by.join(QStringLiteral(", "))), {},
                    reason(node.rule), nodeSelection(node.captured)}))
                break;
        }
    }
    void removed() {
        if (m_changes.removed.empty())
            return;
        heading(
            tr("Removed: %1 operators").arg(m_changes.removed.size()), m_changes.removed.size());
        for (const lowering::Removed& node : m_changes.removed)
            if (!add({false, captured(node.node), {}, reason(node.rule), nodeSelection(node.node)}))
                break;
    }
    void padded() {
        if (m_changes.padded.empty())
            return;
        heading(tr("Padded: %1 tensors, %2")
                    .arg(m_changes.padded.size())
                    .arg(common::formatBytes(m_changes.paddingBytes())),
            m_changes.padded.size());
        std::vector<analysis::PaddedValue> most = m_changes.padded;
        std::stable_sort(most.begin(), most.end(),
            [](const auto& a, const auto& b) { return a.bytes > b.bytes; });
        for (const analysis::PaddedValue& padded : most) {
            const lowering::Value& value = m_graph.values[padded.value];
            if (!add({false, common::shortName(value.name), common::formatBytes(padded.bytes),
                    value.layout ? QString::fromStdString(value.layout->notation) : QString(),
                    valueSelection(value)}))
                break;
        }
    }
    void spilled() {
        if (m_changes.spills.empty())
            return;
        heading(tr("Spilled: %1 buffers").arg(m_changes.spills.size()), m_changes.spills.size());
        for (const lowering::BufferId id : m_changes.spills) {
            const lowering::Buffer& buffer = m_result.program.buffers[id];
            const lowering::Value& value = m_graph.values[buffer.value];
            if (!add({false, common::shortName(value.name), common::formatBytes(buffer.bytes),
                    reason(buffer.reason), valueSelection(value)}))
                break;
        }
    }
    void transfers() {
        if (m_changes.transfers.empty())
            return;
        heading(tr("Scheduled beside the arithmetic"), m_changes.transfers.size());
        for (const analysis::Transfers& each : m_changes.transfers) {
            const auto kind = lowering::toString(each.kind);
            add({false,
                tr("%1 × %2 on %3")
                    .arg(common::formatCount(each.events))
                    .arg(QString::fromUtf8(kind.data(), static_cast<qsizetype>(kind.size())),
                        QString::fromStdString(m_result.program.resources[each.resource].name)),
                {}, {}, {}});
        }
    }

    const analysis::Result& m_result;
    const analysis::StageChanges& m_changes;
    const lowering::StageGraph& m_graph;
    QVector<ChangeRow> m_rows;
    std::size_t m_left = 0;
};

} // namespace

QVector<ChangeRow> changeRows(
    const analysis::Result& result, const analysis::StageChanges& changes) {
    return Rows(result, changes).run();
}

ChangesPopup::ChangesPopup(const QVector<ChangeRow>& rows, QWidget* parent)
    : QFrame(parent, Qt::Popup)
    , m_list(new QTreeWidget(this)) {
    setAttribute(Qt::WA_DeleteOnClose);
    setFrameShape(QFrame::Box);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(1, 1, 1, 1);
    layout->addWidget(m_list);
    m_list->setColumnCount(3);
    m_list->setHeaderLabels({tr("What"), tr("Bytes"), tr("Why")});
    m_list->setAccessibleName(tr("What this stage changed"));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setUniformRowHeights(true);
    m_list->setTextElideMode(Qt::ElideRight);
    QTreeWidgetItem* heading = nullptr;
    for (const ChangeRow& row : rows) {
        auto* item = new QTreeWidgetItem({row.what, row.bytes, row.why});
        item->setToolTip(0, row.what);
        item->setToolTip(2, row.why);
        item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
        item->setData(0, Qt::UserRole, QVariant::fromValue(row.selection));
        if (row.isHeading || !heading) {
            m_list->addTopLevelItem(item);
            item->setFont(0, common::boldFont());
            item->setFirstColumnSpanned(true);
            heading = item;
        } else {
            heading->addChild(item);
        }
    }
    // Long lists open folded, so that every heading is seen.
    constexpr qsizetype kOpenRows = 40;
    if (rows.size() <= kOpenRows)
        m_list->expandAll();
    m_list->setColumnWidth(0, 240);
    m_list->setColumnWidth(1, 72);
    const auto choose = [this](QTreeWidgetItem* item) {
        const auto selection = item->data(0, Qt::UserRole).value<common::Selection>();
        if (selection.isEmpty())
            return;
        emit chosen(selection);
        close();
    };
    connect(m_list, &QTreeWidget::itemClicked, this, choose);
    connect(m_list, &QTreeWidget::itemActivated, this, choose);
}

void ChangesPopup::present(const QPoint& global) {
    int lines = 0; // as opened
    for (int top = 0; top < m_list->topLevelItemCount(); ++top) {
        const QTreeWidgetItem* heading = m_list->topLevelItem(top);
        lines += 1 + (heading->isExpanded() ? heading->childCount() : 0);
    }
    const int row = std::max(common::kTableRow, m_list->sizeHintForRow(0));
    resize(kSize.width(),
        std::clamp(
            m_list->header()->sizeHint().height() + lines * row + 8, kLeastHeight, kSize.height()));
    QPoint at = global;
    if (const QScreen* screen = this->screen()) {
        const QRect room = screen->availableGeometry();
        at.setX(std::clamp(at.x(), room.left(), std::max(room.left(), room.right() - width())));
        at.setY(std::clamp(at.y(), room.top(), std::max(room.top(), room.bottom() - height())));
    }
    move(at);
    show();
    m_list->setFocus();
    if (m_list->topLevelItemCount() > 0)
        m_list->setCurrentItem(m_list->topLevelItem(0));
}

} // namespace fivefold::views::graph
