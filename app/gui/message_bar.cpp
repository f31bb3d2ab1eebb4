// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "app/gui/message_bar.h"

#include "app/gui/job_runner.h"
#include "views/common/palette.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>

namespace fivefold::app {

using views::common::Palette;

namespace {

constexpr int kDelayMs = 200;

} // namespace

MessageBar::MessageBar(JobRunner& jobs, QWidget* parent)
    : QFrame(parent)
    , m_glyph(new QLabel(QStringLiteral("⚠"), this))
    , m_label(new QLabel(this))
    , m_bar(new QProgressBar(this))
    , m_button(new QPushButton(this)) {
    setAutoFillBackground(true);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(8, 4, 8, 4);
    row->addWidget(m_glyph);
    row->addWidget(m_label, 1);
    row->addWidget(m_bar);
    row->addWidget(m_button);
    m_label->setWordWrap(true);
    m_label->setTextFormat(Qt::PlainText);
    m_label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_bar->setFixedWidth(200);
    m_bar->setTextVisible(false);
    m_bar->setMaximumHeight(8);

    m_delay.setSingleShot(true);
    m_delay.setInterval(kDelayMs);
    connect(&m_delay, &QTimer::timeout, this, [this] {
        m_isMessage = false;
        showProgress(tr("working"), -1);
    });
    connect(m_button, &QPushButton::clicked, this, [this] {
        if (!m_isMessage && m_jobs)
            m_jobs->cancel();
        m_isMessage = false;
        setShown(false);
    });
    watch(jobs);
}

void MessageBar::watch(JobRunner& jobs) {
    connect(&jobs, &JobRunner::started, this, [this, &jobs] {
        m_jobs = &jobs;
        m_delay.start();
    });
    connect(
        &jobs, &JobRunner::progressed, this, [this, &jobs](const QString& stage, double fraction) {
            if (m_jobs == &jobs && m_isShown && !m_isMessage)
                showProgress(stage, fraction);
        });
    connect(&jobs, &JobRunner::finished, this, [this, &jobs] {
        if (m_jobs != &jobs)
            return;
        m_jobs = nullptr;
        m_delay.stop();
        if (!m_isMessage)
            setShown(false);
    });
}

void MessageBar::setShown(bool isShown) {
    m_isShown = isShown;
    emit shownChanged(isShown);
}

QString MessageBar::text() const {
    return m_isShown ? m_label->text() : QString();
}

void MessageBar::showProgress(const QString& stage, double fraction) {
    m_glyph->hide();
    m_bar->show();
    m_label->setForegroundRole(QPalette::WindowText);
    m_label->setText(stage);
    m_bar->setRange(0, fraction < 0 ? 0 : 1000);
    if (fraction >= 0)
        m_bar->setValue(static_cast<int>(fraction * 1000));
    m_button->setText(tr("Cancel"));
    setShown(true);
}

void MessageBar::showError(const QString& sentence) {
    m_isMessage = true;
    m_glyph->show();
    m_bar->hide();
    QPalette colors = palette();
    colors.setColor(QPalette::WindowText, Palette::current().role("error"));
    m_label->setPalette(colors);
    m_glyph->setPalette(colors);
    m_label->setText(sentence);
    m_button->setText(tr("Close"));
    setAccessibleName(sentence);
    setShown(true);
}

void MessageBar::showNotice(const QString& sentence) {
    showError(sentence);
    m_glyph->hide();
    m_label->setPalette(palette());
}

} // namespace fivefold::app
