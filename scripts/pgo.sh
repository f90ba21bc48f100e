#!/usr/bin/env bash
# A profile-guided build: builds the engine with counters, lets it run `bench`, and builds it again for what it does most.
#   scripts/pgo.sh PROGRAM              CPU=x86-64-v3 builds for another processor than this one
# Needs the llvm-profdata that belongs to the compiler: `rustup component add llvm-tools`. Another one of the same LLVM version can be
# named by LLVM_PROFDATA. Without it a normal build is made, and the script says so.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/common.sh

program=${1:?usage: scripts/pgo.sh PROGRAM}
cpu=${CPU:-native}
host=$(host_target)
wanted=$(rustc -vV | sed -n 's/^LLVM version: \([0-9]*\).*/\1/p')
out=target/pgo/$host/release/stillwater

# Prints the path of an llvm-profdata whose version is the compiler's.
find_profdata() {
    local tool version
    for tool in "${LLVM_PROFDATA-}" "$(rustc --print sysroot)/lib/rustlib/$host/bin/llvm-profdata" "llvm-profdata-$wanted" llvm-profdata; do
        command -v "$tool" >/dev/null || continue
        version=$("$tool" merge --version 2>/dev/null | sed -n 's/.*LLVM version \([0-9]*\).*/\1/p')
        if [ "$version" = "$wanted" ]; then
            command -v "$tool"
            return
        fi
        echo "pgo: $tool is of LLVM ${version:-?}, but the compiler is of LLVM $wanted" >&2
    done
    return 1
}

# Builds with more compiler flags; only our own code gets them, not the build scripts.
build() {
    RUSTFLAGS="-C target-cpu=$cpu $*" \
        cargo build --release --locked --quiet -p stillwater --target "$host" --target-dir target/pgo
}

if profdata=$(find_profdata); then
    profiles=$PWD/target/pgo/profiles
    rm -rf "$profiles" && mkdir -p "$profiles"
    build "-Cprofile-generate=$profiles"
    before=$(bench_nodes $out)
    "$profdata" merge -o "$profiles/merged.profdata" "$profiles"/*.profraw
    build "-Cprofile-use=$profiles/merged.profdata"
    after=$(bench_nodes $out)
    [ "$before" = "$after" ] || { echo "pgo: bench changed from $before to $after nodes" >&2; exit 1; }
    echo "pgo: profile-guided build, bench $after"
else
    echo "pgo: no llvm-profdata of LLVM $wanted (rustup component add llvm-tools): making a normal build instead" >&2
    build
fi
cp "$out" "$program"
