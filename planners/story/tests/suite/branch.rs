//! Stories with choices: every way through them is a story, and their Ink says the same.

mod ink_reader;

use crate::quarrel;
use crate::searched::searched;
use anytime::{Conclusion, Fault, Limits, Stop, record};
use ink_reader::Script;
use proptest::prelude::*;
use story::branch::{
    BranchCost, BranchProblem, BranchingStory, CHOICES_MAX, Params, ink, solve, texts, verify,
};
use story::spec::{NameSpec, Spec};
use story::text::Style;
use story::{Action, Plan, Problem, generate};

fn best(problem: &Problem) -> Plan {
    let limits = Limits::iterations(20_000);
    let found = searched(problem, &story::Params::default(), limits, 1);
    found.plan().unwrap_or_default()
}

/// The choices of an entity, by its name, along the best story.
fn quest(spec: &Spec, player: &str) -> BranchProblem {
    let problem = Problem::new(spec).expect("good");
    let player = problem.entities().iter().position(|e| e.name == player);
    let story = best(&problem);
    BranchProblem::new(problem, story, player.expect("known")).expect("good")
}

fn grow(
    quest: &BranchProblem,
    params: &Params,
    iterations: u64,
    seed: u64,
) -> Vec<(BranchingStory, BranchCost)> {
    let limits = Limits::iterations(iterations);
    let found = record(limits, seed, |control| solve(quest, params, control));
    let found = found.expect("supported");
    assert!(matches!(found.conclusion, Conclusion::Stopped(_)));
    found.offers
}

fn small() -> Params {
    Params {
        iterations: 60,
        ..Params::default()
    }
}

fn without_breaks(text: &str) -> String {
    let letters = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    letters.collect::<String>().trim().to_owned()
}

/// Whether a script has the knots of a tree, with the same texts, choices and diverts, and always
/// ends.
fn compare(quest: &BranchProblem, tree: &BranchingStory) -> Result<(), TestCaseError> {
    let script = Script::read(&ink(quest, tree, Style::default())).map_err(TestCaseError::fail)?;
    prop_assert_eq!(&script.start, "knot_0");
    prop_assert_eq!(script.knots.len(), tree.knots.len());
    prop_assert_eq!(
        script.endings("knot_0", 0).map_err(TestCaseError::fail)?,
        tree.paths(10_000).len()
    );
    for (index, knot) in tree.knots.iter().enumerate() {
        let read = &script.knots[&format!("knot_{index}")];
        let shown = |actions| texts(quest.problem(), actions, Style::default());
        let wanted = shown(&knot.actions).into_iter().map(|t| without_breaks(&t));
        prop_assert_eq!(&read.lines, &wanted.collect::<Vec<_>>());
        prop_assert_eq!(read.choices.len(), knot.choices.len());
        for (place, choice) in knot.choices.iter().enumerate() {
            let (label, text, to) = &read.choices[place];
            prop_assert_eq!(label, text);
            prop_assert!(!label.is_empty());
            let wanted = shown(std::slice::from_ref(&choice.action)).join(" ");
            prop_assert_eq!(label, &without_breaks(&wanted));
            prop_assert_eq!(to, &format!("knot_{}", choice.knot));
        }
        let next = knot.next.map(|next| format!("knot_{next}"));
        let end = if knot.choices.is_empty() {
            Some(next.unwrap_or_else(|| "END".to_owned()))
        } else {
            None
        };
        prop_assert_eq!(&read.divert, &end);
    }
    Ok(())
}

