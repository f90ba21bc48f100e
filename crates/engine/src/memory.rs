//! Memory from the system: how much is available, and large tables on huge pages.
//!
//! Systems often grant more memory than they have, and kill the program when it uses it. Huge pages matter because the
//! hash table is read at random: with pages of 4 KB nearly every read also misses the TLB. Linux provides pages of 2 MB
//! on request, if it can; other systems are not asked.

use std::fs;

/// Bytes that can be used before the system starts killing processes; none if it does not say.
pub(crate) fn available() -> Option<u64> {
    let machine = fs::read_to_string("/proc/meminfo").ok().and_then(|text| kilobytes(&text, "MemAvailable:"));
    machine.into_iter().chain(group_two()).chain(group_one()).min()
}

fn kilobytes(text: &str, name: &str) -> Option<u64> {
    let rest = text.lines().find_map(|line| line.strip_prefix(name))?;
    rest.split_whitespace().next()?.parse::<u64>().ok()?.checked_mul(1024)
}

/// What is left in the container's control group (version 2). File caches count as used there but can be reclaimed.
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

/// An empty list with room for exactly `count` items, on huge pages if the system has them. None without enough memory.
pub(crate) fn room_for<T>(count: usize) -> Option<Vec<T>> {
    let mut list = Vec::new();
    list.try_reserve_exact(count).ok()?;
    ask_for_large_pages(&list);
    Some(list)
}

/// Requests huge pages for the room of a list that nothing was written to yet.
#[cfg(target_os = "linux")]
#[allow(unsafe_code, reason = "the standard library does not advise the system about memory")]
fn ask_for_large_pages<T>(list: &Vec<T>) {
    use std::ffi::{c_int, c_void};

    /// `MADV_HUGEPAGE`, the same on all processors.
    const HUGE_PAGES: c_int = 14;
    const LARGE: usize = 2 << 20;
    unsafe extern "C" {
        fn madvise(address: *mut c_void, length: usize, advice: c_int) -> c_int;
    }

    let start = list.as_ptr().addr().next_multiple_of(LARGE);
    let end = list.as_ptr().addr() + list.capacity() * size_of::<T>();
    if start + LARGE <= end {
        let address = list.as_ptr().with_addr(start).cast_mut().cast();
        // SAFETY: the range lies within memory that the list owns; the advice changes no contents and may be ignored.
        unsafe { madvise(address, end - start, HUGE_PAGES) };
    }
}

#[cfg(not(target_os = "linux"))]
fn ask_for_large_pages<T>(_: &Vec<T>) {}

/// Prefetches something that will be read soon.
#[inline]
#[allow(unsafe_code, reason = "a prefetch has no safe form in std")]
pub(crate) fn prefetch<T>(soon: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch of any address is harmless, and this one is of a live reference.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(soon).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = soon;
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

    #[test]
    fn room_is_given_and_refused() {
        for count in [0, 1, 1000, 3 << 20] {
            let mut list = room_for::<u64>(count).expect("enough memory");
            assert!(list.is_empty() && list.capacity() == count);
            list.resize(count, 7);
            assert!(list.iter().all(|&number| number == 7));
        }
        assert!(room_for::<u64>(usize::MAX / 16).is_none());
    }
}
