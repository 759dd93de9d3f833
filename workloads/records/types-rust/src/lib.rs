//! The records of a case: their types, their values, and how many fields they have.

#[macro_use]
mod sizes;

/// Records in a job.
const RECORDS: u64 = 64;

/// Fields of the largest record: those of smaller ones are its first.
const FIELDS: u64 = 50;

/// What every size of record is.
pub trait Record {
    /// A record of which every field is the value of its number, counted from 0.
    fn of(value: impl Fn(u64) -> i64) -> Self;
}

/// The records of one size.
pub fn records<R: Record>() -> Vec<R> {
    (0..RECORDS)
        .map(|record| R::of(|field| value(record, field)))
        .collect()
}

/// The size of the case that the process was started for: `25-fields` has one, the sweep `fields` has none.
pub fn size_of_case() -> Option<u64> {
    let name = std::env::args().nth(1)?;
    name.split('-').next()?.parse().ok()
}

macro_rules! define {
    ($size:literal $name:ident $($field:ident)*) => {
        /// A record of that many fields.
        #[derive(serde::Serialize)]
        pub struct $name {
            $(pub $field: i64,)*
        }

        impl Record for $name {
            fn of(value: impl Fn(u64) -> i64) -> Self {
                let mut values = (0..).map(value);
                $(let $field = values.next().expect("the numbers do not end");)*
                $name { $($field),* }
            }
        }
    };
}

each_size!(define);

/// The value of a field of a record, as the workload's page has it.
fn value(record: u64, field: u64) -> i64 {
    let z = splitmix64(record * FIELDS + field);
    let power = 10_u64.pow((z % 9) as u32);
    let least = if power == 1 { 0 } else { power };
    let magnitude = (least + (z >> 8) % (power * 10 - least)) as i64;
    if z >> 61 == 0 {
        -magnitude
    } else {
        magnitude
    }
}

/// The output with that number, counted from 0, of the generator seeded with 1.
fn splitmix64(number: u64) -> u64 {
    let z = (number + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(1);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}
