//! The embedded server `clock`: what time it is somewhere, and what a time is elsewhere.

use async_trait::async_trait;
use jiff::civil::{DateTime, Time};
use jiff::tz::{self, TimeZone};
use jiff::{Timestamp, ZonedDateTime};
use mcp_proto::ErrorObject;
use mcp_proto::capabilities::ListCapability;
use mcp_proto::list::ListKind;
use mcp_proto::tool::CallToolParams;
use mcp_server::{
    ArgumentType, List, Reply, RequestContext, ServerDescription, ServerHandler, ToolFailure,
    ToolSpec, arguments, unknown_tool,
};
use serde::Deserialize;

/// A server that knows the time in every IANA time zone, from a table of its own.
pub(crate) fn clock() -> impl ServerHandler {
    Clock {
        now: Timestamp::now,
    }
}

pub(super) struct Clock {
    pub(super) now: fn() -> Timestamp,
}

#[derive(Deserialize)]
struct Now {
    zone: Option<String>,
}

#[derive(Deserialize)]
struct Convert {
    time: String,
    from: String,
    to: String,
}

#[async_trait]
impl ServerHandler for Clock {
    fn describe(&self) -> ServerDescription {
        let mut server = ServerDescription::new("clock", env!("CARGO_PKG_VERSION"));
        server.capabilities.tools = Some(ListCapability::default());
        server.instructions = Some(
            "Ask `now` for the current date and time instead of guessing it, and `convert` for what a \
             time in one zone is in another. Zones have IANA names such as Asia/Tokyo."
                .to_owned(),
        );
        server
    }

    async fn list(&self, _: ListKind, _: &RequestContext) -> Result<List, ErrorObject> {
        let zone = "An IANA time zone name, such as Asia/Tokyo, Europe/Berlin or UTC.";
        let now = ToolSpec::new(
            "now",
            "What time is it now? The current time and date in a time zone or its city, in ISO 8601 \
             with the offset from UTC.",
        )
        .optional(
            "zone",
            ArgumentType::String,
            &format!("{zone} Default: UTC."),
        );
        let convert = ToolSpec::new(
            "convert",
            "Converts a given moment from one zone to another, daylight saving included. Gives ISO 8601 \
             with the offset from UTC.",
        )
        .required(
            "time",
            ArgumentType::String,
            "The time to convert: 2026-11-30T19:12, or 19:12 for today in the zone `from`. A time with \
             an offset, such as 2026-11-30T19:12:00+09:00, is taken as it is.",
        )
        .required("from", ArgumentType::String, &format!("The zone of `time`. {zone}"))
        .required("to", ArgumentType::String, &format!("The zone to convert to. {zone}"));
        let tools = [now, convert];
        Ok(List::of(tools.map(|tool| tool.read_only().closed_world())))
    }

    async fn call_tool(
        &self,
        params: CallToolParams,
        _: &RequestContext,
    ) -> Result<Reply, ErrorObject> {
        let outcome = match params.name.as_str() {
            "now" => arguments(&params).and_then(|asked| self.tell(asked)),
            "convert" => arguments(&params).and_then(|asked| self.convert(asked)),
            other => return Err(unknown_tool(other)),
        };
        Ok(outcome.into())
    }
}

impl Clock {
    fn tell(&self, asked: Now) -> Result<String, ToolFailure> {
        let zone = zone(asked.zone.as_deref().unwrap_or("UTC"))?;
        Ok(iso(&(self.now)().to_zoned_datetime(zone)))
    }

    fn convert(&self, asked: Convert) -> Result<String, ToolFailure> {
        let from = zone(&asked.from)?;
        let to = zone(&asked.to)?;
        let moment = self.moment(asked.time.trim(), from).ok_or_else(|| {
            ToolFailure(format!(
                "{:?} is no time that exists; write it as 2026-11-30T19:12 or 19:12.",
                asked.time
            ))
        })?;
        Ok(iso(&moment.to_zoned_datetime(to)))
    }

    fn moment(&self, time: &str, from: TimeZone) -> Option<Timestamp> {
        // The most exact reading first: a time with an offset would also read as one without.
        if let Ok(moment) = time.parse::<Timestamp>() {
            return Some(moment);
        }
        // A date and time would also read as the time alone.
        let local = match time.parse::<DateTime>() {
            Ok(local) => local,
            Err(_) => {
                let today = (self.now)().to_zoned_datetime(from.clone()).date();
                today.to_datetime(time.parse::<Time>().ok()?)
            }
        };
        Some(local.to_zoned_datetime(from).ok()?.timestamp())
    }
}

fn iso(moment: &ZonedDateTime) -> String {
    moment.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string()
}

fn zone(name: &str) -> Result<TimeZone, ToolFailure> {
    TimeZone::get(name).map_err(|_| {
        let alike = zones_like(name);
        let advice = match alike.is_empty() {
            true => "names are like Asia/Tokyo, Europe/Berlin or UTC.".to_owned(),
            false => format!("did you mean {}?", alike.join(" or ")),
        };
        ToolFailure(format!("There is no time zone {name:?}; {advice}"))
    })
}

/// Up to three zones whose name holds the given one: a model asks for `Tokyo` or `new york`.
fn zones_like(name: &str) -> Vec<String> {
    let wanted = name.trim().replace(' ', "_").to_lowercase();
    let place = wanted.rsplit('/').next().unwrap_or_default();
    if place.len() < 3 {
        return Vec::new();
    }
    tz::db()
        .available()
        .map(|zone| zone.as_str().to_owned())
        .filter(|zone| zone.contains('/') && zone.to_lowercase().contains(place))
        .take(3)
        .collect()
}
