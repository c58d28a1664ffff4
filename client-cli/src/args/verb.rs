//! Commands about planners: those that follow from the contract, and those that are more than one
//! call.

mod command;

use super::given::ProblemArgs;
use super::{
    ForeignArgs, HeistCommand, NarrativeCommand, PictureArgs, PuzzleCommand, SearchArgs,
    SolomonArgs, StoryCommand, TileArgs,
};
use crate::contract::{self, Flag, Kind, Planner};
use clap::{ArgMatches, Command, Error, FromArgMatches, Subcommand};
pub(super) use command::{of_enum, with_flag};
use command::{of_render, of_verb, sentence};
use prost_reflect::Value;
use std::collections::BTreeMap;
use std::sync::LazyLock;
use stratagem_proto::v1::SolveOptions;

/// Commands that are more than one call of a method, or about more than problems.
#[derive(Debug, Subcommand)]
pub enum Special {
    /// Narratives.
    #[command(subcommand)]
    Narrative(NarrativeCommand),
    /// Levels.
    #[command(subcommand)]
    Puzzle(PuzzleCommand),
    /// Heists.
    #[command(subcommand)]
    Heist(HeistCommand),
    /// Stories.
    #[command(subcommand)]
    Story(StoryCommand),
}

/// A command about a planner.
#[derive(Debug)]
pub enum PlannerCommand {
    /// A method, or `render`.
    Verb(Box<VerbArgs>),
    /// Another.
    Special(Box<Special>),
}

/// What a method of a planner, or `render`, is given.
#[derive(Debug)]
pub struct VerbArgs {
    /// Name of the planner.
    pub planner: String,
    /// Name of the verb, as in `plan`.
    pub verb: String,
    /// The problem.
    pub problem: ProblemArgs,
    /// The plan, where one is asked about.
    pub plan: Option<String>,
    /// A plan to begin with.
    pub previous: Option<String>,
    /// Whether the steps of the search are shown.
    pub stream: bool,
    /// Whether no server is asked.
    pub offline: bool,
    /// How to search.
    pub search: SearchArgs,
    /// What files in foreign formats leave open.
    pub foreign: ForeignArgs,
    /// Where pictures go.
    pub pictures: PictureArgs,
    /// The values of flags, by their names.
    pub values: BTreeMap<String, Vec<Value>>,
}

impl VerbArgs {
    /// The options of the search, without those that are flags of the planner.
    #[must_use]
    pub fn options(&self) -> SolveOptions {
        self.search.options()
    }

    /// The value of a flag, if it was given.
    #[must_use]
    pub fn value(&self, flag: &Flag) -> Option<&[Value]> {
        self.values.get(&flag.long).map(Vec::as_slice)
    }
}

/// The commands of [`Special`].
static SPECIAL: LazyLock<Command> =
    LazyLock::new(|| Special::augment_subcommands(Command::new("special")));

/// Hidden verbs that are `plan --stream`.
const STREAMS: [(&str, &str); 1] = [("narrative", "watch")];

impl Subcommand for PlannerCommand {
    fn augment_subcommands(command: Command) -> Command {
        let nouns = contract::planners().iter().map(|planner| {
            let own = SPECIAL.find_subcommand(&planner.name).cloned();
            let own = own.unwrap_or_else(|| Command::new(planner.name.clone()));
            noun(own, planner)
        });
        command.subcommands(nouns)
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        Self::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        contract::planner(name).is_some()
    }
}

/// A planner with its commands.
fn noun(command: Command, planner: &Planner) -> Command {
    let mut command = command
        .about(sentence(&contract::about_service(&planner.service)))
        .aliases(contract::aliases(&planner.name, None))
        .subcommand_required(true)
        .arg_required_else_help(true);
    for verb in planner.verbs() {
        if command.find_subcommand(&verb.name).is_some() {
            continue;
        }
        let aliases = contract::aliases(&planner.name, Some(&verb.name));
        let order = usize::from(verb.name != "plan");
        let one = of_verb(verb).display_order(order);
        let streams = STREAMS.iter().filter(|(name, _)| *name == planner.name);
        for (_, name) in streams.filter(|_| verb.name == "plan") {
            command = command.subcommand(one.clone().name(*name).hide(true));
        }
        command = command.subcommand(one.aliases(aliases));
    }
    if command.find_subcommand("render").is_none() {
        let aliases = contract::aliases(&planner.name, Some("render"));
        let render = of_render(planner).aliases(aliases).display_order(2);
        command = command.subcommand(render);
    }
    command
}

