//! Problems of every planner: files, stdin, examples.

#[cfg(test)]
mod tests;

use super::{Text, all_invalid, text};
use crate::args::{ConnectionArgs, ForeignArgs};
use crate::call::quick;
use crate::connect::Connection;
use crate::exit::{Exit, Failure};
use formats::{Described, Recognised, TABLE, messages};
use stratagem_proto::v1::{GetExampleRequest, GetExampleResponse};
use stratagem_proto::{EXAMPLES, Example};

/// A problem of one of the planners.
pub use stratagem_proto::v1::any_problem::Kind;

/// Reads a problem of any planner from a file, `-` for stdin, or `example:NAME`.
///
/// Examples that are built in need no server; for others one is asked.
///
/// # Errors
/// [`USAGE`](crate::exit::Exit::USAGE) for what cannot be read,
/// [`INVALID`](crate::exit::Exit::INVALID) for what is no problem, and those of the call.
pub async fn problem(
    source: &str,
    foreign: ForeignArgs,
    server: &ConnectionArgs,
) -> Result<Kind, Failure> {
    let Some(name) = source.strip_prefix("example:") else {
        return parse(&text(source)?, "allocation", foreign);
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
/// Those of [`problem`], and [`USAGE`](crate::exit::Exit::USAGE) for a problem of another planner.
pub async fn problem_of<M: Described>(source: &str, server: &ConnectionArgs) -> Result<M, Failure> {
    let planner = messages::planner_of::<M>();
    let found = problem_for(&planner, source, ForeignArgs::default(), server).await?;
    messages::typed_problem(&found).ok_or_else(|| elsewhere(source, &found))
}

/// The same for the planner of a name.
///
/// # Errors
/// Those of [`problem_of`].
pub async fn problem_for(
    planner: &str,
    source: &str,
    foreign: ForeignArgs,
    server: &ConnectionArgs,
) -> Result<Kind, Failure> {
    let found = if source.starts_with("example:") {
        problem(&own(source, planner), foreign, server).await?
    } else {
        parse(&text(source)?, planner, foreign)?
    };
    if messages::planner(&found) != planner {
        return Err(elsewhere(source, &found));
    }
    Ok(found)
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
    let planner = messages::planner(problem);
    Failure::usage(format!(
        "{source} is a problem of the planner {planner}: see `stratagem {planner}`"
    ))
}

/// The built-in example of a name, with or without its planner: `allocation/raid` or `raid`.
///
/// # Errors
/// [`USAGE`](crate::exit::Exit::USAGE) when several planners have one of that name.
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
/// [`INVALID`](crate::exit::Exit::INVALID) when this program cannot read it.
pub fn example(example: &Example) -> Result<Kind, Failure> {
    let read = formats::example(example);
    let read = read.map_err(|mistake| Failure::new(Exit::INVALID, mistake.to_string()))?;
    problem_in(read, example.name)
}

/// The problem that a server answers with.
fn problem_in(answer: GetExampleResponse, name: &str) -> Result<Kind, Failure> {
    let problem = answer.problem.and_then(|problem| problem.kind);
    problem.ok_or_else(|| {
        Failure::usage(format!(
            "`{name}` is of a planner that this program does not know"
        ))
    })
}

/// Asks the server for an example's problem.
pub(crate) async fn remote(name: &str, server: &ConnectionArgs) -> Result<Kind, Failure> {
    let connection = Connection::open(server).await?;
    let request = GetExampleRequest { name: name.into() };
    problem_in(quick(&connection, &request).await?, name)
}

/// Reads a problem in any format; a document that could be of several planners is of this one.
pub(super) fn parse(text: &Text, planner: &str, foreign: ForeignArgs) -> Result<Kind, Failure> {
    let options = foreign.options();
    let found = Recognised::new(&text.text, text.format, planner);
    if let Some(option) = found.refused(&options) {
        return Err(refusal(option));
    }
    let problem = found.read(&text.text, &options);
    problem.map_err(|mistakes| all_invalid(text, &mistakes))
}

/// Refuses options of foreign formats, which count for nothing else.
///
/// # Errors
/// [`USAGE`](crate::exit::Exit::USAGE) when one was given.
pub(crate) fn refuse_foreign(foreign: ForeignArgs) -> Result<(), Failure> {
    let given = foreign.options().given().next();
    given.map_or(Ok(()), |option| Err(refusal(option)))
}

/// An option that does not count for a file.
fn refusal(option: &str) -> Failure {
    let rows = TABLE.iter().filter(|row| row.options.contains(&option));
    let names: Vec<_> = rows.map(|row| row.name).collect();
    let names = names.join(" and ");
    Failure::usage(format!(
        "--{option} is for files of the format {names}; elsewhere the problem has it"
    ))
}
