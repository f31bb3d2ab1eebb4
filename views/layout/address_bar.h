// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/layout/layout_presenter.h"

#include <QVector>
#include <QWidget>

class QLabel;
class QLineEdit;
class QToolButton;

namespace fivefold::views::layout {

/// Linked fields that all say where one element lies; typing into one moves the others. Fields that
/// do not fit are left out from the end.
class AddressBar final : public QWidget {
    Q_OBJECT

public:
    enum class Field { Element, Index, Block, Row, Lane, Line, Address, Unit };

    explicit AddressBar(QWidget* parent);

    void show(const Picture& picture, const Place& place, bool isHex);
    QLineEdit* field(Field field) const;
    /// The place that the text of a field means; nullopt when it is none.
    static std::optional<Place> parse(
        const Picture& picture, const Place& now, Field field, const QString& text);

signals:
    void placeEntered(const Place& place);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Entry {
        Field field;
        QLabel* label;
        QLineEdit* edit;
    };
    void enter(const Entry& entry);
    void fill();
    void fitFields();

    QVector<Entry> m_entries;
    QToolButton* m_copy = nullptr;
    Picture m_picture;
    Place m_place;
    bool m_isHex = true;
    bool m_hasEntered =
        false; ///< Return was pressed: the end of editing that follows keeps the text
};

} // namespace fivefold::views::layout
