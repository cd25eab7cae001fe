//! What can go wrong when something is started or dialled, on any executor.

use std::io;

use crate::ExecutorId;

/// Why a process could not be started or a stream could not be dialled.
///
/// The texts read after "failed to", and name what was tried, the cause, and what to do next. They
/// never hold the value of a variable.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WorkspaceError {
    /// A program, process or other named thing does not exist on the executor.
    #[error("find {what}")]
    NotFound {
        /// What was looked for, on which executor and where, and what to do.
        what: String,
    },
    /// The program exists but could not be started.
    #[error("start `{program}`: {reason}")]
    Spawn {
        /// The program as it was given or found.
        program: String,
        /// Why not, and what to do.
        reason: String,
    },
    /// The container engine does not have the image.
    #[error("find image `{image}`: pull or build it on that engine first")]
    ImageMissing {
        /// The image's name.
        image: String,
    },
    /// The remote side accepted none of our credentials.
    #[error(
        "log in as {user}@{host}: refused after trying {tried}; check the user name and the keys"
    )]
    Auth {
        /// The user that was tried.
        user: String,
        /// The host that refused.
        host: String,
        /// The methods that were tried.
        tried: String,
    },
    /// A private key is encrypted and no passphrase is known.
    #[error(
        "read the key {path}: it needs a passphrase; add it to an ssh agent or name another key"
    )]
    KeyNeedsPassphrase {
        /// The key's path.
        path: String,
    },
    /// The host's key is not among the known ones.
    #[error(
        "trust the host key {fp}: it is not known; connect once with ssh, or add it to known_hosts"
    )]
    HostKeyUnknown {
        /// The key's fingerprint.
        fp: String,
    },
    /// The host's key is not the one that is known.
    #[error(
        "trust the host key {fp}: {expected} was expected; make sure who answers before removing \
         the old key from known_hosts"
    )]
    HostKeyMismatch {
        /// The fingerprint that the host showed.
        fp: String,
        /// The fingerprint on record.
        expected: String,
    },
    /// There is no way to the address: no route, no such name, no such socket.
    #[error("reach {addr}: {source}; check the address, and that its host or service is up")]
    Unreachable {
        /// What was dialled.
        addr: String,
        /// The cause.
        source: io::Error,
    },
    /// The address exists and refused.
    #[error("connect to {target}: connection refused; check that something listens there")]
    Refused {
        /// What was dialled.
        target: String,
    },
    /// A limit was reached that other work may free again.
    #[error("stay within a limit: {what}; stop something or raise the limit")]
    Limit {
        /// Which limit.
        what: String,
    },
    /// The executor cannot do this.
    #[error("{op}: this executor cannot do that; use another one")]
    Unsupported {
        /// What was asked for.
        op: String,
    },
    /// The link to the executor is gone.
    #[error("keep the link to the executor: {reason}; it is opened again when next needed")]
    Disconnected {
        /// Why.
        reason: String,
    },
    /// Something took too long.
    #[error("{phase} in time; check that the other side is up and answers")]
    Timeout {
        /// What took too long and how long it was given.
        phase: String,
    },
    /// The executor has been shut down and starts nothing more.
    #[error("use executor `{executor}`: it has been shut down; make a new one")]
    ShutDown {
        /// Which executor.
        executor: ExecutorId,
    },
    /// Any other failure of the operating system.
    #[error("{0}")]
    Io(#[from] io::Error),
}

impl WorkspaceError {
    /// Whether the same attempt may succeed later without anybody changing anything.
    ///
    /// A caller maps `true` to waiting and trying again, `false` to giving up until it is asked.
    #[must_use]
    pub fn retryable(&self) -> bool {
        match self {
            Self::Unreachable { .. }
            | Self::Refused { .. }
            | Self::Limit { .. }
            | Self::Disconnected { .. }
            | Self::Timeout { .. } => true,
            Self::NotFound { .. }
            | Self::Spawn { .. }
            | Self::ImageMissing { .. }
            | Self::Auth { .. }
            | Self::KeyNeedsPassphrase { .. }
            | Self::HostKeyUnknown { .. }
            | Self::HostKeyMismatch { .. }
            | Self::Unsupported { .. }
            | Self::ShutDown { .. } => false,
            Self::Io(error) => !matches!(
                error.kind(),
                io::ErrorKind::PermissionDenied
                    | io::ErrorKind::NotFound
                    | io::ErrorKind::InvalidInput
                    | io::ErrorKind::Unsupported
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::error::Error as _;

    use super::*;

    #[test]
    fn what_waiting_cannot_mend_is_not_retryable() {
        let lost = WorkspaceError::Disconnected {
            reason: "no heartbeat".into(),
        };
        assert!(lost.retryable());
        let missing = WorkspaceError::NotFound {
            what: "command `x`".into(),
        };
        assert!(!missing.retryable());
        assert!(WorkspaceError::from(io::Error::from(io::ErrorKind::Interrupted)).retryable());
        assert!(!WorkspaceError::from(io::Error::from(io::ErrorKind::NotFound)).retryable());
    }

    #[test]
    fn an_unreachable_address_keeps_its_cause() {
        let error = WorkspaceError::Unreachable {
            addr: "db:5432".into(),
            source: io::Error::other("no route to host"),
        };
        assert_eq!(
            error.to_string(),
            "reach db:5432: no route to host; check the address, and that its host or service is up"
        );
        assert_eq!(error.source().unwrap().to_string(), "no route to host");
    }
}
