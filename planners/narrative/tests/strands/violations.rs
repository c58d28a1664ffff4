//! Plans by strands that break a rule.
