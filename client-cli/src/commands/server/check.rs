//! `server check`: what could be better about a server and the way to it, and what to do.

use super::ask;
use crate::args::{CheckArgs, OutputFormat};
use crate::connect::Connection;
use crate::exit::{Exit, Failure};
use crate::input;
use crate::load::call::Work;
use crate::output::check::{Section, State};
use crate::output::{self, Display, check as texts};
use crate::reflect;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};
use stratagem_proto::v1::{GetServerInfoResponse, JobSync, SolveOptions};
use stratagem_render::time::{from_micros, span_text};
use tonic::Code;
use tonic_health::pb::{
    HealthCheckRequest, health_check_response::ServingStatus, health_client::HealthClient,
};

/// Round trips that are timed.
const ROUNDS: usize = 5;
/// A way that takes longer leaves too little of the deadlines of play.
const FAR: Duration = Duration::from_millis(10);
/// Budget of the search that is tried.
const BUDGET: Duration = Duration::from_millis(100);
/// How much later than its deadline an answer may come.
const LATE: Duration = Duration::from_millis(3);

/// Looks at a server from all sides, or asks for the health of one service.
pub(super) async fn run(
    args: &CheckArgs,
    connection: &Connection,
    display: &Display,
) -> Result<Exit, Failure> {
    let (status, took) = health(connection, &args.service).await?;
    let mut report = texts::Report {
        status: status.as_str_name(),
        address: &connection.address,
        took: span_text(took.as_micros() as i64),
        sections: Vec::new(),
    };
    // A quiet check, or one of one service, is made for its exit code.
    if args.service.is_empty() && !display.quiet {
        let info = ask(connection).await?;
        report.sections = vec![
            way(connection).await?,
            services(connection, &info).await?,
            version(&info),
            room(&info),
        ];
        report.sections.extend(jobs(&info));
        if args.solve {
            report.sections.push(search(connection).await?);
        }
    }
    match display.format() {
        OutputFormat::Table => output::print(&texts::table(display, &report))?,
        format => output::plain(format, &report)?,
    }
    let failed = report.sections.iter().any(|s| s.state == State::Failure);
    Ok(match (status, failed) {
        (ServingStatus::Serving, false) => Exit::OK,
        (ServingStatus::Serving, true) => Exit::UNVERIFIED,
        _ => Exit::of_code(Code::Unavailable),
    })
}

async fn health(
    connection: &Connection,
    service: &str,
) -> Result<(ServingStatus, Duration), Failure> {
    let mut client = HealthClient::new(connection.channel());
    let began = Instant::now();
    let service = service.to_owned();
    let answer = client.check(HealthCheckRequest { service });
    let answer = connection.quick(answer).await?;
    Ok((answer.status(), began.elapsed()))
}

/// How far away the server is, and who can listen.
async fn way(connection: &Connection) -> Result<Section, Failure> {
    let mut times = Vec::new();
    for _ in 0..ROUNDS {
        times.push(health(connection, "").await?.1);
    }
    times.sort_unstable();
    let typical = times[ROUNDS / 2];
    let encrypted = connection.address.starts_with("https");
    let here = ["//127.", "//localhost", "//[::1]"];
    let here = here.iter().any(|host| connection.address.contains(host));
    let text = span_text(typical.as_micros() as i64);
    let lock = if encrypted {
        "encrypted"
    } else {
        "not encrypted"
    };
    let mut section = Section::new("way", format!("{text} there and back, {lock}"));
    if typical > FAR {
        section.warn(
            format!("{text} of each deadline are lost on the way"),
            "put a server near the game servers: same region, same network",
        );
    }
    if !encrypted && !here {
        section.warn(
            "calls can be read and changed on the network path",
            "use https:// (docs/how-to/tls-and-tokens.md), or a network that you trust",
        );
    }
    Ok(section)
}

