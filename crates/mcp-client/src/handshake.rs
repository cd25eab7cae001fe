//! The handshake as a state machine: which era a server speaks is found out by asking, and every way in
//! which it can answer, fail to, or vanish has its step. No I/O and no clock.

use mcp_proto::lifecycle::{DiscoverResult, InitializeResult};
use mcp_proto::{ErrorObject, Raw, RawObject, Revision, meta};

use crate::{Era, Session};

/// The state of one handshake.
#[derive(Debug)]
pub struct Handshake {
    state: State,
    /// `server/discover` was sent a second time: it is never sent a third.
    probed_again: bool,
    /// The probe got no answer in time, so `initialize` may have gone to a slow modern server.
    probe_timed_out: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Probing,
    Initializing,
    Over,
}

/// What happened.
#[derive(Clone, Debug, PartialEq)]
pub enum HandshakeInput {
    /// The last request that was sent has its outcome.
    Answered(Result<Raw, ErrorObject>),
    /// The probe has had its time. Not to be given for `initialize`, which may take minutes.
    ProbeTimeout,
    /// The server has gone.
    Exited,
}

/// What is to be done.
#[derive(Clone, Debug, PartialEq)]
pub enum HandshakeStep {
    /// Send `server/discover` in this revision.
    Probe(Revision),
    /// Send `initialize`, offering this revision.
    Initialize(Revision),
    /// Start the server anew, then go on with [`HandshakeStep::Initialize`]: some servers of the legacy
    /// era exit on any other first request. That exit is no crash.
    Respawn,
    /// Done; in the legacy era `notifications/initialized` is to be sent.
    Done(Box<Session>),
    /// There is no way to talk to this server.
    Fail(HandshakeError),
}

/// Why there is no way to talk to a server.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum HandshakeError {
    /// It speaks only versions that we do not.
    #[error("it speaks only {}, and we speak 2024-11-05 to 2026-07-28", list(.0))]
    NoCommonVersion(Vec<String>),
    /// It refuses.
    #[error("it refuses the handshake: {0}")]
    Refused(ErrorObject),
    /// Its answer is none.
    #[error("its answer to `initialize` does not decode: {0}")]
    Malformed(String),
    /// It has gone.
    #[error("it exited before the handshake was done")]
    Exited,
}

fn list(versions: &[String]) -> String {
    if versions.is_empty() {
        "versions it does not name".to_owned()
    } else {
        versions.join(", ")
    }
}

impl Handshake {
    /// Begins, with the handshake of `era` where the era is known, else with the probe.
    pub fn begin(era: Option<Era>) -> (Self, HandshakeStep) {
        let mut handshake = Handshake {
            state: State::Probing,
            probed_again: false,
            probe_timed_out: false,
        };
        let step = match era {
            Some(Era::Legacy) => handshake.initialize(),
            Some(Era::Modern) | None => HandshakeStep::Probe(Revision::LATEST_MODERN),
        };
        (handshake, step)
    }

    /// Goes on.
    pub fn next(&mut self, input: HandshakeInput) -> HandshakeStep {
        match (self.state, input) {
            (State::Probing, HandshakeInput::Answered(Ok(result))) => self.discovered(&result),
            (State::Probing, HandshakeInput::Answered(Err(error))) => self.probe_refused(error),
            (State::Probing, HandshakeInput::ProbeTimeout) => {
                self.probe_timed_out = true;
                self.initialize()
            }
            (State::Probing, HandshakeInput::Exited) => {
                self.state = State::Initializing;
                HandshakeStep::Respawn
            }
            (State::Initializing, HandshakeInput::Answered(Ok(result))) => {
                self.initialized(&result)
            }
            (State::Initializing, HandshakeInput::Answered(Err(error))) => {
                if error.is_modern() && self.probe_timed_out && !self.probed_again {
                    return self.probe_again(Revision::LATEST_MODERN);
                }
                self.fail(HandshakeError::Refused(error))
            }
            (State::Initializing, HandshakeInput::Exited) => self.fail(HandshakeError::Exited),
            (State::Initializing, HandshakeInput::ProbeTimeout) | (State::Over, _) => {
                debug_assert!(false, "no such input in this state");
                self.fail(HandshakeError::Exited)
            }
        }
    }

