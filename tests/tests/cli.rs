//! The commands as people and scripts run them, on our own fake servers.

mod cli {
    mod call;
    mod logs;
    mod manners;
    mod options;
    mod secrets;
    mod show;
    mod trust;
    mod values;
}
