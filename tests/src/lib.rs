//! Whole-system tests, fake and fixture servers, benches.
