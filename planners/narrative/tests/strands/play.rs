//! Plans by strands, played.
