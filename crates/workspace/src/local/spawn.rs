//! From a spec to a running process: checking, starting, and explaining what went wrong.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;

use nix::errno::Errno;
use tokio::process::Command;
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::group::Group;
use super::guard::{Guard, Guarded, GuardedCommand};
use super::stderr_pump::{LINGER, StderrPump};
use super::supervisor::{PumpHandle, Supervisor};
use super::{LocalOptions, login_shell, program};
use crate::closing::Closing;
use crate::nonce;
use crate::process_spec::StderrSink;
use crate::{ExecutorId, Process, ProcessSource, ProcessSpec, StopGrace, WorkspaceError};

/// A command that has been checked as far as it can be without running it.
pub(super) struct Launch {
    name: String,
    program: PathBuf,
    cwd: PathBuf,
    command: Command,
    grace: StopGrace,
    on_stderr: Option<StderrSink>,
    guarded: Guarded,
}

/// Finds the program and builds the command. Touches the file system, so it may block.
pub(super) fn prepare(
    mut spec: ProcessSpec,
    options: &LocalOptions,
    guard: &Arc<Guard>,
) -> Result<Launch, WorkspaceError> {
    refuse_bytes_no_process_can_be_given(&spec)?;
    let cwd = working_directory(&spec, options)?;
    let variable = |name: &str| match spec.env.get(name) {
        Some(value) => Some(value.expose()),
        None => options.base_env.get(name).map(String::as_str),
    };
    let search_path = match spec.env.get("PATH") {
        Some(path) => path.expose(),
        None => &options.search_path,
    };

    let found = program::find(&spec.program, &cwd, search_path, &ExecutorId::local());
    let found = match found {
        // The profile may know more places.
        Err(_) if spec.login_shell => PathBuf::from(&spec.program),
        found => found?,
    };
    let own = spec
        .env
        .iter()
        .map(|(name, value)| (&**name, value.expose()));
    let inherited = options.base_env.iter();
    let env: BTreeMap<&str, &str> = inherited
        .map(|(name, value)| (&**name, &**value))
        .chain(own)
        .collect();
    let guarded = guard.take(
        &GuardedCommand {
            name: &spec.name,
            program: &spec.program,
            found: &found,
            cwd: &cwd,
            env: &env,
        },
        &mut spec.args,
    );

    let (program, args) = if spec.login_shell {
        let args = login_shell::arguments(variable("SHELL"), &spec.program, spec.args);
        (PathBuf::from(login_shell::SH), args)
    } else {
        (found, spec.args)
    };
    let mut command = Command::new(&program);
    command
        .args(args)
        .env_clear()
        .envs(&env)
        .env(nonce::VARIABLE, guarded.nonce().to_string())
        .current_dir(&cwd)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        // Stays on the fast way to start a process; a hook between fork and exec would not.
        .process_group(0);
    Ok(Launch {
        name: spec.name,
        program,
        cwd,
        command,
        grace: guarded.shortened(spec.grace),
        on_stderr: spec.on_stderr,
        guarded,
    })
}

impl Launch {
    /// Starts the process and the two tasks that own it. Does not wait, so it cannot be cut off
    /// between starting the process and taking care of it.
    pub(super) fn start(
        mut self,
        tasks: &TaskTracker,
        closing: &Closing,
    ) -> Result<Process, WorkspaceError> {
        self.guarded.starts(tasks, closing);
        let mut child = match self.command.spawn() {
            Ok(child) => child,
            Err(error) => {
                self.guarded.failed();
                return Err(self.explain(error));
            }
        };
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let id = child.id();
        let leader = id.and_then(|id| i32::try_from(id).ok());
        let (Some(leader), (Some(stdin), Some(stdout), Some(stderr))) = (leader, pipes) else {
            // Cannot happen: all three were asked for, and nobody has waited for the child yet.
            debug_assert!(false, "a started process lacks its id or a pipe");
            let _ = child.start_kill();
            return Err(self.refused("the system gave it no id or no pipes; try again"));
        };

        let group = Group::new(leader, self.guarded.leads(leader));
        let (process, control) = Process::new(ProcessSource {
            name: self.name.clone(),
            id,
            stdin: Box::new(stdin),
            stdout: Box::new(stdout),
            stdout_linger: LINGER,
        });
        let (exited, ended) = (CancellationToken::new(), CancellationToken::new());
        let (flushed_tx, flushed) = oneshot::channel();
        let pump = StderrPump {
            stderr,
            tail: control.tail(),
            sink: self.on_stderr,
            exited: exited.clone(),
            flushed: flushed_tx,
            ended: ended.clone(),
        };
        let supervisor = Supervisor {
            name: self.name,
            child,
            group,
            guarded: self.guarded,
            control,
            grace: self.grace,
            closing: closing.clone(),
            pump: PumpHandle {
                exited,
                flushed,
                ended,
                task: tasks.spawn(pump.run()),
            },
        };
        tasks.spawn(supervisor.run());
        Ok(process)
    }

