//! How much memory the machine can still give. Asking for more than that is often granted and then punished: the system ends the
//! program when it uses what it was promised.

use std::fs;

/// Bytes that can be had without anybody being ended for it; none if the system does not tell.
pub(crate) fn available() -> Option<u64> {
    let machine = fs::read_to_string("/proc/meminfo").ok().and_then(|text| kilobytes(&text, "MemAvailable:"));
    machine.into_iter().chain(group_two()).chain(group_one()).min()
}

fn kilobytes(text: &str, name: &str) -> Option<u64> {
    let rest = text.lines().find_map(|line| line.strip_prefix(name))?;
    rest.split_whitespace().next()?.parse::<u64>().ok()?.checked_mul(1024)
}

/// What the control group (version 2) that a container runs in leaves. File caches count as used there but can be had.
fn group_two() -> Option<u64> {
    let read = |name: &str| fs::read_to_string(format!("/sys/fs/cgroup/memory.{name}")).ok();
    left(read("max")?.trim(), read("current")?.trim(), &read("stat").unwrap_or_default(), "inactive_file ")
}

/// The same for version 1.
fn group_one() -> Option<u64> {
    let read = |name: &str| fs::read_to_string(format!("/sys/fs/cgroup/memory/memory.{name}")).ok();
    let stat = read("stat").unwrap_or_default();
    left(read("limit_in_bytes")?.trim(), read("usage_in_bytes")?.trim(), &stat, "total_inactive_file ")
}

fn left(most: &str, used: &str, stat: &str, cache: &str) -> Option<u64> {
    let (most, used): (u64, u64) = (most.parse().ok()?, used.parse().ok()?);
    let cached = stat.lines().find_map(|line| line.strip_prefix(cache)?.trim().parse::<u64>().ok()).unwrap_or(0);
    Some(most.saturating_sub(used.saturating_sub(cached)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_found() {
        let text = "MemTotal:       100 kB\nMemAvailable:    42 kB\n";
        assert_eq!(kilobytes(text, "MemAvailable:"), Some(42 << 10));
        assert_eq!(kilobytes(text, "MemFree:"), None);
        assert_eq!(left("1000", "600", "inactive_file 100\n", "inactive_file "), Some(500));
        assert_eq!(left("max", "600", "", "inactive_file "), None, "no limit");
        if cfg!(target_os = "linux") {
            assert!(available().is_some_and(|bytes| bytes > 1 << 20));
        }
    }
}
