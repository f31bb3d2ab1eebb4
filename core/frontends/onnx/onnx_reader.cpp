// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#include "core/frontends/onnx/onnx_reader.h"

#include "core/base/mapped_file.h"
#include "core/frontends/onnx/fivefold_onnx.pb.h"
#include "core/frontends/onnx/graph_builder.h"
#include "core/frontends/onnx/slim.h"

#include <google/protobuf/arena.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include <exception>
#include <new>

namespace fivefold::frontends::onnx {

namespace proto = ::fivefold::onnx;

namespace {

using GraphResult = base::Result<std::shared_ptr<const ir::Graph>>;

/// Messages inside each other: three a subgraph (graph, node, attribute), and the types of values.
constexpr int kRecursionLimit = 3 * SlimLimits().subgraphDepth + 64;

bool parse(const std::string& slim, proto::ModelProto& model) {
    google::protobuf::io::ArrayInputStream stream(slim.data(), static_cast<int>(slim.size()));
    google::protobuf::io::CodedInputStream coded(&stream);
    coded.SetRecursionLimit(kRecursionLimit);
    return model.ParseFromCodedStream(&coded) && coded.ConsumedEntireMessage();
}

base::Error located(base::Error error, const std::filesystem::path& path) {
    error.where = path.string() + (error.where.empty() ? "" : ", " + error.where);
    return error;
}

GraphResult build(std::span<const std::byte> bytes, const std::filesystem::path& path,
    base::Diagnostics& diagnostics, const base::Progress& progress) {
    progress.report("reading", 0);
    auto slim = slimModel(bytes, {}, progress);
    if (!slim)
        return located(slim.error(), path);
    google::protobuf::Arena arena;
    auto* model = google::protobuf::Arena::CreateMessage<proto::ModelProto>(&arena);
    if (!parse(*slim, *model))
        return base::Error{base::ErrorCode::Malformed,
            "The model's structure is sound, and a list of numbers or a type inside it is damaged "
            "or "
            "nested too deep; copy, download or export it again.",
            path.string()};
    slim->clear();
    slim->shrink_to_fit();
    if (!model->has_graph())
        return base::Error{base::ErrorCode::Malformed,
            "The file looks like an ONNX model and holds no graph; export the model again.",
            path.string()};
    auto graph = std::make_shared<ir::Graph>();
    graph->info.fileBytes = static_cast<std::int64_t>(bytes.size());
    if (!GraphBuilder(*model, path, *graph, diagnostics, progress).build())
        return base::Progress::cancelled();
    progress.report("graph", 1);
    return std::shared_ptr<const ir::Graph>(std::move(graph));
}

} // namespace

base::Result<std::shared_ptr<const ir::Graph>> readModel(std::span<const std::byte> bytes,
    const std::filesystem::path& path, base::Diagnostics& diagnostics,
    const base::Progress& progress) {
    try {
        return build(bytes, path, diagnostics, progress);
    } catch (const std::bad_alloc&) {
        return base::Error{base::ErrorCode::Limit,
            "There is not enough memory for the model's graph; close other models.", path.string()};
    } catch (const std::exception& exception) {
        return base::Error{base::ErrorCode::Unreadable,
            std::string("The model could not be read: ") + exception.what() + ".", path.string()};
    }
}

int OnnxReader::sniff(std::span<const std::byte> head) const {
    return sniffModel(head);
}

base::Result<std::shared_ptr<const ir::Graph>> OnnxReader::read(const std::filesystem::path& path,
    base::Diagnostics& diagnostics, const base::Progress& progress) const {
    const auto file = base::MappedFile::open(path);
    if (!file)
        return file.error();
    return readModel(file->bytes(), path, diagnostics, progress);
}

} // namespace fivefold::frontends::onnx
