// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/common/panel.h"

#include <array>

class QCheckBox;
class QComboBox;
class QToolButton;

namespace fivefold::views::common {
class PanelFrame;
}

namespace fivefold::views::layout {

class AddressBar;
class CurvePane;
class LayoutCanvas;
class SceneCanvas;
class ShapeField;

/// Where does each element of a tensor lie, and where does each tensor? Units, blocks and lanes of
/// the machine's memory, padding included; the padding that other sizes would cost on all five
/// machines; the memory over time; and the machine's own view: a wafer's floor plan, a chip's
/// slices, a GPU's waves.
class LayoutPanel final : public common::Panel {
    Q_OBJECT

public:
    enum class Mode { Lanes, Padding, Memory, Machine };

    LayoutPanel(common::ViewState& state, QWidget* parent);

    QString id() const override { return QStringLiteral("layout"); }
    QString title() const override { return tr("Layout"); }
    QString sentence() const override;
    void paintContent(QPainter& painter, const QSize& size) override;
    QList<QAction*> panelActions() const override { return m_actions; }
    void zoomToFit() override;
    std::vector<common::TwinRow> twinRows() const override;

    Mode mode() const { return m_mode; }
    /// Machine falls back to Lanes where the family has no view of its own.
    void setMode(Mode mode);
    /// "Floor plan", "Slices", "Waves"; empty where the family has none.
    static QString machineViewName(const std::string& family);

    LayoutCanvas* canvas() const { return m_canvas; }
    AddressBar* addressBar() const { return m_bar; }
    CurvePane* curves() const { return m_curves; }
    SceneCanvas* memoryMap() const { return m_map; }
    SceneCanvas* machineView() const { return m_machine; }
    ShapeField* shapeField() const { return m_shape; }
    QComboBox* tensorBox() const { return m_tensors; }
    QComboBox* modeBox() const { return m_modeBox; }
    /// The dimension that the curves vary.
    int dimension() const { return m_dimension; }
    void goToElement();

signals:
    /// Binds one of the model's free symbols, as the what-if bar does.
    void bindRequested(const QString& symbol, qlonglong size);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void createTensorControls();
    void createModeControls();
    void createLaneControls();
    void createMapControls();
    void createActions();
    QAction* addAction(const QString& text, const QKeySequence& key, std::function<void()> slot);
    QAction* addToggle(const QString& text, const QKeySequence& key, bool isOn, QCheckBox* box,
        std::function<void(bool)> slot);
    void connectState();

    void updateAll();
    void updatePlace();
    void updateMode();
    void updateCurves();
    void updateMapControls();
    void updateLegend();
    void updateBarVisibility();
    void fitControls();
    bool hasCurvesBelow() const;
    void bindSize(qlonglong size);
    void setDimension(int dimension);
    std::vector<common::TwinRow> laneRows() const;

    Mode m_mode = Mode::Lanes; ///< that is shown
    Mode m_wanted = Mode::Lanes; ///< that was chosen; comes back with its machine
    int m_dimension = -1; ///< −1: the last
    LayoutCanvas* m_canvas = nullptr;
    AddressBar* m_bar = nullptr;
    CurvePane* m_curves = nullptr;
    SceneCanvas* m_map = nullptr;
    SceneCanvas* m_machine = nullptr;
    QWidget* m_content = nullptr;
    common::PanelFrame* m_frame = nullptr;
    QComboBox* m_tensors = nullptr;
    ShapeField* m_shape = nullptr;
    std::array<QToolButton*, 4> m_modes{};
    QComboBox* m_modeBox = nullptr; ///< in place of the buttons where they do not fit
    std::array<QAction*, 4> m_modeActions{};
    QToolButton* m_logical = nullptr;
    QToolButton* m_device = nullptr;
    QCheckBox* m_hex = nullptr;
    QCheckBox* m_values = nullptr;
    QComboBox* m_level = nullptr;
    QComboBox* m_unit = nullptr;
    QToolButton* m_order = nullptr;
    bool m_isGoing = false; ///< the address bar is there for one entry
    QList<QAction*> m_actions;
};

} // namespace fivefold::views::layout
