//! serde's derived encoders, written out by serde_json.

use probe::Probe;
use records::{each_size, records, size_of_case, Record};
use serde::Serialize;

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

fn job<R: Record + Serialize + 'static>(probe: Probe, size: u64) -> Probe {
    let records = records::<R>();
    probe.sized(size, records.len(), move |i| {
        serde_json::to_vec(&records[i]).expect("integers can be encoded")
    })
}
