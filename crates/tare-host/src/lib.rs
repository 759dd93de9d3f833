//! The host: build, start, ready, pin, freeze, account, kill.
