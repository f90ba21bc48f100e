# Shell functions that several scripts share. Source it from the top of the repository.

# Whether this processor runs code for an x86-64 level (x86-64-v2, -v3, -v4).
runs_level() {
    [ "$(uname -m)" = x86_64 ] && [ -r /proc/cpuinfo ] || return 1
    local flags
    case $1 in
        x86-64-v2) flags="popcnt sse4_2 ssse3" ;;
        x86-64-v3) flags="avx2 bmi1 bmi2 fma movbe" ;;
        x86-64-v4) flags="avx2 bmi2 avx512f avx512bw avx512cd avx512dq avx512vl" ;;
        *) return 1 ;;
    esac
    for flag in $flags; do
        grep -qw -m 1 "$flag" /proc/cpuinfo || return 1
    done
}

# The node count that `bench` of a program prints.
bench_nodes() {
    "$1" bench | tail -n 1 | cut -d ' ' -f 1
}

# The node count that the newest commit with a `Bench:` line promises.
expected_nodes() {
    git log -20 --format=%B | sed -n 's/^Bench: \([0-9]*\)$/\1/p' | head -n 1
}

# The target that this compiler builds for by default.
host_target() {
    rustc -vV | sed -n 's/^host: //p'
}

workspace_version() {
    sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -n 1
}
