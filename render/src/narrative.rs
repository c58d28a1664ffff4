//! Narratives: the use of resources over time and how sure it is, which storyline is for which
//! outcomes, and how the story forks.

mod bars;
mod coverage;
mod decisions;
mod forks;
mod gantt;
mod network;
mod story;
mod strands;
mod tables;
mod tree;

pub use strands::storylines;

use crate::picture::{Drawable, Response, Selection};
use crate::scene::{Choice, ChoiceOption, Content, On, Panel, Part, Picture, Scene, part, table};
use coverage::{Coverage, outcomes_text};
use decisions::Decisions;
use gantt::Gantt;
use story::Story;
use stratagem_proto::v1::{
    NarrativeConflict, NarrativePlan, NarrativePolicy, NarrativeProblem, TemporalContingentDuration,
};

/// Policies that a page shows: more are only counted.
const POLICIES_MAX: usize = 60;
/// Bars and rows of tables of all policies after which no more policies are drawn.
const THINGS_MAX: usize = 6_000;
/// Rules of a conflict that are listed.
const MEMBERS_MAX: usize = 200;

/// What is known about a narrative and drawn into its picture.
#[derive(Debug, Clone, Copy, Default)]
pub struct Drawn<'a> {
    /// How each storyline is written.
    pub plan: Option<&'a NarrativePlan>,
    /// What clashes: its links, events and choices are marked.
    pub conflict: Option<&'a NarrativeConflict>,
}

/// Returns the scene of a narrative: the conflict; the outcomes of each policy; all policies as one
/// tree, in which each row has what differs from those that it comes after; the selected policy
/// over time with tables; the use of resources; and the story with its forks and links. At most 60
/// policies are shown one by one.
#[must_use]
pub fn scene(problem: &NarrativeProblem, drawn: Drawn<'_>) -> Scene {
    let story = Story::new(problem);
    let mut scene = Scene::new(&problem.title, &problem.description);
    let conflict = drawn.conflict.map(|it| conflict_lines(&story, it));
    if let Some(lines) = &conflict {
        scene.push(On::Words, Content::Heading("Why there is no plan".into()));
        scene.push(On::Words, Content::List(lines.clone()));
    }
    if let Some(plan) = drawn.plan {
        let plan = &*strands::storylines(problem, plan);
        coverage(&mut scene, &story, plan);
        policies(&mut scene, &story, plan);
        tables::used(&mut scene, &story, plan);
    }
    scene.push(On::Page, Content::Heading("The story".into()));
    let notes = conflict.into_iter().flatten().map(Panel::Note);
    let network = Panel::Drawing(network::drawing(&story, drawn.conflict));
    scene.push(
        On::Screen,
        Picture {
            caption: "Events in their order, choices, and who makes them".into(),
            panels: std::iter::once(network).chain(notes).collect(),
            clock: None,
        },
    );
    tables::story(&mut scene, &story, drawn);
    scene
}

/// A conflict, a line for its summary, each rule, and what is not covered.
fn conflict_lines(story: &Story<'_>, conflict: &NarrativeConflict) -> Vec<String> {
    let mut lines = Vec::new();
    if !conflict.summary.is_empty() {
        lines.push(conflict.summary.clone());
    }
    let members = conflict.members.iter().take(MEMBERS_MAX);
    lines.extend(members.map(|m| m.message.clone()));
    if conflict.members.len() > MEMBERS_MAX {
        lines.push(format!("and {} more", conflict.members.len() - MEMBERS_MAX));
    }
    let uncovered = &conflict.uncovered_durations;
    if !uncovered.is_empty() {
        let duration = |d: &TemporalContingentDuration| {
            let takes = crate::time::micros(d.duration.as_ref());
            let takes = crate::time::span_text(takes);
            format!("{} takes {takes}", story.link(&d.link_id))
        };
        let durations: Vec<_> = uncovered.iter().take(MEMBERS_MAX).map(duration).collect();
        let picks = match conflict.uncovered_picks.as_slice() {
            [] => String::new(),
            picks => format!(", after {}", story.picks(picks)),
        };
        lines.push(format!(
            "no storyline is for this: {}{picks}",
            durations.join(", ")
        ));
    }
    lines
}

