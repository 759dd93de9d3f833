//! Serialisation of types by their names.
//!
//! The store keeps the record of a run and the evidence of an explanation in this form, so a changed name changes the
//! store's format. Its golden (`tare-store/golden/version-1.sql`) fails in that case.

use std::fmt::Display;
use std::str::FromStr;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::fault::FaultKind;
use crate::ids::ContenderId;
use crate::manifest::Style;
use crate::metric::{Metric, Mode};

fn write<S: Serializer>(name: impl Display, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&name)
}

fn read<'de, D: Deserializer<'de>, T: FromStr<Err: Display>>(deserializer: D) -> Result<T, D::Error> {
    let text = String::deserialize(deserializer)?;
    text.parse().map_err(D::Error::custom)
}

/// Types whose `Display` is a name that `FromStr` parses.
macro_rules! by_name {
    ($($name:ty),*) => {$(
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                write(self, serializer)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                read(deserializer)
            }
        }
    )*};
}

by_name!(ContenderId, Metric, Mode);

impl Serialize for FaultKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        write(self.name(), serializer)
    }
}

impl<'de> Deserialize<'de> for FaultKind {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let unknown = || D::Error::custom(format!("`{text}` is not a kind of fault"));
        FaultKind::from_name(&text).ok_or_else(unknown)
    }
}

impl Serialize for Style {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        write(self.name(), serializer)
    }
}

impl<'de> Deserialize<'de> for Style {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let found = Style::ALL.into_iter().find(|style| style.name() == text);
        found.ok_or_else(|| D::Error::custom(format!("`{text}` is not a style")))
    }
}
