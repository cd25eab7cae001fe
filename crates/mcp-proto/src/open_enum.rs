//! The macro behind every wire enum of strings: values that this version does not know are kept.

/// Declares an enum of strings with one more variant, `Other`, for the values it does not know.
macro_rules! open_enum {
    (
        $(#[$meta:meta])*
        pub enum $name:ident { $( $(#[$variant_meta:meta])* $variant:ident = $wire:literal, )* }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub enum $name {
            $( $(#[$variant_meta])* $variant, )*
            /// A value that this version does not know.
            Other(String),
        }

        impl $name {
            /// The value on the wire.
            pub fn as_str(&self) -> &str {
                match self {
                    $( $name::$variant => $wire, )*
                    $name::Other(value) => value,
                }
            }
        }

        impl $crate::shape::Wire for $name {
            const SHAPE: $crate::shape::Shape = $crate::shape::Shape::Plain;
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let value = String::deserialize(deserializer)?;
                Ok(match value.as_str() {
                    $( $wire => $name::$variant, )*
                    _ => $name::Other(value),
                })
            }
        }
    };
}

pub(crate) use open_enum;
