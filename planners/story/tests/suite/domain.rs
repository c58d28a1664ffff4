//! What a domain means: compiled rules and the interpreter agree, and the figures are those of the
//! rules as written.

use crate::{quarrel, quarrel_with};
use anytime::Fault;
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use story::play::Rules;
use story::spec::{Change, EventSpec};
use story::{Action, Plan, Play, Problem, account, verify};

fn action(problem: &Problem, name: &str, args: &[&str]) -> Action {
    let entity = |name: &&str| {
        problem
            .entities()
            .iter()
            .position(|e| e.name == **name)
            .expect("known")
    };
    Action {
        schema: problem
            .schemas()
            .iter()
            .position(|s| s.name == name)
            .expect("known"),
        args: args.iter().map(entity).collect(),
    }
}

/// Ben comes to Ann and steals the purse; Ann takes the knife at the inn and kills Ben.
fn revenge(problem: &Problem) -> Plan {
    let actions = [
        ("Move", &["Ann", "Inn"][..]),
        ("Steal", &["Ben", "Ann", "Purse"]),
        ("Take", &["Ann", "Knife"]),
        ("Kill", &["Ann", "Ben", "Knife"]),
    ];
    Plan {
        actions: actions
            .iter()
            .map(|(name, args)| action(problem, name, args))
            .collect(),
    }
}

#[test]
fn a_story_is_worth_its_goals_times_its_believability() {
    let problem = Problem::new(&quarrel()).unwrap();
    let account = account(&problem, &revenge(&problem)).unwrap();
    let expected = 0.98 * 0.9 * 0.97 * (0.9 * 0.9);
    assert!((account.believability - expected).abs() < 1e-12);
    assert_eq!(account.met, [true, false]);
    assert!((account.score - expected / 1.5).abs() < 1e-12);
    assert!((account.cost.score() - account.score).abs() < 1e-11);
}

#[test]
fn the_account_says_which_rule_did_what() {
    let problem = Problem::new(&quarrel()).unwrap();
    let account = account(&problem, &revenge(&problem)).unwrap();
    let kill = &account.steps[3];
    let rules: Vec<usize> = kill.influences.iter().map(|i| i.rule).collect();
    assert_eq!((kill.base, rules), (0.05, vec![0, 1, 2]));
    assert_eq!(kill.influences[1].change, Change::Set(0.9));
    assert_eq!(kill.influences[2].change, Change::Mul(0.9));
}

#[test]
fn the_story_in_which_nothing_happens_is_worth_its_goals() {
    let problem = Problem::new(&quarrel()).unwrap();
    assert_eq!(verify(&problem, &Plan::default()).unwrap().score(), 0.0);
    let mut spec = quarrel();
    spec.goals[0].expr = story::spec::Expr::Bool(true);
    let problem = Problem::new(&spec).unwrap();
    let score = verify(&problem, &Plan::default()).unwrap().score();
    assert!((score - 1.0 / 1.5).abs() < 1e-11);
}

/// Codes and fields of the rules that a story breaks.
fn broken<T>(checked: &Result<T, Vec<Fault>>) -> Vec<String> {
    let faults = checked.as_ref().err().into_iter().flatten();
    faults
        .map(|it| format!("{} {}", it.code, it.field()))
        .collect()
}

#[test]
fn a_slider_multiplies_and_zero_forbids() {
    let problem = Problem::new(&quarrel()).unwrap();
    let slider = |factor| quarrel_with(&[("Steal", factor)]);
    let half = account(&slider(0.5), &revenge(&problem)).unwrap();
    assert!((half.steps[1].believability - 0.45).abs() < 1e-12);
    let twice = account(&slider(2.0), &revenge(&problem)).unwrap();
    assert_eq!(twice.steps[1].believability, 1.0);
    let never = verify(&slider(0.0), &revenge(&problem));
    assert_eq!(broken(&never), ["UNBELIEVABLE acts[1]"]);
}

