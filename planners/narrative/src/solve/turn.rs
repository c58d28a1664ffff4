//! Choices are made one after the other, as the story has them.
//!
//! What an option brings cannot happen before it is picked, and it is not picked before all earlier choices were made. Mostly
//! links say so; where they do not, the events of an option are put at or after the moments of the choices before.

use super::joint::{Joint, NOWHERE};
use super::orders::{Outcome, Question, orders};
use super::story::{Fork, Story, Tree};
use super::together::Kept;
use crate::plan::{Answer, Cost};
use crate::problem::{Chooser, Node};
use anytime::Control;
use stn::Edge;

/// The same policies, with no option before its turn; `None`: they cannot wait for their turns. That is no proof, as other
/// policies may.
pub(super) fn in_turn(
    story: &Story<'_>,
    kept: Kept,
    control: &mut Control<'_, Answer, Cost>,
) -> Option<Kept> {
    let more = later(story, &kept);
    if more.is_empty() {
        return Some(kept);
    }
    let mut joint: Joint = kept.joint.clone();
    joint.requirements.extend(more);
    let question = Question {
        story,
        skeletons: &kept.skeletons,
        joint: &joint,
    };
    match orders(&question, control) {
        Outcome::Found(orders, strategy) => Some(Kept {
            joint,
            orders,
            strategy,
            ..kept
        }),
        Outcome::Uncontrollable(_) | Outcome::Overloaded(_) => None,
        Outcome::TooLarge | Outcome::Stopped => Some(kept),
    }
}

/// By policy: the events of options at or after the moments of earlier choices, where no link says so.
fn later(story: &Story<'_>, kept: &Kept) -> Vec<Edge> {
    let mut edges = Vec::new();
    for (skeleton, place) in kept.skeletons.iter().zip(&kept.joint.place) {
        let line = skeleton.line;
        let picks = &story.narrative.storylines()[line];
        let mut before: Vec<Node> = Vec::new();
        for fork in forks(&story.tree, line) {
            let options = &story.narrative.spec().choices[fork.choice].options;
            let picked = picks[fork.choice].filter(|_| is_open(story, kept, fork));
            let picked = picked.map_or(&[][..], |pick| &options[pick]);
            for &event in picked.iter().filter(|event| place[**event] != NOWHERE) {
                let unsaid = before
                    .iter()
                    .filter(|earlier| !story.at_or_before(line, **earlier, event));
                edges.extend(unsaid.map(|earlier| Edge::new(place[event], place[*earlier], 0, 0)));
            }
            before.extend(awaited(story, fork));
        }
    }
    edges.sort_unstable_by_key(|edge| (edge.from, edge.to));
    edges.dedup_by_key(|edge| (edge.from, edge.to));
    edges
}

/// Whether policies differ in what is picked: what all of them have nobody waits for.
fn is_open(story: &Story<'_>, kept: &Kept, fork: &Fork) -> bool {
    let lines = kept.skeletons.iter().map(|skeleton| skeleton.line);
    let mut here = lines.filter(|line| fork.lines.contains(line));
    let pick = |line: usize| story.narrative.storylines()[line][fork.choice];
    let first = here.next().map(pick);
    here.any(|line| Some(pick(line)) != first)
}

/// The events of its moment that a choice waits for in any case: one of ours may come just before events of ours.
fn awaited(story: &Story<'_>, fork: &Fork) -> impl Iterator<Item = Node> {
    let links = &story.narrative.spec().contingent;
    let is_theirs = |node: Node| links.iter().any(|link| link.to == node);
    let (is_choice, is_players) = (fork.options.len() > 1, fork.chooser == Chooser::Player);
    let moment = fork.moment.iter().copied();
    moment.filter(move |node| is_choice && (is_players || is_theirs(*node)))
}

/// The choices of a storyline, in story order.
fn forks(tree: &Tree, line: usize) -> Vec<&Fork> {
    let mut forks = Vec::new();
    let mut at = Some(tree);
    while let Some(Tree::Fork(fork)) = at {
        forks.push(fork);
        let holds = |option: &&Tree| match option {
            Tree::Line(only) => *only == line,
            Tree::Fork(later) => later.lines.contains(&line),
        };
        at = fork.options.iter().find(holds);
    }
    forks
}
