//! Patrols for people.

use super::table::{Table, figures, pairs, printable, text};
use super::temporal::text_options;
use super::{Display, heading, numbers, solve, unserved};
use std::fmt::Write as _;
use stratagem_proto::v1::{
    GeneratePatrolResponse, MixPatrolsResponse, PatrolEvaluation, PatrolPlan, PatrolProblem,
    PatrolVertexCoverage, SolveReport, VaryPatrolsResponse,
};
use stratagem_render::patrol::{self as render, Drawn, Mixed};
use stratagem_render::time::{micros, span_text};

/// Vertices that are listed: the worst; more are only counted.
const VERTICES_MAX: usize = 40;

/// The names of the terms that decide between plans of a problem.
#[must_use]
pub fn deciding(problem: &PatrolProblem) -> Vec<String> {
    let weights = problem.objective.unwrap_or_default();
    let terms = [
        ("escape", weights.escape_weight),
        ("worst_idleness", weights.worst_idleness_weight),
        ("mean_idleness", weights.mean_idleness_weight),
    ];
    let counting = terms.iter().filter(|(_, weight)| *weight > 0);
    let names: Vec<String> = counting.map(|(name, _)| (*name).to_owned()).collect();
    if names.is_empty() {
        return vec!["escape".into()];
    }
    names
}

/// Summary, routes and map of an answer.
#[must_use]
pub fn answer(
    display: &Display,
    problem: &PatrolProblem,
    answer: &GeneratePatrolResponse,
) -> String {
    let report = answer.report.clone().unwrap_or_default();
    let mut out = heading(display, problem) + "\n";
    out += &solve::summary(display, &report, &deciding(problem));
    let mut rows = Vec::new();
    if let Some(evaluation) = &answer.evaluation {
        rows = quality(problem, evaluation);
    }
    rows.extend(at_most(problem, &report));
    if let Some(plan) = &answer.plan {
        rows.push(("again", again(plan)));
        let _ = write!(out, "\n{}", pairs(&rows, display.terminal_width));
        let options = text_options(display);
        let drawn = Drawn {
            plan: Some(plan),
            evaluation: answer.evaluation.as_ref(),
        };
        let _ = write!(out, "\n{}", render::routes(problem, plan).text(&options));
        let map = render::maps(problem, drawn).text(&options);
        let _ = write!(out, "\n{map}");
    }
    out + &unserved::list(display, &[], report.explanation.as_ref())
}

/// Summary, plans and map of a mixture.
#[must_use]
pub fn mixture(display: &Display, problem: &PatrolProblem, answer: &MixPatrolsResponse) -> String {
    let report = answer.report.clone().unwrap_or_default();
    let mut out = heading(display, problem) + "\n";
    out += &solve::summary(display, &report, &["escape".into()]);
    if let Some(bound) = report.bound.as_ref().and_then(|b| b.levels.first()) {
        let share = numbers::percent((1.0 - bound).clamp(0.0, 1.0));
        let proved = format!("no mixture catches more than {share} of intruders who know it");
        out += &pairs(&[("proved", proved)], display.terminal_width);
    }
    if let Some(mixture) = &answer.plan {
        let mixed = Mixed {
            mixture,
            evaluation: answer.evaluation.as_ref(),
        };
        let text = render::mixture(problem, mixed)
            .untitled()
            .text(&text_options(display));
        let _ = write!(out, "\n{text}");
    }
    out + &unserved::list(display, &[], report.explanation.as_ref())
}

/// The names of the terms that decide between several plans that differ.
#[must_use]
pub fn variety_terms() -> Vec<String> {
    ["missing_plans", "worst_cost", "cost_sum"]
        .map(String::from)
        .into()
}

/// Summary, plans and maps of several plans that differ.
#[must_use]
pub fn variants(
    display: &Display,
    problem: &PatrolProblem,
    answer: &VaryPatrolsResponse,
) -> String {
    let report = answer.report.clone().unwrap_or_default();
    let mut out = heading(display, problem) + "\n";
    out += &solve::summary(display, &report, &variety_terms());
    if !answer.plans.is_empty() {
        let text = render::variants(problem, &answer.plans)
            .untitled()
            .text(&text_options(display));
        let _ = write!(out, "\n{text}");
    }
    out + &unserved::list(display, &[], report.explanation.as_ref())
}

