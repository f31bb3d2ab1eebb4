// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
// Whole processes, start included: what a user waits for.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace {

namespace fs = std::filesystem;

std::string modelPath(const std::string& name) {
    if (const char* shared = std::getenv("FIVEFOLD_SHARED"))
        return (fs::path(shared) / "data/onnx" / (name + ".onnx")).string();
    return "samples/attention_block.onnx";
}

/// Runs a program to its end with stdout dropped; its status and its peak memory in MB.
struct Finished {
    int status = -1;
    double peakMegabytes = 0;
};
Finished run(const std::vector<std::string>& arguments) {
    std::vector<char*> argv;
    for (const std::string& argument : arguments)
        argv.push_back(const_cast<char*>(argument.c_str()));
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    pid_t child = 0;
    Finished finished;
    if (posix_spawn(&child, argv[0], &actions, nullptr, argv.data(), environ) == 0) {
        rusage usage{};
        wait4(child, &finished.status, 0, &usage);
        finished.peakMegabytes = static_cast<double>(usage.ru_maxrss) / 1024;
    }
    posix_spawn_file_actions_destroy(&actions);
    return finished;
}

void check(benchmark::State& state, const Finished& finished) {
    if (finished.status != 0)
        state.SkipWithError("the program failed");
    state.counters["peak_MB"] = finished.peakMegabytes;
}

void window(benchmark::State& state, const std::string& name) {
    const std::string picture = (fs::temp_directory_path() / "fivefold-bench.png").string();
    for (auto _ : state)
        check(state, run({FIVEFOLD_PROGRAM, modelPath(name), "--render", picture}));
}

void analyzeFive(benchmark::State& state, const std::string& name) {
    for (auto _ : state)
        for (const char* machine :
            {"gpu_h100_sxm", "tpu_v5e", "cerebras_wse3", "groq_lpu_v1", "spyre"})
            check(state,
                run({FIVEFOLD_CLI, "analyze", modelPath(name), "--machine", machine, "--json",
                    "-"}));
}

void varint(std::string& out, std::uint64_t value) {
    while (value >= 0x80) {
        out += static_cast<char>(value | 0x80);
        value >>= 7;
    }
    out += static_cast<char>(value);
}
void field(std::string& out, int number, const std::string& bytes) {
    varint(out, static_cast<std::uint64_t>(number) << 3 | 2);
    varint(out, bytes.size());
    out += bytes;
}
void field(std::string& out, int number, std::uint64_t value) {
    varint(out, static_cast<std::uint64_t>(number) << 3);
    varint(out, value);
}

/// A chain of 240 matrix products whose weights of 8 MB each lie in the file as holes: 1.9 GB that
/// take no disk.
fs::path largeModel() {
    const fs::path path = fs::temp_directory_path() / "fivefold-bench-large.onnx";
    if (fs::exists(path))
        return path;
    constexpr int kLayers = 240;
    constexpr std::uint64_t kWidth = 1411; // 1411² floats = 7.96 MB
    constexpr std::uint64_t kPayload = kWidth * kWidth * 4;
    std::vector<std::string> heads; // everything of an initializer before its raw bytes
    std::uint64_t graphBytes = 0;
    std::string nodes;
    for (int i = 0; i < kLayers; ++i) {
        const std::string weight = "w" + std::to_string(i);
        std::string node;
        field(node, 1, i == 0 ? std::string("x") : "h" + std::to_string(i - 1));
        field(node, 1, weight);
        field(node, 2, "h" + std::to_string(i));
        field(node, 4, "MatMul");
        field(nodes, 1, node);
        std::string tensor;
        field(tensor, 1, kWidth);
        field(tensor, 1, kWidth);
        field(tensor, 2, 1);
        field(tensor, 8, weight);
        varint(tensor, 9 << 3 | 2);
        varint(tensor, kPayload);
        std::string head;
        varint(head, 5 << 3 | 2);
        varint(head, tensor.size() + kPayload);
        heads.push_back(head + tensor);
        graphBytes += heads.back().size() + kPayload;
    }
    graphBytes += nodes.size();
    std::string start;
    field(start, 1, 8);
    std::string opset;
    field(opset, 2, 17);
    field(start, 8, opset);
    varint(start, 7 << 3 | 2);
    varint(start, graphBytes);
    std::ofstream out(path, std::ios::binary);
    out << start << nodes;
    for (const std::string& head : heads) {
        out << head;
        out.seekp(static_cast<std::streamoff>(kPayload), std::ios::cur);
    }
    out.close();
    fs::resize_file(path, start.size() + graphBytes);
    return path;
}

void summaryOfLargeFile(benchmark::State& state) {
    const std::string path = largeModel().string();
    for (auto _ : state)
        check(state, run({FIVEFOLD_CLI, "summary", path, "--json"}));
}

void windowOfLargeFile(benchmark::State& state) {
    const std::string picture = (fs::temp_directory_path() / "fivefold-bench.png").string();
    const std::string path = largeModel().string();
    for (auto _ : state)
        check(state, run({FIVEFOLD_PROGRAM, path, "--render", picture}));
}

} // namespace

BENCHMARK_CAPTURE(window, gpt2_small, std::string("gpt2_small"))
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(window, big_moe, std::string("big_moe_96l_16e_stripped"))
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK_CAPTURE(analyzeFive, gpt2_small, std::string("gpt2_small"))
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK(summaryOfLargeFile)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(windowOfLargeFile)->Unit(benchmark::kMillisecond)->UseRealTime();
