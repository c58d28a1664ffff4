//! Storylines that are used, and those that are switched off.

use super::program::{Id, Program, Sum};
use crate::problem::Chooser;
use crate::solve::story::Tree;

/// Makes a switch for each storyline of a tree: one option of each choice of ours is used, all of
/// players.
pub(super) fn add_indicators(
    program: &mut Program,
    tree: &Tree,
    found: Option<Id>,
    part: &mut dyn FnMut(usize, Option<Id>),
) {
    let fork = match tree {
        Tree::Line(line) => return part(*line, found),
        Tree::Fork(fork) => fork,
    };
    if fork.chooser == Chooser::Player || fork.options.len() == 1 {
        for option in &fork.options {
            add_indicators(program, option, found, part);
        }
        return;
    }
    let names: Vec<Id> = fork.options.iter().map(|_| program.binary()).collect();
    let sum = names.iter().fold(Sum::default(), |sum, name| sum + *name);
    let parent = found.map_or(Sum::from(1), Sum::from);
    program.require(&[], parent.clone() - sum.clone());
    program.require(&[], sum - parent);
    for (option, name) in fork.options.iter().zip(names) {
        add_indicators(program, option, Some(name), part);
    }
}
