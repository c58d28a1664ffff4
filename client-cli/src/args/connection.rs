//! Where the server is, and how to get there.

use clap::{Args, builder::FalseyValueParser};
use std::path::PathBuf;

/// Where the server is.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Connection")]
pub struct ConnectionArgs {
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
}
