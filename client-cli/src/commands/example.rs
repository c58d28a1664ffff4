//! `example ls`, `example get`.

use crate::args::{ConnectionArgs, ExampleCommand, OutputFormat};
use crate::call::quick;
use crate::connect::Connection;
use crate::exit::{Exit, Failure};
use crate::input::{Kind, built_in, example, remote};
use crate::output::table::{Table, text};
use crate::output::{self, Display};
use formats::{json, messages, yaml};
use stratagem_proto::v1::{ExampleSummary, ListExamplesRequest, ListExamplesResponse};
use stratagem_proto::{EXAMPLES, Example};

/// Pages of examples that are asked for: more are a server's mistake.
const PAGES_MAX: usize = 1_000;

/// Lists examples, or prints one.
pub(super) async fn run(
    command: ExampleCommand,
    server: &ConnectionArgs,
    display: &Display,
) -> Result<Exit, Failure> {
    match command {
        ExampleCommand::List { offline, planner } => {
            let list = if offline {
                let of_planner = |e: &&Example| planner.is_empty() || e.planner == planner;
                let read = EXAMPLES.iter().filter(of_planner).map(formats::example);
                let read = read.collect::<Result<Vec<_>, _>>();
                let read = read.map_err(|m| Failure::new(Exit::INVALID, m.to_string()))?;
                read.into_iter().filter_map(|it| it.summary).collect()
            } else {
                list(server, &planner).await?
            };
            show(&list, display)?;
        }
        ExampleCommand::Get { name, offline } => {
            let problem = if offline {
                local(&name)?
            } else {
                get(server, &name).await?
            };
            print(&problem, display)?;
        }
    }
    Ok(Exit::OK)
}

fn print(problem: &Kind, display: &Display) -> Result<(), Failure> {
    // The table is for people who read answers; an example is a file to start from.
    output::dynamic(display.format(), &messages::of_problem(problem))
}

/// A built-in example's problem.
fn local(name: &str) -> Result<Kind, Failure> {
    let Some(found) = built_in(name)? else {
        let message = format!("no example `{name}`: see `stratagem example list --offline`");
        return Err(Failure::usage(message));
    };
    example(found)
}

/// All pages of the server's list.
async fn list(server: &ConnectionArgs, planner: &str) -> Result<Vec<ExampleSummary>, Failure> {
    let connection = Connection::open(server).await?;
    let mut request = ListExamplesRequest {
        planner: planner.into(),
        ..ListExamplesRequest::default()
    };
    let mut examples = Vec::new();
    for _ in 0..PAGES_MAX {
        let page: ListExamplesResponse = quick(&connection, &request).await?;
        examples.extend(page.examples);
        if page.next_page_token.is_empty() {
            break;
        }
        request.page_token = page.next_page_token;
    }
    Ok(examples)
}

/// An example of the server; a name without its planner is looked for in the list.
async fn get(server: &ConnectionArgs, name: &str) -> Result<Kind, Failure> {
    let mut name = name.to_owned();
    if !name.contains('/') {
        let examples = list(server, "").await?;
        let named = examples
            .into_iter()
            .filter(|e| e.name.rsplit('/').next() == Some(&name));
        let mut names: Vec<_> = named.map(|e| e.name).collect();
        match (names.pop(), names.is_empty()) {
            (Some(full), true) => name = full,
            (Some(other), false) => {
                let names = names.join(", ");
                return Err(Failure::usage(format!(
                    "`{name}` could be any of {names}, {other}"
                )));
            }
            // The server says that there is none.
            (None, _) => {}
        }
    }
    remote(&name, server).await
}

fn show(examples: &[ExampleSummary], display: &Display) -> Result<(), Failure> {
    let io = |m: formats::Mistake| Failure::new(Exit::IO, m.message);
    let mut out = String::new();
    match display.format() {
        OutputFormat::Table => {
            let mut table = Table::new(vec![text("NAME"), text("TITLE")]);
            for example in examples {
                table.push(&[example.name.clone(), example.title.clone()]);
            }
            out = table.text(display);
        }
        OutputFormat::Ndjson => {
            for example in examples {
                out += &(json::line(example).map_err(io)? + "\n");
            }
        }
        OutputFormat::Json => out = output::json_list(examples)?,
        OutputFormat::Yaml => {
            for example in examples {
                let item = yaml::write(example).map_err(io)?;
                let indented: Vec<_> = item.lines().map(|l| format!("  {l}")).collect();
                let text = indented.join("\n");
                out += &format!("- {}\n", text.trim_start());
            }
        }
    }
    output::print(&out)
}
