//! One text as read: its tree, its lines, and what it is read with.

use jsonc_parser::ast::Object;

use crate::layer::{At, Layer};
use crate::position::Lines;
use crate::{ConfigError, Context, document, top_level};

/// Most servers in one file. Each costs a process when it is used, and each unknown key a look for
/// what was meant.
const MAX_SERVERS: usize = 1_000;

/// One text as read.
pub(crate) struct Source<'t> {
    pub(crate) layer: Layer,
    pub(crate) cx: Context<'t>,
    pub(crate) lines: Lines<'t>,
    pub(crate) root: Object<'t>,
}

/// What is passed over, with its place.
pub(crate) type Warn<'w> = &'w mut dyn FnMut(At, String);

impl<'t> Source<'t> {
    pub(crate) fn read(text: &'t str, cx: &Context<'t>, layer: Layer) -> Result<Self, ConfigError> {
        let text = document::without_mark(text);
        let lines = Lines::new(text);
        let root = document::root(text, &lines, cx)?;
        Ok(Self {
            layer,
            cx: *cx,
            lines,
            root,
        })
    }

    /// The entries of the file; `None` when it has none.
    pub(crate) fn entries<'s>(
        &'s self,
        warn: Warn<'_>,
    ) -> Result<Option<&'s Object<'s>>, ConfigError> {
        let mut here = |offset, message| warn(self.at(offset), message);
        let entries = top_level::entries(&self.root, &self.lines, &self.cx, &mut here)?;
        let beyond = entries.and_then(|entries| entries.properties.get(MAX_SERVERS));
        if let Some(property) = beyond {
            return Err(ConfigError::Shape {
                path: self.cx.path.to_owned(),
                position: self.lines.position(property.range.start),
                cause: format!("there are more than {MAX_SERVERS} servers"),
                remedy: "take out those that nobody uses".to_owned(),
            });
        }
        top_level::warn_of_others(&self.root, &mut here);
        Ok(entries)
    }

    pub(crate) fn at(&self, offset: usize) -> At {
        At {
            layer: self.layer,
            offset,
        }
    }
}
