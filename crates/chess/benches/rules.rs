//! Criterion benchmarks: placeholder head replaced below.
fn main() {}
