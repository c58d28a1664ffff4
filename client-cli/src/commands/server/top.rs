//! `server top`: one or more servers, again and again.

use super::ask;
use crate::args::{ConnectionArgs, Nearness, OutputFormat, TopArgs};
use crate::connect::Connection;
use crate::contexts;
use crate::exit::{Exit, Failure};
use crate::output::screen::{Screen, read_key};
use crate::output::{self, Display, Style, top as texts};
use crate::top::page::Place;
use crate::top::view::{Sample, View};
use console::Key;
use std::io::IsTerminal as _;
use std::time::{Duration, Instant};
use tokio::sync::watch;
use tokio::time::{MissedTickBehavior, interval};
use tonic::Code;

/// A server that is watched.
struct Target {
    server: ConnectionArgs,
    address: String,
    metrics: Place,
}

/// What was seen of a server last, and how often it was looked at.
#[derive(Debug, Clone, Default)]
struct Seen {
    looks: u64,
    view: View,
}

type All = watch::Receiver<Vec<Seen>>;

/// Watches until nobody wants to know any more.
pub(super) async fn run(
    args: &TopArgs,
    server: &ConnectionArgs,
    display: &Display,
) -> Result<Exit, Failure> {
    let format = display.format();
    let whole = matches!(format, OutputFormat::Json | OutputFormat::Yaml);
    if whole && !args.once {
        let message = "documents end: use --once, or -o ndjson for a line each time";
        return Err(Failure::usage(message));
    }
    let targets = targets(args, server)?;
    let (sender, mut all) = watch::channel(vec![Seen::default(); targets.len()]);
    for (number, target) in targets.into_iter().enumerate() {
        tokio::spawn(look_repeatedly(
            target,
            number,
            args.interval,
            sender.clone(),
        ));
    }
    let is_terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    if args.once {
        return once(&mut all, display).await;
    }
    if is_terminal && format == OutputFormat::Table {
        return live(&mut all, args.interval, display).await;
    }
    for looks in 1.. {
        let views = seen(&mut all, |seen| seen.looks >= looks).await?;
        show(&views, display)?;
    }
    Ok(Exit::OK)
}

/// Who is to be watched.
fn targets(args: &TopArgs, server: &ConnectionArgs) -> Result<Vec<Target>, Failure> {
    let mut ways: Vec<_> = args
        .servers
        .iter()
        .map(|named| way(named, server))
        .collect();
    if ways.is_empty() {
        ways.push(server.clone());
    }
    if args.metrics.len() > ways.len() {
        return Err(Failure::usage(
            "--metrics: there are more of them than servers",
        ));
    }
    let places = args.metrics.iter().map(Some).chain(std::iter::repeat(None));
    let targets = ways.into_iter().zip(places).map(|(way, place)| {
        let server = contexts::resolved(&way)?;
        let address = server.address;
        let metrics = match place {
            Some(url) => Place::parse(url)?,
            None => Place::on_host_of(&address),
        };
        Ok(Target {
            server: way,
            address,
            metrics,
        })
    });
    targets.collect()
}

/// The way to a server that is an address, or the name of a context.
fn way(named: &str, server: &ConnectionArgs) -> ConnectionArgs {
    let mut way = server.clone();
    if named.contains(':') {
        way.address = named.to_owned();
        way.given.address = Nearness::CommandLine;
    } else {
        way.context = Some(named.to_owned());
        way.given.context = Nearness::CommandLine;
        // One that is given beside it is not that of this server.
        way.given.address = Nearness::Default;
    }
    way
}

/// Looks at a server again and again.
async fn look_repeatedly(
    target: Target,
    number: usize,
    every: Duration,
    sender: watch::Sender<Vec<Seen>>,
) {
    let mut ticks = interval(every);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let began = Instant::now();
    let (mut connection, mut before) = (None, None);
    loop {
        ticks.tick().await;
        let view = look(&target, &mut connection, &mut before, began).await;
        if view.state == "unreachable" {
            // It may be another one when it is back.
            (connection, before) = (None, None);
        }
        sender.send_modify(|all| {
            if let Some(seen) = all.get_mut(number) {
                *seen = Seen {
                    looks: seen.looks + 1,
                    view,
                };
            }
        });
    }
}

