//! Fronts of crews for people.

use super::table::{Table, figures, pairs, printable, text};
use super::temporal::text_options;
use super::{Display, Style, heading, numbers, solve};
use std::fmt::Write as _;
use stratagem_proto::v1::{
    AssignCrewResponse, CompareCrewMovesRequest, CompareCrewMovesResponse, CrewProblem,
};
use stratagem_render::crew::{Choice, Drawn, fronts};
use stratagem_render::time::{micros, span_text};

/// The names of the terms that decide between plans.
#[must_use]
pub fn deciding(_: &CrewProblem) -> Vec<String> {
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
    let mut out = heading(display, problem) + "\n";
    out += &solve::summary(display, &report, &deciding(problem));
    if let Some(plan) = &answer.plan {
        let drawn = Drawn {
            plan: Some(plan),
            choice,
        };
        let fronts = fronts(problem, drawn).text(&text_options(display));
        let _ = write!(out, "\n{fronts}");
    }
    out
}

/// What the players lost, and each of them.
#[must_use]
pub fn comparison(
    display: &Display,
    request: &CompareCrewMovesRequest,
    answer: &CompareCrewMovesResponse,
) -> String {
    let title = request.problem.as_ref().map(|it| printable(&it.title));
    let title = title.filter(|it| !it.is_empty());
    let title = title.unwrap_or_else(|| "Crew".into());
    let mut out = format!("{}\n\n", display.styled(Style::Heading, &title));
    let time = |it: &Option<_>| span_text(micros(it.as_ref()));
    let lost = answer.time_loss.unwrap_or_default();
    let harm = answer.damage_loss.unwrap_or_default();
    let figure = numbers::number;
    out += &pairs(
        &[
            ("time", time(&answer.worst_duration)),
            ("could be", time(&lost.least_duration)),
            ("  by ways", time(&lost.way_duration)),
            ("  by who took what", time(&lost.role_duration)),
            ("  by how many came", time(&lost.number_duration)),
            ("damage", figure(answer.worst_damage)),
            ("could be", figure(harm.least_damage)),
            ("  by ways", figure(harm.way_damage)),
            ("  by who took what", figure(harm.role_damage)),
            ("  by how many came", figure(harm.number_damage)),
        ],
        display.terminal_width,
    );
    let mut table = Table::new(vec![
        text("PLAYER"),
        figures("TIME"),
        figures("COULD BE"),
        figures("DAMAGE"),
        figures("COULD BE"),
    ]);
    for mover in &answer.movers {
        table.push(&[
            mover.player_id.clone(),
            time(&mover.walk_duration),
            time(&mover.least_duration),
            figure(mover.walk_damage),
            figure(mover.least_damage),
        ]);
    }
    let _ = write!(out, "\n{}", table.text(display));
    out
}
