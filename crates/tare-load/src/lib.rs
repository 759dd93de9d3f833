//! Load: schedules and wire protocols, driven by one reactor.
