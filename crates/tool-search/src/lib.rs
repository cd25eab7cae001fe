//! Finding a tool by words: tokenising, index, ranking, suggestions.
