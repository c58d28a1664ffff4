//! What the user gives: a file, stdin or an example, in any format, as a message of the contract.

use crate::args::{ConnectionArgs, SolomonArgs};
use crate::connect::Connection;
use crate::exit::{Exit, Failure};
use crate::formats::{self, Format, Mistake, solomon};
use std::io::Read;
use std::path::Path;
use stratagem_proto::v1::{
    AllocateTasksResponse, AllocationPlan, AllocationProblem, GetExampleRequest, Plan, plan,
    problem, server_service_client::ServerServiceClient,
};
use stratagem_proto::{EXAMPLES, Example};

/// Largest file that is read.
const BYTES_MAX: u64 = 256 << 20;
/// Columns of a line that are shown with a mistake.
const EXCERPT: usize = 76;

/// A text, and where it came from.
pub struct Text {
    /// For messages: the file's name, `stdin` or the example's name.
    pub name: String,
    /// The text.
    pub text: String,
    /// How it is written.
    pub format: Format,
}

/// Reads a problem of allocation from a file, `-` for stdin, or `example:NAME`.
///
/// Examples that are built in need no server; for others one is asked.
///
/// # Errors
/// [`Exit::USAGE`] for what cannot be read, [`Exit::INVALID`] for what is no problem, and those of
/// the call.
pub async fn problem(
    source: &str,
    solomon: SolomonArgs,
    server: &ConnectionArgs,
) -> Result<AllocationProblem, Failure> {
    let Some(name) = source.strip_prefix("example:") else {
        return parse_problem(&text(source)?, solomon);
    };
    refuse_solomon(solomon)?;
    match built_in(name)? {
        Some(example) => parse_problem(&example_text(example), solomon),
        None => remote(name, server).await,
    }
}

/// Reads a plan of allocation: an `AllocationPlan`, a `Plan`, or an answer with a plan in it.
///
/// # Errors
/// [`Exit::USAGE`] for what cannot be read, [`Exit::INVALID`] for what is no plan.
pub fn plan(source: &str) -> Result<AllocationPlan, Failure> {
    let text = text(source)?;
    let keys = formats::top_keys(&text.text, text.format);
    let has = |key: &str| keys.iter().any(|k| k == key);
    let read = if has("plan") || has("report") {
        let answer = formats::read::<AllocateTasksResponse>(&text.text, text.format);
        answer.map(|a| a.plan)
    } else if has("allocation") {
        let plan = formats::read::<Plan>(&text.text, text.format);
        plan.map(|p| match p.kind {
            Some(plan::Kind::Allocation(plan)) => Some(plan),
            Some(plan::Kind::Temporal(_)) | None => None,
        })
    } else {
        formats::read(&text.text, text.format).map(Some)
    };
    match read {
        Ok(Some(plan)) => Ok(plan),
        Ok(None) => Err(Failure::new(
            Exit::INVALID,
            format!("{}: the answer holds no plan", text.name),
        )),
        Err(mistake) => Err(invalid(&text, &mistake)),
    }
}

/// The built-in example of a name, with or without its planner: `allocation/raid` or `raid`.
///
/// # Errors
/// [`Exit::USAGE`] when several planners have one of that name.
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

/// An example as a text.
#[must_use]
pub fn example_text(example: &Example) -> Text {
    Text {
        name: format!("example:{}", example.name),
        text: example.json.to_owned(),
        format: Format::Json,
    }
}

/// Asks the server for an example's problem.
async fn remote(name: &str, server: &ConnectionArgs) -> Result<AllocationProblem, Failure> {
    let connection = Connection::open(server).await?;
    let mut client = ServerServiceClient::new(connection.channel())
        .max_decoding_message_size(crate::connect::MESSAGE_BYTES_MAX);
    let request = GetExampleRequest { name: name.into() };
    let answer = connection.quick(client.get_example(request)).await?;
    match answer.problem.and_then(|p| p.kind) {
        Some(problem::Kind::Allocation(problem)) => Ok(problem),
        Some(problem::Kind::Temporal(_)) | None => Err(Failure::usage(format!(
            "`{name}` is of a planner that this program does not know"
        ))),
    }
}

/// Reads a problem in any format.
fn parse_problem(text: &Text, args: SolomonArgs) -> Result<AllocationProblem, Failure> {
    if text.format != Format::Solomon {
        refuse_solomon(args)?;
        return formats::read(&text.text, text.format).map_err(|m| invalid(text, &m));
    }
    let mut options = solomon::Options::default();
    options.agents = args.agents.map(usize::from).or(options.agents);
    options.rounding = args.rounding.map_or(options.rounding, Into::into);
    solomon::read(&text.text, &options)
        .map_err(|e| Failure::new(Exit::INVALID, format!("{}: {e}", text.name)))
}

