//! The commands as people and scripts run them, on our own fake servers.

mod cli {
    mod call;
    mod options;
    mod secrets;
    mod show;
}
