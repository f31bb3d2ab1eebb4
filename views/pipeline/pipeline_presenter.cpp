// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/pipeline/pipeline_presenter.h"

#include "core/analysis/compiler_report.h"
#include "core/analysis/pipeline.h"
#include "views/common/export.h"
#include "views/common/format.h"
#include "views/common/palette.h"
#include "views/common/sentences.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QPainter>

#include <algorithm>

namespace fivefold::views::pipeline {

using namespace common;
using lowering::CompilerPass;
using lowering::CompilerPipeline;
using lowering::Disclosure;
using lowering::Stage;

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("pipeline", text);
}

QString text(std::string_view view) {
    return QString::fromUtf8(view.data(), static_cast<int>(view.size()));
}

QString codeOf(std::string_view family) {
    if (family == "gpu")
        return QStringLiteral("GPU");
    if (family == "tpu")
        return QStringLiteral("TPU");
    if (family == "cerebras")
        return QStringLiteral("WSE");
    if (family == "groq")
        return QStringLiteral("LPU");
    if (family == "spyre")
        return QStringLiteral("SPY");
    return QStringLiteral("CPU");
}

QString digits(const std::vector<Stage>& stages) {
    QString list;
    for (Stage stage : stages)
        list += (list.isEmpty() ? QString() : QStringLiteral(" "))
            + QString::number(static_cast<int>(stage) + 1);
    return list;
}

QString countText(const analysis::PassCount& count) {
    if (!count.value)
        return tr("unknown");
    if (count.unit == "s")
        return (count.isAtLeast ? tr("at least %1") : QStringLiteral("%1"))
            .arg(formatTime(base::Seconds(*count.value)));
    if (count.unit == "B")
        return formatBytes(base::Bytes(static_cast<std::int64_t>(*count.value))) + u' '
            + QString::fromStdString(count.word);
    return formatCount(static_cast<std::int64_t>(*count.value)) + u' '
        + QString::fromStdString(count.word);
}

QString countsText(const analysis::Result& result, const CompilerPass& pass) {
    QStringList parts;
    for (const analysis::PassCount& count : analysis::passCounts(result, pass)) {
        const bool isNothing = count.value == 0.0 && count.metric != lowering::PassMetric::Kernels;
        if (!isNothing)
            parts << countText(count);
    }
    return parts.join(QStringLiteral(" · "));
}

QChar deciderLetter(lowering::DecidedBy decider) {
    switch (decider) {
    case lowering::DecidedBy::Programmer:
        return u'P';
    case lowering::DecidedBy::Compiler:
        return u'C';
    case lowering::DecidedBy::Runtime:
        return u'R';
    case lowering::DecidedBy::Hardware:
        break;
    }
    return u'H';
}

QString disclosureName(Disclosure disclosure) {
    switch (disclosure) {
    case Disclosure::Open:
        return tr("open source");
    case Disclosure::Observed:
        return tr("closed, read off its output");
    case Disclosure::Described:
        return tr("closed, described by the vendor");
    case Disclosure::Unpublished:
        break;
    }
    return tr("unpublished");
}

const lowering::PipelineMode* modeNamed(const CompilerPipeline& pipeline, const QString& id) {
    for (const lowering::PipelineMode& mode : pipeline.modes)
        if (text(mode.id) == id)
            return &mode;
    return nullptr;
}

Row rowOf(const lowering::Family& family, const analysis::Result* result, const QString& mode) {
    Row row;
    row.family = family.id();
    row.code = codeOf(row.family);
    row.pipeline = &family.compilerPipeline();
    row.order = digits(lowering::stageOrder(*row.pipeline));
    row.isCurrent = result != nullptr;
    if (result) {
        row.machine = QString::fromStdString(result->machine().name);
        const auto* inForce = analysis::modeInForce(
            *row.pipeline, result->request.settings, family.settings(result->machine()));
        row.mode = mode.isEmpty() ? inForce : modeNamed(*row.pipeline, mode);
        row.isModeInForce = row.mode && row.mode == inForce;
    }
    for (const CompilerPass& pass : row.pipeline->passes) {
        Step step{&pass, text(pass.name), digits(pass.stages), text(pass.emits), {},
            deciderLetter(pass.decidedBy)};
        if (result)
            if (const QString counts = countsText(*result, pass); !counts.isEmpty())
                step.emits = counts;
        for (const lowering::PassChange& change : pass.changes)
            if (row.mode && change.mode == row.mode->id)
                step.effect = text(change.effect);
        row.steps << step;
    }
    return row;
}

} // namespace

