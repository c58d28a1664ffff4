//! Different stories, against all stories that there are.

use crate::searched::searched;
use crate::{quarrel, quarrel_with};
use anytime::{Conclusion, Fault, Limits, Record, Stop, record};
use proptest::prelude::*;
use story::diverse::{
    DiverseProblem, Losses, Params, STORIES_MAX, StorySet, difference, solve, verify,
};
use story::play::Rules;
use story::spec::Expr;
use story::{Action, Cost, Plan, Play, Problem, Strategy, generate};

type Found = Record<StorySet, Losses>;

fn search(request: &DiverseProblem, params: &Params, iterations: u64, seed: u64) -> Found {
    let limits = Limits::iterations(iterations);
    let found = record(limits, seed, |control| solve(request, params, control));
    found.expect("supported")
}

fn best(found: Found) -> StorySet {
    found.plan().expect("an offer")
}

/// All stories with their costs, beginnings included.
fn every_story(play: &Play<'_>, so_far: &mut Vec<Action>, out: &mut Vec<(Cost, Plan)>) {
    let actions = so_far.clone();
    out.push((Cost::of_score(play.score()), Plan { actions }));
    let mut play = play.clone();
    for choice in 0..play.choices() {
        so_far.push(play.choice(choice));
        let mut next = play.clone();
        next.act(choice);
        every_story(&next, so_far, out);
        so_far.pop();
    }
}

/// How many actions of the first are not in the second, counted again.
fn missing(better: &Plan, other: &Plan) -> usize {
    let count = |plan: &Plan, action: &Action| plan.actions.iter().filter(|a| *a == action).count();
    let mut seen: Vec<&Action> = Vec::new();
    let mut sum = 0;
    for action in &better.actions {
        if !seen.contains(&action) {
            seen.push(action);
            sum += count(better, action).saturating_sub(count(other, action));
        }
    }
    sum
}

