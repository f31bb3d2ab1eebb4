// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/layout/address_bar.h"

#include "core/layout/arithmetic.h"
#include "views/common/format.h"
#include "views/common/palette.h"
#include "views/common/type.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>

namespace fivefold::views::layout {

using namespace common;

namespace {

constexpr int kSpacing = 6;

/// Digits that the widest text of a field takes.
int fieldCharacters(AddressBar::Field field) {
    switch (field) {
    case AddressBar::Field::Index:
        return 13;
    case AddressBar::Field::Address:
        return 11;
    case AddressBar::Field::Element:
        return 8;
    default:
        return 5;
    }
}

std::optional<std::int64_t> number(QString text) {
    text.remove(u',').remove(QChar(0x2009)).remove(u' ');
    bool isNumber = false;
    const qlonglong value = text.startsWith(QStringLiteral("0x"), Qt::CaseInsensitive)
        ? text.mid(2).toLongLong(&isNumber, 16)
        : text.toLongLong(&isNumber);
    return isNumber && value >= 0 ? std::optional<std::int64_t>(value) : std::nullopt;
}

std::optional<Place> existing(const Picture& picture, const Place& place) {
    return picture.grid->contains(place) ? std::optional(place) : std::nullopt;
}

std::optional<Place> placeOfIndex(const Picture& picture, QString text) {
    text.remove(u'[').remove(u']');
    std::vector<std::int64_t> index;
    for (const QString& part : text.split(u',', Qt::SkipEmptyParts)) {
        bool isNumber = false;
        index.push_back(part.trimmed().toLongLong(&isNumber));
        if (!isNumber)
            return std::nullopt;
    }
    return picture.grid->placeAt(index);
}

} // namespace

AddressBar::AddressBar(QWidget* parent)
    : QWidget(parent) {
    setMinimumWidth(1); // fields that do not fit are left out
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(8, 4, 8, 4);
    layout->setSpacing(kSpacing);
    const std::pair<Field, QString> fields[] = {{Field::Element, tr("element")},
        {Field::Index, tr("index")}, {Field::Address, tr("address")}, {Field::Lane, tr("lane")},
        {Field::Row, tr("row")}, {Field::Block, tr("block")}, {Field::Line, tr("line")},
        {Field::Unit, tr("unit")}};
    for (const auto& [field, name] : fields) {
        auto* label = new QLabel(name, this);
        auto* edit = new QLineEdit(this);
        edit->setFont(monoFont());
        edit->setFixedWidth(textWidth(monoFont(), QString(fieldCharacters(field), u'0')) + 14);
        edit->setAccessibleName(name);
        label->setBuddy(edit);
        layout->addWidget(label);
        layout->addWidget(edit);
        const Entry entry{field, label, edit};
        m_entries << entry;
        connect(edit, &QLineEdit::returnPressed, this, [this, entry] { enter(entry); });
        connect(edit, &QLineEdit::editingFinished, this, [this, edit] {
            if (!m_hasEntered && !edit->hasFocus())
                fill(); // what was typed and not entered is dropped
            m_hasEntered = false;
        });
    }
    layout->addStretch(1);
    m_copy = new QToolButton(this);
    m_copy->setText(tr("Copy"));
    m_copy->setToolTip(tr("Copy index and address"));
    connect(m_copy, &QToolButton::clicked, this, [this] {
        if (!m_picture.isEmpty())
            QApplication::clipboard()->setText(
                indexText(m_picture, m_place) + u'\t' + addressText(m_picture, m_place, m_isHex));
    });
    layout->addWidget(m_copy);
}

QLineEdit* AddressBar::field(Field field) const {
    for (const Entry& entry : m_entries)
        if (entry.field == field)
            return entry.edit;
    return nullptr;
}

void AddressBar::show(const Picture& picture, const Place& place, bool isHex) {
    m_picture = picture;
    m_place = place;
    m_isHex = isHex;
    setEnabled(!picture.isEmpty());
    fill();
    fitFields();
}

void AddressBar::fill() {
    for (const Entry& entry : m_entries) {
        QString text;
        if (!m_picture.isEmpty()) {
            const auto index = m_picture.grid->indexAt(m_place);
            const std::int64_t bytes = m_picture.grid->bitAddress(m_place) / 8;
            switch (entry.field) {
            case Field::Element:
                text = index ? QString::number(
                           fivefold::layout::flatten(m_picture.grid->layout().shape, *index))
                             : tr("padding");
                break;
            case Field::Index:
                text = indexText(m_picture, m_place);
                break;
            case Field::Block:
                text = QString::number(m_place.block);
                break;
            case Field::Row:
                text = QString::number(m_place.row);
                break;
            case Field::Lane:
                text = QString::number(m_place.lane);
                break;
            case Field::Line:
                text = QString::number(lineNumber(*m_picture.grid, m_place));
                entry.label->setText(m_picture.words.line);
                break;
            case Field::Address:
                text = m_isHex ? formatAddress(bytes) : QString::number(bytes);
                break;
            case Field::Unit:
                text = QString::number(m_place.unit);
                entry.label->setText(m_picture.words.unit);
                break;
            }
        }
        entry.edit->setText(text);
        entry.edit->setCursorPosition(0);
        entry.edit->setToolTip(text);
        entry.edit->setStyleSheet({});
    }
}

std::optional<Place> AddressBar::parse(
    const Picture& picture, const Place& now, Field field, const QString& text) {
    if (picture.isEmpty())
        return std::nullopt;
    if (field == Field::Index)
        return placeOfIndex(picture, text);
    if (field == Field::Element) // "go to": a number, an index or an address
        return placeOfText(picture, now, text);
    const auto value = number(text);
    if (!value)
        return std::nullopt;
    Place place = now;
    const Grid& grid = *picture.grid;
    switch (field) {
    case Field::Block:
        place.block = *value;
        return existing(picture, place);
    case Field::Row:
        place.row = *value;
        return existing(picture, place);
    case Field::Lane:
        place.lane = *value;
        place.pack = 0;
        return existing(picture, place);
    case Field::Unit:
        return existing(picture, {*value, 0, 0, 0, 0});
    case Field::Line: {
        const std::int64_t lineBits = grid.lanes() * grid.packs() * grid.layout().elementBits;
        return grid.placeAtAddress(
            now.unit, fivefold::layout::saturatingMultiply(*value, lineBits) / 8);
    }
    default:
        return grid.placeAtAddress(now.unit, *value);
    }
}

void AddressBar::enter(const Entry& entry) {
    m_hasEntered = true;
    if (const auto place = parse(m_picture, m_place, entry.field, entry.edit->text())) {
        emit placeEntered(*place);
        return;
    }
    entry.edit->setStyleSheet(
        QStringLiteral("QLineEdit { color: %1; }").arg(Palette::current().role("error").name()));
    entry.edit->setToolTip(tr("This lies outside the tensor; Esc brings the old value back."));
}

void AddressBar::fitFields() {
    int room = width() - 16 - m_copy->sizeHint().width() - kSpacing;
    bool fits = true;
    for (const Entry& entry : m_entries) {
        const bool isMeant = (entry.field != Field::Unit && entry.field != Field::Line)
            || m_picture.isEmpty()
            || (entry.field == Field::Unit ? m_picture.grid->units() > 1 : true);
        room -= isMeant ? entry.label->sizeHint().width() + entry.edit->width() + 2 * kSpacing : 0;
        fits = fits && room >= 0;
        entry.label->setVisible(fits && isMeant);
        entry.edit->setVisible(fits && isMeant);
    }
}

void AddressBar::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fitFields();
}

} // namespace fivefold::views::layout
