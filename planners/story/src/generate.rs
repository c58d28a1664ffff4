//! Random small domains, for tests and benches: few things, but every kind of condition, effect and
//! rule.

use crate::problem::Problem;
use crate::spec::{
    ActionSpec, AttributeKind, AttributeSpec, BelievabilitySpec, Change, Comparison, EffectSpec,
    EventSpec, Expr, GoalSpec, Literal, Quantifier, RuleSpec, Setting, Spec, TypeSpec,
};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Variables of type `thing` that a condition may speak about.
type Names<'n> = &'n [&'n str];

/// A domain of 2 or 3 things in 2 places, with 2 to 4 schemas, 1 to 3 goals and at most 4 actions a
/// story; sometimes with an event that must not or has to happen. Its goals may be out of reach,
/// but not so clearly that [`Problem::new`] notices.
#[must_use]
pub fn domain(seed: u64) -> Spec {
    let mut maker = Maker {
        rng: Xoshiro256PlusPlus::seed_from_u64(seed),
    };
    loop {
        let spec = maker.domain();
        if Problem::new(&spec).is_ok() {
            return spec;
        }
    }
}

impl Maker {
    fn domain(&mut self) -> Spec {
        let maker = self;
        let things: Vec<String> = (0..maker.below(2) + 2).map(|i| format!("T{i}")).collect();
        let kind = |name: &str, kind| attribute(name, kind);
        let thing = || "thing".to_owned();
        let attributes = vec![
            kind("open", AttributeKind::Bool),
            kind("lost", AttributeKind::Bool),
            kind("level", AttributeKind::Int { min: 0, max: 2 }),
            kind("place", AttributeKind::Entity("place".to_owned())),
            kind("friend", AttributeKind::Entity(thing())),
        ];
        let mut init = Vec::new();
        for entity in &things {
            init.push(Setting {
                entity: entity.clone(),
                attribute: "place".to_owned(),
                value: Literal::Name(format!("P{}", maker.below(2))),
            });
            init.push(Setting {
                entity: entity.clone(),
                attribute: "level".to_owned(),
                value: Literal::Number(maker.below(3) as f64),
            });
        }
        let actions: Vec<ActionSpec> = (0..maker.below(3) + 2).map(|i| maker.action(i)).collect();
        let names: Vec<&str> = things.iter().map(String::as_str).collect();
        let goals = (0..maker.below(3) + 1).map(|i| GoalSpec {
            name: format!("goal {i}"),
            expr: maker.condition(&names, 2),
            weight: 0.5 + maker.below(3) as f64,
        });
        let goals = goals.collect();
        let events = (0..maker.below(8) / 6).map(|_| EventSpec {
            action: actions[0].name.clone(),
            args: vec![None; actions[0].params.len()],
            must: maker.chance(50),
        });
        let types = [
            ("thing", things.clone()),
            ("place", vec!["P0".to_owned(), "P1".to_owned()]),
        ];
        Spec {
            types: types
                .map(|(name, entities)| TypeSpec {
                    name: name.to_owned(),
                    entities,
                })
                .into(),
            attributes,
            init,
            events: events.collect(),
            actions,
            goals,
            actions_max: maker.below(3) + 2,
            ..Spec::default()
        }
    }
}

fn attribute(name: &str, kind: AttributeKind) -> AttributeSpec {
    AttributeSpec {
        owner: "thing".to_owned(),
        name: name.to_owned(),
        kind,
        is_static: false,
        default: None,
    }
}

fn name(name: &str) -> Expr {
    Expr::Name(name.to_owned())
}

fn get(of: &str, attribute: &str) -> Expr {
    Expr::Get(Box::new(name(of)), attribute.to_owned())
}

fn compare(how: Comparison, left: Expr, right: Expr) -> Expr {
    Expr::Compare(how, Box::new(left), Box::new(right))
}

struct Maker {
    rng: Xoshiro256PlusPlus,
}

impl Maker {
    fn below(&mut self, count: usize) -> usize {
        self.rng.random_range(0..count)
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn pick<'n>(&mut self, names: Names<'n>) -> &'n str {
        names[self.below(names.len())]
    }

    fn number(&mut self, most: usize) -> Expr {
        Expr::Number(self.below(most + 1) as f64)
    }

    fn action(&mut self, index: usize) -> ActionSpec {
        let second = self.chance(60);
        let names: Names<'_> = if second { &["a", "b"] } else { &["a"] };
        let params = names.iter().map(|n| ((*n).to_owned(), "thing".to_owned()));
        let some = self.below(3);
        let preconditions = (0..some).map(|_| self.condition(names, 1)).collect();
        let some = self.below(2) + 1;
        let effects = (0..some).map(|_| self.effect(names, 2)).collect();
        let some = self.below(3);
        let rules = (0..some).map(|_| self.rule(names)).collect();
        ActionSpec {
            name: format!("A{index}"),
            params: params.collect(),
            distinct: self.chance(70),
            preconditions,
            effects,
            believability: BelievabilitySpec {
                base: Expr::Number(0.3 + 0.1 * self.below(8) as f64),
                rules,
            },
            texts: Vec::new(),
        }
    }

    fn rule(&mut self, names: Names<'_>) -> RuleSpec {
        let condition = self.chance(85).then(|| self.condition(names, 1));
        let change = match self.below(4) {
            0 => Change::Set(Expr::Number(0.2 * self.below(6) as f64)),
            1 => Change::Mul(Expr::Number(0.5)),
            2 => Change::Set(Expr::Number(0.9)),
            _ => Change::Mul(Expr::Max(vec![Expr::Number(0.6), get(names[0], "level")])),
        };
        RuleSpec { condition, change }
    }

    fn condition(&mut self, names: Names<'_>, depth: usize) -> Expr {
        let (x, y) = (self.pick(names), self.pick(names));
        let choices = if depth == 0 { 6 } else { 10 };
        match self.below(choices) {
            0 => get(x, "open"),
            1 => Expr::Not(Box::new(get(x, "lost"))),
            2 => compare(Comparison::AtLeast, get(x, "level"), self.number(2)),
            3 => compare(Comparison::Equal, get(x, "place"), get(y, "place")),
            4 => compare(Comparison::Equal, get(x, "friend"), name(y)),
            5 => compare(Comparison::Unequal, get(x, "place"), name("P0")),
            6 => self.quantified(names, depth - 1),
            7 => Expr::Not(Box::new(self.condition(names, depth - 1))),
            8 => Expr::Or(vec![
                self.condition(names, depth - 1),
                self.condition(names, depth - 1),
            ]),
            _ => Expr::And(vec![
                self.condition(names, depth - 1),
                self.condition(names, depth - 1),
            ]),
        }
    }

    fn quantified(&mut self, names: Names<'_>, depth: usize) -> Expr {
        let variable = format!("z{depth}");
        let mut all = names.to_vec();
        all.push(&variable);
        let body = self.condition(&all, depth);
        let make = |quantifier| Expr::Quantified {
            quantifier,
            variable: variable.clone(),
            kind: "thing".to_owned(),
            body: Box::new(body.clone()),
        };
        match self.below(3) {
            0 => make(Quantifier::Exists),
            1 => make(Quantifier::Forall),
            _ => compare(
                Comparison::AtLeast,
                make(Quantifier::Count),
                Expr::Number(2.0),
            ),
        }
    }

    fn effect(&mut self, names: Names<'_>, depth: usize) -> EffectSpec {
        let (x, y) = (self.pick(names), self.pick(names));
        let set = |attribute: &str, value| EffectSpec::Set {
            entity: name(x),
            attribute: attribute.to_owned(),
            value,
        };
        match self.below(if depth == 0 { 6 } else { 8 }) {
            0 => set("open", Expr::Bool(self.chance(70))),
            1 => set("lost", Expr::Bool(self.chance(70))),
            2 => set("place", name(["P0", "P1"][self.below(2)])),
            3 => set("friend", if self.chance(80) { name(y) } else { Expr::Null }),
            4 => set("place", get(y, "place")),
            5 => EffectSpec::Add {
                entity: name(x),
                attribute: "level".to_owned(),
                value: Expr::Number(self.below(4) as f64 - 1.0),
            },
            6 => EffectSpec::When {
                condition: self.condition(names, 1),
                effects: vec![self.effect(names, depth - 1)],
            },
            _ => {
                let variable = format!("e{depth}");
                let mut all = names.to_vec();
                all.push(&variable);
                EffectSpec::Each {
                    condition: self.condition(&all, 1),
                    effects: vec![self.effect(&all, depth - 1)],
                    kind: "thing".to_owned(),
                    variable: variable.clone(),
                }
            }
        }
    }
}