    fn explain(&self, error: io::Error) -> WorkspaceError {
        let Some(errno) = error.raw_os_error().map(Errno::from_raw) else {
            return self.refused(format!("{error}; check the command"));
        };
        match errno {
            Errno::ENOENT | Errno::ENOTDIR => self.explain_missing_part(),
            Errno::ENOEXEC => self.refused(
                "the system cannot run this file; a script needs a first line such as \
                 `#!/bin/sh`, a binary must be made for this machine",
            ),
            Errno::EACCES | Errno::EPERM => self.refused(format!(
                "permission denied; check the permissions of the file, of its interpreter and of \
                 the working directory `{}`, and that its file system is not mounted noexec",
                self.cwd.display()
            )),
            Errno::E2BIG => self.refused(
                "its arguments and environment are too long together; shorten them or use a file",
            ),
            Errno::EAGAIN | Errno::ENOMEM | Errno::EMFILE | Errno::ENFILE => {
                WorkspaceError::Limit {
                    what: format!("cannot start `{}` ({error})", self.program.display()),
                }
            }
            Errno::ETXTBSY => WorkspaceError::Io(io::Error::new(
                error.kind(),
                format!(
                    "start `{}`: the file is being written; try again when that is done",
                    self.program.display()
                ),
            )),
            _ => self.refused(format!("{error}; check the command")),
        }
    }

    /// The file was there a moment ago: something that it needs is not.
    fn explain_missing_part(&self) -> WorkspaceError {
        if !self.cwd.is_dir() {
            return no_such_directory(&self.program.display().to_string(), &self.cwd);
        }
        if !self.program.exists() {
            return WorkspaceError::NotFound {
                what: format!(
                    "command `{}` on executor `local`: it has just been removed; install it again",
                    self.program.display()
                ),
            };
        }
        match program::interpreter(&self.program) {
            Some(interpreter) => self.refused(format!(
                "its first line names the interpreter `{}`, which does not exist; install that or \
                 correct the line",
                interpreter.escape_debug()
            )),
            None => self.refused(
                "its loader or interpreter does not exist; it was made for another system, \
                 install the build for this one",
            ),
        }
    }

    fn refused(&self, reason: impl Into<String>) -> WorkspaceError {
        WorkspaceError::Spawn {
            program: self.program.display().to_string(),
            reason: reason.into(),
        }
    }
}

fn working_directory(
    spec: &ProcessSpec,
    options: &LocalOptions,
) -> Result<PathBuf, WorkspaceError> {
    let base = options.cwd.as_deref().unwrap_or(Path::new(""));
    let asked = match &spec.cwd {
        Some(cwd) => base.join(cwd),
        None => base.to_owned(),
    };
    let asked = match asked.as_os_str().is_empty() {
        true => PathBuf::from("."),
        false => asked,
    };
    // Absolute, since a relative program would otherwise be looked up from a different directory
    // than it is started from.
    let cwd = std::path::absolute(&asked)?;
    if !cwd.is_dir() {
        return Err(no_such_directory(&spec.program, &cwd));
    }
    Ok(cwd)
}

fn no_such_directory(program: &str, cwd: &Path) -> WorkspaceError {
    let problem = match cwd.exists() {
        true => "is not a directory",
        false => "does not exist",
    };
    WorkspaceError::Spawn {
        program: program.to_owned(),
        reason: format!(
            "the working directory `{}` {problem}; create it or name another",
            cwd.display()
        ),
    }
}

fn refuse_bytes_no_process_can_be_given(spec: &ProcessSpec) -> Result<(), WorkspaceError> {
    let refuse = |reason: String| {
        Err(WorkspaceError::Spawn {
            program: spec.program.escape_debug().to_string(),
            reason,
        })
    };
    if spec.program.contains('\0') || spec.args.iter().any(|arg| arg.contains('\0')) {
        return refuse("the command or an argument has a NUL byte in it; remove it".to_owned());
    }
    for (name, value) in &spec.env {
        if name.is_empty() || name.contains(['=', '\0']) || value.expose().contains('\0') {
            return refuse(format!(
                "the variable `{}` cannot be set: a name must be neither empty nor hold `=`, and \
                 neither name nor value may hold a NUL byte",
                name.escape_debug()
            ));
        }
    }
    Ok(())
}
