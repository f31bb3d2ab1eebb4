#!/usr/bin/env bash
# SPDX-FileCopyrightText: Fivefold contributors
# SPDX-License-Identifier: MIT
# packaging/test.sh [--sanitize]
# Installs what is missing, builds, runs every test. With --sanitize also the long runs: all tests under the address
# and undefined-behaviour sanitizers, core's under the thread sanitizer, and the fuzzers.
set -euo pipefail
cd "$(dirname "$0")/.."
# Lets ccache serve a clone in one folder from a build in another.
export CCACHE_BASEDIR="$PWD" CCACHE_NOHASHDIR=1

sanitize=no
case "${1:-}" in
"") ;;
--sanitize) sanitize=yes ;;
*) echo "usage: packaging/test.sh [--sanitize]" >&2; exit 2 ;;
esac

# The optional folder with more real models and reference values.
if [ -z "${FIVEFOLD_SHARED:-}" ] && [ -d ../shared/reference ]; then
    FIVEFOLD_SHARED="$(cd ../shared && pwd)"
    export FIVEFOLD_SHARED
fi

./packaging/install-dependencies.sh --tests
cmake --preset release
cmake --build --preset release
ctest --preset release

[ "$sanitize" = yes ] || exit 0

./packaging/install-dependencies.sh --tests --sanitize
export FIVEFOLD_ALL=1 # every model of the corpora, not a sample
for preset in asan tsan; do
    cmake --preset "$preset"
    cmake --build --preset "$preset"
    ctest --preset "$preset"
done
cmake --preset fuzz
cmake --build --preset fuzz
seconds="${FIVEFOLD_FUZZ_SECONDS:-120}"
for fuzzer in build/fuzz/bin/fuzz_*; do
    format="$(basename "$fuzzer")"
    format="${format#fuzz_}"
    corpus="tests/fuzz/corpus/$format"
    found="build/fuzz/found/$format"
    mkdir -p "$found"
    "$fuzzer" -max_total_time="$seconds" -rss_limit_mb=2048 -timeout=20 -artifact_prefix="$found/" "$found" "$corpus"
done
