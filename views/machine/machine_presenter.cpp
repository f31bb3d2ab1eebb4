// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/machine/machine_presenter.h"

#include "views/common/format.h"
#include "views/common/sentences.h"

#include <QCoreApplication>

#include <algorithm>

namespace fivefold::views::machine {

using namespace common;
using analysis::BoxFigure;
using analysis::BoxKind;
using analysis::BoxUse;
using analysis::DiagramBox;
using machines::Figure;

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("machine", text);
}

QString text(const std::string& value) {
    return QString::fromStdString(value);
}

const Figure* figureOf(const DiagramBox& box, std::string_view key) {
    const auto found = std::ranges::find(box.figures, key, &BoxFigure::key);
    return found == box.figures.end() ? nullptr : &found->figure;
}

QString times(std::optional<double> count) {
    if (!count)
        return QStringLiteral(" × ?");
    return *count == 1 ? QString()
                       : QStringLiteral(" × ") + formatCount(static_cast<std::int64_t>(*count));
}

class BoxMaker {
public:
    BoxMaker(const analysis::Result& result, const analysis::MachineDiagram& diagram,
        const analysis::MachineUse& use)
        : m_result(result)
        , m_diagram(diagram)
        , m_use(use) { }

    Box make(std::size_t index) {
        const DiagramBox& box = m_diagram.boxes[index];
        Box out;
        out.index = index;
        out.title = text(box.name);
        switch (box.kind) {
        case BoxKind::Device:
            out.figures = deviceFigures(out, box);
            out.detail = text(box.detail);
            break;
        case BoxKind::Unit:
            out.title += times(box.perParent ? box.perParent : box.count);
            out.figures = unitFigures(out, box);
            out.detail = text(box.detail);
            break;
        case BoxKind::Memory:
            out.figures = memoryFigures(out, box);
            out.detail = managed(box, isAggregate(box));
            break;
        case BoxKind::Link:
            out.title += times(box.count && *box.count > 1 ? box.count : std::optional(1.0));
            out.figures = shown(out, box, {"bandwidth"});
            out.detail = text(box.detail);
            break;
        }
        if (const BoxUse* use = m_use.find(index))
            addUse(out, box, *use);
        return out;
    }

private:
    /// The rate shown is that of many instances together; the size beside it is of one.
    static bool isAggregate(const DiagramBox& box) {
        const Figure* all = figureOf(box, "aggregate_bandwidth");
        return all && all->isKnown() && box.count && *box.count > 1;
    }

    /// Who manages it, and where it is; where figures already say "per SM", without that.
    static QString managed(const DiagramBox& box, bool saysWhere) {
        QStringList parts;
        if (!box.managedBy.empty())
            parts << tr("by %1").arg(text(box.managedBy));
        if (!box.detail.empty() && !saysWhere)
            parts << text(box.detail);
        return parts.join(QStringLiteral(" · "));
    }

    /// Formats the figures that the description mentions; the weakest status is the box's.
    static QString shown(Box& out, const DiagramBox& box, std::initializer_list<const char*> keys) {
        QStringList parts;
        for (const char* key : keys)
            if (const Figure* figure = figureOf(box, key)) {
                parts << (figure->isKnown() ? formatFigure(*figure)
                                            : tr("%1 unknown").arg(QString::fromLatin1(key)));
                note(out, *figure);
            }
        return parts.join(QStringLiteral(" · "));
    }

    static void note(Box& out, const Figure& figure) {
        if (!figure.isKnown())
            return;
        out.status = out.hasStatus ? std::max(out.status, figure.status) : figure.status;
        out.hasStatus = true;
    }

    QString deviceFigures(Box& out, const DiagramBox& box) const {
        const auto precision = m_result.request.settings.precision;
        const std::string_view name = machines::toString(precision);
        const QString key = QString::fromUtf8(name.data(), static_cast<int>(name.size()));
        QStringList parts;
        if (const Figure* peak = figureOf(box, "peak." + std::string(name));
            peak && peak->isKnown()) {
            parts << formatFigure(*peak) + u' ' + key;
            note(out, *peak);
        }
        for (const char* figure : {"clock", "power"})
            if (const Figure* found = figureOf(box, figure); found && found->isKnown()) {
                parts << formatFigure(*found);
                note(out, *found);
            }
        return parts.join(QStringLiteral(" · "));
    }

    static QString unitFigures(Box& out, const DiagramBox& box) {
        if (const Figure* count = figureOf(box, "count"))
            note(out, *count);
        QStringList parts;
        for (const BoxFigure& figure : box.figures) {
            if (figure.key == "count" || figure.key == "rows" || figure.key == "columns"
                || figure.key == "lanes")
                continue;
            QString key = text(figure.key);
            key.replace(u'_', u' ');
            parts << formatFigure(figure.figure) + u' ' + key;
            note(out, figure.figure);
        }
        return parts.join(QStringLiteral(" · "));
    }

