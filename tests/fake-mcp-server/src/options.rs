//! What can be set about a mode, and the `--key value` form of it.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use crate::Mode;

/// What can be set about a mode. `None` means the mode's own default.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// Entries in one page of a list (0 counts as 1).
    pub page_size: Option<usize>,
    /// How many tools are listed: the mode's own, filled up with `tool_00042` and so on.
    pub tool_count: Option<usize>,
    /// The wait that the mode is about.
    pub delay: Option<Duration>,
    /// How many calls [`Mode::Reverse`] collects.
    pub reverse_batch: usize,
    /// How many grandchildren the binary starts; they ignore SIGTERM and hold stdout open.
    pub grandchildren: Option<usize>,
    /// How many bytes go to stderr before anything else happens. More than a pipe holds
    /// (64 KiB on Linux) stops the server unless somebody reads them.
    pub stderr_bytes: usize,
    /// Write in pieces of this many bytes, each flushed, so that messages arrive torn.
    pub chunk: Option<usize>,
    /// What the tool `env` looks up. The binary gives its environment; the library reads none.
    pub environment: BTreeMap<String, String>,
    /// The grandchildren that were started, for the tool `count` to report.
    pub grandchild_pids: Vec<u32>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            page_size: None,
            tool_count: None,
            delay: None,
            reverse_batch: 3,
            grandchildren: None,
            stderr_bytes: 0,
            chunk: None,
            environment: BTreeMap::new(),
            grandchild_pids: Vec::new(),
        }
    }
}

impl Options {
    /// The keys that [`Options::parse`] knows; each takes a whole number.
    pub const KEYS: &'static [&'static str] = &[
        "--page-size",
        "--tool-count",
        "--delay-ms",
        "--reverse-batch",
        "--grandchildren",
        "--stderr-bytes",
        "--chunk",
    ];

    /// Reads `--key value` pairs.
    ///
    /// # Errors
    /// An unknown key, a key without a value, or a value that is no whole number.
    pub fn parse(arguments: impl IntoIterator<Item = String>) -> Result<Options, OptionsError> {
        let mut options = Options::default();
        let mut arguments = arguments.into_iter();
        while let Some(key) = arguments.next() {
            if !Options::KEYS.contains(&key.as_str()) {
                return Err(OptionsError::UnknownKey(key));
            }
            let Some(value) = arguments.next() else {
                return Err(OptionsError::MissingValue(key));
            };
            let Ok(number) = value.parse::<u32>() else {
                return Err(OptionsError::NotANumber { key, value });
            };
            options.set(&key, number);
        }
        Ok(options)
    }

    fn set(&mut self, key: &str, number: u32) {
        let count = number as usize;
        match key {
            "--page-size" => self.page_size = Some(count),
            "--tool-count" => self.tool_count = Some(count),
            "--delay-ms" => self.delay = Some(Duration::from_millis(number.into())),
            "--reverse-batch" => self.reverse_batch = count,
            "--grandchildren" => self.grandchildren = Some(count),
            "--stderr-bytes" => self.stderr_bytes = count,
            "--chunk" => self.chunk = Some(count),
            _ => debug_assert!(false, "{key} is in KEYS but not here"),
        }
    }

    /// The page size for `mode`; `None`: everything in one page.
    #[must_use]
    pub fn page_size(&self, mode: Mode) -> Option<usize> {
        let default = match mode {
            Mode::ToolsListPaged => Some(3),
            Mode::BigList => Some(1_000),
            Mode::ResourcesOnly => Some(2),
            _ => None,
        };
        self.page_size.or(default).map(|size| size.max(1))
    }

    /// The number of tools listed in `mode`; `None`: just the mode's own tools.
    #[must_use]
    pub fn tool_count(&self, mode: Mode) -> Option<usize> {
        self.tool_count
            .or((mode == Mode::BigList).then_some(10_000))
    }

    /// The wait that `mode` is about.
    #[must_use]
    pub fn delay(&self, mode: Mode) -> Duration {
        let default = match mode {
            Mode::Slow => 200,
            Mode::SlowList => 60_000,
            Mode::SlowInitialize => 2_000,
            Mode::SlowDrain => 1_000,
            Mode::CrashLoop => 50,
            Mode::Progress => 20,
            _ => 0,
        };
        self.delay.unwrap_or(Duration::from_millis(default))
    }

    /// How many grandchildren the binary starts in `mode`.
    #[must_use]
    pub fn grandchildren(&self, mode: Mode) -> usize {
        self.grandchildren
            .unwrap_or(usize::from(mode == Mode::Stubborn))
    }
}

/// Why the arguments could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OptionsError {
    /// The key is not in [`Options::KEYS`].
    UnknownKey(String),
    /// The last key has no value.
    MissingValue(String),
    /// The value is no whole number.
    NotANumber {
        /// The key before it.
        key: String,
        /// The value as given.
        value: String,
    },
}

impl fmt::Display for OptionsError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionsError::UnknownKey(key) => write!(formatter, "unknown key {key:?}"),
            OptionsError::MissingValue(key) => write!(formatter, "{key} needs a value"),
            OptionsError::NotANumber { key, value } => {
                write!(formatter, "{key} needs a whole number, not {value:?}")
            }
        }
    }
}

impl std::error::Error for OptionsError {}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Options, OptionsError> {
        Options::parse(text.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn every_key_changes_something() {
        for key in Options::KEYS {
            assert_ne!(parse(&format!("{key} 7")), Ok(Options::default()), "{key}");
        }
    }

    #[test]
    fn wrong_arguments_are_named() {
        let key = "--chunk".to_owned();
        assert_eq!(
            parse("--loud 1"),
            Err(OptionsError::UnknownKey("--loud".to_owned()))
        );
        assert_eq!(
            parse("--chunk"),
            Err(OptionsError::MissingValue(key.clone()))
        );
        let value = "many".to_owned();
        assert_eq!(
            parse("--chunk many"),
            Err(OptionsError::NotANumber { key, value })
        );
    }

    #[test]
    fn a_given_value_wins_over_the_mode() {
        let options = parse("--page-size 50 --delay-ms 5").expect("valid arguments");
        assert_eq!(options.page_size(Mode::BigList), Some(50));
        assert_eq!(options.delay(Mode::SlowList), Duration::from_millis(5));
        assert_eq!(Options::default().page_size(Mode::BigList), Some(1_000));
        assert_eq!(Options::default().grandchildren(Mode::Stubborn), 1);
    }
}
