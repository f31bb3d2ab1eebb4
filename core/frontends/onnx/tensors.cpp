// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/frontends/onnx/tensors.h"

#include "core/frontends/onnx/dtypes.h"
#include "core/frontends/onnx/fivefold_onnx.pb.h"
#include "core/ir/element_codec.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <limits>
#include <optional>

namespace fivefold::frontends::onnx {

namespace proto = ::fivefold::onnx;

using ir::DType;
using ir::TensorData;
using ir::TensorStorage;

namespace {

constexpr std::uint32_t kFloatData = 4;
constexpr std::uint32_t kInt32Data = 5;
constexpr std::uint32_t kStringData = 6;
constexpr std::uint32_t kInt64Data = 7;
constexpr std::uint32_t kRawData = 9;
constexpr std::uint32_t kDoubleData = 10;
constexpr std::uint32_t kUint64Data = 11;
constexpr int kExternal = 1;

/// Bytes of all elements when packed; nullopt where that overflows or the width is not known.
std::optional<std::uint64_t> expectedBytes(const TensorData& data, std::int64_t elements) {
    const int width = ir::bitWidth(data.dtype);
    if (width == 0 || elements > std::numeric_limits<std::int64_t>::max() / 128 - 1)
        return std::nullopt;
    return static_cast<std::uint64_t>(ir::packedBytes(data.dtype, elements));
}

/// The typed field that holds elements of a type (onnx.proto, comments of TensorProto).
std::uint32_t typedField(DType dtype) {
    switch (dtype) {
    case DType::Float32:
    case DType::Complex64:
        return kFloatData;
    case DType::Float64:
    case DType::Complex128:
        return kDoubleData;
    case DType::Int64:
        return kInt64Data;
    case DType::UInt64:
    case DType::UInt32:
        return kUint64Data;
    case DType::String:
        return kStringData;
    default:
        return kInt32Data;
    }
}

template <typename List> void appendElements(std::vector<std::byte>& bytes, const List& list) {
    const auto* first = reinterpret_cast<const std::byte*>(list.data());
    bytes.insert(
        bytes.end(), first, first + static_cast<std::size_t>(list.size()) * sizeof *list.data());
}

template <typename List> void appendIntegers(TensorData& data, const List& list) {
    for (const auto value : list)
        ir::appendPacked(data.bytes, data.dtype, static_cast<std::uint64_t>(value));
}

/// Writers that put each 4- or 2-bit element into an int32 of its own: packs them.
void packLoose(TensorData& data, std::int64_t elements) {
    const int width = ir::bitWidth(data.dtype);
    if (width == 0 || width >= 8 || static_cast<std::int64_t>(data.bytes.size()) != elements)
        return;
    const std::size_t perByte = static_cast<std::size_t>(8 / width);
    if (elements <= 1)
        return;
    std::vector<std::byte> packed((data.bytes.size() + perByte - 1) / perByte);
    const auto mask = static_cast<std::byte>((1 << width) - 1);
    for (std::size_t i = 0; i < data.bytes.size(); ++i)
        packed[i / perByte] |= (data.bytes[i] & mask) << (static_cast<int>(i % perByte) * width);
    data.bytes = std::move(packed);
}

void appendTyped(TensorData& data, const proto::TensorProto& tensor) {
    switch (typedField(data.dtype)) {
    case kFloatData:
        return appendElements(data.bytes, tensor.float_data());
    case kDoubleData:
        return appendElements(data.bytes, tensor.double_data());
    case kInt64Data:
        return appendIntegers(data, tensor.int64_data());
    case kUint64Data:
        return appendIntegers(data, tensor.uint64_data());
    default:
        appendIntegers(data, tensor.int32_data());
        packLoose(data, data.elements());
    }
}

bool hasTyped(const proto::TensorProto& tensor, std::uint32_t field) {
    switch (field) {
    case kFloatData:
        return tensor.float_data_size() > 0;
    case kInt32Data:
        return tensor.int32_data_size() > 0;
    case kStringData:
        return tensor.string_data_size() > 0;
    case kInt64Data:
        return tensor.int64_data_size() > 0;
    case kDoubleData:
        return tensor.double_data_size() > 0;
    case kUint64Data:
        return tensor.uint64_data_size() > 0;
    default:
        return false;
    }
}

std::optional<std::uint64_t> parseUnsigned(const std::string& text) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

std::string absoluteText(const std::filesystem::path& path) {
    std::error_code error;
    const auto absolute = std::filesystem::absolute(path, error);
    return error ? path.string() : absolute.string();
}

} // namespace

Tensors::Tensors(
    ir::TensorStore& store, const std::filesystem::path& model, base::Diagnostics& diagnostics)
    : m_store(store)
    , m_model(absoluteText(model))
    , m_externalFiles(model)
    , m_diagnostics(diagnostics) { }

ir::TensorId Tensors::add(const proto::TensorProto& tensor, const std::string& name) {
    const auto [found, isNew] = m_idByMessage.try_emplace(&tensor);
    if (isNew)
        found->second = m_store.add(convert(tensor, name));
    return found->second;
}

ir::TensorId Tensors::add(const proto::SparseTensorProto& tensor, const std::string& name) {
    if (const auto found = m_idByMessage.find(&tensor); found != m_idByMessage.end())
        return found->second;
    TensorData data = convert(tensor.values(), name);
    data.nonZeros = data.elements();
    data.sparseIndices = m_store.add(convert(tensor.indices(), data.name + "/indices"));
    data.shape.assign(tensor.dims().begin(), tensor.dims().end());
    for (std::int64_t& dim : data.shape)
        dim = std::max<std::int64_t>(dim, 0);
    const ir::TensorId id = m_store.add(std::move(data));
    m_idByMessage.emplace(&tensor, id);
    return id;
}

ir::TensorId Tensors::addFloats(
    const std::string& name, const std::vector<double>& values, bool isScalar) {
    TensorData data;
    data.name = name;
    data.dtype = DType::Float32;
    data.storage = TensorStorage::Inline;
    for (const double value : values) {
        const auto narrow = static_cast<float>(value);
        std::uint32_t bits = 0;
        std::memcpy(&bits, &narrow, sizeof bits);
        ir::appendPacked(data.bytes, data.dtype, bits);
    }
    if (!isScalar)
        data.shape = {static_cast<std::int64_t>(values.size())};
    return m_store.add(std::move(data));
}

ir::TensorId Tensors::addIntegers(
    const std::string& name, const std::vector<std::int64_t>& values, bool isScalar) {
    TensorData data;
    data.name = name;
    data.dtype = DType::Int64;
    data.storage = TensorStorage::Inline;
    appendIntegers(data, values);
    if (!isScalar)
        data.shape = {static_cast<std::int64_t>(values.size())};
    return m_store.add(std::move(data));
}

ir::TensorId Tensors::addStrings(
    const std::string& name, const std::vector<std::string>& values, bool isScalar) {
    TensorData data;
    data.name = name;
    data.dtype = DType::String;
    data.storage = TensorStorage::Strings;
    data.strings = values;
    if (!isScalar)
        data.shape = {static_cast<std::int64_t>(values.size())};
    return m_store.add(std::move(data));
}

TensorData Tensors::convert(const proto::TensorProto& tensor, const std::string& name) {
    TensorData data;
    data.name = tensor.name().empty() ? name : tensor.name();
    if (const auto dtype = dtypeOfCode(tensor.data_type()))
        data.dtype = *dtype;
    else
        m_diagnostics.warn("onnx.unknown_dtype", data.name,
            "Element type " + std::to_string(tensor.data_type())
                + " is not known; the tensor is shown as raw bytes.",
            "Open the model with a version that knows the type.");
    setShape(data, tensor);
    if (tensor.has_segment())
        setMissing(data, "onnx.tensor_segment", "The tensor is one segment of a larger one.");
    else if (tensor.data_location() == kExternal)
        setExternal(data, tensor);
    else if (data.dtype == DType::String)
        setStrings(data, tensor);
    else if (tensor.has_left_out())
        setLeftOut(data, tensor);
    else
        setInline(data, tensor);
    return data;
}

void Tensors::setShape(TensorData& data, const proto::TensorProto& tensor) {
    for (const std::int64_t dim : tensor.dims()) {
        if (dim < 0)
            m_diagnostics.warn("onnx.negative_size", data.name,
                "A stored tensor has the negative size " + std::to_string(dim) + "; 0 is taken.",
                "Export the model again.");
        data.shape.push_back(std::max<std::int64_t>(dim, 0));
    }
}

void Tensors::setMissing(TensorData& data, const char* code, std::string reason) {
    m_diagnostics.warn(code, data.name, reason, "Export the model again; its graph is shown.");
    data.storage = TensorStorage::Missing;
    data.bytes.clear();
    data.missingReason = std::move(reason);
}

void Tensors::setStrings(TensorData& data, const proto::TensorProto& tensor) {
    data.storage = TensorStorage::Strings;
    data.strings.assign(tensor.string_data().begin(), tensor.string_data().end());
    if (!tensor.has_left_out() && static_cast<std::int64_t>(data.strings.size()) == data.elements())
        return;
    data.storage = TensorStorage::Missing;
    data.strings.clear();
    data.missingReason = tensor.has_left_out()
        ? "The texts of this tensor are too long to be loaded with the graph."
        : "The tensor has another number of texts than its shape says.";
}

void Tensors::setInline(TensorData& data, const proto::TensorProto& tensor) {
    data.storage = TensorStorage::Inline;
    if (tensor.has_raw_data()) {
        const auto* raw = reinterpret_cast<const std::byte*>(tensor.raw_data().data());
        data.bytes.assign(raw, raw + tensor.raw_data().size());
    } else {
        appendTyped(data, tensor);
    }
    if (data.dtype == DType::Undefined)
        return;
    const auto expected = expectedBytes(data, data.elements());
    if (expected && data.bytes.size() == *expected)
        return;
    if (data.bytes.empty()) {
        data.storage = TensorStorage::Missing;
        data.missingReason = "The file has the shape of this tensor and no values.";
        m_diagnostics.info("onnx.values_missing", {},
            "Some tensors have a shape and no values in the file.",
            "Values are needed only where shapes depend on them.");
    } else if (expected && data.bytes.size() > *expected) {
        data.bytes.resize(*expected);
        m_diagnostics.warn("onnx.tensor_size", data.name,
            "The tensor holds more bytes than its shape needs; the rest is not used.",
            "Export the model again.");
    } else {
        setMissing(data, "onnx.tensor_size",
            "The tensor holds fewer bytes (" + std::to_string(data.bytes.size())
                + ") than its shape needs.");
    }
}

void Tensors::setLeftOut(TensorData& data, const proto::TensorProto& tensor) {
    const auto& leftOut = tensor.left_out();
    data.file = m_model;
    data.offset = leftOut.offset();
    data.length = leftOut.length();
    const bool isRaw = leftOut.field() == kRawData;
    if (!isRaw && data.dtype != DType::Undefined && leftOut.field() != typedField(data.dtype))
        return setMissing(data, "onnx.tensor_field",
            "The tensor's values are stored in a field of another element type.");
    if (!isRaw && (leftOut.parts() > 1 || hasTyped(tensor, leftOut.field())))
        return setMissing(data, "onnx.tensor_pieces",
            "The tensor's values are stored in several pieces, which are not joined.");
    const bool isFixed = isRaw || leftOut.field() == kFloatData || leftOut.field() == kDoubleData;
    data.storage = isFixed ? TensorStorage::FileRegion : TensorStorage::FileVarints;
    const auto expected = expectedBytes(data, data.elements());
    if (!isFixed || !expected || *expected == data.length)
        return;
    if (data.length < *expected)
        return setMissing(data, "onnx.tensor_size",
            "The tensor holds fewer bytes (" + std::to_string(data.length)
                + ") than its shape needs (" + std::to_string(*expected) + ").");
    data.length = *expected;
    m_diagnostics.warn("onnx.tensor_size", data.name,
        "The tensor holds more bytes than its shape needs; the rest is not used.",
        "Export the model again.");
}

void Tensors::setExternal(TensorData& data, const proto::TensorProto& tensor) {
    std::string location;
    std::string offsetText = "0";
    std::string lengthText;
    for (const auto& entry : tensor.external_data()) {
        if (entry.key() == "location")
            location = entry.value();
        else if (entry.key() == "offset")
            offsetText = entry.value();
        else if (entry.key() == "length")
            lengthText = entry.value();
    }
    const ExternalFile& file = m_externalFiles.find(location);
    if (file.state != ExternalState::Found) {
        data.storage = TensorStorage::Missing;
        data.missingReason = file.reason;
        if (file.state == ExternalState::Refused)
            m_diagnostics.error("onnx.external_data_refused", {}, file.reason,
                "Put the file beside the model and save the model with its bare name.");
        else
            m_diagnostics.warn("onnx.external_data_missing", {},
                file.reason + " The graph is shown without these weights.",
                "Put the file beside the model.");
        return;
    }
    const auto offset = parseUnsigned(offsetText);
    const auto declared =
        lengthText.empty() ? std::optional<std::uint64_t>(0) : parseUnsigned(lengthText);
    if (!offset || !declared)
        return setMissing(data, "onnx.external_data_entry",
            "The place of the tensor in its external file is not a number.");
    const auto expected = expectedBytes(data, data.elements());
    data.file = file.path.string();
    data.offset = *offset;
    data.length = expected ? *expected : *declared;
    data.storage = TensorStorage::FileRegion;
    if (!lengthText.empty() && expected && *declared < *expected)
        return setMissing(data, "onnx.tensor_size",
            "External data gives the tensor fewer bytes (" + lengthText + ") than its shape needs ("
                + std::to_string(*expected) + ").");
    if (*offset > file.size || data.length > file.size - *offset)
        return setMissing(data, "onnx.external_data_short",
            "The external file \"" + location + "\" ends before the tensor's values do.");
}

} // namespace fivefold::frontends::onnx
