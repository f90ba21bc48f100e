#!/usr/bin/env bash
# Runs searches with four threads under ThreadSanitizer and AddressSanitizer, and Miri on the parts it can run:
#   scripts/sanitize.sh [thread] [address] [miri]      all of them unless named
# Needs the nightly toolchain with the components rust-src and miri; ThreadSanitizer needs a standard library built with it.
set -euo pipefail
cd "$(dirname "$0")/.."
triple=x86_64-unknown-linux-gnu
talk=("setoption name Threads value 4" "setoption name Hash value 4" "position startpos" "go nodes 400000" "ucinewgame"
    "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1" "go nodes 400000"
    "setoption name MultiPV value 3" "go movetime 2000" "setoption name EvalFile value <none>" "go nodes 400000")

run_thread() {
    RUSTFLAGS="-Zsanitizer=thread" cargo +nightly build -Zbuild-std --release --target $triple --target-dir target/tsan -p stillwater
    TSAN_OPTIONS="halt_on_error=1 exitcode=66" "target/tsan/$triple/release/stillwater" "${talk[@]}" > /dev/null
}

run_address() {
    RUSTC_BOOTSTRAP=1 RUSTFLAGS="-Zsanitizer=address" cargo build --release --target $triple --target-dir target/asan -p stillwater
    ASAN_OPTIONS=detect_leaks=0 "target/asan/$triple/release/stillwater" "${talk[@]}" > /dev/null
}

# The rules of chess without files and without threads; the portable kernels of the network. Miri knows no PEXT.
run_miri() {
    export RUSTFLAGS="-C target-cpu=x86-64"
    MIRIFLAGS="-Zmiri-disable-isolation" cargo +nightly miri test -p stillwater-chess --lib --target-dir target/miri -- types attacks fen --skip every_lookup
    MIRIFLAGS="-Zmiri-disable-isolation" cargo +nightly miri test -p stillwater-nnue --lib --target-dir target/miri -- simd
}

for name in ${*:-address thread miri}; do
    echo "== $name"
    run_"$name"
    echo "== $name: nothing found"
done
