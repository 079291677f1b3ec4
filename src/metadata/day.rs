//! Calendar days without a clock: `YYYY-MM-DD` to seconds since 1970 and back, always UTC.
//!
//! Proleptic Gregorian calendar, algorithm of Howard Hinnant, "chrono-compatible low-level date
//! algorithms" (2013). No time zone, no locale, no leap seconds.

/// Seconds of a day.
const DAY: i64 = 86_400;

/// A moment split into calendar fields, UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Civil {
    /// Year.
    pub year: i64,
    /// Month, 1 to 12.
    pub month: u8,
    /// Day of the month, from 1.
    pub day: u8,
    /// Second of the day.
    pub second: u32,
}

impl Civil {
    /// Calendar fields of `epoch` seconds since 1970-01-01T00:00:00Z.
    pub const fn of_epoch(epoch: i64) -> Self {
        let shifted = epoch.div_euclid(DAY) + 719_468;
        let era = shifted.div_euclid(146_097);
        let of_era = shifted.rem_euclid(146_097);
        let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let shifted_month = (5 * of_year + 2) / 153;
        let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
        Self {
            year: year_of_era + era * 400 + (month <= 2) as i64,
            month: month as u8,
            day: (of_year - (153 * shifted_month + 2) / 5 + 1) as u8,
            second: epoch.rem_euclid(DAY) as u32,
        }
    }

    /// The day as `YYYY-MM-DD`.
    pub fn date(&self) -> String {
        format!("{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }

    /// The moment as `YYYY-MM-DDThh:mm:ss+00:00` (RO-Crate validators refuse the short `Z`).
    pub fn moment(&self) -> String {
        let (hour, minute, second) = (self.second / 3600, self.second / 60 % 60, self.second % 60);
        format!("{}T{hour:02}:{minute:02}:{second:02}+00:00", self.date())
    }
}

/// Midnight UTC of a `YYYY-MM-DD` as seconds since 1970; `None` for text that is no day of the
/// calendar.
///
/// ```
/// assert_eq!(repro::metadata::epoch_of("1980-01-01"), Some(315_532_800));
/// assert_eq!(repro::metadata::epoch_of("2025-02-29"), None);
/// ```
pub fn epoch_of(date: &str) -> Option<i64> {
    let bytes = date.as_bytes();
    let digits = |range: std::ops::Range<usize>| -> Option<i64> {
        let text = date.get(range)?;
        text.bytes().all(|b| b.is_ascii_digit()).then(|| text.parse().ok())?
    };
    if bytes.len() != 10 || bytes[4] != b'-' || bytes[7] != b'-' {
        return None;
    }
    let (year, month, day) = (digits(0..4)?, digits(5..7)?, digits(8..10)?);
    if !(1..=12).contains(&month) {
        return None;
    }
    let shifted_year = year - i64::from(month <= 2);
    let era = shifted_year.div_euclid(400);
    let year_of_era = shifted_year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + of_year;
    let epoch = (era * 146_097 + of_era - 719_468) * DAY;
    // A day that the calendar does not have comes back as another one.
    (Civil::of_epoch(epoch).date() == date).then_some(epoch)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn known_days() {
        // Values of GNU date.
        for (date, epoch) in [
            ("1970-01-01", 0),
            ("2000-02-29", 951_782_400),
            ("2025-11-30", 1_764_460_800),
            ("1969-12-31", -86_400),
            ("2107-12-31", 4_354_732_800),
        ] {
            assert_eq!(epoch_of(date), Some(epoch), "{date}");
            assert_eq!(Civil::of_epoch(epoch).date(), date);
        }
        assert_eq!(Civil::of_epoch(1_764_463_779).moment(), "2025-11-30T00:49:39+00:00");
        for wrong in
            ["", "2025-13-01", "2025-04-31", "1900-02-29", "25-01-01", "2025-1-01", "2025-01-01T", "+025-01-01"]
        {
            assert_eq!(epoch_of(wrong), None, "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn days_round_trip(day in 0_i64..2_900_000) {
            let epoch = (day - 719_162) * DAY;
            prop_assert_eq!(epoch_of(&Civil::of_epoch(epoch).date()), Some(epoch));
        }
    }
}
