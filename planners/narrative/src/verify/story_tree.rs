//! The tree of choices: their moments, and the contingent links seen by then.

use super::network::{presence, storyline};
use crate::problem::{Chooser, Narrative, Node, ORIGIN, Picks};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;
use stn::check::Closure;

/// A set of nodes, or of contingent links.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Set(Vec<u64>);

impl Set {
    pub(super) fn empty(size: usize) -> Self {
        Self(vec![0; size.div_ceil(64)])
    }

    pub(super) fn full(size: usize) -> Self {
        let mut set = Self::empty(size);
        for member in 0..size {
            set.insert(member);
        }
        set
    }

    pub(super) fn insert(&mut self, member: usize) {
        self.0[member / 64] |= 1 << (member % 64);
    }

    pub(super) fn remove(&mut self, member: usize) {
        self.0[member / 64] &= !(1 << (member % 64));
    }

    pub(super) fn holds(&self, member: usize) -> bool {
        self.0[member / 64] >> (member % 64) & 1 == 1
    }

    /// Keeps what is in both.
    pub(super) fn keep(&mut self, other: &Self) {
        for (mine, other) in self.0.iter_mut().zip(&other.0) {
            *mine &= other;
        }
    }

    /// Puts in what is in the other.
    pub(super) fn add(&mut self, other: &Self) {
        for (mine, other) in self.0.iter_mut().zip(&other.0) {
            *mine |= other;
        }
    }

    /// The last member that the other, of the same size, does not hold.
    pub(super) fn last_not_in(&self, other: &Self) -> Option<usize> {
        let mut words = self.0.iter().zip(&other.0).enumerate().rev();
        words.find_map(|(at, (mine, other))| {
            let left = (mine & !other).checked_ilog2()?;
            Some(64 * at + left as usize)
        })
    }

    pub(super) fn members(&self) -> impl Iterator<Item = usize> {
        (0..self.0.len() * 64).filter(|member| self.holds(*member))
    }
}

/// A choice that comes up after some picks, and its moment.
#[derive(Debug, Clone)]
pub(crate) struct Moment {
    /// All of these have happened.
    pub(super) events: Set,
    /// Contingent links that are seen.
    pub(super) seen: Set,
    /// What has happened before, and does not depend on what is picked: all that earlier choices
    /// cannot do without.
    pub(super) past: Set,
}

/// By the picks before it, for each choice that comes up.
pub(crate) type Moments = BTreeMap<Picks, Moment>;

/// The storylines as a tree of picks, in lexicographic order.
pub(crate) struct StoryTree<'a> {
    pub(crate) narrative: &'a Narrative,
    /// For each storyline and node the nodes that are sure to happen at or after it.
    after: Vec<Vec<Set>>,
    moments: Arc<Moments>,
    /// Whether to go on with the check; never yes after a no.
    pub(super) go_on: &'a dyn Fn() -> bool,
}

impl<'a> StoryTree<'a> {
    pub(super) fn new(narrative: &'a Narrative) -> Self {
        Self::until(narrative, &|| true).expect("nothing stops it")
    }

    /// The same for a check that is not finished once `go_on` returns false. The result is invalid
    /// then. `None`: it did.
    pub(super) fn until(narrative: &'a Narrative, go_on: &'a dyn Fn() -> bool) -> Option<Self> {
        let mut story = Self {
            narrative,
            after: Vec::new(),
            moments: Arc::default(),
            go_on,
        };
        // Without a choice nobody asks who comes first.
        if !narrative.spec().choices.is_empty() {
            for picks in narrative.storylines() {
                if !go_on() {
                    return None;
                }
                story.after.push(after(narrative, go_on, picks));
            }
            let all = 0..narrative.storylines().len();
            story.explore(all, 0, &Set::empty(narrative.nodes()))?;
        }
        Some(story)
    }

    /// A story whose moments are known, to go through its choices.
    pub(crate) fn of_moments(narrative: &'a Narrative, moments: &Arc<Moments>) -> Self {
        Self {
            narrative,
            after: Vec::new(),
            moments: Arc::clone(moments),
            go_on: &|| true,
        }
    }

    /// The moments of all choices.
    pub(crate) fn moments(&self) -> &Arc<Moments> {
        &self.moments
    }

    /// Whether to go on with the check.
    pub(super) fn goes_on(&self) -> bool {
        (self.go_on)()
    }

    /// The storyline with these picks, if there is one.
    pub(super) fn storyline(&self, picks: &Picks) -> Option<usize> {
        self.narrative.storylines().binary_search(picks).ok()
    }

    /// The nodes that a storyline is sure to put at or after all of these nodes.
    pub(super) fn after_all(&self, storyline: usize, nodes: impl Iterator<Item = Node>) -> Set {
        let mut after = Set::full(self.narrative.nodes());
        for node in nodes {
            after.keep(&self.after[storyline][node]);
        }
        after
    }

