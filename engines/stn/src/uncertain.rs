//! Networks in which Nature decides some durations.
