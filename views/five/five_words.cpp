// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/common/export.h"
#include "views/common/format.h"
#include "views/common/sentences.h"
#include "views/five/five_presenter.h"

#include <QCoreApplication>

#include <algorithm>

namespace fivefold::views::five {

using namespace common;

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("FivePanel", text);
}

QString seconds(const std::optional<base::Seconds>& time) {
    return time ? QString::number(time->value, 'g', 9) : QString();
}

/// "2.6 times", "11 times".
QString times(double ratio) {
    return QLocale(QLocale::English).toString(ratio, 'f', ratio < 9.95 ? 1 : 0);
}

const Row* fastest(const Picture& picture) {
    const Row* best = nullptr;
    for (const Row& row : picture.rows)
        if (row.hasAnswer() && row.figures.time && !row.figures.isAtLeast
            && row.figures.time->value > 0 && (!best || *row.figures.time < *best->figures.time))
            best = &row;
    return best;
}

const Row* slowest(const Picture& picture) {
    const Row* worst = nullptr;
    for (const Row& row : picture.rows)
        if (row.hasAnswer() && row.figures.time
            && (!worst || *row.figures.time > *worst->figures.time))
            worst = &row;
    return worst;
}

} // namespace

QString familyTitle(std::string_view family) {
    if (family == "gpu")
        return QStringLiteral("GPU");
    if (family == "tpu")
        return QStringLiteral("TPU");
    if (family == "cerebras")
        return QStringLiteral("Cerebras");
    if (family == "groq")
        return QStringLiteral("Groq");
    if (family == "spyre")
        return QStringLiteral("IBM Spyre");
    return QString::fromUtf8(family.data(), static_cast<int>(family.size()));
}

QString sentence(const Picture& picture) {
    if (picture.isEmpty())
        return picture.reason;
    QString text = picture.what;
    if (picture.macs && *picture.macs > 0)
        text = tr("%1: %2 MAC on five machines").arg(text, formatCount(picture.macs));
    else
        text = tr("%1 on five machines").arg(text);
    const auto ready = std::count_if(picture.rows.begin(), picture.rows.end(),
        [](const Row& row) { return row.hasAnswer() && !row.isStale; });
    const Row* first = fastest(picture);
    const Row* last = slowest(picture);
    if (first && last && first != last) {
        text += tr("; %1 is first with %2").arg(first->title, first->time);
        if (last->figures.isAtLeast)
            text += tr(", %1 takes %2").arg(last->title, last->time);
        else
            text += tr(", %1 takes %2 times as long")
                        .arg(last->title,
                            times(last->figures.time->value / first->figures.time->value));
    }
    text += u'.';
    if (!picture.note.isEmpty())
        text += u' ' + picture.note;
    const auto failed = std::count_if(picture.rows.begin(), picture.rows.end(),
        [](const Row& row) { return !row.hasAnswer() && row.state == SlotState::Failed; });
    if (ready + failed < picture.rows.size())
        text += u' ' + tr("%1 of 5 are there.").arg(ready);
    if (failed > 0)
        text += u' ' + tr("%1 of 5 failed.").arg(failed);
    return text + u' ' + tr("Click a row to turn every panel to that machine.");
}

QString paddingText(const Row& row) {
    return formatBytes(row.figures.padding);
}

QString boundText(const Row& row) {
    if (row.figures.bound == lowering::Bound::Unknown)
        return {};
    const QString share = formatShare(row.figures.boundShare);
    if (row.figures.bound != lowering::Bound::Memory
        || row.figures.boundLevel >= row.result->machine().memories.size())
        return share;
    return tr("%1, %2").arg(
        QString::fromStdString(row.result->machine().memories[row.figures.boundLevel].name), share);
}

QString twinText(const Row& row) {
    const QString name = row.title + u' ' + row.subtitle;
    if (!row.hasAnswer()) {
        if (row.state == SlotState::Failed)
            return tr("%1: failed. %2").arg(name, row.stateText);
        return tr("%1: being computed").arg(name);
    }
    QStringList parts{QString::fromStdString(row.figures.programs), row.time};
    parts << (row.band.isEmpty() ? tr("not validated") : row.band);
    if (row.figures.bound != lowering::Bound::Unknown)
        parts << tr("bound by %1").arg(boundName(row.figures.bound));
    parts << tr("%1 of padding").arg(paddingText(row));
    if (row.figures.unsupported > 0)
        parts << tr("%1 operators missing").arg(formatCount(row.figures.unsupported));
    return tr("%1: %2. %3")
        .arg(name, parts.join(QStringLiteral(", ")), QString::fromStdString(row.figures.because));
}