/// Plans and map of a mixture that nobody was asked to find.
#[must_use]
pub fn mixture_alone(display: &Display, problem: &PatrolProblem, mixed: Mixed<'_>) -> String {
    heading(display, problem)
        + "\n"
        + &render::mixture(problem, mixed)
            .untitled()
            .text(&text_options(display))
}

/// How good a plan is, and how well each vertex is watched.
#[must_use]
pub fn evaluation(
    display: &Display,
    problem: &PatrolProblem,
    evaluation: &PatrolEvaluation,
) -> String {
    let mut out = heading(display, problem) + "\n";
    out += &pairs(&quality(problem, evaluation), display.terminal_width);
    let mut table = Table::new(vec![
        text("VERTEX"),
        figures("CAUGHT"),
        figures("IDLE AT MOST"),
        figures("ON AVERAGE"),
    ]);
    // The worst first; in the order of the problem where they are alike.
    let mut watched: Vec<&PatrolVertexCoverage> = evaluation.vertices.iter().collect();
    watched.sort_by(|a, b| a.capture_probability.total_cmp(&b.capture_probability));
    for vertex in watched.iter().take(VERTICES_MAX) {
        let span = |duration: Option<&prost_types::Duration>| match duration {
            Some(duration) => span_text(micros(Some(duration))),
            None => "never seen".into(),
        };
        table.push(&[
            vertex.vertex_id.clone(),
            numbers::percent(vertex.capture_probability),
            span(vertex.worst_idleness_duration.as_ref()),
            span(vertex.mean_idleness_duration.as_ref()),
        ]);
    }
    let _ = write!(out, "\n{}", table.text(display));
    if watched.len() > VERTICES_MAX {
        let more = watched.len() - VERTICES_MAX;
        let _ = writeln!(out, "and {more} better watched: see -o json");
    }
    out
}

/// Names and values of an evaluation.
fn quality(problem: &PatrolProblem, found: &PatrolEvaluation) -> Vec<(&'static str, String)> {
    let label = |id: &str| {
        let vertex = problem.vertices.iter().find(|v| v.id == id);
        match vertex.map_or("", |v| v.label.as_str()) {
            "" => printable(id),
            label => printable(&format!("{label} ({id})")),
        }
    };
    let caught = format!(
        "{} of the intruders",
        numbers::percent(found.capture_probability)
    );
    let mut rows = vec![("caught", caught)];
    if let Some(worst) = &found.best_response {
        let when = span_text(micros(worst.entry_offset.as_ref()));
        let how = numbers::percent(worst.capture_probability);
        let place = label(&worst.vertex_id);
        let text = match worst.capture_probability {
            share if share < 1.0 => format!("{place} at {when}, where {how} are caught"),
            _ => "nowhere: who knows the patrol is caught, too".into(),
        };
        rows.push(("worst", text));
    }
    let idle = found.worst_idleness_duration.as_ref();
    rows.push((
        "idle",
        match idle {
            Some(idle) => format!("at most {}", span_text(micros(Some(idle)))),
            None => "some place is never seen".into(),
        },
    ));
    let guess = numbers::percent(found.predictability);
    rows.push(("guess", format!("{guess} of the next steps can be guessed")));
    rows
}

/// How many intruders any patrol can catch at most, where it is that what was bounded.
fn at_most(problem: &PatrolProblem, report: &SolveReport) -> Option<(&'static str, String)> {
    let level = report.bound.as_ref()?.levels.first()?;
    if deciding(problem) != ["escape"] {
        return None;
    }
    // Without weights the probability of escape alone counts.
    let weight = problem.objective.unwrap_or_default().escape_weight.max(1);
    let share = 1.0 - level / f64::from(weight);
    // That not more than all are caught is known.
    let share = (share < 1.0).then(|| numbers::percent(share.max(0.0)))?;
    Some(("proved", format!("no patrol catches more than {share}")))
}

/// When everything comes again.
fn again(plan: &PatrolPlan) -> String {
    let prefix = span_text(micros(plan.prefix_duration.as_ref()));
    let period = span_text(micros(plan.period_duration.as_ref()));
    format!("every {period}, from {prefix} on")
}

