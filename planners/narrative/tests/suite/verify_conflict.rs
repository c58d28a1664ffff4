//! Each way in which a conflict or a relaxation can be wrong is reported.

use crate::verify_stories::{acts, castle, duet, lasts, link, narrative, plan, policy, stock};
use narrative::plan::{Answer, Change, Conflict, Member, Relaxation, Uncovered};
use narrative::problem::{Chooser, Micros, Source, Spec};
use narrative::verify::answer;
use narrative::{Cost, Narrative, Plan};

/// What is wrong with a conflict.
fn conflict_codes(narrative: &Narrative, conflict: Conflict) -> Vec<&'static str> {
    let given = Answer::Infeasible {
        conflict,
        relaxations: vec![],
    };
    let wrong = answer(narrative, &given).err().unwrap_or_default();
    wrong.iter().map(|one| one.code).collect()
}

fn members(sources: &[Source]) -> Conflict {
    Conflict {
        members: sources.iter().copied().map(Member::Bound).collect(),
        minimal: true,
        needed: sources.len(),
        uncovered: None,
    }
}

/// Node 1 at 5 or earlier, node 2 at most 3 after it, but at 9 or later.
fn squeezed() -> Narrative {
    narrative(Spec {
        events: 2,
        links: vec![link(0, 1, 0, 5), link(1, 2, 0, 3), link(0, 2, 9, 20)],
        ..Spec::default()
    })
}

const SQUEEZE: [Source; 3] = [
    Source::LinkUpper(0),
    Source::LinkUpper(1),
    Source::LinkLower(2),
];

#[test]
fn rules_that_cannot_all_be_kept_are_a_conflict() {
    assert_eq!(
        conflict_codes(&squeezed(), members(&SQUEEZE)),
        Vec::<&str>::new()
    );
    let given = Answer::Infeasible {
        conflict: members(&SQUEEZE),
        relaxations: vec![],
    };
    let cost = Cost::infeasible(&members(&SQUEEZE), &[]);
    assert_eq!(answer(&squeezed(), &given), Ok(cost));
    assert_eq!(
        conflict_codes(&squeezed(), members(&SQUEEZE[..2])),
        ["CONFLICT_KEPT"]
    );
    let more = [SQUEEZE.as_slice(), &[Source::LinkLower(1)]].concat();
    assert_eq!(
        conflict_codes(&squeezed(), members(&more)),
        ["MEMBER_NEEDLESS"]
    );
    let mut loose = members(&more);
    loose.minimal = false;
    assert_eq!(conflict_codes(&squeezed(), loose), Vec::<&str>::new());
}

#[test]
fn members_are_rules_of_the_narrative() {
    assert_eq!(
        conflict_codes(&squeezed(), Conflict::default()),
        ["NO_MEMBER"]
    );
    for source in [
        Source::LinkUpper(3),
        Source::ContingentLower(0),
        Source::Horizon(1),
        Source::Start(0),
        Source::Start(usize::MAX),
        Source::Happened(1),
    ] {
        assert_eq!(
            conflict_codes(&squeezed(), members(&[source])),
            ["MEMBER_WRONG"]
        );
    }
    let twice = [SQUEEZE[0], SQUEEZE[0]];
    assert_eq!(
        conflict_codes(&squeezed(), members(&twice)),
        ["MEMBER_WRONG"]
    );
    for (resource, activities) in [
        (1, vec![0, 1]),
        (0, vec![0]),
        (0, vec![1, 0]),
        (0, vec![0, 9]),
    ] {
        let capacity = Conflict {
            members: vec![Member::Capacity {
                resource,
                activities,
            }],
            ..Conflict::default()
        };
        assert_eq!(conflict_codes(&duet(), capacity), ["MEMBER_WRONG"]);
    }
}

#[test]
fn a_duration_that_others_pick_is_a_rule_by_each_of_its_ends() {
    // Node 2 exactly 5 after the start of what takes 2 to 9, and at most 4 after its end.
    let story = narrative(Spec {
        events: 2,
        links: vec![link(0, 2, 5, 5), link(1, 2, 0, 4)],
        contingent: vec![lasts(0, 1, 2, 9)],
        ..Spec::default()
    });
    let long = [
        Source::LinkUpper(0),
        Source::LinkLower(1),
        Source::ContingentUpper(0),
    ];
    assert_eq!(conflict_codes(&story, members(&long)), Vec::<&str>::new());
    let short = [
        Source::LinkUpper(0),
        Source::LinkLower(1),
        Source::ContingentLower(0),
    ];
    assert_eq!(conflict_codes(&story, members(&short)), ["CONFLICT_KEPT"]);
}

