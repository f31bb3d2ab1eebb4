// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/compare/dumps/pickle.h"

#include <bit>
#include <cstring>
#include <limits>
#include <unordered_map>

namespace fivefold::compare::dumps {

namespace {

using base::Error;
using base::ErrorCode;
using base::Result;
using ir::DType;
using Kind = PickleValue::Kind;

constexpr std::string_view kRebuildTensor = "torch._utils _rebuild_tensor_v2";
constexpr std::string_view kRebuildParameter = "torch._utils _rebuild_parameter";
constexpr std::string_view kOrderedDict = "collections OrderedDict";

/// Element types of `torch.<X>Storage`.
std::optional<DType> storageType(std::string_view global) {
    static constexpr std::pair<std::string_view, DType> kTypes[] = {
        {"torch DoubleStorage", DType::Float64}, {"torch FloatStorage", DType::Float32},
        {"torch HalfStorage", DType::Float16}, {"torch BFloat16Storage", DType::BFloat16},
        {"torch LongStorage", DType::Int64}, {"torch IntStorage", DType::Int32},
        {"torch ShortStorage", DType::Int16}, {"torch CharStorage", DType::Int8},
        {"torch ByteStorage", DType::UInt8}, {"torch BoolStorage", DType::Bool},
        {"torch ComplexFloatStorage", DType::Complex64},
        {"torch ComplexDoubleStorage", DType::Complex128}};
    for (const auto& [name, dtype] : kTypes)
        if (name == global)
            return dtype;
    return std::nullopt;
}

std::string advice() {
    return ". Pickles may run code, so only tensors, numbers, texts, dicts, lists and tuples are "
           "read; save a plain dict of tensors, or use safetensors.";
}

/// Runs the opcodes (Python's pickletools lists them). Every step is bounded by what is left of the
/// bytes; values are only ever appended.
class Machine {
public:
    Machine(std::span<const std::byte> bytes, const DumpLimits& limits, const std::string& where)
        : m_bytes(bytes)
        , m_limits(limits)
        , m_where(where) { }

    Result<Pickle> run() {
        std::int64_t count = 0;
        while (!m_isStopped && m_failure.empty()) {
            if (++count > m_limits.pickleOpcodes)
                return Error{ErrorCode::Limit,
                    "The pickle has more than " + std::to_string(m_limits.pickleOpcodes)
                        + " opcodes; split the dump.",
                    m_where};
            step(static_cast<std::uint8_t>(number(1)));
        }
        if (!m_failure.empty())
            return Error{m_code, m_failure, m_where};
        return std::move(m_pickle);
    }

private:
    void fail(ErrorCode code, std::string message) {
        if (!m_failure.empty())
            return;
        m_code = code;
        m_failure = std::move(message);
    }
    void malformed(const std::string& what) {
        fail(ErrorCode::Malformed,
            "The pickle is damaged at byte " + std::to_string(m_at) + ": " + what
                + ". Write the dump again.");
    }
    void refuse(const std::string& what) { fail(ErrorCode::Refused, what + advice()); }

    // Reading the bytes

    std::uint64_t number(std::size_t width) {
        if (m_bytes.size() - m_at < width) {
            malformed("it ends in the middle of an opcode");
            return 0;
        }
        std::uint64_t value = 0;
        std::memcpy(&value, m_bytes.data() + m_at, width);
        m_at += width;
        return value;
    }
    std::string text(std::uint64_t length) {
        if (length > m_bytes.size() - m_at) {
            malformed("a text is longer than what follows");
            return {};
        }
        std::string result(
            reinterpret_cast<const char*>(m_bytes.data()) + m_at, static_cast<std::size_t>(length));
        m_at += static_cast<std::size_t>(length);
        return result;
    }
    std::string line() {
        constexpr std::size_t kMost = 256;
        std::string result;
        while (m_at < m_bytes.size() && result.size() < kMost) {
            const auto c = static_cast<char>(m_bytes[m_at++]);
            if (c == '\n')
                return result;
            result += c;
        }
        malformed("a name does not end");
        return {};
    }

    // The stack

