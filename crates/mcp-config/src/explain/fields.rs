//! The fields of one entry, with their values as they may be shown.

use std::collections::BTreeMap;

use mcp_definitions::{HttpServer, ServerKind};

use super::{ExplainedField, FieldOrigin};
use crate::Configuration;
use crate::blueprint::Blueprint;
use crate::defaults;
use crate::field::{FIELDS, Of};
use crate::layer::{At, Layer};
use crate::shown;
use crate::text::Text;

/// The fields of an entry, in the order of the table. What is not given is there if it means
/// something all the same.
pub(super) fn of(configuration: &Configuration, blueprint: &Blueprint) -> Vec<ExplainedField> {
    let kind = match blueprint.definition.server {
        ServerKind::Stdio(_) => Of::Command,
        ServerKind::Http(_) | ServerKind::Sse(_) => Of::Url,
    };
    let mut fields = Vec::new();
    for field in FIELDS.iter().filter(|it| it.of == Of::Any || it.of == kind) {
        let given = blueprint.given.iter().find(|it| it.field.key == field.key);
        let place = |at: At| configuration.files.place(at);
        let replaced = given.and_then(|given| given.replaced).map(place);
        match (field.key, given) {
            ("env", Some(_)) => {
                fields.extend(members(configuration, "env", &blueprint.texts.env));
            }
            ("headers", Some(_)) => {
                fields.extend(members(configuration, "headers", &blueprint.texts.headers));
            }
            (key, Some(given)) => fields.push(ExplainedField {
                key: key.to_owned(),
                value: value(key, blueprint).unwrap_or_default(),
                origin: FieldOrigin::Entry(place(given.at)),
                replaced,
            }),
            (key, None) => {
                let Some(value) = value(key, blueprint).filter(|_| counts(key)) else {
                    continue;
                };
                let origin = match of_defaults(configuration, blueprint, key) {
                    Some(at) => FieldOrigin::Defaults(place(at)),
                    None => FieldOrigin::BuiltIn,
                };
                fields.push(ExplainedField {
                    key: key.to_owned(),
                    value,
                    origin,
                    replaced: None,
                });
            }
        }
    }
    fields
}

/// Keys whose value matters when it is not given.
fn counts(key: &str) -> bool {
    let always = [
        "type",
        "executors",
        "sharing",
        "lifecycle",
        "enabled",
        "required",
    ];
    always.contains(&key) || defaults::KEYS.contains(&key)
}

fn of_defaults(configuration: &Configuration, blueprint: &Blueprint, key: &str) -> Option<At> {
    let of = |layer| configuration.defaults.get(&layer)?.places.get(key).copied();
    let project = blueprint.at.layer == Layer::Project;
    let of_project = project.then(|| of(Layer::Project)).flatten();
    of_project.or_else(|| of(Layer::User))
}

fn members<'a>(
    configuration: &'a Configuration,
    key: &'a str,
    texts: &'a BTreeMap<String, Text>,
) -> impl Iterator<Item = ExplainedField> + 'a {
    texts.iter().map(move |(name, text)| ExplainedField {
        key: format!("{key}.{}", crate::node::shown(name)),
        value: text.outline().unwrap_or_else(|| "(not shown)".to_owned()),
        origin: FieldOrigin::Entry(configuration.files.place(text.at)),
        replaced: None,
    })
}

/// The value of a key as it may be shown; `None` when there is none.
fn value(key: &str, blueprint: &Blueprint) -> Option<String> {
    let definition = &blueprint.definition;
    let texts = &blueprint.texts;
    let whole = |text: &Option<Text>| text.as_ref().map(Text::unexpanded);
    let list = |items: &[String]| items.join(", ");
    let span = |span: Option<std::time::Duration>| {
        Some(span.map_or_else(|| "the usual".to_owned(), shown::duration))
    };
    match (key, &definition.server) {
        ("type", server) => Some(server.as_str().to_owned()),
        ("command", _) => whole(&texts.command),
        ("args", _) => {
            let argument = |text: &Text| match text.outline() {
                Some(outline) => outline,
                None => shown::argument(&text.unexpanded()).to_owned(),
            };
            let shown: Vec<_> = texts.args.iter().map(argument).collect();
            Some(shown.join(" "))
        }
        ("envFile", _) => whole(&texts.env_file),
        ("cwd", _) => whole(&texts.cwd),
        ("inheritEnv", ServerKind::Stdio(command)) => Some(list(&command.inherit_env)),
        ("url", ServerKind::Http(server) | ServerKind::Sse(server)) => {
            Some(url(texts.url.as_ref(), server))
        }
        ("executors", _) => {
            let names = definition.executor_ids.iter().map(ToString::to_string);
            Some(list(&names.collect::<Vec<_>>()))
        }
        ("placement", _) => definition.placement.map(|it| it.as_str().to_owned()),
        ("sharing", _) => Some(definition.sharing.as_str().to_owned()),
        ("lifecycle", _) => Some(definition.lifecycle.as_str().to_owned()),
        ("startupTimeout", _) => span(definition.startup_timeout),
        ("toolTimeout", _) => span(definition.tool_timeout),
        ("idleTimeout", _) => span(definition.idle_timeout),
        ("enabled", _) => Some(definition.enabled.to_string()),
        ("disabled", _) => Some((!definition.enabled).to_string()),
        ("required", _) => Some(definition.required.to_string()),
        ("tools", _) => {
            let filter = &definition.tool_filter;
            let include = filter
                .include
                .as_ref()
                .map_or_else(|| "all".to_owned(), |it| list(it));
            Some(match filter.exclude.as_slice() {
                [] => include,
                exclude => format!("{include}, but not {}", list(exclude)),
            })
        }
        ("about", _) => definition.about.clone(),
        ("notReadyAdvice", _) => definition.not_ready_advice.clone(),
        ("curated", _) => Some(list(&definition.curated)),
        _ => None,
    }
}

fn url(text: Option<&Text>, server: &HttpServer) -> String {
    text.and_then(Text::outline)
        .unwrap_or_else(|| server.shown_url())
}
