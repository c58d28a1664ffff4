//! A story that makes sense, and what it is made of.

use narrative::problem::{
    Activity, Choice, Chooser, Contingent, Demand, Link, Micros, Node, Resource, Spec,
};

pub(crate) fn link(from: Node, to: Node, lower_us: Micros, upper_us: Micros) -> Link {
    Link {
        from,
        to,
        lower_us: Some(lower_us),
        upper_us: Some(upper_us),
    }
}

pub(crate) fn lasts(from: Node, to: Node, lower_us: Micros, upper_us: Micros) -> Contingent {
    Contingent {
        from,
        to,
        lower_us,
        upper_us,
    }
}

pub(crate) fn needs(resource: usize, amount: u32) -> Demand {
    Demand {
        resource,
        amount,
        consumed: false,
    }
}

pub(crate) fn fork(options: &[&[Node]]) -> Choice {
    Choice {
        chooser: Chooser::System,
        options: options.iter().map(|option| option.to_vec()).collect(),
    }
}

/// Nodes 1 to 4: 1 leads to 2 in 3 to 9, as players like; then 3 or 4 happens. One act, from 1 to
/// 2.
pub(crate) fn story() -> Spec {
    Spec {
        events: 4,
        links: vec![link(2, 3, 1, 5), link(2, 4, 0, 5), link(0, 1, 0, 50)],
        contingent: vec![lasts(1, 2, 3, 9)],
        activities: vec![Activity {
            start: 1,
            end: 2,
            demands: vec![needs(0, 2)],
        }],
        resources: vec![Resource { capacity: 3 }, Resource { capacity: 1 }],
        choices: vec![fork(&[&[3], &[4]])],
        ..Spec::default()
    }
}
