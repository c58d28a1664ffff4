//! Listeners that misbehave.

use crate::instances::long;
use crate::{calm, solved};
use anytime::Stop;
use milp::{Failure, Improvement, Listener, Model, Params, Verdict, solve, variable};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Panics at the first solution, or at the first bound.
struct Rude {
    at_bound: bool,
    calls_after: u32,
    panicked: bool,
}

impl Rude {
    fn act(&mut self, here: bool) {
        self.calls_after += u32::from(self.panicked);
        if here {
            self.panicked = true;
            panic!("a rude listener");
        }
    }
}

impl Listener for Rude {
    fn improved(&mut self, _: Improvement<'_>) -> ControlFlow<()> {
        self.act(!self.at_bound);
        ControlFlow::Continue(())
    }

    fn bound(&mut self, _: f64) {
        self.act(self.at_bound);
    }
}

#[test]
fn a_panic_of_a_listener_reaches_the_caller_and_harms_nothing_else() {
    for at_bound in [false, true] {
        let mut rude = Rude {
            at_bound,
            calls_after: 0,
            panicked: false,
        };
        let model = long();
        let params = Params::default();
        let caught = catch_unwind(AssertUnwindSafe(|| {
            solve(&model, &params, &calm(), &mut rude)
        }));
        let panic = caught.expect_err("it panicked");
        assert_eq!(panic.downcast_ref(), Some(&"a rude listener"));
        assert_eq!(rude.calls_after, 0, "nothing is heard after a panic");

        assert_eq!(small(), Verdict::Optimal);
    }
}

fn small() -> Verdict {
    let mut model = Model::new();
    let x = model.add(variable().integer().clamp(0, 4));
    model.maximise(x);
    solved(&model).verdict
}

#[test]
fn a_listener_may_solve_something_else_on_another_thread_only() {
    let mut inner = Vec::new();
    let mut listener = |_: Improvement<'_>| {
        // HiGHS itself crashes here.
        inner.push(small());
        inner.push(std::thread::scope(|scope| {
            scope.spawn(small).join().unwrap()
        }));
        ControlFlow::Break(())
    };
    let params = Params::default();
    let outcome = solve(&long(), &params, &calm(), &mut listener);
    assert_eq!(outcome.unwrap().verdict, Verdict::Stopped(Stop::Target));
    assert_eq!(small(), Verdict::Optimal, "afterwards it may here too");
    assert_eq!(inner, [Verdict::Failed(Failure::Nested), Verdict::Optimal]);
}