proptest! {
    /// Every tree offered is legal, has more choices than the one before, and reads the same as a
    /// script.
    #[test]
    fn every_path_is_a_story(
        seed: u64,
        player in 0..3_usize,
        depth in 1..4_usize,
        width in 1..5_usize,
    ) {
        let quest = quest(&quarrel(), ["Ann", "Ben", "Cid"][player]);
        let params = Params { depth, width, ..small() };
        let offers = grow(&quest, &params, 3_000, seed);
        for (tree, claimed) in &offers {
            prop_assert_eq!(verify(&quest, tree), Ok(*claimed));
            for path in tree.paths(10_000) {
                prop_assert!(story::verify(quest.problem(), &path).is_ok());
            }
        }
        compare(&quest, &offers.last().expect("an offer").0)?;
    }

    /// The same on random domains, with events that have to happen.
    #[test]
    fn every_path_is_a_story_on_random_domains(seed: u64) {
        let problem = Problem::new(&generate::domain(seed)).expect("good");
        let story = best(&problem);
        prop_assume!(story::verify(&problem, &story).is_ok());
        let quest = BranchProblem::new(problem, story, 0).expect("things act");
        let offers = grow(&quest, &small(), 2_000, seed);
        let (tree, claimed) = offers.last().expect("an offer");
        prop_assert_eq!(verify(&quest, tree), Ok(*claimed));
        compare(&quest, tree)?;
    }

    /// Whatever is written into a domain, its script is read as the same text.
    #[test]
    fn texts_are_text_to_ink(
        name in "\\PC{1,12}",
        template in "[ -~]{0,12}",
        odd in concat!(
            "(->|<-|<>|//|/\\*|#|\\{|\\||VAR|TODO:|INCLUDE|=== x",
            "|\\* |- |~ |\\\\|\n|\t){0,6}"
        ),
    ) {
        let mut spec = quarrel();
        spec.names.retain(|given| given.entity != "Knife");
        spec.names.push(NameSpec {
            entity: "Knife".to_owned(),
            name: format!("{odd}{name}"),
            pronouns: Vec::new(),
        });
        spec.actions[1].texts = vec![format!("{odd}{{i}} {template}")];
        spec.actions[0].texts = vec![template];
        prop_assume!(Problem::new(&spec).is_ok());
        let quest = quest(&spec, "Ann");
        let offers = grow(&quest, &small(), 500, 1);
        compare(&quest, &offers.last().expect("an offer").0)?;
    }
}

#[test]
fn choices_are_worth_what_their_best_way_is_worth() {
    let quest = quest(&quarrel(), "Ben");
    let offers = grow(&quest, &small(), u64::MAX, 1);
    let (tree, cost) = offers.last().unwrap();
    assert!(cost.missing < CHOICES_MAX, "there are choices");
    let first = tree.knots.iter().find(|knot| !knot.choices.is_empty());
    let choices = &first.unwrap().choices;
    assert!(choices.len() > 1);
    let score = story::verify(quest.problem(), quest.story())
        .unwrap()
        .score();
    // The story is the best there is: what else the player does is worth no more.
    assert!(
        choices[1..]
            .iter()
            .all(|choice| choice.worth <= choices[0].worth + 1e-9)
    );
    assert!(choices[0].worth >= score);
}

#[test]
fn the_same_seed_grows_the_same_tree() {
    let quest = quest(&quarrel(), "Ann");
    let one = grow(&quest, &small(), 1_000, 7);
    assert_eq!(one, grow(&quest, &small(), 1_000, 7));
    let none = grow(&quest, &small(), 0, 7);
    assert_eq!(none.len(), 1, "the story itself");
}

#[test]
fn the_reason_to_stop_is_said() {
    let quest = quest(&quarrel(), "Ann");
    let ended = |iterations| {
        let limits = Limits::iterations(iterations);
        let found = record(limits, 1, |control| solve(&quest, &small(), control));
        found.unwrap().conclusion
    };
    assert_eq!(ended(100), Conclusion::Stopped(Stop::Iterations));
    assert_eq!(ended(1_000_000), Conclusion::Stopped(Stop::Exhausted));
}

#[test]
fn whoever_does_most_is_the_protagonist() {
    let problem = Problem::new(&quarrel()).unwrap();
    let of = |actors: &[usize]| {
        let action = |actor: &usize| Action {
            schema: 0,
            args: vec![*actor],
        };
        let actions = actors.iter().map(action).collect();
        BranchProblem::protagonist(&problem, &Plan { actions })
    };
    assert_eq!(of(&[]), None);
    assert_eq!(of(&[2, 1, 2]), Some(2));
    assert_eq!(of(&[2, 1]), Some(1), "the first of the problem");
    assert_eq!(of(&[99]), None, "nobody");
}

