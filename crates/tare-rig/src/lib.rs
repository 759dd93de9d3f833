//! The real rig: host and load put together into a measured slice.
