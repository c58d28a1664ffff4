//! Where the story forks, and what is seen by then.

use super::Line;
use crate::problem::{Chooser, Narrative, Node};
use std::ops::Range;

/// What comes next in a story.
#[derive(Debug)]
pub(crate) enum Tree {
    /// No choice: the storyline with this index.
    Line(usize),
    /// A choice.
    Fork(Fork),
}

/// A choice, after those before it were made.
#[derive(Debug)]
pub(crate) struct Fork {
    pub(crate) choice: usize,
    pub(crate) chooser: Chooser,
    /// The storylines that are still possible.
    pub(crate) lines: Range<usize>,
    /// The moment of the choice: when all these events have happened.
    pub(crate) moment: Vec<Node>,
    /// Events, sorted, that have happened before it is made, and cannot depend on it: those without
    /// which an earlier choice cannot be made.
    pub(crate) past: Vec<Node>,
    /// Contingent links that it has seen, sorted.
    pub(crate) seen: Vec<usize>,
    /// Contingent links that have ended by then, sorted: also those that some later choice does not
    /// see.
    pub(crate) ended: Vec<usize>,
    /// What comes next, option by option.
    pub(crate) options: Vec<Tree>,
}

impl Tree {
    /// Whether some choice could know more than it may use, because a later one does not see it:
    /// then plans that are not looked for may do what those that are cannot.
    pub(crate) fn is_narrow(&self) -> bool {
        match self {
            Self::Line(_) => false,
            Self::Fork(fork) => {
                fork.seen.len() < fork.ended.len() || fork.options.iter().any(Self::is_narrow)
            }
        }
    }
}

/// The tree of forks of a narrative; its storylines are in lexicographic order. `None`: stopped by
/// `go_on`.
pub(super) fn tree(
    narrative: &Narrative,
    lines: &[Line],
    go_on: &mut dyn FnMut() -> bool,
) -> Option<Tree> {
    let mut read = Read {
        narrative,
        lines,
        go_on,
    };
    read.tree(0..lines.len(), 0, &[])
}

struct Read<'r> {
    narrative: &'r Narrative,
    lines: &'r [Line],
    go_on: &'r mut dyn FnMut() -> bool,
}

impl Read<'_> {
    /// All of `range` share what was picked before `choice`.
    fn tree(&mut self, range: Range<usize>, choice: usize, past: &[Node]) -> Option<Tree> {
        let storylines = self.narrative.storylines();
        let picks = &storylines[range.start];
        let Some(choice) = (choice..picks.len()).find(|choice| picks[*choice].is_some()) else {
            return Some(Tree::Line(range.start));
        };
        let moment = self.moment(&range, choice)?;
        let mut next = past.to_vec();
        if range
            .clone()
            .any(|line| storylines[line][choice] != picks[choice])
        {
            next.extend(self.awaited(&range, choice, &moment));
            next.sort_unstable();
            next.dedup();
        }
        let mut options = Vec::new();
        let mut begin = range.start;
        while begin < range.end {
            let pick = storylines[begin][choice];
            let rest = &storylines[begin..range.end];
            let count = rest.iter().take_while(|picks| picks[choice] == pick);
            let end = begin + count.count();
            options.push(self.tree(begin..end, choice + 1, &next)?);
            begin = end;
        }
        let ended = self.ended(&moment);
        let mut seen = ended.clone();
        for option in &options {
            if let Tree::Fork(later) = option {
                seen.retain(|link| later.seen.contains(link));
            }
        }
        Some(Tree::Fork(Fork {
            choice,
            chooser: self.narrative.spec().choices[choice].chooser,
            lines: range,
            moment,
            past: past.to_vec(),
            seen,
            ended,
            options,
        }))
    }

    fn moment(&mut self, range: &Range<usize>, choice: usize) -> Option<Vec<Node>> {
        let mut events: Vec<Node> = (1..self.narrative.nodes())
            .filter(|node| self.lines[range.clone()].iter().all(|l| l.present[*node]))
            .collect();
        for line in range.clone() {
            if !(self.go_on)() {
                return None;
            }
            let pick = self.narrative.storylines()[line][choice];
            let options = &self.narrative.spec().choices[choice].options;
            let chosen = pick.map_or(&[][..], |pick| &options[pick]);
            let line = &self.lines[line];
            let chosen = chosen.iter().filter(|node| line.present[**node]);
            for &node in chosen {
                events.retain(|event| line.at_or_before(*event, node));
            }
        }
        Some(events)
    }

    /// The events of a moment without which the choice cannot be made: where a player picks all of
    /// them, and where we do those that are sure to be at or before one that others end. We may
    /// pick just before what is ours alone.
    fn awaited(&self, range: &Range<usize>, choice: usize, moment: &[Node]) -> Vec<Node> {
        let spec = self.narrative.spec();
        if spec.choices[choice].chooser == Chooser::Player {
            return moment.to_vec();
        }
        let ends = |node: &Node| spec.contingent.iter().any(|link| link.to == *node);
        let ends: Vec<Node> = moment.iter().copied().filter(ends).collect();
        let lines = &self.lines[range.clone()];
        let is_before =
            |node: Node, end: Node| lines.iter().all(|line| line.at_or_before(node, end));
        let moment = moment.iter().copied();
        let awaited = moment.filter(|node| ends.iter().any(|end| is_before(*node, *end)));
        awaited.collect()
    }

    fn ended(&self, moment: &[Node]) -> Vec<usize> {
        let links = self.narrative.spec().contingent.iter().enumerate();
        let ended = links.filter(|(_, link)| moment.contains(&link.to));
        ended.map(|(index, _)| index).collect()
    }
}
