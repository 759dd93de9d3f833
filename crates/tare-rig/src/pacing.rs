//! How an order of the lab is driven over sockets.

use std::time::Duration;

use tare_lab::rig::{Pacing, SliceOrder};
use tare_load::{Length, Schedule};

/// How long a slice may be extended to reach its least number of answers.
const STRETCH: Duration = Duration::from_secs(10);

/// When the requests of a slice are sent.
pub(crate) fn schedule(order: &SliceOrder) -> Schedule {
    let (connections, depth) = (order.connections, order.depth);
    match order.pacing {
        Pacing::Closed => Schedule::Capacity { connections, depth },
        Pacing::Open => Schedule::Cost {
            connections,
            depth,
            rate: order.rate,
        },
        Pacing::Job => Schedule::Batch {
            programs: order.programs,
            connections,
            requests: order.requests,
            depth,
        },
    }
}

/// For how long.
pub(crate) fn length(order: &SliceOrder) -> Length {
    let time = Duration::from_secs_f64(order.length.0);
    Length {
        at_most: time.max(STRETCH),
        ..Length::time(time)
    }
}
