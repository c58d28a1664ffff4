//! A closure along a search, compared with the closure of the same edges.

use crate::certain::judge::{is_consistent, judge_conflict, networks};
use proptest::prelude::*;
use stn::{Closure, Edge, TrailedClosure};

/// A step of a search.
#[derive(Debug, Clone, Copy)]
enum Step {
    Add(usize),
    Push,
    /// To a level that is the number modulo one more than the present level.
    Back(usize),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        6 => any::<usize>().prop_map(Step::Add),
        2 => Just(Step::Push),
        1 => any::<usize>().prop_map(Step::Back),
    ];
    proptest::collection::vec(step, 0..80)
}

/// Adds an edge, and checks which bounds are reported as tightened. Returns whether it was
/// accepted.
fn add(trailed: &mut TrailedClosure, edge: Edge, given: &[Edge]) -> bool {
    let before = trailed.closure().clone();
    let nodes = before.nodes();
    let answer = trailed.add(edge);
    let pairs = (0..nodes).flat_map(|i| (0..nodes).map(move |j| (i, j)));
    let changed = pairs.filter(|&(i, j)| before.get(i, j) != trailed.closure().get(i, j));
    assert!(changed.eq(trailed.tightened()));
    assert_eq!(answer == Ok(true), trailed.tightened().next().is_some());
    if let Err(refusal) = &answer {
        let conflict = refusal.conflict().unwrap();
        judge_conflict(nodes, given, conflict);
        assert!(conflict.edges().contains(&edge));
    }
    answer.is_ok()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn a_search_knows_at_every_step_what_its_edges_imply(
        (nodes, edges) in networks(), steps in steps(),
    ) {
        let mut trailed = TrailedClosure::new(Closure::new(nodes, &[]).unwrap());
        // The same search as a stack of lists.
        let mut model: Vec<Vec<Edge>> = vec![Vec::new()];
        for step in steps {
            match step {
                Step::Add(pick) if !edges.is_empty() => {
                    let edge = edges[pick % edges.len()];
                    let list = model.last_mut().unwrap();
                    list.push(edge);
                    let accepted = add(&mut trailed, edge, list);
                    prop_assert_eq!(accepted, is_consistent(nodes, list));
                    if !accepted {
                        list.pop();
                    }
                }
                Step::Add(_) => {}
                Step::Push => {
                    model.push(model.last().unwrap().clone());
                    trailed.push_level();
                }
                Step::Back(pick) => {
                    let level = pick % model.len();
                    model.truncate(level + 1);
                    trailed.backtrack(level);
                }
            }
            prop_assert_eq!(trailed.level() + 1, model.len());
            let from_scratch = Closure::new(nodes, model.last().unwrap());
            prop_assert_eq!(Ok(trailed.closure()), from_scratch.as_ref());
        }
    }
}
