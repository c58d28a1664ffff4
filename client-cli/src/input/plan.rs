//! Plans of every planner: files and answers.

use super::problem::Kind as Problem;
use super::{Text, all_invalid, heist, invalid, text};
use crate::exit::{Exit, Failure};
use formats::{Described, Mistake, answers, messages, plans, vrplib};
use prost_reflect::{DynamicMessage, MessageDescriptor};
use stratagem_proto::v1::any_plan::Kind;
use stratagem_proto::v1::{AnyPlan, CheckControllabilityResponse};

/// Reads a plan: a planner's plan message, a `AnyPlan`, or an answer with a plan in it.
///
/// # Errors
/// [`Exit::USAGE`] for what cannot be read, [`Exit::INVALID`] for what is no plan.
pub fn plan(source: &str) -> Result<Kind, Failure> {
    of_text(&text(source)?)
}

/// The same for a problem: also in formats that name what is in the problem.
///
/// # Errors
/// Those of [`plan`], and all mistakes in foreign formats.
pub fn plan_for(source: &str, problem: &Problem) -> Result<Kind, Failure> {
    of_read(&text(source)?, problem)
}

fn of_read(read: &Text, problem: &Problem) -> Result<Kind, Failure> {
    let foreign = match problem {
        Problem::Allocation(problem) if vrplib::looks_like_routes(&read.text) => {
            Some(vrplib::read_routes(&read.text, problem).map(Kind::Allocation))
        }
        Problem::Heist(problem) => {
            heist::foreign_plan(&read.text, problem).map(|plan| plan.map(Kind::Heist))
        }
        _ => None,
    };
    match foreign {
        Some(plan) => plan.map_err(|mistakes| all_invalid(read, &mistakes)),
        None => of_text(read),
    }
}

/// Reads what is drawn: an answer with a plan, or a plan as [`plan_for`] does.
///
/// # Errors
/// Those of [`plan_for`].
pub fn drawn_for(source: &str, problem: &Problem) -> Result<DynamicMessage, Failure> {
    let read = text(source)?;
    let keys = formats::top_keys(&read.text, read.format);
    if ["plan", "plans", "findings"]
        .iter()
        .any(|key| keys.iter().any(|it| it == key))
    {
        let responses = answers::responses(&messages::planner(problem));
        let responses = responses.into_iter().map(|kind| (kind, ())).collect();
        if let Some((kind, ())) = formats::best_match(responses, &read.text, read.format) {
            let answer = formats::read_dynamic(&kind, &read.text, read.format);
            return answer.map_err(|mistake| invalid(&read, &mistake));
        }
    }
    let union = AnyPlan {
        kind: Some(of_read(&read, problem)?),
    };
    let plan = messages::member(&union);
    plan.ok_or_else(|| Failure::usage(format!("{source} holds no plan")))
}

pub(super) fn of_text(text: &Text) -> Result<Kind, Failure> {
    let keys = formats::top_keys(&text.text, text.format);
    let keys: Vec<_> = keys.iter().map(String::as_str).collect();
    match parse(&text.text, text.format, &keys) {
        Ok(Some(plan)) => Ok(plan),
        Ok(None) => Err(Failure::new(
            Exit::INVALID,
            format!("{}: the answer holds no plan", text.name),
        )),
        Err(mistake) => Err(invalid(text, &mistake)),
    }
}

/// Reads a message, such as a request.
///
/// # Errors
/// Those of [`plan`].
pub fn message<M: Described>(source: &str) -> Result<M, Failure> {
    message_of(&messages::descriptor::<M>(), source).map(|message| messages::typed(&message))
}

/// The same of a message of any type.
///
/// # Errors
/// Those of [`plan`].
pub fn message_of(kind: &MessageDescriptor, source: &str) -> Result<DynamicMessage, Failure> {
    let read = text(source)?;
    let message = formats::read_dynamic(kind, &read.text, read.format);
    message.map_err(|mistake| invalid(&read, &mistake))
}

/// What to do where one plan is wanted and an answer holds several.
const SEVERAL: &str = "the answer holds several plans: take one, for example with jq '.plans[0].plan' (patrols) or '.plans[0]' (stories)";

/// The type of a message is the one with fewest unknown keys.
fn parse(text: &str, format: formats::Format, keys: &[&str]) -> Result<Option<Kind>, Mistake> {
    let has = |key: &str| keys.contains(&key);
    if has("plans") {
        return Err(Mistake::new(SEVERAL));
    }
    if has("findings") {
        let answer = formats::read::<CheckControllabilityResponse>(text, format)?;
        // The last question is the strongest: its times keep the most.
        let mut schedules = answer.findings.into_iter().rev().map(|f| f.plan);
        return Ok(schedules.find_map(|s| s).map(Kind::Temporal));
    }
    let mut known = plans::with_plans();
    // What could be of several is of allocation.
    let is_allocation = |kind: &MessageDescriptor| kind.name().contains("Allocat");
    known.sort_by_key(|(kind, _)| !is_allocation(kind));
    let Some((kind, place)) = formats::best_match(known, text, format) else {
        return Ok(None);
    };
    let message = formats::read_dynamic(&kind, text, format)?;
    Ok(plans::plan_in(message, &place))
}

