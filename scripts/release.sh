#!/usr/bin/env bash
# Builds what a release consists of: one program for each x86-64 level, and their checksums.
#   scripts/release.sh [DIRECTORY]      into DIRECTORY, target/dist by default
# Programs that this processor can run must search the tree that the last commit promises. Set PGO=1 for profile-guided builds
# of those (see scripts/pgo.sh). Build on a machine with fast PEXT (Intel, or AMD since Zen 3): on others v3 and v4 go without.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/common.sh

directory=${1:-target/dist}
version=$(workspace_version)
host=$(host_target)
expected=$(expected_nodes)
mkdir -p "$directory"
for level in x86-64-v2 x86-64-v3 x86-64-v4; do
    name=stillwater-$version-${host#*-}-$level
    if [ -n "${PGO-}" ] && runs_level $level; then
        CPU=$level scripts/pgo.sh "$directory/$name"
    else
        RUSTFLAGS="-C target-cpu=$level" \
            cargo build --release --locked --quiet -p stillwater --target "$host" --target-dir target/levels
        cp "target/levels/$host/release/stillwater" "$directory/$name"
    fi
    if runs_level $level; then
        found=$(bench_nodes "$directory/$name")
        [ "$found" = "$expected" ] || { echo "$name: bench is $found nodes instead of $expected" >&2; exit 1; }
        echo "$name: bench $found"
    else
        echo "$name: built, but this processor cannot run it"
    fi
done
cd "$directory"
sha256sum stillwater-"$version"-* >SHA256SUMS
cat SHA256SUMS
