// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/implementation/implementation_presenter.h"

#include "views/common/format.h"
#include "views/common/sentences.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <cmath>

namespace fivefold::views::implementation {

using namespace common;
using lowering::ImplementationChoice;
using lowering::ImplementationRow;
using lowering::ImplementationValues;

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("implementation", text);
}

QString text(const std::string& value) {
    return QString::fromStdString(value);
}

/// "1,4,8,1" → "1·4·8·1", "three_passes" → "three passes": values as users read them.
QString shown(const std::string& value) {
    return text(value).replace(u',', QChar(0xB7)).replace(u'_', u' ').replace(u'x', QChar(0xD7));
}

QString ratioText(double a, double b) {
    if (!(a > 0) || !(b > 0))
        return a == b ? tr("equal") : QStringLiteral("–");
    const double ratio = b / a;
    constexpr double kEqual = 5e-4; // less does not show in three digits
    if (std::abs(ratio - 1) < kEqual)
        return tr("equal");
    const QLocale locale;
    return QStringLiteral("× ").replace(u' ', QChar(0x2009))
        + locale.toString(ratio, 'f',
            ratio < 0.995      ? 2
                : ratio < 9.95 ? 2
                               : 0);
}

template <typename Format>
FigureRow figure(const QString& label, double a, double b, const Format& format) {
    FigureRow row;
    row.label = label;
    row.text = {format(a), format(b)};
    const double most = std::max(a, b);
    if (most > 0)
        row.share = {a / most, b / most};
    row.ratio = ratioText(a, b);
    return row;
}

double bytesAt(const ImplementationRow& row, std::size_t level) {
    for (const auto& [at, bytes] : row.bytesByLevel)
        if (at == level)
            return static_cast<double>(bytes.value);
    return 0;
}

QString workText(double flops) {
    return formatFlops(flops).replace(QStringLiteral("/s"), QString());
}

std::vector<FigureRow> figures(
    const analysis::Result& result, const ImplementationRow& a, const ImplementationRow& b) {
    std::vector<FigureRow> rows;
    const auto count = [](double value) { return formatCount(static_cast<std::int64_t>(value)); };
    const auto bytes = [](double value) {
        return formatBytes(base::Bytes(static_cast<std::int64_t>(value)));
    };
    rows.push_back(figure(tr("time"), a.time.value, b.time.value,
        [](double value) { return formatTime(std::optional(base::Seconds(value))); }));
    rows.back().isTime = true;
    rows.push_back(figure(tr("useful work"), a.flops.value, b.flops.value, workText));
    rows.push_back(figure(tr("with padding"), a.paddedFlops.value, b.paddedFlops.value, workText));
    const auto& memories = result.machine().memories;
    for (std::size_t level = 0; level < memories.size(); ++level)
        if (bytesAt(a, level) > 0 || bytesAt(b, level) > 0)
            rows.push_back(
                figure(text(memories[level].name), bytesAt(a, level), bytesAt(b, level), bytes));
    rows.push_back(figure(
        tr("synchronisations"), static_cast<double>(a.syncs), static_cast<double>(b.syncs), count));
    rows.push_back(figure(
        tr("units at work"), static_cast<double>(a.units), static_cast<double>(b.units), count));
    return rows;
}

int indexOf(const ImplementationChoice& choice, const std::string& value) {
    const auto found = std::ranges::find(choice.values, value);
    return found == choice.values.end() ? 0 : static_cast<int>(found - choice.values.begin());
}

ChoiceRow choiceRow(const ImplementationChoice& choice, const Chosen& chosen) {
    ChoiceRow row;
    row.key = choice.key;
    row.name = text(choice.name);
    for (const std::string& value : choice.values)
        row.values << shown(value);
    row.preset = indexOf(choice, choice.preset);
    row.isApplied = choice.isApplied;
    row.isFocused = choice.key == chosen.focus;
    for (const Side side : {Side::A, Side::B}) {
        const auto& values = chosen.values[index(side)];
        const auto own = values.find(choice.key);
        row.chosen[index(side)] = own == values.end() ? row.preset : indexOf(choice, own->second);
    }
    return row;
}

std::vector<SweepBar> sweepOf(const analysis::Result& result, ir::NodeId node,
    const ImplementationChoice& choice, const ImplementationValues& others) {
    std::vector<ImplementationValues> wanted;
    for (const std::string& value : choice.values) {
        wanted.push_back(others);
        wanted.back()[choice.key] = value;
    }
    std::vector<SweepBar> bars;
    const auto rows = analysis::compareImplementations(result, node, wanted);
    if (!rows)
        return bars;
    double slowest = 0;
    for (const ImplementationRow& row : *rows)
        if (row.misfit.empty())
            slowest = std::max(slowest, row.time.value);
    for (std::size_t i = 0; i < rows->size(); ++i) {
        const ImplementationRow& row = (*rows)[i];
        SweepBar bar;
        bar.value = shown(choice.values[i]);
        bar.time = formatTime(std::optional(row.time));
        bar.share = slowest > 0 ? std::min(1.0, row.time.value / slowest) : 0;
        bar.misfit = text(row.misfit);
        bar.because = text(row.because);
        bar.isPreset = choice.values[i] == choice.preset;
        bars.push_back(std::move(bar));
    }
    return bars;
}

