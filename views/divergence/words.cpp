// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/divergence/words.h"

#include "views/common/format.h"
#include "views/common/sentences.h"
#include "views/common/verdict.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

#include <algorithm>
#include <array>
#include <cmath>

namespace fivefold::views::divergence {

using compare::Verdict;
using numerics::Level;
using numerics::Rung;

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("fivefold::views::divergence", text);
}

QString withMinus(QString text) {
    return text.replace(u'-', QChar(0x2212));
}

QString q(const std::string& text) {
    return QString::fromStdString(text);
}

/// "Origin 2 of 3 is mul: 4 of 65 elements are wrong, the first [64]: expected 1.0, got 0.0."
QString laterHeadline(const compare::Divergence& divergence, std::size_t origin) {
    const std::size_t index = divergence.origins[origin];
    const compare::Layer& layer = divergence.layers[index];
    QString text = tr("Origin %1 of %2 is %3: %4 of %5 elements are wrong")
                       .arg(origin + 1)
                       .arg(divergence.origins.size())
                       .arg(layerName(layer), common::formatCount(layer.global.wrong.count),
                           common::formatCount(layer.global.total));
    const auto first = layer.global.wrong.first();
    const auto contents = divergence.contents.find(index);
    if (first && contents != divergence.contents.end() && *first < contents->second.device.size()
        && *first < contents->second.reference.size())
        text += tr(", the first %1: expected %2, got %3")
                    .arg(indexText(layer.shape, *first),
                        valueText(contents->second.reference.number(*first)),
                        valueText(contents->second.device.number(*first)));
    return text + u'.';
}

std::array<int, 7> countsOf(const compare::Divergence& divergence) {
    std::array<int, 7> counts{};
    for (const compare::Layer& layer : divergence.layers)
        ++counts[static_cast<std::size_t>(layer.verdict)];
    return counts;
}

QString cleanHeadline(const compare::Divergence& divergence) {
    const auto counts = countsOf(divergence);
    const auto of = [&](Verdict verdict) { return counts[static_cast<std::size_t>(verdict)]; };
    const int compared =
        static_cast<int>(divergence.layers.size()) - of(Verdict::Missing) - of(Verdict::Unmatched);
    if (divergence.capture && !divergence.capture->interval.empty())
        return tr("The first divergence lies among %1 values that the dump does not have.")
            .arg(divergence.capture->interval.size());
    if (compared == 0)
        return tr("Nothing was compared: no tensor of the dump has a counterpart.");
    return tr("No layer diverges: %1 values compared, every one within its tolerance.")
        .arg(compared);
}

} // namespace

QString rungName(Rung rung) {
    switch (rung) {
    case Rung::Source:
        return tr("source");
    case Rung::Captured:
        return tr("captured");
    case Rung::Decomposed:
        return tr("decomposed");
    case Rung::Fused:
        return tr("fused");
    case Rung::LaidOut:
        return tr("laid out");
    case Rung::Placed:
        return tr("placed");
    case Rung::Scheduled:
        return tr("scheduled");
    case Rung::Timed:
        return tr("timed");
    case Rung::Numerics:
        break;
    }
    return tr("numerics");
}

QString rungShortName(Rung rung) {
    switch (rung) {
    case Rung::Captured:
        return tr("capt.");
    case Rung::Decomposed:
        return tr("dec.");
    case Rung::Scheduled:
        return tr("sched.");
    case Rung::Numerics:
        return tr("num.");
    case Rung::LaidOut:
        return tr("laid");
    case Rung::Source:
        return tr("src");
    default:
        return rungName(rung);
    }
}

QString levelName(Level level) {
    switch (level) {
    case Level::Capture:
        return tr("capture");
    case Level::Decomposition:
        return tr("decomposition");
    case Level::Fusion:
        return tr("fusion");
    case Level::Layout:
        return tr("layout");
    case Level::Conflict:
        return tr("conflict");
    case Level::Deadlock:
        return tr("deadlock");
    case Level::Transfer:
        return tr("DMA");
    case Level::Numerics:
        break;
    }
    return tr("numerics");
}

