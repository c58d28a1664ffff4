//! What every search guarantees, and whether proofs are true.

use crate::searched::{assert_true, searched};
use crate::{quarrel, quarrel_with};
use anytime::{Conclusion, Limits, Record, Stop};
use proptest::prelude::*;
use story::play::{Play, Rules};
use story::spec::{
    ActionSpec, AttributeKind, AttributeSpec, BelievabilitySpec, Change, Comparison, EffectSpec,
    EventSpec, Expr, GoalSpec, Literal, Quantifier, Setting, Spec, TypeSpec,
};
use story::{Cost, Params, Plan, Problem, Strategy as Way, verify};

const WAYS: [Way; 6] = [
    Way::Auto,
    Way::Mcts,
    Way::MctsSelection,
    Way::MctsRollout,
    Way::Iterative,
    Way::Optimal,
];

/// The quarrel with other believabilities, from numbers in [0, 1].
fn varied(numbers: &[f64; 6], actions_max: usize) -> Spec {
    let mut spec = quarrel();
    spec.actions[0].believability.base = Expr::Number(numbers[0]);
    spec.actions[1].believability.base = Expr::Number(numbers[1]);
    spec.tables[0].entries[0].1 = numbers[2];
    spec.actions[3].believability.rules[0].change = Change::Set(Expr::Number(numbers[3]));
    spec.actions[3].believability.rules[1].change = Change::Set(Expr::Number(numbers[4]));
    spec.goals[1].weight = 0.1 + numbers[5];
    spec.actions_max = actions_max;
    spec
}

fn params_of(strategy: Way) -> Params {
    Params {
        strategy,
        commit_after: 50,
        ..Params::default()
    }
}

/// The best score of all stories, each tried: no two states are taken for the same.
fn best_of_all(play: &mut Play<'_>) -> f64 {
    (0..play.choices()).fold(play.score(), |best, choice| {
        let mut next = play.clone();
        next.act(choice);
        best.max(best_of_all(&mut next))
    })
}

proptest! {
    /// For each strategy: stories are legal, scores honest, and no bound is above the optimal
    /// story.
    #[test]
    fn offers_are_legal_and_honest(
        seed: u64,
        way in 0..WAYS.len(),
        numbers in proptest::array::uniform6(0.0..1.0_f64),
    ) {
        let problem = Problem::new(&varied(&numbers, 6)).expect("good");
        let found = searched(&problem, &params_of(WAYS[way]), Limits::iterations(300), seed);
        let best = found.cost();
        prop_assert!(found.bound() <= best, "{:?} {:?}", found.bound(), best);
    }

    /// A story concluded as optimal is the best of all stories, and bounds hold, for all
    /// believabilities.
    #[test]
    fn proofs_are_true(numbers in proptest::array::uniform6(0.0..1.0_f64), auto: bool) {
        let problem = Problem::new(&varied(&numbers, 4)).expect("good");
        let way = if auto { Way::Auto } else { Way::Optimal };
        let found = searched(&problem, &params_of(way), Limits::iterations(100_000), 1);
        prop_assert_eq!(found.conclusion, Conclusion::Optimal);
        let best = best_of_all(&mut Play::new(&Rules::new(&problem)));
        assert_true(&found, Cost::of_score(best));
    }
}

#[test]
fn the_same_seed_tells_the_same_story() {
    let problem = Problem::new(&quarrel()).unwrap();
    for way in WAYS {
        let one = searched(&problem, &params_of(way), Limits::iterations(200), 7);
        let two = searched(&problem, &params_of(way), Limits::iterations(200), 7);
        assert_eq!(one.offers, two.offers, "{way:?}");
    }
}

#[test]
fn what_must_happen_happens_and_a_story_that_cannot_is_none() {
    let mut spec = quarrel();
    let event = |action: &str, args: &[Option<&str>], must| EventSpec {
        action: action.to_owned(),
        args: args.iter().map(|arg| arg.map(str::to_owned)).collect(),
        must,
    };
    spec.events = vec![
        event("Move", &[Some("Cid"), Some("Home")], true),
        event("Kill", &[None, Some("Ann")], false),
    ];
    spec.actions_max = 5;
    let problem = Problem::new(&spec).unwrap();
    for way in [Way::Auto, Way::Optimal, Way::MctsRollout] {
        let found = searched(&problem, &params_of(way), Limits::iterations(20_000), 1);
        let (plan, cost) = found.offers.last().expect("a story");
        assert_eq!(verify(&problem, plan), Ok(*cost));
    }
    // Cid is at the inn, and cannot go home and to the inn within one action.
    spec.events[1] = event("Move", &[Some("Cid"), Some("Inn")], true);
    spec.actions_max = 1;
    let problem = Problem::new(&spec).unwrap();
    let found = searched(
        &problem,
        &params_of(Way::Auto),
        Limits::iterations(20_000),
        1,
    );
    assert_eq!(
        (found.conclusion, found.offers.len()),
        (Conclusion::Infeasible, 0)
    );
}

#[test]
fn a_slider_is_answered_from_the_old_story() {
    let problem = Problem::new(&quarrel()).unwrap();
    let old = searched(
        &problem,
        &params_of(Way::Optimal),
        Limits::iterations(50_000),
        1,
    );
    let (story, _) = old.offers.last().expect("a story");
    let moved = quarrel_with(&[("Move", 0.9)]);
    let params = Params {
        warm: Some(story.clone()),
        ..params_of(Way::Optimal)
    };
    let first = searched(&moved, &params, Limits::iterations(0), 1);
    let score = first.offers.last().map(|offer| offer.1);
    assert_eq!(score, verify(&moved, story).ok());
    assert_eq!(first.conclusion, Conclusion::Stopped(Stop::Iterations));
}

