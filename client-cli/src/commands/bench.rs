//! `bench`: load on a server.

use crate::args::{BenchArgs, ConnectionArgs, ForeignArgs, OutputFormat};
use crate::call::quick;
use crate::connect::{Channel, Connection};
use crate::exit::{Exit, Failure};
use crate::input;
use crate::load::call::Work;
use crate::load::pace::Pace;
use crate::load::run::{Calls, Drive, Load, run as make};
use crate::load::tally::Tally;
use crate::output::{self, Display, bench as texts};
use std::time::Duration;
use stratagem_proto::v1::{GetServerInfoRequest, GetServerInfoResponse};
use tokio::task::JoinSet;

/// How long it is measured what a server can do.
const CALIBRATION: Duration = Duration::from_secs(3);
/// Connections that are opened at once.
const OPENING: usize = 32;

/// Does what the command says.
pub(super) async fn run(
    args: &BenchArgs,
    server: &ConnectionArgs,
    display: &Display,
) -> Result<Exit, Failure> {
    if args.search.budget.is_some() {
        let text = "--budget: the budget of each call is its deadline; see --deadline";
        return Err(Failure::usage(text));
    }
    if args.warm_up >= args.duration {
        return Err(Failure::usage(
            "--warm-up: shorter than --duration is wanted",
        ));
    }
    let works = works(args, server).await?;
    let first = Connection::open(server).await?;
    let slots = slots(&first).await?;
    let weights: Vec<f64> = works.iter().map(|work| work.weight).collect();
    // The sign of a seed is a bit like any other.
    let seed = args.search.seed as u64;
    let mut calls = Calls {
        channels: channels(&first, args.connections, server).await?,
        works: works.into(),
        options: args.search.options(),
        pace: Pace::new(&weights, args.deadline.clone(), seed),
    };
    let (drive, capacity) = match (args.rate, args.callers, args.load) {
        (Some(rate), _, _) => (Drive::Rate(rate), None),
        (_, Some(callers), _) => (Drive::Callers(callers as usize), None),
        (_, _, Some(share)) => {
            let capacity = capacity(&mut calls, args, slots).await?;
            (Drive::Rate(capacity * share), Some(capacity))
        }
        _ => (Drive::Callers(slots), None),
    };
    let load = Load {
        drive,
        duration: args.duration,
        warm_up: args.warm_up,
        patience: args.patience,
    };
    let results = make(&mut calls, load, |at, tally| {
        show_progress(display, at, tally);
    })
    .await;
    let names: Vec<&str> = calls.works.iter().map(|work| &*work.name).collect();
    let figures = texts::Figures::new(&names, &results, calls.channels.len());
    let figures = figures.driven(drive, capacity, args.require);
    show(display, &figures)?;
    Ok(match (results.interrupted, figures.met) {
        (true, _) => Exit::INTERRUPTED,
        (false, Some(false)) => Exit::UNVERIFIED,
        (false, _) => Exit::OK,
    })
}

async fn works(args: &BenchArgs, server: &ConnectionArgs) -> Result<Vec<Work>, Failure> {
    let mut works = Vec::new();
    for (source, weight) in args.works() {
        let problem = input::problem(source, ForeignArgs::default(), server).await?;
        works.push(Work::new(source, weight, &problem));
    }
    Ok(works)
}

async fn slots(connection: &Connection) -> Result<usize, Failure> {
    let info: GetServerInfoResponse = quick(connection, &GetServerInfoRequest {}).await?;
    Ok(usize::try_from(info.slot_count).unwrap_or(1).max(1))
}

/// Opens what is left to open.
async fn channels(
    first: &Connection,
    count: u32,
    server: &ConnectionArgs,
) -> Result<Vec<Channel>, Failure> {
    let mut channels = vec![first.channel()];
    let (mut opening, mut left) = (JoinSet::new(), count - 1);
    loop {
        while left > 0 && opening.len() < OPENING {
            left -= 1;
            let server = server.clone();
            opening.spawn(async move { Connection::open(&server).await.map(|c| c.channel()) });
        }
        match opening.join_next().await {
            None => return Ok(channels),
            Some(Ok(opened)) => channels.push(opened?),
            Some(Err(error)) => return Err(Failure::new(Exit::IO, error.to_string())),
        }
    }
}

/// Calls a second that are answered when nobody pauses.
async fn capacity(calls: &mut Calls, args: &BenchArgs, slots: usize) -> Result<f64, Failure> {
    let load = Load {
        drive: Drive::Callers(2 * slots),
        duration: CALIBRATION,
        warm_up: CALIBRATION / 6,
        patience: args.patience,
    };
    let results = make(calls, load, |_, _| {}).await;
    let answered = results.all.answered();
    if results.interrupted {
        return Err(Failure::new(Exit::INTERRUPTED, ""));
    }
    if answered == 0 {
        let text = "--load: the server answered no call within 3 s, so what it can do is not known";
        return Err(Failure::new(Exit::UNKNOWN, text));
    }
    Ok(answered as f64 / results.counted.as_secs_f64())
}

/// A line each second on a terminal, each ten elsewhere.
fn show_progress(display: &Display, at: Duration, tally: &Tally) {
    if !display.quiet && (display.live || at.as_secs().is_multiple_of(10)) {
        eprintln!("{}", texts::line(at, tally));
    }
}

fn show(display: &Display, figures: &texts::Figures) -> Result<(), Failure> {
    match display.format() {
        OutputFormat::Table => output::print(&texts::table(display, figures)),
        format => output::plain(format, figures),
    }
}
