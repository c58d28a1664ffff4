//! Plans of every planner: files and answers.

use super::{Text, all_invalid, invalid, text};
use crate::exit::{Exit, Failure};
use crate::formats::{self, Described, Mistake, plans, reflect, vrplib};
use prost_reflect::{MessageDescriptor, ReflectMessage as _};
use stratagem_proto::v1::any_plan::Kind;
use stratagem_proto::v1::{
    AllocationPlan, AllocationProblem, AnyPlan, CheckControllabilityResponse,
    GeneratePatrolResponse, MixPatrolsResponse, PatrolEvaluation, PatrolMixture,
    PatrolMixtureEvaluation, PatrolPlan, PatrolVariant, VaryPatrolsResponse,
};

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

fn of_planner<P: Described>(source: &str, plan: Kind) -> Result<P, Failure> {
    let union = AnyPlan { kind: Some(plan) };
    let plan =
        reflect::member(&union).filter(|plan| plan.descriptor() == reflect::descriptor::<P>());
    let plan = plan.ok_or_else(|| {
        let kind = reflect::descriptor::<P>();
        Failure::usage(format!("{source} is no {}", kind.name()))
    })?;
    Ok(reflect::typed(&plan))
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

/// Reads an allocation plan, as [`plan`] does, or published routes (see [`vrplib`]), with the
/// agents of the problem.
///
/// # Errors
/// Those of [`plan`], all mistakes of routes, and [`Exit::USAGE`] for a plan of another planner.
pub fn allocation_plan(
    source: &str,
    problem: &AllocationProblem,
) -> Result<AllocationPlan, Failure> {
    let read = text(source)?;
    if vrplib::looks_like_routes(&read.text) {
        let routes = vrplib::read_routes(&read.text, problem);
        return routes.map_err(|mistakes| all_invalid(&read, &mistakes));
    }
    of_planner(source, of_text(&read)?)
}

/// Reads a message, such as a request.
///
/// # Errors
/// Those of [`plan`].
pub fn message<M: Described>(source: &str) -> Result<M, Failure> {
    let read = text(source)?;
    formats::read(&read.text, read.format).map_err(|mistake| invalid(&read, &mistake))
}

/// A patrol, and how good it is where that is known.
#[derive(Debug, Clone, PartialEq)]
pub enum PatrolFound {
    /// A plan.
    Plan(PatrolPlan, Option<PatrolEvaluation>),
    /// Several plans of which one is drawn.
    Mixture(PatrolMixture, Option<PatrolMixtureEvaluation>),
    /// Several plans that differ, with what is known of each.
    Variants(Vec<PatrolVariant>),
}

/// What to do where one plan is wanted and an answer holds several.
pub const SEVERAL: &str = "the answer holds several plans: take one, for example with jq '.plans[0].plan' (patrols) or '.plans[0]' (stories)";

impl PatrolFound {
    /// Whether it is known how good it is.
    #[must_use]
    pub fn is_judged(&self) -> bool {
        match self {
            Self::Plan(_, evaluation) => evaluation.is_some(),
            Self::Mixture(_, evaluation) => evaluation.is_some(),
            // By their answer, or not at all.
            Self::Variants(_) => true,
        }
    }
}

/// Reads a plan or a mixture of a patrol, as [`plan`] does, and how good it is where it is in an
/// answer that has it.
///
/// # Errors
/// Those of [`plan`], and [`Exit::USAGE`] for a plan of another planner.
pub fn patrol_plan(source: &str) -> Result<PatrolFound, Failure> {
    let read = text(source)?;
    let keys = formats::top_keys(&read.text, read.format);
    let has = |key: &str| keys.iter().any(|k| k == key);
    if has("plans") {
        let answer = formats::read::<VaryPatrolsResponse>(&read.text, read.format);
        let answer = answer.map_err(|m| invalid(&read, &m))?;
        return Ok(PatrolFound::Variants(answer.plans));
    }
    match of_text(&read)? {
        Kind::Patrol(plan) => {
            let response = has("plan").then(|| formats::read(&read.text, read.format));
            let response: Option<GeneratePatrolResponse> =
                response.transpose().map_err(|m| invalid(&read, &m))?;
            let evaluation = response.and_then(|answer| answer.evaluation);
            Ok(PatrolFound::Plan(plan, evaluation))
        }
        Kind::PatrolMixture(mixture) => {
            let response = has("plan").then(|| formats::read(&read.text, read.format));
            let response: Option<MixPatrolsResponse> =
                response.transpose().map_err(|m| invalid(&read, &m))?;
            let evaluation = response.and_then(|answer| answer.evaluation);
            Ok(PatrolFound::Mixture(mixture, evaluation))
        }
        _ => Err(Failure::usage(format!("{source} is no plan of a patrol"))),
    }
}

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
    use crate::formats::{Format, top_keys};

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
