//! `crew compare`.

use crate::args::{CompareCrewArgs, ConnectionArgs};
use crate::call::quick;
use crate::commands::ask::show;
use crate::connect::Connection;
use crate::exit::{Exit, Failure};
use crate::input;
use crate::output::{Display, crew as texts};
use stratagem_proto::v1::{CompareCrewMovesRequest, CompareCrewMovesResponse, CrewProblem};

/// Reads problem and moves, asks what they lost, shows it.
pub(super) async fn run(
    args: &CompareCrewArgs,
    server: &ConnectionArgs,
    display: &Display,
) -> Result<Exit, Failure> {
    input::one_stdin(&[Some(&args.problem.file), Some(args.moves())])?;
    let problem: CrewProblem = input::problem_of(&args.problem.file, server).await?;
    let mut request: CompareCrewMovesRequest = input::message(args.moves())?;
    if request.problem.replace(problem.clone()).is_some() {
        let message = format!("{} has a problem of its own", args.moves());
        return Err(Failure::usage(message));
    }
    let connection = Connection::open(server).await?;
    let answer: CompareCrewMovesResponse = quick(&connection, &request).await?;
    show(display, &answer, || {
        texts::comparison(display, &request, &answer)
    })?;
    Ok(Exit::OK)
}
