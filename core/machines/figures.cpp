// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/machines/machine.h"

namespace fivefold::machines {

namespace {

/// Figures that a description does not mention at all are left out: they are not known to be
/// unknown.
bool isMentioned(const Figure& figure) {
    return figure.isKnown() || !figure.unit.empty();
}

class FigureList {
public:
    void add(std::string name, const Figure& figure) {
        if (isMentioned(figure))
            m_figures.push_back({std::move(name), figure});
    }
    std::vector<NamedFigure> take() { return std::move(m_figures); }

private:
    std::vector<NamedFigure> m_figures;
};

Figure countOf(const Memory& memory) {
    Figure figure;
    figure.value = static_cast<double>(memory.instances);
    figure.unit = "1";
    figure.status = memory.capacity.status;
    figure.source = memory.capacity.source;
    return figure;
}

} // namespace

std::vector<NamedFigure> figures(const Machine& machine) {
    FigureList list;
    for (const auto& [precision, figure] : machine.peaks)
        list.add("peak." + std::string(toString(precision)), figure);
    for (const Memory& memory : machine.memories) {
        const std::string prefix = "memory." + memory.name + ".";
        list.add(prefix + "capacity", memory.capacity);
        list.add(prefix + "usable", memory.usable);
        list.add(prefix + "bandwidth", memory.bandwidth);
        list.add(prefix + "aggregate_bandwidth", memory.aggregateBandwidth);
        if (memory.instances != 1)
            list.add(prefix + "instances", countOf(memory));
    }
    for (const Unit& unit : machine.units) {
        list.add("unit." + unit.name + ".count", unit.count);
        list.add("unit." + unit.name + ".rows", unit.rows);
        list.add("unit." + unit.name + ".columns", unit.columns);
        list.add("unit." + unit.name + ".lanes", unit.lanes);
        for (const auto& [key, figure] : unit.figures)
            list.add("unit." + unit.name + "." + key, figure);
    }
    for (const Link& link : machine.links) {
        list.add("link." + link.name + ".bandwidth", link.bandwidth);
        list.add("link." + link.name + ".count", link.count);
        list.add("link." + link.name + ".latency", link.latency);
    }
    list.add("clock", machine.clock);
    list.add("power", machine.power);
    for (const auto& [key, figure] : machine.parameters)
        list.add("parameter." + key, figure);
    return list.take();
}

} // namespace fivefold::machines