#[test]
fn a_capacity_is_a_conflict_when_no_order_helps() {
    let spec = |apart: Micros| Spec {
        events: 4,
        links: vec![
            link(1, 2, 5, 5),
            link(3, 4, 5, 5),
            link(1, 3, -apart, apart),
        ],
        activities: vec![acts(1, 2, &[(0, 1)]), acts(3, 4, &[(0, 1)])],
        resources: stock(&[1]),
        ..Spec::default()
    };
    let bounds = [
        Source::LinkLower(0),
        Source::LinkLower(1),
        Source::LinkLower(2),
        Source::LinkUpper(2),
    ];
    let mut conflict = members(&bounds);
    conflict.members.push(Member::Capacity {
        resource: 0,
        activities: vec![0, 1],
    });
    assert_eq!(
        conflict_codes(&narrative(spec(4)), conflict.clone()),
        Vec::<&str>::new()
    );
    assert_eq!(
        conflict_codes(&narrative(spec(5)), conflict),
        ["CONFLICT_KEPT"]
    );
}

#[test]
fn what_is_said_to_happen_can_happen() {
    let castle = castle(Chooser::System);
    let with = |durations_us: &[(usize, Micros)], picks: &[Option<usize>]| Conflict {
        members: vec![Member::Choice { choice: 0 }],
        minimal: false,
        needed: 0,
        uncovered: Some(Uncovered {
            durations_us: durations_us.to_vec(),
            picks: picks.to_vec(),
        }),
    };
    assert_eq!(
        conflict_codes(&castle, with(&[(0, 12)], &[])),
        Vec::<&str>::new()
    );
    for (durations, picks) in [
        (vec![(0, 9)], vec![]),
        (vec![(4, 9)], vec![]),
        (vec![(1, 40), (0, 12)], vec![]),
        (vec![], vec![Some(3)]),
        (vec![], vec![None]),
    ] {
        assert_eq!(
            conflict_codes(&castle, with(&durations, &picks)),
            ["WITNESS_WRONG"]
        );
    }
}

#[test]
fn relaxations_change_what_is_there_into_something_else() {
    let codes = |changes: &[Change]| {
        let given = Answer::Infeasible {
            conflict: members(&SQUEEZE),
            relaxations: vec![Relaxation {
                changes: changes.to_vec(),
                plan: None,
            }],
        };
        let wrong = answer(&squeezed(), &given).err().unwrap_or_default();
        wrong.iter().map(|one| one.code).collect::<Vec<_>>()
    };
    let bound = |source, old_us, new_us| Change::Bound {
        source,
        old_us,
        new_us,
    };
    let fine = bound(Source::LinkUpper(0), 5, 6);
    assert_eq!(codes(&[fine]), Vec::<&str>::new());
    assert_eq!(
        codes(&[bound(Source::LinkLower(2), 9, 8)]),
        Vec::<&str>::new()
    );
    for wrong in [
        bound(Source::LinkUpper(0), 4, 6),
        bound(Source::LinkUpper(0), 5, 5),
        bound(Source::LinkUpper(9), 5, 6),
        bound(Source::Start(1), 0, 1),
        Change::Capacity {
            resource: 0,
            capacity: 2,
        },
        Change::Chooser { choice: 0 },
    ] {
        assert_eq!(codes(&[wrong]), ["CHANGE_WRONG"], "{wrong:?}");
    }
    assert_eq!(codes(&[]), ["RELAXATION_INVALID"]);
    assert_eq!(
        codes(&[bound(Source::LinkUpper(0), 5, -1)]),
        ["RELAXATION_INVALID"]
    );
}

#[test]
fn the_plan_of_a_relaxation_is_one_of_the_changed_story() {
    let codes = |new_us: Micros, plan: Plan| {
        let change = Change::Bound {
            source: Source::LinkUpper(0),
            old_us: 5,
            new_us,
        };
        let given = Answer::Infeasible {
            conflict: members(&SQUEEZE),
            relaxations: vec![Relaxation {
                changes: vec![change],
                plan: Some(Box::new(plan)),
            }],
        };
        let wrong = answer(&squeezed(), &given).err().unwrap_or_default();
        wrong.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let given = |makespan_us| plan(makespan_us, &[policy(&[], &[])]);
    let useless = |why: &str| {
        [format!(
            "relaxations[0] comes with a plan that fails: {why}"
        )]
    };
    assert_eq!(codes(6, given(9)), Vec::<String>::new());
    assert_eq!(codes(6, given(8)), useless("MAKESPAN_BROKEN"));
    assert_eq!(codes(4, given(9)), useless("NOT_CONTROLLABLE"));
    assert_eq!(codes(6, Plan::default()), useless("NO_POLICY"));
}
