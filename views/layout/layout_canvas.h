// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/common/canvas.h"
#include "views/common/lens.h"
#include "views/layout/layout_geometry.h"

namespace fivefold::views::layout {

/// Units, blocks and lanes of one tensor. Click picks a place, arrows walk lanes and rows, Page
/// blocks, Ctrl+Page units; the wheel zooms the cells. The picked element is part of the linked
/// selection.
class LayoutCanvas final : public common::Canvas {
    Q_OBJECT

public:
    LayoutCanvas(common::ViewState& state, QWidget* parent);

    const Picture& picture() const { return m_picture; }
    const View& view() const { return m_view; }
    const Geometry& geometry() const { return m_geometry; }
    /// The tensor of the selection, as the stage leaves it.
    void updatePicture();
    void updateHover();

    /// Picks a place (clamped to the tensor) and tells the linked state.
    void setPlace(Place place);
    void setLogical(bool isLogical);
    void setHex(bool isHex);
    void setValues(bool hasValues);
    /// Lays the tensor out as if one dimension had another size, until another tensor is shown.
    void setWhatIf(const std::optional<WhatIf>& whatIf);
    const common::LensColours& lens() const { return m_lens; }
    void updateLens();
    void setZoom(double zoom);
    void paintContent(QPainter& painter, const QSize& size);

signals:
    void placeChanged();
    void viewChanged();

protected:
    void paintCanvas(QPainter& painter, const QRect& dirty) override;
    void clicked(const QPoint& position, Qt::KeyboardModifiers modifiers) override;
    void zoomed(const QPoint& position, double factor, Qt::KeyboardModifiers modifiers) override;
    void hovered(const QPoint* position) override;
    common::CardContent cardAt(const QPoint& position, QRect& mark) const override;
    void fillContextMenu(QMenu& menu, const QPoint& position) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void rearrange();
    void walk(int key, bool isUnit);
    common::Selection selectionAt(const Place& place) const;

    common::ViewState& m_state;
    Picture m_picture;
    std::optional<WhatIf> m_whatIf;
    common::LensColours m_lens;
    std::shared_ptr<const analysis::Result> m_lensResult;
    View m_view;
    Geometry m_geometry;
    std::optional<Place> m_hovered;
    std::vector<std::int64_t> m_modelShape; ///< that the what-if was made for
    bool m_isSetting = false; ///< our own change of the selection comes back
};

} // namespace fivefold::views::layout
