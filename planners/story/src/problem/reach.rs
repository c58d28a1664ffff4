//! Goals that can never hold, as far as a relaxation shows: whatever was once possible stays
//! possible, and every part of an expression may have any of its possible values, whatever the
//! others have. In domains with more than 255 words nothing is claimed.

use super::may::{May, NOBODY, Set, either, exactly};
use super::{Problem, Values};
use crate::errors::Faults;
use crate::spec::{Comparison, Quantifier};
use crate::tree::{Effect, Node};
use anytime::{Path, fault};

/// Choices of parameters up to which each is looked at; beyond, all of a schema at once.
const EACH_MAX: u64 = 5_000;
/// Steps after which nothing is claimed.
const STEPS_MAX: u64 = 3_000_000;

/// Which values every attribute of every entity may come to have.
struct Reach<'p> {
    problem: &'p Problem,
    may: Vec<Vec<May>>,
    steps: u64,
    changed: bool,
}

/// Notes goals that can never hold, and events that have to happen and cannot.
pub(super) fn impossible(problem: &Problem, faults: &mut Faults) {
    if problem.words.len() > NOBODY {
        return;
    }
    let attributes = problem.attributes.iter();
    let mut reach = Reach {
        problem,
        may: attributes
            .map(|a| a.init.iter().map(exactly).collect())
            .collect(),
        steps: 0,
        changed: true,
    };
    let mut happens = vec![false; problem.events.len()];
    while std::mem::take(&mut reach.changed) {
        for schema in 0..problem.schemas.len() {
            reach.schema(schema, &mut happens);
            // What is possible stays possible: there is nothing left to be found.
            if reach.is_all_possible(&happens) {
                return;
            }
        }
        if reach.steps > STEPS_MAX {
            return;
        }
    }
    for (i, goal) in problem.goals.iter().enumerate() {
        if let Some(why) = reach.why_not(&goal.node) {
            faults.add(fault!(
                "NEVER_HOLDS",
                Path::root("goals").index(i).field("condition"),
                "can never hold: {}",
                why
            ));
        }
    }
    for (i, event) in problem.events.iter().enumerate().filter(|(_, e)| e.must) {
        if !happens[i] {
            let name = problem.schemas[event.schema].name.as_str();
            faults.add(fault!(
                "NEVER_HOLDS",
                Path::root("events").index(i),
                "must happen, but '{}' never can",
                name
            ));
        }
    }
}

/// Entities that slots may hold.
type Slots = Vec<Set>;