    void push(PickleValue value) {
        m_stack.push_back(static_cast<std::uint32_t>(m_pickle.values.size()));
        m_pickle.values.push_back(std::move(value));
    }
    void push(Kind kind, std::int64_t integer = 0) {
        PickleValue value;
        value.kind = kind;
        value.integer = integer;
        push(std::move(value));
    }
    void pushText(Kind kind, std::string content) {
        PickleValue value;
        value.kind = kind;
        value.text = std::move(content);
        push(std::move(value));
    }
    /// Values above the last mark may be popped, no others.
    std::uint32_t pop() {
        if (m_stack.size() <= (m_marks.empty() ? 0 : m_marks.back())) {
            malformed("the stack is empty");
            return 0;
        }
        const std::uint32_t index = m_stack.back();
        m_stack.pop_back();
        return index;
    }
    std::vector<std::uint32_t> popToMark() {
        if (m_marks.empty()) {
            malformed("a mark is missing");
            return {};
        }
        const auto begin = m_stack.begin() + static_cast<std::ptrdiff_t>(m_marks.back());
        std::vector<std::uint32_t> items(begin, m_stack.end());
        m_stack.erase(begin, m_stack.end());
        m_marks.pop_back();
        return items;
    }
    PickleValue* top(Kind kind) {
        if (m_stack.size() <= (m_marks.empty() ? 0 : m_marks.back())
            || m_pickle.values[m_stack.back()].kind != kind) {
            malformed("items are added to something that takes none");
            return nullptr;
        }
        return &m_pickle.values[m_stack.back()];
    }
    void pushTuple(std::vector<std::uint32_t> items, Kind kind = Kind::Tuple) {
        PickleValue value;
        value.kind = kind;
        value.items = std::move(items);
        if (kind == Kind::Dict && value.items.size() % 2 != 0)
            return malformed("a dictionary has a key without a value");
        push(std::move(value));
    }
    void pushTuple(int size) {
        std::vector<std::uint32_t> items(static_cast<std::size_t>(size));
        for (std::size_t i = items.size(); i-- > 0;)
            items[i] = pop();
        if (m_failure.empty())
            pushTuple(std::move(items));
    }
    void append(Kind kind, const std::vector<std::uint32_t>& items) {
        PickleValue* target = top(kind);
        if (!target)
            return;
        if (kind == Kind::Dict && items.size() % 2 != 0)
            return malformed("a dictionary has a key without a value");
        target->items.insert(target->items.end(), items.begin(), items.end());
    }
    void put(std::uint64_t slot) {
        if (m_stack.empty())
            return malformed("nothing is there to be remembered");
        m_memo[slot] = m_stack.back();
    }
    void get(std::uint64_t slot) {
        const auto found = m_memo.find(slot);
        if (found == m_memo.end())
            return malformed("something is recalled that was not remembered");
        m_stack.push_back(found->second);
    }

    // Opcodes

    void step(std::uint8_t opcode) {
        if (!m_failure.empty() || stepOfValue(opcode) || stepOfContainer(opcode))
            return;
        switch (opcode) {
        case 0x80: // PROTO
            if (const auto protocol = number(1); protocol < 2 || protocol > 5)
                malformed("protocol " + std::to_string(protocol) + " is not known");
            return;
        case 0x95: // FRAME
            number(8);
            return;
        case '.': // STOP
            m_pickle.root = pop();
            m_isStopped = true;
            return;
        case 'q': // BINPUT
            return put(number(1));
        case 'r': // LONG_BINPUT
            return put(number(4));
        case 0x94: // MEMOIZE
            return put(m_memo.size());
        case 'h': // BINGET
            return get(number(1));
        case 'j': // LONG_BINGET
            return get(number(4));
        case 'c': { // GLOBAL
            const std::string module = line();
            return global(module, line());
        }
        case 0x93: // STACK_GLOBAL
            return stackGlobal();
        case 'Q': // BINPERSID
            return storage(pop());
        case 'R': // REDUCE
            return reduce();
        case 'b':
            return refuse("The pickle sets the state of an object (BUILD), as the state_dict of a "
                          "module does with its metadata");
        default:
            refuse("The pickle has the opcode " + std::to_string(opcode) + ", which is not read");
        }
    }

