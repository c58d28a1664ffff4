//! Problems of every planner: files, stdin, examples.

#[cfg(test)]
mod tests;

use super::planner::planner_of;
use super::{Text, all_invalid, invalid, text};
use crate::args::{ConnectionArgs, ForeignArgs, SolomonArgs, TileArgs};
use crate::call::quick;
use crate::connect::Connection;
use crate::exit::{Exit, Failure};
use crate::formats::{
    self, Described, Format, heist as heists, narrative, patrol, psplib, reflect, solomon,
    temporal, vrplib,
};
use stratagem_proto::v1::{AnyProblem, GetExampleRequest, GetExampleResponse};
use stratagem_proto::{EXAMPLES, Example};

/// A problem of one of the planners.
pub use stratagem_proto::v1::any_problem::Kind;

/// Reads a problem of any planner from a file, `-` for stdin, or `example:NAME`.
///
/// Examples that are built in need no server; for others one is asked.
///
/// # Errors
/// [`Exit::USAGE`] for what cannot be read, [`Exit::INVALID`] for what is no problem, and those of
/// the call.
pub async fn problem(
    source: &str,
    foreign: ForeignArgs,
    server: &ConnectionArgs,
) -> Result<Kind, Failure> {
    let Some(name) = source.strip_prefix("example:") else {
        let text = text(source)?;
        let planner = planner_of(&text, "allocation");
        return parse(&text, &planner, foreign);
    };
    refuse_foreign(foreign)?;
    match built_in(name)? {
        Some(local) => example(local),
        None => remote(name, server).await,
    }
}

/// Reads a problem of one planner, as [`problem`] does: an ambiguous file is of this planner.
///
/// # Errors
/// Those of [`problem`], and [`Exit::USAGE`] for a problem of another planner.
pub async fn problem_of<M: Described>(source: &str, server: &ConnectionArgs) -> Result<M, Failure> {
    foreign_problem_of(source, ForeignArgs::default(), server).await
}

/// The same, with what files in foreign formats leave open.
///
/// # Errors
/// Those of [`problem_of`].
pub async fn foreign_problem_of<M: Described>(
    source: &str,
    foreign: ForeignArgs,
    server: &ConnectionArgs,
) -> Result<M, Failure> {
    let planner = reflect::planner_of::<M>();
    let found = if source.starts_with("example:") {
        problem(&own(source, &planner), foreign, server).await?
    } else {
        let text = text(source)?;
        parse(&text, &planner_of(&text, &planner), foreign)?
    };
    reflect::typed_problem(&found).ok_or_else(|| elsewhere(source, &found))
}

/// The name of an example, with the command's planner where that has an example of this name.
fn own(source: &str, planner: &str) -> String {
    let name = source.strip_prefix("example:");
    let full = name.map(|name| format!("{planner}/{name}"));
    let known = full.filter(|full| EXAMPLES.iter().any(|e| e.name == *full));
    known.map_or_else(|| source.to_owned(), |full| format!("example:{full}"))
}

/// A problem that another command is for.
fn elsewhere(source: &str, problem: &Kind) -> Failure {
    let planner = reflect::planner(problem);
    Failure::usage(format!(
        "{source} is a problem of the planner {planner}: see `stratagem {planner}`"
    ))
}

/// The built-in example of a name, with or without its planner: `allocation/raid` or `raid`.
///
/// # Errors
/// [`Exit::USAGE`] when several planners have one of that name.
pub fn built_in(name: &str) -> Result<Option<&'static Example>, Failure> {
    let short = |e: &&Example| e.name.rsplit('/').next() == Some(name);
    if let Some(exact) = EXAMPLES.iter().find(|e| e.name == name) {
        return Ok(Some(exact));
    }
    let found: Vec<_> = EXAMPLES.iter().filter(short).collect();
    if found.len() > 1 {
        let names: Vec<_> = found.iter().map(|e| e.name).collect();
        let names = names.join(", ");
        return Err(Failure::usage(format!("`{name}` could be any of {names}")));
    }
    Ok(found.first().copied())
}

/// The problem of a built-in example.
///
/// # Errors
/// [`Exit::INVALID`] when this program cannot read it.
pub fn example(example: &Example) -> Result<Kind, Failure> {
    let text = Text {
        name: format!("example:{}", example.name),
        text: example.json.to_owned(),
        format: Format::Json,
    };
    parse(&text, example.planner, ForeignArgs::default())
}

