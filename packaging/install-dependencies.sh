#!/usr/bin/env bash
# SPDX-FileCopyrightText: Fivefold contributors
# SPDX-License-Identifier: MIT
# Installs what building, running and testing needs on Debian 12 and is missing, through apt. Asks apt for
# nothing when everything is there.
set -euo pipefail

packages=(
    g++ cmake ninja-build pkg-config ccache
    qt6-base-dev libqt6opengl6-dev qt6-charts-dev qt6-svg-dev
    libgraphviz-dev libgvc6 nlohmann-json3-dev libboost-graph-dev
    libprotobuf-dev protobuf-compiler libcli11-dev libssl-dev libcsv-dev libnlopt-dev
    libeigen3-dev libzip-dev libsqlite3-dev
    libjemalloc-dev
    fonts-dejavu-core
)
# Only for the tests: real models of the ONNX project, its shape inference as an oracle, and Google Benchmark.
test_packages=(libonnx-testdata libonnx-dev libbenchmark-dev)
# Only for the long runs of test.sh --sanitize: libFuzzer.
sanitize_packages=(clang libclang-rt-14-dev)

for argument in "$@"; do
    case "$argument" in
    --tests) packages+=("${test_packages[@]}") ;;
    --sanitize) packages+=("${sanitize_packages[@]}") ;;
    *) echo "usage: install-dependencies.sh [--tests] [--sanitize]" >&2; exit 2 ;;
    esac
done

missing=()
for package in "${packages[@]}"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || {
        echo "These packages are missing and neither root nor sudo is at hand: ${missing[*]}" >&2
        exit 1
    }
    as_root=(sudo)
fi
echo "Installing ${missing[*]}"
"${as_root[@]}" apt-get update -qq
DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