impl FromArgMatches for PlannerCommand {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let given = matches.subcommand().and_then(|(planner, inner)| {
            let planner = contract::planner(planner)?;
            let (name, inner) = inner.subcommand()?;
            of_matches(planner, name, inner)
        });
        match given {
            Some(args) => args.map(|args| Self::Verb(Box::new(args))),
            None => {
                let special = Special::from_arg_matches(matches)?;
                Ok(Self::Special(Box::new(special)))
            }
        }
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// What was given to a verb; `None` for another command.
fn of_matches(
    planner: &Planner,
    name: &str,
    inner: &ArgMatches,
) -> Option<Result<VerbArgs, Error>> {
    let own = SPECIAL.find_subcommand(&planner.name);
    if own.is_some_and(|own| own.find_subcommand(name).is_some()) {
        return None;
    }
    let is_streamed = STREAMS.contains(&(planner.name.as_str(), name));
    let verb = if is_streamed { "plan" } else { name };
    let pictures;
    let flags = match planner.verb_of(verb) {
        Some(verb) => &verb.flags,
        None => {
            pictures = contract::of_pictures(planner);
            &pictures
        }
    };
    Some(read(planner, verb, flags, inner).map(|args| VerbArgs {
        stream: args.stream || is_streamed,
        ..args
    }))
}

fn read(
    planner: &Planner,
    verb: &str,
    flags: &[Flag],
    matches: &ArgMatches,
) -> Result<VerbArgs, Error> {
    // Whether it is there, given or by default. Builds without debug assertions of clap do not
    // report ids that a command does not have.
    let has = |id: &str| matches.ids().any(|it| it == id);
    let text = |id: &str| {
        let value = matches.try_get_one::<String>(id).ok().flatten();
        value.cloned()
    };
    let is_set = |id: &str| is_set(matches, id);
    let search = has("seed").then(|| SearchArgs::from_arg_matches(matches));
    let is_drawn = has("svg") || has("html");
    let pictures = is_drawn.then(|| PictureArgs::from_arg_matches(matches));
    let mut foreign = ForeignArgs::default();
    match planner.name.as_str() {
        "allocation" => foreign.solomon = SolomonArgs::from_arg_matches(matches)?,
        "patrol" => foreign.tiles = TileArgs::from_arg_matches(matches)?,
        _ => {}
    }
    Ok(VerbArgs {
        planner: planner.name.clone(),
        verb: verb.to_owned(),
        problem: ProblemArgs::from_arg_matches(matches)?,
        plan: text("plan").or_else(|| text("plan_by_position")),
        previous: text("previous"),
        stream: is_set("stream"),
        offline: is_set("offline"),
        search: search.transpose()?.unwrap_or_default(),
        foreign,
        pictures: pictures.transpose()?.unwrap_or_default(),
        values: values(flags, matches)?,
    })
}

fn is_set(matches: &ArgMatches, id: &str) -> bool {
    matches.try_get_one::<bool>(id).ok().flatten() == Some(&true)
}

/// The values of flags that were given, by their names.
pub(super) fn values(
    flags: &[Flag],
    matches: &ArgMatches,
) -> Result<BTreeMap<String, Vec<Value>>, Error> {
    let mut values = BTreeMap::new();
    for flag in flags {
        let all = |id: &str| {
            let words = matches.try_get_many::<String>(id).ok().flatten();
            words.map(|words| words.cloned().collect::<Vec<_>>())
        };
        let words = if flag.takes_value() {
            let position = || all("by_position").filter(|_| matches!(flag.kind, Kind::Rest));
            all(&flag.long).or_else(position)
        } else {
            is_set(matches, &flag.long).then(Vec::new)
        };
        let Some(words) = words else { continue };
        // Those of the flag's parser, which has been here.
        let read = words.iter().map(|word| flag.read(word));
        let read = read.collect::<Result<_, _>>();
        let read = read.map_err(|e| Error::raw(clap::error::ErrorKind::InvalidValue, e))?;
        values.insert(flag.long.clone(), read);
    }
    Ok(values)
}
