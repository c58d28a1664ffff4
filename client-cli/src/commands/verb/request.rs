//! Requests of any method, from a problem and flags.

use crate::args::{SearchArgs, VerbArgs};
use crate::contract::{Flag, Kind as FlagKind, Verb};
use crate::exit::Failure;
use crate::input::{self, Kind as Problem};
use formats::messages;
use prost_reflect::{DynamicMessage, FieldDescriptor, Kind, ReflectMessage as _, Value};
use stratagem_proto::v1::{AnyPlan, HeistProblem};

/// A request, and the problem it is about.
pub(in crate::commands) struct Asked {
    pub(in crate::commands) problem: Problem,
    pub(in crate::commands) request: DynamicMessage,
}

/// The request to a method.
pub(super) fn build(verb: &Verb, args: &VerbArgs, problem: Problem) -> Result<Asked, Failure> {
    let mut request = rest(verb, args)?;
    let problem = with_flags(&verb.flags, args, problem)?;
    if verb.searches() {
        let options = messages::described(&args.options());
        request.set_field_by_name("options", Value::Message(options));
    }
    for flag in verb.flags.iter().filter(|flag| !is_of_problem(flag)) {
        if let Some(values) = args.value(flag) {
            apply(&mut request, flag, &flag.path, values)?;
        }
    }
    if let Some(source) = args.plan.as_ref().or(args.previous.as_ref()) {
        set_plan(&mut request, verb, source, &problem)?;
    }
    set_problem(&mut request, messages::of_problem(&problem));
    Ok(Asked { problem, request })
}

/// What a file has of the request, where one is given.
fn rest(verb: &Verb, args: &VerbArgs) -> Result<DynamicMessage, Failure> {
    let flags = verb.flags.iter();
    let rest = flags.filter(|flag| matches!(flag.kind, FlagKind::Rest));
    let source = rest
        .filter_map(|flag| args.value(flag)?.first()?.as_str())
        .next();
    let Some(source) = source else {
        return Ok(DynamicMessage::new(verb.method.input()));
    };
    let request = input::message_of(&verb.method.input(), source)?;
    if request.has_field_by_name("problem") {
        return Err(Failure::usage(format!("{source} has a problem of its own")));
    }
    Ok(request)
}

fn is_of_problem(flag: &Flag) -> bool {
    let sets = match flag.kind {
        FlagKind::Set(fields) => fields.first().map(|(path, _)| *path),
        _ => None,
    };
    sets.unwrap_or(&flag.path).starts_with("problem.")
}

/// A problem with what flags change in it.
pub(super) fn with_flags(
    flags: &[Flag],
    args: &VerbArgs,
    problem: Problem,
) -> Result<Problem, Failure> {
    let changes = flags.iter().filter(|flag| is_of_problem(flag));
    let changes = changes.filter_map(|flag| Some((flag, args.value(flag)?)));
    let changes: Vec<_> = changes.collect();
    if changes.is_empty() {
        return Ok(problem);
    }
    let agent = args.values.get("agent").and_then(|it| it.first()?.as_str());
    if let (Problem::Heist(problem), Some(agent)) = (&problem, agent) {
        refuse_other_agent(agent, problem)?;
    }
    let mut message = messages::of_problem(&problem);
    for (flag, values) in changes {
        apply(&mut message, flag, &flag.path, values)?;
    }
    Ok(messages::problem_kind(&args.planner, message))
}

/// The current state of a heist is that of one agent.
pub(in crate::commands) fn refuse_other_agent(
    agent: &str,
    problem: &HeistProblem,
) -> Result<(), Failure> {
    if problem.agent_id == agent || problem.current.is_none() {
        return Ok(());
    }
    let message = "the file has the current state of another agent: --agent has to be that one";
    Err(Failure::usage(message))
}

/// Does what a flag does to a message.
pub(in crate::commands) fn apply(
    message: &mut DynamicMessage,
    flag: &Flag,
    path: &str,
    values: &[Value],
) -> Result<(), Failure> {
    match flag.kind {
        FlagKind::Set(fields) => {
            for (path, text) in fields {
                let (parent, field) = parent(message, path)?;
                let value = fixed(&field, text);
                parent.set_field(&field, value);
            }
        }
        FlagKind::File(read) => {
            for value in values {
                let read = read(value.as_str().unwrap_or_default())?;
                if read.as_message().is_some() {
                    let (parent, field) = parent(message, path)?;
                    parent.set_field(&field, read);
                } else {
                    put(message, path, read)?;
                }
            }
        }
        FlagKind::Field if !flag.takes_value() => {
            let (parent, field) = parent(message, path)?;
            // What is optional holds unless it is switched off.
            parent.set_field(&field, Value::Bool(!field.supports_presence()));
        }
        FlagKind::Field | FlagKind::Percent | FlagKind::Words(_) => {
            for value in values {
                put(message, path, value.clone())?;
            }
        }
        _ => {}
    }
    Ok(())
}

