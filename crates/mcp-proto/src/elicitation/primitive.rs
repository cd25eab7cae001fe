//! The fields that a form may have.

use crate::Raw;
use crate::open_struct::open_struct;
use crate::open_union::open_union;

open_struct! {
    /// A text, or a choice of one.
    pub struct StringSchema is "StringSchema|EnumSchema|UntitledSingleSelectEnumSchema|TitledSingleSelectEnumSchema|LegacyTitledEnumSchema" {
        /// Its name for people.
        optional title: String = "title",
        /// What it is.
        optional description: String = "description",
        /// The least length.
        optional min_length: u64 = "minLength",
        /// The greatest length.
        optional max_length: u64 = "maxLength",
        /// `email`, `uri`, `date` or `date-time`.
        optional format: String = "format",
        /// The choices.
        optional choices: Vec<String> = "enum",
        /// Their names for people, in the same order.
        optional choice_names: Vec<String> = "enumNames",
        /// The choices, each with a name for people.
        optional one_of: Raw = "oneOf" since V2025_11_25,
        /// What is filled in beforehand.
        optional default: String = "default" since V2025_11_25,
    }
}

open_struct! {
    /// A number.
    pub struct NumberSchema {
        /// Its name for people.
        optional title: String = "title",
        /// What it is.
        optional description: String = "description",
        /// The least value.
        optional minimum: Raw = "minimum",
        /// The greatest value.
        optional maximum: Raw = "maximum",
        /// What is filled in beforehand.
        optional default: Raw = "default" since V2025_11_25,
    }
}

open_struct! {
    /// Yes or no.
    pub struct BooleanSchema {
        /// Its name for people.
        optional title: String = "title",
        /// What it is.
        optional description: String = "description",
        /// What is filled in beforehand.
        optional default: bool = "default",
    }
}

open_struct! {
    /// A choice of several.
    pub struct ArraySchema is "UntitledMultiSelectEnumSchema|TitledMultiSelectEnumSchema" {
        /// Its name for people.
        optional title: String = "title",
        /// What it is.
        optional description: String = "description",
        /// The least number of choices.
        optional min_items: u64 = "minItems",
        /// The greatest number of choices.
        optional max_items: u64 = "maxItems",
        /// The choices: `enum`, or `anyOf` with names for people.
        required items: Raw = "items",
        /// What is filled in beforehand.
        optional default: Vec<String> = "default",
    }
}

open_union! {
    /// A field of a form, by its `type` (protocol.md §3).
    pub enum PrimitiveSchema is "PrimitiveSchemaDefinition" by "type" else Keep {
        /// `string`
        String(StringSchema) = "string",
        /// `number`
        Number(NumberSchema) = "number",
        /// `integer`
        Integer(NumberSchema) = "integer",
        /// `boolean`
        Boolean(BooleanSchema) = "boolean",
        /// `array`
        Array(ArraySchema) = "array" since V2025_11_25,
    }
}
