//! The story, a policy, and what a plan uses, in tables.

use super::Drawn;
use super::coverage::range_text as span;
use super::story::{Story, choice_label, chooser, option_label};
use crate::links::ids_of;
use crate::scene::{Content, On, Scene, Table, table};
use crate::time::{bounds_text, micros, span_text};
use prost_types::Duration;
use std::collections::BTreeSet;
use stratagem_proto::v1::narrative_conflict_member::Rule;
use stratagem_proto::v1::{
    NarrativeConflict, NarrativeHandOver, NarrativePlan, NarrativePolicy, TemporalEventRange,
};

/// Rows of a table: more are only counted.
const ROWS_MAX: usize = 2_000;

/// Rows of a table of a policy.
const POLICY_ROWS_MAX: usize = 200;

/// When what happens.
pub(super) fn events(story: &Story<'_>, policy: &NarrativePolicy) -> Table {
    let times = |r: &TemporalEventRange| {
        let earliest = micros(r.earliest_offset.as_ref());
        (earliest, micros(r.latest_offset.as_ref()))
    };
    let mut ranges: Vec<_> = policy.ranges.iter().collect();
    ranges.sort_by_key(|r| times(r));
    let rows = ranges.into_iter();
    let rows = rows.map(|r| vec![story.event(&r.event_id), span(times(r))]);
    table("When it happens", &["what", "when"], rows, POLICY_ROWS_MAX)
}

/// What waits for what.
pub(super) fn orders(story: &Story<'_>, policy: &NarrativePolicy) -> Table {
    let orders = policy.orders.iter();
    let names = orders.map(|o| [&o.first_activity_id, &o.second_activity_id]);
    let rows = names.map(|ids| ids.map(|id| story.activity(id)).to_vec());
    let head = ["this ends", "before this begins"];
    table("What waits for what", &head, rows, POLICY_ROWS_MAX)
}

/// How resources flow.
pub(super) fn hand_overs(story: &Story<'_>, policy: &NarrativePolicy) -> Table {
    let row = |h: &NarrativeHandOver| {
        let from = match h.from_activity_id.as_str() {
            "" => "(at first)".into(),
            id => story.activity(id),
        };
        let count = h.amount.max(1).to_string();
        let resource = story.resource(&h.resource_id);
        vec![resource, count, from, story.activity(&h.to_activity_id)]
    };
    let head = ["who or what", "how many", "goes from", "to"];
    let rows = policy.hand_overs.iter().map(row);
    table("Resource flow", &head, rows, POLICY_ROWS_MAX)
}

/// How much of each resource is in use at most, and how far durations could stretch.
pub(super) fn used(scene: &mut Scene, story: &Story<'_>, plan: &NarrativePlan) {
    if plan.peaks.is_empty() && plan.stretches.is_empty() {
        return;
    }
    let head = "What is in use, and how far things could stretch";
    scene.push(On::Page, Content::Heading(head.into()));
    let peaks = plan.peaks.iter().map(|peak| {
        let resource = story.resource(&peak.resource_id);
        vec![resource, peak.amount.to_string(), peak.capacity.to_string()]
    });
    let head = ["what", "in use", "of"];
    scene.push(
        On::Page,
        table("Most in use at a time", &head, peaks, ROWS_MAX),
    );
    let stretches = plan.stretches.iter().map(|stretch| {
        let times = [&stretch.shortest_duration, &stretch.longest_duration];
        let [shortest, longest] = times.map(|time| span_text(micros(time.as_ref())));
        vec![story.link(&stretch.link_id), shortest, longest]
    });
    let head = ["link", "from", "to"];
    scene.push(On::Page, table("Could stretch", &head, stretches, ROWS_MAX));
}

/// Links and choices of the story, with marks at those that clash.
pub(super) fn story(scene: &mut Scene, story: &Story<'_>, drawn: Drawn<'_>) {
    let clashes = Clashes::new(story, drawn.conflict);
    scene.push(On::Page, links(story, &clashes).trimmed());
    let rows = story.problem.choices.iter().map(|choice| {
        let options: Vec<_> = choice.options.iter().map(option_label).collect();
        vec![
            choice_label(choice).to_owned(),
            chooser(choice).to_owned(),
            options.join(", "),
            clashes.mark(&choice.id),
        ]
    });
    let head = ["choice", "who", "options", "clashes"];
    let choices = table("Choices", &head, rows, ROWS_MAX);
    scene.push(On::Page, choices.trimmed());
}

fn links(story: &Story<'_>, clashes: &Clashes<'_>) -> Table {
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
    let head = ["link", "from", "to", "takes", "who decides", "clashes"];
    let rows = theirs.chain(ours);
    table("How far apart events are", &head, rows, ROWS_MAX)
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
