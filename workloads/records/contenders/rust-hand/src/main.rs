//! Encoders by hand: each name is copied, each number written by itoa, into room that is enough for all.

use probe::Probe;
use records::{each_size, records, size_of_case, Record};

/// At most as much as one field takes: its name, two marks, a colon, a comma, a number of 64 bits.
const PER_FIELD: usize = 7 + 2 + 1 + 1 + 20;

trait Encode {
    fn encode(&self) -> Vec<u8>;
}

macro_rules! encode {
    ($size:literal $name:ident $($field:ident)*) => {
        impl Encode for records::$name {
            fn encode(&self) -> Vec<u8> {
                let mut out = Vec::with_capacity(1 + $size * PER_FIELD);
                let mut digits = itoa::Buffer::new();
                out.push(b'{');
                $(
                    out.extend_from_slice(concat!("\"", stringify!($field), "\":").as_bytes());
                    out.extend_from_slice(digits.format(self.$field).as_bytes());
                    out.push(b',');
                )*
                // The comma after the last field.
                *out.last_mut().expect("something was written") = b'}';
                out
            }
        }
    };
}

each_size!(encode);

fn main() -> std::io::Result<()> {
    let mut probe = Probe::new();
    macro_rules! add {
        ($size:literal $name:ident $($field:ident)*) => {
            probe = job::<records::$name>(probe, $size);
        };
    }
    each_size!(add);
    probe.only(size_of_case()).serve()
}

fn job<R: Record + Encode + 'static>(probe: Probe, size: u64) -> Probe {
    let records = records::<R>();
    probe.sized(size, records.len(), move |i| records[i].encode())
}
