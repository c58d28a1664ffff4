//! Commands that follow from the contract, as the parser of command lines knows them.

use crate::args::given::{PlanArgs, ProblemArgs};
use crate::args::search::SEARCH;
use crate::args::{PictureArgs, SearchArgs, SolomonArgs, TileArgs};
use crate::contract::{self, Choice, Flag, Kind, Planner, Verb};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Arg, ArgAction, Args as _, Command};
use formats::messages::POOL;
use stratagem_proto::EXAMPLES;

/// The first sentence; clap wants no full stop.
pub(super) fn sentence(text: &str) -> String {
    let end = text.find(". ").unwrap_or(text.len());
    text[..end].trim_end_matches('.').to_owned()
}

/// A command that calls a method.
pub(super) fn of_verb(verb: &Verb) -> Command {
    let mut command = Command::new(verb.name.clone());
    command = foreign(ProblemArgs::augment_args(command), &verb.planner);
    command = match plan_flag(verb) {
        Some("plan") if verb.may_search_first() => command.arg(plan().alias("story")),
        Some("plan") => PlanArgs::augment_args(command),
        Some(_) => command.arg(
            Arg::new("previous")
                .long("previous")
                .value_name("PLAN")
                .help("A plan to begin with, or an answer with one; `-` for stdin"),
        ),
        None => command,
    };
    command = verb.flags.iter().fold(command, with_flag);
    if verb.searches() {
        command = SearchArgs::augment_args(command).next_help_heading(None);
    }
    if verb.stream.is_some() {
        let help = "Show each better plan as it is found: a live line on a terminal, else a line \
                    on stderr for each; with `-o ndjson` each step on stdout";
        let stream = Arg::new("stream").long("stream").help(help);
        command = command.arg(stream.action(ArgAction::SetTrue));
    }
    if verb.is_drawn() || verb.is_game() {
        command = PictureArgs::augment_args(command);
    }
    if verb.name == "render" {
        let alone = offline("Ask no server: draw the problem alone");
        let alone = alone.conflicts_with("level").conflicts_with_all(SEARCH);
        command = PictureArgs::augment_args(command.arg(alone));
    }
    command
        .about(sentence(&verb.about))
        .long_about(verb.about.clone())
        .after_long_help(after(verb))
}

/// The command that draws problems and plans of a planner.
pub(super) fn of_render(planner: &Planner) -> Command {
    let name = &planner.name;
    let mut command = foreign(ProblemArgs::augment_args(Command::new("render")), name);
    command = if contract::renders_first(planner) {
        // The same by its position, where it once stood.
        let position = Arg::new("plan_by_position").hide(true).help("The plan");
        let position = position.conflicts_with("plan").conflicts_with_all(SEARCH);
        SearchArgs::augment_args(command)
            .next_help_heading(None)
            .arg(plan().conflicts_with_all(SEARCH))
            .arg(position)
    } else {
        command.arg(plan())
    };
    if contract::judge(planner).is_some() {
        let help = "Ask no server: a plan alone is drawn without what a server knows about it";
        command = command.arg(offline(help));
    }
    let flags = contract::of_pictures(planner);
    let command = PictureArgs::augment_args(flags.iter().fold(command, with_flag));
    let about = "Draw a problem and, if there is one, its plan: text, SVG or a page of HTML";
    let example = example(name);
    let lines = [
        format!("render {example}"),
        format!("render {example} --plan answer.json --svg plan.svg"),
    ];
    command
        .about(about)
        .long_about(format!(
            "{about}. Asks a server only for an example that is not built in"
        ))
        .after_long_help(listed(name, &lines))
}

fn offline(help: &'static str) -> Arg {
    let offline = Arg::new("offline").long("offline").help(help);
    offline.action(ArgAction::SetTrue)
}

fn plan() -> Arg {
    let help =
        "The plan, or an answer with one, as commands print it with `-o json`; `-` for stdin";
    Arg::new("plan").long("plan").value_name("PLAN").help(help)
}

/// As what a plan is given, if it is.
fn plan_flag(verb: &Verb) -> Option<&'static str> {
    let field = verb.plan_field()?;
    Some(if field.name() == "previous_plan" {
        "previous"
    } else {
        "plan"
    })
}

/// What problems in foreign formats leave open.
fn foreign(command: Command, planner: &str) -> Command {
    let command = match planner {
        "allocation" => SolomonArgs::augment_args(command),
        "patrol" => TileArgs::augment_args(command),
        _ => command,
    };
    command.next_help_heading(None)
}

