//! A configuration as read from its files: entries laid over each other, values not yet filled in.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use mcp_definitions::{ServerDefinition, ServerId, ServerSet};

use crate::blueprint::Blueprint;
use crate::building::Building;
use crate::defaults::FileDefaults;
use crate::files::Files;
use crate::layer::Layer;
use crate::node::shown;
use crate::problem::Problem;
use crate::source::Source;
use crate::{
    ConfigError, Defaults, Expander, Held, Layers, Loaded, Secrets, TrustStore, Untrusted, Warning,
};

/// A configuration as read from its files. The values that entries ask for are filled in later, by
/// [`Configuration::expand`] for one server or [`Configuration::expand_all`] for all.
#[derive(Clone)]
pub struct Configuration {
    /// The entries that are not loaded: the user's in the order of the file, then the project's.
    pub held: Vec<Held>,
    /// What was passed over or changed.
    pub warnings: Vec<Warning>,
    /// Entries of the project's file that nobody has trusted as they are now. They are not used;
    /// where the user has an entry of the same name, that one is.
    pub untrusted: Vec<Untrusted>,
    /// Why the project's file is not used at all. At a start the user's servers go on without it;
    /// a reload should be refused, since servers that run may stand in it.
    pub broken_project: Option<Arc<ConfigError>>,
    pub(crate) defaults: BTreeMap<Layer, FileDefaults>,
    pub(crate) blueprints: Vec<Blueprint>,
    pub(crate) files: Files,
}

/// A server with every value filled in.
#[derive(Clone, Debug)]
pub struct ExpandedServer {
    /// The server.
    pub definition: ServerDefinition,
    /// What may not appear in what we write about it.
    pub secrets: Secrets,
}

impl Configuration {
    /// Reads the files. Blocks on the file system, unless all texts are given.
    ///
    /// # Errors
    /// When the user's file is broken as a whole: it cannot be read, is not JSON with comments, has
    /// a key twice in one object, or keeps its servers where they are not looked for. What is wrong
    /// inside one entry is no error, see [`Configuration::held`]; neither is a project's file that
    /// is broken, see [`Configuration::broken_project`]: somebody else's file may not take the
    /// user's servers away.
    pub fn read(layers: &Layers<'_>, trust: &TrustStore) -> Result<Self, ConfigError> {
        let user = layers.user_input()?;
        let user = match &user {
            Some((cx, text)) => Some(Source::read(text, cx, Layer::User)?),
            None => None,
        };
        let mut building = Building::default();
        if let Some(user) = &user {
            building.add(user)?;
        }
        let mut broken_project = None;
        let mut unless_broken = |error| broken_project = Some(Arc::new(error));
        let project = layers.project_input();
        let project = project.map_err(&mut unless_broken).ok().flatten();
        let project = project.as_ref().and_then(|(cx, text)| {
            let read = Source::read(text, cx, Layer::Project);
            read.map_err(&mut unless_broken).ok()
        });
        if let Some(project) = &project {
            building.add(project).unwrap_or_else(&mut unless_broken);
        }
        Ok(Self {
            broken_project,
            ..building.build(trust)
        })
    }

    /// The servers that are loaded, with outlines such as `…${TOKEN}` for the values they ask for.
    /// For looking at, not for starting.
    pub fn outlines(&self) -> impl Iterator<Item = &ServerDefinition> {
        self.blueprints
            .iter()
            .map(|blueprint| &blueprint.definition)
    }

    /// Fills in the values that one server asks for; `None` when no server of that id is loaded.
    /// A disabled server asks for nothing.
    ///
    /// # Errors
    /// Why the entry cannot be used now: a variable is not set, a file cannot be read, a command
    /// failed.
    pub fn expand(
        &self,
        id: &ServerId,
        expander: &mut dyn Expander,
    ) -> Option<Result<ExpandedServer, Box<Held>>> {
        let mut all = self.blueprints.iter();
        let blueprint = all.find(|blueprint| blueprint.definition.id == *id)?;
        Some(self.fill(blueprint, expander))
    }

    /// Fills in the values that all enabled servers ask for. One that cannot have them is held.
    pub fn expand_all(&self, expander: &mut dyn Expander) -> Loaded {
        let mut servers = ServerSet::new();
        let mut held = self.held.clone();
        let mut secrets = Secrets::default();
        let mut places = BTreeMap::new();
        for blueprint in &self.blueprints {
            let id = blueprint.definition.id.clone();
            let filled = self.fill(blueprint, expander).and_then(|filled| {
                secrets.extend(&filled.secrets);
                let inserted = servers.insert(filled.definition);
                inserted.map_err(|error| {
                    let problem =
                        Problem::new(blueprint.at, error.to_string(), "rename one of them");
                    self.hold(blueprint, problem)
                })
            });
            match filled {
                Ok(()) => {
                    places.insert(id, self.files.place(blueprint.at));
                }
                Err(entry) => held.push(*entry),
            }
        }
        Loaded {
            path: self.files.first_path(),
            servers,
            held,
            warnings: self.warnings.clone(),
            untrusted: self.untrusted.clone(),
            broken_project: self.broken_project.clone(),
            defaults: self.user_defaults(),
            secrets,
            files: self.files.paths().map(Path::to_owned).collect(),
            places,
        }
    }

    fn user_defaults(&self) -> Defaults {
        let read = self.defaults.get(&Layer::User);
        read.map(|read| read.values).unwrap_or_default()
    }

    fn fill(
        &self,
        blueprint: &Blueprint,
        expander: &mut dyn Expander,
    ) -> Result<ExpandedServer, Box<Held>> {
        let filled = blueprint.expand(expander, &self.files);
        filled
            .map(|(definition, secrets)| ExpandedServer {
                definition,
                secrets,
            })
            .map_err(|problem| self.hold(blueprint, problem))
    }

    fn hold(&self, blueprint: &Blueprint, problem: Problem) -> Box<Held> {
        let place = self.files.place(problem.at);
        Box::new(Held {
            name: shown(&blueprint.name),
            id: Some(blueprint.definition.id.clone()),
            path: place.path,
            line: place.line,
            reason: problem.reason,
            remedy: problem.remedy,
        })
    }
}

#[cfg(test)]
mod tests;
