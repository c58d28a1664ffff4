//! All policies of a plan as one tree: what is picked or seen, and what is different from then on.

use super::bars::{drawn, keys};
use super::coverage::outcomes_text;
use super::gantt::{Bar, Gantt, Kind};
use super::story::{Story, choice_label, chooser, in_group};
use super::strands;
use crate::scene::{Chart, Row as ChartRow};
use crate::time::span_text;
use std::collections::BTreeMap;
use stratagem_proto::v1::{NarrativePlan, NarrativePolicy};

/// Rows of a picture: more are only counted.
const ROWS_MAX: usize = 120;
/// Policies that are looked at: as many as the contract allows.
const POLICIES_MAX: usize = 1_024;
/// Bars of all policies that are looked at.
const BARS_MAX: usize = 40_000;

/// What comes after a pick, or after what was seen.
#[derive(Debug)]
pub(super) struct Row {
    /// Row that it comes after; none for the first of a tree.
    pub(super) parent: Option<usize>,
    pub(super) depth: usize,
    pub(super) label: String,
    pub(super) tip: String,
    /// What all policies from here on have in common, and did not before.
    pub(super) bars: Vec<Bar>,
    /// The row after which it goes on in the same way.
    pub(super) as_after: Option<usize>,
    /// The policies from here on.
    pub(super) policies: usize,
}

/// The tree, row by row: what comes after a row stands below it. One for each group where each has
/// policies of its own.
#[derive(Debug, Default)]
pub(super) struct Decisions {
    pub(super) rows: Vec<Row>,
    /// First and last moment.
    pub(super) horizon: (i64, i64),
    /// Rows that were left out, and policies that were not looked at.
    pub(super) left_out: usize,
}

/// A policy and its bars.
struct Shown<'a> {
    policy: &'a NarrativePolicy,
    bars: Vec<Bar>,
}

/// A row with those below it.
struct Part {
    label: String,
    tip: String,
    bars: Vec<Bar>,
    policies: usize,
    below: Vec<Part>,
}

impl Decisions {
    pub(super) fn new(story: &Story<'_>, plan: &NarrativePlan) -> Self {
        let mut shown: Vec<Shown<'_>> = Vec::new();
        let mut bars = 0;
        for policy in plan.policies.iter().take(POLICIES_MAX) {
            let gantt = Gantt::new(story, policy);
            let own = bars_of(story, &gantt);
            bars += own.len();
            if bars > BARS_MAX {
                break;
            }
            shown.push(Shown { policy, bars: own });
        }
        let mut tree = Self {
            left_out: plan.policies.len() - shown.len(),
            ..Self::default()
        };
        if shown.is_empty() {
            return tree;
        }
        let all = || shown.iter().flat_map(|one| &one.bars);
        let from_us = all().map(|b| b.whole.0).min().unwrap_or(0).min(0);
        let to_us = all().map(|b| b.whole.1).max().unwrap_or(0).max(from_us);
        tree.horizon = (from_us, to_us);
        let shown: Vec<&Shown<'_>> = shown.iter().collect();
        let mut known = BTreeMap::new();
        for (group, shown) in roots(story, plan, &shown) {
            let first = in_group("whatever happens", group);
            let whole = part(story, first, String::new(), &shown, &[]);
            tree.add(&whole, None, &mut known);
        }
        tree
    }

    /// The tree as a chart: in front of each row its number.
    pub(super) fn chart(&self) -> Chart {
        let rows = self.rows.iter().enumerate().map(|(n, row)| {
            let mut name = format!("{} {}", n + 1, row.label);
            if row.parent.is_none() && row.policies > 1 {
                name += &format!(" ({} storylines)", row.policies);
            }
            if let Some(other) = row.as_after {
                name += &format!(", then as after {}", other + 1);
            }
            ChartRow {
                name,
                tip: row.tip.clone(),
                band: if n % 2 == 0 { "#f7f7f7" } else { "#fff" },
                parent: row.parent,
                depth: row.depth,
                bars: row.bars.iter().map(drawn).collect(),
                ..ChartRow::default()
            }
        });
        let bars = || self.rows.iter().flat_map(|row| &row.bars);
        let end = span_text(self.horizon.1);
        let note = "each row: what differs from the rows that it comes after";
        Chart {
            rows: rows.collect(),
            horizon: self.horizon,
            keys: keys(&|kind| bars().any(|bar| bar.kind == kind)),
            notes: vec![format!("{note}; ends by {end}")],
            empty: "no storylines",
            more: (self.left_out, "branches"),
            ..Chart::default()
        }
    }

    /// Adds a row and those below it. `known`: what was below rows so far.
    fn add(&mut self, part: &Part, parent: Option<usize>, known: &mut BTreeMap<String, usize>) {
        if self.rows.len() == ROWS_MAX {
            self.left_out += 1;
            return;
        }
        let row = self.rows.len();
        let below = part.below.iter().map(signature).collect::<String>();
        let as_after = known.get(&below).copied();
        self.rows.push(Row {
            parent,
            depth: parent.map_or(0, |parent| self.rows[parent].depth + 1),
            label: part.label.clone(),
            tip: part.tip.clone(),
            bars: part.bars.clone(),
            as_after,
            policies: part.policies,
        });
        if as_after.is_some() || below.is_empty() {
            return;
        }
        known.insert(below, row);
        for part in &part.below {
            self.add(part, Some(row), known);
        }
    }
}

