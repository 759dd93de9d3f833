//! Words for numbers, verdicts, states and placements: one place, used by every format.

mod alone;
mod benchmark;
mod container;
mod driving;
mod left_out;
mod negotiated;
mod number;
mod placement;
mod sentence;
mod settings;
mod state;
mod verdict;

pub use alone::alone;
pub(crate) use alone::alone_sentence;
pub(crate) use benchmark::{
    change, change_ratio, change_tone, figure_name, quantity, value, value_and_interval,
};
pub(crate) use container::containers;
pub use driving::{driving, driving_difference};
pub use left_out::{benchmarks_left_out, budget, left_out, not_measured};
pub use negotiated::{negotiated, negotiated_in};
pub use number::{
    capital, counted, estimate, grouped, list, measured_percent, number, percent, plural, ratio,
    ratio_and_interval, show, span,
};
pub use placement::{cores, placement, service_cost};
pub use sentence::beyond;
pub(crate) use sentence::sentence;
pub(crate) use settings::suites;
pub use settings::{conditions, conditions_text, settings};
pub(crate) use state::fate_of;
pub use state::{LATE, bound, fate, lateness, state};
pub(crate) use verdict::verdict_in_short;
pub use verdict::{
    Tone, decided, ends, grounds, launch, limits, needed, provisional, provisional_of, sense, tone, verdict,
};
