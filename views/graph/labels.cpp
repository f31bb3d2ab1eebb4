// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/graph/labels.h"

#include "views/common/format.h"
#include "views/common/layout_text.h"

#include <QCoreApplication>

namespace fivefold::views::graph {

namespace {

QString tr(const char* text, int n = -1) {
    return QCoreApplication::translate("fivefold::views::graph", text, nullptr, n);
}

QString lastPart(const std::string& name) {
    const QString whole = QString::fromStdString(name);
    const qsizetype slash = whole.lastIndexOf('/');
    const QString last = whole.mid(slash + 1);
    return last.isEmpty() ? whole : last;
}

/// Layout notations longer than this would cross the next edge.
constexpr int kLongestLayout = 22;
/// Less padding than this reads "0 %".
constexpr double kLeastPadding = 0.005;

} // namespace

QString titleOf(const lowering::Node& node, const std::string& modulePrefix) {
    const QString op = QString::fromStdString(node.op);
    const QString name = lastPart(node.name);
    const QString canonical = QString::fromUtf8(
        ir::name(node.canonical).data(), static_cast<qsizetype>(ir::name(node.canonical).size()));
    if (!modulePrefix.empty())
        return QString::fromStdString(modulePrefix) + QStringLiteral(" · ") + op;
    if (name.isEmpty())
        return op;
    if (name.startsWith(op, Qt::CaseInsensitive)
        || (name.startsWith(canonical, Qt::CaseInsensitive)
            && op.compare(canonical, Qt::CaseInsensitive) == 0))
        return name;
    return op + QStringLiteral(" · ") + name;
}

QString titleOf(const Container& container) {
    QString label = QString::fromStdString(container.label);
    switch (container.kind) {
    case ContainerKind::Run:
        return label + QStringLiteral(" ×%1").arg(container.items.size());
    case ContainerKind::Origin:
        return (container.prefix.empty()
                       ? QString()
                       : QString::fromStdString(container.prefix) + QStringLiteral(" · "))
            + lastPart(container.label) + QStringLiteral(" ×%1").arg(container.nodeCount);
    default:
        return label;
    }
}

QString edgeLabel(const lowering::Value& value, ir::DType usual, const PresentOptions& options) {
    QString label;
    if (options.showsShapes) {
        label = common::formatShape(value.shape);
        if (value.dtype != usual && value.dtype != ir::DType::Undefined) {
            const std::string_view dtype = ir::shortName(value.dtype);
            label += ' ' + QString::fromUtf8(dtype.data(), static_cast<qsizetype>(dtype.size()));
        }
    }
    if (options.showsLayouts && value.layout && !value.layout->notation.empty()) {
        const QString words = QString::fromStdString(value.layout->notation);
        if (!label.isEmpty())
            label += QStringLiteral(" · ");
        label += words.size() > kLongestLayout ? common::elideMiddle(words, kLongestLayout) : words;
    }
    if (options.showsLayouts && value.layout)
        if (const auto padding = common::paddingOf(*value.layout);
            padding && padding->share >= kLeastPadding)
            label += tr(" · %1 padding").arg(common::formatShare(padding->share));
    return label;
}

QString stubName(const lowering::Value& value) {
    const QString name = lastPart(value.name);
    return name.isEmpty() ? tr("value") : name;
}

QString operatorWord(const analysis::Result& result, lowering::Stage stage, qint64 count) {
    if (result.machine().family == "spyre" && stage >= lowering::Stage::LaidOut)
        return count == 1 ? tr("OpSpec") : tr("OpSpecs");
    return count == 1 ? tr("operator") : tr("operators");
}

QString kernelWord(const lowering::StageGraph& graph, qint64 count) {
    std::string kind;
    for (const lowering::Kernel& kernel : graph.kernels) {
        if (kind.empty())
            kind = kernel.kind;
        else if (kind != kernel.kind)
            kind = "kernel";
    }
    for (const char* word : {"bundle", "fusion", "region", "chain"})
        if (kind == word)
            return QString::fromLatin1(word) + (count == 1 ? QString() : QStringLiteral("s"));
    return count == 1 ? tr("kernel") : tr("kernels");
}

QString kernelName(const lowering::Kernel& kernel) {
    const QString name = lastPart(kernel.name);
    const QString kind = QString::fromStdString(kernel.kind);
    if (name.isEmpty())
        return kind;
    return name.contains(kind, Qt::CaseInsensitive) || kind.isEmpty()
        ? name
        : kind + QStringLiteral(" ") + name;
}

} // namespace fivefold::views::graph
