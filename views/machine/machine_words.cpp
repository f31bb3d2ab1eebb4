// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/common/export.h"
#include "views/common/format.h"
#include "views/common/marks.h"
#include "views/common/palette.h"
#include "views/common/sentences.h"
#include "views/machine/machine_presenter.h"

#include <QCoreApplication>
#include <QPainter>

namespace fivefold::views::machine {

using namespace common;
using analysis::BoxFigure;
using analysis::BoxKind;
using analysis::DiagramBox;

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("machine", text);
}

QString text(std::string_view value) {
    return QString::fromUtf8(value.data(), static_cast<int>(value.size()));
}

/// A unit inside another one only works; that goes without saying.
bool saysMore(const Box& box) {
    return !box.use.isEmpty() && (box.share > 0 || box.isHome);
}

/// Lit boxes of a kind, by what is true of them.
template <typename Test> QStringList names(const Picture& picture, Test test) {
    QStringList list;
    for (const Box& box : picture.boxes)
        if (test(box, picture.diagram.boxes[box.index]))
            list << text(picture.diagram.boxes[box.index].name)
                    + (saysMore(box) ? QStringLiteral(" (%1)").arg(box.use) : QString());
    return list;
}

QString machineSentence(const Picture& picture) {
    QStringList units, memories;
    for (const Box& box : picture.boxes) {
        const DiagramBox& shown = picture.diagram.boxes[box.index];
        if (shown.kind == BoxKind::Unit && shown.parent == std::size_t(0))
            units << box.title;
        if (shown.kind == BoxKind::Memory)
            memories << text(shown.name);
    }
    const QString peak = picture.boxes.front().figures;
    QString whole =
        tr("%1%2: %3; memories from far to near: %4.")
            .arg(text(picture.machine->name),
                peak.isEmpty() ? QString() : QStringLiteral(", ") + peak,
                units.isEmpty() ? tr("units not published") : units.join(QStringLiteral(", ")),
                memories.join(QStringLiteral(" → ")));
    if (!picture.machine->unpublished.empty())
        whole += u' ' + tr("Not published: %1").arg(text(picture.machine->unpublished.front()))
            + (picture.machine->unpublished.size() > 1 ? QStringLiteral(" …") : QString());
    return whole;
}

} // namespace

QString sentence(const Picture& picture, const ViewState& state) {
    if (picture.isEmpty())
        return picture.reason;
    const auto steps = state.selectedSteps();
    if (state.selection().isEmpty())
        return machineSentence(picture);
    const auto result = state.result();
    const QString name = steps.empty() ? tr("The selection") : stepName(*result, steps.front());
    const auto units = names(picture, [](const Box& box, const DiagramBox& shown) {
        return shown.kind == BoxKind::Unit && box.isUsed;
    });
    const auto homes = names(picture, [](const Box& box, const DiagramBox&) { return box.isHome; });
    const auto bounds =
        names(picture, [](const Box& box, const DiagramBox&) { return box.isBound; });
    QStringList parts;
    if (!units.isEmpty())
        parts << tr("runs on %1").arg(units.join(QStringLiteral(" › ")));
    if (!homes.isEmpty())
        parts << tr("its tensor lies in %1").arg(homes.join(tr(" and ")));
    else if (!units.isEmpty())
        parts << tr("its tensor has no buffer of its own");
    if (!bounds.isEmpty())
        parts << tr("it waits for %1 most").arg(bounds.front().section(QStringLiteral(" ("), 0, 0));
    if (parts.isEmpty())
        return tr("%1 has no place on %2: no step and no buffer is left of it.")
            .arg(name, text(picture.machine->name));
    return name + u' ' + parts.join(QStringLiteral("; ")) + u'.';
}

CardContent card(const Picture& picture, std::size_t index) {
    if (index >= picture.diagram.boxes.size())
        return {};
    const DiagramBox& box = picture.diagram.boxes[index];
    const Box& shown = picture.boxes[static_cast<int>(index)];
    CardContent content;
    content.title = shown.title;
    if (!shown.use.isEmpty())
        content.lines << shown.use + (shown.isBound ? tr(" · what it waits for most") : QString());
    QStringList words;
    if (!shown.detail.isEmpty())
        words << shown.detail;
    if (box.kind == BoxKind::Unit && box.count)
        words << tr("%1 on the device").arg(formatCount(static_cast<std::int64_t>(*box.count)));
    if (!words.isEmpty())
        content.lines << words.join(QStringLiteral(" · "));
    QString source;
    for (const BoxFigure& figure : box.figures) {
        if (content.lines.size() >= CardContent::kMaximumLines)
            break;
        QString key = text(figure.key);
        key.replace(u'_', u' ');
        QString line = key + QStringLiteral(": ") + formatFigure(figure.figure);
        if (figure.figure.isKnown()) {
            const QString from = sourceText(figure.figure);
            line += u' ' + statusGlyph(figure.figure.status)
                + (from == source ? QString() : u' ' + from);
            source = from;
        } else if (!figure.figure.note.empty()) {
            line += QStringLiteral(" (%1)").arg(text(figure.figure.note));
        }
        content.lines << line;
    }
    return content;
}

QStringList vocabulary(const Picture& picture) {
    QStringList entries;
    for (const analysis::Word& word : picture.diagram.vocabulary)
        entries << text(word.notion) + QStringLiteral(": ")
                + (word.word.empty() ? QStringLiteral("–") : text(word.word));
    return entries;
}

