// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/compare/dumps/base64.h"
#include "core/compare/dumps/json_tree.h"
#include "core/compare/dumps/npy.h"
#include "core/compare/dumps/readers.h"

#include <algorithm>

namespace fivefold::compare::dumps {

namespace {

using base::Done;
using base::Error;
using base::ErrorCode;
using base::Result;

// Source of the structure: NVIDIA/TensorRT tools/Polygraphy, json/serde.py and
// comparator/struct.py.
constexpr std::string_view kTypeKey = "polygraphy_class";
constexpr std::string_view kLegacyPrefix = "__polygraphy_encoded_";
constexpr std::string_view kNpyAsBase64 = "k05VTVBZ"; ///< "\x93NUMPY"
constexpr std::string_view kZipAsBase64 = "UEsD";

/// The class that an object is tagged with; "" without a tag.
std::string classOf(const JsonNode& node) {
    if (auto name = node.textAt(kTypeKey))
        return *name;
    for (const JsonNode& item : node.items)
        if (item.key.starts_with(kLegacyPrefix))
            return item.key.substr(kLegacyPrefix.size());
    return {};
}

bool isTag(const JsonNode& node) {
    return node.key == kTypeKey || node.key.starts_with(kLegacyPrefix);
}

class Reader {
public:
    Reader(Source source, const Context& context)
        : m_source(std::move(source))
        , m_context(context)
        , m_listing("polygraphy", m_source->name(), context.limits) { }

    Result<Listing> read(const JsonNode& root) {
        const auto done = root.isArray() ? readInputs(root) : readRunners(root);
        if (!done)
            return done.error();
        return std::move(m_listing);
    }

private:
    Error malformed(std::string what) const {
        return {ErrorCode::Malformed, std::move(what) + "; save the results again with Polygraphy.",
            m_source->name()};
    }

    /// A list of iterations, each a dict of arrays.
    Result<Done> readInputs(const JsonNode& root) {
        for (std::size_t i = 0; i < root.items.size(); ++i) {
            const std::string prefix = root.items.size() > 1 ? std::to_string(i) + "/" : "";
            if (auto done = readArrays(root.items[i], prefix, "input"); !done)
                return done;
        }
        if (root.items.size() > 1)
            notePrefix("iteration");
        return Done{};
    }

    /// {"lst": [[runner, [{"outputs": {name: array}, …}]], …]}
    Result<Done> readRunners(const JsonNode& root) {
        const JsonNode* runners = root.find("lst");
        if (classOf(root) != "RunResults" || !runners || !runners->isArray())
            return malformed("The file has no run results");
        bool hasIterations = false;
        for (const JsonNode& runner : runners->items) {
            if (!runner.isArray() || runner.items.size() != 2 || !runner.items[0].isText()
                || !runner.items[1].isArray())
                return malformed("A runner is not a name with a list of iterations");
            const auto& iterations = runner.items[1].items;
            hasIterations |= iterations.size() > 1;
            for (std::size_t i = 0; i < iterations.size(); ++i) {
                std::string prefix;
                if (runners->items.size() > 1)
                    prefix = runner.items[0].text + "/";
                if (iterations.size() > 1)
                    prefix += std::to_string(i) + "/";
                const JsonNode* outputs = iterations[i].find("outputs");
                if (classOf(iterations[i]) != "IterationResult" || !outputs)
                    return malformed("An iteration has no outputs");
                if (auto done = readArrays(*outputs, prefix, ""); !done)
                    return done;
            }
        }
        if (runners->items.size() > 1 || hasIterations)
            notePrefix(runners->items.size() > 1 ? "runner" : "iteration");
        return Done{};
    }

    void notePrefix(const std::string& what) {
        m_listing.diagnostics.info("dump.several_runs", {},
            "The file has more than one " + what + "; names begin with it.",
            "Choose one run when names are matched.");
    }

    Result<Done> readArrays(
        const JsonNode& arrays, const std::string& prefix, const std::string& role) {
        if (!arrays.isObject())
            return malformed("The arrays of a run are not a dictionary");
        for (const JsonNode& node : arrays.items) {
            if (m_context.progress.isCancelled())
                return base::Progress::cancelled();
            if (isTag(node))
                continue;
            if (auto done = readArray(node, prefix + node.key, role); !done)
                return done;
        }
        return Done{};
    }