/// All policies; of a plan by strands those of each group, by its id.
fn roots<'t, 'a>(
    story: &Story<'_>,
    plan: &NarrativePlan,
    shown: &[&'t Shown<'a>],
) -> Vec<(Option<&'a str>, Vec<&'t Shown<'a>>)> {
    if !strands::is_by_strands(story.problem, plan) {
        return vec![(None, shown.to_vec())];
    }
    let mut roots: Vec<(Option<&str>, Vec<&Shown<'_>>)> = Vec::new();
    for one in shown {
        let group = strands::groups(one.policy).first().copied();
        match roots.last_mut() {
            Some((known, shown)) if *known == group => shown.push(one),
            _ => roots.push((group, vec![one])),
        }
    }
    roots
}

/// The bars of groups in a policy. Their resources are only in the pictures of single policies.
fn bars_of(story: &Story<'_>, gantt: &Gantt) -> Vec<Bar> {
    let rows = gantt.rows.iter().filter(|row| row.players);
    let bars = rows.flat_map(|row| &row.bars);
    let bars = bars.filter(|bar| bar.kind != Kind::Choice);
    let several = story.groups.len() > 1;
    let named = bars.map(|bar| Bar {
        whose: if several {
            format!(" ({})", story.groups[bar.group].id)
        } else {
            String::new()
        },
        ..bar.clone()
    });
    named.collect()
}

/// The tree of some policies that agree so far; `known`: bars that are drawn above.
fn part(
    story: &Story<'_>,
    label: String,
    tip: String,
    shown: &[&Shown<'_>],
    known: &[Bar],
) -> Part {
    let common = shown[0].bars.iter().filter(|bar| {
        let mut others = shown[1..].iter();
        others.all(|other| other.bars.contains(bar))
    });
    let bars: Vec<Bar> = common.filter(|bar| !known.contains(bar)).cloned().collect();
    let known = [known, &bars].concat();
    let below = groups(story, shown);
    let below = below
        .into_iter()
        .map(|((label, tip), shown)| part(story, label, tip, &shown, &known));
    Part {
        label,
        tip,
        policies: shown.len(),
        below: below.collect(),
        bars,
    }
}

/// The label and tip of some policies, and which they are.
type Group<'t, 'a> = ((String, String), Vec<&'t Shown<'a>>);

/// Policies by the first pick in which they differ; by outcomes where none does. None for one
/// policy.
fn groups<'t, 'a>(story: &Story<'_>, shown: &[&'t Shown<'a>]) -> Vec<Group<'t, 'a>> {
    let longest = shown.iter().map(|one| one.policy.picks.len()).max();
    let pick = |one: &Shown<'a>, at: usize| one.policy.picks.get(at).cloned();
    let differ = (0..longest.unwrap_or(0)).find(|at| {
        shown
            .iter()
            .any(|one| pick(one, *at) != pick(shown[0], *at))
    });
    let mut groups: Vec<Group<'t, 'a>> = Vec::new();
    let Some(at) = differ else {
        if shown.len() > 1 {
            let each = shown.iter().map(|one| {
                let label = outcomes_text(story, one.policy);
                ((label, String::new()), vec![*one])
            });
            groups.extend(each);
        }
        return groups;
    };
    for one in shown {
        let same = |group: &&mut Group<'t, 'a>| pick(group.1[0], at) == pick(one, at);
        match groups.iter_mut().find(same) {
            Some(group) => group.1.push(one),
            None => groups.push((said(story, one.policy, at), vec![one])),
        }
    }
    // Where we pick by what was seen, that is why.
    for ((label, _), group) in &mut groups {
        let outcomes = outcomes_text(story, group[0].policy);
        let alike = group
            .iter()
            .all(|one| outcomes_text(story, one.policy) == outcomes);
        let new = shown
            .iter()
            .any(|one| outcomes_text(story, one.policy) != outcomes);
        if alike && new && !outcomes.is_empty() {
            *label = format!("{label}: {outcomes}");
        }
    }
    groups
}

/// A pick for people.
fn said(story: &Story<'_>, policy: &NarrativePolicy, at: usize) -> (String, String) {
    let Some(pick) = policy.picks.get(at) else {
        return ("no choice".into(), String::new());
    };
    let tip = story.choice(&pick.choice_id).map(|choice| {
        let (label, who) = (choice_label(choice), chooser(choice));
        format!("{label}: {who}")
    });
    (story.option(pick), tip.unwrap_or_default())
}

/// All that is drawn of a part: what has the same one looks the same.
fn signature(part: &Part) -> String {
    let mut text = format!("<{}", part.label);
    for bar in &part.bars {
        text += &format!("|{}{}{:?}{:?}", bar.label, bar.whose, bar.whole, bar.sure);
    }
    part.below
        .iter()
        .for_each(|below| text += &signature(below));
    text.push('>');
    text
}
