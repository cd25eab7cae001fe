//! The gates that run real public servers, real client SDKs and a real container engine against us.

use std::time::Duration;

use anyhow::{Result, ensure};

use super::{Passed, own};
use crate::command::Run;
use crate::install::{self, CLIENTS_VARIABLE, Installed, SERVERS_VARIABLE};

const LIMIT: Duration = Duration::from_secs(1800);

/// We run the public servers.
pub(super) fn servers() -> Result<Passed> {
    let servers = install::servers()?;
    run("public_servers", &servers, &[(SERVERS_VARIABLE, &servers)])
}

/// The client SDKs run us, and we the public servers.
pub(super) fn clients() -> Result<Passed> {
    let servers = install::servers()?;
    let clients = install::clients()?;
    run(
        "real_clients",
        &clients,
        &[(SERVERS_VARIABLE, &servers), (CLIENTS_VARIABLE, &clients)],
    )
}

/// Nothing outlives us when we are killed, nor does a server in a container.
pub(super) fn killing() -> Result<Passed> {
    let engine = install::containers()?;
    let output = Run::cargo(LIMIT)
        .args(["test", "--workspace", "--test", "killing"])
        .checked()?;
    let tests = own::count(&output);
    ensure!(tests > 0, "no test ran\n{}", output.all);
    Passed::figure(format!("{tests} tests; {engine}"))
}

fn run(target: &str, shown: &Installed, folders: &[(&str, &Installed)]) -> Result<Passed> {
    // The whole workspace is named so that dependencies have the features the gate `test` built
    // them with; the target itself exists once.
    let mut run = Run::cargo(LIMIT).args(["test", "--workspace", "--test", target]);
    for (variable, installed) in folders {
        run = run.env(variable, &installed.folder);
    }
    let output = run.checked()?;
    let tests = own::count(&output);
    ensure!(tests > 0, "no test ran\n{}", output.all);
    Passed::figure(format!("{tests} tests; {}", shown.pins.join(", ")))
}
