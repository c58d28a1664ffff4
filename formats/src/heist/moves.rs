//! Plans of others: what a PDDL planner writes, and lists of actions in JSON.
//!
//! * Plan files: an action `(name argument ...)` on a line, maybe after a time and a colon, maybe
//!   before a duration in brackets; comments from `;` to the end of the line. Capitals do not
//!   matter. Names are those of the problem that [`super::pddl`] writes.
//! * JSON: `[["approach", "d1"], ["unlock", "d1", "k1"], ...]`, with the ids of the problem.

use super::super::json::document;
use super::super::words::lines;
use super::super::{Mistake, unless_wrong};
use super::Names;
use std::collections::BTreeSet;
use stratagem_proto::v1::{HeistPlan, HeistProblem, HeistStep, HeistVerb};
use stratagem_render::heist::{Scene, Thing};

/// Longest plan that is read, in actions: that of the contract.
const STEPS_MAX: usize = 1_000_000;
/// Most mistakes that are listed.
const MISTAKES_MAX: usize = 20;

/// Whether a text looks like a plan file, and not like one of our messages.
#[must_use]
pub fn looks_like(text: &str) -> bool {
    let lines = text.lines().map(str::trim);
    let first = lines
        .into_iter()
        .find(|l| !l.is_empty() && !l.starts_with(';'));
    match first {
        Some(line) => untimed(line).starts_with('('),
        None => !text.trim().is_empty(),
    }
}

/// Whether a text is a list of actions in JSON.
#[must_use]
pub fn is_list(text: &str) -> bool {
    text.trim_start().starts_with('[')
}

/// Reads a list of actions in JSON. Whether they can be done is the server's to say.
///
/// # Errors
/// All mistakes, at most 20.
pub fn read_list(text: &str) -> Result<HeistPlan, Vec<Mistake>> {
    let list: Vec<Vec<String>> = document(text).map_err(|m| vec![m])?;
    let mut mistakes = Vec::new();
    let mut steps = Vec::new();
    for (n, words) in list.iter().enumerate() {
        let mut words = words.iter().map(String::as_str);
        let verb = words.next().and_then(verb);
        let rest: Vec<&str> = words.collect();
        match (verb, rest.as_slice()) {
            (Some(verb), [target]) if keys(verb) == 0 => steps.push(step(verb, target, "")),
            (Some(verb), [target, key]) if keys(verb) == 1 => steps.push(step(verb, target, key)),
            (None, _) => mistakes.push(at_item(n, "no action that there is")),
            (Some(_), _) => mistakes.push(at_item(
                n,
                "one thing is wanted, and a key to lock and unlock",
            )),
        }
    }
    finish(steps, mistakes)
}

/// Reads a plan file of a PDDL planner for a problem. Steps at the dummy thing near an agent at
/// nothing are left out: they have no effect.
///
/// # Errors
/// All mistakes by their lines, at most 20: no action, a name that is not of the problem or of the
/// wrong kind, another agent.
pub fn read(text: &str, problem: &HeistProblem) -> Result<HeistPlan, Vec<Mistake>> {
    let scene = Scene::new(problem);
    let names = Names::new(&scene);
    let reader = Reader {
        rooms: scene.world.rooms.iter().map(|r| r.id.as_str()).collect(),
        items: scene.items().collect(),
        scene: &scene,
        names: &names,
    };
    let mut mistakes = Vec::new();
    let mut steps = Vec::new();
    for line in lines(text) {
        let code = line.text.split(';').next().unwrap_or("").trim();
        if code.is_empty() {
            continue;
        }
        match reader.action(code) {
            Ok(step) => steps.extend(step),
            Err(message) => mistakes.push(line.wrong(message)),
        }
        if mistakes.len() >= MISTAKES_MAX {
            break;
        }
    }
    finish(steps, mistakes)
}

fn finish(steps: Vec<HeistStep>, mut mistakes: Vec<Mistake>) -> Result<HeistPlan, Vec<Mistake>> {
    mistakes.truncate(MISTAKES_MAX);
    if steps.len() > STEPS_MAX {
        mistakes.push(Mistake::new(format!("more than {STEPS_MAX} actions")));
    }
    unless_wrong(HeistPlan { steps }, mistakes)
}

fn at_item(n: usize, message: &str) -> Mistake {
    Mistake::in_element(format!("[{n}]"), message)
}

fn step(verb: HeistVerb, target: &str, key: &str) -> HeistStep {
    HeistStep {
        verb: verb.into(),
        target_id: target.into(),
        key_id: key.into(),
    }
}

/// The verb of a word.
fn verb(word: &str) -> Option<HeistVerb> {
    Some(match word {
        "approach" => HeistVerb::Approach,
        "open" => HeistVerb::Open,
        "close" => HeistVerb::Close,
        "unlock" => HeistVerb::Unlock,
        "lock" => HeistVerb::Lock,
        "enter" | "enter-as-due" => HeistVerb::Enter,
        "pick-up" => HeistVerb::PickUp,
        "operate" => HeistVerb::Operate,
        _ => return None,
    })
}

/// How many keys an action takes.
fn keys(verb: HeistVerb) -> usize {
    usize::from(matches!(verb, HeistVerb::Lock | HeistVerb::Unlock))
}