QString whyNothing(const ViewState& state) {
    const auto result = state.result();
    if (!result)
        return tr("No model is open, so there is nothing to implement.");
    const auto& selection = state.selection();
    if (selection.nodes.empty())
        return tr(
            "Select a matrix product, a convolution, an attention or a softmax: here two ways "
            "to run it stand side by side.");
    return tr("%1 leaves no choice for %2; matrix products, convolutions, attention and softmax "
              "have one.")
        .arg(text(result->machine().name),
            shortName(result->graph().nodes[selection.nodes.front()].name));
}

} // namespace

ir::NodeId operatorOf(const ViewState& state) {
    const auto result = state.result();
    if (!result)
        return {};
    for (const ir::NodeId node : state.selection().nodes)
        if (!analysis::implementationChoices(*result, node).empty())
            return node;
    return {};
}

Chosen startingWith(const analysis::Result& result, ir::NodeId node) {
    Chosen chosen;
    const auto choices = analysis::implementationChoices(result, node);
    if (choices.empty())
        return chosen;
    for (const ImplementationChoice& choice : choices)
        chosen.values[index(Side::A)][choice.key] = choice.preset;
    const auto& own = result.request.settings.implementations;
    if (const auto found = own.find(result.graph().nodes[node].name); found != own.end())
        for (const auto& [key, value] : found->second)
            if (chosen.values[index(Side::A)].contains(key))
                chosen.values[index(Side::A)][key] = value;
    chosen.focus = choices.front().key;
    chosen.values[index(Side::B)] = chosen.values[index(Side::A)];
    std::optional<double> least;
    for (const std::string& value : choices.front().values) {
        auto other = chosen.values[index(Side::A)];
        if (other[chosen.focus] == value)
            continue;
        other[chosen.focus] = value;
        const auto rows = analysis::compareImplementations(result, node, {other});
        if (!rows || !rows->front().misfit.empty() || (least && rows->front().time.value >= *least))
            continue;
        least = rows->front().time.value;
        chosen.values[index(Side::B)] = other;
    }
    return chosen;
}

Picture present(const ViewState& state, ir::NodeId node, const Chosen& chosen) {
    Picture picture;
    const auto result = state.result();
    const auto choices = result && node.isValid() ? analysis::implementationChoices(*result, node)
                                                  : std::vector<ImplementationChoice>();
    if (choices.empty()) {
        picture.reason = whyNothing(state);
        return picture;
    }
    picture.node = node;
    picture.title = shortName(result->graph().nodes[node].name);
    for (const ImplementationChoice& choice : choices) {
        picture.choices.push_back(choiceRow(choice, chosen));
        if (choice.key == chosen.focus)
            picture.sweep = sweepOf(*result, node, choice, chosen.values[index(Side::B)]);
    }
    const auto rows = analysis::compareImplementations(
        *result, node, {chosen.values[index(Side::A)], chosen.values[index(Side::B)]});
    if (!rows) {
        picture.reason = text(rows.error().message);
        return picture;
    }
    const ImplementationRow &a = (*rows)[0], &b = (*rows)[1];
    picture.figures = figures(*result, a, b);
    picture.because = {text(a.because), text(b.because)};
    picture.misfit = {text(a.misfit), text(b.misfit)};
    picture.seconds = {a.time.value, b.time.value};
    return picture;
}

QString sentence(const Picture& picture) {
    if (picture.isEmpty())
        return picture.reason;
    QStringList differs;
    for (const ChoiceRow& row : picture.choices)
        if (row.chosen[0] != row.chosen[1])
            differs << tr("%1 %2 against %3")
                           .arg(row.name, row.values.value(row.chosen[0]),
                               row.values.value(row.chosen[1]));
    if (differs.isEmpty())
        return tr("%1: both sides are alike; change a value on one of them.").arg(picture.title);
    QString what = tr("%1, %2: ").arg(picture.title, differs.join(QStringLiteral(", ")));
    for (const Side side : {Side::A, Side::B})
        if (!picture.misfit[index(side)].isEmpty())
            return what
                + tr("%1 does not run. %2")
                      .arg(side == Side::A ? tr("A") : tr("B"), picture.misfit[index(side)]);
    const double ratio = picture.seconds[1] / picture.seconds[0];
    const QLocale locale;
    constexpr double kAlike = 5e-3; // less does not show in the factor
    if (std::abs(ratio - 1) < kAlike)
        return what + tr("both take as long. ") + picture.because[1];
    what += ratio >= 1 ? tr("B takes %1 times as long. ").arg(locale.toString(ratio, 'f', 2))
                       : tr("B takes %1 % of the time. ").arg(locale.toString(ratio * 100, 'f', 0));
    return what + picture.because[1];
}

QString csv(const Picture& picture) {
    if (picture.isEmpty())
        return {};
    const auto quoted = [](QString cell) {
        return u'"' + cell.replace(u'"', QStringLiteral("\"\"")) + u'"';
    };
    QString out = QStringLiteral("what,A,B,B/A\n");
    for (const ChoiceRow& row : picture.choices)
        out += quoted(row.name) + u',' + quoted(row.values.value(row.chosen[0])) + u','
            + quoted(row.values.value(row.chosen[1])) + QStringLiteral(",\n");
    for (const FigureRow& row : picture.figures)
        out += quoted(row.label) + u',' + quoted(row.text[0]) + u',' + quoted(row.text[1]) + u','
            + quoted(row.ratio) + u'\n';
    return out;
}

} // namespace fivefold::views::implementation