#[cfg(test)]
mod tests {
    use super::*;
    use formats::{Format, top_keys};
    use stratagem_proto::v1::AnyPlan;

    fn read(text: &str) -> Option<Kind> {
        let keys = top_keys(text, Format::Json);
        let keys: Vec<_> = keys.iter().map(String::as_str).collect();
        parse(text, Format::Json, &keys).unwrap()
    }

    /// Plans, and texts with them, the first by the name of the planner.
    const PLANS: &[(&str, &[&str])] = &[
        (
            r#"{"events": [{"event_id": "a", "time_offset": "2s"}]}"#,
            &[
                r#"{"temporal": PLAN}"#,
                r#"{"plan": PLAN, "verdict": "TEMPORAL_VERDICT_HOLDS"}"#,
                r#"{"findings": [{}, {"plan": PLAN}], "report": {}}"#,
            ],
        ),
        (
            r#"{"policies": [{}], "makespan_offset": "2s"}"#,
            &[r#"{"narrative": PLAN}"#, r#"{"plan": PLAN, "report": {}}"#],
        ),
        (
            r#"{"routes": [{"guard_id": "a", "cycle": [{"vertex_id": "b"}]}]}"#,
            &[
                r#"{"patrol": PLAN}"#,
                r#"{"plan": PLAN, "report": {}}"#,
                r#"{"plan": PLAN, "evaluation": {}}"#,
            ],
        ),
        (
            r#"{"parts": [{"probability": 1, "plan": {"routes": []}}]}"#,
            &[
                r#"{"patrol_mixture": PLAN}"#,
                r#"{"plan": PLAN, "report": {}, "evaluation": {}}"#,
            ],
        ),
        (
            r#"{"levels": [{"rows": ["@$."], "solution": "r"}]}"#,
            &[r#"{"puzzle": PLAN}"#, r#"{"plan": PLAN, "report": {}}"#],
        ),
        (
            r#"{"steps": [{"verb": "HEIST_VERB_OPEN", "target_id": "d"}]}"#,
            &[
                r#"{"heist": PLAN}"#,
                r#"{"plan": PLAN, "report": {}, "outcome": {"kind": 1}}"#,
            ],
        ),
        (
            r#"{"events": [{"event_id": "a", "fronts": [{"player_count": 1}]}]}"#,
            &[r#"{"crew": PLAN}"#, r#"{"plan": PLAN, "report": {}}"#],
        ),
    ];

    #[test]
    fn plans_are_found_wherever_they_are() {
        for (bare, wholes) in PLANS {
            let plan = read(bare).unwrap_or_else(|| panic!("{bare}"));
            // The first one names the planner.
            let union = wholes[0].replace("PLAN", bare);
            let named = formats::read::<AnyPlan>(&union, Format::Json).unwrap();
            assert_eq!(named.kind, Some(plan.clone()), "{bare}");
            for whole in *wholes {
                let whole = whole.replace("PLAN", bare);
                assert_eq!(read(&whole), Some(plan.clone()), "{whole}");
            }
        }
        let other = r#"{"routes": [{"agent_id": "a", "stops": []}]}"#;
        assert!(matches!(read(other), Some(Kind::Allocation(_))));
        let there = r#"{"plan": {}, "report": {}, "outcome": {}}"#;
        assert!(matches!(read(there), Some(Kind::Heist(p)) if p.steps.is_empty()));
        assert_eq!(read(r#"{"report": {}, "conflict": {}}"#), None);
    }

    /// Two typos of a kind do not make a plan that of another planner.
    #[test]
    fn a_typo_is_shown_where_it_is() {
        for (text, field) in [
            (
                r#"{"routes": [{"agent_id": "a", "stop": []}, {"agent_id": "b", "stop": []}]}"#,
                "stop",
            ),
            (r#"{"policies": [{"foo": 1}, {"foo": 2}]}"#, "foo"),
            (
                r#"{"plan": {"levels": [{"solutoin": "r"}, {"solutoin": "l"}]}, "report": {}}"#,
                "solutoin",
            ),
            (
                r#"{"acts": [{"verb": 1}, {"verb": 2}], "score": 1}"#,
                "verb",
            ),
        ] {
            let keys = top_keys(text, Format::Json);
            let keys: Vec<_> = keys.iter().map(String::as_str).collect();
            let mistake = parse(text, Format::Json, &keys).unwrap_err();
            assert!(mistake.message.contains(field), "{text}: {mistake}");
        }
    }

    #[test]
    fn an_answer_without_a_plan_has_none() {
        assert_eq!(
            read(r#"{"verdict": "TEMPORAL_VERDICT_FAILS", "report": {}}"#),
            None
        );
        assert_eq!(read(r#"{"report": {}}"#), None);
    }
}