QString levelTag(Level level) {
    return level == Level::Decomposition ? tr("decompose")
        : level == Level::Fusion         ? tr("fuse")
                                         : levelName(level);
}

QString howName(compare::HowKnown how) {
    return how == compare::HowKnown::Proved ? tr("proved")
        : how == compare::HowKnown::Matched ? tr("matched")
                                            : tr("undecided");
}

QString ruleName(compare::MatchRule rule) {
    switch (rule) {
    case compare::MatchRule::UserMap:
        return tr("your map");
    case compare::MatchRule::Provenance:
        return tr("provenance");
    case compare::MatchRule::ExactName:
        return tr("exact name");
    case compare::MatchRule::CallPath:
        return tr("call path");
    case compare::MatchRule::NormalisedName:
        return tr("normalised name");
    case compare::MatchRule::Structure:
        return tr("structure");
    case compare::MatchRule::Position:
        return tr("position, to be checked");
    case compare::MatchRule::None:
        break;
    }
    return tr("no match");
}

QString valueText(double value) {
    if (std::isnan(value))
        return QStringLiteral("NaN");
    if (std::isinf(value))
        return value > 0 ? QStringLiteral("∞") : QStringLiteral("−∞");
    QString text = QString::number(value, 'g', 7);
    if (!text.contains(u'.') && !text.contains(u'e'))
        text += QStringLiteral(".0");
    return withMinus(text);
}

QString errorText(double error) {
    if (std::isnan(error))
        return QStringLiteral("NaN");
    if (std::isinf(error))
        return QStringLiteral("∞");
    if (error == 0)
        return QStringLiteral("0");
    return withMinus(QString::number(error, 'g', 3));
}

QString layerName(const compare::Layer& layer) {
    return layer.nodeName.empty() ? q(layer.key) : common::shortName(layer.nodeName);
}

bool isCompared(const compare::Layer& layer) {
    return layer.verdict != Verdict::Missing && layer.verdict != Verdict::Unmatched;
}

QString wrongText(const compare::Layer& layer) {
    if (!isCompared(layer))
        return QStringLiteral("–");
    return QStringLiteral("%1 / %2").arg(
        common::formatCount(layer.global.wrong.count), common::formatCount(layer.global.total));
}

QString indexText(const std::vector<std::int64_t>& shape, std::int64_t flat) {
    if (shape.size() <= 1)
        return QString::number(flat);
    QStringList parts;
    for (const std::int64_t index : layout::unflatten(shape, flat))
        parts << QString::number(index);
    return QStringLiteral("[%1]").arg(parts.join(QStringLiteral(", ")));
}

BannerText bannerOf(const compare::Divergence& divergence, std::optional<std::size_t> origin) {
    BannerText text;
    const std::size_t at = origin.value_or(0);
    const compare::LevelVerdict* verdict =
        at < divergence.levels.size() ? &divergence.levels[at] : nullptr;
    text.isHang = verdict && verdict->deadlock && !origin;
    const bool isWrong = origin || text.isHang;
    text.mark = isWrong                                               ? Verdict::Origin
        : divergence.capture && !divergence.capture->interval.empty() ? Verdict::Unmatched
                                                                      : Verdict::Clean;
    text.headline = at == 0 && !divergence.headline.empty() ? q(divergence.headline)
        : origin                                            ? laterHeadline(divergence, at)
        : text.isHang ? tr("The program stops before its end: no output comes.")
                      : cleanHeadline(divergence);
    if (!isWrong) {
        text.level = q(divergence.policy);
        if (divergence.capture && !divergence.capture->interval.empty())
            text.proof = tr(
                "Values to capture next: %1 (%2); at most %3 more runs until one suspect is left.")
                             .arg(divergence.capture->next.size())
                             .arg(common::formatBytes(base::Bytes(divergence.capture->bytes)))
                             .arg(divergence.capture->rounds);
        return text;
    }
    if (!verdict) {
        text.level = tr("The level of the stack has not been looked for yet.");
        return text;
    }
    text.how = verdict->how;
    text.level = text.isHang && verdict->sentence.empty() ? q(verdict->deadlockSentence)
                                                          : q(verdict->sentence);
    if (text.level.isEmpty())
        text.level = tr("No level can be named from what was given.");
    text.proof = q(verdict->proof);
    if (verdict->how == compare::HowKnown::Undecided && !verdict->decides.empty())
        text.proof = (text.proof.isEmpty() ? QString() : text.proof + QStringLiteral(" · "))
            + tr("would decide: %1").arg(q(verdict->decides));
    return text;
}

