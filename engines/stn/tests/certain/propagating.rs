//! The incremental theory against the same edges all at once.

use crate::instances::hidden_solution;
use crate::judge::{distances, is_consistent, judge_conflict, networks};
use proptest::prelude::*;
use stn::{
    Closure, Edge, InputError, NODES_MAX, Propagator, Refusal, TIME_MAX, TrailedClosure, cycle_sum,
};

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

/// Checks everything a theory says against the definitions.
fn judge(theory: &mut Propagator, origin: usize, probes: &[Edge]) {
    let (nodes, edges) = (theory.nodes(), theory.edges().to_vec());
    let time = theory.times();
    let apart = |e: &Edge| i128::from(time[e.to as usize]) - i128::from(time[e.from as usize]);
    assert!(edges.iter().all(|e| apart(e) <= i128::from(e.weight)));
    let closure = Closure::new(nodes, &edges).unwrap();
    for node in 0..nodes {
        assert_eq!(theory.latest(node), closure.get(origin, node));
        assert_eq!(
            theory.earliest(node).map(|time| -time),
            closure.get(node, origin)
        );
        judge_path(
            &edges,
            theory.why_latest(node),
            (origin, node),
            theory.latest(node),
        );
        let length = theory.earliest(node).map(|time| -time);
        judge_path(&edges, theory.why_earliest(node), (node, origin), length);
    }
    for &probe in probes {
        let (tail, head) = (probe.from as usize, probe.to as usize);
        let back = closure.get(head, tail);
        let refuted = back.is_some_and(|back| back + probe.weight < 0);
        assert_eq!(theory.refutes(probe), Ok(refuted));
        assert_eq!(theory.probe(probe).is_err(), refuted);
        let entailed = closure
            .get(tail, head)
            .is_some_and(|bound| bound <= probe.weight);
        assert_eq!(theory.entails(probe), Ok(entailed));
        let reason = theory.why_entailed(probe).unwrap();
        assert_eq!(reason.is_some(), entailed);
        let length = reason
            .as_ref()
            .map(|path| path.iter().map(|edge| edge.weight).sum());
        assert!(length.is_none_or(|length: i64| length <= probe.weight));
        judge_path(&edges, reason, (tail, head), length);
    }
}

/// Checks that a path leads from one node to the other along given edges and is as long as said.
fn judge_path(given: &[Edge], path: Option<Vec<Edge>>, ends: (usize, usize), length: Option<i64>) {
    assert_eq!(path.is_some(), length.is_some());
    let (Some(mut path), Some(length)) = (path, length) else {
        return;
    };
    assert!(path.iter().all(|edge| given.contains(edge)));
    if ends.0 == ends.1 {
        assert_eq!((path, length), (Vec::new(), 0));
        return;
    }
    path.push(Edge::new(ends.1 as u32, ends.0 as u32, -length, 0));
    assert_eq!(cycle_sum(&path), Some(0), "{path:?}");
}

/// Checks that a closure tells truly which bounds an edge tightens, and changes nothing else.
fn judge_addition(trailed: &mut TrailedClosure, edge: Edge) {
    let before = trailed.closure().clone();
    let answer = trailed.add(edge);
    let pairs = (0..before.nodes()).flat_map(|i| (0..before.nodes()).map(move |j| (i, j)));
    let changed = pairs.filter(|&(i, j)| before.get(i, j) != trailed.closure().get(i, j));
    assert!(changed.eq(trailed.tightened()));
    assert_eq!(answer == Ok(true), trailed.tightened().next().is_some());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn a_search_knows_at_every_step_what_its_edges_imply(
        (nodes, edges) in networks(), steps in steps(), origin: prop::sample::Index,
    ) {
        let origin = origin.index(nodes);
        let mut theory = Propagator::with_origin(nodes, origin).unwrap();
        let mut trailed = TrailedClosure::new(Closure::new(nodes, &[]).unwrap());
        // The same search as a stack of lists.
        let mut model: Vec<Vec<Edge>> = vec![Vec::new()];
        for step in steps {
            match step {
                Step::Add(pick) if !edges.is_empty() => {
                    let edge = edges[pick % edges.len()];
                    let list = model.last_mut().unwrap();
                    list.push(edge);
                    judge_addition(&mut trailed, edge);
                    let answer = theory.add(edge);
                    prop_assert_eq!(answer.is_ok(), is_consistent(nodes, list));
                    if let Err(refusal) = answer {
                        let conflict = refusal.conflict().unwrap();
                        judge_conflict(nodes, list, conflict);
                        prop_assert_eq!(conflict.edges().first(), Some(&edge));
                        list.pop();
                    }
                }
                Step::Add(_) => {}
                Step::Push => {
                    model.push(model.last().unwrap().clone());
                    theory.push_level();
                    trailed.push_level();
                }
                Step::Back(pick) => {
                    let level = pick % model.len();
                    model.truncate(level + 1);
                    theory.backtrack(level);
                    trailed.backtrack(level);
                }
            }
            prop_assert_eq!(trailed.level(), theory.level());
            let at_once = Closure::new(nodes, theory.edges());
            prop_assert_eq!(Ok(trailed.closure()), at_once.as_ref());
            prop_assert_eq!(theory.level() + 1, model.len());
            prop_assert_eq!(Some(theory.edges()), model.last().map(Vec::as_slice));
        }
        judge(&mut theory, origin, &edges);
    }

    #[test]
    fn the_whole_network_added_is_judged_like_the_whole_network((nodes, edges) in networks()) {
        let mut theory = Propagator::new(nodes).unwrap();
        let refused = edges.iter().find_map(|&edge| theory.add(edge).err());
        prop_assert_eq!(refused.is_none(), is_consistent(nodes, &edges));
    }

    #[test]
    fn bounds_of_the_accepted_edges_are_distances((nodes, edges) in networks()) {
        let mut theory = Propagator::with_origin(nodes, 0).unwrap();
        for &edge in &edges {
            let _ = theory.add(edge);
        }
        let late = distances(nodes, theory.edges(), 0).unwrap();
        for (node, late) in late.into_iter().enumerate() {
            prop_assert_eq!(theory.latest(node).map(i128::from), late);
        }
    }
}