const Step* Picture::step(int row, int step) const {
    if (row < 0 || row >= rows.size() || step < 0 || step >= rows[row].steps.size())
        return nullptr;
    return &rows[row].steps[step];
}

Picture present(const ViewState& state, const QString& mode) {
    Picture picture;
    const auto result = state.result();
    if (!result) {
        picture.reason = tr("No model is open, so there is no path to draw.");
        return picture;
    }
    for (const lowering::Family* family : analysis::families()) {
        const bool isCurrent = family->id() == result->machine().family;
        // The reference is no target: it has a row only while it is the machine.
        const bool isTarget =
            std::ranges::find(machines::kFamilies, family->id()) != std::end(machines::kFamilies);
        if (!isCurrent && !isTarget)
            continue;
        if (isCurrent)
            picture.current = static_cast<int>(picture.rows.size());
        picture.rows << rowOf(*family, isCurrent ? result.get() : nullptr, mode);
    }
    return picture;
}

QString sentence(const Picture& picture, const ViewState& state) {
    if (picture.isEmpty())
        return picture.reason;
    const auto result = state.result();
    const Row& row = picture.rows[picture.current];
    const QString model = QFileInfo(QString::fromStdString(result->graph().info.path)).fileName();
    const auto& program = result->program;
    const auto kernels = program.stage(Stage::Fused).kernels.size();
    const lowering::Family* family = analysis::findFamily(row.family);
    QString whole =
        tr("%1 reaches %2 in %3 passes of %4: %5 captured nodes become %6 and %7 %8.")
            .arg(model, row.machine, QString::number(row.steps.size()),
                text(row.pipeline->compiler),
                formatCount(static_cast<std::int64_t>(result->graph().nodes.size())),
                formatCount(
                    static_cast<std::int64_t>(program.stage(Stage::Decomposed).nodes.size())),
                formatCount(static_cast<std::int64_t>(kernels)),
                text(kernels == 1 ? family->kernelWord().first : family->kernelWord().second));
    if (row.order != QLatin1String("1 2 3 4 5 6"))
        whole += u' ' + tr("It takes our stages in the order %1.").arg(row.order);
    if (row.mode && !row.isModeInForce)
        whole += u' ' + tr("Shown: what the mode %1 would change.").arg(text(row.mode->id));
    return whole;
}

CardContent card(const Picture& picture, int row, int step) {
    const Step* shown = picture.step(row, step);
    if (!shown)
        return {};
    const Row& where = picture.rows[row];
    CardContent content;
    content.title = shown->name + QStringLiteral(" · ") + text(shown->pass->layer);
    content.lines << text(shown->pass->does);
    const QString emits = text(shown->pass->emits);
    content.lines << (shown->emits == emits ? tr("Emits: %1").arg(emits)
                                            : tr("Emits: %1 (here %2)").arg(emits, shown->emits));
    QStringList files;
    for (const lowering::PassArtefact& artefact : shown->pass->artefacts)
        files << (artefact.how.empty()
                ? text(artefact.name)
                : tr("%1 (%2)").arg(text(artefact.name), text(artefact.how)));
    if (!files.isEmpty())
        content.lines << tr("Files: %1").arg(files.join(QStringLiteral("; ")));
    if (!shown->effect.isEmpty())
        content.lines << tr("Mode %1: %2").arg(text(where.mode->id), shown->effect);
    content.lines << (shown->stages.isEmpty()
            ? tr("No stage of ours · decided by the %1")
            : tr("Stage %2 · decided by the %1").arg(QStringLiteral("%1"), shown->stages))
                         .arg(decidedByName(shown->pass->decidedBy));
    content.lines << tr("%1: %2").arg(
        disclosureName(shown->pass->disclosure), text(shown->pass->source));
    return content;
}

CardContent rowCard(const Picture& picture, int row) {
    if (row < 0 || row >= picture.rows.size())
        return {};
    const Row& where = picture.rows[row];
    CardContent content;
    content.title = where.machine.isEmpty() ? where.code : where.machine;
    content.lines << text(where.pipeline->compiler) + QStringLiteral(" (")
            + text(where.pipeline->version) + u')';
    QStringList layers;
    for (const std::string_view layer : where.pipeline->stack)
        layers << text(layer);
    content.lines << layers.join(QStringLiteral(" → "));
    content.lines << tr("Our stages in its order: %1").arg(where.order);
    if (where.mode)
        content.lines << tr("Mode %1: %2 %3")
                             .arg(text(where.mode->id), text(where.mode->how),
                                 where.mode->isModelled ? QString() : tr("(not modelled)"));
    if (!where.pipeline->unpublished.empty())
        content.lines << tr("Not public: %1").arg(text(where.pipeline->unpublished));
    if (!where.isCurrent)
        content.lines << tr("Click to make it the target.");
    return content;
}

