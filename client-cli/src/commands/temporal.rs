//! `temporal`: questions about a network, whose method depends on the question.

use super::ask::{Asking, draw, show_dynamic};
use crate::args::{ConnectionArgs, OutputFormat, VerbArgs};
use crate::exit::{Exit, Failure};
use crate::input::{self, Kind as Problem};
use crate::network;
use crate::output::answer::text_options;
use crate::output::{self, Display, temporal as texts};
use formats::answers::response_of;
use formats::messages::described;
use prost_reflect::{DynamicMessage, Value};
use stratagem_proto::v1::{
    CheckControllabilityRequest, CheckControllabilityResponse, CheckStrongControllabilityRequest,
    CheckStrongControllabilityResponse, TemporalControllabilityFinding as Finding,
    TemporalControllabilityLevel as Level, TemporalDetail, TemporalNetwork, TemporalVerdict,
};
use stratagem_render::picture::{Selection, scene};

/// Reads a network, has the question about it answered, and does what the verb is about.
pub(super) async fn run(
    args: &VerbArgs,
    server: &ConnectionArgs,
    display: &Display,
) -> Result<Exit, Failure> {
    let verb = args.verb.as_str();
    if verb == "render" {
        display.refuse_data("temporal render", "temporal check -o json")?;
    }
    let network: TemporalNetwork = input::problem_of(&args.problem.file, server).await?;
    let answer = if args.offline {
        described(&CheckControllabilityResponse::default())
    } else {
        let asking = Asking::new(server, display, &args.search);
        ask(args, &asking, &network).await?
    };
    let findings = texts::findings(&answer);
    if verb == "render" {
        let response = response_of(&answer);
        let problem = Problem::Temporal(network.clone());
        let scene = scene(&problem, response.as_ref(), Selection::default()).unwrap_or_default();
        if !draw(&args.pictures, || scene.clone())? {
            let title = output::heading(display, &network) + &texts::verdicts(display, &findings);
            let picture = scene.untitled().text(&text_options(display));
            output::print(&format!("{title}\n{picture}"))?;
        }
        return Ok(Exit::OK);
    }
    if let Some(number) = number(args, "apply") {
        return apply(network, &findings, number, display);
    }
    show_dynamic(display, &answer, || {
        texts::answer(display, &network, &answer, verb)
    })?;
    let fails = |it: &&Finding| it.verdict() == TemporalVerdict::Fails;
    let is_helped = findings
        .iter()
        .filter(fails)
        .all(|it| !it.relaxations.is_empty());
    Ok(match exit(&findings) {
        Exit::INFEASIBLE if verb == "repair" && is_helped => Exit::OK,
        exit => exit,
    })
}

fn number(args: &VerbArgs, flag: &str) -> Option<i32> {
    args.values.get(flag)?.first().and_then(Value::as_i32)
}

/// The answer to a question; that about strong controllability has a method of its own.
async fn ask(
    args: &VerbArgs,
    asking: &Asking<'_>,
    network: &TemporalNetwork,
) -> Result<DynamicMessage, Failure> {
    let problem = Some(network.clone());
    let options = Some(args.options());
    let detail = Some(detail(args));
    let level = level(args, network);
    if level == Level::Strong {
        let request = CheckStrongControllabilityRequest {
            problem,
            options,
            detail,
        };
        let answer: CheckStrongControllabilityResponse = asking.once(&request).await?;
        return Ok(described(&answer));
    }
    let all = level == Level::Unspecified;
    let request = CheckControllabilityRequest {
        problem,
        options,
        levels: (!all).then_some(level.into()).into_iter().collect(),
        detail,
    };
    let answer: CheckControllabilityResponse = asking.once(&request).await?;
    Ok(described(&answer))
}

/// The question; `check` and `explain` ask all where there is more than one.
fn level(args: &VerbArgs, network: &TemporalNetwork) -> Level {
    let verb = args.verb.as_str();
    let given = number(args, "level").and_then(|level| Level::try_from(level).ok());
    given.unwrap_or_else(|| match network::natural_level(network) {
        _ if verb == "simulate" => Level::Strong,
        Level::Dynamic if verb == "check" || verb == "explain" => Level::Unspecified,
        level => level,
    })
}

/// What is wanted besides the verdict.
fn detail(args: &VerbArgs) -> TemporalDetail {
    let mut detail = TemporalDetail::default();
    match args.verb.as_str() {
        "check" => return detail,
        "repair" => {
            let most = number(args, "max-relaxations").unwrap_or(3);
            detail.max_relaxations = Some(most.max(number(args, "apply").unwrap_or(0)));
            detail.with_conflict = Some(false);
        }
        "simulate" => {
            detail.max_relaxations = Some(0);
            detail.simulation_runs = number(args, "runs").unwrap_or(1_000);
        }
        "render" => detail.max_relaxations = Some(0),
        _ => {}
    }
    detail.with_robustness = Some(false);
    detail
}

/// What the verdicts end with: the worst decides.
fn exit(findings: &[Finding]) -> Exit {
    let any = |verdict| findings.iter().any(|it| it.verdict() == verdict);
    let open = findings.is_empty() || any(TemporalVerdict::Unspecified);
    if any(TemporalVerdict::Fails) {
        Exit::INFEASIBLE
    } else if open || any(TemporalVerdict::Unknown) {
        Exit::UNKNOWN
    } else {
        Exit::OK
    }
}

/// Writes the network with a change; where everything holds, as it is.
fn apply(
    mut network: TemporalNetwork,
    findings: &[Finding],
    number: i32,
    display: &Display,
) -> Result<Exit, Failure> {
    let mut changes = findings.iter().flat_map(|it| &it.relaxations);
    let count = changes.clone().count();
    match changes.nth(number as usize - 1) {
        Some(change) => network::apply(&mut network, change)
            .map_err(|e| Failure::new(Exit::INVALID, format!("cannot make the change: {e}")))?,
        None if exit(findings) == Exit::OK => {
            eprintln!("nothing to repair: the network is written as it is");
        }
        None => {
            let message = format!("there is no change number {number}: {count} found");
            return Err(Failure::new(exit(findings), message));
        }
    }
    let format = match display.format() {
        OutputFormat::Table => OutputFormat::Json,
        format => format,
    };
    output::message(format, &network)?;
    Ok(Exit::OK)
}
