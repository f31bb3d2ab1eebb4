// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/divergence/parts.h"

#include "views/common/palette.h"

#include <QAction>
#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>

namespace fivefold::views::divergence {

namespace {

struct ActionSpec {
    const char* text;
    QKeySequence key;
    std::function<void(Focus&)> act;
    std::function<bool(const Focus&)> isPossible;
};

bool hasOrigin(const Focus& focus) {
    return focus.origin().has_value();
}

bool hasSuspects(const Focus& focus) {
    const auto& divergence = focus.divergence();
    return divergence && divergence->capture && !divergence->capture->interval.empty();
}

bool hasDivergence(const Focus& focus) {
    return focus.divergence() != nullptr;
}

bool isAlways(const Focus&) {
    return true;
}

QList<ActionSpec> specs() {
    return {
        {QT_TRANSLATE_NOOP("divergence", "Next origin"), QKeySequence(Qt::Key_N),
            [](Focus& f) { f.goToNext(); }, hasOrigin},
        {QT_TRANSLATE_NOOP("divergence", "Worst layer"), QKeySequence(Qt::SHIFT | Qt::Key_N),
            [](Focus& f) { f.goToWorst(); },
            [](const Focus& f) { return f.divergence() && f.divergence()->worst; }},
        {QT_TRANSLATE_NOOP("divergence", "Suspect interval"), QKeySequence(Qt::Key_B),
            [](Focus& f) { f.goToSuspects(); }, hasSuspects},
        {QT_TRANSLATE_NOOP("divergence", "Evidence card…"), {},
            [](Focus& f) { emit f.evidenceRequested(f.origin().value_or(0)); }, hasOrigin},
        {QT_TRANSLATE_NOOP("divergence", "Reduce…"), {},
            [](Focus& f) { emit f.reduceRequested(f.origin().value_or(0)); }, hasOrigin},
        {QT_TRANSLATE_NOOP("divergence", "Matches of names…"), {},
            [](Focus& f) { emit f.matchingRequested(); }, hasDivergence},
        {QT_TRANSLATE_NOOP("divergence", "Capture script…"), {},
            [](Focus& f) { emit f.captureScriptRequested(); },
            [](const Focus& f) { return f.divergence() && f.divergence()->capture; }},
        {QT_TRANSLATE_NOOP("divergence", "Open dump…"), {},
            [](Focus& f) { emit f.openDumpRequested(); }, isAlways},
        {QT_TRANSLATE_NOOP("divergence", "Compare with computed here…"), {},
            [](Focus& f) { emit f.compareComputedRequested(); }, isAlways},
        {QT_TRANSLATE_NOOP("divergence", "Fault lab…"), {},
            [](Focus& f) { emit f.faultLabRequested(); }, isAlways},
    };
}

} // namespace

QList<QAction*> makeActions(Focus& focus, QWidget& panel, Place place) {
    QList<QAction*> actions;
    for (const ActionSpec& spec : specs()) {
        auto* action = new QAction(QCoreApplication::translate("divergence", spec.text), &panel);
        if (place == Place::Dock && !spec.key.isEmpty()) {
            action->setShortcut(spec.key);
            action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        }
        panel.addAction(action);
        QObject::connect(
            action, &QAction::triggered, &focus, [&focus, act = spec.act] { act(focus); });
        const auto refresh = [action, &focus, isPossible = spec.isPossible] {
            action->setEnabled(isPossible(focus));
        };
        QObject::connect(&focus, &Focus::changed, action, refresh);
        refresh();
        actions << action;
    }
    return actions;
}

EmptyLabel::EmptyLabel(Focus& focus, QWidget* parent)
    : QLabel(parent) {
    setAlignment(Qt::AlignCenter);
    setWordWrap(true);
    setMargin(16);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    const auto link = [](const char* target, const QString& text) {
        return QStringLiteral("<a href=\"%1\">%2</a>")
            .arg(QLatin1String(target), text.toHtmlEscaped());
    };
    setText(sentence() + u' ' + link("dump", tr("Open dump…")) + QStringLiteral(" / ")
        + link("computed", tr("Compare with computed here…")) + QStringLiteral(" / ")
        + link("lab", tr("Fault lab…")));
    setAccessibleName(sentence());
    connect(this, &QLabel::linkActivated, &focus, [&focus](const QString& target) {
        if (target == QLatin1String("dump"))
            emit focus.openDumpRequested();
        else if (target == QLatin1String("computed"))
            emit focus.compareComputedRequested();
        else
            emit focus.faultLabRequested();
    });
}

QString EmptyLabel::sentence() {
    return tr("No device dump yet.");
}

compare::Verdict markOf(std::optional<bool> holds) {
    return !holds ? compare::Verdict::Unmatched
        : *holds  ? compare::Verdict::Clean
                  : compare::Verdict::Origin;
}

void drawElided(QPainter& painter, const QRectF& rect, const QString& text, Qt::Alignment alignment,
    Qt::TextElideMode mode) {
    if (rect.width() <= 4)
        return;
    painter.drawText(rect, alignment | Qt::AlignVCenter | Qt::TextSingleLine,
        QFontMetricsF(painter.font()).elidedText(text, mode, rect.width()));
}

} // namespace fivefold::views::divergence
