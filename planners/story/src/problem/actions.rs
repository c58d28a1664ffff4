//! Actions, goals and events are checked.

use super::expression::Checker;
use super::sort::Wanted;
use super::{
    EVENTS_MAX, Event, GOALS_MAX, GROUND_MAX, Goal, MUST_MAX, PARAMS_MAX, PARTS_MAX, Problem,
    SCHEMAS_MAX, Schema, TEXT_BYTES_MAX, Values, WEIGHT_MAX, world,
};
use crate::errors::{Mistakes, Reason, with_article};
use crate::spec::{ActionSpec, Change, EffectSpec, EventSpec, Expr, RuleSpec, Spec};
use crate::tree::{Effect, Node, Rule, Value};

/// The schemas of actions.
pub(super) fn actions(problem: &mut Problem, spec: &Spec, mistakes: &mut Mistakes) {
    if !mistakes.fits("actions", spec.actions.len(), SCHEMAS_MAX) {
        return;
    }
    let mut schemas: Vec<Schema> = Vec::new();
    for (i, action) in spec.actions.iter().enumerate() {
        let back = mistakes.enter(&format!("actions[{i}]"));
        world::is_name(&action.name, mistakes);
        if schemas.iter().any(|s| s.name == action.name) {
            let (what, name) = ("action", action.name.clone());
            mistakes.note(Reason::Duplicate { what, name });
        }
        schemas.push(schema(problem, action, mistakes));
        mistakes.leave(back);
    }
    problem.schemas = schemas;
    let count = |kind: usize| problem.kinds[kind].entities.len() as u64;
    let product = |schema: &Schema| {
        let counts = schema.params.iter().map(|(_, kind)| count(*kind));
        counts.fold(1, u64::saturating_mul)
    };
    let given = problem.schemas.iter().map(product);
    let given = given.fold(0, u64::saturating_add);
    if given > GROUND_MAX {
        mistakes.inside("actions", |m| m.note(Reason::TooManyGround { given }));
    }
}

fn schema(problem: &Problem, spec: &ActionSpec, mistakes: &mut Mistakes) -> Schema {
    let params = params(problem, spec, mistakes);
    texts(spec, mistakes);
    let mut checker = Checker::new(problem, mistakes);
    checker.slots = params.len();
    checker.bound.clone_from(&params);
    let mut preconditions = Vec::new();
    let lists = [
        ("preconditions", spec.preconditions.len()),
        ("effects", spec.effects.len()),
        ("rules", spec.believability.rules.len()),
    ];
    for (what, given) in lists {
        checker.mistakes.fits(what, given, PARTS_MAX);
    }
    for (i, expr) in spec.preconditions.iter().enumerate().take(PARTS_MAX) {
        let node = checker.expression(&format!("preconditions[{i}]"), expr, Wanted::Bool);
        preconditions.extend(node);
    }
    checker.begin();
    let list = checker.effects(&spec.effects);
    let base = checker.believability("believability.base", &spec.believability.base);
    let given = spec.believability.rules.iter().enumerate();
    let rules = given.filter_map(|(i, rule)| checker.rule(i, rule));
    let rules = rules.collect();
    Schema {
        name: spec.name.clone(),
        distinct: spec.distinct,
        preconditions,
        effects: list,
        base: base.unwrap_or(Node::Const(Value::Null)),
        rules,
        texts: spec.texts.clone(),
        slider: 1.0,
        slots: checker.slots,
        params,
    }
}

fn params(problem: &Problem, spec: &ActionSpec, mistakes: &mut Mistakes) -> Vec<(String, usize)> {
    let mut params: Vec<(String, usize)> = Vec::new();
    mistakes.fits("params", spec.params.len(), PARAMS_MAX);
    for (i, (name, kind)) in spec.params.iter().enumerate().take(PARAMS_MAX) {
        mistakes.inside(&format!("params[{i}]"), |mistakes| {
            world::is_name(name, mistakes);
            if params.iter().any(|(other, _)| other == name) {
                let (what, name) = ("parameter", name.clone());
                mistakes.note(Reason::Duplicate { what, name });
            }
            // A parameter of an unknown type stays, so that its uses are not mistakes too.
            let kind = world::kind_of(problem, kind, mistakes);
            let kind = kind.or((!problem.kinds.is_empty()).then_some(0));
            params.extend(kind.map(|kind| (name.clone(), kind)));
        });
    }
    params
}