    /// After [`HandshakeStep::Respawn`], once the server runs again.
    pub fn respawned(&mut self) -> HandshakeStep {
        self.initialize()
    }

    fn discovered(&mut self, result: &Raw) -> HandshakeStep {
        // Some servers of the legacy era answer `{}` to anything.
        let Ok(discovered) = result.decode::<DiscoverResult>() else {
            return self.initialize();
        };
        let Some(revision) = newest(&discovered.supported_versions, true) else {
            return self.without_modern_version(discovered.supported_versions);
        };
        self.state = State::Over;
        // Some servers put their name into the body, where other eras have it.
        let body = discovered.extra.get_as("serverInfo");
        let in_meta = |meta: RawObject| meta.get_as(meta::SERVER_INFO);
        HandshakeStep::Done(Box::new(Session {
            revision,
            server_info: discovered
                .meta
                .and_then(in_meta)
                .or(body)
                .unwrap_or_default(),
            capabilities: discovered.capabilities,
            instructions: discovered.instructions,
        }))
    }

    fn probe_refused(&mut self, error: ErrorObject) -> HandshakeStep {
        if error.code == mcp_proto::error_object::UNSUPPORTED_PROTOCOL_VERSION {
            let supported = error.supported_versions();
            return match newest(&supported, true) {
                // Once more even with the version just sent: some servers refuse any first request.
                Some(revision) if !self.probed_again => self.probe_again(revision),
                Some(_) => self.fail(HandshakeError::Refused(error)),
                None => self.without_modern_version(supported),
            };
        }
        if error.is_modern() {
            return self.fail(HandshakeError::Refused(error));
        }
        self.initialize()
    }

    fn without_modern_version(&mut self, supported: Vec<String>) -> HandshakeStep {
        match newest(&supported, false) {
            Some(_) => self.initialize(),
            None => self.fail(HandshakeError::NoCommonVersion(supported)),
        }
    }

    fn initialized(&mut self, result: &Raw) -> HandshakeStep {
        let initialized = match result.decode::<InitializeResult>() {
            Ok(initialized) => initialized,
            Err(error) => return self.fail(HandshakeError::Malformed(error.to_string())),
        };
        match initialized.protocol_version.parse::<Revision>() {
            Ok(revision) if !revision.is_modern() => {
                self.state = State::Over;
                HandshakeStep::Done(Box::new(Session {
                    revision,
                    server_info: initialized.server_info,
                    capabilities: initialized.capabilities,
                    instructions: initialized.instructions,
                }))
            }
            _ => self.fail(HandshakeError::NoCommonVersion(vec![
                initialized.protocol_version,
            ])),
        }
    }

    fn probe_again(&mut self, revision: Revision) -> HandshakeStep {
        self.state = State::Probing;
        self.probed_again = true;
        HandshakeStep::Probe(revision)
    }

    fn initialize(&mut self) -> HandshakeStep {
        self.state = State::Initializing;
        HandshakeStep::Initialize(Revision::LATEST_LEGACY)
    }

    fn fail(&mut self, error: HandshakeError) -> HandshakeStep {
        self.state = State::Over;
        HandshakeStep::Fail(error)
    }
}

/// The newest version of the list that we know and that is of the era.
fn newest(versions: &[String], modern: bool) -> Option<Revision> {
    let known = versions
        .iter()
        .filter_map(|version| version.parse::<Revision>().ok());
    known
        .filter(|revision| revision.is_modern() == modern)
        .max()
}

#[cfg(test)]
mod tests;