/// Which policy is for which outcomes.
fn coverage(scene: &mut Scene, story: &Story<'_>, plan: &NarrativePlan) {
    let head = "Which storyline is for what";
    scene.push(On::Words, Content::Heading(head.into()));
    let coverage = Coverage::new(story, plan);
    if coverage.links.is_empty() {
        let all = "storylines are for all outcomes";
        scene.push(On::Terminal, Content::Paragraph(all.into()));
    }
    for n in 0..coverage.links.len() {
        let title = coverage.title(n);
        scene.push(On::Terminal, Content::Paragraph(title.clone()));
        scene.push(
            On::All,
            Picture {
                caption: "Storylines and the outcomes that they are meant for".into(),
                panels: vec![Panel::Head(title), Panel::Chart(coverage.chart(n))],
                clock: None,
            },
        );
    }
    let rows = plan.policies.iter().enumerate().map(|(n, policy)| {
        let outcomes = match outcomes_text(story, policy) {
            text if text.is_empty() => "all that may happen".into(),
            text => text,
        };
        vec![(n + 1).to_string(), story.picks(&policy.picks), outcomes]
    });
    let head = ["number", "picks", "meant for"];
    scene.push(On::Page, table("Storylines", &head, rows, POLICIES_MAX));
}

/// All policies as one tree, and each over time and in tables.
fn policies(scene: &mut Scene, story: &Story<'_>, plan: &NarrativePlan) {
    if let [policy] = &plan.policies[..] {
        let (option, _) = option(story, 1, policy);
        scene.push(On::All, Content::Heading(option.name));
        scene.parts.extend(option.parts);
        return;
    }
    if plan.policies.is_empty() {
        return;
    }
    let head = "What happens when, by what is picked";
    scene.push(On::Words, Content::Heading(head.into()));
    scene.push(
        On::All,
        Picture {
            caption: "All storylines as one tree: what differs after each pick".into(),
            panels: vec![Panel::Chart(Decisions::new(story, plan).chart())],
            clock: None,
        },
    );
    let (mut things, mut options) = (0, Vec::new());
    for (n, policy) in plan.policies.iter().enumerate().take(POLICIES_MAX) {
        if things > THINGS_MAX {
            break;
        }
        let (option, count) = option(story, n + 1, policy);
        things += count;
        options.push(option);
    }
    scene.push(On::Page, Content::Heading("Storylines over time".into()));
    let left_out = plan.policies.len() - options.len();
    let legend = "Storyline".into();
    scene.push(On::Page, Choice { legend, options });
    if left_out > 0 {
        let more = format!("and {left_out} more storylines");
        scene.push(On::Page, Content::Paragraph(more));
    }
}

/// A policy over time and in tables, and how many bars and rows that takes.
fn option(story: &Story<'_>, number: usize, policy: &NarrativePolicy) -> (ChoiceOption, usize) {
    let gantt = Gantt::new(story, policy);
    let picks = story.picks(&policy.picks);
    let name = match outcomes_text(story, policy) {
        outcomes if outcomes.is_empty() => format!("{number} {picks}"),
        outcomes => format!("{number} {picks}, when {outcomes}"),
    };
    let tables = [
        tables::hand_overs(story, policy),
        tables::orders(story, policy),
        tables::events(story, policy),
    ];
    let things = gantt.bars() + tables.iter().map(|t| t.rows.len()).sum::<usize>();
    let picture = Picture {
        caption: name.clone(),
        panels: vec![
            Panel::Head(name.clone()),
            Panel::Chart(bars::chart(&gantt, story.problem)),
        ],
        clock: None,
    };
    let tables = tables.into_iter().map(|table| part(On::Words, table));
    let parts: Vec<Part> = std::iter::once(part(On::All, picture))
        .chain(tables)
        .collect();
    (ChoiceOption { name, parts }, things)
}

impl Drawable for NarrativeProblem {
    fn scene(&self, response: Option<&Response>, _: Selection) -> Option<Scene> {
        let drawn = match response {
            Some(Response::ScheduleNarrative(found)) => Drawn {
                plan: found.plan.as_ref(),
                conflict: found.conflict.as_ref(),
            },
            _ => Drawn::default(),
        };
        Some(scene(self, drawn))
    }
}