/// Asks the server for an example's problem.
async fn remote(name: &str, server: &ConnectionArgs) -> Result<Kind, Failure> {
    let connection = Connection::open(server).await?;
    let request = GetExampleRequest { name: name.into() };
    let answer: GetExampleResponse = quick(&connection, &request).await?;
    answer
        .problem
        .and_then(|p| p.kind)
        .ok_or_else(|| unknown_planner(name))
}

/// The error for a problem of a planner that is newer than this program.
pub(crate) fn unknown_planner(name: &str) -> Failure {
    Failure::usage(format!(
        "`{name}` is of a planner that this program does not know"
    ))
}

/// Reads the problem of a planner in any format.
pub(super) fn parse(text: &Text, planner: &str, foreign: ForeignArgs) -> Result<Kind, Failure> {
    let args = foreign.solomon;
    if text.format == Format::Solomon {
        refuse_tiles(foreign.tiles)?;
        let mut options = solomon::Options::default();
        options.agents = args.agents.map(usize::from).or(options.agents);
        options.rounding = args.rounding.map_or(options.rounding, Into::into);
        return solomon::read(&text.text, &options)
            .map(Kind::Allocation)
            .map_err(|e| Failure::new(Exit::INVALID, format!("{}: {e}", text.name)));
    }
    if text.format == Format::Vrplib {
        refuse_tiles(foreign.tiles)?;
        let options = vrplib::Options {
            agents: args.agents.map(usize::from),
            rounding: args.rounding.map(Into::into),
        };
        let read = vrplib::read(&text.text, options).map(Kind::Allocation);
        return read.map_err(|m| invalid(text, &m));
    }
    refuse_solomon(args)?;
    if text.format == Format::Tiles {
        let read = patrol::tiles::read(&text.text, foreign.tiles.into()).map(Kind::Patrol);
        return read.map_err(|m| all_invalid(text, &m));
    }
    let paced = planner == "patrol" && patrol::is_literature(&text.text, text.format);
    refuse_tiles(TileArgs {
        tick_us: foreign.tiles.tick_us.filter(|_| !paced),
        ..foreign.tiles
    })?;
    if text.format == Format::Psplib {
        let read = psplib::read(&text.text).map(Kind::Schedule);
        return read.map_err(|m| invalid(text, &m));
    }
    let read = match planner {
        "narrative" => narrative::read(&text.text, text.format).map(Kind::Narrative),
        "patrol" => {
            let read =
                patrol::read(&text.text, text.format, foreign.tiles.into()).map(Kind::Patrol);
            return read.map_err(|m| all_invalid(text, &m));
        }
        "heist" => {
            let read = heists::read(&text.text, text.format).map(Kind::Heist);
            return read.map_err(|m| all_invalid(text, &m));
        }
        "temporal" => temporal::read(&text.text, text.format).map(Kind::Temporal),
        "any" => match formats::read::<AnyProblem>(&text.text, text.format) {
            Ok(problem) => return problem.kind.ok_or_else(|| unknown_planner(&text.name)),
            Err(mistake) => Err(mistake),
        },
        other => reflect::read_problem(other, &text.text, text.format),
    };
    read.map_err(|m| invalid(text, &m))
}

/// Options for files in the formats of others mean nothing elsewhere, and would be missed silently.
///
/// # Errors
/// [`Exit::USAGE`] when one was given.
pub(crate) fn refuse_foreign(foreign: ForeignArgs) -> Result<(), Failure> {
    refuse_solomon(foreign.solomon)?;
    refuse_tiles(foreign.tiles)
}

/// Options for Solomon files mean nothing elsewhere, and would be missed silently.
fn refuse_solomon(args: SolomonArgs) -> Result<(), Failure> {
    if args.agents.is_some() || args.rounding.is_some() {
        return Err(Failure::usage(
            "--agents and --rounding are for files of Solomon and VRPLIB; elsewhere the problem says it",
        ));
    }
    Ok(())
}

/// The same of options for maps of tiles.
fn refuse_tiles(args: TileArgs) -> Result<(), Failure> {
    if args != TileArgs::default() {
        return Err(Failure::usage(
            "--sight and --rooms are for maps of tiles, --tick for them and instances of the \
             literature; elsewhere the problem says it",
        ));
    }
    Ok(())
}
