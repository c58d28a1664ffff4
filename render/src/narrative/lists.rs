//! The story as written, and what a plan uses, in tables: what pictures show to eyes only.

use super::Drawn;
use super::story::{Story, choice_label, chooser, option_label};
use crate::html::Page;
use crate::links::ids_of;
use crate::time::{bounds_text, micros, span_text};
use prost_types::Duration;
use std::collections::BTreeSet;
use stratagem_proto::v1::narrative_conflict_member::Rule;
use stratagem_proto::v1::{NarrativeConflict, NarrativePlan};

/// Rows of a table: more are only counted.
const ROWS_MAX: usize = 2_000;

/// How much of each resource is in use at most, and how far durations could stretch.
pub(super) fn used(page: &mut Page, story: &Story<'_>, plan: &NarrativePlan) {
    if plan.peaks.is_empty() && plan.stretches.is_empty() {
        return;
    }
    page.heading("What is in use, and how far things could stretch");
    let peaks = plan.peaks.iter().map(|peak| {
        let resource = story.resource(&peak.resource_id);
        vec![resource, peak.amount.to_string(), peak.capacity.to_string()]
    });
    let peaks: Vec<_> = peaks.take(ROWS_MAX).collect();
    page.table("Most in use at once", &["what", "in use", "of"], &peaks);
    let stretches = plan.stretches.iter().map(|stretch| {
        let times = [&stretch.shortest_duration, &stretch.longest_duration];
        let [shortest, longest] = times.map(|time| span_text(micros(time.as_ref())));
        vec![story.link(&stretch.link_id), shortest, longest]
    });
    let stretches: Vec<_> = stretches.take(ROWS_MAX).collect();
    page.table("Could stretch", &["link", "from", "to"], &stretches);
}

/// Links and choices of the story, with marks at those that clash.
pub(super) fn story(page: &mut Page, story: &Story<'_>, drawn: Drawn<'_>) {
    let clashes = Clashes::new(story, drawn.conflict);
    links(page, story, &clashes);
    let rows = story.problem.choices.iter().take(ROWS_MAX).map(|choice| {
        let options: Vec<_> = choice.options.iter().map(option_label).collect();
        vec![
            choice_label(choice).to_owned(),
            chooser(choice).to_owned(),
            options.join(", "),
            clashes.mark(&choice.id),
        ]
    });
    let rows: Vec<_> = rows.collect();
    let head = ["choice", "who", "options", "clashes"];
    table(page, "Choices", &head, rows);
}

fn links(page: &mut Page, story: &Story<'_>, clashes: &Clashes<'_>) {
    let problem = story.problem;
    let ids = ids_of(&problem.links, &problem.contingent_links);
    let name = |id: &str| {
        if id == story.origin {
            id.to_owned()
        } else {
            story.event(id)
        }
    };
    let ours = problem
        .links
        .iter()
        .zip(&ids.requirements)
        .map(|(link, id)| {
            let range = range_text(link.lower.as_ref(), link.upper.as_ref());
            let (from, to) = (name(&link.from_event_id), name(&link.to_event_id));
            vec![id.clone(), from, to, range, "we".into(), clashes.mark(id)]
        });
    let links = problem.contingent_links.iter().zip(&ids.contingent);
    let theirs = links.map(|(link, id)| {
        let range = range_text(link.lower.as_ref(), link.upper.as_ref());
        let (from, to) = (name(&link.from_event_id), name(&link.to_event_id));
        let who = "the players".into();
        vec![id.clone(), from, to, range, who, clashes.mark(id)]
    });
    let rows: Vec<_> = theirs.chain(ours).take(ROWS_MAX).collect();
    let head = ["link", "from", "to", "takes", "who decides", "clashes"];
    table(page, "How far apart events are", &head, rows);
    let all = problem.links.len() + problem.contingent_links.len();
    if all > ROWS_MAX {
        page.paragraph(&format!("and {} more links", all - ROWS_MAX));
    }
}

/// A table whose last column says what clashes; without it where nothing does.
fn table(page: &mut Page, caption: &str, head: &[&str], mut rows: Vec<Vec<String>>) {
    let (_, all_but_last) = head.split_last().expect("heads are written above");
    if rows
        .iter()
        .any(|row| row.last().is_some_and(|mark| !mark.is_empty()))
    {
        page.table(caption, head, &rows);
        return;
    }
    for row in &mut rows {
        row.pop();
    }
    page.table(caption, all_but_last, &rows);
}

/// What is part of the conflict, by ids without groups.
struct Clashes<'a>(BTreeSet<&'a str>);

impl<'a> Clashes<'a> {
    fn new(story: &Story<'_>, conflict: Option<&'a NarrativeConflict>) -> Self {
        let members = conflict.into_iter().flat_map(|conflict| &conflict.members);
        let ids = members.filter_map(|member| match member.rule.as_ref()? {
            Rule::Bound(bound) => Some(story.local(&bound.link_id).0),
            Rule::ChoiceId(id) => Some(story.local(id).0),
            Rule::Overload(_) | Rule::EventId(_) => None,
        });
        Self(ids.collect())
    }

    fn mark(&self, id: &str) -> String {
        let clashes = self.0.contains(id);
        if clashes { "yes".into() } else { String::new() }
    }
}

fn range_text(lower: Option<&Duration>, upper: Option<&Duration>) -> String {
    let us = |time: Option<&Duration>| time.map(|time| micros(Some(time)));
    bounds_text(us(lower), us(upper))
}
