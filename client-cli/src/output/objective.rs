//! Costs and bounds for people.

use super::fields::enum_word;
use super::numbers;
use crate::input::Kind as Problem;
use formats::messages;
use prost_reflect::{DynamicMessage, Value};
use stratagem_proto::v1::{Objective, ObjectiveSense, ObjectiveTerm, ProvedBound};

/// Terms that always decide between plans of a planner, and those that do where its problem does
/// not state them.
const ALWAYS: [(&str, &[&str], &[&str]); 1] = [(
    "allocation",
    &["unserved"],
    &["drop_penalty", "travel_cost"],
)];

/// The names of the terms that decide between plans of a problem, as in `travel_cost`, as far as
/// its `objective` states them; none: as many as there are levels.
#[must_use]
pub fn deciding(problem: &Problem) -> Vec<String> {
    let planner = messages::planner(problem);
    let message = messages::of_problem(problem);
    let mut names = Vec::new();
    let objective = message.get_field_by_name("objective");
    if let Some(objective) = objective.as_ref().and_then(|it| it.as_message()) {
        stated(objective, &mut names);
    }
    let listed = ALWAYS.iter().find(|(name, ..)| *name == planner);
    if let Some((_, always, usual)) = listed {
        let usual = if names.is_empty() { usual } else { &[][..] };
        let all = always.iter().chain(usual).map(|name| (*name).to_owned());
        names.extend(all.collect::<Vec<_>>());
    }
    names
}

/// Terms that have a weight, and kinds of terms.
fn stated(message: &DynamicMessage, names: &mut Vec<String>) {
    for (field, value) in message.fields() {
        match value {
            Value::List(parts) => {
                let parts = parts.iter().filter_map(Value::as_message);
                parts.for_each(|part| stated(part, names));
            }
            Value::EnumNumber(number) => names.push(enum_word(&field, *number)),
            _ => {
                let term = field.name().strip_suffix("_weight");
                names.extend(term.map(str::to_owned));
            }
        }
    }
}

/// The terms that decide, and the others.
fn parted<'o>(objective: &'o Objective, deciding: &[String]) -> [Vec<&'o ObjectiveTerm>; 2] {
    let is_stated = |term: &&ObjectiveTerm| deciding.contains(&term.name);
    let terms = objective.terms.iter();
    let (main, other) = terms.clone().partition::<Vec<_>, _>(is_stated);
    if !main.is_empty() {
        return [main, other];
    }
    let levels = objective.levels.len();
    [
        terms.clone().take(levels).collect(),
        terms.skip(levels).collect(),
    ]
}

/// The deciding terms of a cost on one line; those that are 0 only where all are.
#[must_use]
pub fn brief(objective: &Objective, deciding: &[String]) -> String {
    let [terms, _] = parted(objective, deciding);
    let mut shown: Vec<_> = terms
        .iter()
        .filter(|t| t.value != 0.0)
        .map(|t| text(t))
        .collect();
    if shown.is_empty() {
        shown.extend(terms.first().map(|t| text(t)));
    }
    if shown.is_empty() {
        return levels(&objective.levels);
    }
    shown.join(", ")
}

/// The terms of a cost: those that decide, and the others.
#[must_use]
pub fn full(objective: &Objective, deciding: &[String]) -> (String, String) {
    let [main, other] = parted(objective, deciding);
    let list = |terms: Vec<&ObjectiveTerm>| {
        let texts: Vec<_> = terms.into_iter().map(text).collect();
        texts.join(", ")
    };
    (list(main), list(other))
}

/// A term with its unit, unless its name says that already: `unserved 3 tasks`, `agents used 4`.
fn text(term: &ObjectiveTerm) -> String {
    let name = term.name.replace('_', " ");
    let is_named = !term.unit.is_empty() && term.name.starts_with(&term.unit);
    let unit = if is_named { "" } else { &term.unit };
    format!("{name} {}", numbers::quantity(term.value, unit))
}

/// By how much terms change.
#[must_use]
pub fn change(before: &Objective, after: &Objective) -> String {
    let pairs = before.terms.iter().zip(&after.terms);
    let changes = pairs.filter_map(|(before, after)| {
        let by = after.value - before.value;
        let sign = if by > 0.0 { "+" } else { "" };
        let name = before.name.replace('_', " ");
        (by != 0.0).then(|| format!("{name} {sign}{}", numbers::number(by)))
    });
    changes.collect::<Vec<_>>().join(", ")
}

/// Levels of a cost or bound, the first decides.
#[must_use]
pub fn levels(levels: &[f64]) -> String {
    let levels: Vec<_> = levels.iter().map(|l| numbers::number(*l)).collect();
    levels.join(" / ")
}

/// A bound in full.
#[must_use]
pub fn bound_in_full(bound: &ProvedBound) -> String {
    upper_text(bound).unwrap_or_else(|| levels(&bound.levels))
}

