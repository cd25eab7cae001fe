//! Which files a configuration is read from.

use crate::{ConfigError, Context, document};

/// Which files a configuration is read from: the user's own, and a project's laid over it.
///
/// Where both have an entry of one name, each field is taken whole from the project's if that gives
/// it, else from the user's. A field that is absent, or `null`, changes nothing; an empty list or
/// object replaces what was there. Nothing below a field is mixed: `env` replaces `env`. A
/// project's entry counts only once it is trusted.
#[derive(Clone, Copy, Debug, Default)]
pub struct Layers<'a> {
    user: Option<Input<'a>>,
    project: Option<Input<'a>>,
}

#[derive(Clone, Copy)]
struct Input<'a> {
    cx: Context<'a>,
    /// `None`: read the file.
    text: Option<&'a str>,
}

/// Without the text, which holds secrets.
impl std::fmt::Debug for Input<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.cx.fmt(f)
    }
}

impl<'a> Layers<'a> {
    /// No file at all: a configuration without servers.
    pub fn new() -> Self {
        Self::default()
    }

    /// With the user's file, which is read.
    #[must_use]
    pub fn user(self, cx: Context<'a>) -> Self {
        let user = Some(Input { cx, text: None });
        Self { user, ..self }
    }

    /// With this text as the user's file, which is not touched.
    #[must_use]
    pub fn user_text(self, text: &'a str, cx: Context<'a>) -> Self {
        let text = Some(text);
        let user = Some(Input { cx, text });
        Self { user, ..self }
    }

    /// With a project's file, which is read. Its paths should be free of links: trust belongs to a
    /// path.
    #[must_use]
    pub fn project(self, cx: Context<'a>) -> Self {
        let project = Some(Input { cx, text: None });
        Self { project, ..self }
    }

    /// With this text as a project's file, which is not touched.
    #[must_use]
    pub fn project_text(self, text: &'a str, cx: Context<'a>) -> Self {
        let text = Some(text);
        let project = Some(Input { cx, text });
        Self { project, ..self }
    }

    /// The user's file and its text.
    pub(crate) fn user_input(&self) -> Result<Option<(Context<'a>, String)>, ConfigError> {
        let read = |input: Input<'a>| Ok((input.cx, input.read(false)?));
        self.user.map(read).transpose()
    }

    /// The project's file and its text; none when it is the user's file.
    pub(crate) fn project_input(&self) -> Result<Option<(Context<'a>, String)>, ConfigError> {
        let user = self.user.map(|input| input.cx.path);
        let project = self.project.filter(|input| Some(input.cx.path) != user);
        let read = |input: Input<'a>| Ok((input.cx, input.read(true)?));
        project.map(read).transpose()
    }
}

impl Input<'_> {
    fn read(&self, only_files: bool) -> Result<String, ConfigError> {
        match self.text {
            Some(text) => Ok(text.to_owned()),
            None => document::read(&self.cx, only_files),
        }
    }
}
