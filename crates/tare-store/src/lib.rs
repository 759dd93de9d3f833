//! The store: raw slices and histograms of every run, in SQLite.