CardContent vocabularyCard(const Picture& picture) {
    CardContent content;
    content.title = tr("Words of %1").arg(text(picture.machine->name));
    const QStringList words = vocabulary(picture);
    // Eight notions in at most six lines.
    for (int i = 0; i < words.size(); i += 2)
        content.lines << (i + 1 < words.size() ? words[i] + QStringLiteral(" · ") + words[i + 1]
                                               : words[i]);
    return content;
}

QString twinText(const Picture& picture, std::size_t index) {
    const Box& shown = picture.boxes[static_cast<int>(index)];
    const DiagramBox& box = picture.diagram.boxes[index];
    QStringList parts{shown.title};
    if (box.parent)
        parts << tr("in %1").arg(text(picture.diagram.boxes[*box.parent].name));
    for (const QString& part : {shown.figures, shown.detail, shown.use})
        if (!part.isEmpty())
            parts << part;
    return parts.join(QStringLiteral(" · "));
}

Legend legend(const Picture& picture) {
    if (picture.isEmpty())
        return {};
    Legend entries;
    const auto memory = [&](machines::MemoryKind kind, const QString& label) {
        for (const machines::Memory& each : picture.machine->memories)
            if (each.kind == kind) {
                entries << LegendEntry{label, [kind](QPainter& painter, const QRectF& rect) {
                                           painter.setBrush(Palette::current().memoryLevel(kind));
                                           painter.setPen(levelPen(kind, 1));
                                           painter.drawRect(rect.adjusted(0.5, 1.5, -0.5, -1.5));
                                       }};
                return;
            }
    };
    memory(machines::MemoryKind::Device, tr("off chip"));
    memory(machines::MemoryKind::Cache, tr("cache"));
    memory(machines::MemoryKind::Scratchpad, tr("scratchpad"));
    memory(machines::MemoryKind::Registers, tr("registers"));
    entries << LegendEntry{tr("holds the tensor"), [](QPainter& painter, const QRectF& rect) {
                               paintSelectionRing(painter, rect.adjusted(4, 4, -4, -4), true, 0);
                           }};
    entries << LegendEntry{tr("used by the operator"), [](QPainter& painter, const QRectF& rect) {
                               paintSelectionRing(painter, rect.adjusted(2, 2, -2, -2), false, 0);
                           }};
    for (const auto status : {machines::FigureStatus::Published, machines::FigureStatus::Derived,
             machines::FigureStatus::Estimated})
        entries << LegendEntry{
            statusName(status), [status](QPainter& painter, const QRectF& rect) {
                paintStatusGlyph(painter, rect, status, Palette::current().role("textSecondary"));
            }};
    return entries;
}

QString footnote(const Picture& picture) {
    if (picture.isEmpty())
        return {};
    return picture.machine->year > 0 ? QString::number(picture.machine->year) : QString();
}

QString csv(const Picture& picture) {
    QVector<QStringList> rows;
    for (const DiagramBox& box : picture.diagram.boxes)
        for (const BoxFigure& figure : box.figures)
            rows << QStringList{text(box.name),
                box.parent ? text(picture.diagram.boxes[*box.parent].name) : QString(),
                text(analysis::toString(box.kind)), text(figure.key),
                figure.figure.isKnown() ? QString::number(*figure.figure.value, 'g', 15)
                                        : QString(),
                text(figure.figure.unit), statusName(figure.figure.status),
                text(figure.figure.source)};
    return csvTable({QStringLiteral("box"), QStringLiteral("inside"), QStringLiteral("kind"),
                        QStringLiteral("figure"), QStringLiteral("value"), QStringLiteral("unit"),
                        QStringLiteral("status"), QStringLiteral("source")},
        rows);
}

QString closedForm(const Stepping& stepping) {
    const auto& run = stepping.run;
    const auto& array = run.array();
    return QStringLiteral("⌈%1/%2⌉·⌈%3/%4⌉·(%5+2·%2+%6−2)−1 = %7")
        .arg(QString::number(run.k()), QString::number(array.rows), QString::number(run.n()),
            QString::number(array.columns * array.lanes), QString::number(run.m()),
            QString::number(array.columns), formatCount(run.cycles()));
}

QStringList cycleTexts(const Stepping& stepping, std::int64_t cycle) {
    const auto& run = stepping.run;
    const lowering::SystolicState state = run.at(cycle);
    const std::string_view phase = lowering::toString(state.phase);
    const bool isLast = state.cycle == run.cycles();
    QStringList lines;
    lines << tr("cycle %1 of %2").arg(formatCount(state.cycle), formatCount(run.cycles()))
            + (isLast ? tr(", the last") : QString());
    lines << tr("fold %1 of %2: k %3…%4, n %5…%6")
                 .arg(formatCount(state.fold + 1), formatCount(run.folds()),
                     formatCount(state.firstK), formatCount(state.firstK + state.usedRows - 1),
                     formatCount(state.firstN), formatCount(state.firstN + state.usedN - 1));
    lines << tr("%1 %2 of %3 · %4 of %5 cells multiply")
                 .arg(text(phase), formatCount(state.phaseCycle + 1),
                     formatCount(state.phaseCycles), formatCount(state.activeCells),
                     formatCount(run.array().rows * run.array().columns));
    return lines;
}

} // namespace fivefold::views::machine
