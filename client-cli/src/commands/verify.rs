//! `verify`.

use crate::args::{ConnectionArgs, VerifyArgs};
use crate::call::quick;
use crate::connect::Connection;
use crate::exit::{Exit, Failure};
use crate::input::{self, Kind};
use crate::output::{self, Display, Style, numbers, objective, table::printable};
use std::fmt::Write as _;
use stratagem_proto::v1::{AnyPlan, AnyProblem, VerifyPlanRequest, VerifyPlanResponse};
use stratagem_render::time::from_micros;

/// Reads problem and plan and has the server check them.
pub(super) async fn run(
    args: &VerifyArgs,
    server: &ConnectionArgs,
    display: &Display,
) -> Result<Exit, Failure> {
    input::one_stdin(&[Some(&args.problem.file), Some(&args.plan.plan)])?;
    let mut problem = input::problem(&args.problem.file, args.foreign, server).await?;
    if let Some(now_us) = args.now_us {
        let Kind::Allocation(problem) = &mut problem else {
            return Err(Failure::usage("--now is for problems of allocation"));
        };
        problem.now_offset = Some(from_micros(now_us));
    }
    let deciding = objective::deciding(&problem);
    let plan = input::plan_for(&args.plan.plan, &problem)?;
    let connection = Connection::open(server).await?;
    let request = VerifyPlanRequest {
        problem: Some(AnyProblem {
            kind: Some(problem),
        }),
        plan: Some(AnyPlan { kind: Some(plan) }),
    };
    let answer: VerifyPlanResponse = quick(&connection, &request).await?;
    if !output::message(display.format(), &answer)? {
        output::print(&table(display, &answer, &deciding))?;
    }
    Ok(exit(&answer, args.allow_partial))
}

/// Leaving out what is mandatory is a failure unless it is allowed.
fn exit(answer: &VerifyPlanResponse, allow_partial: bool) -> Exit {
    if answer.valid && (allow_partial || !answer.partial) {
        Exit::OK
    } else {
        Exit::UNVERIFIED
    }
}

fn table(display: &Display, answer: &VerifyPlanResponse, deciding: &[String]) -> String {
    if answer.valid {
        let verdict = if answer.partial {
            let verdict = display.styled(Style::Doubtful, "partial");
            format!("{verdict}: satisfies every rule but leaves out something mandatory")
        } else {
            format!(
                "{}: satisfies every rule",
                display.styled(Style::Good, "valid")
            )
        };
        let cost = answer
            .objective
            .as_ref()
            .map(|o| objective::full(o, deciding).0);
        return match cost {
            Some(cost) => format!("{verdict}; {cost}\n"),
            None => format!("{verdict}\n"),
        };
    }
    let broken = numbers::things(answer.violations.len() as i64, "violations");
    let mut text = format!("{}: {broken}\n", display.styled(Style::Bad, "invalid"));
    for violation in &answer.violations {
        let field = printable(&violation.field);
        let separator = if field.is_empty() { "" } else { ": " };
        let message = printable(&violation.message);
        let _ = writeln!(
            text,
            "  {field}{separator}{message} [{}]",
            printable(&violation.code)
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_partial_plan_fails_unless_it_is_allowed() {
        let answer = |valid, partial| VerifyPlanResponse {
            valid,
            partial,
            ..VerifyPlanResponse::default()
        };
        assert_eq!(exit(&answer(true, false), false), Exit::OK);
        assert_eq!(exit(&answer(true, true), false), Exit::UNVERIFIED);
        assert_eq!(exit(&answer(true, true), true), Exit::OK);
        assert_eq!(exit(&answer(false, false), true), Exit::UNVERIFIED);
    }
}