QString layersSentence(const compare::Divergence& divergence) {
    const auto counts = countsOf(divergence);
    QStringList parts;
    for (const Verdict verdict : {Verdict::Clean, Verdict::Benign, Verdict::Origin,
             Verdict::Inherited, Verdict::Healed, Verdict::Unmatched, Verdict::Missing})
        if (const int count = counts[static_cast<std::size_t>(verdict)])
            parts << QStringLiteral("%1 %2").arg(count).arg(common::verdictName(verdict));
    if (parts.isEmpty())
        return tr("The dumps have no values.");
    QString text = tr("%1 values in topological order: %2")
                       .arg(divergence.layers.size())
                       .arg(parts.join(QStringLiteral(", ")));
    if (divergence.capture && !divergence.capture->interval.empty())
        text += tr("; %1 are suspects").arg(divergence.capture->interval.size());
    else if (!divergence.origins.empty() && divergence.origins.front() < divergence.layers.size())
        text += tr("; nothing before %1 differs")
                    .arg(layerName(divergence.layers[divergence.origins.front()]));
    return text + u'.';
}

QString ladderSentence(const compare::Divergence& divergence, std::optional<std::size_t> origin) {
    const std::size_t at = origin.value_or(0);
    if (at >= divergence.levels.size())
        return divergence.capture && !divergence.capture->interval.empty()
            ? tr("The first diverging layer is not in the dump, so no level can be named yet.")
            : divergence.origins.empty()
            ? tr("Nothing diverges, so there is no level to look for.")
            : tr("The level of the stack has not been looked for yet.");
    const compare::LevelVerdict& verdict = divergence.levels[at];
    if (verdict.deadlock && !origin)
        return tr(
            "The program does not end: the first rung that stops is marked, those before it run "
            "through.");
    int given = 0;
    std::optional<Rung> first;
    for (std::size_t rung = 0; rung < numerics::kRungs; ++rung) {
        using Kind = compare::RungState::Kind;
        const Kind kind = verdict.ladder[rung].kind;
        given += kind != Kind::NotGiven;
        if (kind == Kind::Differs && !first)
            first = static_cast<Rung>(rung);
    }
    if (given == 0)
        return tr("No rung of the ladder was run: the level is known from dumps alone, or not.");
    if (!first)
        return tr("%1 of nine rungs were run, and none differs from its neighbour.").arg(given);
    return tr("The same numbers, run at %1 of nine rungs: the first that differs from its "
              "neighbour is “%2”.")
        .arg(given)
        .arg(rungName(*first));
}

bool hasWaits(const compare::LevelVerdict* verdict) {
    return verdict && (verdict->deadlock || !verdict->transfers.empty());
}

QString waitsSentence(const compare::LevelVerdict& verdict) {
    if (verdict.deadlock && !verdict.deadlockSentence.empty())
        return q(verdict.deadlockSentence);
    if (verdict.deadlock)
        return tr("%1 operations never start; %2 of them wait in a circle.")
            .arg(verdict.deadlock->stuck.size())
            .arg(verdict.deadlock->cycle.size());
    const auto& all = verdict.transfers;
    const auto bad = std::count_if(
        all.begin(), all.end(), [](const numerics::Transfer& t) { return !t.isClean(); });
    return bad == 0 ? tr("%1 transfers, each complete before its first read.").arg(all.size())
                    : tr("%1 of %2 transfers are not clean.").arg(bad).arg(all.size());
}

} // namespace fivefold::views::divergence
