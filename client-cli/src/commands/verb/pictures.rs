//! Pictures and files of answers.

use crate::args::VerbArgs;
use crate::commands::ask::{draw_film, write};
use crate::contract::{Flag, Kind as FlagKind};
use crate::exit::Failure;
use crate::input::Kind as Problem;
use crate::output::{Display, answer::text_options};
use formats::answers::response_of;
use prost_reflect::{DynamicMessage, Value};
use std::path::Path;
use stratagem_render::Scene;
use stratagem_render::picture::{Selection, scene};

/// Which part of a plan is drawn.
pub(super) fn part(args: &VerbArgs) -> Selection {
    let index = |name: &str| {
        let number = args.values.get(name)?.first().and_then(Value::as_i64)?;
        usize::try_from(number - 1).ok()
    };
    Selection {
        event: index("event"),
        players: index("players"),
        point: index("point"),
    }
}

/// Whether what is on stdout is a file for another program.
pub(super) fn stands_alone(args: &VerbArgs) -> bool {
    let scripts = args.values.get("ink").map(Vec::as_slice);
    let names = scripts.unwrap_or_default().iter();
    names.filter_map(Value::as_str).any(|name| name == "-")
}

fn drawn(
    args: &VerbArgs,
    problem: &Problem,
    answer: Option<&DynamicMessage>,
) -> Result<Scene, Failure> {
    let part = part(args);
    let response = answer.and_then(response_of);
    scene(problem, response.as_ref(), part).ok_or_else(|| {
        Failure::usage(if part == Selection::default() {
            "there is no such picture"
        } else {
            "the plan has no such point"
        })
    })
}

/// The picture for a terminal.
pub(super) fn text(
    args: &VerbArgs,
    display: &Display,
    problem: &Problem,
    answer: Option<&DynamicMessage>,
) -> Result<String, Failure> {
    Ok(drawn(args, problem, answer)?.text(&text_options(display)))
}

/// Draws and writes what was asked for; false when that is nothing.
pub(super) fn draw(
    args: &VerbArgs,
    flags: &[Flag],
    problem: &Problem,
    answer: Option<&DynamicMessage>,
) -> Result<bool, Failure> {
    let mut is_drawn = false;
    if part(args) != Selection::default() {
        // A point that the plan does not have is an error, drawn or not.
        drawn(args, problem, answer)?;
    }
    for flag in flags {
        let (FlagKind::Output(output), Some(answer)) = (flag.kind, answer) else {
            continue;
        };
        let path = args.value(flag).and_then(|it| it.first()?.as_str());
        if let Some(path) = path
            && let Some(text) = output(problem, answer)?
        {
            write(Path::new(path), &text)?;
            is_drawn = true;
        }
    }
    if args.pictures.svg.is_some() || args.pictures.html.is_some() {
        let scene = drawn(args, problem, answer)?;
        let is_animated = args.values.contains_key("animate");
        is_drawn |= draw_film(&args.pictures, is_animated, || scene)?;
    }
    Ok(is_drawn)
}
