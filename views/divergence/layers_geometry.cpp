// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "views/divergence/layers_geometry.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace fivefold::views::divergence {

namespace {

constexpr double kLeastShare = 0.04; ///< of an error that is not zero
constexpr double kLeastDecades = 3;
constexpr double kNumber = 40, kVerdict = 92, kMark = 24, kError = 64, kGap = 8;
constexpr double kLeastName = 110, kLeastBar = 60, kWidestBar = 220;

} // namespace

double LayersPicture::share(double error) const {
    if (error == 0)
        return 0;
    if (!std::isfinite(error))
        return 1;
    return std::clamp((std::log10(error) - low) / (high - low), kLeastShare, 1.0);
}

LayersPicture layersPicture(std::shared_ptr<const compare::Divergence> divergence) {
    LayersPicture picture;
    picture.divergence = std::move(divergence);
    if (!picture.divergence)
        return picture;
    double least = std::numeric_limits<double>::infinity(), most = 0;
    const auto take = [&](double error) {
        if (!std::isfinite(error) || error <= 0)
            return;
        least = std::min(least, error);
        most = std::max(most, error);
    };
    for (const compare::Layer& layer : picture.divergence->layers) {
        take(layer.global.maxAbs);
        if (layer.local)
            take(layer.local->maxAbs);
    }
    if (most > 0) {
        picture.high = std::log10(most);
        picture.low = std::min(std::log10(least) - 0.5, picture.high - kLeastDecades);
    }
    picture.isSuspect.assign(picture.rows(), 0);
    if (picture.divergence->capture)
        for (const std::size_t layer : picture.divergence->capture->interval)
            if (layer < picture.isSuspect.size())
                picture.isSuspect[layer] = 1;
    return picture;
}

LayerColumns layerColumns(double width) {
    LayerColumns columns;
    const double wrong = width >= 420 ? 88 : 76;
    columns.hasVerdictWord = width >= 400;
    const double verdict = columns.hasVerdictWord ? kVerdict : kMark;
    const bool hasWrong = width >= 300;
    double right = width - kGap;
    columns.error = QRectF(right - kError, 0, kError, 1);
    right -= kError + kGap;
    if (hasWrong) {
        columns.wrong = QRectF(right - wrong, 0, wrong, 1);
        right -= wrong + kGap;
    }
    double left = kGap;
    columns.number = QRectF(left, 0, kNumber - kGap, 1);
    left += kNumber;
    const double room = right - left - verdict - kGap;
    const double bar = std::clamp(room * (width < 700 ? 0.36 : 0.45), 0.0, kWidestBar);
    const bool hasBar = bar >= kLeastBar && room - bar >= kLeastName;
    const double name = room - (hasBar ? bar + kGap : 0);
    columns.name = QRectF(left, 0, std::max(0.0, name), 1);
    left += columns.name.width() + kGap;
    columns.verdict = QRectF(left, 0, verdict, 1);
    left += verdict + kGap;
    if (hasBar)
        columns.bar = QRectF(left, 0, bar - kGap, 1);
    return columns;
}

int rowAt(double y, int rowHeight, std::size_t rows) {
    if (y < 0 || rowHeight <= 0)
        return -1;
    const auto row = static_cast<std::size_t>(y / rowHeight);
    return row < rows ? static_cast<int>(row) : -1;
}

int beforeHeight(const compare::Divergence& divergence, int room) {
    if (divergence.before.empty())
        return 0;
    const int wanted = kBeforeTitle + kBeforeRow * static_cast<int>(divergence.before.size()) + 8;
    return wanted <= room ? wanted : room >= kBeforeTitle + kBeforeRow ? kBeforeTitle : 0;
}

} // namespace fivefold::views::divergence
