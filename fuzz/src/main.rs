//! One program for all targets; the variable FUZZ_TARGET says which one runs. scripts/fuzz.sh knows how to build and start it.
#![no_main]

mod targets;

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;

static TARGET: LazyLock<fn(&[u8])> = LazyLock::new(|| {
    let name = std::env::var("FUZZ_TARGET").unwrap_or_default();
    let found = targets::TARGETS.into_iter().find(|(target, _)| *target == name);
    found.map_or_else(|| panic!("FUZZ_TARGET is none of {:?}", targets::TARGETS.map(|(name, _)| name)), |(_, run)| run)
});

fuzz_target!(|bytes: &[u8]| TARGET(bytes));