    bool stepOfValue(std::uint8_t opcode) {
        switch (opcode) {
        case 'N':
            push(Kind::None);
            return true;
        case 0x88: // NEWTRUE
        case 0x89: // NEWFALSE
            push(Kind::Boolean, opcode == 0x88);
            return true;
        case 'J': // BININT
            push(Kind::Integer, static_cast<std::int32_t>(number(4)));
            return true;
        case 'K':
            push(Kind::Integer, static_cast<std::int64_t>(number(1)));
            return true;
        case 'M':
            push(Kind::Integer, static_cast<std::int64_t>(number(2)));
            return true;
        case 0x8a: // LONG1
            longInteger(number(1));
            return true;
        case 0x8b: // LONG4
            longInteger(number(4));
            return true;
        case 'G':
            real();
            return true;
        case 'X': // BINUNICODE
            pushText(Kind::Text, text(number(4)));
            return true;
        case 0x8c: // SHORT_BINUNICODE
            pushText(Kind::Text, text(number(1)));
            return true;
        case 0x8d: // BINUNICODE8
            pushText(Kind::Text, text(number(8)));
            return true;
        case 'U': // SHORT_BINSTRING
        case 'C': // SHORT_BINBYTES
            pushText(Kind::Bytes, text(number(1)));
            return true;
        case 'T': // BINSTRING
        case 'B': // BINBYTES
            pushText(Kind::Bytes, text(number(4)));
            return true;
        default:
            return false;
        }
    }

    bool stepOfContainer(std::uint8_t opcode) {
        switch (opcode) {
        case '(': // MARK
            m_marks.push_back(m_stack.size());
            return true;
        case '0':
            pop();
            return true;
        case '1': // POP_MARK
            popToMark();
            return true;
        case '}':
            push(Kind::Dict);
            return true;
        case ']':
            push(Kind::List);
            return true;
        case ')':
            push(Kind::Tuple);
            return true;
        case 'd':
            pushTuple(popToMark(), Kind::Dict);
            return true;
        case 'l':
            pushTuple(popToMark(), Kind::List);
            return true;
        case 't':
            pushTuple(popToMark());
            return true;
        case 0x85: // TUPLE1
        case 0x86:
        case 0x87:
            pushTuple(opcode - 0x84);
            return true;
        case 'a': { // APPEND
            const auto item = pop();
            append(Kind::List, {item});
            return true;
        }
        case 'e':
            append(Kind::List, popToMark());
            return true;
        case 's': { // SETITEM
            const auto value = pop();
            const auto key = pop();
            append(Kind::Dict, {key, value});
            return true;
        }
        case 'u':
            append(Kind::Dict, popToMark());
            return true;
        default:
            return false;
        }
    }

    void longInteger(std::uint64_t length) {
        if (length > 8)
            return malformed("an integer has more than 64 bits");
        std::uint64_t value = number(static_cast<std::size_t>(length));
        const auto bits = static_cast<unsigned>(8 * length);
        if (length > 0 && length < 8 && value >> (bits - 1))
            value |= ~std::uint64_t(0) << bits;
        push(Kind::Integer, static_cast<std::int64_t>(value));
    }

    void real() {
        const std::uint64_t bits = __builtin_bswap64(number(8));
        PickleValue value;
        value.kind = Kind::Real;
        value.real = std::bit_cast<double>(bits);
        push(std::move(value));
    }

    // Names and calls

    void global(const std::string& module, const std::string& name) {
        if (!m_failure.empty())
            return;
        const std::string whole = module + " " + name;
        if (whole != kRebuildTensor && whole != kRebuildParameter && whole != kOrderedDict
            && !storageType(whole))
            return refuse("The pickle names " + inQuotes(module + "." + name)
                + ", which is not among the names of tensors");
        pushText(Kind::Global, whole);
    }

    void stackGlobal() {
        const auto name = pop();
        const auto module = pop();
        if (!m_failure.empty())
            return;
        if (m_pickle.values[name].kind != Kind::Text || m_pickle.values[module].kind != Kind::Text)
            return malformed("a name is not a text");
        global(std::string(m_pickle.values[module].text), std::string(m_pickle.values[name].text));
    }

