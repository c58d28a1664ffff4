//! `bench`: load on a server.

use crate::args::{BenchArgs, ConnectionArgs, ForeignArgs, OutputFormat};
use crate::call::quick;
use crate::connect::{Channel, Connection};
use crate::exit::{Exit, Failure};
use crate::input;
use crate::load::call::Work;
use crate::load::figures::{Figures, QUANTILES, Times};
use crate::load::pace::Pace;
use crate::load::run::{Calls, Drive, Load, run as make};
use crate::output::table::{Table, figures as number, pairs, text};
use crate::output::{self, Display, Style, numbers};
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
    // The sign of a seed is a bit like any other.
    let seed = args.search.seed as u64;
    let mut calls = Calls {
        channels: channels(&first, args.connections, server).await?,
        works: works.into(),
        options: args.search.options(),
        pace: Pace::new(args.problems.len(), args.deadline.clone(), seed),
    };
    let (drive, capacity) = match (args.rate, args.callers, args.load) {
        (Some(rate), _, _) => (Drive::Rate(rate), None),
        (_, Some(callers), _) => (Drive::Callers(callers as usize), None),
        (_, _, Some(share)) => {
            let capacity = capacity(&mut calls, slots).await?;
            (Drive::Rate(capacity * share), Some(capacity))
        }
        _ => (Drive::Callers(slots), None),
    };
    let load = Load {
        drive,
        duration: args.duration,
        warm_up: args.warm_up,
    };
    let mut figures = make(&mut calls, load, |at, figures| {
        show_progress(display, at, figures);
    })
    .await;
    figures.connections = calls.channels.len();
    figures.capacity = capacity;
    match drive {
        Drive::Rate(rate) => figures.rate = Some(rate),
        Drive::Callers(callers) => figures.callers = Some(callers),
    }
    // Where no call was counted, none is known to be in time.
    let is_met = |share: f64| figures.calls > 0 && figures.in_time_share() >= share;
    figures.met = args.require.map(is_met);
    match display.format() {
        OutputFormat::Table => output::print(&table(display, &figures))?,
        format => output::plain(format, &figures)?,
    }
    Ok(match (figures.interrupted, figures.met) {
        (true, _) => Exit::INTERRUPTED,
        (false, Some(false)) => Exit::UNVERIFIED,
        (false, _) => Exit::OK,
    })
}

async fn works(args: &BenchArgs, server: &ConnectionArgs) -> Result<Vec<Work>, Failure> {
    let mut works = Vec::new();
    for source in &args.problems {
        let problem = input::problem(source, ForeignArgs::default(), server).await?;
        works.push(Work::new(&problem));
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
async fn capacity(calls: &mut Calls, slots: usize) -> Result<f64, Failure> {
    let load = Load {
        drive: Drive::Callers(2 * slots),
        duration: CALIBRATION,
        warm_up: CALIBRATION / 6,
    };
    let figures = make(calls, load, |_, _| {}).await;
    let answered = figures.latency_ms.count();
    if figures.interrupted {
        return Err(Failure::new(Exit::INTERRUPTED, ""));
    }
    if answered == 0 {
        let text = "--load: the server answered no call within 3 s, so what it can do is not known";
        return Err(Failure::new(Exit::UNKNOWN, text));
    }
    Ok(answered as f64 / figures.counted_s)
}

/// A line each second on a terminal, each ten elsewhere.
fn show_progress(display: &Display, at: Duration, figures: &Figures) {
    let seconds = at.as_secs();
    if !display.quiet && (display.live || seconds.is_multiple_of(10)) {
        let (calls, share) = (figures.calls, share(figures.in_time_share()));
        let p99 = figures.latency_ms.quantile_ms(0.99);
        eprintln!("{seconds} s  {calls} calls, {share} in time, p99 {p99:.2} ms");
    }
}

/// For people.
fn table(display: &Display, figures: &Figures) -> String {
    let style = match (figures.met, figures.late, figures.failed.is_empty()) {
        (Some(false), ..) => Style::Bad,
        (Some(true), ..) | (None, 0, true) => Style::Good,
        (None, ..) => Style::Doubtful,
    };
    let calls = numbers::count(figures.calls.cast_signed());
    let in_time = format!("{} of {calls} calls", share(figures.in_time_share()));
    let per_second = |rate: f64| format!("{} a second", numbers::number(rate));
    let drive = match (figures.rate, figures.callers) {
        (Some(rate), _) => format!("{} calls a second", numbers::number(rate)),
        (_, callers) => numbers::things(callers.unwrap_or(0) as i64, "callers"),
    };
    let connections = numbers::things(figures.connections as i64, "connections");
    let seconds = numbers::number(figures.counted_s);
    let load = format!("{drive}, {connections}, {seconds} s counted");
    let mut rows = vec![
        ("in time", display.styled(style, &in_time)),
        ("load", load),
        ("goodput", per_second(figures.goodput())),
    ];
    rows.extend(figures.capacity.map(|rate| ("capacity", per_second(rate))));
    if !figures.failed.is_empty() {
        let failed = figures.failed.iter();
        let failed = failed.map(|(code, count)| format!("{code} {count}"));
        rows.push(("failed", failed.collect::<Vec<_>>().join(", ")));
    }
    let behind = figures.behind_ms.quantile_ms(0.99);
    // Milliseconds: timers are no finer.
    if behind > 5.0 {
        let text = format!("p99 {behind:.2} ms: this program was too slow for the load");
        rows.push(("sent late", display.styled(Style::Doubtful, &text)));
    }
    pairs(&rows, display.terminal_width) + "\n" + &times(display, figures)
}

fn times(display: &Display, figures: &Figures) -> String {
    let mut columns = vec![text("MS"), number("CALLS")];
    columns.extend(QUANTILES.map(|(name, _)| number(name)));
    let mut table = Table::new(columns);
    let mut push = |what: &str, times: &Times| {
        if times.count() > 0 {
            let mut cells = vec![what.into(), numbers::count(times.count().cast_signed())];
            cells.extend(QUANTILES.map(|(_, share)| format!("{:.2}", times.quantile_ms(share))));
            table.push(&cells);
        }
    };
    push("latency", &figures.latency_ms);
    push("overshoot", &figures.overshoot_ms);
    push("refusal", &figures.refusal_ms);
    table.text(display)
}

/// A share with two decimals, never rounded up to all.
fn share(share: f64) -> String {
    let percent = (share * 1e4).floor() / 100.0;
    format!("{percent:.2}%")
}
