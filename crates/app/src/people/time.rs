//! Parses and formats times the way people write them.

use std::time::Duration;

/// A time: seconds, or a number with its unit, as in `1`, `0.5`, `1s`, `500ms`, `2m` or `1h`; at least a millisecond.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let text = text.trim();
    let number_end = text.find(|letter: char| !letter.is_ascii_digit() && letter != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(number_end);
    let factor = match unit.trim().to_ascii_lowercase().as_str() {
        "ms" => 0.001,
        "" | "s" | "sec" | "seconds" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err("not a time such as 1, 0.5, 1s, 500ms or 2m".to_owned()),
    };
    let number: f64 = number.parse().map_err(|_| "not a time such as 1, 0.5, 1s, 500ms or 2m".to_owned())?;
    let seconds = number * factor;
    if !(0.001..=1e7).contains(&seconds) {
        return Err("not between 1 ms and 10000000 seconds".into());
    }
    Ok(Duration::from_secs_f64(seconds))
}

/// A clock: minutes and, after a plus sign, seconds per move, as in `5+3`; each part may have a unit, as in
/// `90s+500ms`.
pub(crate) fn clock(text: &str) -> Result<(Duration, Duration), String> {
    let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
    let is_bare = base.trim().ends_with(|letter: char| letter.is_ascii_digit());
    let base = duration(&if is_bare { format!("{}m", base.trim()) } else { base.to_owned() })?;
    let increment = if increment.trim() == "0" { Duration::ZERO } else { duration(increment)? };
    Ok((base, increment))
}

/// A time as a clock shows it: `4:59`, and tenths of a second below ten seconds.
pub(crate) fn shown(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0..10 => format!("0:0{:.1}", (time.as_secs_f64() * 10.0).floor() / 10.0),
        10..3600 => format!("{}:{:02}", seconds / 60, seconds % 60),
        _ => format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_in_every_writing() {
        for (text, milliseconds) in [
            ("1", 1000),
            ("1s", 1000),
            ("500ms", 500),
            ("0.5", 500),
            (".25", 250),
            ("2m", 120_000),
            ("1 h", 3_600_000),
            ("10 S", 10_000),
        ] {
            assert_eq!(duration(text), Ok(Duration::from_millis(milliseconds)), "{text}");
        }
        for text in ["", "s", "-1", "0", "1x", "1e3", "nan", "inf", "1s2", "9999999999", "\u{2603}"] {
            assert!(duration(text).is_err(), "{text}");
        }
    }

    #[test]
    fn clocks() {
        let of = |base, increment| Ok((Duration::from_millis(base), Duration::from_millis(increment)));
        assert_eq!(clock("5+3"), of(300_000, 3000));
        assert_eq!(clock("0.5"), of(30_000, 0));
        assert_eq!(clock("90s+500ms"), of(90_000, 500));
        assert!(clock("5+").is_err() && clock("+3").is_err() && clock("0+1").is_err());
        let shown = [9_940, 61_000, 3_661_000].map(|milliseconds| super::shown(Duration::from_millis(milliseconds)));
        assert_eq!(shown, ["0:09.9", "1:01", "1:01:01"]);
    }
}
