//! Values of a parameter as they are typed: `1,10,100`, ranges among them: `1..4`, `1..9+2`, `1..64*2`.

/// More values than anybody compares: a slip of the keyboard.
const MOST: usize = 1000;

/// How a range goes on.
#[derive(Clone, Copy)]
enum Step {
    By(u64),
    Times(u64),
}

/// The values that a text stands for. What is no range of whole numbers stands for itself.
///
/// # Errors
/// What is wrong with a range.
pub(super) fn values(text: &str) -> Result<Vec<String>, String> {
    let mut all = Vec::new();
    for item in text.split(',') {
        match range(item)? {
            Some(numbers) => all.extend(numbers.iter().map(u64::to_string)),
            None => all.push(item.to_owned()),
        }
    }
    Ok(all)
}

/// The numbers of a range; none where the text is no range.
fn range(item: &str) -> Result<Option<Vec<u64>>, String> {
    let Some((low, rest)) = item.split_once("..") else {
        return Ok(None);
    };
    let (high, step) = match rest.find(['+', '*']) {
        Some(at) => (&rest[..at], Some((&rest[at..=at], &rest[at + 1..]))),
        None => (rest, None),
    };
    // `../a` and `a..b` are texts.
    let numeric = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
    if !numeric(low) || !numeric(high) {
        return Ok(None);
    }
    let whole = |text: &str| {
        text.parse::<u64>()
            .map_err(|_| format!("`{text}` in the range `{item}` is no whole number"))
    };
    let (low, high) = (whole(low)?, whole(high)?);
    let step = match step {
        None => Step::By(1),
        Some(("+", by)) => Step::By(whole(by)?),
        Some((_, times)) => Step::Times(whole(times)?),
    };
    match step {
        Step::By(0) | Step::Times(0 | 1) => return Err(format!("the range `{item}` never ends")),
        Step::Times(_) if low == 0 => return Err(format!("the range `{item}` never leaves 0")),
        _ if low > high => return Err(format!("the range `{item}` is empty: {low} is more than {high}")),
        _ => {}
    }
    let next = |now: &u64| match step {
        Step::By(by) => now.checked_add(by),
        Step::Times(times) => now.checked_mul(times),
    };
    let numbers = std::iter::successors(Some(low), next).take_while(|now| *now <= high);
    let numbers: Vec<u64> = numbers.take(MOST + 1).collect();
    if numbers.len() > MOST {
        return Err(format!("the range `{item}` has more than {MOST} values"));
    }
    Ok(Some(numbers))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_counted_out_and_all_else_stands_for_itself() {
        for (text, expected) in [
            ("1..4", "1 2 3 4"),
            ("1..9+2", "1 3 5 7 9"),
            ("1..10+4", "1 5 9"),
            ("1..64*2", "1 2 4 8 16 32 64"),
            ("3..20*3", "3 9"),
            ("7..7", "7"),
            ("1,10..12,100", "1 10 11 12 100"),
            ("gcc,clang", "gcc clang"),
            ("../a,a..b,..", "../a a..b .."),
            ("1.5,2", "1.5 2"),
        ] {
            assert_eq!(values(text).unwrap().join(" "), expected, "{text}");
        }
    }

    #[test]
    fn ranges_that_go_nowhere_are_refused() {
        for (text, says) in [
            ("4..1", "is empty"),
            ("1..4+0", "never ends"),
            ("1..4*1", "never ends"),
            ("0..4*2", "never leaves 0"),
            ("1..100000", "more than 1000"),
            ("1..4x", "`4x` in the range `1..4x` is no whole number"),
            ("0.1..0.5", "no whole number"),
            ("1..18446744073709551615*10", ""),
        ] {
            match values(text) {
                Err(error) => assert!(error.contains(says), "{text}: {error}"),
                Ok(values) => assert!(says.is_empty() && values.len() == 20, "{text}: {values:?}"),
            }
        }
    }
}
