// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/graph/graph_panel.h"

#include "views/common/icons.h"
#include "views/common/palette.h"
#include "views/common/sentences.h"
#include "views/graph/changes_popup.h"
#include "views/graph/firing_overlay.h"
#include "views/graph/labels.h"
#include "views/graph/sentence.h"

#include <QApplication>
#include <QComboBox>
#include <QDeadlineTimer>
#include <QPainter>
#include <QPointer>
#include <QThreadPool>
#include <QToolButton>

namespace fivefold::views::graph {

namespace {

/// Larger stages are presented in a worker thread; smaller ones take a few milliseconds.
constexpr std::size_t kPresentAtOnce = 1500;
/// Six stages in two directions or foldings.
constexpr std::size_t kKeptPictures = 12;

} // namespace

/// A picture without places.
struct GraphPanel::Presented {
    std::shared_ptr<const analysis::Result> result;
    std::shared_ptr<const ScopeTree> tree;
    std::shared_ptr<const Cards> cards;
    analysis::StageChanges changes;
    PresentOptions options;
    DisplayGraph graph;
    DrawingRequest request;
};

/// A finished picture: kept, so that going back to its stage takes no time.
struct GraphPanel::Shown {
    std::weak_ptr<const analysis::Result> result;
    PresentOptions options;
    double unit = 1; ///< of the metrics it was drawn with
    std::shared_ptr<const ScopeTree> tree;
    std::shared_ptr<const PlacedGraph> picture;
    analysis::StageChanges changes;
    QString problem;
};

GraphPanel::GraphPanel(common::ViewState& state, QWidget* parent)
    : Panel(state, parent)
    , m_frame(*this)
    , m_canvas(new GraphCanvas(this)) {
    m_canvas->setMotion(QGuiApplication::platformName() != QStringLiteral("offscreen"));
    makeActions();
    makeHeader();
    m_frame.setCanvas(m_canvas);
    connect(&state, &common::ViewState::resultChanged, this, &GraphPanel::resultChanged);
    connect(&state, &common::ViewState::stageChanged, this, &GraphPanel::rebuild);
    connect(&state, &common::ViewState::lensChanged, this, &GraphPanel::updateBands);
    connect(&state, &common::ViewState::hoverChanged, this, &GraphPanel::updateMarks);
    connect(&state, &common::ViewState::selectionChanged, this, [this] {
        endTrace();
        if (!m_isOwnSelection)
            showSelection();
        updateMarks();
        refreshSentence();
    });
    connect(&m_drawings, &DrawingService::finished, this, &GraphPanel::takeDrawing);
    connect(m_canvas, &GraphCanvas::hitClicked, this, &GraphPanel::hitClicked);
    connect(m_canvas, &GraphCanvas::hitDoubleClicked, this, &GraphPanel::hitDoubleClicked);
    connect(m_canvas, &GraphCanvas::neighbourWanted, this, &GraphPanel::moveSelection);
    connect(m_canvas, &GraphCanvas::expandWanted, this, &GraphPanel::expandSelected);
    connect(m_canvas, &GraphCanvas::collapseWanted, this, &GraphPanel::collapseSelected);
    connect(m_canvas, &GraphCanvas::escapePressed, this, [this] {
        if (m_traceDirection != 0)
            endTrace();
        else
            this->state().clearSelection();
    });
    connect(m_canvas, &GraphCanvas::boxHovered, this, [this](int box) {
        this->state().setHover(box < 0 ? common::Selection() : selectionOf({box}));
    });
    auto* firing = new FiringOverlay(state, *m_canvas);
    firing->shownResult = [this] { return shownResult(); };
    m_canvas->cardSource = [this](const Hit& hit) { return cardFor(hit); };
    m_canvas->menuSource = [this](QMenu& menu, const Hit& hit) { fillMenu(menu, hit); };
    resultChanged(true);
}

GraphPanel::~GraphPanel() {
    ++m_generation;
    m_drawings.cancel();
}

const DisplayGraph* GraphPanel::graph() const {
    return m_canvas->placed() ? &m_canvas->placed()->graph : nullptr;
}

std::shared_ptr<const analysis::Result> GraphPanel::shownResult() const {
    return m_placed ? m_placed->result.lock() : nullptr;
}

QString GraphPanel::sentence() const {
    return sentenceOf(state(), graph());
}

void GraphPanel::resultChanged(bool isOtherModel) {
    m_isAnew |= isOtherModel;
    if (isOtherModel)
        m_options.folding = {};
    rebuild();
}

void GraphPanel::setOptions(const PresentOptions& options) {
    if (options == m_options)
        return;
    m_options = options;
    for (const auto& [action, option] : m_optionActions) {
        const QSignalBlocker quiet(action);
        action->setChecked(m_options.*option);
    }
    rebuild();
    updateHeader();
}

/// Presents the stage anew: at once where it is small, else in a worker, whose answer is dropped
/// when another request came meanwhile.
void GraphPanel::rebuild() {
    ++m_generation;
    m_drawings.cancel();
    m_waiting.reset();
    m_isPresenting = false;
    endTrace();
    const auto result = state().result();
    const lowering::Stage stage = state().stage();
    const auto stageGraph =
        result ? result->program.stages[static_cast<std::size_t>(stage)] : nullptr;
    if (!stageGraph || stageGraph->nodes.empty()) {
        m_placed.reset();
        m_canvas->setPlaced(nullptr, GraphCanvas::Entry::Anew);
        m_isAnew = true;
        m_frame.showEmpty(sentence());
        m_frame.setLegend({});
        updateCombo();
        refreshSentence();
        return;
    }
    m_frame.showCanvas();
    if (const auto known = cached()) {
        showPicture(known);
        return;
    }
    const bool isSameTree = m_treeResult == result.get() && m_treeStage == stage && m_tree;
    const auto work = [result, stage, tree = isSameTree ? m_tree : nullptr, options = m_options,
                          cards = m_cardsOf.lock() == result ? m_cards : nullptr] {
        auto presented = std::make_shared<Presented>();
        presented->result = result;
        presented->options = options;
        presented->cards =
            cards ? cards : std::make_shared<const Cards>(analysis::groupCards(*result));
        presented->changes = analysis::stageChanges(*result, stage);
        presented->tree =
            tree ? tree : std::make_shared<const ScopeTree>(buildScopeTree(*result, stage));
        presented->graph = present(*result, stage, presented->tree, options);
        return presented;
    };
    if (stageGraph->nodes.size() <= kPresentAtOnce) {
        takePresented(work());
        return;
    }
    m_isPresenting = true;
    QThreadPool::globalInstance()->start(
        [work, self = QPointer<GraphPanel>(this), generation = m_generation] {
            const std::shared_ptr<const Presented> presented = work();
            QMetaObject::invokeMethod(
                QCoreApplication::instance(),
                [self, generation, presented] {
                    if (self && self->m_generation == generation)
                        self->takePresented(presented);
                },
                Qt::QueuedConnection);
        });
    refreshSentence();
}

void GraphPanel::takePresented(std::shared_ptr<const Presented> presented) {
    m_isPresenting = false;
    m_tree = presented->tree;
    m_treeResult = presented->result.get();
    m_treeStage = presented->graph.stage;
    m_cards = presented->cards;
    m_cardsOf = presented->result;
    auto measured = std::make_shared<Presented>(*presented);
    measured->request = toRequest(measured->graph, Metrics::current(), m_isLeftToRight);
    m_waiting = measured;
    // A known drawing is delivered before request() returns.
    m_drawings.request(std::make_shared<const drawing::Input>(measured->request.input));
}

void GraphPanel::takeDrawing(quint64, DrawingService::Drawing drawing, const QString& problem) {
    const auto presented = std::exchange(m_waiting, nullptr);
    if (!presented)
        return;
    if (!drawing) {
        m_problem = problem;
        m_frame.setError(problem);
        return;
    }
    auto placed = std::make_shared<PlacedGraph>();
    placed->graph = presented->graph;
    placed->geometry = toGeometry(placed->graph, presented->request, *drawing, Metrics::current());
    auto shown = std::make_shared<Shown>();
    shown->result = presented->result;
    shown->options = presented->options;
    shown->unit = Metrics::current().unit;
    shown->tree = presented->tree;
    shown->picture = std::move(placed);
    shown->changes = presented->changes;
    shown->problem = problem;
    std::erase_if(m_known, [](const auto& old) { return old->result.expired(); });
    m_known.push_front(shown);
    if (m_known.size() > kKeptPictures)
        m_known.pop_back();
    showPicture(std::move(shown));
}

/// The picture of what is wanted now, if it was drawn before.
std::shared_ptr<const GraphPanel::Shown> GraphPanel::cached() const {
    const auto result = state().result();
    for (const auto& known : m_known)
        if (known->result.lock() == result && known->picture->graph.stage == state().stage()
            && known->options == m_options && known->unit == Metrics::current().unit
            && known->picture->geometry.isLeftToRight == m_isLeftToRight)
            return known;
    return nullptr;
}

void GraphPanel::showPicture(std::shared_ptr<const Shown> shown) {
    m_placed = std::move(shown);
    m_problem = m_placed->problem;
    m_frame.setError(m_problem);
    m_tree = m_placed->tree;
    m_treeResult = state().result().get();
    m_treeStage = m_placed->picture->graph.stage;
    const bool isAnew = std::exchange(m_isAnew, false);
    m_canvas->setPlaced(
        m_placed->picture, isAnew ? GraphCanvas::Entry::Anew : GraphCanvas::Entry::Glide);
    updateBands();
    updateMarks();
    updateCombo();
    m_changesButton->setEnabled(!m_placed->changes.isEmpty());
    if (!state().selection().isEmpty())
        showSelection();
    refreshSentence();
    emit twinChanged();
}

bool GraphPanel::settle(int timeoutMs) {
    const QDeadlineTimer deadline(timeoutMs);
    while ((m_isPresenting || m_drawings.isBusy()) && !deadline.hasExpired())
        QCoreApplication::processEvents(QEventLoop::AllEvents | QEventLoop::WaitForMoreEvents, 10);
    m_canvas->finishMotion();
    return !m_isPresenting && !m_drawings.isBusy();
}

void GraphPanel::updateBands() {
    const DisplayGraph* shown = graph();
    const auto result = shownResult();
    if (!shown || !result)
        return;
    m_canvas->setBands(
        bandsOf(*shown, common::LensColours(result, state().lens(), state().divergence())),
        state().lens());
    m_frame.setLegend(legendOf(state().lens(), *shown), footnote());
}

/// What the stage added, counted, and the usual type of edges.
QString GraphPanel::footnote() const {
    const DisplayGraph* shown = graph();
    const auto result = shownResult();
    if (!shown || !result)
        return {};
    const QString usual =
        common::dtypeName(machines::storageType(result->request.settings.precision));
    const QString added = m_placed ? movementWords(m_placed->changes) : QString();
    return (added.isEmpty() ? QString() : added + QStringLiteral(" · "))
        + tr("%1 unless marked").arg(usual);
}

void GraphPanel::updateMarks() {
    const DisplayGraph* shown = graph();
    if (!shown)
        return;
    Marks marks;
    const auto mark = [&](const common::Selection& selection, std::vector<char>& flags) {
        flags.assign(shown->boxes.size(), 0);
        for (std::size_t i = selection.nodes.size(); i-- > 0;)
            for (const int box : shown->boxesOfCaptured(selection.nodes[i])) {
                char& flag = flags[static_cast<std::size_t>(box)];
                flag = static_cast<char>(i == 0 ? 2 : std::max<int>(flag, 1));
            }
        if (const auto added = shown->boxOfAdded.find(selection.added);
            added != shown->boxOfAdded.end())
            flags[static_cast<std::size_t>(added->second)] = 2;
        if (selection.nodes.empty() && selection.value.isValid())
            if (const auto pill = shown->boxOfValue.find(selection.value.value);
                pill != shown->boxOfValue.end() && pill->second >= 0)
                flags[static_cast<std::size_t>(pill->second)] = 2;
    };
    mark(state().selection(), marks.selected);
    mark(state().hover(), marks.hovered);
    marks.traced = m_traced;
    m_canvas->setMarks(std::move(marks));
}

void GraphPanel::showSelection() {
    const std::vector<int> boxes = selectedBoxes();
    if (boxes.empty())
        return;
    const int primary = primaryBox();
    m_canvas->showBoxes(primary >= 0 ? std::vector<int>{primary} : boxes);
}

std::vector<int> GraphPanel::selectedBoxes() const {
    std::vector<int> boxes;
    const DisplayGraph* shown = graph();
    if (!shown)
        return boxes;
    const common::Selection& selection = state().selection();
    const auto add = [&](int box) {
        if (box >= 0 && std::find(boxes.begin(), boxes.end(), box) == boxes.end())
            boxes.push_back(box);
    };
    for (const ir::NodeId node : selection.nodes)
        for (const int box : shown->boxesOfCaptured(node))
            add(box);
    if (const auto added = shown->boxOfAdded.find(selection.added);
        added != shown->boxOfAdded.end())
        add(added->second);
    if (selection.nodes.empty() && selection.value.isValid())
        if (const auto pill = shown->boxOfValue.find(selection.value.value);
            pill != shown->boxOfValue.end())
            add(pill->second);
    return boxes;
}

int GraphPanel::primaryBox() const {
    const std::vector<int> boxes = selectedBoxes();
    return boxes.empty() ? -1 : boxes.front();
}

void GraphPanel::zoomToSelection() {
    m_canvas->fitBoxes(selectedBoxes());
}

void GraphPanel::paintContent(QPainter& painter, const QSize& size) {
    painter.fillRect(QRect(QPoint(0, 0), size), common::Palette::current().role("canvas"));
    const QSize inside(size.width(), std::max(1, size.height() - common::kLegendHeight));
    m_canvas->paintInto(painter, inside);
    const DisplayGraph* shown = graph();
    if (!shown || !shownResult())
        return;
    common::paintLegend(painter, QRectF(0, inside.height(), size.width(), common::kLegendHeight),
        legendOf(state().lens(), *shown), footnote());
}

void GraphPanel::showChanges() {
    const auto result = shownResult();
    if (!result)
        return;
    auto* popup = new ChangesPopup(changeRows(*result, m_placed->changes), this);
    connect(popup, &ChangesPopup::chosen, this,
        [this](const common::Selection& selection) { state().setSelection(selection); });
    const QWidget* at = m_changesButton->isVisible() ? static_cast<QWidget*>(m_changesButton)
                                                     : static_cast<QWidget*>(m_canvas);
    popup->present(at->mapToGlobal(at == m_canvas ? QPoint(8, 8) : QPoint(0, at->height())));
}

void GraphPanel::toggleDirection() {
    m_isLeftToRight = !m_isLeftToRight;
    m_directionAction->setIcon(common::icon(
        m_isLeftToRight ? QStringLiteral("direction-right") : QStringLiteral("direction")));
    m_isAnew = true;
    rebuild();
}

void GraphPanel::changeEvent(QEvent* event) {
    Panel::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange)
        updateBands();
    else if (event->type() == QEvent::FontChange || event->type() == QEvent::ApplicationFontChange)
        rebuild();
}

void GraphPanel::resizeEvent(QResizeEvent* event) {
    Panel::resizeEvent(event);
    updateHeader();
}

} // namespace fivefold::views::graph
