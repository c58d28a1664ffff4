//! Problems from files and to files, in the formats of the crate `formats`.

#[cfg(test)]
mod tests;

use super::mistakes::{Code, Mistakes};
use super::planning::{PLANNERS, check_of};
use super::values::shown;
use crate::contract::{ExportProblem, ImportProblem};
use crate::method::Question;
use crate::weigh;
use anytime::{Path, Pulse};
use formats::{Format, Options, Recognised, TABLE};
use stratagem_proto::v1 as pb;

/// The planner of a document that could be of several, where the request names none.
const DEFAULT: &str = "allocation";

impl Question for ImportProblem {
    type Read = pb::ImportProblemResponse;

    fn read(mut request: pb::ImportProblemRequest) -> Result<Self::Read, Mistakes> {
        let mut wrong = Mistakes::in_fields(&mut request)?;
        let pb::ImportProblemRequest {
            content,
            format,
            planner,
            options,
        } = request;
        if let Err(why) = checked(&content) {
            wrong.add(&Path::root("content"), Code::TooMany, format!("has {why}"));
            return Err(wrong);
        }
        let format = match format.as_str() {
            "" => Some(Format::of_text(&content)),
            name => named(name, &mut wrong),
        };
        let is_known = planner.is_empty() || PLANNERS.contains(&planner.as_str());
        if !is_known {
            let why = format!("is {}, which is no planner", shown(&planner));
            wrong.add(&Path::root("planner"), Code::Unknown, why);
        }
        let Some(format) = format.filter(|_| wrong.is_empty()) else {
            return Err(wrong);
        };
        let default = Some(planner.as_str()).filter(|name| !name.is_empty());
        let found = Recognised::new(&content, format, default.unwrap_or(DEFAULT));
        let options = options.map_or(Options::default(), options_of);
        refuse_options(&found, &options, &mut wrong);
        let read = found.read(&content, &options).map_err(|mistakes| {
            for mistake in mistakes {
                wrong.add(&Path::root("content"), Code::Syntax, described(&mistake));
            }
        });
        match read {
            Ok(problem) if wrong.is_empty() => Ok(pb::ImportProblemResponse {
                problem: Some(pb::AnyProblem {
                    kind: Some(problem),
                }),
                format: found.format.row().name.into(),
            }),
            _ => Err(wrong),
        }
    }

    fn answer(read: Self::Read, _: &Pulse) -> Result<Option<Self::Answer>, Mistakes> {
        Ok(Some(read))
    }
}

impl Question for ExportProblem {
    type Read = pb::ExportProblemResponse;

    fn read(mut request: pb::ExportProblemRequest) -> Result<Self::Read, Mistakes> {
        let mut wrong = Mistakes::in_fields(&mut request)?;
        let format = named(&request.format, &mut wrong);
        let problem = request.problem.and_then(|problem| problem.kind);
        let (Some(format), Some(problem)) = (format, problem) else {
            return Err(wrong);
        };
        // What cannot be read may be larger than any file.
        check_of(problem.clone(), None, &mut wrong);
        if !wrong.is_empty() {
            return Err(wrong);
        }
        let parts = formats::write(&problem, format).map_err(|why| {
            wrong.add(&Path::root("problem"), Code::Contradiction, why);
            wrong
        })?;
        let file = |part: formats::Part| pb::ExportedFile {
            name: part.name,
            content: part.text,
        };
        let files = parts.into_iter().map(file).collect();
        Ok(pb::ExportProblemResponse { files })
    }

    fn answer(read: Self::Read, _: &Pulse) -> Result<Option<Self::Answer>, Mistakes> {
        Ok(Some(read))
    }
}

/// Refuses a text that would take far more memory than its bytes.
fn checked(content: &str) -> Result<(), String> {
    if content
        .trim_start_matches(['\u{feff}', ' ', '\n', '\r', '\t'])
        .starts_with(['{', '['])
    {
        weigh::check_json(content.as_bytes())
    } else {
        weigh::check_lines(content)
    }
}

/// The format of a name; notes that there is none.
fn named(name: &str, wrong: &mut Mistakes) -> Option<Format> {
    let format = Format::named(name);
    // That it is missing is known.
    if format.is_none() && !name.is_empty() {
        let known: Vec<_> = TABLE.iter().map(|row| row.name).collect();
        let (name, known) = (shown(name), known.join(", "));
        let why = format!("is {name}, which is no format: {known} are");
        wrong.add(&Path::root("format"), Code::Unknown, why);
    }
    format
}

fn options_of(given: pb::ImportOptions) -> Options {
    let rounding = given.rounding();
    let pb::ImportOptions {
        agent_count,
        rounding: _,
        sight,
        tick_duration,
        rooms,
    } = given;
    Options {
        // Ranges are rules of the contract.
        agents: agent_count.and_then(|count| usize::try_from(count).ok()),
        rounding: Some(rounding).filter(|it| *it != pb::AllocationDistanceRounding::Unspecified),
        sight: sight.and_then(|tiles| u32::try_from(tiles).ok()),
        tick_us: tick_duration.map(|tick| stratagem_render::time::micros(Some(&tick))),
        rooms,
    }
}

/// Notes an option that does not count for the format.
fn refuse_options(found: &Recognised, options: &Options, wrong: &mut Mistakes) {
    let Some(option) = found.refused(options) else {
        return;
    };
    let field = match option {
        "agents" => "agent_count",
        "tick" => "tick_duration",
        same => same,
    };
    let known = TABLE.iter().filter(|row| row.options.contains(&option));
    let known: Vec<_> = known.map(|row| row.name).collect();
    let (known, name) = (known.join(" and "), found.format.row().name);
    let why = format!("counts for {known} only, and this is {name}");
    let at = Path::root("options");
    wrong.add(&at.field(field), Code::Contradiction, why);
}

/// A mistake in a text, with its place first.
fn described(mistake: &formats::Mistake) -> String {
    let path = match mistake.path.as_str() {
        "" => String::new(),
        path => format!(" (in {path})"),
    };
    let message = &mistake.message;
    match mistake.at {
        Some((line, column)) => format!("line {line}, column {column}: {message}{path}"),
        None => format!("{message}{path}"),
    }
}
