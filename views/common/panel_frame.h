// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "views/common/panel.h"

#include <QHBoxLayout>
#include <QVector>

#include <functional>

class QLabel;
class QStackedLayout;

namespace fivefold::views::common {

constexpr int kHeaderHeight = 32;
constexpr int kSentenceLine = 16;
constexpr int kSentenceHeight = 20; ///< one line; 36 for two
constexpr int kLegendHeight = 24;
constexpr int kPanelPadding = 8;
/// Lower panels leave the header to the menus, or show a compact one.
constexpr int kHeaderFromHeight = 304;
constexpr int kCompactHeaderHeight = 28;
/// Smaller panels show the sentence alone.
constexpr QSize kSmallestPanel(280, 136);

struct LegendEntry {
    QString label;
    std::function<void(QPainter&, const QRectF&)> mark; ///< paints a mark into a square of 12
};
using Legend = QVector<LegendEntry>;

LegendEntry boundEntry(lowering::Bound bound);
LegendEntry classEntry(ir::OpClass opClass);

/// One row of marks with words and a footnote at the right. Entries that do not fit are left out
/// from the end, the footnote first.
void paintLegend(
    QPainter& painter, const QRectF& row, const Legend& legend, const QString& footnote);

/// The panel's sentence: one or two lines, elided at the end, whole in the tool tip.
class SentenceLabel final : public QWidget {
    Q_OBJECT

public:
    explicit SentenceLabel(QWidget* parent);
    void setText(const QString& text, bool isError = false);
    QString text() const { return m_text; }
    /// The lines as they are painted at this width.
    QStringList lines(int width) const;
    void setMaximumLines(int lines);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void updateHeight();

    QString m_text;
    bool m_isError = false;
    int m_maximumLines = 2;
};

class LegendRow final : public QWidget {
    Q_OBJECT

public:
    explicit LegendRow(QWidget* parent);
    void setLegend(Legend legend, const QString& footnote);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Legend m_legend;
    QString m_footnote;
};

/// Lays a panel out: header (32), sentence (20 or 36), canvas, legend (24), and its empty and error
/// states. Create it in the panel's constructor, add controls to header(), then set the canvas.
class PanelFrame final : public QObject {
    Q_OBJECT

public:
    explicit PanelFrame(Panel& panel);

    QHBoxLayout* header() const { return m_headerLayout; }
    SentenceLabel* sentenceLabel() const { return m_sentence; }
    /// From this height to kHeaderFromHeight the header is kept, 28 high, over one line of the
    /// sentence. The panel chooses what it holds then.
    void keepHeaderFrom(int height);
    /// Whether a panel of this height has a compact header.
    bool isCompact() const;
    void setCanvas(QWidget* canvas);
    void setLegend(Legend legend, const QString& footnote = {});
    /// Shows this text instead of the canvas, with an optional link that leads out.
    void showEmpty(
        const QString& sentence, const QString& link = {}, std::function<void()> action = {});
    void showCanvas();
    bool isEmpty() const;
    /// The old picture stays; the sentence says what is wrong. An empty text ends the state.
    void setError(const QString& error);

    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void updateVisibility();
    void updateSentence(const QString& sentence);

    Panel& m_panel;
    int m_compactFrom = kHeaderFromHeight;
    QWidget* m_header = nullptr;
    QHBoxLayout* m_headerLayout = nullptr;
    SentenceLabel* m_sentence = nullptr;
    QWidget* m_body = nullptr;
    QStackedLayout* m_stack = nullptr;
    QLabel* m_empty = nullptr;
    LegendRow* m_legend = nullptr;
    QWidget* m_canvas = nullptr;
    std::function<void()> m_action;
    QString m_error;
    bool m_hasLegend = false;
};

} // namespace fivefold::views::common