QString twinText(const Picture& picture, int row, int step) {
    const Step* shown = picture.step(row, step);
    if (!shown)
        return {};
    const Row& where = picture.rows[row];
    QString line = where.code + QStringLiteral(" · ") + shown->name;
    if (!shown->stages.isEmpty())
        line += tr(" · stage %1").arg(shown->stages);
    line += QStringLiteral(" · ") + shown->emits;
    return shown->effect.isEmpty() ? line : line + QStringLiteral(" · ") + shown->effect;
}

Legend legend(const Picture& picture) {
    if (picture.isEmpty())
        return {};
    const auto border = [](Qt::PenStyle style) {
        return [style](QPainter& painter, const QRectF& rect) {
            painter.setBrush(Qt::NoBrush);
            painter.setPen(QPen(Palette::current().role("nodeBorder"), 1.4, style));
            painter.drawRect(rect.adjusted(0.5, 1.5, -0.5, -1.5));
        };
    };
    const auto letter = [](QChar shown) {
        return [shown](QPainter& painter, const QRectF& rect) {
            painter.setPen(Palette::current().role("textSecondary"));
            painter.drawText(rect, Qt::AlignCenter, shown);
        };
    };
    Legend entries{{tr("stage of ours"),
                [](QPainter& painter, const QRectF& rect) {
                    painter.setPen(Qt::NoPen);
                    painter.setBrush(Palette::current().role("neutralSoft"));
                    painter.drawEllipse(rect.adjusted(0.5, 0.5, -0.5, -0.5));
                    painter.setPen(Palette::current().role("text"));
                    painter.drawText(rect, Qt::AlignCenter, QStringLiteral("2"));
                }},
        {tr("open source"), border(Qt::SolidLine)}, {tr("read off output"), border(Qt::DashLine)},
        {tr("described or unpublished"), border(Qt::DotLine)}, {tr("programmer"), letter(u'P')},
        {tr("compiler"), letter(u'C')}, {tr("runtime"), letter(u'R')},
        {tr("hardware"), letter(u'H')}};
    const bool isChanged = std::ranges::any_of(picture.rows, [](const Row& row) {
        return std::ranges::any_of(
            row.steps, [](const Step& step) { return !step.effect.isEmpty(); });
    });
    // Behind the stage: a narrow panel leaves out the last ones.
    if (isChanged)
        entries.insert(1,
            {tr("changed by the mode"), [](QPainter& painter, const QRectF& rect) {
                 painter.setPen(Palette::current().role("warning"));
                 painter.drawText(rect, Qt::AlignCenter, QStringLiteral("Δ"));
             }});
    return entries;
}

QString footnote(const Picture& picture) {
    if (picture.isEmpty())
        return {};
    const Row& row = picture.rows[picture.current];
    const QString mode =
        row.mode ? tr("mode %1").arg(text(row.mode->id)) : tr("no mode of its own");
    return mode + QStringLiteral(" · ") + text(row.pipeline->version);
}

QString csv(const Picture& picture) {
    QVector<QStringList> rows;
    for (const Row& row : picture.rows) {
        int number = 0;
        for (const Step& step : row.steps)
            rows << QStringList{text(row.family), QString::number(++number), step.name,
                text(step.pass->layer), text(lowering::toString(step.pass->phase)), step.stages,
                text(lowering::toString(step.pass->decidedBy)),
                text(lowering::toString(step.pass->disclosure)), text(step.pass->does), step.emits,
                step.effect, text(step.pass->source)};
    }
    return csvTable(
        {QStringLiteral("family"), QStringLiteral("order"), QStringLiteral("pass"),
            QStringLiteral("layer"), QStringLiteral("phase"), QStringLiteral("stages"),
            QStringLiteral("decided_by"), QStringLiteral("disclosure"), QStringLiteral("does"),
            QStringLiteral("emits"), QStringLiteral("mode_effect"), QStringLiteral("source")},
        rows);
}

} // namespace fivefold::views::pipeline
