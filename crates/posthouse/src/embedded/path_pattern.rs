//! Patterns for paths, as the server `folder` finds files by.

/// Whether a pattern without `*` is a part of the text, or one with `*` fits all of it.
pub(super) fn fits(pattern: &str, text: &str) -> bool {
    let Some((first, rest)) = pattern.split_once('*') else {
        return text.contains(pattern);
    };
    let Some(mut text) = text.strip_prefix(first) else {
        return false;
    };
    let (middle, last) = rest.rsplit_once('*').unwrap_or(("", rest));
    // The leftmost place will do for each piece: whatever follows can start no earlier.
    for piece in middle.split('*') {
        let Some(at) = text.find(piece) else {
            return false;
        };
        text = &text[at + piece.len()..];
    }
    text.ends_with(last)
}
