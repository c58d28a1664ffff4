//! Plans of every planner: files and answers.

use super::problem::Kind as Problem;
use super::{Text, all_invalid, heist, invalid, text};
use crate::exit::{Exit, Failure};
use formats::{Described, Mistake, answers, messages, plans, vrplib};
use prost_reflect::{DynamicMessage, MessageDescriptor, ReflectMessage as _};
use stratagem_proto::v1::any_plan::Kind;
use stratagem_proto::v1::{AnyPlan, CheckControllabilityResponse};

/// Reads a plan: a planner's plan message, a `AnyPlan`, or an answer with a plan in it.
///
/// # Errors
/// [`Exit::USAGE`] for what cannot be read, [`Exit::INVALID`] for what is no plan.
pub fn plan(source: &str) -> Result<Kind, Failure> {
    of_text(&text(source)?)
}

/// The same of one planner.
///
/// # Errors
/// Those of [`plan`], and [`Exit::USAGE`] for a plan of another planner.
pub fn plan_of<P: Described>(source: &str) -> Result<P, Failure> {
    of_planner(source, plan(source)?)
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

fn of_planner<P: Described>(source: &str, plan: Kind) -> Result<P, Failure> {
    let union = AnyPlan { kind: Some(plan) };
    let plan =
        messages::member(&union).filter(|plan| plan.descriptor() == messages::descriptor::<P>());
    let plan = plan.ok_or_else(|| {
        let kind = messages::descriptor::<P>();
        Failure::usage(format!("{source} is no {}", kind.name()))
    })?;
    Ok(messages::typed(&plan))
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

    fn read(text: &str) -> Option<Kind> {
        let keys = top_keys(text, Format::Json);
        let keys: Vec<_> = keys.iter().map(String::as_str).collect();
        parse(text, Format::Json, &keys).unwrap()
    }

    #[test]
    fn schedules_are_found_wherever_they_are() {
        let events = r#"{"events": [{"event_id": "a", "time_offset": "2s"}]}"#;
        let bare = read(events);
        assert!(matches!(&bare, Some(Kind::Temporal(s)) if s.events.len() == 1));
        for whole in [
            format!(r#"{{"temporal": {events}}}"#),
            format!(r#"{{"plan": {events}, "verdict": "TEMPORAL_VERDICT_HOLDS"}}"#),
            format!(r#"{{"findings": [{{}}, {{"plan": {events}}}], "report": {{}}}}"#),
        ] {
            assert_eq!(read(&whole), bare, "{whole}");
        }
    }

    #[test]
    fn plans_of_narratives_are_found_wherever_they_are() {
        let policies = r#"{"policies": [{}], "makespan_offset": "2s"}"#;
        let bare = read(policies);
        assert!(matches!(&bare, Some(Kind::Narrative(p)) if p.policies.len() == 1));
        for whole in [
            format!(r#"{{"narrative": {policies}}}"#),
            format!(r#"{{"plan": {policies}, "report": {{}}}}"#),
        ] {
            assert_eq!(read(&whole), bare, "{whole}");
        }
        assert_eq!(read(r#"{"report": {}, "conflict": {}}"#), None);
    }

    #[test]
    fn plans_of_patrols_are_found_wherever_they_are() {
        let routes = r#"{"routes": [{"guard_id": "a", "cycle": [{"vertex_id": "b"}]}]}"#;
        let bare = read(routes);
        assert!(matches!(&bare, Some(Kind::Patrol(p)) if p.routes.len() == 1));
        for whole in [
            format!(r#"{{"patrol": {routes}}}"#),
            format!(r#"{{"plan": {routes}, "report": {{}}}}"#),
            format!(r#"{{"plan": {routes}, "evaluation": {{}}}}"#),
        ] {
            assert_eq!(read(&whole), bare, "{whole}");
        }
        let other = r#"{"routes": [{"agent_id": "a", "stops": []}]}"#;
        assert!(matches!(read(other), Some(Kind::Allocation(_))));
    }

    #[test]
    fn mixtures_are_found_wherever_they_are() {
        let parts = r#"{"parts": [{"probability": 1, "plan": {"routes": []}}]}"#;
        let bare = read(parts);
        assert!(matches!(&bare, Some(Kind::PatrolMixture(m)) if m.parts.len() == 1));
        for whole in [
            format!(r#"{{"patrol_mixture": {parts}}}"#),
            format!(r#"{{"plan": {parts}, "report": {{}}, "evaluation": {{}}}}"#),
        ] {
            assert_eq!(read(&whole), bare, "{whole}");
        }
    }

    #[test]
    fn levels_are_found_wherever_they_are() {
        let levels = r#"{"levels": [{"rows": ["@$."], "solution": "r"}]}"#;
        let bare = read(levels);
        assert!(matches!(&bare, Some(Kind::Puzzle(p)) if p.levels.len() == 1));
        for whole in [
            format!(r#"{{"puzzle": {levels}}}"#),
            format!(r#"{{"plan": {levels}, "report": {{}}}}"#),
        ] {
            assert_eq!(read(&whole), bare, "{whole}");
        }
    }

    #[test]
    fn plans_of_heists_are_found_wherever_they_are() {
        let steps = r#"{"steps": [{"verb": "HEIST_VERB_OPEN", "target_id": "d"}]}"#;
        let bare = read(steps);
        assert!(matches!(&bare, Some(Kind::Heist(p)) if p.steps.len() == 1));
        for whole in [
            format!(r#"{{"heist": {steps}}}"#),
            format!(r#"{{"plan": {steps}, "report": {{}}, "outcome": {{"kind": 1}}}}"#),
        ] {
            assert_eq!(read(&whole), bare, "{whole}");
        }
        let there = r#"{"plan": {}, "report": {}, "outcome": {}}"#;
        assert!(matches!(read(there), Some(Kind::Heist(p)) if p.steps.is_empty()));
    }

    #[test]
    fn plans_of_crews_are_found_wherever_they_are() {
        let events = r#"{"events": [{"event_id": "a", "fronts": [{"player_count": 1}]}]}"#;
        let bare = read(events);
        assert!(matches!(&bare, Some(Kind::Crew(p)) if p.events[0].fronts.len() == 1));
        for whole in [
            format!(r#"{{"crew": {events}}}"#),
            format!(r#"{{"plan": {events}, "report": {{}}}}"#),
        ] {
            assert_eq!(read(&whole), bare, "{whole}");
        }
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
