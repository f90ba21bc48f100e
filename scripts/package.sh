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
# To Cargo a package of the same version is the same package, so what it unpacked and built of earlier ones must go. It unpacks them
# where it unpacks all others, under the names of nameless registries.
rm -rf "${CARGO_HOME:-$HOME/.cargo}"/registry/{src,cache}/-*/stillwater-*
[ ! -d target/package-check ] || find target/package-check -depth -name '*stillwater*' -exec rm -rf {} +
# Cargo builds the packages against each other before any of them is published.
cargo package --workspace --allow-dirty --quiet --target-dir target/package-check
echo "packaged and built from packages: $(tr '\n' ' ' <<<"$names")"
