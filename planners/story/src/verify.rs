//! The independent check of a story: an interpreter that walks the checked expressions, and shares
//! nothing with the search.

mod bound;
mod interpreter;
mod leaves;

pub use bound::verify_bound;

use crate::plan::{Action, Cost, Plan};
use crate::problem::Problem;
use crate::spec::Change;
use crate::tree::Value;
use anytime::{Fault, Path, fault};
use interpreter::{World, number};

/// The influence of a rule on a believability.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Influence {
    /// Index of the rule in the schema.
    pub rule: usize,
    /// What it set, or by what it multiplied.
    pub change: Change<f64>,
    /// The believability after it, before clamping.
    pub after: f64,
}

/// How believable an action is, and why.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// The base.
    pub base: f64,
    /// The rules that applied, in order.
    pub influences: Vec<Influence>,
    /// The slider of the action.
    pub slider: f64,
    /// The believability, in [0, 1].
    pub believability: f64,
    /// What it changed: attribute and entity by index, and the new value.
    pub changes: Vec<(usize, usize, Value)>,
    /// G after this action.
    pub goals: f64,
    /// E of the story until here.
    pub score: f64,
}

/// The account of a story, step by step.
#[derive(Debug, Clone, PartialEq)]
pub struct Account {
    /// One for each action.
    pub steps: Vec<Step>,
    /// Which goals hold at the end.
    pub met: Vec<bool>,
    /// G, the weight of the goals met in that of all goals.
    pub goals: f64,
    /// B, the product of all believabilities (equation 5.4).
    pub believability: f64,
    /// E = G * B (equation 5.1).
    pub score: f64,
    /// The same as a cost.
    pub cost: Cost,
}

/// The cost of a story.
///
/// # Errors
/// All broken rules up to the first action that cannot be done, with paths in `acts`.
pub fn verify(problem: &Problem, plan: &Plan) -> Result<Cost, Vec<Fault>> {
    account(problem, plan).map(|account| account.cost)
}

/// The account of a story: what every action's believability is made of.
///
/// # Errors
/// As of [`verify`].
pub fn account(problem: &Problem, plan: &Plan) -> Result<Account, Vec<Fault>> {
    let (given, max) = (plan.actions.len(), problem.actions_max());
    if given > max {
        return Err(vec![fault!(
            "STORY_TOO_LONG",
            Path::root("acts"),
            "have {} actions, at most {} are allowed",
            given,
            max
        )]);
    }
    let (mut faults, acts) = (Vec::new(), Path::root("acts"));
    let mut world = World::new(problem);
    let mut steps = Vec::new();
    let mut believability = 1.0;
    for (index, action) in plan.actions.iter().enumerate() {
        let broken = broken(&world, action, &acts.index(index));
        if !broken.is_empty() {
            faults.extend(broken);
            return Err(faults);
        }
        let mut step = judge(&world, action);
        if step.believability <= 0.0 {
            faults.push(fault!(
                "UNBELIEVABLE",
                acts.index(index),
                "has believability 0"
            ));
        }
        let next = world.after(action);
        step.changes = world.changes(&next);
        world = next;
        believability *= step.believability;
        step.goals = goals(&world).1;
        step.score = step.goals * believability;
        steps.push(step);
    }
    check_events(problem, plan, &acts, &mut faults);
    if !faults.is_empty() {
        return Err(faults);
    }
    let (met, goals) = goals(&world);
    let score = goals * believability;
    Ok(Account {
        steps,
        met,
        goals,
        believability,
        score,
        cost: Cost::of_score(score),
    })
}

/// Every event that must happen and does not.
fn check_events(problem: &Problem, plan: &Plan, acts: &Path<'_>, faults: &mut Vec<Fault>) {
    for (index, event) in problem.events().iter().enumerate() {
        let mut happened = plan.actions.iter();
        if event.must && !happened.any(|a| event.matches(a.schema, &a.args)) {
            faults.push(fault!(
                "EVENT_MISSING",
                acts,
                "lack event {}, '{}', which must happen",
                index,
                problem.schemas()[event.schema].name.as_str()
            ));
        }
    }
}

/// Which goals hold, and G.
fn goals(world: &World<'_>) -> (Vec<bool>, f64) {
    let goals = world.problem.goals();
    let met = goals.iter().map(|goal| world.holds(&goal.node, &[]));
    let met: Vec<bool> = met.collect();
    let weights = goals.iter().zip(&met).filter(|(_, met)| **met);
    let weight: f64 = weights.map(|(goal, _)| goal.weight).sum();
    (met, weight / world.problem.weight())
}

/// Why an action cannot be done here.
fn broken(world: &World<'_>, action: &Action, at: &Path<'_>) -> Vec<Fault> {
    let problem = world.problem;
    let none = || vec![fault!("NO_SUCH_ACTION", at, "is no action of the domain")];
    let Some(schema) = problem.schemas().get(action.schema) else {
        return none();
    };
    let kind = |entity: &usize| problem.entities().get(*entity).map(|entity| entity.kind);
    let found: Vec<_> = action.args.iter().map(kind).collect();
    let wanted: Vec<_> = schema.params.iter().map(|(_, kind)| Some(*kind)).collect();
    if found != wanted {
        return none();
    }
    let mut faults = Vec::new();
    let twice = |i: usize| action.args[..i].contains(&action.args[i]);
    if schema.distinct && (0..action.args.len()).any(twice) {
        faults.push(fault!(
            "NOT_DISTINCT",
            at,
            "has one entity for two parameters, which have to be different"
        ));
    }
    for (precondition, node) in schema.preconditions.iter().enumerate() {
        if !world.holds(node, &action.args) {
            faults.push(fault!(
                "PRECONDITION",
                at,
                "needs precondition {} of '{}', which does not hold",
                precondition,
                schema.name.as_str()
            ));
        }
    }
    for event in problem.events() {
        if !event.must && event.matches(action.schema, &action.args) {
            faults.push(fault!(
                "EVENT_FORBIDDEN",
                at,
                "is '{}', which must not happen",
                schema.name.as_str()
            ));
        }
    }
    faults
}

/// How believable an action is here, and why.
fn judge(world: &World<'_>, action: &Action) -> Step {
    let schema = &world.problem.schemas()[action.schema];
    let value = |node| number(world.value(node, &action.args));
    let base = value(&schema.base);
    let mut now = base;
    let mut influences = Vec::new();
    for (rule, spec) in schema.rules.iter().enumerate() {
        let condition = spec.condition.as_ref();
        if condition.is_some_and(|condition| !world.holds(condition, &action.args)) {
            continue;
        }
        let change = match &spec.change {
            Change::Set(node) => Change::Set(value(node)),
            Change::Mul(node) => Change::Mul(value(node)),
        };
        now = match change {
            Change::Set(number) => number,
            Change::Mul(number) => now * number,
        };
        influences.push(Influence {
            rule,
            change,
            after: now,
        });
    }
    let clamped = now.clamp(0.0, 1.0);
    let slider = schema.slider;
    Step {
        base,
        influences,
        slider,
        believability: (clamped * slider).clamp(0.0, 1.0),
        changes: Vec::new(),
        goals: 0.0,
        score: 0.0,
    }
}