#[test]
fn what_was_taken_back_leaves_no_trace_in_bounds_and_answers() {
    let edges = hidden_solution(7, 60, 400);
    let mut theory = Propagator::with_origin(60, 3).unwrap();
    for &edge in &edges[..200] {
        theory.add(edge).unwrap();
    }
    let bounds = |t: &Propagator| -> Vec<_> {
        let node = |n| {
            (
                t.earliest(n),
                t.latest(n),
                t.why_earliest(n),
                t.why_latest(n),
            )
        };
        (0..60).map(node).collect()
    };
    let before = bounds(&theory);
    for &edge in &edges[200..] {
        theory.push_level();
        theory.add(edge).unwrap();
    }
    assert_ne!(bounds(&theory), before);
    theory.backtrack(0);
    assert_eq!(bounds(&theory), before);
    assert_eq!(theory.edges(), &edges[..200]);
}

/// Each turn lowers one of two nodes below the other, and taking the edge back raises none. Thrice
/// the turns that would leave 64 bits.
#[test]
fn a_long_search_at_the_largest_weights_does_not_sink() {
    let mut theory = Propagator::with_origin(2, 0).unwrap();
    for turn in 0..3 * 8_192_u32 {
        let edge = Edge::new(turn % 2, 1 - turn % 2, -TIME_MAX, turn);
        theory.push_level();
        theory.add(edge).unwrap();
        let back = Edge::new(edge.to, edge.from, TIME_MAX - 1, turn);
        assert_eq!(theory.refutes(back), Ok(true));
        assert_eq!(theory.entails(edge), Ok(true));
        theory.backtrack(0);
    }
}

#[test]
fn the_longest_chain_keeps_its_sums() {
    let last = NODES_MAX - 1;
    for weight in [TIME_MAX, -TIME_MAX] {
        let mut theory = Propagator::with_origin(NODES_MAX, 0).unwrap();
        // Against the direction of the repair, so that each edge lowers all nodes behind it.
        for at in (last as u32 - 40..last as u32)
            .rev()
            .chain(0..last as u32 - 40)
        {
            theory.add(Edge::new(at, at + 1, weight, at)).unwrap();
        }
        assert_eq!(theory.latest(last), Some(weight * last as i64));
        assert_eq!(theory.why_latest(last).map(|path| path.len()), Some(last));
        let close = Edge::new(last as u32, 0, -TIME_MAX, 9_999);
        assert_eq!(theory.add(close).is_err(), weight < 0);
    }
}

#[test]
fn mistakes_are_refused_and_change_nothing() {
    let mut theory = Propagator::new(2).unwrap();
    let (id, node, nodes, weight) = (5, 2, 2, i64::MIN);
    let unknown = InputError::UnknownNode { id, node, nodes };
    let heavy = InputError::WeightTooLarge { id, weight };
    let mistakes = [
        (Edge::new(0, 2, 1, id), unknown),
        (Edge::new(0, 1, weight, id), heavy),
    ];
    for (edge, error) in mistakes {
        assert_eq!(theory.add(edge), Err(Refusal::Input(error)));
        assert_eq!(theory.probe(edge), Err(Refusal::Input(error)));
        assert_eq!(theory.refutes(edge), Err(error));
        assert_eq!(theory.entails(edge), Err(error));
        assert_eq!(theory.why_entailed(edge), Err(error));
    }
    assert_eq!(theory.edges(), []);
    let given = NODES_MAX + 1;
    let error = InputError::TooManyNodes { given };
    assert_eq!(Propagator::new(given).map(|_| ()), Err(error));
}