    const PickleValue& item(const PickleValue& tuple, std::size_t i) const {
        return m_pickle.values[tuple.items[i]];
    }

    /// ("storage", type, key, location, number of elements)
    void storage(std::uint32_t index) {
        if (!m_failure.empty())
            return;
        const PickleValue& id = m_pickle.values[index];
        if (id.kind != Kind::Tuple || id.items.size() != 5 || item(id, 0).text != "storage"
            || item(id, 1).kind != Kind::Global || item(id, 2).kind != Kind::Text
            || item(id, 4).kind != Kind::Integer || item(id, 4).integer < 0)
            return malformed("a storage is not described as PyTorch does");
        const auto dtype = storageType(item(id, 1).text);
        if (!dtype)
            return malformed("a storage has no element type");
        PickleValue value;
        value.kind = Kind::Storage;
        value.dtype = *dtype;
        value.text = item(id, 2).text;
        value.integer = item(id, 4).integer;
        push(std::move(value));
    }

    void reduce() {
        const auto argumentsAt = pop();
        const auto calleeAt = pop();
        if (!m_failure.empty())
            return;
        const PickleValue& callee = m_pickle.values[calleeAt];
        const PickleValue& arguments = m_pickle.values[argumentsAt];
        if (callee.kind != Kind::Global || arguments.kind != Kind::Tuple
            || storageType(callee.text))
            return refuse("The pickle calls something that makes no tensor");
        if (callee.text == kOrderedDict) {
            if (!arguments.items.empty())
                return refuse("The pickle makes an OrderedDict in a way that PyTorch does not");
            return push(Kind::Dict);
        }
        if (callee.text == kRebuildTensor)
            return tensor(arguments);
        if (arguments.items.size() != 3 || item(arguments, 0).kind != Kind::Tensor)
            return malformed("a parameter is not made of a tensor");
        m_stack.push_back(arguments.items[0]);
    }

    bool integers(const PickleValue& tuple, std::vector<std::int64_t>& list) const {
        if (tuple.kind != Kind::Tuple
            || static_cast<std::int64_t>(tuple.items.size()) > m_limits.rank)
            return false;
        for (std::size_t i = 0; i < tuple.items.size(); ++i) {
            if (item(tuple, i).kind != Kind::Integer || item(tuple, i).integer < 0)
                return false;
            list.push_back(item(tuple, i).integer);
        }
        return true;
    }

    /// (storage, offset, shape, strides, requires_grad, hooks[, metadata])
    void tensor(const PickleValue& arguments) {
        if (arguments.items.size() < 6 || arguments.items.size() > 7
            || item(arguments, 0).kind != Kind::Storage || item(arguments, 1).kind != Kind::Integer
            || item(arguments, 1).integer < 0)
            return malformed("a tensor is not described as PyTorch does");
        PickleValue value;
        value.kind = Kind::Tensor;
        value.storage = arguments.items[0];
        value.dtype = item(arguments, 0).dtype;
        value.integer = item(arguments, 1).integer;
        if (!integers(item(arguments, 2), value.shape)
            || !integers(item(arguments, 3), value.strides)
            || value.shape.size() != value.strides.size())
            return malformed("the shape or the strides of a tensor are not counts of elements");
        push(std::move(value));
    }

    std::span<const std::byte> m_bytes;
    DumpLimits m_limits;
    std::string m_where;
    std::size_t m_at = 0;
    Pickle m_pickle;
    std::vector<std::uint32_t> m_stack;
    std::vector<std::size_t> m_marks;
    std::unordered_map<std::uint64_t, std::uint32_t> m_memo;
    bool m_isStopped = false;
    ErrorCode m_code = ErrorCode::Malformed;
    std::string m_failure;
};

} // namespace

Result<Pickle> readPickle(
    std::span<const std::byte> bytes, const DumpLimits& limits, const std::string& where) {
    if (static_cast<std::int64_t>(bytes.size()) > limits.pickleBytes)
        return Error{ErrorCode::Limit,
            "The pickle has " + std::to_string(bytes.size()) + " bytes, more than the limit of "
                + std::to_string(limits.pickleBytes) + "; split the dump.",
            where};
    return Machine(bytes, limits, where).run();
}

} // namespace fivefold::compare::dumps
