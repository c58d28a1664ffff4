//! Contexts: servers saved by name.
//!
//! Precedence: options of the command line, then the environment, then the context chosen by
//! `context use`. A context named by `--context` ranks as an option, one named by
//! `STRATAGEM_CONTEXT` as a variable; it fills in what options of the same rank leave out. Where
//! the address comes from a higher rank, the context is ignored: its token and certificate are for
//! its own server. A context of a higher rank likewise ignores the token of a variable, even if it
//! has none of its own.

mod file;

pub use file::{Book, Store};

use crate::args::{ConnectionArgs, Nearness, Secret};
use crate::exit::Failure;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Letters of a name, at most.
const NAME_MAX: usize = 63;

/// A server, and how to get there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Context {
    /// http://HOST:PORT or https://HOST:PORT.
    pub address: String,
    /// Encrypt, whatever the address says.
    #[serde(default, skip_serializing_if = "is_false")]
    pub tls: bool,
    /// Certificates of the authorities to trust.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ca: Option<PathBuf>,
    /// Our certificate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cert: Option<PathBuf>,
    /// Its private key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<PathBuf>,
    /// Name that the server's certificate must have.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub domain: Option<String>,
    /// Token that says who we are.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "file::plain")]
    pub token: Option<Secret>,
    /// File with that token.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub token_file: Option<PathBuf>,
}

// The shape is serde's.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
fn is_false(flag: &bool) -> bool {
    !flag
}

impl Context {
    /// What the command line says, with files by their whole paths.
    ///
    /// # Errors
    /// It names no server, or the working directory has gone.
    pub fn from_args(args: &ConnectionArgs) -> Result<Self, Failure> {
        let near = |nearness| nearness == Nearness::CommandLine;
        let given = &args.given;
        if !near(given.address) {
            return Err(Failure::usage("--address: which server is it?"));
        }
        let path = |file: &Option<PathBuf>, nearness| match file {
            Some(file) if near(nearness) => whole(file).map(Some),
            _ => Ok(None),
        };
        Ok(Self {
            address: args.address.trim().to_owned(),
            tls: args.tls && near(given.tls),
            ca: path(&args.ca, given.ca)?,
            cert: path(&args.cert, given.identity)?,
            key: path(&args.key, given.identity)?,
            domain: args.domain.clone().filter(|_| near(given.domain)),
            token: args.token.clone().filter(|_| near(given.token)),
            token_file: path(&args.token_file, given.token)?,
        })
    }

    /// The way to the server for options that leave it to a context which is so near.
    #[must_use]
    pub fn fill(&self, args: &ConnectionArgs, nearness: Nearness) -> ConnectionArgs {
        let mut filled = args.clone();
        let given = &args.given;
        if given.address < nearness {
            filled.address.clone_from(&self.address);
        }
        if given.tls < nearness {
            filled.tls |= self.tls;
        }
        if given.ca < nearness && self.ca.is_some() {
            filled.ca.clone_from(&self.ca);
        }
        if given.domain < nearness && self.domain.is_some() {
            filled.domain.clone_from(&self.domain);
        }
        // Halves of different pairs do not fit.
        if given.identity < nearness && (self.cert.is_some() || self.key.is_some()) {
            filled.cert.clone_from(&self.cert);
            filled.key.clone_from(&self.key);
        }
        // Also where it has none: one that is farther away than the name of the server is
        // another's.
        if given.token < nearness {
            filled.token.clone_from(&self.token);
            filled.token_file.clone_from(&self.token_file);
        }
        filled
    }
}

/// The whole path of a file: commands are given elsewhere, too.
fn whole(file: &Path) -> Result<PathBuf, Failure> {
    let whole = std::path::absolute(file);
    whole.map_err(|e| Failure::usage(format!("{}: {e}", file.display())))
}

/// Whether a name may be one of a context.
///
/// # Errors
/// What is wrong with it.
pub fn named(name: &str) -> Result<(), Failure> {
    let letter = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    if name.is_empty() || name.len() > NAME_MAX || !name.bytes().all(letter) {
        return Err(Failure::usage(format!(
            "`{name}` is no name of a context: 1 to {NAME_MAX} letters, digits, -, _ and . are wanted"
        )));
    }
    Ok(())
}

