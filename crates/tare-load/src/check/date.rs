//! The date of an answer, in the form that servers must write: `Sat, 21 Nov 2026 20:00:00 GMT` (RFC 9110 §5.6.7,
//! IMF-fixdate).

const DAYS: [&str; 7] = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];
const MONTHS: [&str; 12] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
];

/// The seconds from 1970 to a date; none if the text is not a date, or names the wrong day of the week.
pub(crate) fn parse(text: &[u8]) -> Option<i64> {
    let text = std::str::from_utf8(text).ok().filter(|text| text.len() == 29)?;
    let parts: Vec<&str> = text.split([' ', ':']).collect();
    let [name, day, month, year, hour, minute, second, "GMT"] = parts[..] else {
        return None;
    };
    let month = MONTHS.iter().position(|known| *known == month)? as i64 + 1;
    let (day, year) = (number(day, 2)?, number(year, 4)?);
    let (hour, minute, second) = (number(hour, 2)?, number(minute, 2)?, number(second, 2)?);
    let in_range = (1..=31).contains(&day) && hour < 24 && minute < 60 && second <= 60;
    let days = days(year, month, day);
    let named = name.strip_suffix(',') == Some(DAYS[days.rem_euclid(7) as usize]);
    (in_range && named).then_some(days * 86_400 + hour * 3600 + minute * 60 + second)
}

fn number(text: &str, len: usize) -> Option<i64> {
    let valid = text.len() == len && text.bytes().all(|byte| byte.is_ascii_digit());
    valid.then(|| text.parse().ok())?
}

/// The days from 1970-01-01 to a day of the Gregorian calendar. Years begin in March here, so that the leap day is the
/// last day and the months before any month have 30.6 days on average.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = if month > 2 {
        (year, month - 3)
    } else {
        (year - 1, month + 9)
    };
    let leap_days = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    year * 365 + leap_days + (month * 306 + 5) / 10 + day - 1 - 719_468
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_read_and_others_refused() {
        // By `date -u -d …  +%s`.
        for (text, seconds) in [
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("Sat, 21 Nov 2026 20:00:00 GMT", 1_795_291_200),
            ("Tue, 29 Feb 2000 23:59:59 GMT", 951_868_799),
            ("Mon, 31 Dec 2029 12:34:56 GMT", 1_893_414_896),
            ("Sun, 01 Mar 2020 00:00:00 GMT", 1_583_020_800),
        ] {
            assert_eq!(parse(text.as_bytes()), Some(seconds), "{text}");
        }
        for text in [
            "",
            "now",
            "Fri, 21 Nov 2026 20:00:00 GMT",
            "Sat, 21 Nov 2026 20:00:00 UTC",
            "Sat, 21 nov 2026 20:00:00 GMT",
            "Sat, 21 Nov 2026 24:00:00 GMT",
            "Sat, 1 Nov 2026 20:00:00 GMT ",
            "Saturday, 21-Nov-26 20:00:00 ",
            "Sat Nov 21 20:00:00 2026 GMT.",
            "Sat, 21 Nov 2026 20:-1:00 GMT",
        ] {
            assert_eq!(parse(text.as_bytes()), None, "{text}");
        }
    }

    /// Compared with a count day by day.
    #[test]
    fn days_follow_each_other() {
        let leap = |year: i64| year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
        let mut expected = 0;
        for year in 1970..2410 {
            let february = if leap(year) { 29 } else { 28 };
            for (month, length) in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
                .into_iter()
                .enumerate()
            {
                for day in 1..=length {
                    assert_eq!(
                        days(year, month as i64 + 1, day),
                        expected,
                        "{year}-{month}-{day}"
                    );
                    expected += 1;
                }
            }
        }
    }
}
