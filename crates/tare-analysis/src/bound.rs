//! What limited a throughput.

use tare_model::late::BUSY;
use tare_model::results::{Bound, Covariates};
use tare_model::units::Share;

/// From this utilisation on, a contender's cores limit its throughput.
const CONTENDER_BUSY: f64 = 0.95;

/// What limited the throughput, by the means over slices (docs/measuring.md, saturation). `beside`: the share of the load's
/// cores that the generator and the services used together; 0 without services.
pub(crate) fn of(noise: &Covariates, beside: Share) -> Bound {
    if noise.load_busy.0 >= BUSY.0 || beside.0 >= BUSY.0 {
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

    #[test]
    fn a_busy_load_is_the_bound_whatever_the_contender_does() {
        let of = |contender: f64, load: f64, beside: f64| {
            let noise = Covariates {
                contender_busy: Share(contender),
                load_busy: Share(load),
                ..Default::default()
            };
            of(&noise, Share(beside))
        };
        assert_eq!(of(0.99, 0.95, 0.0), Bound::Load);
        assert_eq!(of(0.99, 0.89, 0.0), Bound::Contender);
        assert_eq!(of(0.94, 0.89, 0.0), Bound::Neither);
        assert_eq!(
            of(0.99, 0.30, 0.95),
            Bound::Load,
            "a database has the load's core"
        );
        assert_eq!(of(0.99, 0.30, 0.89), Bound::Contender);
    }
}