/// The way to the server, with what a context says about it.
///
/// # Errors
/// There is no such context, or the file of contexts cannot be read.
pub fn resolved(args: &ConnectionArgs) -> Result<ConnectionArgs, Failure> {
    let nearness = match args.context {
        Some(_) => args.given.context.max(Nearness::Environment),
        None => Nearness::Chosen,
    };
    if args.given.address > nearness {
        return Ok(args.clone());
    }
    let context = match &args.context {
        Some(name) if name.is_empty() => None,
        Some(name) => Some(Store::of_user()?.read()?.get(name)?.clone()),
        None => match Store::of_user() {
            Ok(store) => store.read()?.chosen()?.cloned(),
            // Nobody has a home, so that nobody has chosen anything.
            Err(_) => None,
        },
    };
    let filled = context.map(|context| context.fill(args, nearness));
    Ok(filled.unwrap_or_else(|| args.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Cli;

    fn args(line: &str) -> ConnectionArgs {
        let words = format!("stratagem server info {line}");
        let words = words.split_whitespace().map(Into::into);
        Cli::read(words).unwrap().connection
    }

    fn context() -> Context {
        let line = "--address https://prod --ca /ca --cert /c --key /k --token t";
        Context::from_args(&args(line)).unwrap()
    }

    #[test]
    fn what_is_kept_comes_from_the_command_line_with_whole_paths() {
        let kept = context();
        assert_eq!(kept.address, "https://prod");
        assert_eq!((kept.tls, kept.token_file), (false, None));
        assert_eq!(kept.token, Some(Secret("t".into())));
        let kept = Context::from_args(&args("--address h --token-file t --tls")).unwrap();
        assert!(kept.token_file.unwrap().is_absolute() && kept.tls);
        assert!(Context::from_args(&args("--tls")).is_err(), "no address");
    }

    #[test]
    fn a_context_fills_in_what_nearer_options_leave_out() {
        let kept = context();
        let filled = kept.fill(&args(""), Nearness::Chosen);
        assert_eq!(filled.address, "https://prod");
        assert_eq!(filled.token, kept.token);
        assert_eq!((&filled.cert, &filled.key), (&kept.cert, &kept.key));
        let filled = kept.fill(&args("--token-file f --domain d"), Nearness::Chosen);
        assert_eq!(filled.address, "https://prod");
        assert_eq!(filled.token, None, "a nearer token goes before");
        assert_eq!(filled.token_file, Some("f".into()));
        assert_eq!(filled.domain, Some("d".into()));
        assert_eq!(filled.ca, kept.ca);
    }

    #[test]
    fn beside_equally_near_options_it_fills_in_the_rest() {
        let near = Nearness::CommandLine;
        let filled = context().fill(&args("--context prod --address https://replica"), near);
        assert_eq!(filled.address, "https://replica");
        assert_eq!(filled.token, Some(Secret("t".into())));
        let mut variables = args("");
        variables.address = "http://elsewhere".into();
        variables.given.address = Nearness::Environment;
        let filled = context().fill(&variables, near);
        assert_eq!(filled.address, "https://prod", "--context is nearer");
    }

    #[test]
    fn a_token_of_the_environment_does_not_go_to_a_nearer_context() {
        let mut variables = args("--context plain");
        variables.token = Some(Secret("another".into()));
        variables.token_file = Some("another".into());
        variables.given.token = Nearness::Environment;
        let plain = Context::from_args(&args("--address https://plain")).unwrap();
        let filled = plain.fill(&variables, Nearness::CommandLine);
        assert_eq!(filled.address, "https://plain");
        assert_eq!((filled.token, filled.token_file), (None, None));
        // Named by a variable, or chosen some time ago, it is no nearer than the token.
        for nearness in [Nearness::Environment, Nearness::Chosen] {
            let filled = plain.fill(&variables, nearness);
            assert_eq!(filled.token, variables.token);
            assert_eq!(filled.token_file, variables.token_file);
        }
        let said = plain.fill(&args("--context plain --token t"), Nearness::CommandLine);
        assert_eq!(said.token, Some(Secret("t".into())));
    }

    #[test]
    fn a_nearer_address_has_nothing_to_do_with_contexts() {
        // It would be read, and is not there.
        let mut given = args("--address http://other");
        given.context = Some("nobody/has/this".into());
        given.given.context = Nearness::Environment;
        let found = resolved(&given).unwrap();
        assert_eq!((&*found.address, found.token), ("http://other", None));
        given.given.context = Nearness::CommandLine;
        assert!(resolved(&given).is_err());
    }

    #[test]
    fn names_are_plain() {
        for name in ["prod", "a", "eu-1.test_2", &"x".repeat(63)] {
            assert!(named(name).is_ok(), "{name}");
        }
        for name in ["", "a b", "../x/y", "ü", &"x".repeat(64)] {
            assert!(named(name).is_err(), "{name}");
        }
    }
}
