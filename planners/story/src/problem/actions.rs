//! Actions, goals and events are checked.

use super::expression::Checker;
use super::sort::Wanted;
use super::{
    EVENTS_MAX, Event, GOALS_MAX, GROUND_MAX, Goal, MUST_MAX, PARAMS_MAX, PARTS_MAX, Problem,
    SCHEMAS_MAX, Schema, TEXT_BYTES_MAX, Values, WEIGHT_MAX, world,
};
use crate::errors::{Faults, with_article};
use crate::spec::{ActionSpec, Change, EffectSpec, EventSpec, Expr, RuleSpec, Spec};
use crate::tree::{Effect, Node, Rule, Value};
use anytime::check::required;
use anytime::{Path, fault};

/// The schemas of actions.
pub(super) fn actions(problem: &mut Problem, spec: &Spec, faults: &mut Faults) {
    let mut schemas: Vec<Schema> = Vec::new();
    let all = &spec.actions;
    faults.check_list("actions", all, SCHEMAS_MAX, |faults, _, action| {
        let is_given = schemas.iter().any(|s| s.name == action.name);
        faults.check_new_name("action", &action.name, is_given);
        schemas.push(schema(problem, action, faults));
    });
    problem.schemas = schemas;
    let count = |kind: usize| problem.kinds[kind].entities.len() as u64;
    let product = |schema: &Schema| {
        let counts = schema.params.iter().map(|(_, kind)| count(*kind));
        counts.fold(1, u64::saturating_mul)
    };
    let given = problem.schemas.iter().map(product);
    let given = given.fold(0, u64::saturating_add);
    if given > GROUND_MAX {
        faults.add(fault!(
            "TOO_MANY",
            Path::root("actions"),
            "have {} choices of parameters, at most {} are supported",
            given,
            GROUND_MAX
        ));
    }
}

