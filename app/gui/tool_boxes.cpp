// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "app/gui/tool_boxes.h"

#include "app/gui/session.h"
#include "app/gui/stage_bar.h"
#include "core/analysis/precisions.h"
#include "views/common/lens.h"

#include <QComboBox>
#include <QCoreApplication>

namespace fivefold::app {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("fivefold::app::MainWindow", text);
}

QComboBox* named(QWidget* parent, const QString& name, const QString& tip) {
    auto* box = new QComboBox(parent);
    box->setAccessibleName(name);
    box->setToolTip(tip);
    return box;
}

void fillPrecisions(QComboBox& box, const Session& session) {
    box.clear();
    for (machines::Precision precision : analysis::precisions(*session.choices().machine)) {
        const auto text = machines::toString(precision);
        box.addItem(QString::fromUtf8(text.data(), static_cast<int>(text.size())),
            static_cast<int>(precision));
        if (precision == session.precision())
            box.setCurrentIndex(box.count() - 1);
    }
}

} // namespace

QComboBox* createPrecisionBox(Session& session, QWidget* parent) {
    QComboBox* box = named(parent, tr("Precision"), tr("Precision of the arithmetic"));
    fillPrecisions(*box, session);
    QObject::connect(&session, &Session::choicesChanged, box,
        [box, &session] { fillPrecisions(*box, session); });
    QObject::connect(box, &QComboBox::activated, &session, [box, &session](int row) {
        Choices choices = session.choices();
        choices.precision = static_cast<machines::Precision>(box->itemData(row).toInt());
        session.change(box->itemText(row), std::move(choices));
    });
    return box;
}

QComboBox* createLensBox(views::common::ViewState& state, QWidget* parent) {
    using views::common::Lens;
    QComboBox* box = named(
        parent, tr("Lens"), tr("What the colour of boxes, tensors and events means (L, Shift+L)"));
    for (int lens = 0; lens < views::common::kLenses; ++lens)
        box->addItem(views::common::lensName(static_cast<Lens>(lens)));
    QObject::connect(box, &QComboBox::activated, &state,
        [&state](int row) { state.setLens(static_cast<Lens>(row)); });
    QObject::connect(&state, &views::common::ViewState::lensChanged, box,
        [box, &state] { box->setCurrentIndex(static_cast<int>(state.lens())); });
    return box;
}

QComboBox* createOrderBox(StageBar& stages, QWidget* parent) {
    QComboBox* box = named(parent, tr("Order of the stages"),
        tr("Our six stages in the order in which they teach, or in the order and words of the "
           "machine's own compiler"));
    box->addItems({tr("Teaching order"), tr("Compiler's order")});
    QObject::connect(box, &QComboBox::activated, &stages,
        [&stages](int row) { stages.setOrder(static_cast<StageBar::Order>(row)); });
    return box;
}

} // namespace fivefold::app
