//! Levels as files: text formats and pictures.

use super::super::ask::{draw_film, write as write_file};
use crate::args::LevelFileArgs;
use crate::exit::{Exit, Failure};
use crate::input::{self, Levels};
use crate::output::numbers::{number, things};
use formats::levels::{Level, Set, Style, write as levels_text};
use std::path::Path;
use stratagem_proto::v1::PuzzleLevel;
use stratagem_render::puzzle::{Picture, Pixels, Sheet, pixels};

/// Most pixels of a picture: larger ones nobody can open.
const PIXELS_MAX: usize = 100_000_000;

/// Refuses names whose format is not known, before anything is asked.
pub(super) fn check(args: &LevelFileArgs) -> Result<(), Failure> {
    args.out
        .as_deref()
        .map_or(Ok(()), |out| style(out).map(|_| ()))
}

/// Whether a name is one of a format that levels alone have.
pub(in crate::commands) fn is_known(path: &Path) -> bool {
    let is_text = path
        .extension()
        .is_some_and(|e| e.eq_ignore_ascii_case("txt"));
    !is_text && style(path).is_ok()
}

/// Reads levels and writes them in the format of a name, with all that it has a place for.
pub(in crate::commands) fn convert(from: &str, into: &Path) -> Result<(), Failure> {
    let levels = input::levels(from, None)?;
    write_file(into, levels_text(&levels.set, style(into)?))
}

fn style(path: &Path) -> Result<Style, Failure> {
    let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("");
    match extension.to_ascii_lowercase().as_str() {
        "xsb" | "txt" => Ok(Style::Xsb),
        "sok" => Ok(Style::Sok),
        "rle" => Ok(Style::Rle),
        _ => Err(Failure::usage(format!(
            "cannot recognize the format of `{}`: .xsb, .txt, .sok and .rle are known",
            path.display()
        ))),
    }
}

/// Levels from a file, to be drawn.
pub(super) fn sheet(levels: &Levels) -> Sheet {
    let all = levels.set.levels.iter().zip(levels.ids());
    let picture = |index: usize, level: &Level, name: String| {
        let mut notes = Vec::new();
        if let Some(value) = levels.reported.get(index).and_then(|level| level.value) {
            notes.push(format!("value {}", number(value)));
        }
        let pushes = level.solution.chars().filter(char::is_ascii_uppercase);
        if !level.solution.is_empty() {
            notes.push(match pushes.count() {
                1 => "1 push".into(),
                several => format!("{several} pushes"),
            });
            notes.push(things(level.solution.len() as i64, "steps"));
        }
        Picture {
            name,
            notes,
            rows: level.rows.clone(),
            solution: level.solution.clone(),
            marked: None,
        }
    };
    let pictures = all.enumerate();
    let pictures = pictures.map(|(index, (level, name))| picture(index, level, name));
    Sheet {
        title: levels.set.title.clone(),
        description: String::new(),
        pictures: pictures.collect(),
    }
}

/// Writes the requested files; false when there are none. `reported` is the server's report on the
/// levels.
pub(super) fn write(
    args: &LevelFileArgs,
    sheet: &Sheet,
    reported: &[PuzzleLevel],
) -> Result<bool, Failure> {
    if let Some(path) = &args.out {
        write_file(path, levels_text(&set(sheet), style(path)?))?;
    }
    if let Some(path) = &args.png {
        let picture = pixels(sheet);
        write_file(path, png_file(&picture)?)?;
    }
    let drawn = draw_film(&args.pictures, args.animate, || sheet.scene(reported))?;
    Ok(drawn || args.out.is_some() || args.png.is_some())
}

fn set(sheet: &Sheet) -> Set {
    let level = |picture: &Picture| Level {
        title: picture.name.clone(),
        comment: picture.notes.join(", "),
        rows: picture.rows.clone(),
        solution: picture.solution.clone(),
        ..Level::default()
    };
    Set {
        title: sheet.title.clone(),
        author: String::new(),
        // A position with a marked push is no level of its own.
        levels: sheet
            .pictures
            .iter()
            .filter(|picture| picture.marked.is_none())
            .map(level)
            .collect(),
    }
}

fn png_file(picture: &Pixels) -> Result<Vec<u8>, Failure> {
    if picture.width * picture.height > PIXELS_MAX {
        return Err(Failure::usage("too many levels for one PNG: give --level"));
    }
    let written = || {
        let side = |pixels: usize| u32::try_from(pixels).unwrap_or(u32::MAX);
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, side(picture.width), side(picture.height));
        encoder.set_color(png::ColorType::Rgb);
        encoder.write_header()?.write_image_data(&picture.rgb)?;
        Ok(file)
    };
    let failed = |e: png::EncodingError| Failure::new(Exit::IO, format!("no PNG: {e}"));
    written().map_err(failed)
}
