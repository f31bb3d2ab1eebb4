// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/divergence/banner_panel.h"
#include "views/divergence/elements_panel.h"
#include "views/divergence/ladder_panel.h"
#include "views/divergence/layers_panel.h"

class QStackedWidget;
class QTabBar;
class QSplitter;

namespace fivefold::views::divergence {

/// Where does the run go wrong first, and which level of the stack is to blame? Banner, layers,
/// ladder, elements and the chosen element in one dock; each is a panel of its own, too. Where
/// there is little room one part shows at a time, by tabs.
class DivergencePanel final : public common::Panel {
    Q_OBJECT

public:
    explicit DivergencePanel(common::ViewState& state, QWidget* parent = nullptr);

    QString id() const override { return QStringLiteral("divergence"); }
    QString title() const override { return tr("Divergence"); }
    QString sentence() const override { return m_banner->sentence(); }
    void paintContent(QPainter& painter, const QSize& size) override;
    QString toCsv() const override { return m_layers->toCsv(); }
    QList<QAction*> panelActions() const override { return m_actions; }
    std::vector<common::TwinRow> twinRows() const override { return m_layers->twinRows(); }

    enum class Part { Layers, Ladder, Elements, Element };
    QSize minimumSizeHint() const override { return {280, 160}; }
    void showPart(Part part); ///< brings its tab to the front and the focus into it
    bool isTabbed() const { return m_isTabbed; }
    BannerPanel& banner() const { return *m_banner; }
    LayersPanel& layers() const { return *m_layers; }
    LadderPanel& ladder() const { return *m_ladder; }
    ElementsPanel& elements() const { return *m_elements; }
    ElementPanel& element() const { return *m_element; }

signals:
    // The same as those of Focus::of(state), whichever part they come from: connect one or the
    // other.
    void openDumpRequested();
    void compareComputedRequested();
    void faultLabRequested();
    void evidenceRequested(std::size_t origin);
    void reduceRequested(std::size_t origin);
    void captureScriptRequested();
    void plantRequested(fivefold::numerics::FaultId fault);
    void matchingRequested();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* titled(common::Panel* part);
    void relay();
    void arrange();
    void updateEmpty();
    QList<QWidget*> boxes() const { return m_boxes; }

    Focus& m_focus;
    BannerPanel* m_banner = nullptr;
    LayersPanel* m_layers = nullptr;
    LadderPanel* m_ladder = nullptr;
    ElementsPanel* m_elements = nullptr;
    ElementPanel* m_element = nullptr;
    EmptyLabel* m_empty = nullptr;
    QTabBar* m_tabs = nullptr;
    QStackedWidget* m_stack = nullptr; ///< of the parts, where they are tabs
    QSplitter *m_rows = nullptr, *m_upper = nullptr, *m_lower = nullptr;
    QList<QWidget*> m_boxes; ///< a part each, with its title
    QList<QWidget*> m_titles;
    bool m_isTabbed = false, m_isArranged = false;
    QList<QAction*> m_actions;
};

/// The parts as panels of their own, in the order of the Debug layout: verdict, layers, ladder,
/// elements, element.
std::vector<common::Panel*> createParts(common::ViewState& state, QWidget* parent);

} // namespace fivefold::views::divergence
