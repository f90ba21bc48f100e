#!/usr/bin/env bash
# Fuzzes the readers of everything that comes from outside: scripts/fuzz.sh [SECONDS] [TARGET...]; 600 seconds and all targets unless
# told otherwise. Builds with stable Rust: RUSTC_BOOTSTRAP lets it use the sanitizer flags of the nightly compiler. What is found
# lies in fuzz/target/found; the corpora in fuzz/corpus are read, not written.
set -euo pipefail
cd "$(dirname "$0")/../fuzz"
seconds=${1:-600}
shift || true
targets=${*:-fen san uci pgn net hash data book tables}
export RUSTC_BOOTSTRAP=1
export RUSTFLAGS="-Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=4 \
    -Cllvm-args=-sanitizer-coverage-inline-8bit-counters -Cllvm-args=-sanitizer-coverage-pc-table \
    -Cllvm-args=-sanitizer-coverage-trace-compares -Zsanitizer=address -Ccodegen-units=1"
triple=x86_64-unknown-linux-gnu
cargo build --release --target $triple
export ASAN_OPTIONS=detect_leaks=0
mkdir -p target/found
for target in $targets; do
    mkdir -p "target/corpus/$target" "corpus/$target"
    echo "== $target"
    FUZZ_TARGET=$target "target/$triple/release/stillwater-fuzz" -max_total_time="$seconds" -max_len=4096 -timeout=10 \
        -rss_limit_mb=2048 -seed="${SEED:-18}" -print_final_stats=1 -artifact_prefix="target/found/$target-" \
        "target/corpus/$target" "corpus/$target" 2>&1 | grep -E "ERROR|panicked|SUMMARY|Done|stat::number_of_executed|stat::peak_rss|artifact" || true
done
if ls target/found/* > /dev/null 2>&1; then
    echo "found:"
    ls target/found
    exit 1
fi