    /// The moment of the choice that comes next after these picks; `None`: there is nothing to
    /// choose.
    pub(crate) fn moment(&self, picks: &[Option<usize>]) -> Option<&Moment> {
        self.moments.get(picks)
    }

    /// Who makes the choice that comes next after these picks.
    pub(crate) fn chooser(&self, picks: &[Option<usize>]) -> Chooser {
        self.narrative.spec().choices[picks.len()].chooser
    }

    /// What can be picked after these picks, none where there is nothing to choose.
    pub(crate) fn options(&self, picks: &[Option<usize>]) -> Vec<Option<usize>> {
        let storylines = self.narrative.storylines().iter();
        let here = storylines.filter(|line| line.starts_with(picks));
        let mut options: Vec<_> = here
            .filter_map(|line| line.get(picks.len()).copied())
            .collect();
        options.dedup();
        options
    }

    /// Notes the moments of all choices from one on, among storylines that agree until then.
    /// `past`: what earlier choices cannot do without. Returns the contingent links that are seen
    /// by all choices from there on; `None`: stopped.
    fn explore(&mut self, lines: Range<usize>, choice: usize, past: &Set) -> Option<Set> {
        let spec = self.narrative.spec();
        if choice == spec.choices.len() {
            return Some(Set::full(spec.contingent.len()));
        }
        if !self.goes_on() {
            return None;
        }
        let pick = |line: usize| self.narrative.storylines()[line][choice];
        let mut parts = Vec::new();
        let mut start = lines.start;
        for line in lines.clone() {
            if line + 1 == lines.end || pick(line + 1) != pick(line) {
                parts.push(start..line + 1);
                start = line + 1;
            }
        }
        let events = pick(lines.start).is_some();
        let events = events.then(|| self.happened(lines.clone(), choice));
        let mut then = past.clone();
        if let Some(events) = events.as_ref().filter(|_| parts.len() > 1) {
            then.add(&self.needed(lines.clone(), choice, events));
        }
        let mut seen = Set::full(spec.contingent.len());
        for part in parts {
            seen.keep(&self.explore(part, choice + 1, &then)?);
        }
        if let Some(events) = events {
            for (contingent, link) in spec.contingent.iter().enumerate() {
                if !events.holds(link.to) {
                    seen.remove(contingent);
                }
            }
            let before = self.narrative.storylines()[lines.start][..choice].to_vec();
            let moment = Moment {
                events,
                seen: seen.clone(),
                past: past.clone(),
            };
            Arc::make_mut(&mut self.moments).insert(before, moment);
        }
        Some(seen)
    }

    /// The events of its moment that a choice needs: all of them for a player; for the system only
    /// those that all these storylines put at or before the end of some contingent link of the
    /// moment.
    fn needed(&self, lines: Range<usize>, choice: usize, events: &Set) -> Set {
        let spec = self.narrative.spec();
        if spec.choices[choice].chooser == Chooser::Player {
            return events.clone();
        }
        let mut needed = Set::empty(self.narrative.nodes());
        for end in spec.contingent.iter().map(|link| link.to) {
            if !events.holds(end) {
                continue;
            }
            let before = |node: &Node| lines.clone().all(|line| self.after[line][*node].holds(end));
            for node in events.members().filter(before) {
                needed.insert(node);
            }
        }
        needed
    }

    /// The events that have all happened when a choice is made among these storylines.
    fn happened(&self, lines: Range<usize>, choice: usize) -> Set {
        let mut events = Set::full(self.narrative.nodes());
        for line in lines {
            let picks = &self.narrative.storylines()[line];
            let present = presence(self.narrative, picks);
            let option = picks[choice].map(|option| {
                let given = &self.narrative.spec().choices[choice].options[option];
                given.iter().copied().filter(|node| present[*node])
            });
            let option: Vec<Node> = option.into_iter().flatten().collect();
            let mut here = Set::empty(self.narrative.nodes());
            for node in (ORIGIN..self.narrative.nodes()).filter(|node| present[*node]) {
                let after = &self.after[line][node];
                if option.iter().all(|event| after.holds(*event)) {
                    here.insert(node);
                }
            }
            events.keep(&here);
        }
        events
    }
}

/// For each node of a storyline the nodes that are sure to happen at or after it: all of them where
/// the storyline is infeasible.
fn after(narrative: &Narrative, go_on: &dyn Fn() -> bool, picks: &[Option<usize>]) -> Vec<Set> {
    let closure = Closure::new(&storyline(narrative, picks), go_on);
    let nodes = narrative.nodes();
    let Some(closure) = closure else {
        return vec![Set::full(nodes); nodes];
    };
    let row = |first| {
        let mut row = Set::empty(nodes);
        for second in 0..nodes {
            if closure.precedes(first, second) {
                row.insert(second);
            }
        }
        row
    };
    (0..nodes).map(row).collect()
}