/// The message in which a field at the end of a path is, and the field.
fn parent<'m>(
    message: &'m mut DynamicMessage,
    path: &str,
) -> Result<(&'m mut DynamicMessage, FieldDescriptor), Failure> {
    let wrong = || Failure::usage(format!("no field {path}"));
    let path = path.strip_prefix("problem.").unwrap_or(path);
    let (before, last) = path.rsplit_once('.').unwrap_or(("", path));
    let mut at = message;
    for name in before.split('.').filter(|name| !name.is_empty()) {
        let inner = at.get_field_by_name_mut(name).ok_or_else(wrong)?;
        at = inner.as_message_mut().ok_or_else(wrong)?;
    }
    let field = at.descriptor().get_field_by_name(last).ok_or_else(wrong)?;
    Ok((at, field))
}

/// Sets a field: a list gets more, where something has the same first field that is replaced; of a
/// message only what is set.
fn put(message: &mut DynamicMessage, path: &str, value: Value) -> Result<(), Failure> {
    if let (Some(given), "problem") = (value.as_message(), path) {
        for (field, value) in given.fields() {
            message.set_field(&field, value.clone());
        }
        return Ok(());
    }
    let (parent, field) = parent(message, path)?;
    let is_list_of_messages = field.is_list() && field.kind().as_message().is_some();
    match (value, parent.get_field_mut(&field)) {
        (Value::List(more), Value::List(list)) if is_list_of_messages => list.extend(more),
        (Value::List(more), Value::List(list)) => *list = more,
        (value, Value::List(list)) => {
            let is_of_problem = path.starts_with("problem.");
            let known = list.iter_mut().find(|it| is_same(it, &value));
            match known.filter(|_| is_of_problem) {
                Some(known) => *known = value,
                None => list.push(value),
            }
        }
        (Value::Message(given), Value::Message(own)) => {
            for (field, value) in given.fields() {
                own.set_field(&field, value.clone());
            }
        }
        (value, own) => *own = value,
    }
    Ok(())
}

/// Whether two elements of a list are the same, or messages about the same.
fn is_same(one: &Value, other: &Value) -> bool {
    let (Some(a), Some(b)) = (one.as_message(), other.as_message()) else {
        return one == other;
    };
    let first = a.descriptor().fields().next();
    first.is_some_and(|field| a.get_field(&field) == b.get_field(&field))
}

/// A value of the table.
fn fixed(field: &FieldDescriptor, text: &str) -> Value {
    let of = field.kind();
    match of {
        Kind::Enum(of) => {
            let value = of.get_value_by_name(text);
            Value::EnumNumber(value.map_or(0, |value| value.number()))
        }
        _ => Value::Bool(text == "true"),
    }
}

/// Sets the problem, or the part of it that the method takes.
fn set_problem(request: &mut DynamicMessage, problem: DynamicMessage) {
    let Some(field) = request.descriptor().get_field_by_name("problem") else {
        return;
    };
    let kind = field.kind();
    if kind.as_message() == Some(&problem.descriptor()) {
        request.set_field(&field, Value::Message(problem));
        return;
    }
    let parts: Vec<_> = problem.descriptor().fields().collect();
    if let Some(part) = parts.into_iter().find(|part| part.kind() == kind) {
        request.set_field(&field, problem.get_field(&part).into_owned());
    }
}

/// Sets the plan of a request, or what it consists of.
fn set_plan(
    request: &mut DynamicMessage,
    verb: &Verb,
    source: &str,
    problem: &Problem,
) -> Result<(), Failure> {
    let union = AnyPlan {
        kind: Some(input::plan_for(source, problem)?),
    };
    let Some(plan) = messages::member(&union) else {
        return Ok(());
    };
    let kind = plan.descriptor();
    let fields: Vec<_> = request.descriptor().fields().collect();
    let of_kind = |field: &&FieldDescriptor| field.kind().as_message() == Some(&kind);
    if let Some(field) = fields.iter().find(of_kind) {
        request.set_field(field, Value::Message(plan));
        return Ok(());
    }
    if !set_part(request, verb, &plan) {
        let field = verb.plan_field();
        let wanted = field.as_ref().map(FieldDescriptor::kind);
        let wanted = wanted.as_ref().and_then(Kind::as_message);
        let wanted = wanted.map_or("plan", |it| it.name());
        return Err(Failure::usage(format!("{source} is no {wanted}")));
    }
    Ok(())
}

/// Sets what a plan consists of; false where the plan has nothing of it.
pub(super) fn set_part(request: &mut DynamicMessage, verb: &Verb, plan: &DynamicMessage) -> bool {
    let Some(field) = verb.plan_field() else {
        return false;
    };
    let part = plan.get_field_by_name(field.name());
    let is_it = |part: &&Value| part.as_list().is_some_and(|list| !list.is_empty());
    let Some(part) = part.as_deref().filter(is_it) else {
        return false;
    };
    request.set_field(&field, part.clone());
    true
}

