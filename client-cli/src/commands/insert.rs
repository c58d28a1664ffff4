//! `allocation insert`.

use super::ask::{draw, show};
use crate::args::{ConnectionArgs, InsertArgs};
use crate::call::quick;
use crate::connect::Connection;
use crate::exit::{Exit, Failure};
use crate::input;
use crate::output::{Display, insertions};
use stratagem_proto::v1::{InsertTaskRequest, InsertTaskResponse};
use stratagem_render::allocation::scene;

/// Reads problem and plan, asks where the task can go, shows the places.
pub(super) async fn run(
    args: &InsertArgs,
    server: &ConnectionArgs,
    display: &Display,
) -> Result<Exit, Failure> {
    input::one_stdin(&[Some(&args.problem.file), Some(&args.plan.plan)])?;
    let mut problem =
        input::foreign_problem_of(&args.problem.file, args.solomon.into(), server).await?;
    args.now.apply(&mut problem);
    let plan = input::allocation_plan(&args.plan.plan, &problem)?;
    let connection = Connection::open(server).await?;
    let request = InsertTaskRequest {
        problem: Some(problem.clone()),
        plan: Some(plan),
        task_id: args.task.clone(),
        max_insertions: args.most,
    };
    let answer: InsertTaskResponse = quick(&connection, &request).await?;
    if let Some(plan) = &answer.plan {
        draw(&args.pictures, || scene(&problem, plan))?;
    }
    show(display, &answer, || {
        insertions::table(display, &problem, &args.task, &answer)
    })?;
    Ok(if answer.insertions.is_empty() {
        Exit::UNKNOWN
    } else {
        Exit::OK
    })
}
