//! What is wanted, as plain data: servers, executors, limits; the one place that rejects duplicates.
