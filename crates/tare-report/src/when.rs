//! Moments and lengths of time as people write them.

use tare_model::units::Seconds;

/// A moment, given in seconds since 1970 UTC, as `2026-11-21T20:45:12Z` (ISO 8601).
pub(crate) fn iso(unix: i64) -> String {
    let (year, month, day) = civil(unix.div_euclid(86_400));
    let second = unix.rem_euclid(86_400);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// A moment as `2026-11-21 20:45 UTC`.
pub fn to_minute(unix: i64) -> String {
    let iso = iso(unix);
    match iso.split_once('T') {
        Some((day, time)) => format!("{day} {} UTC", &time[..5]),
        None => iso,
    }
}

/// Year, month and day of a day counted from 1970-01-01.
///
/// Years are counted from 1 March, so that the leap day is the last of its year; 146,097 days are 400 years. The
/// day of such a year divides into months by the line (5·day + 2)/153, since March to July and August to December
/// both have 153 days.
fn civil(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468; // from 0000-03-01
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    (era * 400 + year_of_era + i64::from(month <= 2), month, day)
}

/// A length of time: `48 s`, `9 min 58 s`, `2 h 5 min`; under ten seconds, three digits.
pub fn length(time: Seconds) -> String {
    if time.0 < 9.5 {
        return time.to_string();
    }
    let whole = time.0.round() as u64;
    match whole {
        0..60 => format!("{whole} s"),
        60..3600 => format!("{} min {} s", whole / 60, whole % 60),
        _ => format!("{} h {} min", whole / 3600, whole / 60 % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_agree_with_date() {
        // As `date -u -d @N +%FT%TZ` prints them.
        let cases = [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_795_293_912, "2026-11-21T20:45:12Z"),
            (4_107_542_399, "2100-02-28T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
            (-1, "1969-12-31T23:59:59Z"),
        ];
        for (unix, text) in cases {
            assert_eq!(iso(unix), text);
        }
        assert_eq!(to_minute(1_795_293_912), "2026-11-21 20:45 UTC");
    }

    #[test]
    fn lengths_read_as_people_say_them() {
        for (seconds, text) in [
            (0.812, "812 ms"),
            (9.7, "10 s"),
            (598.2, "9 min 58 s"),
            (7530.0, "2 h 5 min"),
        ] {
            assert_eq!(length(Seconds(seconds)), text);
        }
    }
}
