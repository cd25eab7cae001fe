//! The macro behind every object that says its kind under a tag: kinds that this version does not know
//! are kept whole.

/// Declares such an object. `by` names the tag, `is` where the official schemas describe it, `else` what
/// becomes of a kind that a peer's revision does not have. The revisions of a kind follow its value.
macro_rules! open_union {
    (
        $(#[$meta:meta])*
        pub enum $name:ident is $official:literal by $tag:literal else $otherwise:ident {
            $(
                $(#[$variant_meta:meta])*
                $variant:ident($ty:ty) = $wire:literal
                    $(since $since:ident)? $(until $until:ident)?,
            )*
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq)]
        pub enum $name {
            $( $(#[$variant_meta])* $variant($ty), )*
            /// A kind that this version does not know, as it came.
            Unknown($crate::Raw),
        }

        impl $crate::shape::Wire for $name {
            const SHAPE: $crate::shape::Shape =
                $crate::shape::Shape::Union(&$crate::shape::UnionShape {
                    official: $official,
                    tag: $tag,
                    kinds: &[ $( $crate::shape::Kind {
                        value: $wire,
                        since: $crate::open_struct::open_struct!(@since $($since)?),
                        until: $crate::open_struct::open_struct!(@until $($until)?),
                        shape: <$ty as $crate::shape::Wire>::SHAPE,
                    }, )* ],
                    otherwise: $crate::shape::Otherwise::$otherwise,
                });
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                use serde::ser::SerializeMap;
                match self {
                    $( $name::$variant(inner) => {
                        let mut map = serializer.serialize_map(None)?;
                        map.serialize_entry($tag, $wire)?;
                        inner.write_fields(&mut map)?;
                        map.end()
                    } )*
                    $name::Unknown(raw) => raw.serialize(serializer),
                }
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                use serde::de::Error;
                let raw = $crate::Raw::deserialize(deserializer)?;
                let kind = $crate::RawObject::parse(&raw)
                    .map_err(D::Error::custom)?
                    .get_as::<String>($tag);
                match kind.as_deref() {
                    $( Some($wire) => {
                        let mut inner: $ty = raw.decode().map_err(D::Error::custom)?;
                        // The tag is the variant, so it is not kept among the unknown fields.
                        inner.extra.remove($tag);
                        Ok($name::$variant(inner))
                    } )*
                    _ => Ok($name::Unknown(raw)),
                }
            }
        }
    };
}

pub(crate) use open_union;
