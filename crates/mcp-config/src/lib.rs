//! Files to definitions: parsing, validation, diagnostics.