/// A line without the time before its action.
fn untimed(line: &str) -> &str {
    match line.split_once(':') {
        Some((time, rest)) if time.trim().parse::<f64>().is_ok() => rest.trim_start(),
        _ => line,
    }
}

/// A line without the duration behind its action.
fn unlasting(line: &str) -> &str {
    let cut = line.strip_suffix(']').and_then(|l| l.rsplit_once('['));
    match cut {
        Some((before, duration)) if duration.trim().parse::<f64>().is_ok() => before.trim_end(),
        _ => line,
    }
}

struct Reader<'s> {
    scene: &'s Scene<'s>,
    names: &'s Names,
    rooms: BTreeSet<&'s str>,
    items: BTreeSet<&'s str>,
}

impl Reader<'_> {
    fn action(&self, code: &str) -> Result<Option<HeistStep>, String> {
        let code = unlasting(untimed(code));
        let inside = code.strip_prefix('(').and_then(|c| c.strip_suffix(')'));
        let inside = inside.filter(|c| !c.contains(['(', ')']));
        let Some(inside) = inside else {
            return Err(
                "an action in parentheses is wanted, as (approach burglar hall start d1)".into(),
            );
        };
        let lower = inside.to_ascii_lowercase();
        let mut words = lower.split_whitespace();
        let name = words.next().unwrap_or("");
        let Some(verb) = verb(name) else {
            return Err(format!("there is no action `{}`", shown(name)));
        };
        let arguments: Vec<&str> = words.collect();
        let wanted = arguments_of(verb);
        let listed = verb == HeistVerb::Enter && (wanted..=wanted + 2).contains(&arguments.len());
        if arguments.len() != wanted && !listed {
            return Err(format!(
                "{name} takes {wanted} arguments, not {}",
                arguments.len()
            ));
        }
        if self.names.id(arguments[0]) != Some(self.scene.name()) {
            let agent = self.names.name(self.scene.name());
            return Err(format!(
                "{name} is done by {}, not by {agent}",
                shown(arguments[0])
            ));
        }
        self.step(verb, &arguments[1..])
    }

    fn step(&self, verb: HeistVerb, arguments: &[&str]) -> Result<Option<HeistStep>, String> {
        let target = match (verb, arguments) {
            (HeistVerb::Approach, [room, from, to]) => {
                self.room(room)?;
                self.thing_or_nothing(from)?;
                to
            }
            // Places on a list say nothing that a plan of ours would.
            (HeistVerb::Enter, [door, from, to, ..]) => {
                let sides = [self.room(from)?, self.room(to)?];
                self.sides(door, sides)?;
                door
            }
            (_, [target, ..]) => target,
            _ => return Err("something is missing".into()),
        };
        if *target == self.names.nothing() {
            return Ok(None);
        }
        if verb == HeistVerb::PickUp {
            self.thing_or_nothing(arguments[1])?;
            return Ok(Some(step(verb, self.item(target)?, "")));
        }
        let (id, _) = self.thing(target)?;
        let key = match keys(verb) {
            0 => "",
            _ => self.item(arguments[1])?,
        };
        Ok(Some(step(verb, id, key)))
    }

    fn id(&self, name: &str) -> Result<&str, String> {
        let id = self.names.id(name);
        id.ok_or_else(|| format!("the problem has no `{}`", shown(name)))
    }

    fn room(&self, name: &str) -> Result<&str, String> {
        let id = self.id(name)?;
        let known = self.rooms.contains(id);
        known
            .then_some(id)
            .ok_or_else(|| format!("`{name}` is no room"))
    }

    fn item(&self, name: &str) -> Result<&str, String> {
        let id = self.id(name)?;
        let known = self.items.contains(id);
        known
            .then_some(id)
            .ok_or_else(|| format!("`{name}` is no key and no artifact"))
    }

    fn thing(&self, name: &str) -> Result<(&str, Thing), String> {
        let id = self.id(name)?;
        let thing = self.scene.thing(id);
        let thing = thing.ok_or_else(|| format!("`{name}` is nothing to stand at"))?;
        Ok((id, thing))
    }

    fn thing_or_nothing(&self, name: &str) -> Result<(), String> {
        if name == self.names.nothing() {
            return Ok(());
        }
        self.thing(name).map(|_| ())
    }

    /// That a door is between two rooms.
    fn sides(&self, door: &str, [from, to]: [&str; 2]) -> Result<(), String> {
        let (_, thing) = self.thing(door)?;
        let room = |id: &str| self.scene.room(id);
        let behind = match thing {
            Thing::Door(n) => room(from).and_then(|room| self.scene.behind(n, room)),
            _ => None,
        };
        if behind.is_some() && behind == room(to) {
            return Ok(());
        }
        Err(format!("`{door}` is no door from `{from}` to `{to}`"))
    }
}

/// Arguments of an action in PDDL.
fn arguments_of(verb: HeistVerb) -> usize {
    match verb {
        HeistVerb::Approach | HeistVerb::Enter => 4,
        HeistVerb::Lock | HeistVerb::Unlock | HeistVerb::PickUp => 3,
        _ => 2,
    }
}

/// A name as messages show it, not too long.
fn shown(name: &str) -> String {
    name.chars().take(60).collect()
}
