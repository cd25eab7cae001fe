//! Several servers, none of them twice.

use std::collections::BTreeMap;

use thiserror::Error;

use crate::server_id::fold;
use crate::{ServerDefinition, ServerId};

/// Server definitions in the order in which they were given, none of them twice.
///
/// Making one is the only place that rejects duplicates: whoever takes a `ServerSet` need not
/// check again. Ids that differ only in case, or in `-` for `_`, count as the same, since hosts
/// fold names so and one would silently take the other's place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServerSet {
    definitions: Vec<ServerDefinition>,
    /// Folded id or instance name to the place of its definition.
    places: BTreeMap<String, usize>,
}

/// Why two definitions cannot stand in one set.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ServerSetError {
    /// The same id twice.
    #[error("server {id} is defined twice")]
    SameId {
        /// The id.
        id: ServerId,
    },
    /// Two ids that hosts take for the same one.
    #[error("servers {first} and {second} differ only in case or in - for _")]
    AlikeIds {
        /// The one that was there.
        first: ServerId,
        /// The one that came later.
        second: ServerId,
    },
    /// An instance that would be shown under a name that is taken.
    #[error("an instance of server {second} would be shown as {name}, which is taken by {first}")]
    SameInstanceName {
        /// The name.
        name: String,
        /// The server that has it.
        first: ServerId,
        /// The server that came later.
        second: ServerId,
    },
}

impl ServerSet {
    /// A set without servers.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a definition at the end.
    ///
    /// # Errors
    /// When its id, or the name of one of its instances, is taken. The set is then unchanged.
    pub fn insert(&mut self, definition: ServerDefinition) -> Result<(), ServerSetError> {
        let place = self.definitions.len();
        let own = definition.id.folded();
        if let Some(&taken) = self.places.get(&own) {
            return Err(self.clash(taken, definition.id.as_str(), &definition.id));
        }
        let mut added = BTreeMap::from([(own.clone(), place)]);
        for name in definition.instance_names() {
            let folded = fold(&name);
            if folded == own {
                continue;
            }
            if let Some(&taken) = self.places.get(&folded) {
                return Err(self.clash(taken, &name, &definition.id));
            }
            if added.insert(folded, place).is_some() {
                let first = definition.id.clone();
                return Err(ServerSetError::SameInstanceName {
                    name,
                    first,
                    second: definition.id,
                });
            }
        }
        self.places.append(&mut added);
        self.definitions.push(definition);
        Ok(())
    }

    fn clash(&self, taken: usize, name: &str, second: &ServerId) -> ServerSetError {
        let first = self.definitions[taken].id.clone();
        let second = second.clone();
        if first == second {
            ServerSetError::SameId { id: first }
        } else if name == second.as_str() && first.folded() == second.folded() {
            ServerSetError::AlikeIds { first, second }
        } else {
            ServerSetError::SameInstanceName {
                name: name.to_owned(),
                first,
                second,
            }
        }
    }

    /// The definition with this id.
    pub fn get(&self, id: &ServerId) -> Option<&ServerDefinition> {
        let place = *self.places.get(&id.folded())?;
        self.definitions
            .get(place)
            .filter(|definition| definition.id == *id)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.definitions.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.definitions.is_empty()
    }

    /// The definitions, in order.
    pub fn iter(&self) -> std::slice::Iter<'_, ServerDefinition> {
        self.definitions.iter()
    }
}

impl TryFrom<Vec<ServerDefinition>> for ServerSet {
    type Error = ServerSetError;

    fn try_from(definitions: Vec<ServerDefinition>) -> Result<Self, Self::Error> {
        let mut set = Self::new();
        for definition in definitions {
            set.insert(definition)?;
        }
        Ok(set)
    }
}

impl IntoIterator for ServerSet {
    type Item = ServerDefinition;
    type IntoIter = std::vec::IntoIter<ServerDefinition>;

    fn into_iter(self) -> Self::IntoIter {
        self.definitions.into_iter()
    }
}

impl<'a> IntoIterator for &'a ServerSet {
    type Item = &'a ServerDefinition;
    type IntoIter = std::slice::Iter<'a, ServerDefinition>;

    fn into_iter(self) -> Self::IntoIter {
        self.definitions.iter()
    }
}

#[cfg(test)]
mod tests;