/// The quarrel, in which two have to die, with a number of further, equivalent actors.
fn crowd(more: usize) -> Problem {
    let mut spec = quarrel();
    let names = (0..more).map(|i| format!("Extra{i}"));
    let names: Vec<String> = names.collect();
    spec.types[0].entities.extend(names.iter().cloned());
    spec.init.extend(names.into_iter().map(|entity| Setting {
        entity,
        attribute: "place".to_owned(),
        value: Literal::Name("Home".to_owned()),
    }));
    if let Expr::Compare(_, _, least) = &mut spec.goals[0].expr {
        **least = Expr::Number(2.0);
    }
    spec.actions_max = 12;
    Problem::new(&spec).expect("good")
}

#[test]
fn a_crowd_plays_as_well_as_the_few_who_matter() {
    let few = searched(
        &crowd(0),
        &params_of(Way::Optimal),
        Limits::iterations(100_000),
        1,
    );
    assert_eq!(few.conclusion, Conclusion::Optimal);
    let best = few.offers.last().expect("a story").1;
    let problem = crowd(25);
    let many = searched(
        &problem,
        &params_of(Way::Auto),
        Limits::iterations(3_000),
        1,
    );
    let found = many.offers.last().expect("a story").1;
    assert!(found <= best, "{} {}", found.score(), best.score());
    assert!(many.bound().is_some_and(|bound| bound <= found));
}

/// Long before a proof: plans of the relaxation lead to a good story.
#[test]
fn a_good_story_comes_early() {
    let problem = crowd(0);
    let proved = searched(
        &problem,
        &params_of(Way::Optimal),
        Limits::iterations(100_000),
        1,
    );
    assert_eq!(proved.conclusion, Conclusion::Optimal);
    let early = Limits::iterations(EARLY);
    let early = searched(&problem, &params_of(Way::Optimal), early, 1);
    let score = |found: &Record<Plan, Cost>| found.offers.last().expect("a story").1.score();
    assert!(proved.iterations > 4 * EARLY, "{}", proved.iterations);
    assert!(score(&early) >= 0.9 * score(&proved), "{}", score(&early));
}

/// Iterations after which a good story has to be there.
const EARLY: u64 = 30;

/// People, each of whom has to take some steps; the goal is that all have.
fn everyone(people: usize, steps: i32) -> Problem {
    let name = |name: &str| Expr::Name(name.to_owned());
    let done = |of: &str| Expr::Get(Box::new(name(of)), "done".to_owned());
    let least = |of: &str, least: f64| {
        let least = Box::new(Expr::Number(least));
        Expr::Compare(Comparison::AtLeast, Box::new(done(of)), least)
    };
    let step = ActionSpec {
        name: "Step".to_owned(),
        params: vec![("who".to_owned(), "person".to_owned())],
        distinct: true,
        preconditions: vec![Expr::Not(Box::new(least("who", f64::from(steps))))],
        effects: vec![EffectSpec::Add {
            entity: name("who"),
            attribute: "done".to_owned(),
            value: Expr::Number(1.0),
        }],
        believability: BelievabilitySpec {
            base: Expr::Number(0.99),
            rules: Vec::new(),
        },
        texts: Vec::new(),
    };
    let spec = Spec {
        types: vec![TypeSpec {
            name: "person".to_owned(),
            entities: (0..people).map(|i| format!("P{i}")).collect(),
        }],
        attributes: vec![AttributeSpec {
            owner: "person".to_owned(),
            name: "done".to_owned(),
            kind: AttributeKind::Int { min: 0, max: steps },
            is_static: false,
            default: None,
        }],
        actions: vec![step],
        goals: vec![GoalSpec {
            name: "all".to_owned(),
            expr: Expr::Quantified {
                quantifier: Quantifier::Forall,
                variable: "x".to_owned(),
                kind: "person".to_owned(),
                body: Box::new(least("x", f64::from(steps))),
            },
            weight: 1.0,
        }],
        actions_max: 50,
        ..Spec::default()
    };
    Problem::new(&spec).expect("good")
}

#[test]
fn goals_about_everyone_are_proved_by_the_whole_goal() {
    for (people, steps) in [(15, 1), (20, 1), (20, 2), (25, 2)] {
        let problem = everyone(people, steps);
        let found = searched(
            &problem,
            &params_of(Way::Auto),
            Limits::iterations(2_000),
            1,
        );
        let best = found.offers.last().expect("a story").1;
        let truth = anytime::math::pow(0.99, f64::from(people as i32 * steps));
        assert!((best.score() - truth).abs() < 1e-9, "{people}: {best:?}");
        // Of several steps of one person the relaxation sees one.
        let is_optimal = found.conclusion == Conclusion::Optimal;
        assert_eq!(is_optimal, steps == 1, "{people}, {steps}");
        assert!(found.bound().is_some_and(|bound| bound <= best));
    }
}

#[test]
fn a_goal_that_holds_costs_nothing() {
    let mut spec = quarrel();
    let alone = searched(
        &Problem::new(&spec).unwrap(),
        &params_of(Way::Optimal),
        Limits::iterations(50_000),
        1,
    );
    assert_eq!(alone.conclusion, Conclusion::Optimal);
    spec.goals.push(GoalSpec {
        name: "holds".to_owned(),
        expr: Expr::Get(Box::new(Expr::Name("Cid".to_owned())), "alive".to_owned()),
        weight: 1.0,
    });
    let both = searched(
        &Problem::new(&spec).unwrap(),
        &params_of(Way::Optimal),
        Limits::iterations(2 * alone.iterations),
        1,
    );
    assert_eq!(both.conclusion, Conclusion::Optimal);
    let best = |found: &Record<Plan, Cost>| found.offers.last().expect("a story").1;
    assert_eq!(best(&both), best(&alone));
}