/// Whether each story of a proved set is the best of those that differ from the ones before
/// it, and whether there are no more.
fn judge(request: &DiverseProblem, set: &StorySet) -> Result<(), TestCaseError> {
    let rules = Rules::new(request.problem());
    let mut stories = Vec::new();
    every_story(&Play::new(&rules), &mut Vec::new(), &mut stories);
    for place in 0..request.count() {
        let before = &set.stories[..place.min(set.stories.len())];
        let differs = |plan: &Plan| {
            before.iter().all(|better| {
                let length = better.actions.len();
                length > 0 && missing(better, plan) >= request.difference().min(length)
            })
        };
        let fitting = stories.iter().filter(|(_, plan)| differs(plan));
        let best = fitting.map(|(cost, _)| *cost).min();
        let best = best.filter(|cost| *cost < Cost::of_score(0.0));
        let found = set.stories.get(place);
        let found = found.map(|plan| story::verify(request.problem(), plan).expect("legal"));
        prop_assert_eq!(found, best, "place {}", place);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    /// Whatever the way: anthologies are legal, and no bound is above them.
    #[test]
    fn offers_are_legal_and_honest(
        seed: u64,
        way in 0..4_usize,
        count in 1..5_usize,
        apart in 1..4_usize,
    ) {
        let ways = [Strategy::Auto, Strategy::Mcts, Strategy::MctsRollout, Strategy::Optimal];
        let problem = Problem::new(&quarrel()).expect("good");
        let request = DiverseProblem::new(problem, count, apart).expect("good");
        let mut params = Params::default();
        params.each.strategy = ways[way];
        let found = search(&request, &params, 400, seed);
        for (set, claimed) in &found.offers {
            prop_assert_eq!(verify(&request, set), Ok(*claimed));
        }
        prop_assert!(found.bound() <= found.cost());
    }

    /// On domains in which all stories can be listed: what is concluded is true.
    #[test]
    fn each_story_is_the_best_that_differs(seed: u64, count in 1..5_usize, apart in 1..4_usize) {
        let mut spec = generate::domain(seed);
        spec.actions_max = spec.actions_max.min(3);
        let problem = Problem::new(&spec);
        prop_assume!(problem.is_ok());
        let request = DiverseProblem::new(problem.expect("good"), count, apart).expect("good");
        let found = search(&request, &Params::default(), 1_000_000, seed);
        match found.conclusion {
            Conclusion::Optimal => judge(&request, &best(found))?,
            Conclusion::Infeasible => {
                let last = found.offers.last();
                prop_assert!(last.is_none_or(|o| o.0.stories.is_empty()));
            }
            Conclusion::Partial(stop) | Conclusion::Stopped(stop) => {
                prop_assert!(false, "{:?}", stop);
            }
        }
    }

    /// The same with other believabilities of one domain.
    #[test]
    fn quarrels_differ(numbers in proptest::array::uniform3(0.05..1.0_f64), apart in 1..4_usize) {
        let mut spec = quarrel();
        spec.actions_max = 3;
        spec.actions[0].believability.base = Expr::Number(numbers[0]);
        spec.actions[1].believability.base = Expr::Number(numbers[1]);
        spec.tables[0].entries[0].1 = numbers[2];
        let problem = Problem::new(&spec).expect("good");
        let request = DiverseProblem::new(problem, 4, apart).expect("good");
        let found = search(&request, &Params::default(), 1_000_000, 1);
        prop_assert_eq!(found.conclusion, Conclusion::Optimal);
        judge(&request, &best(found))?;
    }

    /// After sliders have moved, the stories are at least as good as what is left of the old ones.
    #[test]
    fn never_worse_than_what_was_known(
        seed: u64,
        factors in proptest::array::uniform4(0.0..1.5_f64),
    ) {
        let problem = Problem::new(&quarrel()).expect("good");
        let request = DiverseProblem::new(problem, 3, 2).expect("good");
        let known = best(search(&request, &Params::default(), 300, seed)).stories;
        let names = ["Move", "Take", "Steal", "Kill"];
        let sliders: Vec<_> = names.into_iter().zip(factors).collect();
        let moved = quarrel_with(&sliders);
        let warm = known.first().cloned();
        let request = DiverseProblem::new(moved.clone(), 3, 2).expect("good");
        let params = Params { known: known.clone(), ..Params::default() };
        let stories = search(&request, &params, 0, seed).offers;
        let best = stories.last().map(|(_, losses)| losses.each_pico[0]);
        for plan in &known {
            if let Ok(cost) = story::verify(&moved, plan) {
                prop_assert!(best.unwrap_or(1_000_000_000_000) <= cost.loss_pico);
            }
        }
        // The same for one story.
        let params = story::Params { warm: warm.clone(), ..story::Params::default() };
        let last = searched(&moved, &params, Limits::iterations(50), seed).cost();
        let old = warm.and_then(|plan| story::verify(&moved, &plan).ok());
        prop_assert!(old.is_none_or(|old| last.expect("a story") <= old));
    }
}

#[test]
fn what_can_no_longer_be_done_is_left_out_of_what_was_known() {
    let problem = Problem::new(&quarrel()).unwrap();
    let entity = |name: &str| problem.entities().iter().position(|e| e.name == name);
    let action = |schema, args: &[&str]| Action {
        schema,
        args: args.iter().map(|name| entity(name).unwrap()).collect(),
    };
    let (go, take) = (action(0, &["Ann", "Inn"]), action(1, &["Ben", "Knife"]));
    let steal = action(2, &["Cid", "Ann", "Purse"]);
    let moved = quarrel_with(&[("Take", 0.0)]);
    let known = Plan {
        actions: vec![go.clone(), take, steal.clone()],
    };
    let request = DiverseProblem::new(moved, 1, 1).unwrap();
    let params = Params {
        known: vec![known],
        ..Params::default()
    };
    let found = search(&request, &params, 0, 1);
    assert_eq!(best(found).stories[0].actions, [go, steal]);
}

#[test]
fn the_same_seed_tells_the_same_stories() {
    let problem = Problem::new(&quarrel()).unwrap();
    let request = DiverseProblem::new(problem, 3, 2).unwrap();
    let one = search(&request, &Params::default(), 3_000, 7);
    let two = search(&request, &Params::default(), 3_000, 7);
    assert_eq!(one.offers, two.offers);
    assert_eq!(one.conclusion, two.conclusion);
}

#[test]
fn nothing_is_told_without_iterations_and_the_reason_is_said() {
    let problem = Problem::new(&quarrel()).unwrap();
    let request = DiverseProblem::new(problem, 3, 2).unwrap();
    let none = search(&request, &Params::default(), 0, 7);
    assert_eq!(none.conclusion, Conclusion::Stopped(Stop::Iterations));
}

#[test]
fn all_faults_of_a_request_are_reported() {
    let problem = Problem::new(&quarrel()).unwrap();
    let faults = DiverseProblem::new(problem, STORIES_MAX + 1, 0).unwrap_err();
    let texts: Vec<String> = faults.iter().map(ToString::to_string).collect();
    assert_eq!(
        texts,
        [
            "story_count must be between 1 and 10, got 11",
            "min_different_acts must be between 1 and 50, got 0"
        ]
    );
    assert!(faults.iter().all(|fault| fault.code == "OUT_OF_RANGE"));
}

#[test]
fn sets_that_break_rules_are_refused() {
    let problem = Problem::new(&quarrel()).unwrap();
    let request = DiverseProblem::new(problem, 2, 2).unwrap();
    let good = best(search(&request, &Params::default(), 5_000, 1));
    assert_eq!(good.stories.len(), 2);
    let refused = |stories: Vec<Plan>| {
        let faults = verify(&request, &StorySet { stories }).unwrap_err();
        faults.iter().map(Fault::to_string).collect::<Vec<_>>()
    };
    let [first, second] = [good.stories[0].clone(), good.stories[1].clone()];
    let twice = refused(vec![first.clone(), first.clone()]);
    let alike = "stories[1] does without 0 actions of story 0, not without 2";
    assert_eq!(twice, [alike]);
    let turned = refused(vec![second.clone(), first.clone()]);
    let order = "stories[1] is better than the one before it";
    assert!(turned.iter().any(|fault| fault == order), "{turned:?}");
    let three = refused(vec![first.clone(), second, first]);
    assert_eq!(three, ["stories has 3 elements, at most 2 are allowed"]);
    assert_eq!(
        refused(vec![Plan::default()]),
        ["stories[0] is worth nothing"]
    );
    let action = Action {
        schema: 99,
        args: Vec::new(),
    };
    let broken = Plan {
        actions: vec![action],
    };
    let stories = vec![broken];
    let faults = verify(&request, &StorySet { stories }).unwrap_err();
    assert_eq!(faults.len(), 1, "{faults:?}");
    let found = (faults[0].code, faults[0].field());
    assert_eq!(found, ("NO_SUCH_ACTION", "stories[0].acts[0]".into()));
}

#[test]
fn order_makes_no_difference_and_neither_do_additions() {
    let action = |schema| Action {
        schema,
        args: Vec::new(),
    };
    let plan = |schemas: &[usize]| Plan {
        actions: schemas.iter().map(|s| action(*s)).collect(),
    };
    assert_eq!(difference(&plan(&[1, 2, 3]), &plan(&[3, 1, 2])), 0);
    assert_eq!(difference(&plan(&[1, 2]), &plan(&[1, 2, 3, 4])), 0);
    assert_eq!(difference(&plan(&[1, 1, 2]), &plan(&[1, 3, 4])), 2);
}
