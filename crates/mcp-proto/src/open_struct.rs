//! The macro behind every wire struct: known fields typed, unknown ones kept byte for byte, and the
//! revisions of each written where it is declared.
//!
//! serde's `flatten` fails with raw values at run time and rewrites numbers through a value tree, so
//! the visitor is written out here, once.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Visitor};

/// An object key, borrowed from the input where it has no escapes.
pub(crate) struct Key<'de>(pub(crate) Cow<'de, str>);

impl<'de> Deserialize<'de> for Key<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct KeyVisitor;
        impl<'de> Visitor<'de> for KeyVisitor {
            type Value = Key<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object key")
            }
            fn visit_borrowed_str<E>(self, key: &'de str) -> Result<Key<'de>, E> {
                Ok(Key(Cow::Borrowed(key)))
            }
            fn visit_str<E>(self, key: &str) -> Result<Key<'de>, E> {
                Ok(Key(Cow::Owned(key.to_owned())))
            }
        }
        deserializer.deserialize_str(KeyVisitor)
    }
}

/// Declares a wire struct. Each field says its kind, its Rust name and type, and its name on the wire:
///
/// - `required`: absent is an error;
/// - `optional`: `Option<T>`; null reads as absent and is never written;
/// - `nullable`: `Option<Raw>`; null is a value of its own;
/// - `defaulted`: `T`; absent or null reads as the default, always written.
///
/// After the name on the wire come the revisions that have the field, `since` the first and `until` the
/// last where it is not in all of them. `as` names a type whose shape the value has, where the field
/// itself is kept raw. `is` says what the official schemas call the struct, where it has another name.
///
/// Every struct has a field `extra` with the fields it does not know, written after the known ones.
macro_rules! open_struct {
    (
        $(#[$meta:meta])*
        pub struct $name:ident $(is $official:literal)? {
            $(
                $(#[$field_meta:meta])*
                $kind:ident $field:ident: $ty:ty $(as $shape:ty)? = $wire:literal
                    $(since $since:ident)? $(until $until:ident)?,
            )*
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Debug, Default, PartialEq)]
        pub struct $name {
            $( $(#[$field_meta])* pub $field: $crate::open_struct::open_struct!(@type $kind $ty), )*
            /// Fields that this version does not know, kept byte for byte.
            pub extra: $crate::RawObject,
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct OpenVisitor;
                impl<'de> serde::de::Visitor<'de> for OpenVisitor {
                    type Value = $name;
                    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        f.write_str(concat!("an object of type ", stringify!($name)))
                    }
                    fn visit_map<A: serde::de::MapAccess<'de>>(
                        self,
                        mut map: A,
                    ) -> Result<$name, A::Error> {
                        $( let mut $field: Option<$ty> = None; )*
                        let mut extra = $crate::RawObject::default();
                        while let Some(key) = map.next_key::<$crate::open_struct::Key<'de>>()? {
                            match key.0.as_ref() {
                                $( $wire => {
                                    $field = $crate::open_struct::open_struct!(@read $kind map);
                                } )*
                                _ => extra.push(key.0, map.next_value()?),
                            }
                        }
                        Ok($name {
                            $( $field: $crate::open_struct::open_struct!(@finish $kind $field $wire), )*
                            extra,
                        })
                    }
                }
                deserializer.deserialize_map(OpenVisitor)
            }
        }

        impl $crate::shape::Wire for $name {
            const SHAPE: $crate::shape::Shape =
                $crate::shape::Shape::Object(&$crate::shape::ObjectShape {
                    official: $crate::open_struct::open_struct!(@official $name $($official)?),
                    fields: &[ $( $crate::shape::Field {
                        name: $wire,
                        since: $crate::open_struct::open_struct!(@since $($since)?),
                        until: $crate::open_struct::open_struct!(@until $($until)?),
                        shape: $crate::open_struct::open_struct!(@shape $ty $(, $shape)?),
                    }, )* ],
                });
        }

        impl $name {
            /// Writes the fields into a map that may have others already, such as a `type` tag.
            pub(crate) fn write_fields<M: serde::ser::SerializeMap>(
                &self,
                map: &mut M,
            ) -> Result<(), M::Error> {
                $( $crate::open_struct::open_struct!(@write $kind self $field $wire map); )*
                for (key, value) in self.extra.iter() {
                    map.serialize_entry(key, value)?;
                }
                Ok(())
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                use serde::ser::SerializeMap;
                let mut map = serializer.serialize_map(None)?;
                self.write_fields(&mut map)?;
                map.end()
            }
        }
    };

    (@official $name:ident) => { stringify!($name) };
    (@official $name:ident $official:literal) => { $official };

    (@since) => { $crate::Revision::V2024_11_05 };
    (@since $since:ident) => { $crate::Revision::$since };
    (@until) => { $crate::Revision::V2026_07_28 };
    (@until $until:ident) => { $crate::Revision::$until };

    (@shape $ty:ty) => { <$ty as $crate::shape::Wire>::SHAPE };
    (@shape $ty:ty, $shape:ty) => { <$shape as $crate::shape::Wire>::SHAPE };

    (@type required $ty:ty) => { $ty };
    (@type defaulted $ty:ty) => { $ty };
    (@type optional $ty:ty) => { Option<$ty> };
    (@type nullable $ty:ty) => { Option<$ty> };

    (@read required $map:ident) => { Some($map.next_value()?) };
    (@read nullable $map:ident) => { Some($map.next_value()?) };
    (@read optional $map:ident) => { $map.next_value()? };
    (@read defaulted $map:ident) => { $map.next_value()? };

    (@finish required $field:ident $wire:literal) => {
        $field.ok_or_else(|| serde::de::Error::missing_field($wire))?
    };
    (@finish optional $field:ident $wire:literal) => { $field };
    (@finish nullable $field:ident $wire:literal) => { $field };
    (@finish defaulted $field:ident $wire:literal) => { $field.unwrap_or_default() };

    (@write required $self:ident $field:ident $wire:literal $map:ident) => {
        $map.serialize_entry($wire, &$self.$field)?;
    };
    (@write defaulted $self:ident $field:ident $wire:literal $map:ident) => {
        $map.serialize_entry($wire, &$self.$field)?;
    };
    (@write optional $self:ident $field:ident $wire:literal $map:ident) => {
        if let Some(value) = &$self.$field {
            $map.serialize_entry($wire, value)?;
        }
    };
    (@write nullable $self:ident $field:ident $wire:literal $map:ident) => {
        if let Some(value) = &$self.$field {
            $map.serialize_entry($wire, value)?;
        }
    };
}

pub(crate) use open_struct;
