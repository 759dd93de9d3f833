//! What limited a throughput.

use tare_model::results::{Bound, Covariates};

/// At least this busy, a contender's cores are its bound.
const CONTENDER_BUSY: f64 = 0.95;

/// At least this busy, the load's are.
const LOAD_BUSY: f64 = 0.90;

/// The bound that the slices' means tell (docs/method.md, saturation).
pub(super) fn of(noise: &Covariates) -> Bound {
    if noise.load_busy.0 >= LOAD_BUSY {
        Bound::Load
    } else if noise.contender_busy.0 >= CONTENDER_BUSY {
        Bound::Contender
    } else {
        Bound::Neither
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tare_model::units::Share;

    #[test]
    fn a_busy_load_is_the_bound_whatever_the_contender_does() {
        let of = |contender: f64, load: f64| {
            of(&Covariates {
                contender_busy: Share(contender),
                load_busy: Share(load),
                ..Default::default()
            })
        };
        assert_eq!(of(0.99, 0.95), Bound::Load);
        assert_eq!(of(0.99, 0.89), Bound::Contender);
        assert_eq!(of(0.94, 0.89), Bound::Neither);
    }
}
