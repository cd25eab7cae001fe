//! Search by regular expression.

use regex::RegexBuilder;

use crate::index::{DocumentId, Index};
use crate::search::SearchError;

/// Bytes a pattern may have.
const MAX_PATTERN: usize = 256;
/// Bytes a compiled pattern may have. The engine is linear in the text, so that this bounds time too.
const MAX_COMPILED: usize = 256 << 10;

/// The documents that match, those whose name does before those whose description does.
pub(crate) fn find(
    index: &Index,
    pattern: &str,
    server: Option<&str>,
) -> Result<Vec<(DocumentId, f32)>, SearchError> {
    if pattern.len() > MAX_PATTERN {
        return Err(SearchError::PatternTooLong {
            length: pattern.len(),
            limit: MAX_PATTERN,
        });
    }
    let regex = RegexBuilder::new(pattern)
        .case_insensitive(true)
        .size_limit(MAX_COMPILED)
        .dfa_size_limit(MAX_COMPILED)
        .build()
        .map_err(SearchError::InvalidPattern)?;
    let score = |(id, entry): (DocumentId, &crate::index::Entry)| {
        if regex.is_match(&entry.name) {
            Some((id, 2.0))
        } else {
            regex.is_match(&entry.description).then_some((id, 1.0))
        }
    };
    Ok(index
        .entries()
        .filter(|(_, entry)| server.is_none_or(|server| *entry.server == *server))
        .filter_map(score)
        .collect())
}