async fn look(
    target: &Target,
    connection: &mut Option<Connection>,
    before: &mut Option<Sample>,
    began: Instant,
) -> View {
    let looks = async {
        let open = match connection.take() {
            Some(open) => open,
            None => Connection::open(&target.server).await?,
        };
        let info = ask(&open).await?;
        *connection = Some(open);
        Ok(info)
    };
    let looks: Result<_, Failure> = looks.await;
    let mut view = match looks {
        Ok(info) => View::new(&target.address, &info),
        Err(failure) => {
            let first = failure.message.lines().next().unwrap_or_default();
            return View::unreachable(&target.address, first.to_owned());
        }
    };
    match target.metrics.fetch().await {
        Ok(page) => {
            let now = (began.elapsed().as_secs_f64(), page);
            view.add(before.as_ref(), &now);
            *before = Some(now);
        }
        Err(why) => {
            view.error = Some(format!("no metrics of {}: {why}", target.address));
            *before = None;
        }
    }
    view
}

/// Waits until all are as they are wanted.
async fn seen(all: &mut All, wanted: impl Fn(&Seen) -> bool) -> Result<Vec<View>, Failure> {
    let all = all.wait_for(|all| all.iter().all(&wanted)).await;
    let all = all.map_err(|_| Failure::new(Exit::IO, "nobody looks any more"))?;
    Ok(all.iter().map(|seen| seen.view.clone()).collect())
}

/// Two looks give the figures of the time between them.
async fn once(all: &mut All, display: &Display) -> Result<Exit, Failure> {
    let is_gone = |view: &View| view.state == "unreachable";
    let known = |seen: &Seen| seen.looks >= 2 || seen.looks == 1 && is_gone(&seen.view);
    let views = seen(all, known).await?;
    match display.format() {
        OutputFormat::Json | OutputFormat::Yaml => output::plain(display.format(), &views)?,
        _ => show(&views, display)?,
    }
    if views.iter().any(is_gone) {
        Ok(Exit::of_code(Code::Unavailable))
    } else {
        Ok(Exit::OK)
    }
}

/// Off a terminal: a block of lines, or a line of JSON for each server.
fn show(views: &[View], display: &Display) -> Result<(), Failure> {
    if display.format() == OutputFormat::Ndjson {
        let mut views = views.iter();
        return views.try_for_each(|view| output::plain(OutputFormat::Ndjson, view));
    }
    output::print(&(texts::lines(display, views).join("\n") + "\n\n"))
}

/// On a terminal: painted whenever something is new, until a key ends it.
async fn live(all: &mut All, every: Duration, display: &Display) -> Result<Exit, Failure> {
    let _screen = Screen::open()?;
    let mut key = read_key();
    let every = stratagem_render::time::span_text(every.as_micros() as i64);
    loop {
        let views: Vec<View> = {
            let all = all.borrow_and_update();
            let answered = all.iter().filter(|seen| seen.looks > 0);
            answered.map(|seen| seen.view.clone()).collect()
        };
        let mut lines = texts::lines(display, &views);
        lines.push(String::new());
        lines.push(display.styled(Style::Faint, &format!("every {every} | q end")));
        output::print(&Screen::painted(&lines))?;
        tokio::select! {
            changed = all.changed() => if changed.is_err() {
                return Ok(Exit::OK);
            },
            pressed = &mut key => {
                let pressed = pressed.map_err(|e| Failure::new(Exit::IO, e.to_string()))?;
                if let Err(_) | Ok(Key::Char('q') | Key::Escape | Key::CtrlC) = pressed {
                    return Ok(Exit::OK);
                }
                key = read_key();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Cli;
    use crate::contexts::Context;

    #[test]
    fn a_server_by_name_is_where_its_context_says_whatever_address_is_given_besides() {
        let given = |line: &str| {
            let words = line.split_whitespace().map(Into::into);
            Cli::read(words).unwrap().connection
        };
        let server = given("stratagem server top --address http://other:1");
        let prod =
            Context::from_args(&given("stratagem server top --address http://prod:1")).unwrap();
        let address = |named| {
            let way = way(named, &server);
            prod.fill(&way, way.given.context).address
        };
        assert_eq!(address("prod"), "http://prod:1");
        assert_eq!(address("third:1"), "third:1");
    }
}
