// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/common/sentences.h"

#include "views/common/format.h"

#include <QCoreApplication>
#include <QStringList>

namespace fivefold::views::common {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("words", text);
}

/// A number with the unit of another text cut off: "7.1" of "7.1 µs" beside "8.1 µs".
QString withoutUnit(const QString& text, const QString& unitOf) {
    const auto space = unitOf.lastIndexOf(QChar(0x2009));
    const QString unit = space < 0 ? QString() : unitOf.mid(space);
    return !unit.isEmpty() && text.endsWith(unit) ? text.chopped(unit.size()) : text;
}

} // namespace

QString boundName(lowering::Bound bound) {
    switch (bound) {
    case lowering::Bound::Compute:
        return tr("compute");
    case lowering::Bound::Memory:
        return tr("memory");
    case lowering::Bound::Scheduling:
        return tr("scheduling");
    case lowering::Bound::Unknown:
        break;
    }
    return tr("unknown");
}

QString className(ir::OpClass opClass) {
    switch (opClass) {
    case ir::OpClass::Contraction:
        return tr("contraction");
    case ir::OpClass::Normalisation:
        return tr("normalisation");
    case ir::OpClass::Pointwise:
        return tr("pointwise");
    case ir::OpClass::Movement:
        return tr("movement");
    case ir::OpClass::Control:
        return tr("control");
    case ir::OpClass::Other:
        break;
    }
    return tr("other");
}

QString stageName(lowering::Stage stage) {
    switch (stage) {
    case lowering::Stage::Captured:
        return tr("Captured");
    case lowering::Stage::Decomposed:
        return tr("Decomposed");
    case lowering::Stage::Fused:
        return tr("Fused");
    case lowering::Stage::LaidOut:
        return tr("Laid out");
    case lowering::Stage::Placed:
        return tr("Placed");
    case lowering::Stage::Scheduled:
        break;
    }
    return tr("Scheduled");
}

QString statusName(machines::FigureStatus status) {
    switch (status) {
    case machines::FigureStatus::Published:
        return tr("published");
    case machines::FigureStatus::Measured:
        return tr("measured");
    case machines::FigureStatus::Derived:
        return tr("derived");
    case machines::FigureStatus::Estimated:
        break;
    }
    return tr("estimated");
}

QString supportName(lowering::Support support) {
    switch (support) {
    case lowering::Support::Native:
        return tr("native");
    case lowering::Support::Decomposed:
        return tr("decomposed");
    case lowering::Support::Fallback:
        return tr("on the host");
    case lowering::Support::Unsupported:
        break;
    }
    return tr("unsupported");
}

QString severityName(base::Severity severity) {
    switch (severity) {
    case base::Severity::Error:
        return tr("error");
    case base::Severity::Warning:
        return tr("warning");
    case base::Severity::Info:
        break;
    }
    return tr("note");
}

QString roleName(lowering::ValueRole role) {
    switch (role) {
    case lowering::ValueRole::Input:
        return tr("input");
    case lowering::ValueRole::Weight:
        return tr("weight");
    case lowering::ValueRole::Constant:
        return tr("constant");
    case lowering::ValueRole::Activation:
        return tr("activation");
    case lowering::ValueRole::Output:
        return tr("output");
    case lowering::ValueRole::Scratch:
        return tr("scratch");
    case lowering::ValueRole::KvCache:
        break;
    }
    return tr("KV cache");
}

QString decidedByName(lowering::DecidedBy decider) {
    switch (decider) {
    case lowering::DecidedBy::Programmer:
        return tr("programmer");
    case lowering::DecidedBy::Compiler:
        return tr("compiler");
    case lowering::DecidedBy::Runtime:
        return tr("runtime");
    case lowering::DecidedBy::Hardware:
        break;
    }
    return tr("hardware");
}

