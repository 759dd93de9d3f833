//! A server that is driven, and by what: the load of this machine, or agents on others.

use std::sync::atomic::{AtomicBool, Ordering};

use tare_lab::rig::SliceOrder;
use tare_load::{Load, LoadFault, Target};
use tare_model::measure::LoadReading;
use tare_remote::Served;

use crate::fleet::{Crew, Seat};
use crate::pacing::{length, schedule};

/// Why agents do not drive a server.
pub(crate) const UNREACHED: &str = "it listens in a network of its own, which agents on other machines do not reach\n\nhint: leave \
                                    it out (--except), or let the load stay on this machine: without --hosts";

/// Why agents do not drive a server over TLS.
pub(crate) const UNTRUSTED: &str = "it is reached over TLS, by a certificate of the run that agents on other machines do not know\n\n\
                                    hint: leave it out (--except), or let the load stay on this machine: without --hosts";

/// What drives servers.
pub(crate) enum Generators<'a> {
    /// The load of this machine.
    Here(&'a mut Load),
    /// Agents.
    Agents(&'a mut Crew),
}

/// A server that is driven.
pub(crate) struct Destination {
    /// Its address, its job, and the connections of this machine to it.
    pub(crate) target: Target,
    /// The same, as agents are told of it.
    served: Option<Served>,
    seat: Option<Seat>,
}

impl Destination {
    /// A server of which nothing is driven yet. `served`: as agents are told of it; none where no agent drives it.
    pub(crate) fn new(target: Target, served: Option<Served>) -> Self {
        Self {
            target,
            served,
            seat: None,
        }
    }

    /// Drives it for a slice.
    pub(crate) fn drive(
        &mut self,
        by: &mut Generators<'_>,
        order: &SliceOrder,
        cancel: &AtomicBool,
    ) -> Result<LoadReading, LoadFault> {
        let driven = match (by, &self.served) {
            (Generators::Agents(crew), Some(served)) => {
                let seat = self.seat.get_or_insert_with(|| crew.serve(served));
                crew.drive(seat, order, || cancel.load(Ordering::SeqCst))
            }
            (Generators::Agents(_), None) => Err(LoadFault::instrument(UNREACHED.to_owned())),
            (Generators::Here(load), _) => {
                self.target.set_use(order.usage);
                load.run(&mut self.target, &schedule(order), length(order), cancel)
            }
        };
        let connections = order.connections;
        match driven {
            Ok(reading) => Ok(LoadReading {
                connections,
                ..reading
            }),
            Err(mut failed) => {
                failed.reading.connections = connections;
                Err(failed)
            }
        }
    }

    /// Closes all connections.
    pub(crate) fn close(&mut self) {
        self.target.close();
        self.seat = None;
    }
}