/// The bound of the term that decides, where there is one.
fn upper_text(bound: &ProvedBound) -> Option<String> {
    let term = bound.terms.first()?;
    let side = match term.sense() {
        ObjectiveSense::Maximize => "at most",
        ObjectiveSense::Minimize | ObjectiveSense::Unspecified => "at least",
    };
    let name = term.name.replace('_', " ");
    Some(format!(
        "{name} {side} {}",
        numbers::quantity(term.value, &term.unit)
    ))
}

/// A bound in short: without the levels at the front that the plan has reached at 0.
#[must_use]
pub fn bound(bound: &ProvedBound, objective: Option<&Objective>) -> String {
    if let Some(text) = upper_text(bound) {
        return text;
    }
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
    use stratagem_proto::v1::{
        AllocationObjective, AllocationObjectiveLevel, AllocationObjectiveTerm, AllocationProblem,
        AllocationTermKind, PatrolObjective, PatrolProblem,
    };

    fn cost(terms: &[(&str, f64, &str)]) -> Objective {
        let term = |(name, value, unit): &(&str, f64, &str)| ObjectiveTerm {
            name: (*name).into(),
            value: *value,
            unit: (*unit).into(),
            sense: 0,
        };
        Objective {
            levels: vec![0.0, 1_035.7],
            terms: terms.iter().map(term).collect(),
        }
    }

    #[test]
    fn a_brief_cost_leaves_out_what_is_nothing_or_does_not_decide() {
        let names = deciding(&Problem::Allocation(AllocationProblem::default()));
        assert_eq!(names, ["unserved", "drop_penalty", "travel_cost"]);
        let makespan = ("makespan", 90.0, "s");
        let travel = ("travel_cost", 1_035.7, "cost");
        let solved = cost(&[
            ("unserved", 0.0, "tasks"),
            travel,
            makespan,
            ("agents_used", 2.0, "agents"),
        ]);
        assert_eq!(brief(&solved, &names), "travel cost 1,035.7");
        let (main, other) = full(&solved, &names);
        assert_eq!(main, "unserved 0 tasks, travel cost 1,035.7");
        assert_eq!(other, "makespan 1m30s, agents used 2");
        assert_eq!(
            brief(&cost(&[("unserved", 0.0, "tasks")]), &names),
            "unserved 0 tasks"
        );
        assert_eq!(brief(&cost(&[]), &names), "0 / 1,035.7");
        assert_eq!(
            brief(&cost(&[travel, makespan, travel]), &[]),
            "travel cost 1,035.7, makespan 1m30s"
        );
    }

    #[test]
    fn a_problem_with_an_objective_says_what_decides() {
        let term = |kind: AllocationTermKind| AllocationObjectiveTerm {
            kind: kind.into(),
            weight: Some(1),
        };
        let level = AllocationObjectiveLevel {
            terms: vec![
                term(AllocationTermKind::Makespan),
                term(AllocationTermKind::AgentsUsed),
            ],
        };
        let problem = AllocationProblem {
            objective: Some(AllocationObjective {
                levels: vec![level],
            }),
            ..AllocationProblem::default()
        };
        let problem = Problem::Allocation(problem);
        assert_eq!(deciding(&problem), ["makespan", "agents_used", "unserved"]);
    }

    #[test]
    fn terms_with_a_weight_decide() {
        let mut problem = PatrolProblem::default();
        assert!(deciding(&Problem::Patrol(problem.clone())).is_empty());
        problem.objective = Some(PatrolObjective {
            worst_idleness_weight: 2,
            ..PatrolObjective::default()
        });
        assert_eq!(deciding(&Problem::Patrol(problem)), ["worst_idleness"]);
    }

    #[test]
    fn a_bound_of_a_term_is_printed_by_its_sense() {
        let of = |sense: ObjectiveSense| ProvedBound {
            levels: vec![0.12],
            method: "landmark_cuts".into(),
            terms: vec![ObjectiveTerm {
                name: "score".into(),
                value: 0.88,
                unit: String::new(),
                sense: sense.into(),
            }],
        };
        let most = of(ObjectiveSense::Maximize);
        assert_eq!(bound(&most, None), "score at most 0.88");
        assert_eq!(bound_in_full(&most), "score at most 0.88");
        let least = of(ObjectiveSense::Minimize);
        assert_eq!(bound_in_full(&least), "score at least 0.88");
    }

    #[test]
    fn a_bound_leaves_out_levels_that_are_reached() {
        let proved = |levels: &[f64]| ProvedBound {
            levels: levels.into(),
            method: "arrival".into(),
            terms: Vec::new(),
        };
        let plan = cost(&[]);
        assert_eq!(bound(&proved(&[0.0, 827.3]), Some(&plan)), "827.3");
        assert_eq!(bound(&proved(&[1.0, 827.3]), Some(&plan)), "1 / 827.3");
        assert_eq!(bound(&proved(&[0.0, 827.3]), None), "0 / 827.3");
        assert_eq!(bound(&proved(&[0.0]), Some(&plan)), "0");
        assert_eq!(bound(&proved(&[]), Some(&plan)), "");
    }
}