#[test]
fn all_faults_of_a_request_are_reported() {
    let problem = Problem::new(&quarrel()).unwrap();
    let action = Action {
        schema: 77,
        args: Vec::new(),
    };
    let broken = Plan {
        actions: vec![action],
    };
    let faults = |problem, story, player| {
        let faults = BranchProblem::new(problem, story, player).unwrap_err();
        let faults = faults.into_iter();
        faults
            .map(|it| format!("{} {}", it.code, it.field()))
            .collect::<Vec<_>>()
    };
    assert_eq!(
        faults(problem.clone(), broken, 99),
        ["UNKNOWN player_id", "NO_SUCH_ACTION acts[0]"]
    );
    let home = problem.entities().iter().position(|e| e.name == "Home");
    let idle = faults(problem, Plan::default(), home.unwrap());
    assert_eq!(idle, ["WRONG_KIND player_id"]);
}

/// What is wrong with a good tree after a change.
fn spoilt(
    quest: &BranchProblem,
    good: &BranchingStory,
    change: &dyn Fn(&mut BranchingStory),
) -> Vec<String> {
    let mut tree = good.clone();
    change(&mut tree);
    let faults = verify(quest, &tree).expect_err("it was spoilt");
    faults.iter().map(Fault::to_string).collect()
}

#[test]
fn trees_that_break_rules_are_refused() {
    let quest = quest(&quarrel(), "Ben");
    let offers = grow(&quest, &small(), 2_000, 1);
    let good = &offers.last().unwrap().0;
    let refused = |change: &dyn Fn(&mut BranchingStory)| spoilt(&quest, good, change);
    let fork = good.knots.iter().position(|knot| knot.choices.len() > 1);
    let knot = fork.unwrap();
    let choice = |index: usize| format!("knots[{knot}].choices[{index}]");
    let has = |change: &dyn Fn(&mut BranchingStory), at: &str, text: &str| {
        let (found, wanted) = (refused(change), format!("{at} {text}"));
        let mut each = found.iter();
        assert!(each.any(|fault| fault.starts_with(&wanted)), "{found:?}");
    };
    assert_eq!(refused(&|tree| tree.knots.clear()), ["knots is required"]);
    let (here, last) = (format!("knots[{knot}]"), good.knots.len());
    let loops = |tree: &mut BranchingStory| tree.knots[knot].choices[0].knot = 0;
    has(
        &loops,
        &here,
        "leads to knot 0, which is none that comes later",
    );
    let nowhere = |tree: &mut BranchingStory| tree.knots[knot].choices[0].knot = 9_999;
    has(
        &nowhere,
        &here,
        "leads to knot 9999, which is none that comes later",
    );
    let lost = |tree: &mut BranchingStory| tree.knots.push(tree.knots[0].clone());
    has(
        &lost,
        &format!("knots[{last}]"),
        "is one that nothing leads to",
    );
    let twice = |tree: &mut BranchingStory| {
        let first = tree.knots[knot].choices[0].clone();
        tree.knots[knot].choices.push(first);
    };
    has(
        &twice,
        &choice(good.knots[knot].choices.len()),
        "is offered twice",
    );
    let dear = |tree: &mut BranchingStory| tree.knots[knot].choices[0].worth += 0.1;
    has(&dear, &choice(0), "is worth ");
    let other = quest.player() + 1;
    let other = |tree: &mut BranchingStory| tree.knots[knot].choices[1].action.args[0] = other;
    has(&other, &choice(1), "is not an action of the player");
    let both = |tree: &mut BranchingStory| tree.knots[knot].next = Some(last - 1);
    has(&both, &here, "goes on both with a choice and without");
}

#[test]
fn trees_whose_paths_are_wrong_are_refused() {
    let quest = quest(&quarrel(), "Ben");
    let offers = grow(&quest, &small(), 2_000, 1);
    let good = &offers.last().unwrap().0;
    let not_included = spoilt(&quest, good, &|tree| {
        tree.knots.truncate(1);
        tree.knots[0] = Default::default();
    });
    assert_eq!(not_included, ["knots do not include the given story"]);
    let broken = spoilt(&quest, good, &|tree| {
        let end = tree.knots.iter_mut().rev().find(|k| k.choices.is_empty());
        end.unwrap().actions.push(tree_action());
    });
    let mut each = broken.iter();
    assert!(each.any(|fault| fault.starts_with("paths[")), "{broken:?}");
}

fn tree_action() -> Action {
    Action {
        schema: 50,
        args: Vec::new(),
    }
}
