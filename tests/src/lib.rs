//! What the whole-system tests share: starting `posthouse`, speaking to it in lines, and proving that
//! nothing is left.

pub mod home;
pub mod host;
pub mod installed;
pub mod kept;
pub mod line_client;
pub mod process_table;
pub mod recording_shim;
pub mod run;
pub mod sdk_client;
pub mod until;
pub mod wire;
pub mod world;
