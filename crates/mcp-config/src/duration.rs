//! Spans of time as people write them.

use std::time::Duration;

/// The longest span that is accepted. No timeout of ours is sensibly longer, and the sum of a
/// moment and a span can then not overflow.
const LONGEST: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// The units, each with its milliseconds.
const UNITS: &[(&str, f64)] = &[
    ("ms", 1.0),
    ("s", 1e3),
    ("m", 60e3),
    ("h", 3_600e3),
    ("d", 86_400e3),
];

/// Reads `500ms`, `30s`, `1.5m`, `1h30m`, … The error says what is wrong.
pub(crate) fn from_text(text: &str) -> Result<Duration, &'static str> {
    let mut rest = text.trim();
    if rest.is_empty() {
        return Err("is empty");
    }
    let mut millis = 0.0;
    while !rest.is_empty() {
        let digits = rest
            .find(|c: char| !c.is_ascii_digit() && c != '.')
            .unwrap_or(rest.len());
        let number: f64 = rest[..digits]
            .parse()
            .map_err(|_| "is not a span of time")?;
        let after = rest[digits..].trim_start();
        let letters = after
            .find(|c: char| !c.is_ascii_alphabetic())
            .unwrap_or(after.len());
        let (unit, following) = after.split_at(letters);
        if unit.is_empty() {
            return Err("has a number without a unit");
        }
        let known = UNITS.iter().find(|(name, _)| *name == unit);
        let (_, scale) = known.ok_or("has an unknown unit of time")?;
        millis += number * scale;
        rest = following.trim_start();
    }
    from_millis(millis)
}

/// Reads a number of seconds.
pub(crate) fn from_seconds(seconds: f64) -> Result<Duration, &'static str> {
    from_millis(seconds * 1e3)
}

fn from_millis(millis: f64) -> Result<Duration, &'static str> {
    if !millis.is_finite() || millis > LONGEST.as_millis() as f64 {
        return Err("is longer than 30 days");
    }
    if millis < 0.0 {
        return Err("is less than zero");
    }
    Duration::try_from_secs_f64(millis / 1e3).map_err(|_| "is not a span of time")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_of_time_are_read() {
        let check = |text: &str, millis: u64| {
            assert_eq!(from_text(text), Ok(Duration::from_millis(millis)), "{text}");
        };
        check("500ms", 500);
        check("30s", 30_000);
        check("2m", 120_000);
        check("1.5m", 90_000);
        check("1h30m", 5_400_000);
        check("1h 30m", 5_400_000);
        check(" 10 s ", 10_000);
        check("1d", 86_400_000);
        check("0s", 0);
        assert_eq!(from_seconds(1.5), Ok(Duration::from_millis(1500)));
    }

    #[test]
    fn other_texts_are_refused_with_the_reason() {
        let check = |text: &str, reason: &str| assert_eq!(from_text(text), Err(reason), "{text}");
        check("", "is empty");
        check("30", "has a number without a unit");
        check("1h30", "has a number without a unit");
        check("30 sec", "has an unknown unit of time");
        check("30S", "has an unknown unit of time");
        check("soon", "is not a span of time");
        check("-5s", "is not a span of time");
        check("1.2.3s", "is not a span of time");
        check("31d", "is longer than 30 days");
        check(&format!("{}s", "9".repeat(400)), "is longer than 30 days");
        assert_eq!(from_seconds(-1.0), Err("is less than zero"));
        assert_eq!(from_seconds(f64::INFINITY), Err("is longer than 30 days"));
    }
}