QString dtypeName(ir::DType dtype) {
    if (dtype == ir::DType::Undefined)
        return QStringLiteral("?");
    const auto text = ir::shortName(dtype);
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QString shortName(const std::string& name) {
    const QString full = QString::fromStdString(name);
    QStringList parts = full.split(u'/', Qt::SkipEmptyParts);
    if (parts.isEmpty())
        return full;
    for (qsizetype p = parts.size() - 2; p >= 0; --p) {
        const bool isScopeRepeated = parts[p + 1].startsWith(parts[p] + u'.');
        const bool isOperatorRepeated = p == parts.size() - 2 && p > 0
            && parts[p].compare(parts[p + 1], Qt::CaseInsensitive) == 0;
        if (isScopeRepeated || isOperatorRepeated)
            parts.removeAt(p);
    }
    return fitPath(parts.join(u'/'), kLongestName);
}

QString fitPath(const QString& path, int longest) {
    QStringList parts = path.split(u'/');
    QString text = path;
    while (text.size() > longest && parts.size() > 2) {
        parts.removeFirst();
        text = QStringLiteral("…/") + parts.join(u'/');
    }
    return text;
}

QString stepName(const analysis::Result& result, lowering::StepId id) {
    const lowering::Step& step = result.program.steps[id];
    const auto& graph = result.program.stages.back();
    if (!graph || !graph->nodes.contains(step.mainNode))
        return shortName(step.name);
    const auto& sources = graph->nodes[step.mainNode].sources;
    const bool isWhole = sources.size() == 1 && result.graph().nodes.contains(sources.front())
        && result.provenance.toSteps.contains(sources.front())
        && result.provenance.toSteps[sources.front()].size() == 1;
    return shortName(isWhole ? result.graph().nodes[sources.front()].name : step.name);
}

bool isValidated(const analysis::Result& result) {
    return result.totals.validated.has_value();
}

QString timeWithBand(const lowering::Estimate& estimate) {
    if (!estimate.isKnown)
        return formatTime(std::optional<base::Seconds>());
    const QString time = formatTime(std::optional(estimate.time));
    if (!estimate.low || !estimate.high)
        return u'~' + time;
    return timeBetween(estimate.time, *estimate.low, *estimate.high);
}

QString timeBetween(base::Seconds time, base::Seconds low, base::Seconds high) {
    const QString text = formatTime(std::optional(time));
    return QStringLiteral("%1 (%2–%3)")
        .arg(text, withoutUnit(formatTime(std::optional(low)), text),
            withoutUnit(formatTime(std::optional(high)), text));
}

QString validationText(const analysis::Result& result) {
    if (!result.totals.validated)
        return tr("not validated");
    const auto& validated = *result.totals.validated;
    const QLocale locale;
    const QString percent =
        locale.toString(validated.geomeanError * 100, 'f', 1) + QChar(0x2009) + u'%';
    return tr("±%1 on %2 points").arg(percent, formatCount(validated.points));
}

QString sourceText(const machines::Figure& figure) {
    if (!figure.isKnown())
        return figure.note.empty() ? tr("not published") : QString::fromStdString(figure.note);
    QString text =
        statusName(figure.status) + QStringLiteral(": ") + QString::fromStdString(figure.source);
    if (!figure.note.empty())
        text += QStringLiteral("; ") + QString::fromStdString(figure.note);
    return text;
}

QString footLine(const analysis::Result& result) {
    QStringList parts;
    const auto& info = result.graph().info;
    const QString path = QString::fromStdString(info.path);
    const QString file = path.mid(path.lastIndexOf(u'/') + 1);
    parts << (file.isEmpty() ? QString::fromStdString(info.graphName) : file);
    parts << QString::fromStdString(result.machine().name);
    const auto& settings = result.request.settings;
    static constexpr const char* kPrecisions[] = {
        "fp32", "tf32", "bf16", "fp16", "fp8", "int8", "int4"};
    parts << QString::fromLatin1(kPrecisions[static_cast<std::size_t>(settings.precision)]);
    parts << (settings.isFusionOn ? tr("fusion on") : tr("fusion off"));
    const auto assign = [](const std::string& name, const std::string& value) {
        return QString::fromStdString(name) + u'=' + QString::fromStdString(value);
    };
    for (const auto& [key, value] : settings.values)
        parts << assign(key, value);
    for (const auto& [name, size] : result.request.bindings.dims)
        parts << assign(name, std::to_string(size));
    for (const auto& [place, size] : result.request.bindings.axes)
        parts << assign(place.first + "." + std::to_string(place.second), std::to_string(size));
    if (result.typed)
        for (const auto& [name, size] : result.typed->assumed)
            parts << assign(name, std::to_string(size)) + tr(" assumed");
    const QString version = QCoreApplication::applicationVersion();
    parts << QStringLiteral("Fivefold ")
            + (version.isEmpty() ? QStringLiteral(FIVEFOLD_VERSION) : version);
    parts << validationText(result);
    parts.removeAll(QString());
    return parts.join(QStringLiteral(" · "));
}

QString asSentence(const std::string& text) {
    QString sentence = QString::fromStdString(text).trimmed();
    if (sentence.isEmpty())
        return sentence;
    sentence[0] = sentence[0].toUpper();
    return sentence.endsWith(u'.') ? sentence : sentence + u'.';
}

QString firstClause(const QString& text) {
    QString clause = text.trimmed();
    for (qsizetype at = clause.indexOf(QStringLiteral(". ")); at > 0;
         at = clause.indexOf(QStringLiteral(". "), at + 1)) {
        const QChar next = clause.at(at + 2);
        if (next.isUpper() || next.isDigit()) { // "i.e. the" goes on
            clause.truncate(at);
            break;
        }
    }
    if (clause.size() > kLongestClause)
        for (const auto& end : {QStringLiteral("; "), QStringLiteral(": ")})
            if (const qsizetype at = clause.lastIndexOf(end, kLongestClause); at > 0) {
                clause.truncate(at);
                break;
            }
    if (clause.size() > 1 && clause.endsWith(u'.'))
        clause.chop(1);
    return clause;
}

} // namespace fivefold::views::common
