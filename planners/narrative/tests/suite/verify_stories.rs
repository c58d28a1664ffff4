//! Small stories with known answers, for several tests.

use narrative::plan::{DispatchBound, Outcomes, Plan, Policy, Wait};
use narrative::problem::{
    Activity, Choice, Chooser, Contingent, Demand, Link, Micros, Node, Resource, Spec,
};
use narrative::{Narrative, verify};

pub(crate) fn link(from: Node, to: Node, lower_us: Micros, upper_us: Micros) -> Link {
    Link::new(from, to, lower_us, upper_us)
}

pub(crate) fn lasts(from: Node, to: Node, lower_us: Micros, upper_us: Micros) -> Contingent {
    Contingent::new(from, to, lower_us, upper_us)
}

pub(crate) fn acts(start: Node, end: Node, demands: &[(usize, u32)]) -> Activity {
    let demands = demands.iter();
    Activity::new(start, end, demands.map(|of| needs(of.0, of.1)).collect())
}

pub(crate) fn fork(chooser: Chooser, options: &[&[Node]]) -> Choice {
    Choice {
        chooser,
        options: options.iter().map(|option| option.to_vec()).collect(),
    }
}

/// A choice of ours.
pub(crate) fn ours(options: &[&[Node]]) -> Choice {
    fork(Chooser::System, options)
}

pub(crate) fn needs(resource: usize, amount: u32) -> Demand {
    Demand::new(resource, amount)
}

pub(crate) fn stock(capacities: &[u32]) -> Vec<Resource> {
    let resource = |&capacity: &u32| Resource { capacity };
    capacities.iter().map(resource).collect()
}

pub(crate) fn kept(from: Node, to: Node, upper_us: Micros) -> DispatchBound {
    DispatchBound { from, to, upper_us }
}

pub(crate) fn wait(node: Node, contingent: usize, least_us: Micros) -> Wait {
    Wait {
        node,
        contingent,
        least_us,
    }
}

pub(crate) fn narrative(spec: Spec) -> Narrative {
    Narrative::new(spec).expect("the story is valid")
}

/// One policy for these picks and outcomes; the rest is as given.
pub(crate) fn policy(picks: &[usize], outcomes: &[(usize, Micros, Micros)]) -> Policy {
    let outcomes = outcomes
        .iter()
        .map(|&(contingent, lower_us, upper_us)| Outcomes {
            contingent,
            lower_us,
            upper_us,
        });
    Policy {
        picks: picks.iter().copied().map(Some).collect(),
        outcomes: outcomes.collect(),
        ..Policy::default()
    }
}

pub(crate) fn plan(makespan_us: Micros, policies: &[Policy]) -> Plan {
    Plan {
        policies: policies.to_vec(),
        makespan_us,
        ..Plan::default()
    }
}

pub(crate) fn codes(narrative: &Narrative, plan: &Plan) -> Vec<&'static str> {
    let wrong = verify::strategy(narrative, plan).err().unwrap_or_default();
    wrong.iter().map(|one| one.code).collect()
}

/// The paper's Figure 2. Somebody looks around the castle until node 1; then the king is fought
/// with a sword (nodes 2 and 3, or with magic, nodes 4 and 5) or robbed (6 and 7); node 8 is the
/// end, and the next group waits for it. Contingent links in order: looking around, sword, magic,
/// robbery. Resources: sword, wand, actors.
pub(crate) fn castle(chooser: Chooser) -> Narrative {
    narrative(Spec {
        events: 8,
        links: vec![
            link(0, 8, 70, 135),
            link(1, 2, 2, 5),
            link(3, 8, 5, 20),
            link(1, 4, 5, 10),
            link(5, 8, 10, 15),
            link(1, 6, 1, 2),
            link(7, 8, 1, 4),
        ],
        contingent: vec![
            lasts(0, 1, 10, 90),
            lasts(2, 3, 30, 48),
            lasts(4, 5, 70, 90),
            lasts(6, 7, 4, 6),
        ],
        activities: vec![
            acts(2, 3, &[(0, 1), (2, 1)]),
            acts(4, 5, &[(1, 1), (2, 1)]),
            acts(6, 7, &[(2, 2)]),
        ],
        resources: stock(&[1, 1, 2]),
        choices: vec![fork(chooser, &[&[2, 3], &[4, 5], &[6, 7]])],
        ..Spec::default()
    })
}

/// The same, where only some options are possible.
pub(crate) fn figure_2(chooser: Chooser, possible: &[usize]) -> Spec {
    let mut spec = castle(chooser).spec().clone();
    for (at, events) in spec.choices[0].options.iter().enumerate() {
        if !possible.contains(&at) {
            spec.links.push(link(0, events[0], 200, 200));
        }
    }
    spec
}

/// Two visits of 10 to 20 each to one actor, by an end.
pub(crate) fn two_visits(end: Micros) -> Spec {
    Spec {
        events: 5,
        links: vec![
            link(2, 5, 0, 1_000),
            link(4, 5, 0, 1_000),
            link(0, 5, 0, end),
        ],
        contingent: vec![lasts(1, 2, 10, 20), lasts(3, 4, 10, 20)],
        activities: vec![acts(1, 2, &[(0, 1)]), acts(3, 4, &[(0, 1)])],
        resources: stock(&[1]),
        ..Spec::default()
    }
}

