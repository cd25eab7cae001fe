//! What came of the kills, for people.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Duration;

use super::kinds::{Job, Kind};
use super::moments::Clean;

/// The time in which nothing may be left. On a busy machine it may take twice that.
const GOAL: Duration = Duration::from_secs(5);

/// One kill and what came of it, or what went wrong.
pub(super) type Outcome = (Job, Result<Clean, String>);

/// One line per kind: how many left nothing, how many processes they met (fewer than the most when the
/// kill came during the start), and the times.
pub(super) fn table(outcomes: &[Outcome]) -> String {
    let mut kinds = BTreeMap::<Kind, Vec<Clean>>::new();
    for (job, outcome) in outcomes {
        kinds.entry(job.kind).or_default().extend(outcome.iter());
    }
    let mut text = format!(
        "{:<52}{:>6}{:>11}{:>9}{:>8}\n",
        "kind", "clean", "processes", "median", "worst"
    );
    for (kind, clean) in &kinds {
        text += &line(&kind.to_string(), clean);
    }
    let all: Vec<Clean> = kinds.into_values().flatten().collect();
    text += &line("all", &all);
    for (job, outcome) in outcomes {
        if let Ok(Clean { took, .. }) = outcome
            && *took > GOAL
        {
            writeln!(
                text,
                "over {GOAL:?}: {}, {:?}: {took:?}",
                job.kind, job.moment
            )
            .unwrap();
        }
    }
    text
}

fn line(name: &str, clean: &[Clean]) -> String {
    let mut times: Vec<Duration> = clean.iter().map(|it| it.took).collect();
    times.sort_unstable();
    let count = times.len();
    let Some(worst) = times.last() else {
        return format!("{name:<52}{count:>6}\n");
    };
    let median = times[count / 2].as_secs_f64();
    let worst = worst.as_secs_f64();
    let met = || clean.iter().map(|it| it.most);
    let met = format!("{}–{}", met().min().unwrap_or(0), met().max().unwrap_or(0));
    format!("{name:<52}{count:>6}{met:>11}{median:>7.2} s{worst:>6.2} s\n")
}

/// What went wrong, in words.
pub(super) fn failures(outcomes: &[Outcome]) -> Vec<String> {
    let wrong = |(job, outcome): &Outcome| {
        let error = outcome.as_ref().err()?;
        Some(format!("{}, {:?}: {error}", job.kind, job.moment))
    };
    outcomes.iter().filter_map(wrong).collect()
}
