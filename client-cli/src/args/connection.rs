//! Where the server is, and how to get there.

use clap::parser::ValueSource;
use clap::{ArgMatches, Args, builder::FalseyValueParser};
use std::convert::Infallible;
use std::path::PathBuf;
use std::str::FromStr;

/// Where the server is.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Connection")]
pub struct ConnectionArgs {
    /// Name of a server of `stratagem context`; empty: none. Default: the one of `stratagem context
    /// use`.
    #[arg(long, global = true, env = "STRATAGEM_CONTEXT", value_name = "NAME")]
    pub context: Option<String>,
    /// Address of the server: http://HOST:PORT or https://HOST:PORT.
    #[arg(
        long,
        global = true,
        env = "STRATAGEM_ADDRESS",
        default_value = "http://127.0.0.1:50051",
        value_name = "URL"
    )]
    pub address: String,
    /// Encrypt with TLS; implied by https:// and by the other TLS options.
    #[arg(long, global = true, env = "STRATAGEM_TLS", value_parser = FalseyValueParser::new())]
    pub tls: bool,
    /// Certificates of the authorities to trust, PEM. Default: those of the system.
    #[arg(long, global = true, env = "STRATAGEM_CA", value_name = "FILE")]
    pub ca: Option<PathBuf>,
    /// Our certificate, PEM, for servers that ask for one. Needs --key.
    #[arg(long, global = true, env = "STRATAGEM_CERT", value_name = "FILE")]
    pub cert: Option<PathBuf>,
    /// The private key of our certificate, PEM. Needs --cert.
    #[arg(long, global = true, env = "STRATAGEM_KEY", value_name = "FILE")]
    pub key: Option<PathBuf>,
    /// Name that the server's certificate must have. Default: the host of the address.
    #[arg(long, global = true, env = "STRATAGEM_DOMAIN", value_name = "NAME")]
    pub domain: Option<String>,
    /// Bearer token. Other users of this machine can read command lines: prefer the variable or
    /// --token-file.
    #[arg(
        long,
        global = true,
        env = "STRATAGEM_TOKEN",
        hide_env_values = true,
        value_name = "TOKEN"
    )]
    pub token: Option<Secret>,
    /// File with the token; takes precedence over --token.
    #[arg(long, global = true, env = "STRATAGEM_TOKEN_FILE", value_name = "FILE")]
    pub token_file: Option<PathBuf>,
    /// Save the request and the answer, for `stratagem replay`.
    #[arg(long, global = true, value_name = "FILE")]
    pub bundle: Option<PathBuf>,
    /// Sources of these options.
    #[arg(skip)]
    pub given: Given,
}

/// Precedence of the source of an option: the nearer to the user wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Nearness {
    /// Not given.
    #[default]
    Default,
    /// The context chosen by `stratagem context use`.
    Chosen,
    /// A variable of the environment.
    Environment,
    /// The command line.
    CommandLine,
}

impl Nearness {
    fn of_option(matches: &ArgMatches, option: &str) -> Self {
        match matches.value_source(option) {
            Some(ValueSource::CommandLine) => Self::CommandLine,
            Some(ValueSource::EnvVariable) => Self::Environment,
            _ => Self::Default,
        }
    }
}

/// The source of each part of [`ConnectionArgs`].
#[derive(Debug, Clone, Default)]
pub struct Given {
    /// The name of a context.
    pub context: Nearness,
    /// The address.
    pub address: Nearness,
    /// TLS.
    pub tls: Nearness,
    /// The certificates of the authorities.
    pub ca: Nearness,
    /// Our certificate or its key.
    pub identity: Nearness,
    /// The name in the server's certificate.
    pub domain: Nearness,
    /// The token or its file.
    pub token: Nearness,
}

impl Given {
    /// The sources of the options in `matches`.
    #[must_use]
    pub fn from_matches(matches: &ArgMatches) -> Self {
        let of = |option| Nearness::of_option(matches, option);
        Self {
            context: of("context"),
            address: of("address"),
            tls: of("tls"),
            ca: of("ca"),
            identity: of("cert").max(of("key")),
            domain: of("domain"),
            token: of("token").max(of("token_file")),
        }
    }
}

/// A secret: hidden in logs and messages.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(
    /// The secret in plain text.
    pub String,
);

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("***")
    }
}

impl FromStr for Secret {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(Self(text.to_owned()))
    }
}