    static QString memoryFigures(Box& out, const DiagramBox& box) {
        QStringList parts;
        const Figure* capacity = figureOf(box, "capacity");
        const Figure* usable = figureOf(box, "usable");
        if (usable && usable->isKnown() && capacity && capacity->isKnown()
            && usable->value != capacity->value)
            parts << tr("%1 of %2 usable").arg(formatFigure(*usable), formatFigure(*capacity));
        else if (capacity)
            parts << (capacity->isKnown() ? formatFigure(*capacity) : tr("size unknown"));
        if (isAggregate(box) && !parts.isEmpty() && !box.detail.empty())
            parts.last() += u' ' + text(box.detail);
        for (const Figure* figure : {capacity, usable})
            if (figure)
                note(out, *figure);
        // The rate of all instances together is what a program feels; of one, where that is all
        // there is.
        const Figure* all = figureOf(box, "aggregate_bandwidth");
        const Figure* one = figureOf(box, "bandwidth");
        const Figure* rate = all && all->isKnown() ? all : one;
        if (rate) {
            QString words = rate->isKnown() ? formatFigure(*rate) : tr("rate unknown");
            if (rate == all && isAggregate(box))
                words = tr("%1, all %2 together")
                            .arg(words, formatCount(static_cast<std::int64_t>(*box.count)));
            parts << words;
            note(out, *rate);
        }
        return parts.join(QStringLiteral(" · "));
    }

    void addUse(Box& out, const DiagramBox& box, const BoxUse& use) const {
        out.isBound = use.isBound;
        if (box.kind == BoxKind::Unit) {
            out.isUsed = true;
            if (use.unitsUsed && box.count && *box.count >= 1) {
                const double all = *box.count;
                const double used = std::min(all, static_cast<double>(*use.unitsUsed));
                out.share = used / all;
                out.use = tr("%1 of %2 work")
                              .arg(formatCount(static_cast<std::int64_t>(used)),
                                  formatCount(static_cast<std::int64_t>(all)));
            } else {
                out.use = tr("works");
            }
            return;
        }
        const std::int64_t moved = use.read.value + use.written.value;
        out.isHome = !use.buffers.empty();
        out.isUsed = moved > 0;
        QStringList parts;
        if (out.isHome) {
            const machines::Memory& memory = m_result.machine().memories[*box.index];
            QString held = tr("holds %1").arg(formatBytes(use.held));
            if (const auto room = memory.usableBytes(); room && *room > 0) {
                out.share = std::clamp(static_cast<double>(use.held.value) / *room, 0.0, 1.0);
                held += QStringLiteral(", ") + formatShare(out.share);
            }
            parts << held;
        }
        if (moved > 0)
            parts << tr("moves %1").arg(formatBytes(base::Bytes(moved)));
        out.use = parts.join(QStringLiteral(" · "));
    }

    const analysis::Result& m_result;
    const analysis::MachineDiagram& m_diagram;
    const analysis::MachineUse& m_use;
};

void addStepping(Picture& picture, const analysis::Result& result,
    const std::vector<lowering::StepId>& selected) {
    const auto array = analysis::machineArray(*picture.machine);
    if (!array) {
        picture.noStepping =
            tr("%1 has no systolic array to step through.").arg(text(picture.machine->name));
        return;
    }
    auto product = analysis::productOf(result, selected);
    const bool isSelected = product.has_value();
    if (!product && selected.empty()) {
        std::vector<lowering::StepId> all;
        for (std::size_t i = 0; i < result.program.steps.size(); ++i)
            all.emplace_back(i);
        product = analysis::productOf(result, all);
    }
    if (!product) {
        picture.noStepping = selected.empty() ? tr("The program has no matrix product.")
                                              : tr("The selection has no matrix product.");
        return;
    }
    const auto run = lowering::SystolicRun::of(array->array, product->m, product->n, product->k);
    if (!run) {
        picture.noStepping = tr("The product is too long to count.");
        return;
    }
    const auto& node = result.program.stage(lowering::Stage::Scheduled).nodes[product->node];
    picture.stepping = Stepping{*array, *product, *run, shortName(node.name), isSelected};
}

} // namespace

Picture present(const ViewState& state) {
    Picture picture;
    const auto result = state.result();
    if (!result) {
        picture.reason = tr("No model is open, so there is no machine to show.");
        return picture;
    }
    picture.machine = result->request.machine;
    picture.diagram = analysis::machineDiagram(*picture.machine);
    const auto steps = state.selectedSteps();
    const ir::ValueId value = state.selection().isEmpty() ? ir::ValueId() : state.shownValue();
    const auto use = analysis::machineUse(*result, picture.diagram, steps, value);
    BoxMaker maker(*result, picture.diagram, use);
    for (std::size_t i = 0; i < picture.diagram.boxes.size(); ++i)
        picture.boxes << maker.make(i);
    addStepping(picture, *result, steps);
    return picture;
}

} // namespace fivefold::views::machine
