// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/divergence/ladder_panel.h"

#include "core/compare/evidence.h"
#include "views/common/palette.h"
#include "views/divergence/words.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QTextBrowser>
#include <QToolButton>

namespace fivefold::views::divergence {

using namespace common;

namespace {

QString q(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QString paragraph(const QString& title, std::string_view text) {
    return QStringLiteral("<p><b>%1</b><br>%2</p>")
        .arg(title.toHtmlEscaped(),
            text.empty() ? LadderPanel::tr("not written down") : q(text).toHtmlEscaped());
}

} // namespace

LadderPanel::LadderPanel(ViewState& state, QWidget* parent, Place place)
    : Panel(state, parent)
    , m_focus(Focus::of(state)) {
    m_frame = new PanelFrame(*this);
    m_pages = new QStackedWidget(this);
    m_canvas = new LadderCanvas(m_focus, m_pages);
    m_waits = new WaitsCanvas(m_focus, m_pages);
    m_ladderScroll = scrolled(m_canvas);
    m_waitsScroll = scrolled(m_waits);
    m_pages->addWidget(m_ladderScroll);
    m_pages->addWidget(m_waitsScroll);
    m_pages->addWidget(createLevelPage());
    createSwitch();
    auto* body = new QWidget(this);
    auto* layout = new QVBoxLayout(body);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_switch);
    layout->addWidget(m_pages, 1);
    body->setFocusProxy(m_canvas);
    m_frame->setCanvas(body);
    m_actions = makeActions(m_focus, *this, place);
    connect(m_canvas, &LadderCanvas::levelChosen, this, &LadderPanel::showLevel);
    connect(&m_focus, &Focus::changed, this, &LadderPanel::updateAll);
    connect(&m_focus, &Focus::divergenceChanged, this, &LadderPanel::showFirstPage);
    connect(&state, &ViewState::resultChanged, this, &LadderPanel::updateAll);
    connect(&state, &ViewState::selectionChanged, m_waits, qOverload<>(&QWidget::update));
    for (Canvas* canvas : {static_cast<Canvas*>(m_canvas), static_cast<Canvas*>(m_waits)})
        connect(&state, &ViewState::staleChanged, canvas, &Canvas::setStale);
    updateAll();
    showFirstPage();
}

void LadderPanel::showFirstPage() {
    const compare::LevelVerdict* verdict = m_focus.verdict();
    showPage(verdict && verdict->deadlock ? Page::Waits : Page::Ladder);
}

QScrollArea* LadderPanel::scrolled(QWidget* canvas) {
    auto* scroll = new QScrollArea(m_pages);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(canvas);
    scroll->viewport()->installEventFilter(this);
    return scroll;
}

void LadderPanel::createSwitch() {
    m_switch = new QWidget(this);
    auto* layout = new QHBoxLayout(m_switch);
    layout->setContentsMargins(kPanelPadding, 2, kPanelPadding, 2);
    layout->setSpacing(0);
    const auto add = [&](const QString& text, Page page) {
        auto* button = new QToolButton(m_switch);
        button->setText(text);
        button->setCheckable(true);
        button->setAutoExclusive(true);
        button->setFocusPolicy(Qt::TabFocus);
        button->setMinimumHeight(24);
        layout->addWidget(button);
        connect(button, &QToolButton::clicked, this, [this, page] { showPage(page); });
        return button;
    };
    m_toLadder = add(tr("Ladder"), Page::Ladder);
    m_toWaits = add(tr("Waits and transfers"), Page::Waits);
    layout->addStretch(1);
}

QWidget* LadderPanel::createLevelPage() {
    auto* page = new QWidget(m_pages);
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(kPanelPadding, 4, kPanelPadding, kPanelPadding);
    m_text = new QTextBrowser(page);
    m_text->setFrameShape(QFrame::NoFrame);
    m_text->setOpenLinks(false);
    m_back = new QPushButton(tr("◂ Ladder"), page);
    m_plant = new QPushButton(page);
    auto* row = new QHBoxLayout;
    row->addWidget(m_back);
    row->addWidget(m_plant);
    row->addStretch(1);
    layout->addWidget(m_text, 1);
    layout->addLayout(row);
    connect(m_back, &QPushButton::clicked, this, [this] { showPage(Page::Ladder); });
    connect(m_plant, &QPushButton::clicked, this,
        [this] { emit m_focus.plantRequested(compare::levelPage(m_level).lesson); });
    return page;
}

void LadderPanel::showPage(Page page) {
    m_page = page;
    m_pages->setCurrentIndex(static_cast<int>(page));
    m_toLadder->setChecked(page == Page::Ladder);
    m_toWaits->setChecked(page == Page::Waits);
    refreshSentence();
    m_canvas->setSentence(sentence());
    m_waits->setSentence(sentence());
    emit twinChanged();
}

void LadderPanel::showLevel(numerics::Level level) {
    m_level = level;
    updateLevelText();
    showPage(Page::Level);
    m_back->setFocus();
}

void LadderPanel::updateLevelText() {
    const compare::LevelPage& page = compare::levelPage(m_level);
    QString html = QStringLiteral("<h3>%1</h3>")
                       .arg(tr("Level %1 of 8: %2")
                                .arg(static_cast<int>(m_level))
                                .arg(page.title.empty() ? levelName(m_level) : q(page.title))
                                .toHtmlEscaped());
    const compare::LevelVerdict* verdict = m_focus.verdict();
    if (verdict) {
        const auto& reason = verdict->reasons[static_cast<std::size_t>(m_level) - 1];
        if (!reason.sentence.empty())
            html += paragraph(tr("Here"), reason.sentence);
    }
    html += paragraph(tr("Symptom"), page.symptom)
        + paragraph(tr("First artefact to look at"), page.artefact)
        + paragraph(tr("What clears it"), page.exonerates);
    if (!page.publicBugs.empty()) {
        html += QStringLiteral("<p><b>%1</b></p><ul>").arg(tr("Public bugs"));
        for (const std::string_view bug : page.publicBugs)
            html += QStringLiteral("<li>%1</li>").arg(q(bug).toHtmlEscaped());
        html += QStringLiteral("</ul>");
    }
    html += QStringLiteral("<p><i>%1</i></p>")
                .arg(tr("Eight levels, reconstructed from public descriptions."));
    m_text->setHtml(html);
    const bool hasLesson = numerics::number(page.lesson) > 0;
    m_plant->setVisible(hasLesson);
    if (hasLesson)
        m_plant->setText(
            tr("Plant %1 and see it").arg(QString::fromStdString(numerics::toString(page.lesson))));
}

void LadderPanel::updateAll() {
    m_canvas->refresh();
    m_waits->refresh();
    const bool isWaiting = hasWaits(m_focus.verdict());
    m_switch->setVisible(isWaiting);
    if (!isWaiting && m_page == Page::Waits)
        showPage(Page::Ladder);
    if (m_page == Page::Level)
        updateLevelText();
    if (m_focus.divergence())
        m_frame->showCanvas();
    else
        m_frame->showEmpty(
            sentence(), tr("Fault lab…"), [this] { emit m_focus.faultLabRequested(); });
    showPage(m_page);
}

QString LadderPanel::sentence() const {
    const auto& divergence = m_focus.divergence();
    if (!divergence)
        return tr("No device dump yet, so no level of the stack to look for.");
    if (m_page == Page::Waits && hasWaits(m_focus.verdict()))
        return waitsSentence(*m_focus.verdict());
    if (m_page == Page::Level)
        return tr("Level %1 of 8, %2: what it looks like, and how it is told from its neighbours.")
            .arg(static_cast<int>(m_level))
            .arg(levelName(m_level));
    return ladderSentence(*divergence, m_focus.origin());
}

bool LadderPanel::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize) {
        if (watched == m_ladderScroll->viewport())
            m_canvas->setRoom(m_ladderScroll->viewport()->size());
        else if (watched == m_waitsScroll->viewport())
            m_waits->setRoom(m_waitsScroll->viewport()->size());
    }
    return Panel::eventFilter(watched, event);
}

