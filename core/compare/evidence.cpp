// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/compare/evidence.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace fivefold::compare {

namespace {

constexpr std::size_t kExcerptRows = 8;
constexpr std::size_t kRunsShown = 6;
constexpr std::size_t kLayersShown = 12;

std::string text(double value) {
    if (std::isnan(value))
        return "NaN";
    if (std::isinf(value))
        return value > 0 ? "+∞" : "−∞";
    char buffer[32];
    const auto end =
        std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::general, 6);
    return {buffer, end.ptr};
}

std::string text(std::int64_t count) {
    return std::to_string(count);
}

/// Names of models go into Markdown as code; a backtick would end it.
std::string code(std::string name) {
    std::ranges::replace(name, '`', '\'');
    std::ranges::replace(name, '\n', ' ');
    return "`" + name + "`";
}

/// A cell of a table: a bar would end it.
std::string cell(std::string words) {
    std::string out;
    for (const char c : words)
        out += c == '|' ? std::string("\\|") : c == '\n' ? std::string(" ") : std::string(1, c);
    return out;
}

std::string shapeText(const std::vector<std::int64_t>& shape) {
    if (shape.empty())
        return "scalar";
    std::string out;
    for (const std::int64_t size : shape)
        out += (out.empty() ? "" : "×") + std::to_string(size);
    return out;
}

std::string runsText(const ElementSet& set) {
    std::string out;
    for (std::size_t i = 0; i < set.runs.size() && i < kRunsShown; ++i) {
        const auto [begin, end] = set.runs[i];
        out += (i ? ", " : "") + text(begin) + (end - begin > 1 ? "–" + text(end - 1) : "");
    }
    if (set.runs.size() > kRunsShown)
        out +=
            ", and " + text(static_cast<std::int64_t>(set.runs.size() - kRunsShown)) + " more runs";
    return out;
}

class Card {
public:
    Card(const numerics::Subject& subject, const Divergence& divergence, std::size_t origin)
        : m_subject(subject)
        , m_divergence(divergence)
        , m_origin(origin)
        , m_layer(divergence.layers[divergence.origins[origin]])
        , m_level(origin < divergence.levels.size() ? &divergence.levels[origin] : nullptr) { }

    std::string write() {
        head();
        where();
        level();
        neighbours();
        excerpt();
        completeness();
        checklist();
        return std::move(m_out);
    }

private:
    void line(const std::string& words = {}) { m_out += words + "\n"; }
    void section(const std::string& title) {
        line();
        line("## " + title);
        line();
    }

    void head() {
        line("# "
            + (m_origin == 0 && !m_divergence.headline.empty()
                    ? m_divergence.headline
                    : "Layer " + m_layer.nodeName + " diverges."));
        line();
        const auto& info = m_subject.graph().info;
        line("| | |");
        line("| --- | --- |");
        line("| model | " + cell(code(info.graphName.empty() ? info.path : info.graphName)) + " |");
        line("| machine | "
            + cell(m_subject.machine ? m_subject.machine->name : std::string("not given")) + " |");
        line("| reference | " + cell(m_divergence.referenceName) + " |");
        line("| device run | " + cell(m_divergence.deviceName) + " |");
        line("| tolerance | " + cell(m_divergence.policy) + " |");
    }

    void where() {
        section("Where");
        const ErrorFigures& figures = m_layer.local ? *m_layer.local : m_layer.global;
        line("- layer " + code(m_layer.nodeName) + ", value " + code(m_layer.key) + ", "
            + shapeText(m_layer.shape));
        line("- wrong: " + text(figures.wrong.count) + " of " + text(figures.total)
            + " elements: " + runsText(figures.wrong));
        if (!m_layer.pattern.sentence.empty())
            line("- pattern: " + m_layer.pattern.sentence);
        line("- largest difference " + text(figures.maxAbs)
            + (figures.maxAbsAt >= 0 ? " at element " + text(figures.maxAbsAt) : std::string())
            + ", RMSE " + text(figures.rmse)
            + (figures.cosine ? ", cosine " + text(*figures.cosine) + " (shown, not the gate)"
                              : std::string()));
        if (!m_layer.reason.empty())
            line("- " + m_layer.reason);
    }

    void level() {
        section("Level of the stack");
        if (!m_level) {
            line("Not looked for.");
            return;
        }
        line(m_level->sentence);
        line();
        line("Known how: **" + std::string(toString(m_level->how)) + "**. " + m_level->proof);
        if (!m_level->decides.empty())
            line("What would decide: " + m_level->decides);
    }