#[cfg(test)]
mod tests {
    use super::*;
    use stratagem_proto::v1::{
        PatrolBestResponse, PatrolObjective, PatrolRoute, PatrolStop, PatrolVertex, ProvedBound,
    };
    use stratagem_render::time::from_micros;

    const PLAIN: Display = Display::PLAIN;

    fn hall() -> (PatrolProblem, PatrolEvaluation) {
        let vertex = |id: &str, label: &str| PatrolVertex {
            id: id.into(),
            label: label.into(),
            ..PatrolVertex::default()
        };
        let problem = PatrolProblem {
            vertices: vec![vertex("hall", "Great hall"), vertex("den\u{1b}[2J", "")],
            ..PatrolProblem::default()
        };
        let watched = |id: &str, share, idle: Option<i64>| PatrolVertexCoverage {
            vertex_id: id.into(),
            capture_probability: share,
            worst_idleness_duration: idle.map(from_micros),
            mean_idleness_duration: None,
        };
        let evaluation = PatrolEvaluation {
            capture_probability: 0.5,
            best_response: Some(PatrolBestResponse {
                vertex_id: "hall".into(),
                entry_offset: Some(from_micros(4_000_000)),
                capture_probability: 0.25,
            }),
            predictability: 1.0,
            vertices: vec![
                watched("den\u{1b}[2J", 0.75, Some(3_000_000)),
                watched("hall", 0.25, None),
            ],
            ..PatrolEvaluation::default()
        };
        (problem, evaluation)
    }

    #[test]
    fn an_evaluation_begins_with_the_worst_place() {
        let (problem, found) = hall();
        let expected = "\
Patrol  (2 vertices)

caught  50% of the intruders
worst   Great hall (hall) at 4s, where 25% are caught
idle    some place is never seen
guess   100% of the next steps can be guessed

VERTEX   CAUGHT  IDLE AT MOST  ON AVERAGE
hall        25%    never seen  never seen
den?[2J     75%            3s  never seen
";
        assert_eq!(evaluation(&PLAIN, &problem, &found), expected);
    }

    #[test]
    fn an_answer_tells_routes_and_maps() {
        let (problem, found) = hall();
        let stop = PatrolStop {
            vertex_id: "hall".into(),
            ..PatrolStop::default()
        };
        let plan = PatrolPlan {
            routes: vec![PatrolRoute {
                guard_id: "ada".into(),
                prefix: Vec::new(),
                cycle: vec![stop],
            }],
            period_duration: Some(from_micros(1_000_000)),
            ..PatrolPlan::default()
        };
        let whole = GeneratePatrolResponse {
            event: None,
            plan: Some(plan),
            report: None,
            evaluation: Some(found),
        };
        let text = answer(&PLAIN, &problem, &whole);
        for part in [
            "again   every 1s, from 0s on\n",
            "a ada\n  stays  hall 0s\n",
            "who comes by",
            "caught, in tenths",
            "! the worst place: Great hall\n",
        ] {
            assert!(text.contains(part), "{part}\n{text}");
        }
        assert!(!text.contains('\u{1b}'));
    }

    #[test]
    fn a_bound_on_escape_is_one_on_capture() {
        let bounded = |level: f64| SolveReport {
            bound: Some(ProvedBound {
                levels: vec![level],
                ..ProvedBound::default()
            }),
            ..SolveReport::default()
        };
        let report = bounded(0.25);
        let mut problem = PatrolProblem::default();
        let bound = |problem: &PatrolProblem| at_most(problem, &report).map(|row| row.1);
        let text = "no patrol catches more than 75%";
        assert_eq!(bound(&problem).as_deref(), Some(text));
        assert_eq!(at_most(&problem, &bounded(0.0)), None);
        problem.objective = Some(PatrolObjective {
            escape_weight: 1,
            mean_idleness_weight: 1,
            ..PatrolObjective::default()
        });
        assert_eq!(bound(&problem), None);
    }

    #[test]
    fn escape_counts_unless_something_else_does() {
        let mut problem = PatrolProblem::default();
        assert_eq!(deciding(&problem), ["escape"]);
        problem.objective = Some(PatrolObjective {
            worst_idleness_weight: 2,
            ..PatrolObjective::default()
        });
        assert_eq!(deciding(&problem), ["worst_idleness"]);
    }
}