fn texts(spec: &ActionSpec, mistakes: &mut Mistakes) {
    mistakes.fits("texts", spec.texts.len(), PARTS_MAX);
    for (i, text) in spec.texts.iter().enumerate().take(PARTS_MAX) {
        mistakes.inside(&format!("texts[{i}]"), |mistakes| {
            if !mistakes.fits("bytes of a text", text.len(), TEXT_BYTES_MAX) {
                return;
            }
            for piece in text.split('{').skip(1) {
                let Some((name, _)) = piece.split_once('}') else {
                    mistakes.note(Reason::Brace);
                    continue;
                };
                if !spec.params.iter().any(|(param, _)| param == name) {
                    let name = name.to_owned();
                    mistakes.note(Reason::Placeholder { name });
                }
            }
        });
    }
}

impl Checker<'_> {
    fn effects(&mut self, list: &[EffectSpec]) -> Vec<Effect> {
        let mut effects = Vec::new();
        for (i, spec) in list.iter().enumerate().take(PARTS_MAX) {
            let back = self.mistakes.enter(&format!("effects[{i}]"));
            if self.down() {
                effects.extend(self.effect(spec));
            }
            self.up();
            self.mistakes.leave(back);
        }
        effects
    }

    fn inner(&mut self, expr: &Expr, part: &str) -> Option<Node> {
        let back = self.mistakes.enter(part);
        let node = self.want(expr, Wanted::Bool);
        self.mistakes.leave(back);
        node
    }

    fn effect(&mut self, spec: &EffectSpec) -> Option<Effect> {
        match spec {
            EffectSpec::Set {
                entity,
                attribute,
                value,
            } => self.write(entity, attribute, value, false),
            EffectSpec::Add {
                entity,
                attribute,
                value,
            } => self.write(entity, attribute, value, true),
            EffectSpec::When { condition, effects } => {
                let condition = self.inner(condition, "condition");
                self.mistakes.fits("effects", effects.len(), PARTS_MAX);
                let effects = self.effects(effects);
                Some(Effect::When {
                    condition: condition?,
                    effects,
                })
            }
            EffectSpec::Each {
                variable,
                kind,
                condition,
                effects,
            } => self.with_variable(variable, kind, |checker, slot, kind| {
                let condition = checker.inner(condition, "condition");
                checker.mistakes.fits("effects", effects.len(), PARTS_MAX);
                let effects = checker.effects(effects);
                Some(Effect::Each {
                    slot,
                    kind,
                    condition: condition?,
                    effects,
                })
            }),
        }
    }

    fn write(&mut self, entity: &Expr, name: &str, value: &Expr, adds: bool) -> Option<Effect> {
        let entity = self.entity("entity", entity);
        let back = self.mistakes.enter("attribute");
        let attribute = entity
            .as_ref()
            .and_then(|(_, kind)| self.attribute(*kind, name));
        if let Some(attribute) = attribute
            && self.problem.attributes[attribute].is_static
        {
            let name = name.to_owned();
            self.mistakes.note(Reason::Static { name });
        }
        self.mistakes.leave(back);
        let wanted = match attribute.map(|a| (a, &self.problem.attributes[a].values)) {
            None | Some((_, Values::Number)) => Wanted::Number,
            Some((_, Values::Int(..))) => Wanted::Int,
            Some(_) if adds => {
                let found = format!("'{name}', which is none");
                let expected = "a whole number to add to".into();
                self.mistakes.note(Reason::Type { expected, found });
                return None;
            }
            Some((_, Values::Bool)) => Wanted::Bool,
            Some((_, Values::Entity(kind))) => Wanted::Entity(*kind),
            Some((attribute, Values::Words(_))) => Wanted::WordOf(attribute),
        };
        attribute?;
        let back = self.mistakes.enter("value");
        let value = self.want(value, wanted);
        self.mistakes.leave(back);
        Some(Effect::Write {
            entity: entity?.0,
            attribute: attribute?,
            value: value?,
            adds,
        })
    }

    /// A number that is a believability; what is written out has to lie in [0, 1].
    fn believability(&mut self, part: &str, expr: &Expr) -> Option<Node> {
        let node = self.expression(part, expr, Wanted::Number);
        if let Some(Node::Const(Value::Number(given))) = node
            && !(0.0..=1.0).contains(&given)
        {
            let reason = Reason::Believability { given };
            self.mistakes.inside(part, |m| m.note(reason));
        }
        node
    }

    fn rule(&mut self, index: usize, rule: &RuleSpec) -> Option<Rule> {
        if index >= PARTS_MAX {
            return None;
        }
        let at = format!("believability.rules[{index}]");
        let condition = rule.condition.as_ref();
        let condition =
            condition.map(|c| self.expression(&format!("{at}.condition"), c, Wanted::Bool));
        let part = format!("{at}.change");
        let change = match &rule.change {
            Change::Set(expr) => Change::Set(self.believability(&part, expr)?),
            Change::Mul(expr) => {
                let node = self.expression(&part, expr, Wanted::Number)?;
                if let Node::Const(Value::Number(given)) = node
                    && given < 0.0
                {
                    let (min, max) = (0.0, 1e9);
                    let reason = Reason::OutOfRange { given, min, max };
                    self.mistakes.inside(&part, |m| m.note(reason));
                }
                Change::Mul(node)
            }
        };
        let condition = match condition {
            None => None,
            Some(condition) => Some(condition?),
        };
        Some(Rule { condition, change })
    }
}