/// Whether each planner takes requests.
async fn services(
    connection: &Connection,
    info: &GetServerInfoResponse,
) -> Result<Section, Failure> {
    let there: BTreeSet<&str> = info
        .methods
        .iter()
        .filter_map(|method| method.name.split('/').next())
        .collect();
    let mut section = Section::new("services", format!("{} with planning methods", there.len()));
    for name in reflect::planner_services() {
        if !there.contains(&*name) {
            section.warn(format!("{name} is not there"), "the server is older than this program, or a proxy hides it: compare `stratagem server info`");
            continue;
        }
        let (status, _) = health(connection, &name).await?;
        if status != ServingStatus::Serving {
            section.fail(
                format!("{name} is {}", status.as_str_name()),
                "it shuts down, or has just begun: see its log, ask again in some seconds",
            );
        }
    }
    Ok(section)
}

fn version(info: &GetServerInfoResponse) -> Section {
    let ours = env!("CARGO_PKG_VERSION");
    let mut section = Section::new("version", info.version.clone());
    if info.version != ours {
        section.warn(
            format!("this program is {ours}"),
            "fields that one of them does not know are lost or refused: update the older one",
        );
    }
    section
}

fn room(info: &GetServerInfoResponse) -> Section {
    let (slots, busy, queued) = (info.slot_count, info.busy_slot_count, info.queued_count);
    let mut section = Section::new(
        "room",
        format!("{busy} of {slots} slots busy, {queued} waiting"),
    );
    if info.draining {
        section.warn(
            "it shuts down",
            "send new calls elsewhere: balancers do by its health",
        );
    }
    if busy >= slots && queued > 0 {
        section.warn(
            "all slots are taken and calls wait",
            "more cores or more servers; `stratagem bench` measures what one can do",
        );
    }
    section
}

/// Whether jobs outlive a loss of power; nothing where there are none.
fn jobs(info: &GetServerInfoResponse) -> Option<Section> {
    match info.job_sync() {
        JobSync::Unspecified => None,
        JobSync::Always => Some(Section::new("jobs", "on a disk once accepted".into())),
        JobSync::NotSeen => {
            let mut section =
                Section::new("jobs", "perhaps not on a disk yet when accepted".into());
            section.warn("the broker may lose jobs that it has accepted when its machine fails", "set its `sync_interval: always`, and the server's `jobs_monitor`, by which it sees that (docs/how-to/jobs-in-production.md)");
            Some(section)
        }
    }
}

/// One search, by the clock.
async fn search(connection: &Connection) -> Result<Section, Failure> {
    let Some(example) = input::built_in("allocation/tavern")? else {
        return Err(Failure::new(Exit::IO, "the example is gone"));
    };
    let work = Work::new(&input::example(example)?);
    let options = SolveOptions {
        time_budget: Some(from_micros(BUDGET.as_micros() as i64)),
        // Another one each time, so that it is searched for.
        seed: i64::from(std::process::id()),
        ..SolveOptions::default()
    };
    let began = Instant::now();
    let answer = work.send(connection.channel(), options);
    let answer = answer.await;
    let took = began.elapsed();
    let text = span_text(took.as_micros() as i64);
    let mut section = Section::new("search", format!("{} in {text}", example.name));
    match answer {
        Err(code) => section.fail(
            format!("it failed: {code}"),
            "see docs/reference/errors.md, and the server's log",
        ),
        Ok(report) => {
            if report.is_none_or(|report| report.objective.is_none()) {
                section.fail(
                    "no plan was found",
                    "the machine has other things to do: see `room`, and its load",
                );
            }
            if took > BUDGET + LATE {
                let late = span_text((took - BUDGET).as_micros() as i64);
                section.warn(format!("the answer came {late} after its deadline"), "give the process its cores: no more slots than cores, no limit of CPU below them");
            }
        }
    }
    Ok(section)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_that_a_loss_of_power_may_take_are_a_warning() {
        let info = |sync: JobSync| GetServerInfoResponse {
            job_sync: sync.into(),
            ..Default::default()
        };
        assert!(jobs(&info(JobSync::Unspecified)).is_none());
        let state = |sync| jobs(&info(sync)).map(|section| section.state);
        assert_eq!(state(JobSync::Always), Some(State::Good));
        assert_eq!(state(JobSync::NotSeen), Some(State::Warning));
    }
}
