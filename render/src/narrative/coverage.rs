//! Which policy is for which outcomes.

use super::story::{Story, short_picks};
use crate::scene::{Bar, Chart, Ink, Segment, colour, row};
use crate::time::{micros, span_text};
use std::collections::BTreeMap;
use stratagem_proto::v1::{NarrativePlan, NarrativePolicy};

/// Links that are drawn.
const LINKS_MAX: usize = 12;
/// Policies that are drawn: more are only counted.
const POLICIES_MAX: usize = 60;

/// A duration that players pick and that policies divide among them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Divided {
    pub(super) name: String,
    /// All that may happen, in microseconds.
    pub(super) whole: (i64, i64),
}

/// The outcomes of one policy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Part {
    /// From 1, in the order of the plan.
    pub(super) number: usize,
    /// What is picked.
    pub(super) picks: String,
    /// The same by ids.
    pub(super) short: String,
    /// For each divided link its part, within the whole.
    pub(super) ranges: Vec<(i64, i64)>,
}

/// How the policies of a plan divide what may happen.
pub(super) struct Coverage {
    /// In the order of the problem; none where no policy narrows anything.
    pub(super) links: Vec<Divided>,
    /// In the order of the plan.
    pub(super) parts: Vec<Part>,
    /// Policies that were left out.
    pub(super) left_out: usize,
}

impl Coverage {
    pub(super) fn new(story: &Story<'_>, plan: &NarrativePlan) -> Self {
        let outcomes: Vec<_> = plan.policies.iter().map(outcomes).collect();
        let mut links = Vec::new();
        let mut ids = Vec::new();
        for link in &story.contingents {
            let whole = (link.lower_us, link.upper_us.max(link.lower_us));
            let mut named = outcomes.iter().filter_map(|o| o.get(link.id.as_str()));
            if links.len() < LINKS_MAX && named.any(|part| clamped(*part, whole) != whole) {
                links.push(Divided {
                    name: story.link(&link.id),
                    whole,
                });
                ids.push(link.id.as_str());
            }
        }
        let policies = plan.policies.iter().zip(&outcomes).enumerate();
        let parts = policies.take(POLICIES_MAX).map(|(n, (policy, outcomes))| {
            let range = |link: &Divided, id: &str| {
                outcomes
                    .get(id)
                    .map_or(link.whole, |part| clamped(*part, link.whole))
            };
            let ranges = links.iter().zip(&ids).map(|(link, id)| range(link, id));
            Part {
                number: n + 1,
                picks: story.picks(&policy.picks),
                short: short_picks(story, &policy.picks),
                ranges: ranges.collect(),
            }
        });
        Self {
            parts: parts.collect(),
            left_out: plan.policies.len().saturating_sub(POLICIES_MAX),
            links,
        }
    }

    /// A duration and all that may happen.
    pub(super) fn title(&self, n: usize) -> String {
        let link = &self.links[n];
        format!("{} takes {}", link.name, range_text(link.whole))
    }

    /// A row for each policy over one duration.
    pub(super) fn chart(&self, n: usize) -> Chart {
        let rows = self.parts.iter().enumerate().map(|(i, part)| {
            let range = range_text(part.ranges[n]);
            let glyph = ['█', '#'];
            let segment = Segment {
                span: part.ranges[n],
                ink: Ink::new(&colour(i), 0.8, glyph, "36").kept(glyph, glyph),
                label: String::new(),
                tip: format!("{}: {range}", part.picks),
            };
            let bar = Bar {
                segments: vec![segment],
                label: range,
                ..Bar::default()
            };
            row(&format!("{} {}", part.number, part.short), vec![bar])
        });
        Chart {
            rows: rows.collect(),
            horizon: self.links[n].whole,
            more: (self.left_out, "storylines"),
            ..Chart::default()
        }
    }
}

/// The part of a range that is within another.
fn clamped(part: (i64, i64), whole: (i64, i64)) -> (i64, i64) {
    let lower = part.0.clamp(whole.0, whole.1);
    (lower, part.1.clamp(lower, whole.1))
}

/// What a policy is meant for, by link. The first of a name counts.
fn outcomes(policy: &NarrativePolicy) -> BTreeMap<&str, (i64, i64)> {
    let part = |o: &stratagem_proto::v1::NarrativeOutcomes| {
        (micros(o.lower.as_ref()), micros(o.upper.as_ref()))
    };
    let outcomes = policy.outcomes.iter().rev();
    outcomes.map(|o| (o.link_id.as_str(), part(o))).collect()
}

/// A range for people.
pub(super) fn range_text(range: (i64, i64)) -> String {
    let (from, to) = range;
    if from == to {
        span_text(from)
    } else {
        format!("{} to {}", span_text(from), span_text(to))
    }
}

/// The outcomes of a policy for people: `search takes 10m to 30m`. Empty when it is for all.
pub(super) fn outcomes_text(story: &Story<'_>, policy: &NarrativePolicy) -> String {
    let part = |o: &stratagem_proto::v1::NarrativeOutcomes| {
        let range = (micros(o.lower.as_ref()), micros(o.upper.as_ref()));
        format!("{} takes {}", story.link(&o.link_id), range_text(range))
    };
    let parts: Vec<_> = policy.outcomes.iter().take(LINKS_MAX).map(part).collect();
    parts.join(", ")
}