    /// A LazyArray around an array, or the array itself.
    Result<Done> readArray(const JsonNode& node, const std::string& name, const std::string& role) {
        const std::string type = classOf(node);
        if (type == "LazyArray" || type == "LazyNumpyArray") {
            const JsonNode* values = node.find("values");
            if (!values || !values->isObject() || classOf(*values).starts_with("Lazy"))
                return malformed("The array " + inQuotes(name) + " has no values");
            return readArray(*values, name, role);
        }
        if (type != "ndarray" && type != "Tensor")
            return malformed("The array " + inQuotes(name) + " has the class " + inQuotes(type)
                + ", which is not known");
        const JsonNode* payload = node.find("array");
        if (!payload)
            payload = node.find("values");
        if (!payload
            || (payload->kind != JsonNode::Kind::Text && payload->kind != JsonNode::Kind::LongText))
            return malformed("The array " + inQuotes(name) + " has no text of its elements");
        auto bytes = payloadOf(*payload);
        if (!bytes)
            return bytes.error();
        DumpEntry entry;
        entry.name = name;
        entry.role = role;
        return addPayload(std::move(entry), *bytes);
    }

    /// Bytes of a payload: base64, or in old files the bytes as characters up to U+00FF.
    Result<Source> payloadOf(const JsonNode& node) {
        const bool isLong = node.kind == JsonNode::Kind::LongText;
        const Source text = isLong
            ? partOf(m_source, node.begin + 1, node.end - node.begin - 2, m_source->name())
            : memorySource(
                {reinterpret_cast<const std::byte*>(node.text.data()),
                    reinterpret_cast<const std::byte*>(node.text.data()) + node.text.size()},
                m_source->name());
        const auto start = text->piece(0, kNpyAsBase64.size());
        if (!start)
            return start.error();
        const std::string_view sniffed(reinterpret_cast<const char*>(start->data()), start->size());
        if (sniffed == kNpyAsBase64 || sniffed.starts_with(kZipAsBase64)
            || sniffed.starts_with("gA"))
            return base64Source(text); // "gA": 0x80, a pickle, which is refused with its advice
        return latinBytes(node);
    }

    Result<Source> latinBytes(const JsonNode& node) {
        const auto text = wholeText(node, *m_source);
        if (!text)
            return text.error();
        std::vector<std::byte> bytes;
        for (std::size_t i = 0; i < text->size(); ++i) {
            const auto c = static_cast<unsigned char>((*text)[i]);
            if (c < 0x80) {
                bytes.push_back(std::byte{c});
                continue;
            }
            if ((c != 0xc2 && c != 0xc3) || i + 1 >= text->size())
                return malformed("An array is neither base64 nor Latin-1 text");
            const auto next = static_cast<unsigned char>((*text)[++i]);
            bytes.push_back(static_cast<std::byte>((c & 3) << 6 | (next & 0x3f)));
        }
        return memorySource(std::move(bytes), m_source->name());
    }

    Result<Done> addPayload(DumpEntry entry, const Source& bytes) {
        const auto start = bytes->piece(0, 8);
        if (!start)
            return start.error();
        if (isNpy(*start))
            return addNpy(m_listing, bytes, std::move(entry), m_context.limits);
        auto inner = readPayload(bytes, entry.name, m_context);
        if (!inner)
            return Error{inner.error().code,
                "The array " + inQuotes(entry.name) + ": " + inner.error().message,
                m_source->name()};
        m_listing.diagnostics.append(inner->diagnostics);
        std::vector<Stored> stored = std::move(*inner).take();
        if (stored.size() != 1) // an old .npz payload, or torch.save: one array each
            return malformed("The array " + inQuotes(entry.name) + " holds "
                + std::to_string(stored.size()) + " arrays instead of one");
        entry.dtype = stored[0].entry.dtype;
        entry.shape = stored[0].entry.shape;
        return m_listing.add(std::move(entry), std::move(stored[0].contents));
    }

    Source m_source;
    const Context& m_context;
    Listing m_listing;
};

} // namespace

bool isPolygraphy(const JsonNode& root) {
    if (root.isArray())
        return std::any_of(root.items.begin(), root.items.end(), [](const JsonNode& iteration) {
            return std::any_of(iteration.items.begin(), iteration.items.end(),
                [](const JsonNode& array) { return !classOf(array).empty(); });
        });
    return root.find("lst") != nullptr;
}

Result<Listing> readPolygraphy(const Source& source, const JsonNode& root, const Context& context) {
    return Reader(source, context).read(root);
}

} // namespace fivefold::compare::dumps
