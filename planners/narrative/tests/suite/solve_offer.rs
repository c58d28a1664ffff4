//! Options that are possible but not offered. None is picked; offering one can help, and so can
//! withholding an option of players.

use crate::searched::concluded;
use crate::verify_stories::{castle, codes, fork, link, plan, policy};
use anytime::Conclusion;
use narrative::plan::{Change, Conflict, Member, Relaxation};
use narrative::problem::{Chooser, Spec, Start};
use narrative::solve::Params;
use narrative::{Answer, Narrative, verify};

/// Sword, magic and robbery, by index.
const ROBBERY: usize = 2;

/// Figure 2 without what is withheld.
fn quest(chooser: Chooser, withheld: &[usize]) -> Spec {
    let mut spec = castle(chooser).spec().clone();
    spec.withheld = withheld.iter().map(|option| (0, *option)).collect();
    spec
}

/// The last answer; every answer is verified at its cost.
fn answer(spec: Spec) -> (Answer, Conclusion) {
    let narrative = Narrative::new(spec).expect("the story is valid");
    let mut params = Params::default();
    params.detail.relaxations_max = 20;
    let (last, conclusion) = concluded(&narrative, &params, 100_000);
    (last.expect("it is decided"), conclusion)
}

fn relaxations(spec: Spec) -> Vec<Relaxation> {
    match answer(spec) {
        (Answer::Infeasible { relaxations, .. }, Conclusion::Infeasible) => relaxations,
        other => panic!("{other:?}"),
    }
}

/// Whether these changes, no more, are said to help, with a plan that proves it.
fn helps(found: &[Relaxation], changes: &[Change]) -> bool {
    let mut found = found.iter();
    found.any(|one| one.changes == changes && one.plan.is_some())
}

const OFFER: Change = Change::Offer {
    choice: 0,
    option: ROBBERY,
};

#[test]
fn to_offer_the_robbery_too_helps_where_sword_and_magic_do_not_cover_all_walks() {
    let found = relaxations(quest(Chooser::System, &[ROBBERY]));
    assert!(helps(&found, &[OFFER]), "{found:?}");
    let (whole, _) = answer(quest(Chooser::System, &[]));
    let Answer::Plan(whole) = whole else {
        panic!("{whole:?}");
    };
    assert!(
        whole
            .policies
            .iter()
            .any(|policy| policy.picks == [Some(ROBBERY)])
    );
}

#[test]
fn two_options_are_offered_together_where_one_more_is_not_enough() {
    // Nothing else could help: every bound is meant as it is.
    let found = relaxations(quest(Chooser::System, &[0, ROBBERY]));
    let offers = [0, ROBBERY].map(|option| Change::Offer { choice: 0, option });
    for relaxation in &found {
        assert_ne!(relaxation.changes, [offers[0]]);
        assert_ne!(relaxation.changes, [offers[1]]);
    }
    let spec = quest(Chooser::System, &[0, ROBBERY]);
    let narrative = Narrative::new(spec).expect("one option is left");
    assert_eq!(narrative.storylines(), [vec![Some(1)]]);
}

#[test]
fn players_who_may_not_pick_what_fails_leave_a_plan() {
    // Node 2, or 3, or 4 comes first, as players pick, and 1 is 5 to 9 after the origin: 3 and 4
    // are too early for that.
    let spec = |options: &[&[usize]]| Spec {
        events: 1 + options.len(),
        links: vec![link(0, 1, 5, 9), link(2, 1, 1, 2)]
            .into_iter()
            .chain((1..options.len()).map(|at| link(2 + at, 1, 9 + at as i64, 12)))
            .collect(),
        choices: vec![fork(Chooser::Player, options)],
        ..Spec::default()
    };
    let not = |option| Change::Withhold { choice: 0, option };
    let found = relaxations(spec(&[&[2], &[3]]));
    assert!(helps(&found, &[not(1)]), "{found:?}");
    let found = relaxations(spec(&[&[2], &[3], &[4]]));
    assert!(helps(&found, &[not(1), not(2)]), "{found:?}");
}

#[test]
fn what_is_withheld_is_in_no_storyline_unless_it_was_picked_already() {
    let mut spec = quest(Chooser::Player, &[0, ROBBERY]);
    let lines = |spec: &Spec| {
        let narrative = Narrative::new(spec.clone()).expect("the story is valid");
        narrative.storylines().to_vec()
    };
    assert_eq!(lines(&spec), [[Some(1)]]);
    spec.progress.made = vec![(0, ROBBERY)];
    assert_eq!(lines(&spec), [[Some(ROBBERY)]]);
    spec.progress.made.clear();
    let copies = spec.copies(&[Start::default(), Start::default()]);
    assert_eq!(copies.withheld, [(0, 0), (0, 2), (1, 0), (1, 2)]);
    assert_eq!(lines(&copies), [[Some(1), Some(1)]]);
    let narrative = Narrative::new(quest(Chooser::System, &[ROBBERY])).expect("it is valid");
    let given = plan(135, &[policy(&[ROBBERY], &[])]);
    assert_eq!(codes(&narrative, &given), ["PICKS_WRONG"]);
}

