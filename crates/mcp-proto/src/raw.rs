//! JSON that is carried and not understood: its bytes, key order and number text stay as they were.

use std::fmt;

use serde::de::{Deserialize, DeserializeOwned, Deserializer, MapAccess, Visitor};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::value::RawValue;

/// One JSON value as the text it arrived in. Two are equal when their texts are.
#[derive(Clone, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub struct Raw(Box<RawValue>);

impl Raw {
    /// Checks that `text` is one JSON value and keeps it.
    pub fn parse(text: impl Into<String>) -> Result<Self, serde_json::Error> {
        RawValue::from_string(text.into()).map(Raw)
    }

    /// Writes `value` as JSON. Fails only when its `Serialize` does, or for a map whose keys are no strings.
    pub fn of<T: Serialize + ?Sized>(value: &T) -> Result<Self, serde_json::Error> {
        serde_json::value::to_raw_value(value).map(Raw)
    }

    /// The empty object, `{}`.
    pub fn empty_object() -> Self {
        Raw(RawValue::from_string("{}".to_owned()).unwrap_or_default())
    }

    /// The JSON text.
    pub fn get(&self) -> &str {
        self.0.get()
    }

    /// Decodes the text as `T`.
    pub fn decode<T: DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        serde_json::from_str(self.get())
    }

    /// Whether the text is an object. Only its first character is looked at: it is known to be valid JSON.
    pub fn is_object(&self) -> bool {
        self.get().starts_with('{')
    }
}

impl Default for Raw {
    fn default() -> Self {
        Raw::empty_object()
    }
}

impl PartialEq for Raw {
    fn eq(&self, other: &Self) -> bool {
        self.get() == other.get()
    }
}

impl Eq for Raw {}

impl fmt::Debug for Raw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.get())
    }
}

impl From<Box<RawValue>> for Raw {
    fn from(value: Box<RawValue>) -> Self {
        Raw(value)
    }
}

impl From<&RawValue> for Raw {
    fn from(value: &RawValue) -> Self {
        Raw(value.to_owned())
    }
}

/// A JSON object whose values are not understood: keys in their order, values as their text.
///
/// Used for unknown fields, for `_meta`, and to edit the top level of an object while every value that
/// is not edited keeps its bytes.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct RawObject {
    entries: Vec<(String, Raw)>,
}

impl RawObject {
    /// Decodes the top level of an object.
    pub fn parse(raw: &Raw) -> Result<Self, serde_json::Error> {
        raw.decode()
    }

    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The value under `key`; the last one, if the object has it twice.
    pub fn get(&self, key: &str) -> Option<&Raw> {
        self.entries
            .iter()
            .rev()
            .find(|(name, _)| name == key)
            .map(|(_, value)| value)
    }

    /// The value under `key` decoded; `None` when it is absent, null or of another shape.
    pub fn get_as<T: DeserializeOwned>(&self, key: &str) -> Option<T> {
        self.get(key)
            .and_then(|raw| raw.decode::<Option<T>>().ok().flatten())
    }

    /// Puts `value` under `key`, in its old place if there is one, else at the end.
    pub fn set(&mut self, key: &str, value: Raw) {
        match self.entries.iter_mut().rev().find(|(name, _)| name == key) {
            Some(entry) => entry.1 = value,
            None => self.entries.push((key.to_owned(), value)),
        }
    }

    /// Adds an entry at the end, without looking for an older one.
    pub fn push(&mut self, key: impl Into<String>, value: Raw) {
        self.entries.push((key.into(), value));
    }

    /// Takes every entry named `key` out; whether there was one.
    pub fn remove(&mut self, key: &str) -> bool {
        let before = self.entries.len();
        self.entries.retain(|(name, _)| name != key);
        self.entries.len() != before
    }

    /// The entries in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Raw)> {
        self.entries
            .iter()
            .map(|(name, value)| (name.as_str(), value))
    }

    /// The object as JSON text.
    pub fn to_raw(&self) -> Raw {
        // Cannot fail: the keys are strings and the values are JSON already.
        Raw::of(self).unwrap_or_default()
    }
}

impl fmt::Debug for RawObject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

impl Serialize for RawObject {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.entries.len()))?;
        for (key, value) in self.iter() {
            map.serialize_entry(key, value)?;
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for RawObject {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries;
        impl<'de> Visitor<'de> for Entries {
            type Value = RawObject;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<RawObject, A::Error> {
                let mut object = RawObject::default();
                while let Some((key, value)) = map.next_entry::<String, Raw>()? {
                    object.push(key, value);
                }
                Ok(object)
            }
        }
        deserializer.deserialize_map(Entries)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unedited_values_keep_their_bytes() {
        let text = r#"{ "b" : 1e400 , "a":{"z": 1 ,"y":18446744073709551616},"c":"\u0041" }"#;
        let mut object: RawObject = serde_json::from_str(text).unwrap();
        object.set("new", Raw::of(&true).unwrap());
        assert_eq!(
            object.to_raw().get(),
            r#"{"b":1e400,"a":{"z": 1 ,"y":18446744073709551616},"c":"\u0041","new":true}"#
        );
    }

    #[test]
    fn set_replaces_in_place_and_remove_takes_every_twin() {
        let mut object: RawObject = serde_json::from_str(r#"{"a":1,"b":2,"a":3}"#).unwrap();
        assert_eq!(object.get_as::<i32>("a"), Some(3));
        object.set("b", Raw::of(&9).unwrap());
        assert!(object.remove("a"));
        assert_eq!(object.to_raw().get(), r#"{"b":9}"#);
    }

    #[test]
    fn null_reads_as_absent() {
        let object: RawObject = serde_json::from_str(r#"{"a":null}"#).unwrap();
        assert_eq!(object.get_as::<String>("a"), None);
    }
}
