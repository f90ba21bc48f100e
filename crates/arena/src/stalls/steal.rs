//! Stolen time: how long the host of a virtual machine ran something else on a processor, as Linux counts it.

use std::time::Duration;

/// The unit of `/proc/stat`: a hundredth of a second on every processor this runs on.
const TICK: Duration = Duration::from_millis(10);

/// The time stolen so far from a core, or from all of them; none if the system does not report it.
pub(super) fn stolen(core: Option<usize>) -> Option<Duration> {
    parse(&std::fs::read_to_string("/proc/stat").ok()?, core)
}

/// The eighth number after the core's name.
fn parse(text: &str, core: Option<usize>) -> Option<Duration> {
    let name = core.map_or_else(|| "cpu".to_owned(), |core| format!("cpu{core}"));
    let mut words = text.lines().map(str::split_ascii_whitespace).find(|words| words.clone().next() == Some(&name))?;
    let ticks: u32 = words.nth(8)?.parse().ok()?;
    Some(TICK * ticks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_column_of_stolen_time() {
        let text = "cpu  33800 28887 4092 16156 670 0 45 173 0 0\ncpu0 17690 14511 1799 7786 64 0 12 75 0 0\ncpu10 1 2 3 4 5 6 7 8 9\n";
        for (core, ticks) in [(None, Some(173)), (Some(0), Some(75)), (Some(10), Some(8)), (Some(1), None)] {
            assert_eq!(parse(text, core), ticks.map(|ticks: u32| TICK * ticks));
        }
        assert_eq!(parse("cpu 1 2 3 4\n", None), None, "an old system");
    }
}