/// The request for the plan that another is about: with the same options, but the strategy, which
/// is that of the other.
pub(super) fn first(first: &Verb, args: &VerbArgs, asked: &Asked) -> DynamicMessage {
    let mut request = DynamicMessage::new(first.method.input());
    set_problem(&mut request, messages::of_problem(&asked.problem));
    let options = SearchArgs {
        strategy: None,
        ..args.search.clone()
    };
    let options = messages::described(&options.options());
    request.set_field_by_name("options", Value::Message(options));
    let shared = asked
        .request
        .fields()
        .filter(|(field, _)| field.name() == "style");
    for (field, value) in shared.collect::<Vec<_>>() {
        request.set_field_by_name(field.name(), value.clone());
    }
    request
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{Cli, Command, PlannerCommand};
    use crate::contract;
    use clap::Parser as _;
    use serde_json::{Value as Json, json};
    use stratagem_proto::v1::{PatrolProblem, StoryProblem, StorySlider};

    /// The request that a command line makes of a problem.
    fn request(line: &str, problem: Problem) -> Json {
        let words = ["stratagem"].into_iter().chain(line.split(' '));
        let Command::Planner(PlannerCommand::Verb(args)) =
            Cli::try_parse_from(words).unwrap().command
        else {
            panic!("{line}");
        };
        let planner = contract::planner(&args.planner).unwrap();
        let verb = planner.verb_of(&args.verb).unwrap();
        let mut variants = verb.variants.iter();
        let variant = variants.find(|it| args.values.contains_key(&it.name));
        let asked = build(variant.unwrap_or(verb), &args, problem).unwrap();
        messages::to_value(&asked.request).unwrap()
    }

    #[test]
    fn options_of_the_search_and_of_the_problem_reach_the_request() {
        let line = "allocation plan x --parallel-width 4 --threads 2 --target 0,-1.5 --now 90s";
        let given = request(line, Problem::Allocation(Default::default()));
        let expected = json!({
            "problem": {"now_offset": "90s"},
            "options": {
                "target": {"levels": [0.0, -1.5]},
                "engine": {"threads": 2, "parallel_width": 4}
            }
        });
        assert_eq!(given, expected);
        let nothing = request("schedule plan x", Problem::Schedule(Default::default()));
        assert_eq!(nothing, json!({"problem": {}, "options": {}}));
    }

    #[test]
    fn flags_that_take_no_value_and_shares_in_percent_set_fields() {
        let crew = Problem::Crew(Default::default());
        let given = request("crew plan x --no-revisits --max-ties 3", crew);
        assert_eq!(given["problem"], json!({"allow_revisits": false}));
        assert_eq!(given["max_ties"], 3);
        let heist = Problem::Heist(HeistProblem::default());
        let given = request(
            "heist plan x --slack 15 --avoid a --avoid b --avoid a",
            heist,
        );
        assert_eq!(given["max_gap"], 0.15);
        assert_eq!(given["problem"]["avoided_room_ids"], json!(["a", "b"]));
    }

    #[test]
    fn words_become_messages_and_the_world_is_what_is_analyzed() {
        let problem = HeistProblem {
            world: Some(Default::default()),
            ..HeistProblem::default()
        };
        let line = "heist analyze x --do 3:lock:d:1 --cost door=2 --cost camera=3 --capture \
                    --replan inconsistency";
        let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
        let given = request(&line, Problem::Heist(problem));
        let deed = json!({
            "tick": 3,
            "verb": "HEIST_INTERVENTION_VERB_LOCK",
            "target_id": "d:1"
        });
        assert_eq!(given["interventions"], json!([deed]));
        let rules = json!({
            "replan": "HEIST_REPLAN_ON_INCONSISTENCY",
            "costs": {"door": 2, "camera": 3}
        });
        assert_eq!(given["rules"], rules);
        assert_eq!(given["aim"], "HEIST_AIM_CAPTURE");
        assert_eq!(given["problem"], json!({}));
    }

    #[test]
    fn an_element_of_the_problem_with_the_same_key_is_replaced() {
        let slider = |action: &str, factor| StorySlider {
            action: action.into(),
            factor,
        };
        let problem = StoryProblem {
            sliders: vec![slider("Go", 2.0), slider("Kill", 3.0)],
            ..StoryProblem::default()
        };
        let line = "story plan x --slider Kill=0.5 --plain --max-acts 3 --text-seed -4";
        let given = request(line, Problem::Story(problem));
        let sliders = json!([{"action": "Go", "factor": 2.0}, {"action": "Kill", "factor": 0.5}]);
        assert_eq!(given["problem"], json!({"sliders": sliders, "max_acts": 3}));
        let style = json!({"seed": -4, "separate_sentences": true, "use_pronouns": false});
        assert_eq!(given["style"], style);
    }

    #[test]
    fn a_variant_has_a_request_of_its_own() {
        let patrol = || Problem::Patrol(PatrolProblem::default());
        let line = "patrol plan x --different 3 --min-difference 0.25";
        let given = request(line, patrol());
        assert_eq!(
            (&given["plan_count"], &given["min_distance"]),
            (&json!(3), &json!(0.25))
        );
        let given = request("patrol plan x --mixture --max-plans 5", patrol());
        assert_eq!(given["max_plans"], 5);
    }
}
