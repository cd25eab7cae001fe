//! Recall of the ranking on labelled queries.
//!
//! The directory with the sets is named by `TOOL_SEARCH_DATA`. Queries with an even number were
//! used for tuning; the odd ones say what to expect elsewhere.

use std::path::Path;

use serde::Deserialize;
use tool_search::{Document, Index, Search, SearchError, Window};

#[derive(Deserialize)]
struct Labelled {
    tools: Vec<Tool>,
    queries: Vec<Labels>,
}

#[derive(Deserialize)]
struct Tool {
    name: String,
    description: String,
    params: String,
    server: String,
}

#[derive(Deserialize)]
struct Labels {
    q: String,
    gold: Vec<String>,
}

/// The sets, and the recall that must be reached on those big enough to tell rankings apart.
const SETS: [(&str, Option<f64>); 5] = [
    ("bfcl", Some(0.814)),
    ("metatool", Some(0.614)),
    ("metatool_multi", Some(0.646)),
    ("livemcp", None),
    ("livemcp_steps", None),
];

#[test]
fn recall_reaches_its_floors() {
    let Some(data) = std::env::var_os("TOOL_SEARCH_DATA") else {
        eprintln!(
            "NOT CHECKED: recall of the search on {}; TOOL_SEARCH_DATA names no directory",
            SETS.map(|(set, _)| set).join(", ")
        );
        return;
    };
    let mut missed = Vec::new();
    for (set, floor) in SETS {
        let path = Path::new(&data).join(format!("{set}.json"));
        let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path:?}: {e}"));
        let labelled: Labelled = serde_json::from_str(&text).expect(set);
        let recalls = recalls(&labelled).expect(set);
        let mean = |numbers: &[f64]| numbers.iter().sum::<f64>() / numbers.len() as f64;
        let half = |odd: usize| {
            mean(
                &recalls
                    .iter()
                    .skip(odd)
                    .step_by(2)
                    .copied()
                    .collect::<Vec<_>>(),
            )
        };
        let all = mean(&recalls);
        println!(
            "{set}: recall@5 {all:.3} over {} queries (even {:.3}, odd {:.3})",
            recalls.len(),
            half(0),
            half(1)
        );
        if floor.is_some_and(|floor| all < floor) {
            missed.push(format!("{set}: {all:.4} is below {floor:?}"));
        }
    }
    assert!(missed.is_empty(), "{missed:#?}");
}

/// Per query, the share of the right names among the first five.
fn recalls(labelled: &Labelled) -> Result<Vec<f64>, SearchError> {
    let index = Index::build(labelled.tools.iter().map(|tool| {
        Document::new(&tool.server, &tool.name)
            .describe(&tool.description)
            .param("", &tool.params)
    }));
    let recall = |labels: &Labels| {
        let search = Search::words(&labels.q).window(Window::new(5, 0));
        let page = index.search(&search)?;
        let found = |gold: &&String| page.items.iter().any(|hit| hit.name == **gold);
        Ok(labels.gold.iter().filter(found).count() as f64 / labels.gold.len() as f64)
    };
    labelled.queries.iter().map(recall).collect()
}
