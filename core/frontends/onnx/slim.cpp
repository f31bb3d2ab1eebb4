// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/frontends/onnx/slim.h"

#include "core/frontends/onnx/wire.h"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

namespace fivefold::frontends::onnx {

namespace {

using wire::Field;
using wire::Step;

/// The messages that the filter looks into; others are copied whole.
enum class Kind : std::uint8_t {
    Model,
    Graph,
    Node,
    Attribute,
    Tensor,
    Sparse,
    Function,
    Training
};

struct Child {
    Kind parent;
    std::uint32_t field;
    Kind kind;
};

/// Message fields by which a tensor can be reached.
constexpr std::array kChildren = {
    Child{Kind::Model, 7, Kind::Graph},
    Child{Kind::Model, 20, Kind::Training},
    Child{Kind::Model, 25, Kind::Function},
    Child{Kind::Graph, 1, Kind::Node},
    Child{Kind::Graph, 5, Kind::Tensor},
    Child{Kind::Graph, 15, Kind::Sparse},
    Child{Kind::Node, 5, Kind::Attribute},
    Child{Kind::Attribute, 5, Kind::Tensor},
    Child{Kind::Attribute, 6, Kind::Graph},
    Child{Kind::Attribute, 10, Kind::Tensor},
    Child{Kind::Attribute, 11, Kind::Graph},
    Child{Kind::Attribute, 22, Kind::Sparse},
    Child{Kind::Attribute, 23, Kind::Sparse},
    Child{Kind::Sparse, 1, Kind::Tensor},
    Child{Kind::Sparse, 2, Kind::Tensor},
    Child{Kind::Function, 7, Kind::Node},
    Child{Kind::Function, 11, Kind::Attribute},
    Child{Kind::Training, 1, Kind::Graph},
    Child{Kind::Training, 2, Kind::Graph},
};

std::optional<Kind> childKind(Kind parent, std::uint32_t field) {
    for (const Child& child : kChildren)
        if (child.parent == parent && child.field == field)
            return child.kind;
    return std::nullopt;
}

/// Field that holds a message's own name.
std::uint32_t nameField(Kind kind) {
    switch (kind) {
    case Kind::Graph:
        return 2;
    case Kind::Node:
        return 3;
    case Kind::Tensor:
        return 8;
    case Kind::Attribute:
    case Kind::Function:
        return 1;
    default:
        return 0;
    }
}

constexpr std::uint32_t kNodeOperator = 4;
constexpr std::uint32_t kNodeDocumentation = 6;
constexpr std::uint32_t kAttributeText = 4;
constexpr std::uint32_t kTensorStrings = 6;
constexpr std::uint32_t kTensorRaw = 9;

bool isTensorContent(std::uint32_t field) {
    return field == 4 || field == 5 || field == 6 || field == 7 || field == kTensorRaw
        || field == 10 || field == 11;
}

/// Where the walk stands: one frame a message, outermost first.
struct Frame {
    Kind kind = Kind::Model;
    std::uint32_t field = 0; ///< by which its parent holds it
    std::int64_t index = 0; ///< among its siblings of that field
    std::string_view name;
    std::string_view op;
};

std::string quoted(std::string_view text) {
    constexpr std::size_t kShown = 120;
    if (text.size() <= kShown)
        return '"' + std::string(text) + '"';
    return '"' + std::string(text.substr(0, kShown)) + "…\"";
}

std::string describe(const Frame& frame, const Frame* parent) {
    const std::string named = frame.name.empty() ? "" : ' ' + quoted(frame.name);
    switch (frame.kind) {
    case Kind::Model:
        return "the model's header";
    case Kind::Graph:
        return parent && parent->kind == Kind::Model ? "the main graph" : "subgraph" + named;
    case Kind::Node:
        return "node " + std::to_string(frame.index) + named
            + (frame.op.empty() ? "" : " (" + std::string(frame.op.substr(0, 60)) + ')');
    case Kind::Attribute:
        return "attribute" + named;
    case Kind::Tensor:
        if (parent && parent->kind == Kind::Graph)
            return "initializer " + std::to_string(frame.index) + named;
        return "the tensor" + named;
    case Kind::Sparse:
        return "a sparse tensor";
    case Kind::Function:
        return "function "
            + (frame.name.empty() ? std::to_string(frame.index) : quoted(frame.name));
    case Kind::Training:
        return "the training information";
    }
    return {};
}

class Slimmer {
public:
    Slimmer(
        std::span<const std::byte> file, const SlimLimits& limits, const base::Progress& progress)
        : m_file(file)
        , m_limits(limits)
        , m_progress(progress) { }

