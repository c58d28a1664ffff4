//! All that is known about a narrative as one page of HTML.

use super::coverage::{Coverage, outcomes_text};
use super::decisions::Decisions;
use super::gantt::Gantt;
use super::gantt_svg::{self, STYLE, WIDTH};
use super::story::Story;
use super::text::conflict_lines;
use super::words::{Table, events, hand_overs, orders, title};
use super::{Drawn, coverage_svg, decisions_svg, lists, story_svg, strands};
use crate::html::Page;
use crate::svg::Canvas;
use stratagem_proto::v1::{NarrativePlan, NarrativeProblem};

/// Policies that are drawn: more are only counted.
const POLICIES_MAX: usize = 60;
/// Bars and rows of tables of all policies after which no more policies are drawn.
const THINGS_MAX: usize = 6_000;

/// Returns a narrative as one self-contained page of HTML, without scripts: the outcomes of each
/// policy; all policies as one tree; the selected policy over time, with tables of times, waits and
/// resource flows; the use of resources; and the story with its forks, its links and the conflict.
/// At most 60 policies are drawn.
#[must_use]
pub fn page(problem: &NarrativeProblem, drawn: Drawn<'_>) -> String {
    let story = Story::new(problem);
    let mut page = Page::new(&problem.title, &problem.description);
    if let Some(conflict) = drawn.conflict {
        page.heading("Why there is no plan");
        let lines = conflict_lines(&story, conflict);
        let lines = lines.iter().map(|line| line.trim_start_matches("! "));
        page.list(&lines.map(str::to_owned).collect::<Vec<_>>());
    }
    if let Some(plan) = drawn.plan {
        let plan = &*strands::storylines(problem, plan);
        coverage(&mut page, &story, plan);
        policies(&mut page, &story, plan);
        lists::used(&mut page, &story, plan);
    }
    page.heading("The story");
    let svg = story_svg(problem, drawn);
    page.picture(&svg, "Events in their order, choices, and who makes them");
    lists::story(&mut page, &story, drawn);
    page.finish()
}

/// Which policy is for which outcomes.
fn coverage(page: &mut Page, story: &Story<'_>, plan: &NarrativePlan) {
    page.heading("Which storyline is for what");
    let mut canvas = Canvas::new();
    if let Some(height) = coverage_svg::draw(&mut canvas, &Coverage::new(story, plan), 8.0) {
        let svg = canvas.finish(WIDTH, height + 16.0, STYLE);
        page.picture(&svg, "Storylines and the outcomes that they are meant for");
    }
    let policies = plan.policies.iter().enumerate().take(POLICIES_MAX);
    let rows = policies.map(|(n, policy)| {
        let outcomes = match outcomes_text(story, policy) {
            text if text.is_empty() => "all that may happen".into(),
            text => text,
        };
        vec![(n + 1).to_string(), story.picks(&policy.picks), outcomes]
    });
    let rows: Vec<_> = rows.collect();
    page.table("Storylines", &["number", "picks", "meant for"], &rows);
}

/// Each policy over time and in tables.
fn policies(page: &mut Page, story: &Story<'_>, plan: &NarrativePlan) {
    let mut things = 0;
    let mut drawn = Vec::new();
    for (n, policy) in plan.policies.iter().enumerate().take(POLICIES_MAX) {
        if things > THINGS_MAX {
            break;
        }
        let gantt = Gantt::new(story, policy);
        let tables = [
            hand_overs(story, policy),
            orders(story, policy),
            events(story, policy),
        ];
        things += gantt.bars() + tables.iter().map(|t| t.rows.len()).sum::<usize>();
        drawn.push((title(story, n + 1, policy), gantt, tables));
    }
    if drawn.is_empty() {
        return;
    }
    if plan.policies.len() > 1 {
        page.heading("What happens when, by what is picked");
        let mut canvas = Canvas::new();
        let height = decisions_svg::draw(&mut canvas, &Decisions::new(story, plan), 8.0);
        let svg = canvas.finish(WIDTH, height + 16.0, STYLE);
        page.picture(
            &svg,
            "All storylines as one tree: what differs after each pick",
        );
    }
    page.heading("Storylines over time");
    let names: Vec<_> = drawn.iter().map(|d| d.0.clone()).collect();
    page.selector("Storyline", &names, |page, n| {
        let (title, gantt, tables) = &drawn[n];
        let mut canvas = Canvas::new();
        let height = gantt_svg::draw(&mut canvas, story.problem, gantt, 8.0);
        page.picture(&canvas.finish(WIDTH, height + 16.0, STYLE), title);
        for table in tables {
            add_table(page, table);
        }
    });
    let left_out = plan.policies.len() - drawn.len();
    if left_out > 0 {
        page.paragraph(&format!("and {left_out} more storylines"));
    }
}

fn add_table(page: &mut Page, table: &Table) {
    page.table(table.title, &table.head, &table.rows);
    if table.left_out > 0 {
        page.paragraph(&format!("and {} more", table.left_out));
    }
}
