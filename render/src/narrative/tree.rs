//! A story as a graph from top to bottom: events, choices and their options.

use super::forks::Precedence;
use super::story::{Story, choice_label, chooser, option_label};
use crate::links::ids_of;
use crate::time::{bounds_text, micros};
use prost_types::Duration;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Events, options and choices of a picture.
const NODES_MAX: usize = 1_000;
/// Choices of a picture, twice what the contract allows.
const CHOICES_MAX: usize = 64;
/// Links of a picture.
const EDGES_MAX: usize = 2_000;

/// What a box stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// When the story begins.
    Origin,
    /// An event of ours.
    Ours,
    /// The end of a duration that players pick.
    Players,
    /// A choice that we make.
    OurChoice,
    /// A choice that players make.
    PlayersChoice,
    /// What may be picked.
    Option,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Node<'a> {
    pub(super) kind: Kind,
    /// Empty for options.
    pub(super) id: &'a str,
    pub(super) label: String,
    pub(super) tip: String,
    /// Steps from the beginning.
    pub(super) rank: usize,
}

/// What a line stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Look {
    /// The first comes before the second.
    Before,
    /// Either may come first.
    Any,
    /// Players pick how long.
    Contingent,
    /// How the story forks.
    Fork,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Edge {
    pub(super) ends: (usize, usize),
    pub(super) look: Look,
    /// Bounds for people.
    pub(super) label: String,
    pub(super) tip: String,
    /// Id of the link without group, empty for forks.
    pub(super) id: String,
}

/// The story of one group.
pub(super) struct Tree<'a> {
    pub(super) nodes: Vec<Node<'a>>,
    pub(super) edges: Vec<Edge>,
    events: BTreeMap<&'a str, usize>,
    /// For each choice its box.
    pub(super) choices: Vec<usize>,
    /// For each option its box, choice and events.
    options: Vec<(usize, usize, BTreeSet<usize>)>,
}

impl<'a> Tree<'a> {
    pub(super) fn new(story: &Story<'a>) -> Self {
        let mut tree = Self {
            nodes: Vec::new(),
            edges: Vec::new(),
            events: BTreeMap::new(),
            choices: Vec::new(),
            options: Vec::new(),
        };
        tree.add_events(story);
        tree.add_choices(story);
        let before = Precedence::new(story).before_choices(story);
        let before: Vec<BTreeSet<usize>> = before
            .iter()
            .map(|b| {
                b.iter()
                    .filter_map(|e| tree.events.get(e).copied())
                    .collect()
            })
            .collect();
        tree.add_links(story, &before);
        tree.add_forks(&before);
        tree.set_ranks();
        tree
    }

    fn push(&mut self, kind: Kind, id: &'a str, label: &str, tip: String) -> usize {
        self.nodes.push(Node {
            kind,
            id,
            label: label.to_owned(),
            tip,
            rank: 0,
        });
        self.nodes.len() - 1
    }

    fn add_events(&mut self, story: &Story<'a>) {
        let origin = self.push(Kind::Origin, story.origin, story.origin, "time 0".into());
        self.events.insert(story.origin, origin);
        let ends = story.problem.contingent_links.iter();
        let ends: BTreeSet<_> = ends.map(|c| c.to_event_id.as_str()).collect();
        for event in story.problem.events.iter().take(NODES_MAX) {
            if self.events.contains_key(event.id.as_str()) {
                continue;
            }
            let (kind, whose) = if ends.contains(event.id.as_str()) {
                (Kind::Players, "players make it happen")
            } else {
                (Kind::Ours, "we make it happen")
            };
            let label = match event.label.as_str() {
                "" => &event.id,
                label => label,
            };
            let node = self.push(kind, &event.id, label, format!("{}: {whose}", event.id));
            self.events.insert(&event.id, node);
        }
    }

    fn add_choices(&mut self, story: &Story<'a>) {
        let choices = story.problem.choices.iter().take(CHOICES_MAX);
        for (n, choice) in choices.enumerate() {
            let kind = match chooser(choice) {
                "players choose" => Kind::PlayersChoice,
                _ => Kind::OurChoice,
            };
            let label = choice_label(choice);
            let tip = format!("{}: {}", choice.id, chooser(choice));
            let node = self.push(kind, &choice.id, label, tip);
            self.choices.push(node);
            for option in &choice.options {
                if self.nodes.len() > 2 * NODES_MAX {
                    break;
                }
                let label = option_label(option);
                let tip = format!("{}: option of {}", option.id, choice.id);
                let node = self.push(Kind::Option, "", &label, tip);
                let events = option.event_ids.iter().take(NODES_MAX);
                let events = events.filter_map(|e| self.events.get(e.as_str()).copied());
                let events = events.collect();
                self.options.push((node, n, events));
            }
        }
    }

