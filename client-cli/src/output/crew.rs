//! Fronts of crews for people.

use super::table::printable;
use super::temporal::text_options;
use super::{Display, Style, numbers, solve};
use std::fmt::Write as _;
use stratagem_proto::v1::{AssignCrewResponse, CrewProblem};
use stratagem_render::crew::{Choice, Drawn, Scene, front_text, way_lines};

/// What a problem consists of, in words.
#[must_use]
pub fn size(problem: &CrewProblem) -> String {
    let things = |count: usize, name: &str| numbers::things(count as i64, name);
    format!(
        "{}, {}, {}, {}",
        things(problem.nodes.len(), "nodes"),
        things(problem.arcs.len(), "arcs"),
        things(problem.players.len(), "players"),
        things(problem.tools.len(), "tools")
    )
}

/// The names of the terms that decide between plans.
#[must_use]
pub fn deciding() -> Vec<String> {
    vec!["incomplete_fronts".into()]
}

/// Summary, fronts, and the ways of one point of an answer.
#[must_use]
pub fn answer(
    display: &Display,
    problem: &CrewProblem,
    answer: &AssignCrewResponse,
    choice: Option<Choice>,
) -> String {
    let report = answer.report.clone().unwrap_or_default();
    let title = match printable(&problem.title) {
        title if title.is_empty() => "Crew".into(),
        title => title,
    };
    let title = display.styled(Style::Heading, &title);
    let mut out = format!("{title}  ({})\n\n", size(problem));
    out += &solve::summary(display, &report, &deciding());
    if let Some(plan) = &answer.plan {
        let (scene, options) = (Scene::new(problem), text_options(display));
        let _ = write!(out, "\n{}", front_text(&scene, plan, &options));
        let drawn = Drawn {
            plan: Some(plan),
            choice,
        };
        let ways = way_lines(&scene, drawn, &options);
        if !ways.is_empty() {
            let _ = write!(out, "\n{ways}");
        }
    }
    out
}
