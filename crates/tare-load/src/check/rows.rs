//! Lists of rows of the table `world(id, randomNumber)`.

use serde_json::Value;

use super::row;

/// The numbers that rows may be given: 1 to this.
pub(crate) const NUMBERS: u32 = 10_000;

/// What a list must hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Rows {
    /// How many rows the table has.
    pub(crate) rows: u32,
    /// How many the list has.
    pub(crate) count: u32,
    /// Whether each holds new numbers instead of the table's.
    pub(crate) changed: bool,
}

/// Reads `[{"id":N,"randomNumber":M},…]`, exactly so, into `found`. False: the body may still mean such a list.
pub(super) fn scan(body: &[u8], found: &mut Vec<(u64, u64)>) -> bool {
    found.clear();
    let mut rest = match body {
        [b'[', rest @ ..] => rest,
        _ => return false,
    };
    while let Some((row, after)) = row::scan_first(rest) {
        found.push(row);
        rest = match after {
            [b',', more @ ..] => more,
            _ => return after == b"]",
        };
    }
    false
}

/// Reads a list by its meaning; a row alone is a list of one. None: it is none.
pub(crate) fn read(body: &[u8]) -> Option<Vec<(u64, u64)>> {
    let value: Value = serde_json::from_slice(body).ok()?;
    match &value {
        Value::Array(rows) => rows.iter().map(row::of_value).collect(),
        other => Some(vec![row::of_value(other)?]),
    }
}

impl Rows {
    /// Whether these rows are right: without a word on what is wrong.
    #[inline]
    pub(super) fn holds(&self, found: &[(u64, u64)]) -> bool {
        let right = |&(id, number): &(u64, u64)| {
            if self.changed {
                row::is_id(id, self.rows) && is_number(number)
            } else {
                row::is_in_table(id, number, self.rows)
            }
        };
        found.len() == self.count as usize && found.iter().all(right)
    }

    /// Reads a list and checks it.
    ///
    /// # Errors
    /// Why it is not what is expected.
    pub(super) fn check(&self, body: &[u8]) -> Result<Vec<(u64, u64)>, String> {
        let value: Value =
            serde_json::from_slice(body).map_err(|error| format!("it is not JSON: {error}"))?;
        let list = value.as_array().ok_or("it is no list")?;
        if list.len() != self.count as usize {
            return Err(format!("it has {} rows", list.len()));
        }
        let each = list.iter().enumerate().map(|(at, value)| {
            self.row(value)
                .map_err(|why| format!("row {} of {}: {why}", at + 1, self.count))
        });
        each.collect()
    }

    fn row(&self, value: &Value) -> Result<(u64, u64), String> {
        let (id, number) = row::of_value(value).ok_or(row::NO_ROW)?;
        if !self.changed {
            row::is_true((id, number), self.rows)?;
        } else if !row::is_id(id, self.rows) {
            return Err(format!("the id {id} is outside the table"));
        } else if !is_number(number) {
            return Err(format!("the number {number} is none of 1 to {NUMBERS}"));
        }
        Ok((id, number))
    }

    /// What is expected, for a person.
    pub(super) fn expected(&self) -> String {
        let numbers = if self.changed {
            format!(", each with a new number of 1 to {NUMBERS}")
        } else {
            String::new()
        };
        format!(
            "a list of {} {{\"id\":N,\"randomNumber\":M}}, rows of 1 to {}{numbers}",
            self.count, self.rows
        )
    }
}

fn is_number(number: u64) -> bool {
    (1..=u64::from(NUMBERS)).contains(&number)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SEEDED: Rows = Rows {
        rows: 10_000,
        count: 3,
        changed: false,
    };

    const CHANGED: Rows = Rows {
        changed: true,
        ..SEEDED
    };

    fn list(ids: &[u64]) -> String {
        let rows: Vec<String> = ids.iter().map(|id| row::written(*id)).collect();
        format!("[{}]", rows.join(","))
    }

    #[test]
    fn a_list_as_servers_write_it_is_read_without_parsing_json() {
        let mut found = Vec::new();
        assert!(scan(list(&[1, 2, 10_000]).as_bytes(), &mut found));
        assert_eq!(found, [(1, 8272), (2, 6543), (10_000, 1)]);
        assert!(SEEDED.holds(&found));
        assert_eq!(SEEDED.check(list(&[1, 2, 10_000]).as_bytes()), Ok(found.clone()));
        for loose in ["", "[]", "[ ]", "{}", "[{\"id\":1,\"randomNumber\":8272},]"] {
            assert!(!scan(loose.as_bytes(), &mut found), "{loose}");
        }
        let spaced = list(&[1, 2, 3]).replace(',', ", ");
        assert!(!scan(spaced.as_bytes(), &mut found));
        assert_eq!(SEEDED.check(spaced.as_bytes()).map(|rows| rows.len()), Ok(3));
        assert!(!scan(format!("{} ", list(&[1])).as_bytes(), &mut found));
    }

    #[test]
    fn what_is_wrong_with_a_list_is_said_with_its_row() {
        for (body, why) in [
            (list(&[1, 2]), "it has 2 rows"),
            (list(&[1, 2, 3, 4]), "it has 4 rows"),
            ("[]".into(), "it has 0 rows"),
            (row::written(1), "no list"),
            ("[1,2,3]".into(), "row 1 of 3: it is no object"),
            (list(&[1, 2, 0]), "row 3 of 3: the id 0 is outside"),
            (list(&[1, 10_001, 3]), "row 2 of 3: the id 10001 is outside"),
            (
                list(&[1, 2, 3]).replace("6543", "6544"),
                "row 2 of 3: row 2 of the table holds 6543",
            ),
            (list(&[1, 2, 3])[..20].into(), "not JSON"),
        ] {
            let error = SEEDED.check(body.as_bytes()).unwrap_err();
            assert!(error.contains(why), "{body}: {error}");
            let mut found = Vec::new();
            assert!(
                !(scan(body.as_bytes(), &mut found) && SEEDED.holds(&found)),
                "{body}"
            );
        }
    }

    #[test]
    fn changed_rows_may_hold_any_number_of_the_range() {
        let with = |number: &str| list(&[1, 2, 3]).replace("6543", number);
        for (number, right) in [("1", true), ("10000", true), ("0", false), ("10001", false)] {
            let mut found = Vec::new();
            assert!(scan(with(number).as_bytes(), &mut found));
            assert_eq!(CHANGED.holds(&found), right, "{number}");
            assert_eq!(CHANGED.check(with(number).as_bytes()).is_ok(), right, "{number}");
        }
        assert!(CHANGED.check(list(&[1, 2, 0]).as_bytes()).is_err());
    }

    #[test]
    fn a_row_alone_is_a_list_of_one() {
        assert_eq!(read(row::written(2).as_bytes()), Some(vec![(2, 6543)]));
        assert_eq!(read(list(&[2, 1]).as_bytes()), Some(vec![(2, 6543), (1, 8272)]));
        assert_eq!(read(b"[]"), Some(Vec::new()));
        for none in ["", "x", "[1]", "{\"id\":1}"] {
            assert_eq!(read(none.as_bytes()), None, "{none}");
        }
    }
}