    void neighbours() {
        section("Why not its neighbours");
        if (!m_level) {
            line("Not looked for.");
            return;
        }
        line("The eight levels are reconstructed from public descriptions.");
        line();
        line("| level | | because |");
        line("| --- | --- | --- |");
        for (int i = 0; i < numerics::kLevels; ++i) {
            const LevelReason& reason = m_level->reasons[static_cast<std::size_t>(i)];
            const char* state = reason.state == LevelReason::State::Blamed ? "✕"
                : reason.state == LevelReason::State::Cleared              ? "✓"
                                                                           : "?";
            line("| " + std::to_string(i + 1) + " "
                + std::string(toString(static_cast<numerics::Level>(i + 1))) + " | " + state + " | "
                + cell(reason.sentence.empty() ? "not given" : reason.sentence) + " |");
        }
        if (!m_level->deadlockSentence.empty()) {
            line();
            line(m_level->deadlockSentence);
        }
    }

    void excerpt() {
        section("Excerpt");
        const auto found = m_divergence.contents.find(m_divergence.origins[m_origin]);
        if (found == m_divergence.contents.end() || !found->second.device.isDefined()) {
            line("The values are not kept.");
            return;
        }
        const auto& [device, reference, expected] = found->second;
        const ElementSet& wrong = (m_layer.local ? *m_layer.local : m_layer.global).wrong;
        line("| element | reference | expected from the device's inputs | device |");
        line("| --- | --- | --- | --- |");
        std::size_t rows = 0;
        const auto value = [](const numerics::Tensor& tensor, std::int64_t at) {
            return at < tensor.size() ? text(tensor.number(at)) : std::string("–");
        };
        for (const auto& [begin, end] : wrong.runs)
            for (std::int64_t at = begin; at < end && rows < kExcerptRows; ++at, ++rows)
                line("| " + text(at) + " | " + value(reference, at) + " | " + value(expected, at)
                    + " | " + value(device, at) + " |");
    }

    void completeness() {
        section("Capture");
        std::int64_t compared = 0, missing = 0, unmatched = 0;
        for (const Layer& layer : m_divergence.layers) {
            missing += layer.verdict == Verdict::Missing ? 1 : 0;
            unmatched += layer.verdict == Verdict::Unmatched ? 1 : 0;
            compared +=
                layer.verdict != Verdict::Missing && layer.verdict != Verdict::Unmatched ? 1 : 0;
        }
        const std::int64_t all = compared + missing;
        line("- compared: " + text(compared) + " of " + text(all) + " values ("
            + text(all ? 100 * compared / all : std::int64_t(0)) + " %); " + text(unmatched)
            + " keys have no counterpart");
        for (const Precondition& check : m_divergence.before)
            line("- "
                + std::string(!check.holds ? "?"
                        : *check.holds     ? "✓"
                                           : "✕")
                + " " + check.name + ": " + check.sentence);
        for (const std::string& note : m_divergence.notes)
            line("- " + note);
        section("Layers around it");
        line("| layer | verdict | wrong | largest difference |");
        line("| --- | --- | --- | --- |");
        const std::size_t at = m_divergence.origins[m_origin];
        const std::size_t first = at > kLayersShown / 2 ? at - kLayersShown / 2 : 0;
        const std::size_t last = std::min(m_divergence.layers.size(), first + kLayersShown);
        for (std::size_t i = first; i < last; ++i) {
            const Layer& layer = m_divergence.layers[i];
            line("| " + cell(code(layer.nodeName.empty() ? layer.key : layer.nodeName)) + " | "
                + std::string(toString(layer.verdict)) + " | " + text(layer.global.wrong.count)
                + " / " + text(layer.global.total) + " | " + text(layer.global.maxAbs) + " |");
        }
    }

    /// The form in which the trackers of the public stacks want a report.
    void checklist() {
        section("Report");
        line("- [ ] the smallest case is attached (*Reduce…* writes model, inputs, expected values "
             "and a PyTorch text)");
        line("- [ ] it fails again from a fresh process");
        line("- [ ] versions of compiler, runtime and driver");
        if (m_level && !m_level->decides.empty())
            line("- [ ] " + m_level->decides);
    }

    const numerics::Subject& m_subject;
    const Divergence& m_divergence;
    std::size_t m_origin;
    const Layer& m_layer;
    const LevelVerdict* m_level;
    std::string m_out;
};

} // namespace

std::string evidenceCard(
    const numerics::Subject& subject, const Divergence& divergence, std::size_t origin) {
    if (origin >= divergence.origins.size())
        return "# Nothing diverges\n\n" + divergence.headline + "\n";
    return Card(subject, divergence, origin).write();
}

} // namespace fivefold::compare
