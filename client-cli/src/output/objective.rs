//! Costs and bounds for people.

use super::numbers;
use stratagem_proto::v1::{Objective, ProvedBound};

/// The terms of a cost on one line; those that are 0 only where all are.
#[must_use]
pub fn brief(objective: &Objective) -> String {
    let mut terms: Vec<_> = objective.terms.iter().filter(|t| t.value != 0.0).collect();
    if terms.is_empty() {
        terms.extend(objective.terms.iter().take(1));
    }
    if terms.is_empty() {
        return levels(&objective.levels);
    }
    let text = terms.iter().map(|t| {
        format!(
            "{} {}",
            t.name.replace('_', " "),
            numbers::quantity(t.value, unit(&t.unit))
        )
    });
    text.collect::<Vec<_>>().join(", ")
}

/// In a brief text the name of a term says what is counted.
fn unit(unit: &str) -> &str {
    if unit == "s" { unit } else { "" }
}

/// The terms of a cost with their units, all of them.
#[must_use]
pub fn full(objective: &Objective) -> String {
    let terms = objective.terms.iter();
    let text = terms.map(|t| format!("{} {}", t.name.replace('_', " "), numbers::term(t)));
    text.collect::<Vec<_>>().join(", ")
}

/// Levels of a cost or bound, the first decides.
#[must_use]
pub fn levels(levels: &[f64]) -> String {
    let levels: Vec<_> = levels.iter().map(|l| numbers::number(*l)).collect();
    levels.join(" / ")
}

/// A bound in short: without the levels at the front that the plan has reached at 0.
#[must_use]
pub fn bound(bound: &ProvedBound, objective: Option<&Objective>) -> String {
    let plan = objective.map_or(&[][..], |o| &o.levels);
    let reached = bound
        .levels
        .iter()
        .zip(plan)
        .take_while(|(b, p)| **b == 0.0 && **p == 0.0);
    let skipped = reached.count().min(bound.levels.len().saturating_sub(1));
    levels(&bound.levels[skipped..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use stratagem_proto::v1::ObjectiveTerm;

    fn cost(terms: &[(&str, f64, &str)]) -> Objective {
        let term = |(name, value, unit): &(&str, f64, &str)| ObjectiveTerm {
            name: (*name).into(),
            value: *value,
            unit: (*unit).into(),
        };
        Objective {
            levels: vec![0.0, 1_035.7],
            terms: terms.iter().map(term).collect(),
        }
    }

    #[test]
    fn a_brief_cost_leaves_out_what_is_nothing() {
        let solved = cost(&[("unserved", 0.0, "tasks"), ("travel_cost", 1_035.7, "cost")]);
        assert_eq!(brief(&solved), "travel cost 1,035.7");
        assert_eq!(full(&solved), "unserved 0 tasks, travel cost 1,035.7");
        let nothing = cost(&[("unserved", 0.0, "tasks")]);
        assert_eq!(brief(&nothing), "unserved 0");
        assert_eq!(brief(&cost(&[])), "0 / 1,035.7");
        assert_eq!(brief(&cost(&[("makespan", 90.0, "s")])), "makespan 1m30s");
    }

    #[test]
    fn a_bound_leaves_out_levels_that_are_reached() {
        let proved = |levels: &[f64]| ProvedBound {
            levels: levels.into(),
            method: "arrival".into(),
        };
        let plan = cost(&[]);
        assert_eq!(bound(&proved(&[0.0, 827.3]), Some(&plan)), "827.3");
        assert_eq!(bound(&proved(&[1.0, 827.3]), Some(&plan)), "1 / 827.3");
        assert_eq!(bound(&proved(&[0.0, 827.3]), None), "0 / 827.3");
        assert_eq!(bound(&proved(&[0.0]), Some(&plan)), "0");
        assert_eq!(bound(&proved(&[]), Some(&plan)), "");
    }
}
