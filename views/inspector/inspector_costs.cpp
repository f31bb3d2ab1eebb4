// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/inspector/inspector_costs.h"

#include "views/common/format.h"
#include "views/common/sentences.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>

namespace fivefold::views::inspector {

using namespace common;

namespace {

/// Causes that are listed; the rest is counted.
constexpr std::size_t kMostCauses = 6;

QString tr(const char* text) {
    return QCoreApplication::translate("inspector", text);
}

QString text(const std::string& value) {
    return QString::fromStdString(value);
}

QString timeOf(double seconds) {
    return formatTime(std::optional(base::Seconds(seconds)));
}

/// What the steps take together, all executions.
struct Sums {
    double time = 0, compute = 0, computeShare = 0, memory = 0, memoryShare = 0, scheduling = 0;
    std::vector<lowering::LevelTraffic> traffic;
    std::vector<lowering::TimePart> parts;
    double flops = 0;
    std::int64_t unknown = 0;
};

Sums sumsOf(const analysis::Result& result, std::span<const lowering::StepId> steps) {
    Sums sums;
    for (const lowering::StepId id : steps) {
        const lowering::Step& step = result.program.steps[id];
        const lowering::Estimate& e = step.estimate;
        const auto times = static_cast<double>(step.executions);
        if (!e.isKnown) {
            ++sums.unknown;
            continue;
        }
        sums.time += e.time.value * times;
        sums.compute += e.compute.value * times;
        sums.computeShare += e.computeShare.value * times;
        sums.memoryShare += e.memoryShare.value * times;
        sums.scheduling += e.schedulingShare.value * times;
        sums.flops += e.flops.value * times;
        for (const lowering::LevelTraffic& traffic : e.traffic) {
            auto same =
                std::ranges::find(sums.traffic, traffic.level, &lowering::LevelTraffic::level);
            if (same == sums.traffic.end())
                same = sums.traffic.insert(same, {traffic.level, {}, {}, {}});
            const auto add = [times](base::Bytes& sum, base::Bytes bytes) {
                sum = base::Bytes(static_cast<std::int64_t>(std::min(9.2e18,
                    static_cast<double>(sum.value) + static_cast<double>(bytes.value) * times)));
            };
            add(same->read, traffic.read);
            add(same->written, traffic.written);
            same->time += base::Seconds(traffic.time.value * times);
        }
        for (const lowering::TimePart& part : e.scheduling) {
            auto same = std::ranges::find(sums.parts, part.name, &lowering::TimePart::name);
            if (same == sums.parts.end())
                same = sums.parts.insert(same, {part.name, {}, part.kind});
            same->time += base::Seconds(part.time.value * times);
        }
    }
    return sums;
}

void addTime(Lines& lines, const analysis::Result& result, const Sums& sums,
    std::span<const lowering::StepId> steps) {
    Line time;
    if (steps.size() == 1) {
        const lowering::Step& step = result.program.steps[steps.front()];
        const lowering::Estimate& e = step.estimate;
        time = field(tr("time"), timeWithBand(e));
        if (step.executions > 1)
            time.text = tr("%1 in %2 executions of %3")
                            .arg(timeOf(sums.time), formatCount(step.executions), time.text);
        if (!e.low)
            time.note = tr("not validated");
        else if (!e.bandSource.empty())
            time.toolTip = tr("measured band: %1").arg(text(e.bandSource));
    } else {
        time = field(tr("time"),
            tr("%1 in %2 steps")
                .arg(timeOf(sums.time), formatCount(static_cast<std::int64_t>(steps.size()))));
        if (sums.unknown > 0)
            time.text = tr("at least %1").arg(time.text);
        if (std::ranges::any_of(steps, [&](const lowering::StepId id) {
                const lowering::Estimate& e = result.program.steps[id].estimate;
                return e.time.value > 0 && !e.low;
            }))
            time.note = tr("not validated");
    }
    time.isBold = true;
    lines.push_back(std::move(time));
    double ideal = 0;
    for (const lowering::StepId id : steps) {
        const auto& compiler = result.program.steps[id].estimate.compilerIdeal;
        if (!compiler)
            return;
        ideal += compiler->value * static_cast<double>(result.program.steps[id].executions);
    }
    Line compiler = field(tr("compiler's ideal"), timeOf(ideal));
    compiler.toolTip =
        tr("What the cost model of the machine's own compiler takes it to be at best.");
    lines.push_back(std::move(compiler));
}

void addGap(Lines& lines, const analysis::Result& result, std::span<const lowering::StepId> steps) {
    Line line;
    line.kind = LineKind::Gap;
    line.label = tr("gap");
    line.gap = roofline::gapOf(result.program, result.machine(), steps, roofline::Charge::ToCause);
    if (line.gap.parts.empty()) // a relayout that another operator pays for
        line.gap =
            roofline::gapOf(result.program, result.machine(), steps, roofline::Charge::ToItself);
    line.toolTip = gapText(line.gap);
    if (!line.gap.parts.empty())
        lines.push_back(std::move(line));
}

void addLevels(Lines& lines, const analysis::Result& result, const Sums& sums) {
    const auto& memories = result.machine().memories;
    for (const lowering::LevelTraffic& traffic : sums.traffic) {
        if (traffic.level >= memories.size())
            continue;
        const base::Bytes bytes = traffic.total();
        QString value = formatBytes(bytes);
        if (traffic.time.value > 0)
            value = timeOf(traffic.time.value) + QStringLiteral(" · ") + value;
        Line line = field(text(memories[traffic.level].name), value);
        line.toolTip = tr("%1 B: %2 read, %3 written")
                           .arg(formatCount(bytes.value), formatBytes(traffic.read),
                               formatBytes(traffic.written));
        if (bytes.value > 0 && sums.flops > 0)
            line.note =
                tr("%1 FLOP/B")
                    .arg(QString::number(sums.flops / static_cast<double>(bytes.value), 'g', 3));
        lines.push_back(std::move(line));
    }
}

/// Lines of one chain: what it costs, then link by link.
void addChain(
    Because& because, const analysis::Result& result, const roofline::Cause& cause, bool isOwn) {
    Line head;
    head.kind = LineKind::Text;
    head.text = text(cause.name) + u' '
        + (cause.time.value > 0 ? timeOf(cause.time.value) : formatBytes(cause.bytes));
    if (!isOwn)
        head.link.step = cause.step;
    for (std::size_t l = 0; l < cause.chain.size(); ++l) {
        const roofline::CauseLink& link = cause.chain[l];
        Line line;
        line.kind = LineKind::Text;
        line.text = QStringLiteral("← ") + firstClause(text(link.text));
        if (l == 0 && isOwn) // one line says it
            line.text = head.text + u' ' + line.text;
        else if (l == 0)
            because.addOnce(head);
        line.toolTip =
            tr("%1 Decided at stage %2 by the %3.")
                .arg(asSentence(link.text), stageName(link.stage), decidedByName(link.decidedBy));
        line.link.node = link.node;
        line.link.value = link.value;
        line.link.added = link.added;
        line.link.stage = link.stage;
        because.seen.insert(asSentence(link.text));
        because.seen.insert(asSentence(firstClause(text(link.text)).toStdString()));
        because.addOnce(std::move(line)); // several costs may go back to one decision
    }
    Q_UNUSED(result)
}

} // namespace

QString formatEnergy(std::optional<double> joules) {
    if (!joules)
        return tr("unknown");
    constexpr std::pair<double, const char*> kUnits[] = {
        {1, "J"}, {1e-3, "mJ"}, {1e-6, "µJ"}, {1e-9, "nJ"}, {1e-12, "pJ"}};
    for (const auto& [size, unit] : kUnits)
        if (*joules >= size * 0.9995 || size == 1e-12)
            return QLocale().toString(*joules / size, 'g', 3) + QChar(0x2009)
                + QString::fromUtf8(unit);
    return {};
}

QString energyText(const roofline::StepEnergy& energy) {
    const bool isKnown = std::ranges::any_of(
        energy.parts, [](const roofline::EnergyPart& part) { return part.joules.has_value(); });
    if (!isKnown)
        return energy.isAtLeast || !energy.parts.empty() ? tr("unknown") : tr("none");
    const QString low = formatEnergy(energy.joules.low), high = formatEnergy(energy.joules.high);
    QString range = low;
    if (low != high) {
        // The low end without its unit where it is the high end's.
        const qsizetype lowUnit = low.indexOf(QChar(0x2009)),
                        highUnit = high.indexOf(QChar(0x2009));
        range = (low.mid(lowUnit) == high.mid(highUnit) ? low.left(lowUnit) : low) + u'–' + high;
    }
    return energy.isAtLeast ? tr("at least %1").arg(range) : range;
}

Line energyLine(const QString& label, const roofline::StepEnergy& energy) {
    Line line = field(label, energyText(energy));
    line.kind = LineKind::Band;
    line.isAtLeast = energy.isAtLeast;
    line.share = energy.joules.high > 0 ? energy.joules.low / energy.joules.high : 0;
    QStringList parts;
    for (const roofline::EnergyPart& part : energy.parts) {
        const QString name = text(part.name);
        if (!part.joules) {
            parts << tr("%1: no figure is known").arg(name);
            continue;
        }
        roofline::StepEnergy one;
        one.joules = *part.joules;
        one.parts = {part};
        parts << tr("%1: %2 (%3, %4)")
                     .arg(name, energyText(one), statusName(part.status),
                         text(std::string(part.source)));
        if (!line.status || part.status > *line.status)
            line.status = part.status;
    }
    line.toolTip = parts.join(u'\n');
    return line;
}

void addTimes(
    Lines& lines, const analysis::Result& result, std::span<const lowering::StepId> steps) {
    const Sums sums = sumsOf(result, steps);
    if (sums.unknown == static_cast<std::int64_t>(steps.size())) {
        lines.push_back(field(tr("time"), tr("unknown")));
        return;
    }
    addTime(lines, result, sums, steps);
    addGap(lines, result, steps);
    Line compute = field(tr("arithmetic"), timeOf(sums.compute));
    if (sums.compute > 0 && sums.computeShare < sums.compute * 0.0005)
        compute.note = tr("hidden behind memory");
    if (sums.compute > 0)
        lines.push_back(std::move(compute));
    addLevels(lines, result, sums);
    for (const lowering::TimePart& part : sums.parts)
        if (part.time.value > 0)
            lines.push_back(field(text(part.name), timeOf(part.time.value)));
    roofline::StepEnergy energy;
    if (steps.size() == 1 && result.energy.contains(steps.front())) {
        energy = result.energy[steps.front()];
    } else {
        base::IdVector<lowering::StepId, roofline::StepEnergy> chosen;
        for (const lowering::StepId step : steps)
            if (result.energy.contains(step))
                chosen.add(result.energy[step]);
        energy = roofline::totalEnergy(chosen);
    }
    if (!energy.parts.empty())
        lines.push_back(energyLine(tr("energy"), energy));
}

void Because::add(const QString& sentence, Link link) {
    if (sentence.isEmpty())
        return;
    Line line;
    line.kind = LineKind::Text;
    line.text = sentence;
    for (const QString& said : seen) // what a link says already is not said again
        if (said.size() + 1 < sentence.size() && sentence.startsWith(said + u' ')) {
            line.text = sentence.mid(said.size() + 1);
            break;
        }
    line.link = std::move(link);
    line.toolTip = sentence;
    addOnce(std::move(line));
}

void Because::addOnce(Line line) {
    if (seen.contains(line.text))
        return;
    seen.insert(line.text);
    lines.push_back(std::move(line));
}

void addCauses(
    Because& because, const analysis::Result& result, std::span<const lowering::StepId> steps) {
    const auto holds = [&](lowering::StepId step) {
        return std::ranges::find(steps, step) != steps.end();
    };
    std::size_t listed = 0, left = 0;
    for (const roofline::Cause& cause : result.causes) { // the dearest first
        if (!holds(cause.step) && !holds(cause.chargedTo))
            continue;
        if (listed == kMostCauses) {
            ++left;
            continue;
        }
        ++listed;
        addChain(because, result, cause, holds(cause.step));
    }
    if (left > 0)
        because.add(
            tr("… and %1 smaller causes").arg(formatCount(static_cast<std::int64_t>(left))));
}

void addLadder(Lines& lines, const analysis::Result& result) {
    const roofline::CostLadder& ladder = result.ladder;
    double most = 0;
    for (const roofline::Rung& rung : ladder.rungs)
        most = std::max(most, rung.time.value);
    if (most <= 0)
        return;
    lines.push_back(heading(tr("Cost ladder")));
    for (std::size_t s = 0; s < ladder.rungs.size(); ++s) {
        const roofline::Rung& rung = ladder.rungs[s];
        Line line = field(stageName(rung.stage), timeOf(rung.time.value));
        line.kind = LineKind::Share;
        line.share = rung.time.value / most;
        line.isBold = s > 0 && rung.stage == ladder.addsMost;
        if (rung.isAtLeast)
            line.text = u'≥' + line.text;
        if (s > 0 && std::abs(rung.added.value) >= 0.0005 * most)
            line.note =
                (rung.added.value > 0 ? u'+' : QChar(0x2212)) + timeOf(std::abs(rung.added.value));
        line.toolTip =
            tr("%1, %2 FLOP, %3 operators.")
                .arg(formatBytes(rung.bytes), formatShortCount(std::optional(rung.flops.value)),
                    formatCount(rung.operators));
        if (!rung.because.empty())
            line.toolTip += u'\n' + text(rung.because);
        line.link.stage = rung.stage;
        lines.push_back(std::move(line));
    }
    Line sentence;
    sentence.kind = LineKind::Text;
    sentence.text = text(ladder.sentence);
    const std::string& because = ladder.rungs[static_cast<std::size_t>(ladder.addsMost)].because;
    if (!because.empty())
        sentence.text += u' ' + text(because);
    sentence.link.stage = ladder.addsMost;
    if (!ladder.sentence.empty())
        lines.push_back(std::move(sentence));
}

} // namespace fivefold::views::inspector