/// Words, each with what the contract states about it.
fn possible(choices: &[Choice]) -> PossibleValuesParser {
    let values = choices
        .iter()
        .map(|it| PossibleValue::new(it.name.clone()).help(sentence(&it.about)));
    PossibleValuesParser::new(values)
}

/// Reads members of an enum of the contract, by its full name.
pub(in crate::args) fn of_enum(name: &str) -> impl TypedValueParser<Value = i32> {
    let choices = POOL.get_enum_by_name(name);
    let choices = choices.map_or_else(Vec::new, |of| contract::choices(&of));
    possible(&choices).map(move |word| {
        let found = choices.iter().find(|it| it.name == word);
        found.map_or(0, |it| it.number)
    })
}

pub(in crate::args) fn with_flag(command: Command, flag: &Flag) -> Command {
    let mut arg = Arg::new(flag.long.clone())
        .long(flag.long.clone())
        .aliases(flag.aliases.iter().copied())
        .help(flag.help.trim_end_matches('.').to_owned())
        .required(flag.is_required())
        .conflicts_with_all(flag.conflicts.iter().copied());
    if let Some(other) = flag.requires {
        arg = arg.requires(other);
    }
    if !flag.takes_value() {
        return command.arg(arg.action(ArgAction::SetTrue));
    }
    let action = if flag.is_list() {
        ArgAction::Append
    } else {
        ArgAction::Set
    };
    arg = arg.action(action).value_name(flag.value_name());
    arg = arg.allow_negative_numbers(true);
    arg = match flag.choices() {
        Some(choices) => arg.value_parser(possible(&choices)),
        None => {
            let flag = flag.clone();
            arg.value_parser(move |word: &str| flag.read(word).map(|_| word.to_owned()))
        }
    };
    if !matches!(flag.kind, Kind::Rest) {
        return command.arg(arg);
    }
    // The same by its position, where it once stood.
    let position = Arg::new("by_position")
        .hide(true)
        .help("The same, by its position");
    command
        .arg(arg.required(false).required_unless_present("by_position"))
        .arg(position.conflicts_with(flag.long.clone()))
}

/// Examples of calls.
fn examples(verb: &Verb) -> Vec<String> {
    let name = &verb.name;
    let problem = example(&verb.planner);
    let needed: Vec<String> = verb
        .flags
        .iter()
        .filter(|flag| flag.is_required())
        .map(|flag| format!(" --{} {}", flag.long, flag.value_name().to_lowercase()))
        .collect();
    let plan = match plan_flag(verb) {
        Some("plan") if !verb.may_search_first() => " --plan answer.json",
        _ => "",
    };
    let base = format!("{name} {problem}{plan}{}", needed.concat());
    let mut examples = vec![base.clone()];
    if verb.searches() {
        examples.push(format!("{base} --budget 2s -o json > answer.json"));
        examples.push(format!("{base} --max-iterations 20000 --seed 7"));
    } else {
        examples.push(format!("{base} -o json"));
    }
    if verb.stream.is_some() {
        examples.push(format!("{base} --budget 10s --stream -o ndjson"));
    }
    if plan_flag(verb) == Some("previous") {
        examples.push(format!(
            "{name} later.json --previous answer.json --budget 250ms"
        ));
    }
    if verb.is_drawn() || verb.is_game() {
        examples.push(format!("{base} --svg plan.svg --html plan.html"));
    }
    examples
}

/// An example that comes with the program, or a file.
fn example(planner: &str) -> String {
    let known = EXAMPLES.iter().find(|example| example.planner == planner);
    let name = known.and_then(|example| example.name.rsplit('/').next());
    name.map_or("problem.json".into(), |name| format!("example:{name}"))
}

fn listed(planner: &str, examples: &[String]) -> String {
    let lines = examples.iter();
    let lines = lines.map(|example| format!("  stratagem {planner} {example}\n"));
    format!("Examples:\n{}", lines.collect::<String>())
}

/// Examples and, unless the text above has them, exit codes.
fn after(verb: &Verb) -> String {
    let examples = listed(&verb.planner, &examples(verb));
    if verb.about.contains("Exit code") {
        return examples;
    }
    let codes = if verb.searches() {
        "0 solved, 3 proved infeasible, 4 nothing feasible found, 5 invalid problem, 130 Ctrl-C (with
  --stream the best plan so far is printed)."
    } else {
        "0 answered, 4 no result exists, 5 invalid problem or plan."
    };
    format!("{examples}\nExit codes:\n  {codes}")
}