/// The printed equation 8 makes the second activity wait for the longest first one. It has to start
/// within 5 of the end of the first, which takes 10 to 90.
pub(crate) fn relay() -> Narrative {
    narrative(Spec {
        events: 3,
        links: vec![link(2, 3, 5, 5), link(1, 2, -100, 5)],
        contingent: vec![lasts(0, 1, 10, 90)],
        activities: vec![acts(0, 1, &[(0, 1)]), acts(2, 3, &[(0, 1)])],
        resources: stock(&[1]),
        ..Spec::default()
    })
}

/// Two links in a row, nodes 1 and 2, before one choice of node 3 or 4; node 5 is the end, with it.
/// Link by link, outcomes of 6 to 11 for the first option and 1 to 6 for the second cover
/// everything; together they do not.
pub(crate) fn two_links() -> Narrative {
    narrative(Spec {
        events: 5,
        links: vec![
            link(2, 3, 0, 2),
            link(2, 4, 0, 20),
            link(3, 5, 0, 0),
            link(4, 5, 0, 0),
            link(0, 5, 12, 24),
        ],
        contingent: vec![lasts(0, 1, 1, 11), lasts(1, 2, 1, 11)],
        choices: vec![fork(Chooser::System, &[&[3], &[4]])],
        ..Spec::default()
    })
}

/// Two acts with one actor, nodes 1 to 2 and 3 to 4, each 5 long; the first may last up to 3
/// longer. Node 5 or 6 comes after the first, as we choose.
pub(crate) fn duet() -> Narrative {
    narrative(duet_spec())
}

pub(crate) fn duet_spec() -> Spec {
    Spec {
        events: 6,
        links: vec![
            link(3, 4, 5, 5),
            link(2, 3, 0, 9),
            link(2, 5, 0, 50),
            link(2, 6, 0, 50),
        ],
        contingent: vec![lasts(1, 2, 5, 8)],
        activities: vec![acts(1, 2, &[(0, 1)]), acts(3, 4, &[(0, 1)])],
        resources: stock(&[1]),
        choices: vec![fork(Chooser::System, &[&[5], &[6]])],
        ..Spec::default()
    }
}

/// Nodes 1 to 4: 1 leads to 2 in 3 to 9, as players like; then 3 or 4 happens. One act, from 1 to
/// 2.
pub(crate) fn story() -> Spec {
    Spec {
        events: 4,
        links: vec![link(2, 3, 1, 5), link(2, 4, 0, 5), link(0, 1, 0, 50)],
        contingent: vec![lasts(1, 2, 3, 9)],
        activities: vec![Activity::new(1, 2, vec![needs(0, 2)])],
        resources: vec![Resource { capacity: 3 }, Resource { capacity: 1 }],
        choices: vec![ours(&[&[3], &[4]])],
        ..Spec::default()
    }
}

/// Visits that take `least` to 1, each between events of its own. Each needs the only unit of
/// something and uses up what the next one needs: so each has to be over before the one before
/// begins, in a cycle.
pub(crate) fn cycle(visits: usize, least: Micros) -> Spec {
    let nodes = |visit: usize| (2 * visit + 1, 2 * visit + 2);
    let all = (0..visits).map(|visit| {
        let uses_up = Demand {
            consumed: true,
            ..needs((visit + 1) % visits, 1)
        };
        Activity {
            start: nodes(visit).0,
            end: nodes(visit).1,
            demands: vec![needs(visit, 1), uses_up],
        }
    });
    let (activities, links) = (all.collect(), (0..visits).map(nodes));
    Spec {
        events: 2 * visits,
        links: links
            .map(|(start, end)| link(start, end, least, 1))
            .collect(),
        activities,
        resources: stock(&vec![1; visits]),
        horizon_us: Some(5),
        ..Spec::default()
    }
}

/// A player picks when node 1 has happened, and only then what is about node 4, which follows node
/// 3 soon: that has to wait.
pub(crate) fn soon_after() -> Spec {
    let mut soon = link(3, 4, 0, 1);
    soon.lower_us = None;
    let mut after = link(1, 2, 0, 0);
    after.upper_us = None;
    Spec {
        events: 4,
        links: vec![after, soon],
        contingent: vec![lasts(0, 1, 0, 2)],
        choices: vec![
            fork(Chooser::Player, &[&[], &[2]]),
            fork(Chooser::Player, &[&[4], &[]]),
        ],
        ..Spec::default()
    }
}

/// The same, but node 4 comes at a moment that is fixed: sooner than the first player may pick.
pub(crate) fn sooner_than_picked() -> Spec {
    let mut at_once = link(3, 4, 0, 0);
    at_once.lower_us = None;
    let mut after = link(1, 2, 0, 0);
    after.upper_us = None;
    Spec {
        events: 4,
        links: vec![after, at_once],
        contingent: vec![lasts(0, 1, 0, 1), lasts(0, 3, 0, 0)],
        choices: vec![
            fork(Chooser::Player, &[&[2], &[]]),
            fork(Chooser::Player, &[&[4], &[]]),
        ],
        ..Spec::default()
    }
}

/// Players pick node 4, or not, whenever they like; but first we choose, when node 1 and what
/// follows it have happened: node 1 does not wait for the players.
pub(crate) fn whenever() -> Spec {
    Spec {
        events: 4,
        links: vec![link(0, 1, 1, 5), link(2, 3, 0, 3)],
        contingent: vec![lasts(1, 2, 1, 2)],
        choices: vec![
            fork(Chooser::System, &[&[3], &[]]),
            fork(Chooser::Player, &[&[4], &[]]),
        ],
        ..Spec::default()
    }
}
