//! Solutions that hold only before their integers are rounded.

use crate::heard;
use milp::{Expression, Failure, Model, Params, Variable, Verdict, constraint, variable};

const NODES: usize = 6;
const SUPPLY: i32 = 500;

/// A flow from the first node to the last, over arcs that have to be opened. It may contain
/// cycles, so that presolve finds no bound for it and has to believe that it may be as large as
/// `size`.
struct Network {
    model: Model,
    arcs: Vec<(usize, usize, Variable, Variable)>,
}

impl Network {
    fn new(size: f64) -> Self {
        let mut model = Model::new();
        let mut arcs = Vec::new();
        let mut cost = Expression::default();
        for from in 0..NODES {
            for to in (0..NODES).filter(|to| *to != from) {
                let open = model.add(variable().binary());
                let flow = model.add(variable().min(0));
                model.require(constraint!(flow <= size * open));
                let price = i32::try_from(10 + (from * 7 + to * 5) % 11).unwrap();
                cost += price * open + 0.001 * flow;
                arcs.push((from, to, open, flow));
            }
        }
        for node in 0..NODES {
            let sum = |leaves: bool| -> Expression {
                let here = arcs
                    .iter()
                    .filter(|a| node == if leaves { a.0 } else { a.1 });
                here.map(|arc| arc.3).sum()
            };
            let supply = match node {
                0 => SUPPLY,
                node if node == NODES - 1 => -SUPPLY,
                _ => 0,
            };
            model.require(constraint!(sum(true) - sum(false) == supply));
        }
        model.minimise(cost);
        Self { model, arcs }
    }
}

#[test]
fn a_flow_through_a_closed_arc_is_never_returned() {
    let (mut rejected, mut failed) = (0, 0);
    for size in [1e3, 1e5, 1e7, 1e9] {
        let network = Network::new(size);
        let params = Params {
            tolerance: 1e-3,
            ..Params::default()
        };
        let outcome = heard(&network.model, &params, &mut ());
        rejected += outcome.effort.rejected;
        match outcome.verdict {
            Verdict::Optimal => assert!(outcome.solution.is_some()),
            Verdict::Failed(Failure::Unproved { .. } | Failure::Unverified(_)) => failed += 1,
            other => panic!("{size:e}: {other:?}"),
        }
        let Some(solution) = outcome.solution else {
            continue;
        };
        for (from, to, open, flow) in &network.arcs {
            let closed = solution.integer(&network.model, *open) == 0;
            let flow = solution.value(&network.model, *flow);
            assert!(
                !closed || flow <= 1e-3,
                "{size:e}: {flow} from {from} to {to}"
            );
        }
    }
    assert!(rejected > 0, "nothing was put to the test");
    assert!((1..4).contains(&failed), "large sizes fail, and say so");
}