QString csv(const Picture& picture) {
    QVector<QStringList> rows;
    for (const Row& row : picture.rows) {
        if (!row.hasAnswer())
            continue;
        const analysis::ComparisonRow& f = row.figures;
        QStringList levels;
        for (const auto& [level, bytes] : f.bytesByLevel)
            levels << QString::fromStdString(row.result->machine().memories[level].name) + u'='
                    + QString::number(bytes.value);
        const auto precision = machines::toString(row.result->request.settings.precision);
        rows.push_back({QString::fromStdString(f.machine), QString::fromStdString(f.family),
            QString::fromUtf8(precision.data(), static_cast<int>(precision.size())),
            QString::fromStdString(f.programs), QString::fromStdString(f.detail),
            QString::number(f.padding.value), levels.join(QStringLiteral("; ")), seconds(f.time),
            seconds(f.low), seconds(f.high), f.isAtLeast ? tr("yes") : tr("no"),
            QString::fromStdString(f.validation), boundName(f.bound),
            QString::number(f.unsupported), QString::fromStdString(f.because)});
    }
    if (rows.isEmpty())
        return {};
    return csvTable(
        {tr("machine"), tr("family"), tr("precision"), tr("programs"), tr("detail"),
            tr("padding_bytes"), tr("bytes_by_level"), tr("time_s"), tr("low_s"), tr("high_s"),
            tr("at_least"), tr("validation"), tr("bound"), tr("unsupported"), tr("because")},
        rows);
}

namespace {

CardContent programCard(const Row& row) {
    const analysis::ComparisonRow& f = row.figures;
    CardContent content{QString::fromStdString(f.programs), {}};
    if (!f.detail.empty())
        content.lines << QString::fromStdString(f.detail);
    if (f.others > 0)
        content.lines
            << tr("They hold %1 other operators, too, and count whole.").arg(formatCount(f.others));
    if (!row.result->program.mode.empty())
        content.lines << asSentence(row.result->program.mode);
    return content;
}

CardContent timeCard(const Row& row) {
    const analysis::ComparisonRow& f = row.figures;
    CardContent content{row.time, {}};
    if (f.isValidated)
        content.lines << row.band;
    else if (f.time)
        content.lines << tr("Not validated: no error was measured for this machine; ½ to 2 × is "
                            "drawn.");
    if (f.isAtLeast)
        content.lines << tr("Steps without a time are not in it.");
    if (!f.isRemoved && row.result->totals.validated && f.isValidated)
        content.lines << QString::fromStdString(row.result->totals.validated->source);
    if (!row.result->ladder.sentence.empty())
        content.lines << QString::fromStdString(row.result->ladder.sentence);
    return content;
}

CardContent bytesCard(const Row& row) {
    CardContent content{tr("Bytes by level"), {}};
    for (const auto& [level, bytes] : row.figures.bytesByLevel)
        content.lines << tr("%1: %2").arg(
            QString::fromStdString(row.result->machine().memories[level].name), formatBytes(bytes));
    return content;
}

CardContent missingCard(const Row& row) {
    const analysis::ComparisonRow& f = row.figures;
    CardContent content{tr("%1 operators missing").arg(formatCount(f.unsupported)), {}};
    for (const std::string& name : f.unsupportedNames)
        content.lines << shortName(name);
    const auto named = static_cast<std::int64_t>(f.unsupportedNames.size());
    if (f.unsupported > named)
        content.lines << tr("and %1 more").arg(formatCount(f.unsupported - named));
    if (f.unsupported == 0)
        content.lines << tr("Every operator runs on the device.");
    return content;
}

CardContent paddingCard(const Row& row) {
    CardContent content{tr("%1 of padding").arg(paddingText(row)), {}};
    if (!row.figures.paddingMost.empty())
        content.lines << tr("Most of it in %1: %2")
                             .arg(shortName(row.figures.paddingMost),
                                 QString::fromStdString(row.figures.paddingDetail));
    content.lines << tr("Of tensors that are kept between steps, beyond their logical size.");
    return content;
}

} // namespace

CardContent card(const Row& row, Column column) {
    const QString name = row.title + u' ' + row.subtitle;
    if (!row.hasAnswer())
        return {
            name, {row.stateText.isEmpty() ? tr("Its result is being computed.") : row.stateText}};
    const analysis::ComparisonRow& f = row.figures;
    switch (column) {
    case Column::Machine:
        return {QString::fromStdString(row.result->machine().name),
            {QString::fromStdString(row.result->machine().generation),
                tr("Click to turn every panel to it.")}};
    case Column::Program:
        return programCard(row);
    case Column::Padding:
        return paddingCard(row);
    case Column::Bytes:
        return bytesCard(row);
    case Column::Time:
        return timeCard(row);
    case Column::Bound:
        return {tr("Bound by %1").arg(boundName(f.bound)), {boundText(row)}};
    case Column::Missing:
        return missingCard(row);
    case Column::Because:
        break;
    }
    return {name, {QString::fromStdString(f.because)}};
}

} // namespace fivefold::views::five
