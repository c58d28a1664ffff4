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
    /// Token that says who we are. Others on this machine see command lines: better use the
    /// variable, or --token-file.
    #[arg(
        long,
        global = true,
        env = "STRATAGEM_TOKEN",
        hide_env_values = true,
        value_name = "TOKEN"
    )]
    pub token: Option<Secret>,
    /// File with that token, which goes before --token.
    #[arg(long, global = true, env = "STRATAGEM_TOKEN_FILE", value_name = "FILE")]
    pub token_file: Option<PathBuf>,
    /// Save what is asked and what is answered, for `stratagem replay`.
    #[arg(long, global = true, value_name = "FILE")]
    pub bundle: Option<PathBuf>,
    /// Where all this comes from.
    #[arg(skip)]
    pub given: Given,
}

/// How near to the user something was said: what is nearer wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Nearness {
    /// Nobody said it.
    #[default]
    Default,
    /// It is that of the context that was chosen some time ago.
    Chosen,
    /// By a variable of the environment.
    Environment,
    /// On the command line.
    CommandLine,
}

impl Nearness {
    fn of(matches: &ArgMatches, option: &str) -> Self {
        match matches.value_source(option) {
            Some(ValueSource::CommandLine) => Self::CommandLine,
            Some(ValueSource::EnvVariable) => Self::Environment,
            _ => Self::Default,
        }
    }
}

/// How near to the user each part of [`ConnectionArgs`] was said.
#[derive(Debug, Clone, Default)]
pub struct Given {
    /// The name of a context.
    pub context: Nearness,
    /// The address.
    pub address: Nearness,
    /// That it is to be encrypted.
    pub tls: Nearness,
    /// Whom to trust.
    pub ca: Nearness,
    /// Our certificate or its key.
    pub identity: Nearness,
    /// The name in the server's certificate.
    pub domain: Nearness,
    /// The token or its file.
    pub token: Nearness,
}

impl Given {
    /// Where the options come from that `matches` has.
    #[must_use]
    pub fn of(matches: &ArgMatches) -> Self {
        let of = |option| Nearness::of(matches, option);
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

/// What must not be seen: neither in logs nor in messages.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(
    /// Itself.
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