void LadderPanel::paintContent(QPainter& painter, const QSize& size) {
    painter.fillRect(QRect(QPoint(0, 0), size), Palette::current().role("canvas"));
    if (!m_focus.divergence()) {
        painter.setPen(Palette::current().role("textSecondary"));
        painter.drawText(QRect(QPoint(0, 0), size), Qt::AlignCenter, sentence());
        return;
    }
    if (m_page == Page::Waits)
        m_waits->paintInto(painter, size);
    else
        m_canvas->paintInto(painter, size);
}

std::vector<TwinRow> LadderPanel::twinRows() const {
    std::vector<TwinRow> rows;
    if (!m_focus.divergence())
        return rows;
    if (m_page == Page::Waits) {
        for (const WaitsPicture::Edge& edge : m_waits->picture().edges)
            rows.push_back({tr("%1 waits %2, held by %3")
                                .arg(m_waits->picture().nodes[edge.from].name, edge.label,
                                    m_waits->picture().nodes[edge.to].name),
                {}});
        for (const WaitsPicture::Bar& bar : m_waits->picture().bars)
            rows.push_back({QStringLiteral("%1: %2").arg(bar.name, bar.words), {}});
        return rows;
    }
    for (const LadderPicture::Lamp& lamp : m_canvas->picture().lamps)
        rows.push_back(
            {tr("rung %1: %2")
                    .arg(rungName(lamp.rung), lamp.words.isEmpty() ? tr("not given") : lamp.words),
                {}});
    for (const LadderPicture::Row& row : m_canvas->picture().rows)
        rows.push_back({tr("level %1, %2: %3")
                            .arg(static_cast<int>(row.level))
                            .arg(levelName(row.level),
                                row.sentence.isEmpty() ? tr("not looked at") : row.sentence),
            {}});
    return rows;
}

} // namespace fivefold::views::divergence
