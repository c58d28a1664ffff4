//! Answers of any method about a problem of any planner, for people.

use super::fields::Shown;
use super::size::heading_of;
use super::table::printable;
use super::{Display, Style, objective, solve, unserved};
use crate::input::Kind as Problem;
use crate::reflect;
use formats::answers::response_of;
use formats::messages;
use prost_reflect::{DynamicMessage, ReflectMessage as _};
use std::fmt::Write as _;
use stratagem_proto::v1::{Explanation, SolveReport};
use stratagem_render::picture::{Response, Selection, scene};
use stratagem_render::text::TextOptions;

/// What is shown elsewhere: in the summary, in pictures, or at the end.
const ELSEWHERE: [&str; 8] = [
    "plan",
    "plans",
    "report",
    "event",
    "explanation",
    "outcome",
    "alternatives",
    "ink",
];

/// How pictures are drawn on this display.
#[must_use]
pub fn text_options(display: &Display) -> TextOptions {
    TextOptions {
        width: display.width(),
        ascii: display.ascii,
        colour: display.colour,
    }
}

/// Heading, what the search found, the plan, and why something is not in it.
#[must_use]
pub fn text(
    display: &Display,
    problem: &Problem,
    answer: &DynamicMessage,
    part: Selection,
) -> String {
    let planner = messages::planner(problem);
    let message = messages::of_problem(problem);
    let mut out = heading_of(display, &planner, &message) + "\n";
    let report: Option<SolveReport> = reflect::part(answer, "report");
    if let Some(report) = &report {
        out += &solve::summary(display, report, &objective::deciding(problem));
    }
    let mut shown = Shown::new(display, &message);
    let plan = answer
        .get_field_by_name("plan")
        .filter(|_| answer.has_field_by_name("plan"));
    let plan = plan.as_ref().and_then(|plan| plan.as_message());
    let own = special(display, problem, answer);
    let is_special = own.is_some();
    let known = own.unwrap_or_else(|| shown.message(answer, &ELSEWHERE));
    section(&mut out, &known);
    if let Some(plan) = plan.filter(|_| !is_special) {
        let objective = report.as_ref().and_then(|report| report.objective.as_ref());
        section(&mut out, &shown.facts(plan, objective));
    }
    let picture = drawn(display, problem, answer, part);
    if let Some(plan) = plan
        && (is_chart(plan) || picture.is_none() && !is_special)
    {
        section(&mut out, &shown.tables(plan));
    }
    if let Some(picture) = picture {
        section(&mut out, &picture);
    }
    for Titled { title, answer } in alternatives(answer) {
        let picture = drawn(display, problem, &answer, Selection::default()).unwrap_or_default();
        let title = display.styled(Style::Heading, &title);
        section(
            &mut out,
            &format!("{title}\n{}", picture.trim_start_matches('\n')),
        );
    }
    let explanation = report
        .as_ref()
        .and_then(|report| report.explanation.clone());
    let explanation: Option<Explanation> =
        explanation.or_else(|| reflect::part(answer, "explanation"));
    // What a conflict states in full is not repeated.
    let explanation = explanation.filter(|it| {
        let is_short = it.reasons.is_empty() && it.certificates.is_empty();
        !is_short || it.summary.is_empty() || !known.contains(&printable(&it.summary))
    });
    // An answer without a search is about one task alone.
    let left_out = plan
        .filter(|_| report.is_some())
        .map_or(Vec::new(), left_out);
    out += &unserved::list(display, &left_out, explanation.as_ref());
    out + &unserved::notes(display, report.as_ref().map_or(&[], |report| &report.notes))
}

/// Adds a paragraph, if there is anything in it.
fn section(out: &mut String, text: &str) {
    let text = text.trim_start_matches('\n');
    if !text.is_empty() {
        let _ = write!(
            out,
            "{}{text}",
            if out.ends_with("\n\n") { "" } else { "\n" }
        );
    }
}

/// What is known of an answer, where names and values of fields would lose something.
fn special(display: &Display, problem: &Problem, answer: &DynamicMessage) -> Option<String> {
    match (problem, response_of(answer)?) {
        (Problem::Narrative(problem), Response::ScheduleNarrative(found)) => {
            Some(super::narrative::known(display, problem, &found))
        }
        (Problem::Heist(_), Response::AnalyzeHeist(found)) => {
            let found = found.analysis.unwrap_or_default();
            Some(super::heist::analysis(display, &found))
        }
        (Problem::Heist(_), Response::DesignHeist(found)) => {
            Some(super::heist::level(display, &found))
        }
        (Problem::Puzzle(_), Response::GeneratePuzzle(found)) => {
            Some(super::puzzle::solutions(&found.plan?))
        }
        (Problem::Story(_), Response::GenerateStory(found)) => {
            Some(super::story::worth(display, &found.plan?))
        }
        (Problem::Story(_), Response::BranchStory(found)) => {
            Some(super::story::knots(display, &found.plan?))
        }
        _ => None,
    }
}

/// The picture, if there is a plan to be drawn.
fn drawn(
    display: &Display,
    problem: &Problem,
    answer: &DynamicMessage,
    part: Selection,
) -> Option<String> {
    if !reflect::has_plan(answer) {
        return None;
    }
    let found = scene(problem, response_of(answer).as_ref(), part)?;
    Some(found.untitled().text(&text_options(display)))
}

/// Other plans of an answer, each as an answer of its own, with what is special about it.
fn alternatives(answer: &DynamicMessage) -> Vec<Titled> {
    let field = answer.get_field_by_name("alternatives");
    let items = field.as_ref().and_then(|field| field.as_list());
    let items = items.unwrap_or_default().iter();
    let titled = items.filter_map(|item| {
        let item = item.as_message()?;
        let plan = item.get_field_by_name("plan")?.into_owned();
        let mut alone = DynamicMessage::new(answer.descriptor());
        alone.try_set_field_by_name("plan", plan).ok()?;
        let facts = item.fields().filter_map(|(field, value)| {
            let value = value.as_str()?;
            let name = field.name().trim_end_matches("_id").replace('_', " ");
            Some(format!("{name} {}", printable(value)))
        });
        Some(Titled {
            title: facts.collect::<Vec<_>>().join(", "),
            answer: alone,
        })
    });
    titled.collect()
}

struct Titled {
    title: String,
    answer: DynamicMessage,
}

/// Whether the picture of a plan is a chart over time, off which times cannot be read: what is in
/// its lists has times.
fn is_chart(plan: &DynamicMessage) -> bool {
    plan.descriptor().fields().any(|field| {
        let kind = field.kind();
        let element = kind.as_message().filter(|_| field.is_list());
        element.is_some_and(|it| it.fields().any(|time| time.name().ends_with("_offset")))
    })
}

/// Ids of what a plan leaves out.
fn left_out(plan: &DynamicMessage) -> Vec<String> {
    let mut fields = plan.fields();
    let found = fields.find(|(field, _)| field.name().starts_with("unserved_"));
    let ids = found.and_then(|(_, value)| value.as_list());
    let ids = ids.unwrap_or_default().iter();
    ids.filter_map(|id| id.as_str().map(str::to_owned))
        .collect()
}
