//! `convert`.

use super::ask::{report_file, write};
use super::puzzle::files as levels;
use crate::args::{ConnectionArgs, ConvertArgs};
use crate::exit::{Exit, Failure};
use crate::input;
use crate::output::Display;
use formats::Format;

/// Reads a problem in one format and writes it in another.
pub(super) async fn run(
    args: &ConvertArgs,
    server: &ConnectionArgs,
    display: &Display,
) -> Result<Exit, Failure> {
    if args.to.is_none() && levels::is_known(&args.into) {
        input::refuse_foreign(args.foreign)?;
        levels::convert(&args.from, &args.into)?;
        report_file(display, &args.into);
        return Ok(Exit::OK);
    }
    let Some(format) = args.to.or_else(|| Format::of_name(&args.into)) else {
        let name = args.into.display();
        let known: Vec<_> = Format::written().collect();
        return Err(Failure::usage(format!(
            "cannot recognize the format of `{name}`: give --to {}",
            known.join(", ")
        )));
    };
    let problem = input::problem(&args.from, args.foreign, server).await?;
    let parts = formats::write(&problem, format);
    let parts = parts.map_err(|m| Failure::new(Exit::INVALID, format!("{}: {m}", args.from)))?;
    // What else a format has, such as the domain of PDDL, has a flag of its own.
    let text = &parts[0].text;
    write(&args.into, text)?;
    report_file(display, &args.into);
    Ok(Exit::OK)
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