/// What the story should come to.
pub(super) fn goals(problem: &mut Problem, spec: &Spec, mistakes: &mut Mistakes) {
    if spec.goals.is_empty() {
        mistakes.inside("goals", |m| m.note(Reason::None { what: "goals" }));
    }
    if !mistakes.fits("goals", spec.goals.len(), GOALS_MAX) {
        return;
    }
    let mut goals: Vec<Goal> = Vec::new();
    for (i, goal) in spec.goals.iter().enumerate() {
        let back = mistakes.enter(&format!("goals[{i}]"));
        world::is_name(&goal.name, mistakes);
        if spec.goals[..i].iter().any(|g| g.name == goal.name) {
            let (what, name) = ("goal", goal.name.clone());
            mistakes.note(Reason::Duplicate { what, name });
        }
        if !(goal.weight > 0.0 && goal.weight <= WEIGHT_MAX) {
            let given = goal.weight;
            mistakes.inside("weight", |m| m.note(Reason::Weight { given }));
        }
        let mut checker = Checker::new(problem, mistakes);
        let node = checker.expression("expr", &goal.expr, Wanted::Bool);
        goals.extend(node.map(|node| Goal {
            name: goal.name.clone(),
            node,
            weight: goal.weight,
        }));
        mistakes.leave(back);
    }
    problem.goals = goals;
}

/// What has to happen, and what must not.
pub(super) fn events(problem: &mut Problem, spec: &Spec, mistakes: &mut Mistakes) {
    let must = spec.events.iter().filter(|event| event.must).count();
    let fits = mistakes.fits("events", spec.events.len(), EVENTS_MAX);
    if !(mistakes.fits("events that have to happen", must, MUST_MAX) && fits) {
        return;
    }
    let mut events = Vec::new();
    for (i, given) in spec.events.iter().enumerate() {
        let back = mistakes.enter(&format!("events[{i}]"));
        events.extend(event(problem, given, mistakes));
        mistakes.leave(back);
    }
    problem.events = events;
}

fn event(problem: &Problem, spec: &EventSpec, mistakes: &mut Mistakes) -> Option<Event> {
    let Some(schema) = problem.schemas.iter().position(|s| s.name == spec.action) else {
        let (what, name) = ("action", spec.action.clone());
        mistakes.inside("action", |m| m.note(Reason::Unknown { what, name }));
        return None;
    };
    let params = &problem.schemas[schema].params;
    if spec.args.len() > params.len() {
        mistakes.note(Reason::EventArgs {
            given: spec.args.len(),
            expected: params.len(),
            action: spec.action.clone(),
        });
    }
    let mut args = Vec::new();
    for (i, (name, (_, kind))) in spec.args.iter().zip(params).enumerate() {
        let Some(name) = name else {
            args.push(None);
            continue;
        };
        mistakes.inside(&format!("args[{i}]"), |mistakes| {
            let entity = world::entity_of(problem, name, mistakes);
            let found = entity.map(|entity| problem.entities[entity].kind);
            if found.is_some_and(|found| found != *kind) {
                mistakes.note(Reason::Type {
                    expected: with_article(&problem.kinds[*kind].name),
                    found: format!("'{name}'"),
                });
            }
            args.push(entity);
        });
    }
    Some(Event {
        schema,
        args,
        must: spec.must,
    })
}
