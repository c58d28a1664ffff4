//! `context add`, `use`, `list`, `show` and `remove`.

use crate::args::{
    AddContextArgs, ConnectionArgs, ContextCommand, Nearness, OutputFormat, Secret, UseContextArgs,
};
use crate::connect;
use crate::contexts::{Book, Context, Store, named};
use crate::exit::{Exit, Failure};
use crate::input::text_at_most;
use crate::output::{self, Display, context as texts};

/// Bytes of a token, at most: headers of calls take no more.
const TOKEN_BYTES_MAX: u64 = 16 << 10;

/// Does what the command says. Asks no server.
pub(super) fn run(
    command: &ContextCommand,
    server: &ConnectionArgs,
    display: &Display,
) -> Result<Exit, Failure> {
    let store = Store::of_user()?;
    match command {
        ContextCommand::Add(args) => add(args, server, &store)?,
        ContextCommand::Use(args) => choose(args, &store)?,
        ContextCommand::List => {
            let book = store.read()?;
            match display.format() {
                OutputFormat::Table => output::print(&texts::list(display, &book))?,
                OutputFormat::Ndjson => {
                    for context in texts::listed(&book) {
                        output::plain(OutputFormat::Ndjson, &context)?;
                    }
                }
                format => output::plain(format, &texts::listed(&book))?,
            }
        }
        ContextCommand::Show { name } => {
            let book = store.read()?;
            let name = current(name.as_deref(), server, &book)?;
            book.get(&name)?;
            let context = texts::listed(&book)
                .into_iter()
                .find(|context| context.name == name);
            match (display.format(), context) {
                (OutputFormat::Table, Some(context)) => {
                    output::print(&texts::described(display, &context))?;
                }
                (format, context) => output::plain(format, &context)?,
            }
        }
        ContextCommand::Remove { name } => remove(name, &store)?,
    }
    Ok(Exit::OK)
}

/// The one that is asked for, or that commands use here and now.
fn current(name: Option<&str>, server: &ConnectionArgs, book: &Book) -> Result<String, Failure> {
    let named = name.or(server.context.as_deref());
    let name = named.or(book.current.as_deref()).unwrap_or_default();
    match name {
        "" => Err(Failure::usage("no context is chosen: name one")),
        name => Ok(name.to_owned()),
    }
}

fn add(args: &AddContextArgs, server: &ConnectionArgs, store: &Store) -> Result<(), Failure> {
    named(&args.name)?;
    let mut context = Context::from_args(server)?;
    if args.token_stdin {
        context.token = Some(Secret(token()?));
    }
    // Nothing but what is kept: the environment may be another one when it is used.
    let alone = context.fill(&ConnectionArgs::default(), Nearness::CommandLine);
    connect::check(&alone)?;
    store.change(|book| {
        if book.contexts.contains_key(&args.name) && !args.replace {
            let message = format!(
                "there is a context `{}`; --replace overwrites it",
                args.name
            );
            return Err(Failure::usage(message));
        }
        book.contexts.insert(args.name.clone(), context);
        if args.chosen {
            book.current = Some(args.name.clone());
        }
        Ok(())
    })?;
    let hint = if args.chosen {
        "commands use it from now on".to_owned()
    } else {
        format!("`stratagem context use {}` chooses it", args.name)
    };
    eprintln!("context {} is saved; {hint}", args.name);
    Ok(())
}

/// The token on stdin.
fn token() -> Result<String, Failure> {
    let text = text_at_most(TOKEN_BYTES_MAX, std::io::stdin().lock())
        .map_err(|e| Failure::usage(format!("cannot read the token on stdin: {e}")))?;
    Ok(text.trim().to_owned())
}

fn choose(args: &UseContextArgs, store: &Store) -> Result<(), Failure> {
    store.change(|book| {
        if let Some(name) = &args.name {
            book.get(name)?;
        }
        book.current.clone_from(&args.name);
        Ok(())
    })?;
    match &args.name {
        Some(name) => eprintln!("commands use context {name} from now on"),
        None => eprintln!("commands use no context from now on"),
    }
    Ok(())
}

fn remove(name: &str, store: &Store) -> Result<(), Failure> {
    let mut was_chosen = false;
    store.change(|book| {
        book.get(name)?;
        book.contexts.remove(name);
        was_chosen = book.current.as_deref() == Some(name);
        if was_chosen {
            book.current = None;
        }
        Ok(())
    })?;
    let hint = if was_chosen {
        "; commands used it, and use none now"
    } else {
        ""
    };
    eprintln!("context {name} is forgotten{hint}");
    Ok(())
}
