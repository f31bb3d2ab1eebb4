// SPDX-FileCopyrightText: Fivefold contributors
// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/diagnostics.h"
#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/numerics/tensor.h"

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fivefold::compare {

/// What a hostile or damaged file may cost at most; beyond it, a sentence.
struct DumpLimits {
    std::int64_t bytes = std::int64_t(16) << 30; ///< declared, all tensors together
    std::int64_t tensorBytes = std::int64_t(4) << 30; ///< declared, one tensor
    std::int64_t tensors = 1'000'000;
    std::int64_t rank = 32;
    std::int64_t nameBytes = 4096;
    std::int64_t jsonDepth = 64;
    std::int64_t pickleBytes = std::int64_t(64) << 20;
    std::int64_t pickleOpcodes = 1'000'000;
};

/// Figures in the place of contents (msprobe statistics, TT-NN records).
struct Statistics {
    std::optional<double> minimum, maximum, mean, norm;
    /// Others under the dump's own names: "local.actual_pcc", "global.matches" of TT-NN.
    std::map<std::string, double> others;
};

/// One tensor of a dump as its file declares it. Contents are read on demand.
struct DumpEntry {
    std::string name; ///< the dump's own key, unchanged
    ir::DType dtype = ir::DType::Undefined;
    std::vector<std::int64_t> shape;
    std::optional<Statistics> statistics; ///< set where the dump has figures of the tensor
    bool hasContents = true; ///< false: figures alone
    std::string role; ///< "input", "output", "parameter", "" where the format does not say
    std::string file; ///< that holds it, relative to the dump
};

/// The tensors of one run, of any known format. Immutable; read() from one thread at a time.
class Dump {
public:
    virtual ~Dump() = default;

    const std::string& format() const { return m_format; } ///< "npz", "safetensors", "msprobe", …
    const std::string& path() const { return m_path; }
    const std::vector<DumpEntry>& entries() const { return m_entries; } ///< order of the file
    std::optional<std::size_t> find(std::string_view name) const; ///< O(log entries)
    const base::Diagnostics& diagnostics() const { return m_diagnostics; }
    /// Contents of an entry; an Error says which tensor, what is wrong, and what would mend it.
    virtual base::Result<numerics::Tensor> read(std::size_t entry) const = 0;

protected:
    std::string m_format, m_path;
    std::vector<DumpEntry> m_entries;
    base::Diagnostics m_diagnostics;
    void sortNames(); ///< for find(); once, when m_entries is complete

private:
    std::vector<std::size_t> m_byName; ///< entries in the order of their names
};

/// Opens a dump: the format is sniffed from bytes and structure, never from the name. Formats: npy,
/// npz, safetensors, PyTorch .pt (no pickle is executed), ONNX TensorProto .pb files and folders of
/// them, Polygraphy run results, msprobe step folders, TT-NN report folders (db.sqlite), and a
/// plain folder of any single-tensor files (keys: paths below it without extension, '/' as in the
/// folder).
base::Result<std::shared_ptr<const Dump>> openDump(const std::filesystem::path& path,
    const DumpLimits& limits = {}, const base::Progress& progress = {});

/// Tensors that are in memory already, as a dump.
std::shared_ptr<const Dump> dumpOf(
    std::vector<std::pair<std::string, numerics::Tensor>> tensors, std::string format = "computed");

/// Writes a .npz (stored, no compression), replaced as a whole; keys are member names + ".npy".
/// bf16 and fp8 are written as `V2`/`V1`, as NumPy without ml_dtypes has them.
base::Result<base::Done> writeNpz(const std::filesystem::path& path,
    const std::vector<std::pair<std::string, numerics::Tensor>>& tensors);

} // namespace fivefold::compare