    fn add_links(&mut self, story: &Story<'a>, before: &[BTreeSet<usize>]) {
        let problem = story.problem;
        let ids = ids_of(&problem.links, &problem.contingent_links);
        let required = problem.links.iter().zip(ids.requirements);
        let required = required.map(|(l, id)| {
            let (bounds, look) = turned(l.lower.as_ref(), l.upper.as_ref());
            let ends = [l.from_event_id.as_str(), l.to_event_id.as_str()];
            (ends, (bounds, look), id)
        });
        let contingent = problem.contingent_links.iter().zip(ids.contingent);
        let contingent = contingent.map(|(l, id)| {
            let bounds = Bounds {
                range: (
                    Some(micros(l.lower.as_ref())),
                    Some(micros(l.upper.as_ref())),
                ),
                swapped: false,
            };
            let ends = [l.from_event_id.as_str(), l.to_event_id.as_str()];
            (ends, (bounds, Look::Contingent), id)
        });
        for ([from, to], (bounds, look), id) in contingent.chain(required).take(EDGES_MAX) {
            let ends = (self.events.get(from), self.events.get(to));
            let (Some(a), Some(b)) = ends else { continue };
            let (a, b) = if bounds.swapped { (*b, *a) } else { (*a, *b) };
            if a == b {
                continue;
            }
            let label = bounds_text(bounds.range.0, bounds.range.1);
            let tip = format!(
                "{id}: {} to {}, {label}",
                self.nodes[a].id, self.nodes[b].id
            );
            let ends = match look {
                Look::Any => (a, b),
                _ => (self.rerouted(before, a, b), b),
            };
            self.edges.push(Edge {
                ends,
                look,
                label,
                tip,
                id,
            });
        }
    }

    /// Where the line of a link begins: at the option that it leads into, or else where it does.
    fn rerouted(&self, before: &[BTreeSet<usize>], a: usize, b: usize) -> usize {
        let into =
            |o: &&(usize, usize, BTreeSet<usize>)| o.2.contains(&b) && before[o.1].contains(&a);
        let option = self.options.iter().rev().find(into);
        option.map_or(a, |o| o.0)
    }

    fn fork(&mut self, from: usize, to: usize) {
        self.edges.push(Edge {
            ends: (from, to),
            look: Look::Fork,
            label: String::new(),
            tip: String::new(),
            id: String::new(),
        });
    }

    fn add_forks(&mut self, before: &[BTreeSet<usize>]) {
        for (n, choice) in self.choices.clone().into_iter().enumerate() {
            let own = self.options.iter().filter(|o| o.1 == n);
            let events: BTreeSet<usize> = own.flat_map(|o| o.2.iter().copied()).collect();
            let outer = self.options.iter().rev();
            let mut outer = outer.filter(|o| o.1 != n && !events.is_empty());
            let outer = outer.find(|o| events.is_subset(&o.2) && o.2.is_disjoint(&before[n]));
            if let Some(outer) = outer.map(|o| o.0) {
                self.fork(outer, choice);
                continue;
            }
            let last = last(&self.edges, &before[n]);
            if last.is_empty() {
                self.fork(0, choice);
            }
            for event in last {
                self.fork(event, choice);
            }
        }
        let mut into: Vec<Vec<usize>> = vec![Vec::new(); self.nodes.len()];
        for edge in self.edges.iter().filter(|e| e.look != Look::Any) {
            into[edge.ends.1].push(edge.ends.0);
        }
        for (option, choice, events) in self.options.clone() {
            self.fork(self.choices[choice], option);
            for event in &events {
                let leads =
                    |from: &usize| events.contains(from) || self.nodes[*from].kind == Kind::Option;
                if !into[*event].iter().any(leads) {
                    self.fork(option, *event);
                }
            }
        }
    }

    /// Longest ways from the beginning; cycles are cut somewhere.
    fn set_ranks(&mut self) {
        let mut next: Vec<Vec<usize>> = vec![Vec::new(); self.nodes.len()];
        let mut missing = vec![0_usize; self.nodes.len()];
        for edge in self.edges.iter().filter(|e| e.look != Look::Any) {
            next[edge.ends.0].push(edge.ends.1);
            missing[edge.ends.1] += 1;
        }
        let mut done = vec![false; self.nodes.len()];
        let ready = (0..self.nodes.len()).filter(|i| missing[*i] == 0);
        let mut queue: VecDeque<usize> = ready.collect();
        let mut first_open = 0;
        loop {
            let Some(i) = queue.pop_front() else {
                // What is left is in cycles, or comes after one.
                while first_open < done.len() && done[first_open] {
                    first_open += 1;
                }
                if first_open == done.len() {
                    break;
                }
                queue.push_back(first_open);
                continue;
            };
            if std::mem::replace(&mut done[i], true) {
                continue;
            }
            for to in std::mem::take(&mut next[i]) {
                missing[to] = missing[to].saturating_sub(1);
                if !done[to] {
                    self.nodes[to].rank = self.nodes[to].rank.max(self.nodes[i].rank + 1);
                    if missing[to] == 0 {
                        queue.push_back(to);
                    }
                }
            }
        }
    }
}

/// Those of a set that lead to no other of it.
fn last(edges: &[Edge], set: &BTreeSet<usize>) -> Vec<usize> {
    let inside = edges
        .iter()
        .filter(|e| e.look != Look::Any && set.contains(&e.ends.1));
    let leading: BTreeSet<usize> = inside.map(|e| e.ends.0).collect();
    set.difference(&leading).copied().collect()
}

/// Bounds in microseconds.
struct Bounds {
    range: (Option<i64>, Option<i64>),
    /// Whether they are from the second event to the first.
    swapped: bool,
}

/// Bounds from the event that comes first, where that is known.
fn turned(lower: Option<&Duration>, upper: Option<&Duration>) -> (Bounds, Look) {
    let bound = |d: Option<&Duration>| d.map(|d| micros(Some(d)));
    let (lower, upper) = (bound(lower), bound(upper));
    let before = lower.is_some_and(|l| l >= 0);
    let swapped = !before && upper.is_some_and(|u| u <= 0);
    let range = if swapped {
        (
            upper.map(i64::saturating_neg),
            lower.map(i64::saturating_neg),
        )
    } else {
        (lower, upper)
    };
    let look = if before || swapped {
        Look::Before
    } else {
        Look::Any
    };
    (Bounds { range, swapped }, look)
}