impl Reach<'_> {
    /// Whether every goal may hold, and every event that has to happen may.
    fn is_all_possible(&mut self, happens: &[bool]) -> bool {
        let problem = self.problem;
        let mut events = problem.events.iter().zip(happens);
        let mut goals = problem.goals.iter();
        events.all(|(event, happens)| *happens || !event.must)
            && goals.all(|goal| self.may_hold(&goal.node, &mut Vec::new()))
    }

    /// Lets the actions of a schema happen.
    fn schema(&mut self, index: usize, happens: &mut [bool]) {
        let problem = self.problem;
        let schema = &problem.schemas[index];
        let all = schema.params.iter();
        let mut all: Slots = all
            .map(|(_, kind)| problem.kinds[*kind].entities.clone().collect())
            .collect();
        let choices = all
            .iter()
            .map(|s| u64::from(s.count()))
            .fold(1, u64::saturating_mul);
        if choices <= EACH_MAX {
            self.choose(index, &mut Vec::new(), happens);
        } else {
            self.act(index, &mut all, happens);
        }
    }

    fn choose(&mut self, index: usize, chosen: &mut Slots, happens: &mut [bool]) {
        let problem = self.problem;
        let Some((_, kind)) = problem.schemas[index].params.get(chosen.len()) else {
            self.act(index, chosen, happens);
            return;
        };
        for entity in problem.kinds[*kind].entities.clone() {
            chosen.push(Set::single(entity));
            self.choose(index, chosen, happens);
            chosen.pop();
        }
    }

    fn act(&mut self, index: usize, slots: &mut Slots, happens: &mut [bool]) {
        if self.steps > STEPS_MAX {
            return;
        }
        let problem = self.problem;
        let schema = &problem.schemas[index];
        let args: Vec<_> = slots.iter().map(|slot| slot.single_element()).collect();
        let args_known: Option<Vec<usize>> = args.iter().copied().collect();
        let same = |args: &Vec<usize>| (1..args.len()).any(|i| args[..i].contains(&args[i]));
        let forbidden = |args: &Vec<usize>| {
            problem
                .events
                .iter()
                .any(|e| !e.must && e.matches(index, args))
        };
        if let Some(args) = &args_known
            && (schema.distinct && same(args) || forbidden(args))
        {
            return;
        }
        if schema.slider <= 0.0 || !schema.preconditions.iter().all(|p| self.may_hold(p, slots)) {
            return;
        }
        for (i, event) in problem.events.iter().enumerate() {
            let mut pairs = event.args.iter().zip(&args);
            let fits =
                pairs.all(|(wanted, arg)| wanted.is_none() || arg.is_none() || wanted == arg);
            happens[i] |= event.schema == index && fits;
        }
        self.write_all(&schema.effects, slots);
    }

    fn write_all(&mut self, effects: &[Effect], slots: &mut Slots) {
        for effect in effects {
            match effect {
                Effect::Write { .. } => self.write(effect, slots),
                Effect::When { condition, effects } => {
                    if self.may_hold(condition, slots) {
                        self.write_all(effects, slots);
                    }
                }
                Effect::Each {
                    kind,
                    condition,
                    effects,
                    ..
                } => {
                    for entity in self.problem.kinds[*kind].entities.clone() {
                        slots.push(Set::single(entity));
                        if self.may_hold(condition, slots) {
                            self.write_all(effects, slots);
                        }
                        slots.pop();
                    }
                }
            }
        }
    }

    fn write(&mut self, effect: &Effect, slots: &mut Slots) {
        let Effect::Write {
            entity,
            attribute,
            value,
            adds,
        } = effect
        else {
            return;
        };
        let new = self.may(value, slots);
        for entity in self.entities(entity, slots).iter() {
            if entity == NOBODY {
                continue;
            }
            let local = self.problem.local(entity);
            let old = &mut self.may[*attribute][local];
            let joined = match (&*old, &new) {
                (May::Truth(a, b), May::Truth(c, d)) => May::Truth(*a || *c, *b || *d),
                (May::Of(a), May::Of(b)) => May::Of(a.union(*b)),
                (May::Number(a, b), May::Number(c, d)) => {
                    let Values::Int(min, max) = self.problem.attributes[*attribute].values else {
                        continue;
                    };
                    // Once it moves, it may go on to the limit.
                    let (low, high) = (f64::from(min), f64::from(max));
                    if *adds {
                        let down = if *c < 0.0 { low } else { *a };
                        May::Number(down, if *d > 0.0 { high } else { *b })
                    } else {
                        May::Number(a.min(c.clamp(low, high)), b.max(d.clamp(low, high)))
                    }
                }
                // Of null an attribute is false or 0 and not null.
                _ => *old,
            };
            if joined != *old {
                *old = joined;
                self.changed = true;
            }
        }
    }

    fn entities(&mut self, node: &Node, slots: &mut Slots) -> Set {
        match self.may(node, slots) {
            May::Of(all) => all,
            _ => Set::default(),
        }
    }

    fn may_hold(&mut self, node: &Node, slots: &mut Slots) -> bool {
        self.truth(node, slots).1
    }

    /// Whether it may be false, and whether it may be true.
    fn truth(&mut self, node: &Node, slots: &mut Slots) -> (bool, bool) {
        match self.may(node, slots) {
            May::Truth(no, yes) => (no, yes),
            _ => (true, true),
        }
    }

    fn number(&mut self, node: &Node, slots: &mut Slots) -> (f64, f64) {
        match self.may(node, slots) {
            May::Number(low, high) => (low, high),
            _ => (0.0, 0.0),
        }
    }

    fn may(&mut self, node: &Node, slots: &mut Slots) -> May {
        self.steps += 1;
        match node {
            Node::Const(value) => exactly(value),
            Node::Slot(slot) => May::Of(slots[*slot]),
            Node::Get(entity, attribute) => self.get(entity, *attribute, slots),
            Node::Compare(how, sides) => {
                let (no, yes) = self.compare(*how, sides, slots);
                May::Truth(no, yes)
            }
            Node::Arithmetic(operation, sides) => {
                let (a, b) = self.number(&sides[0], slots);
                let (c, d) = self.number(&sides[1], slots);
                May::calculated(*operation, a..=b, c..=d)
            }
            Node::And(all) => {
                let truths = all.iter().map(|one| self.truth(one, slots));
                let (no, yes) = truths.fold((false, true), |(no, yes), t| (no || t.0, yes && t.1));
                May::Truth(no, yes)
            }
            Node::Or(all) => {
                let truths = all.iter().map(|one| self.truth(one, slots));
                let (no, yes) = truths.fold((true, false), |(no, yes), t| (no && t.0, yes || t.1));
                May::Truth(no, yes)
            }
            Node::Not(one) => {
                let (no, yes) = self.truth(one, slots);
                May::Truth(yes, no)
            }
            Node::Quantified { .. } => self.quantified(node, slots),
            Node::Table(table, entity) => {
                let numbers = &self.problem.tables[*table].numbers;
                let all = self.entities(entity, slots).iter();
                let all = all.map(|e| numbers.get(e).copied().unwrap_or(0.0));
                let (low, high) = all.fold((f64::MAX, f64::MIN), |(l, h), n| (l.min(n), h.max(n)));
                May::Number(low, high)
            }
            Node::If(parts) => {
                let (a, b) = (self.may(&parts[1], slots), self.may(&parts[2], slots));
                either(a, b)
            }
            Node::Min(all) | Node::Max(all) => {
                let all: Vec<_> = all.iter().map(|one| self.number(one, slots)).collect();
                let is_min = matches!(node, Node::Min(_));
                let join = if is_min { f64::min } else { f64::max };
                let ends = all
                    .into_iter()
                    .reduce(|(a, b), (c, d)| (join(a, c), join(b, d)));
                let (low, high) = ends.unwrap_or((0.0, 0.0));
                May::Number(low, high)
            }
        }
    }

    fn get(&mut self, entity: &Node, attribute: usize, slots: &mut Slots) -> May {
        let all = self.entities(entity, slots);
        let mut found: Option<May> = None;
        for entity in all.iter() {
            let one = match &self.problem.attributes[attribute].values {
                _ if entity != NOBODY => self.may[attribute][self.problem.local(entity)],
                Values::Bool => May::Truth(true, false),
                Values::Int(..) | Values::Number => May::Number(0.0, 0.0),
                Values::Words(_) | Values::Entity(_) => May::Of(Set::single(NOBODY)),
            };
            found = Some(match found {
                Some(before) => either(before, one),
                None => one,
            });
        }
        found.unwrap_or(May::Of(Set::default()))
    }

    fn compare(&mut self, how: Comparison, sides: &[Node; 2], slots: &mut Slots) -> (bool, bool) {
        let (left, right) = (self.may(&sides[0], slots), self.may(&sides[1], slots));
        let (equal, unequal) = match (&left, &right) {
            (May::Number(a, b), May::Number(c, d)) => {
                let (less, equal, more) = (a < d, a <= d && c <= b, b > c);
                return match how {
                    Comparison::Equal => (less || more, equal),
                    Comparison::Unequal => (equal, less || more),
                    Comparison::Less => (equal || more, less),
                    Comparison::AtMost => (more, less || equal),
                    Comparison::Greater => (less || equal, more),
                    Comparison::AtLeast => (less, more || equal),
                };
            }
            (May::Of(a), May::Of(b)) => {
                (!a.is_disjoint(*b), a.count() > 1 || b.count() > 1 || a != b)
            }
            (May::Truth(a, b), May::Truth(c, d)) => (a & c || b & d, a & d || b & c),
            _ => (true, true),
        };
        if how == Comparison::Equal {
            (unequal, equal)
        } else {
            (equal, unequal)
        }
    }

    fn quantified(&mut self, node: &Node, slots: &mut Slots) -> May {
        let Node::Quantified {
            quantifier,
            kind,
            body,
            ..
        } = node
        else {
            return May::Truth(true, true);
        };
        let (mut sure, mut possible, mut total) = (0, 0, 0);
        for entity in self.problem.kinds[*kind].entities.clone() {
            slots.push(Set::single(entity));
            let (no, yes) = self.truth(body, slots);
            slots.pop();
            total += 1;
            possible += usize::from(yes);
            sure += usize::from(!no);
        }
        match quantifier {
            Quantifier::Count => May::Number(sure as f64, possible as f64),
            Quantifier::Exists => May::Truth(sure == 0, possible > 0),
            Quantifier::Forall => May::Truth(sure < total, possible == total),
        }
    }

    /// Why an expression can never hold: its first part that cannot. None: it may.
    fn why_not(&mut self, node: &Node) -> Option<String> {
        if self.may_hold(node, &mut Vec::new()) {
            return None;
        }
        if let Node::And(all) = node {
            let part = all
                .iter()
                .position(|one| !self.may_hold(one, &mut Vec::new()));
            return Some(match part {
                Some(part) => format!("nothing that can happen makes operand {part} true"),
                None => "nothing that can happen makes all of it true".to_owned(),
            });
        }
        Some("nothing that can happen makes it true".to_owned())
    }
}
