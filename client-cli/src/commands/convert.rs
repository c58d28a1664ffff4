//! `convert`.

use super::puzzle::files as levels;
use crate::args::{ConnectionArgs, ConvertArgs};
use crate::exit::{Exit, Failure};
use crate::formats::{Format, json, patrol, reflect, solomon, yaml};
use crate::input::{self, Kind};
use crate::output::{self, Display};
use prost_reflect::DynamicMessage;
use std::path::Path;

/// Reads a problem in one format and writes it in another.
pub(super) async fn run(
    args: &ConvertArgs,
    server: &ConnectionArgs,
    display: &Display,
) -> Result<Exit, Failure> {
    if args.to.is_none() && levels::is_known(&args.into) {
        input::refuse_foreign(args.foreign)?;
        levels::convert(&args.from, &args.into)?;
        return Ok(written_to(args, display));
    }
    let Some(format) = args.to.or_else(|| Format::of_name(&args.into)) else {
        let name = args.into.display();
        return Err(Failure::usage(format!(
            "cannot recognize the format of `{name}`: give --to json, yaml, solomon, tiles or literature"
        )));
    };
    let problem = input::problem(&args.from, args.foreign, server).await?;
    let text = match &problem {
        Kind::Allocation(problem) if format == Format::Solomon => {
            solomon::write(problem).map_err(|e| e.to_string())
        }
        Kind::Patrol(problem) if format == Format::Tiles => patrol::tiles::write(problem),
        Kind::Patrol(problem) if format == Format::Literature => patrol::literature::write(problem),
        problem => written(&reflect::of_problem(problem), format),
    };
    let text = text.map_err(|m| Failure::new(Exit::INVALID, format!("{}: {m}", args.from)))?;
    if args.into == Path::new("-") {
        output::print(&text)?;
        return Ok(Exit::OK);
    }
    let path = args.into.display();
    std::fs::write(&args.into, text)
        .map_err(|e| Failure::new(Exit::IO, format!("cannot write {path}: {e}")))?;
    Ok(written_to(args, display))
}

/// Prints that there is a file now.
fn written_to(args: &ConvertArgs, display: &Display) -> Exit {
    if display.live && !display.quiet {
        eprintln!("{} written", args.into.display());
    }
    Exit::OK
}

/// A message in one of our own formats.
fn written(message: &DynamicMessage, format: Format) -> Result<String, String> {
    match format {
        Format::Json => json::write_dynamic(message).map_err(|m| m.message),
        Format::Yaml => yaml::write_dynamic(message).map_err(|m| m.message),
        Format::Solomon => Err("Solomon's format is for problems of allocation only".into()),
        Format::Vrplib => Err("VRPLIB's format is only read".into()),
        Format::Psplib => Err("PSPLIB's format is only read".into()),
        Format::Tiles => Err("maps of tiles are for problems of patrol only".into()),
        Format::Literature => Err("that format is for problems of patrol only".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{Cli, Command};

    #[tokio::test]
    async fn what_levels_have_no_place_for_is_refused() {
        let folder = std::env::temp_dir().join(format!("stratagem-convert-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let (from, into) = (folder.join("a.xsb"), folder.join("b.rle"));
        std::fs::write(&from, "#####\n#@$.#\n#####\n").unwrap();
        for (more, exit) in [
            ("", Exit::OK),
            ("--agents 3", Exit::USAGE),
            ("--rounding exact", Exit::USAGE),
            ("--sight 2", Exit::USAGE),
            ("--rooms", Exit::USAGE),
        ] {
            let (from, into) = (from.display(), into.display());
            let line = format!("stratagem convert {from} {into} {more}");
            let cli = Cli::read(line.split_whitespace().map(Into::into)).unwrap();
            let Command::Convert(args) = &cli.command else {
                panic!("{line}");
            };
            let done = run(args, &cli.connection, &Display::PLAIN).await;
            assert_eq!(done.unwrap_or_else(|failure| failure.exit), exit, "{more}");
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
