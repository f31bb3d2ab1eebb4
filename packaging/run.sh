#!/usr/bin/env bash
# SPDX-FileCopyrightText: Fivefold contributors
# SPDX-License-Identifier: MIT
# packaging/run.sh [FILE] [options of fivefold]
# Installs what is missing, builds, opens the window. Without a display it renders the window off screen to a PNG and
# prints where that is.
set -euo pipefail

# Names of files are relative to where the user stands, not to the source tree.
arguments=()
for argument in "$@"; do
    if [ -e "$argument" ]; then arguments+=("$(realpath "$argument")"); else arguments+=("$argument"); fi
done
cd "$(dirname "$0")/.."
# Lets ccache serve a clone in one folder from a build in another.
export CCACHE_BASEDIR="$PWD" CCACHE_NOHASHDIR=1
./packaging/install-dependencies.sh
log="$(mktemp)"
trap 'rm -f "$log"' EXIT
cmake --preset release -DFIVEFOLD_BUILD_TESTS=OFF >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
cmake --build --preset release --target fivefold fivefold-cli

program=build/release/fivefold
if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
    rm -f "$log"
    exec "$program" "${arguments[@]+"${arguments[@]}"}"
fi
picture="$PWD/build/release/fivefold-window.png"
"$program" "${arguments[@]+"${arguments[@]}"}" --render "$picture"
echo "There is no display: the window was rendered off screen to $picture"
