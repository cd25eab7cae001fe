//! A value that may stand alone or in a list.

use serde::de::{Deserialize, DeserializeOwned, Deserializer, Error as _};
use serde::ser::{Serialize, Serializer};

use crate::shape::{Shape, Wire};
use crate::{Raw, Revision};

/// One value, or a list of them; which of the two it was is kept. Lists are known since 2025-11-25.
#[derive(Clone, Debug, PartialEq)]
pub enum OneOrMany<T> {
    /// A value alone.
    One(T),
    /// A list, of one or none too.
    Many(Vec<T>),
}

impl<T> OneOrMany<T> {
    /// The values, in order.
    pub fn as_slice(&self) -> &[T] {
        match self {
            OneOrMany::One(value) => std::slice::from_ref(value),
            OneOrMany::Many(values) => values,
        }
    }
}

impl<T: Default> Default for OneOrMany<T> {
    fn default() -> Self {
        OneOrMany::One(T::default())
    }
}

impl<T: Wire> Wire for OneOrMany<T> {
    const SHAPE: Shape = Shape::OneOrMany {
        item: &T::SHAPE,
        many_since: Revision::V2025_11_25,
    };
}

impl<T: Serialize> Serialize for OneOrMany<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            OneOrMany::One(value) => value.serialize(serializer),
            OneOrMany::Many(values) => values.serialize(serializer),
        }
    }
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for OneOrMany<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Raw::deserialize(deserializer)?;
        match raw.get().starts_with('[') {
            true => raw.decode().map(OneOrMany::Many),
            false => raw.decode().map(OneOrMany::One),
        }
        .map_err(D::Error::custom)
    }
}