/// Options for Solomon files mean nothing elsewhere, and would be missed silently.
fn refuse_solomon(args: SolomonArgs) -> Result<(), Failure> {
    if args.agents.is_some() || args.rounding.is_some() {
        return Err(Failure::usage(
            "--agents and --rounding are for Solomon files; elsewhere the problem says it",
        ));
    }
    Ok(())
}

/// Reads a file or, for `-`, stdin.
fn text(source: &str) -> Result<Text, Failure> {
    let (name, bytes) = if source == "-" {
        ("stdin".to_owned(), bounded(std::io::stdin().lock()))
    } else {
        let file = std::fs::File::open(source);
        (source.to_owned(), file.and_then(bounded))
    };
    let bytes = bytes.map_err(|e| Failure::usage(format!("cannot read {name}: {e}")))?;
    let text = String::from_utf8(bytes).map_err(|e| {
        let at = e.utf8_error().valid_up_to();
        Failure::new(
            Exit::INVALID,
            format!("{name}: no UTF-8 text after byte {at}"),
        )
    })?;
    let known = (source != "-")
        .then(|| Format::of_name(Path::new(source)))
        .flatten();
    // A .txt file may hold anything; other names are taken at their word.
    let format = match known {
        Some(format @ (Format::Json | Format::Yaml)) => format,
        _ if text.trim().is_empty() => {
            return Err(Failure::new(Exit::INVALID, format!("{name} is empty")));
        }
        Some(Format::Solomon) if Format::of_text(&text) == Format::Yaml => Format::Solomon,
        _ => Format::of_text(&text),
    };
    Ok(Text { name, text, format })
}

fn bounded(reader: impl Read) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.take(BYTES_MAX + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > BYTES_MAX {
        return Err(std::io::Error::other("larger than 256 MiB"));
    }
    Ok(bytes)
}

/// A mistake with its place and the line it is in.
fn invalid(text: &Text, mistake: &Mistake) -> Failure {
    let name = &text.name;
    let path = match mistake.path.as_str() {
        "" => String::new(),
        path => format!(" (in {path})"),
    };
    let Some((line, column)) = mistake.at else {
        return Failure::new(Exit::INVALID, format!("{name}: {}{path}", mistake.message));
    };
    let mut message = format!("{name}:{line}:{column}: {}{path}", mistake.message);
    if let Some(source) = text.text.lines().nth(line - 1) {
        let (excerpt, column) = excerpt(source, column);
        let gutter = line.to_string();
        let blank = " ".repeat(gutter.len());
        let space = " ".repeat(column - 1);
        message.push_str(&format!("\n {gutter} | {excerpt}\n {blank} | {space}^"));
    }
    Failure::new(Exit::INVALID, message)
}

/// The part of a line around a column that fits on a terminal, and the column in it.
fn excerpt(line: &str, column: usize) -> (String, usize) {
    let letters: Vec<char> = line.chars().collect();
    let column = column.min(letters.len() + 1);
    let first = if letters.len() > EXCERPT {
        column.saturating_sub(EXCERPT / 2)
    } else {
        0
    };
    let safe = |c: &char| if c.is_control() { ' ' } else { *c };
    let part = letters.iter().skip(first).take(EXCERPT).map(safe).collect();
    (part, (column - first).max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failure(text: &str, format: Format) -> Failure {
        let text = Text {
            name: "x".into(),
            text: text.into(),
            format,
        };
        let no_solomon = SolomonArgs {
            agents: None,
            rounding: None,
        };
        parse_problem(&text, no_solomon).unwrap_err()
    }

    #[test]
    fn a_mistake_shows_its_line() {
        let failure = failure("{\n  \"titel\": \"a\"\n}", Format::Json);
        assert_eq!(failure.exit, Exit::INVALID);
        assert_eq!(
            failure.message,
            "x:2:9: unrecognized field name 'titel'\n 2 |   \"titel\": \"a\"\n   |         ^"
        );
    }

    #[test]
    fn a_mistake_in_a_very_long_line_shows_a_part() {
        let text = format!(
            "{{\"title\": \"{}\", \"bad\": 1, \"x\": \"{}\"}}",
            "a".repeat(500),
            "b".repeat(500)
        );
        let message = failure(&text, Format::Json).message;
        assert!(
            message.lines().all(|l| l.chars().count() <= 90),
            "{message}"
        );
        assert!(message.contains("bad"), "{message}");
    }

    #[test]
    fn solomon_options_need_a_solomon_file() {
        let text = Text {
            name: "x".into(),
            text: "{}".into(),
            format: Format::Json,
        };
        let agents = SolomonArgs {
            agents: Some(3),
            rounding: None,
        };
        assert_eq!(parse_problem(&text, agents).unwrap_err().exit, Exit::USAGE);
    }

    #[test]
    fn examples_are_found_by_either_name() {
        for example in EXAMPLES {
            assert_eq!(built_in(example.name).unwrap(), Some(example));
        }
        assert_eq!(built_in("no such example").unwrap(), None);
    }
}