fn schema(problem: &Problem, spec: &ActionSpec, faults: &mut Faults) -> Schema {
    let params = params(problem, spec, faults);
    texts(spec, faults);
    let mut checker = Checker::new(problem, faults);
    checker.slots = params.len();
    checker.bound.clone_from(&params);
    let mut preconditions = Vec::new();
    let lists = [
        ("preconditions", spec.preconditions.len()),
        ("effects", spec.effects.len()),
        ("rules", spec.believability.rules.len()),
    ];
    for (what, given) in lists {
        checker
            .faults
            .fits(&Path::root(what), what, given, PARTS_MAX);
    }
    for (i, expr) in spec.preconditions.iter().enumerate().take(PARTS_MAX) {
        let node = checker.expression(&Path::root("preconditions").index(i), expr, Wanted::Bool);
        preconditions.extend(node);
    }
    checker.begin();
    let list = checker.effects(&spec.effects);
    let base = checker.believability(&Path::root("believability"), &spec.believability.base);
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

fn params(problem: &Problem, spec: &ActionSpec, faults: &mut Faults) -> Vec<(String, usize)> {
    let mut params: Vec<(String, usize)> = Vec::new();
    let list = Path::root("parameters");
    faults.fits(&list, "parameters", spec.params.len(), PARAMS_MAX);
    for (i, (name, kind)) in spec.params.iter().enumerate().take(PARAMS_MAX) {
        faults.inside(&Path::root("parameters").index(i), |faults| {
            let is_given = params.iter().any(|(other, _)| other == name);
            faults.check_new_name("parameter", name, is_given);
            // A parameter of an unknown type stays, so that its uses are not faults too.
            let kind = world::kind_of(problem, &Path::root("type_name"), kind, faults);
            let kind = kind.or((!problem.kinds.is_empty()).then_some(0));
            params.extend(kind.map(|kind| (name.clone(), kind)));
        });
    }
    params
}

fn texts(spec: &ActionSpec, faults: &mut Faults) {
    faults.fits(&Path::root("texts"), "texts", spec.texts.len(), PARTS_MAX);
    for (i, text) in spec.texts.iter().enumerate().take(PARTS_MAX) {
        faults.inside(&Path::root("texts").index(i), |faults| {
            if !faults.fits(&Path::WHOLE, "bytes", text.len(), TEXT_BYTES_MAX) {
                return;
            }
            for piece in text.split('{').skip(1) {
                let Some((name, _)) = piece.split_once('}') else {
                    faults.add(fault!(
                        "SYNTAX",
                        Path::WHOLE,
                        "has a brace that is not closed"
                    ));
                    continue;
                };
                if !spec.params.iter().any(|(param, _)| param == name) {
                    faults.add(fault!(
                        "UNKNOWN",
                        Path::WHOLE,
                        "names '{}', which is no parameter",
                        name
                    ));
                }
            }
        });
    }
}

impl Checker<'_> {
    fn effects(&mut self, list: &[EffectSpec]) -> Vec<Effect> {
        let mut effects = Vec::new();
        for (i, spec) in list.iter().enumerate().take(PARTS_MAX) {
            let back = self.faults.enter(&Path::root("effects").index(i));
            if self.down() {
                effects.extend(self.effect(spec));
            }
            self.up();
            self.faults.leave(back);
        }
        effects
    }

    fn inner(&mut self, expr: &Expr, part: &'static str) -> Option<Node> {
        let back = self.faults.enter(&Path::root(part));
        let node = self.want(expr, Wanted::Bool);
        self.faults.leave(back);
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
                self.faults
                    .fits(&Path::WHOLE, "effects", effects.len(), PARTS_MAX);
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
                checker
                    .faults
                    .fits(&Path::WHOLE, "effects", effects.len(), PARTS_MAX);
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
        let entity = self.entity(&Path::root("entity"), entity);
        let back = self.faults.enter(&Path::root("attribute"));
        let attribute = entity
            .as_ref()
            .and_then(|(_, kind)| self.attribute(*kind, name));
        if let Some(attribute) = attribute
            && self.problem.attributes[attribute].is_static
        {
            self.faults.add(fault!(
                "TYPE_MISMATCH",
                Path::WHOLE,
                "changes '{}', which is static",
                name
            ));
        }
        self.faults.leave(back);
        let wanted = match attribute.map(|a| (a, &self.problem.attributes[a].values)) {
            None | Some((_, Values::Number)) => Wanted::Number,
            Some((_, Values::Int(..))) => Wanted::Int,
            Some(_) if adds => {
                let found = format!("'{name}', which is none");
                self.faults.wrong_type("a whole number to add to", found);
                return None;
            }
            Some((_, Values::Bool)) => Wanted::Bool,
            Some((_, Values::Entity(kind))) => Wanted::Entity(*kind),
            Some((attribute, Values::Words(_))) => Wanted::WordOf(attribute),
        };
        attribute?;
        let back = self.faults.enter(&Path::root("value"));
        let value = self.want(value, wanted);
        self.faults.leave(back);
        Some(Effect::Write {
            entity: entity?.0,
            attribute: attribute?,
            value: value?,
            adds,
        })
    }

    /// A number that is a believability; what is written out has to lie in [0, 1].
    fn believability(&mut self, part: &Path<'_>, expr: &Expr) -> Option<Node> {
        let node = self.expression(part, expr, Wanted::Number);
        if let Some(Node::Const(Value::Number(given))) = node {
            self.faults.in_range(part, given, 0.0, 1.0);
        }
        node
    }

    fn rule(&mut self, index: usize, rule: &RuleSpec) -> Option<Rule> {
        if index >= PARTS_MAX {
            return None;
        }
        let rules = Path::root("rules");
        let at = rules.index(index);
        let condition = rule.condition.as_ref();
        let condition = condition.map(|c| self.expression(&at.field("condition"), c, Wanted::Bool));
        let part = at.field("change");
        let change = match &rule.change {
            Change::Set(expr) => Change::Set(self.believability(&part, expr)?),
            Change::Mul(expr) => {
                let node = self.expression(&part, expr, Wanted::Number)?;
                if let Node::Const(Value::Number(given)) = node {
                    self.faults.in_range(&part, given, 0.0, 1e9);
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
pub(super) fn goals(problem: &mut Problem, spec: &Spec, faults: &mut Faults) {
    if spec.goals.is_empty() {
        faults.add(required(&Path::root("goals")));
    }
    let mut goals: Vec<Goal> = Vec::new();
    faults.check_list("goals", &spec.goals, GOALS_MAX, |faults, i, goal| {
        let is_given = spec.goals[..i].iter().any(|g| g.name == goal.name);
        faults.check_new_name("goal", &goal.name, is_given);
        if !(goal.weight > 0.0 && goal.weight <= WEIGHT_MAX) {
            let range = format!("above 0 and at most {WEIGHT_MAX}");
            faults.out_of_range(&Path::root("weight"), goal.weight, &range);
        }
        let mut checker = Checker::new(problem, faults);
        let node = checker.expression(&Path::root("condition"), &goal.expr, Wanted::Bool);
        goals.extend(node.map(|node| Goal {
            name: goal.name.clone(),
            node,
            weight: goal.weight,
        }));
    });
    problem.goals = goals;
}

/// What has to happen, and what must not.
pub(super) fn events(problem: &mut Problem, spec: &Spec, faults: &mut Faults) {
    let must = spec.events.iter().filter(|event| event.must).count();
    let list = Path::root("events");
    let fits = faults.fits(&list, "events", spec.events.len(), EVENTS_MAX);
    if !(faults.fits(&list, "events that must happen", must, MUST_MAX) && fits) {
        return;
    }
    let mut events = Vec::new();
    for (i, given) in spec.events.iter().enumerate() {
        let found = faults.inside(&list.index(i), |faults| event(problem, given, faults));
        events.extend(found);
    }
    problem.events = events;
}

fn event(problem: &Problem, spec: &EventSpec, faults: &mut Faults) -> Option<Event> {
    let Some(schema) = problem.schemas.iter().position(|s| s.name == spec.action) else {
        faults.unknown(&Path::root("action"), "action", &spec.action);
        return None;
    };
    let params = &problem.schemas[schema].params;
    if spec.args.len() > params.len() {
        let given = spec.args.len();
        faults.add(fault!(
            "TOO_MANY",
            Path::root("entity_ids"),
            "has {} parameters, but '{}' has {}",
            given,
            spec.action.as_str(),
            params.len()
        ));
    }
    let mut args = Vec::new();
    for (i, (name, (_, kind))) in spec.args.iter().zip(params).enumerate() {
        let Some(name) = name else {
            args.push(None);
            continue;
        };
        faults.inside(&Path::root("entity_ids").index(i), |faults| {
            let entity = world::entity_of(problem, &Path::WHOLE, name, faults);
            let found = entity.map(|entity| problem.entities[entity].kind);
            if found.is_some_and(|found| found != *kind) {
                let expected = with_article(&problem.kinds[*kind].name);
                faults.wrong_type(expected, format!("'{name}'"));
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