#[test]
fn what_must_happen_is_missed_and_what_must_not_is_found() {
    let mut spec = quarrel();
    let event = |action: &str, args: &[Option<&str>], must| EventSpec {
        action: action.to_owned(),
        args: args.iter().map(|arg| arg.map(str::to_owned)).collect(),
        must,
    };
    spec.events = vec![
        event("Move", &[Some("Cid")], true),
        event("Kill", &[None, Some("Ben")], false),
    ];
    let problem = Problem::new(&spec).unwrap();
    let mut plan = revenge(&problem);
    let forbidden = verify(&problem, &plan);
    assert_eq!(broken(&forbidden), ["EVENT_FORBIDDEN acts[3]"]);
    let text = forbidden.unwrap_err()[0].to_string();
    assert_eq!(text, "acts[3] is 'Kill', which must not happen");
    plan.actions.pop();
    assert_eq!(broken(&verify(&problem, &plan)), ["EVENT_MISSING acts"]);
    plan.actions
        .push(action(&problem, "Move", &["Cid", "Home"]));
    assert!(verify(&problem, &plan).is_ok());
    spec.events = vec![
        event("Move", &[Some("Cid")], true),
        event("Move", &[Some("Cid"), Some("Inn")], true),
    ];
    let problem = Problem::new(&spec).unwrap();
    let missing = verify(&problem, &revenge(&problem)).unwrap_err();
    let texts: Vec<_> = missing.iter().map(ToString::to_string).collect();
    let lack = |event| format!("acts lack event {event}, 'Move', which must happen");
    assert_eq!(texts, [lack(0), lack(1)]);
}

#[test]
fn an_action_that_cannot_be_done_is_a_violation() {
    let problem = Problem::new(&quarrel()).unwrap();
    let mut plan = revenge(&problem);
    plan.actions.remove(0);
    let apart = verify(&problem, &plan);
    assert_eq!(broken(&apart), ["PRECONDITION acts[0]"]);
    let text = apart.unwrap_err()[0].to_string();
    assert_eq!(
        text,
        "acts[0] needs precondition 3 of 'Steal', which does not hold"
    );
    plan.actions[0].args.pop();
    assert_eq!(broken(&verify(&problem, &plan)), ["NO_SUCH_ACTION acts[0]"]);
    plan.actions[0].schema = 99;
    assert_eq!(broken(&verify(&problem, &plan)), ["NO_SUCH_ACTION acts[0]"]);
}

/// All actions of a domain, possible or not.
fn all_actions(problem: &Problem) -> Vec<Action> {
    let mut all = Vec::new();
    for (schema, given) in problem.schemas().iter().enumerate() {
        let mut choices = vec![Vec::new()];
        for (_, kind) in &given.params {
            let entities = problem.kinds()[*kind].entities.clone();
            let longer = |args: &Vec<usize>| {
                let args = args.clone();
                entities
                    .clone()
                    .map(move |e| [args.clone(), vec![e]].concat())
            };
            choices = choices.iter().flat_map(longer).collect();
        }
        all.extend(choices.into_iter().map(|args| Action { schema, args }));
    }
    all
}

proptest! {
    /// Random stories: the compiled rules offer exactly what the interpreter lets happen, and give
    /// it the same score.
    #[test]
    fn compiled_rules_and_interpreter_agree(seed: u64, distinct: bool) {
        let mut spec = quarrel();
        spec.actions[2].distinct = distinct;
        let problem = Problem::new(&spec).unwrap();
        let rules = Rules::new(&problem);
        let mut play = Play::new(&rules);
        let mut plan = Plan::default();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        loop {
            prop_assert_eq!(account(&problem, &plan).unwrap().score, play.score());
            let count = play.choices();
            if count == 0 {
                break;
            }
            let mut offered: Vec<_> = (0..count).map(|i| play.choice(i)).collect();
            let chosen = rng.random_range(0..count);
            let next = offered[chosen].clone();
            offered.sort();
            let mut legal = all_actions(&problem);
            legal.retain(|action| {
                let mut longer = plan.clone();
                longer.actions.push(action.clone());
                verify(&problem, &longer).is_ok()
            });
            prop_assert_eq!(offered, legal);
            play.act(chosen);
            plan.actions.push(next);
        }
        prop_assert_eq!(plan.actions.len(), problem.actions_max());
    }
}
