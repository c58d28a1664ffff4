//! Contexts, for people and programs: never their secrets.

use super::Display;
use super::table::{Table, pairs, text};
use crate::args::Secret;
use crate::contexts::{Book, Context};
use serde::Serialize;

/// A context as it is listed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Listed {
    /// Its name.
    pub name: String,
    /// Whether it was chosen.
    pub current: bool,
    /// All that is kept, with asterisks for its token.
    #[serde(flatten)]
    context: Context,
}

/// All contexts, by name.
#[must_use]
pub fn listed(book: &Book) -> Vec<Listed> {
    let listed = book.contexts.iter().map(|(name, context)| Listed {
        name: name.clone(),
        current: book.current.as_ref() == Some(name),
        context: Context {
            token: context.token.as_ref().map(|_| Secret("***".into())),
            ..context.clone()
        },
    });
    listed.collect()
}

/// All contexts as a table; the chosen one has a mark.
#[must_use]
pub fn list(display: &Display, book: &Book) -> String {
    let headings = ["", "NAME", "ADDRESS", "WE ARE"];
    let mut table = Table::new(headings.map(text).to_vec());
    for context in listed(book) {
        let mark = if context.current { "*" } else { "" };
        let mut are = Vec::new();
        let Context {
            address,
            cert,
            token,
            token_file,
            ..
        } = &context.context;
        if cert.is_some() {
            are.push("certificate");
        }
        if token.is_some() || token_file.is_some() {
            are.push("token");
        }
        let are = are.join(", ");
        table.push(&[mark, &context.name, address, &are].map(str::to_owned));
    }
    table.text(display)
}

/// All about one.
#[must_use]
pub fn described(display: &Display, context: &Listed) -> String {
    let chosen = if context.current { "chosen" } else { "" };
    let mut rows = vec![(
        "context",
        format!("{} {chosen}", context.name).trim_end().to_owned(),
    )];
    let context = &context.context;
    rows.push(("address", context.address.clone()));
    if context.tls {
        rows.push(("tls", "yes".into()));
    }
    let files = [
        ("ca", &context.ca),
        ("cert", &context.cert),
        ("key", &context.key),
        ("token file", &context.token_file),
    ];
    for (name, file) in files {
        rows.extend(file.as_ref().map(|file| (name, file.display().to_string())));
    }
    rows.extend(context.domain.clone().map(|domain| ("domain", domain)));
    rows.extend(context.token.clone().map(|token| ("token", token.0)));
    pairs(&rows, display.terminal_width)
}