#[test]
fn options_that_are_withheld_exist_and_leave_one_to_pick() {
    let errors = |withheld: &[(usize, usize)]| {
        let mut spec = quest(Chooser::System, &[]);
        spec.withheld = withheld.to_vec();
        let faults = Narrative::new(spec).err().unwrap_or_default();
        let rules = faults
            .iter()
            .map(|one| format!("{} {}", one.code, one.field()));
        rules.collect::<Vec<_>>()
    };
    let unknown = |choice, option| [format!("UNKNOWN choices[{choice}].options[{option}]")];
    assert_eq!(errors(&[(0, 3)]), unknown(0, 3));
    assert_eq!(errors(&[(1, 0)]), unknown(1, 0));
    assert_eq!(errors(&[(0, 1), (0, 1)]), unknown(0, 1));
    assert_eq!(errors(&[(0, 1), (0, 0)]), unknown(0, 0));
    let nothing = ["REQUIRED choices[0].options"];
    assert_eq!(errors(&[(0, 0), (0, 1), (0, 2)]), nothing);
}

/// What is wrong with changes that are said to help, and with the plan that is to prove it.
fn wrong(spec: Spec, changes: &[Change], proof: Option<narrative::Plan>) -> Vec<String> {
    let narrative = Narrative::new(spec).expect("the story is valid");
    let conflict = Conflict {
        members: vec![Member::Choice { choice: 0 }],
        ..Conflict::default()
    };
    let relaxations = vec![Relaxation {
        changes: changes.to_vec(),
        plan: proof.map(Box::new),
    }];
    let answer = Answer::Infeasible {
        conflict,
        relaxations,
    };
    let wrong = verify::answer(&narrative, &answer)
        .err()
        .unwrap_or_default();
    wrong.iter().map(ToString::to_string).collect()
}

#[test]
fn only_what_is_withheld_is_offered_by_us_and_only_what_is_offered_withheld_from_players() {
    let ours = || quest(Chooser::System, &[ROBBERY]);
    let theirs = || quest(Chooser::Player, &[ROBBERY]);
    let offer = |choice, option| Change::Offer { choice, option };
    let not = |choice, option| Change::Withhold { choice, option };
    assert_eq!(wrong(ours(), &[OFFER], None), [""; 0]);
    assert_eq!(wrong(theirs(), &[not(0, 0)], None), [""; 0]);
    let what = "relaxations[0].changes[0]";
    for (spec, change) in [
        (ours(), offer(0, 0)),
        (ours(), offer(0, 3)),
        (ours(), offer(1, 0)),
        (ours(), not(0, 0)),
        (theirs(), OFFER),
        (theirs(), not(0, ROBBERY)),
        (theirs(), not(0, 3)),
        (theirs(), not(1, 0)),
    ] {
        let given = wrong(spec, &[change], None);
        assert!(
            given.len() == 1 && given[0].contains(what),
            "{change:?} {given:?}"
        );
    }
    assert_eq!(wrong(theirs(), &[not(0, 0), not(0, 1)], None).len(), 1);
    assert_eq!(wrong(ours(), &[OFFER, OFFER], None).len(), 1);
}

#[test]
fn the_plan_that_proves_an_offer_is_one_of_the_story_with_it() {
    let found = relaxations(quest(Chooser::System, &[ROBBERY]));
    let mut found = found.into_iter();
    let offer = found.find(|one| one.changes == [OFFER]);
    let offer = offer.expect("it helps");
    let proof = *offer.plan.expect("it is proved");
    let spec = || quest(Chooser::System, &[ROBBERY]);
    assert_eq!(wrong(spec(), &[OFFER], Some(proof.clone())), [""; 0]);
    // Without the robbery nobody bears long walks.
    let mut short = proof;
    for peak in &mut short.peaks {
        peak.amount = 1;
    }
    short
        .policies
        .retain(|policy| policy.picks != [Some(ROBBERY)]);
    let given = wrong(spec(), &[OFFER], Some(short));
    assert!(
        given.len() == 1 && given[0].contains("UNCOVERED"),
        "{given:?}"
    );
}
