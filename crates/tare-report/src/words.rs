//! Words for numbers, verdicts, states and placements: one place, used by every format.

mod driving;
mod number;
mod placement;
mod settings;
mod state;
mod verdict;

pub use driving::{driving, driving_difference};
pub use number::{
    capital, counted, estimate, grouped, list, measured_percent, number, percent, plural, ratio,
    ratio_and_interval, show, span,
};
pub use placement::{cores, placement, service_cost};
pub use settings::{conditions, conditions_text, settings};
pub use state::{LATE, bound, fate, lateness, state};
pub use verdict::{
    Tone, decided, ends, grounds, launch, limits, needed, provisional, provisional_of, sense, tone, verdict,
};