    base::Result<std::string> run() {
        m_frames.push_back({});
        walk(0, m_file.size(), false);
        if (m_error)
            return std::move(*m_error);
        return std::move(m_out);
    }

private:
    struct LeftOut {
        std::uint32_t field = 0;
        std::uint64_t offset = 0;
        std::uint64_t length = 0;
        std::uint32_t parts = 0;
    };

    /// Copies the message in [begin, end) to m_out. isClamped: the file ends before the message
    /// does.
    void walk(std::size_t begin, std::size_t end, bool isClamped);
    void handle(const Field& field, std::array<std::int64_t, 32>& seen, std::size_t end,
        bool isClamped, LeftOut& leftOut, std::uint64_t& stringBytes);
    void descend(const Field& field, Kind kind, std::int64_t index, std::size_t end, bool isCut);
    bool leaveOut(const Field& field, LeftOut& leftOut, std::uint64_t& stringBytes);
    void noteNames(const Field& field);
    void copy(const Field& field);
    void putLeftOut(const LeftOut& leftOut);
    bool isAtLimit(std::size_t at);

    void failCut(std::size_t at, std::uint64_t missing);
    void failMalformed(std::size_t at, std::string_view what);
    std::string place() const;

    std::span<const std::byte> m_file;
    SlimLimits m_limits;
    const base::Progress& m_progress;
    std::string m_out;
    std::vector<Frame> m_frames;
    int m_graphDepth = 0;
    std::uint64_t m_messages = 0;
    std::optional<base::Error> m_error;
};

std::string Slimmer::place() const {
    // From the inside out, up to the first node or initialiser, then the graph around it.
    std::string text;
    for (std::size_t i = m_frames.size(); i-- > 0;) {
        const Frame* parent = i > 0 ? &m_frames[i - 1] : nullptr;
        if (i == 0 && !text.empty())
            break;
        text += (text.empty() ? "" : " of ") + describe(m_frames[i], parent);
        if (m_frames[i].kind == Kind::Graph || m_frames[i].kind == Kind::Function)
            break;
    }
    return text;
}

void Slimmer::failCut(std::size_t at, std::uint64_t missing) {
    if (m_error)
        return;
    std::string message = "The file ends inside " + place();
    if (missing > 0)
        message += ", " + std::to_string(missing) + " bytes too early";
    m_error = base::Error{base::ErrorCode::Malformed,
        message + "; it was cut short: copy, download or export it again.",
        "byte " + std::to_string(at)};
}

void Slimmer::failMalformed(std::size_t at, std::string_view what) {
    if (m_error)
        return;
    m_error = base::Error{base::ErrorCode::Malformed,
        "The file is damaged inside " + place() + ": " + std::string(what)
            + "; copy, download or export it again.",
        "byte " + std::to_string(at)};
}

bool Slimmer::isAtLimit(std::size_t at) {
    if (m_out.size() > m_limits.keptBytes) {
        m_error = base::Error{base::ErrorCode::Limit,
            "The graph without its weights takes more than "
                + std::to_string(m_limits.keptBytes >> 20)
                + " MiB; save the weights as raw or external data and open it again.",
            "byte " + std::to_string(at)};
    } else if (m_graphDepth > m_limits.subgraphDepth) {
        m_error = base::Error{base::ErrorCode::Limit,
            "Subgraphs are nested more than " + std::to_string(m_limits.subgraphDepth)
                + " levels deep, which is more than can be read; inline some of them.",
            "byte " + std::to_string(at)};
    } else if (++m_messages % 1024 == 0 && m_progress.isCancelled()) {
        m_error = base::Progress::cancelled();
    }
    return m_error.has_value();
}

void Slimmer::noteNames(const Field& field) {
    Frame& frame = m_frames.back();
    if (field.number == nameField(frame.kind))
        frame.name = wire::text(m_file, field);
    if (frame.kind == Kind::Node && field.number == kNodeOperator)
        frame.op = wire::text(m_file, field);
}

void Slimmer::copy(const Field& field) {
    m_out.append(
        reinterpret_cast<const char*>(m_file.data()) + field.begin, field.end() - field.begin);
}

bool Slimmer::leaveOut(const Field& field, LeftOut& leftOut, std::uint64_t& stringBytes) {
    const Kind kind = m_frames.back().kind;
    if (kind == Kind::Node)
        return field.number == kNodeDocumentation;
    if (kind == Kind::Attribute && field.number == kAttributeText
        && field.length > m_limits.textBytes) {
        leftOut = {kAttributeText, field.payload, field.length, 1};
        return true;
    }
    if (kind != Kind::Tensor || !isTensorContent(field.number))
        return false;
    bool isLarge = field.length > m_limits.tensorBytes;
    if (field.number == kTensorStrings) {
        stringBytes += field.length;
        isLarge = isLarge || stringBytes > m_limits.stringBytes;
    }
    if (!isLarge)
        return false;
    leftOut = {field.number, field.payload, field.length, leftOut.parts + 1};
    return true;
}

void Slimmer::putLeftOut(const LeftOut& leftOut) {
    if (m_frames.back().kind == Kind::Attribute) {
        wire::putTag(m_out, kLeftOutField, wire::Type::Varint);
        wire::putVarint(m_out, leftOut.length);
        return;
    }
    std::string inner;
    const std::array<std::uint64_t, 4> values = {
        leftOut.field, leftOut.offset, leftOut.length, leftOut.parts};
    for (std::uint32_t i = 0; i < values.size(); ++i) {
        wire::putTag(inner, i + 1, wire::Type::Varint);
        wire::putVarint(inner, values[i]);
    }
    wire::putTag(m_out, kLeftOutField, wire::Type::Bytes);
    wire::putVarint(m_out, inner.size());
    m_out += inner;
}

void Slimmer::descend(
    const Field& field, Kind kind, std::int64_t index, std::size_t end, bool isCut) {
    // The slimmed length is known only afterwards: five bytes are kept for it, which protobuf
    // accepts as a varint with leading zeros.
    constexpr std::size_t kLengthBytes = 5;
    wire::putTag(m_out, field.number, wire::Type::Bytes);
    const std::size_t lengthAt = m_out.size();
    m_out.append(kLengthBytes, '\0');
    m_frames.push_back({kind, field.number, index, {}, {}});
    m_graphDepth += kind == Kind::Graph;
    walk(field.payload, isCut ? end : field.end(), isCut);
    m_graphDepth -= kind == Kind::Graph;
    m_frames.pop_back();
    std::uint64_t length = m_out.size() - lengthAt - kLengthBytes;
    for (std::size_t i = 0; i < kLengthBytes; ++i, length >>= 7)
        m_out[lengthAt + i] =
            static_cast<char>((length & 0x7f) | (i + 1 < kLengthBytes ? 0x80 : 0));
}

void Slimmer::handle(const Field& field, std::array<std::int64_t, 32>& seen, std::size_t end,
    bool isClamped, LeftOut& leftOut, std::uint64_t& stringBytes) {
    const Kind kind = m_frames.back().kind;
    const auto child = childKind(kind, field.number);
    const bool isMessage = child && field.type == wire::Type::Bytes;
    const std::int64_t index = field.number < seen.size() ? seen[field.number]++ : 0;
    if (field.isOverrun) {
        const bool isFileEnd = isClamped || end == m_file.size();
        if (!isFileEnd)
            return failMalformed(field.begin,
                "a part claims " + std::to_string(field.length) + " bytes, more than are left");
        if (isMessage)
            return descend(field, *child, index, end, true);
        return failCut(field.begin, field.length - (end - field.payload));
    }
    if (isMessage)
        return descend(field, *child, index, end, false);
    if (field.type == wire::Type::Bytes) {
        noteNames(field);
        if (leaveOut(field, leftOut, stringBytes))
            return;
    }
    if (field.number < kLeftOutField)
        copy(field);
}

void Slimmer::walk(std::size_t begin, std::size_t end, bool isClamped) {
    if (isAtLimit(begin))
        return;
    wire::Cursor cursor(m_file, begin, end);
    std::array<std::int64_t, 32> seen{};
    LeftOut leftOut;
    std::uint64_t stringBytes = 0;
    Field field;
    while (!m_error) {
        const std::size_t at = cursor.position();
        const Step step = cursor.next(field);
        if (step == Step::End)
            break;
        if (step == Step::Invalid)
            return failMalformed(at, "there is no valid protobuf field");
        if (step == Step::Cut) {
            if (isClamped || end == m_file.size())
                return failCut(at, 0);
            return failMalformed(at, "a field does not end where its parent ends");
        }
        handle(field, seen, end, isClamped, leftOut, stringBytes);
    }
    if (isClamped)
        failCut(end, 0);
    if (!m_error && leftOut.parts > 0)
        putLeftOut(leftOut);
}

/// Wire type that a top-level field of ModelProto must have; nullopt for fields that it has not.
std::optional<wire::Type> modelFieldType(std::uint32_t field) {
    switch (field) {
    case 1:
    case 5:
        return wire::Type::Varint;
    case 2:
    case 3:
    case 4:
    case 6:
    case 7:
    case 8:
    case 14:
    case 20:
    case 25:
    case 26:
        return wire::Type::Bytes;
    default:
        return std::nullopt;
    }
}

/// True when the bytes look like the inside of a GraphProto as far as they go.
bool isPlausibleGraph(std::span<const std::byte> head, std::size_t begin, std::size_t end) {
    wire::Cursor cursor(head, begin, end);
    Field field;
    for (int i = 0; i < 16; ++i) {
        const Step step = cursor.next(field);
        if (step == Step::End || step == Step::Cut)
            return true;
        const bool isKnown = field.number == 1 || field.number == 2 || field.number == 5
            || (field.number >= 10 && field.number <= 16);
        if (step == Step::Invalid || !isKnown || field.type != wire::Type::Bytes)
            return false;
        if (field.isOverrun)
            return true;
    }
    return true;
}

bool isPlausibleText(std::string_view text) {
    return std::none_of(text.begin(), text.end(), [](char c) {
        return static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t' && c != '\r';
    });
}

} // namespace

base::Result<std::string> slimModel(
    std::span<const std::byte> file, const SlimLimits& limits, const base::Progress& progress) {
    return Slimmer(file, limits, progress).run();
}

int sniffModel(std::span<const std::byte> head) {
    wire::Cursor cursor(head, 0, head.size());
    Field field;
    bool hasVersion = false;
    bool hasGraph = false;
    bool hasOpset = false;
    int fields = 0;
    for (;; ++fields) {
        const Step step = cursor.next(field);
        if (step == Step::End || step == Step::Cut)
            break;
        if (step == Step::Invalid || modelFieldType(field.number) != field.type)
            return 0;
        if (field.number == 1) {
            if (field.varint > 10000) // versions are small; today's is 13
                return 0;
            hasVersion = true;
        }
        const std::size_t end = field.isOverrun ? head.size() : field.end();
        if (field.number == 7) {
            if (!isPlausibleGraph(head, field.payload, end))
                return 0;
            hasGraph = true;
        }
        hasOpset = hasOpset || field.number == 8;
        if (field.number >= 2 && field.number <= 4
            && !isPlausibleText(
                {reinterpret_cast<const char*>(head.data()) + field.payload, end - field.payload}))
            return 0;
        if (field.isOverrun) {
            ++fields;
            break;
        }
    }
    if (hasGraph)
        return hasVersion || hasOpset ? 95 : 50;
    if (hasVersion)
        return fields > 1 ? 70 : 30;
    return fields > 0 ? 10 : 0;
}

} // namespace fivefold::frontends::onnx
