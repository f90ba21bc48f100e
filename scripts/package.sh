#!/usr/bin/env bash
# Packages every crate as `cargo publish` would and builds each from its packaged sources alone. Prints what the packages hold.
# With --list it only prints.
set -euo pipefail
cd "$(dirname "$0")/.."

# The network lies outside the crate that builds it in, so the package gets a copy.
network=$(sed -n 's/^const SHIPPED.*"\(.*\.nnue\)".*/\1/p' crates/engine/build.rs)
trap 'rm -rf crates/engine/nets' EXIT
mkdir -p crates/engine/nets
cp "nets/$network" crates/engine/nets/

metadata=$(cargo metadata --no-deps --format-version 1)
names=$(grep -o '"name":"stillwater[a-z-]*","version"' <<<"$metadata" | cut -d '"' -f 4 | sort -u)
for name in $names; do
    echo "== $name"
    cargo package --quiet --list --allow-dirty -p "$name"
done
[ "${1-}" = --list ] && exit 0
# Cargo builds the packages against each other before any of them is published.
cargo package --workspace --allow-dirty --quiet --target-dir target/package-check
echo "packaged and built from packages: $(tr '\n' ' ' <<<"$names")"
