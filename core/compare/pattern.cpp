// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/compare/pattern.h"

#include "core/compare/pattern_places.h"

namespace fivefold::compare {

std::string_view toString(Pattern::Kind kind) {
    static constexpr std::string_view kNames[] = {"none", "all", "single", "suffix", "prefix", "residue",
        "slice", "permuted", "shifted", "other_tensor", "ratio", "offset", "constant", "non_finite",
        "saturated_or_flushed", "negative", "scattered"};
    return kNames[static_cast<std::size_t>(kind)];
}

Pattern classify(const numerics::Tensor& device, const numerics::Tensor& reference,
    const ElementSet& wrong, const layout::TensorLayout* layout,
    const std::vector<Candidate>& others) {
    if (wrong.isEmpty() || device.size() != reference.size() || wrong.total != device.size()
        || device.as<std::string>() || reference.as<std::string>())
        return {};
    Pattern places = placesOf(device.shape(), wrong);
    if (layout) {
        const Pattern onDevice = devicePlacesOf(*layout, wrong);
        if (onDevice.kind != Pattern::Kind::None)
            places.sentence += " (" + onDevice.sentence + ")";
        if (onDevice.kind != Pattern::Kind::None && places.kind == Pattern::Kind::Scattered) {
            places = onDevice;
            places.sentence = "only " + onDevice.sentence;
        }
    }
    const Pattern values = valuesOf(device, reference, wrong);
    Pattern movement;
    if (values.kind == Pattern::Kind::None || values.kind == Pattern::Kind::Negative)
        movement = movementOf(device, reference, wrong, others);
    const bool isStructured =
        places.kind != Pattern::Kind::All && places.kind != Pattern::Kind::Scattered;
    // Where values come from says most; then where they are; then what they are.
    Pattern result = movement.kind != Pattern::Kind::None ? movement
        : isStructured                                    ? places
        : values.kind != Pattern::Kind::None              ? values
                                                          : places;
    if (result.kind == movement.kind && movement.kind != Pattern::Kind::None && isStructured)
        result.sentence += ", " + places.sentence;
    else if (result.kind == places.kind && isStructured && values.kind != Pattern::Kind::None) {
        result.sentence += ", " + values.sentence;
        result.value = values.value;
    }
    return result;
}

} // namespace fivefold::compare
