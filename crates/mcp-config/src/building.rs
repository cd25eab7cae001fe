//! From the texts of the layers to a configuration.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use jsonc_parser::ast::ObjectProp;
use mcp_definitions::{ServerId, ServerSet};

use crate::blueprint::Blueprint;
use crate::defaults::{self, FileDefaults};
use crate::files::Files;
use crate::layer::{At, Layer};
use crate::merged::MergedEntry;
use crate::node::shown;
use crate::problem::Problem;
use crate::source::{Source, Warn};
use crate::{
    ConfigError, Configuration, Held, TrustStore, Untrusted, Warning, canonical, entry, untrusted,
};

/// Most warnings that are kept. A file that has more is no configuration.
const MAX_WARNINGS: usize = 200;

/// The layers as read so far, lowest first.
#[derive(Default)]
pub(crate) struct Building<'s> {
    files: Files,
    defaults: BTreeMap<Layer, FileDefaults>,
    entries: Vec<Named<'s>>,
    places: HashMap<&'s str, usize>,
    warned: Vec<(At, Option<String>, String)>,
}

/// The entries of one name, lowest layer first.
pub(crate) struct Named<'s> {
    pub(crate) name: &'s str,
    pub(crate) entries: Vec<(Layer, &'s ObjectProp<'s>)>,
}

impl Named<'_> {
    /// The place of the uppermost entry.
    pub(crate) fn at(&self) -> At {
        let (layer, offset) = match self.entries.last() {
            Some((layer, property)) => (*layer, property.range.start),
            None => (Layer::User, 0),
        };
        At { layer, offset }
    }

    pub(crate) fn is_of_project(&self) -> bool {
        self.entries
            .iter()
            .any(|(layer, _)| *layer == Layer::Project)
    }
}

impl<'s> Building<'s> {
    /// Lays a file over those before it.
    ///
    /// # Errors
    /// When it keeps its servers where they are not looked for. Nothing of it is used then.
    pub(crate) fn add(&mut self, source: &'s Source<'s>) -> Result<(), ConfigError> {
        let mut warned = Vec::new();
        let mut warn = |at, message| warned.push((at, None, message));
        let entries = source.entries(&mut warn)?;
        if let Some(found) = source.root.get("defaults") {
            let read = defaults::read(&found.value, source.layer, &mut warn);
            self.defaults.insert(source.layer, read);
        }
        self.warned.append(&mut warned);
        self.files.add(source);
        for property in entries.into_iter().flat_map(|it| &it.properties) {
            let name = property.name.as_str();
            let place = *self.places.entry(name).or_insert(self.entries.len());
            if place == self.entries.len() {
                let entries = Vec::new();
                self.entries.push(Named { name, entries });
            }
            self.entries[place].entries.push((source.layer, property));
        }
        Ok(())
    }

    /// Reads the entries. Those of a project that are not trusted are left out.
    pub(crate) fn build(mut self, trust: &TrustStore) -> Configuration {
        let mut servers = ServerSet::new();
        let mut blueprints = Vec::new();
        let mut held: Vec<Held> = Vec::new();
        let mut untrusted = Vec::new();
        for mut named in std::mem::take(&mut self.entries) {
            if let Some(entry) = self.untrusted(&named, trust) {
                untrusted.push(entry);
                named.entries.retain(|(layer, _)| *layer == Layer::User);
                if named.entries.is_empty() {
                    continue;
                }
            }
            let (id, changed) = ServerId::slug(named.name);
            let mut warned = Vec::new();
            if changed {
                let message = format!("the name is not a server id; it is called {id} here");
                warned.push((named.at(), message));
            }
            let mut warn = |at, message| warned.push((at, message));
            let read = self.read(&id, &named, &mut warn).and_then(|blueprint| {
                let inserted = servers.insert(blueprint.definition.clone());
                let clash = |error: mcp_definitions::ServerSetError| {
                    Problem::new(blueprint.at, error.to_string(), "rename one of them")
                };
                inserted.map_err(clash).map(|()| blueprint)
            });
            let name = shown(named.name);
            for (at, message) in warned {
                self.warned.push((at, Some(name.clone()), message));
            }
            match read {
                Ok(blueprint) => blueprints.push(blueprint),
                Err(problem) => held.push(self.hold(name, Some(id), problem)),
            }
        }
        // Only now is it known which ids are taken.
        let mut taken: BTreeSet<String> = servers.iter().map(|it| it.id.folded()).collect();
        for entry in &mut held {
            entry.id = entry.id.take().filter(|id| taken.insert(id.folded()));
        }
        Configuration {
            held,
            warnings: self.warnings(),
            untrusted,
            broken_project: None,
            defaults: self.defaults,
            blueprints,
            files: self.files,
        }
    }

    /// The entry as far as it comes from a project and is not trusted; `None` when it may be used.
    fn untrusted(&self, named: &Named<'_>, trust: &TrustStore) -> Option<Untrusted> {
        if !named.is_of_project() {
            return None;
        }
        let canonical = canonical::of(named, &self.files);
        let fingerprint = trust.fingerprint(&canonical);
        if trust.is_trusted(&fingerprint) {
            return None;
        }
        let (id, _) = ServerId::slug(named.name);
        let problem = self
            .read(&id, named, &mut |_, _| {})
            .err()
            .map(|problem| self.hold(shown(named.name), None, problem));
        let place = self.files.place(named.at());
        Some(untrusted::describe(named, place, fingerprint, problem))
    }

    fn read(&self, id: &ServerId, named: &Named<'_>, warn: Warn<'_>) -> Result<Blueprint, Problem> {
        let merged = MergedEntry::of(named)?;
        let cx = |layer| self.files.cx(layer);
        let mut blueprint = entry::read(id.clone(), &merged, cx, warn)?;
        // A project's defaults are for its own entries.
        if named.is_of_project() {
            self.fill(&mut blueprint, Layer::Project);
        }
        self.fill(&mut blueprint, Layer::User);
        Ok(blueprint)
    }

    fn fill(&self, blueprint: &mut Blueprint, layer: Layer) {
        if let Some(defaults) = self.defaults.get(&layer) {
            defaults.values.fill(&mut blueprint.definition);
        }
    }

    fn hold(&self, name: String, id: Option<ServerId>, problem: Problem) -> Held {
        let place = self.files.place(problem.at);
        Held {
            name,
            id,
            path: place.path,
            line: place.line,
            reason: problem.reason,
            remedy: problem.remedy,
        }
    }

    fn warnings(&mut self) -> Vec<Warning> {
        let mut warned = std::mem::take(&mut self.warned);
        warned.sort_by_key(|(at, _, _)| (at.layer, self.files.place(*at).line));
        let beyond = warned.len().saturating_sub(MAX_WARNINGS);
        warned.truncate(MAX_WARNINGS);
        if let Some((_, name, message)) = warned.last_mut().filter(|_| beyond > 0) {
            (*name, *message) = (None, format!("{} more warnings are left out", beyond + 1));
        }
        let warning = |(at, name, message)| {
            let place = self.files.place(at);
            Warning {
                path: place.path,
                line: place.line,
                name,
                message,
            }
        };
        warned.into_iter().map(warning).collect()
    }
}
