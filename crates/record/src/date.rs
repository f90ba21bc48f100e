//! Dates and times as PGN writes them. They are in UTC, so they do not depend on the machine's time zone.

use std::time::SystemTime;

use time::OffsetDateTime;

/// The date of a moment: `2026.12.31`.
#[must_use]
pub fn date(moment: SystemTime) -> String {
    let moment = OffsetDateTime::from(moment);
    format!("{:04}.{:02}.{:02}", moment.year(), u8::from(moment.month()), moment.day())
}

/// The time of day of a moment: `23:59:59`.
#[must_use]
pub fn time_of_day(moment: SystemTime) -> String {
    let (hour, minute, second) = OffsetDateTime::from(moment).to_hms();
    format!("{hour:02}:{minute:02}:{second:02}")
}

/// Today's date.
#[must_use]
pub fn today() -> String {
    date(SystemTime::now())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn dates_and_times() {
        for (seconds, expected) in [
            (0, "1970.01.01 00:00:00"),
            (951_827_696, "2000.02.29 12:34:56"),
            (1_709_251_199, "2024.02.29 23:59:59"),
            (1_709_251_200, "2024.03.01 00:00:00"),
            (1_798_761_599, "2026.12.31 23:59:59"),
        ] {
            let moment = SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
            assert_eq!(format!("{} {}", date(moment), time_of_day(moment)), expected);
        }
    }
}
