//! The order of hits, and that it is the same in every run.

use super::*;
use crate::document::Document;

fn first<'i>(index: &'i Index, text: &str) -> &'i str {
    let found = rank(index, text, None);
    let best = found.iter().max_by(|a, b| a.1.total_cmp(&b.1));
    best.and_then(|(id, _)| index.entry(*id))
        .map_or("", |entry| &entry.name)
}

#[test]
fn name_outweighs_description_and_description_parameters() {
    let index = Index::build([
        Document::new("s", "alpha").describe("rename files"),
        Document::new("s", "rename").describe("alpha things"),
        Document::new("s", "gamma")
            .describe("others")
            .param("rename", "alpha"),
    ]);
    assert_eq!(first(&index, "rename"), "rename");
    assert_eq!(
        first(&index, "please rename everything quickly tonight"),
        "rename"
    );
    assert_eq!(first(&index, "alpha"), "alpha");
}

#[test]
fn rare_words_outweigh_common_ones() {
    let common = (0..20).map(|n| Document::new("s", format!("t{n}")).describe("read a file fast"));
    let rare = Document::new("s", "rare").describe("turn a hologram");
    let index = Index::build(common.chain([rare]));
    assert_eq!(first(&index, "read file hologram"), "rare");
}

#[test]
fn name_covered_by_the_query_comes_before_one_half_covered() {
    let index = Index::build([
        Document::new("s", "news").describe("Press"),
        Document::new("s", "news_mailing_settings").describe("Press"),
    ]);
    assert_eq!(first(&index, "latest news of the world"), "news");
}

#[test]
fn one_term_counts_once_however_many_words_begin_like_it() {
    let index = Index::build([
        Document::new("s", "a").describe("report reportage reportorial"),
        Document::new("s", "b").describe("report plus words"),
    ]);
    let scores = rank(&index, "report", None);
    let best = scores.iter().map(|(_, score)| *score).fold(0.0, f32::max);
    let worst = scores
        .iter()
        .map(|(_, score)| *score)
        .fold(f32::MAX, f32::min);
    assert!(best < 1.01 * worst, "{scores:?}");
}

#[test]
fn phrase_is_found_across_the_words_of_a_name() {
    for (folded, phrase, there) in [
        ("get pixels", "getpix", true),
        ("get pixels", "ixel", true),
        ("get pixels", "gotpix", false),
        ("", "x", false),
    ] {
        assert_eq!(contains_joined(folded, phrase), there, "{folded} {phrase}");
    }
}
