//! The way to the server: address, TLS, deadlines.

use crate::args::ConnectionArgs;
use crate::contexts;
use crate::exit::{Exit, Failure, root_cause};
use std::fs;
use std::future::Future;
use std::path::Path;
use std::time::Duration;
use tonic::metadata::AsciiMetadataValue;
use tonic::service::Interceptor;
use tonic::service::interceptor::InterceptedService;
use tonic::transport::{Certificate, ClientTlsConfig, Endpoint, Identity};
use tonic::{Code, Request, Response, Status};

/// Largest message that is taken from a server: the largest matrices have two million elements.
pub const MESSAGE_BYTES_MAX: usize = 64 << 20;
/// Time to connect, and for calls that do not search.
const QUICK: Duration = Duration::from_secs(5);
/// A peer that is silent for so long is asked for a sign of life, and given up as long after.
const KEEPALIVE: Duration = Duration::from_secs(30);

/// What calls are made on: they say who we are, if we are asked to.
pub type Channel = InterceptedService<tonic::transport::Channel, Bearer>;

/// Puts our token into every call.
#[derive(Clone, Default)]
pub struct Bearer(Option<AsciiMetadataValue>);

impl Interceptor for Bearer {
    fn call(&mut self, mut request: Request<()>) -> Result<Request<()>, Status> {
        if let Some(value) = &self.0 {
            let metadata = request.metadata_mut();
            metadata.insert("authorization", value.clone());
        }
        Ok(request)
    }
}

/// The token of the command line, or of the file that it names.
fn bearer(args: &ConnectionArgs) -> Result<Bearer, Failure> {
    let text = match (&args.token_file, &args.token) {
        (Some(path), _) => {
            let text = fs::read_to_string(path);
            text.map_err(|e| Failure::usage(format!("cannot read {}: {e}", path.display())))?
        }
        (None, Some(token)) => token.0.clone(),
        (None, None) => return Ok(Bearer::default()),
    };
    let text = text.trim();
    let wrong = || Failure::usage("the token is not visible ASCII in one line");
    // Headers would take more.
    if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(wrong());
    }
    let value = format!("Bearer {text}").parse();
    let mut value: AsciiMetadataValue = value.map_err(|_| wrong())?;
    value.set_sensitive(true);
    Ok(Bearer(Some(value)))
}

/// An open connection.
pub struct Connection {
    channel: tonic::transport::Channel,
    bearer: Bearer,
    /// For messages.
    pub address: String,
}

impl Connection {
    /// Connects; errors name what to do.
    ///
    /// # Errors
    /// [`Exit::USAGE`] for an address, certificate or context that is invalid, UNAVAILABLE when
    /// nobody answers.
    pub async fn open(args: &ConnectionArgs) -> Result<Self, Failure> {
        let args = &contexts::resolved(args)?;
        let (address, tls) = address(args)?;
        let bearer = bearer(args)?;
        let endpoint = Endpoint::from_shared(address.clone())
            .map_err(|e| Failure::usage(format!("--address {}: {e}", args.address)))?
            .user_agent(concat!("stratagem/", env!("CARGO_PKG_VERSION")))
            .map_err(|e| Failure::usage(e.to_string()))?
            .connect_timeout(QUICK)
            .tcp_nodelay(true)
            .http2_keep_alive_interval(KEEPALIVE)
            .keep_alive_timeout(KEEPALIVE)
            .keep_alive_while_idle(true);
        let endpoint = if tls {
            endpoint
                .tls_config(tls_config(args)?)
                .map_err(|e| Failure::usage(format!("TLS: {}", root_cause(&e))))?
        } else {
            endpoint
        };
        // The connector's own limit covers TCP alone: a peer that takes the connection and says
        // nothing would hold us without limit.
        let opened = tokio::time::timeout(2 * QUICK, endpoint.connect()).await;
        let channel = match opened {
            Ok(Ok(channel)) => channel,
            Ok(Err(error)) => return Err(unreachable_server(&address, &root_cause(&error))),
            Err(_) => return Err(unreachable_server(&address, "it does not answer")),
        };
        Ok(Self {
            channel,
            bearer,
            address,
        })
    }

    /// The channel, for a client.
    #[must_use]
    pub fn channel(&self) -> Channel {
        InterceptedService::new(self.channel.clone(), self.bearer.clone())
    }

    /// Waits for an answer that needs no search.
    ///
    /// # Errors
    /// The call's, or DEADLINE_EXCEEDED after five seconds.
    pub async fn quick<T>(
        &self,
        call: impl Future<Output = Result<Response<T>, Status>>,
    ) -> Result<T, Failure> {
        self.wait_for(QUICK, call).await
    }

    /// Waits for an answer, at most for `limit`.
    ///
    /// # Errors
    /// The call's, or DEADLINE_EXCEEDED.
    pub async fn wait_for<T>(
        &self,
        limit: Duration,
        call: impl Future<Output = Result<Response<T>, Status>>,
    ) -> Result<T, Failure> {
        match tokio::time::timeout(limit, call).await {
            Ok(Ok(response)) => Ok(response.into_inner()),
            Ok(Err(status)) => Err(self.failure(&status)),
            Err(_) => Err(self.overdue(limit)),
        }
    }

    /// The message about a failed call.
    #[must_use]
    pub fn failure(&self, status: &Status) -> Failure {
        Failure::of_status(status, &self.address)
    }

    /// The message when no answer came in time.
    #[must_use]
    pub fn overdue(&self, limit: Duration) -> Failure {
        let text = stratagem_render::time::span_text(limit.as_micros() as i64);
        let message = format!("no answer from {} within {text}", self.address);
        Failure::new(Exit::of_code(Code::DeadlineExceeded), message)
    }
}

/// Whether all this makes sense, as far as can be seen without a server.
///
/// # Errors
/// An address, certificate or token that makes none, or a file that cannot be read.
pub fn check(args: &ConnectionArgs) -> Result<(), Failure> {
    let (address, _) = address(args)?;
    Endpoint::from_shared(address)
        .map_err(|e| Failure::usage(format!("--address {}: {e}", args.address)))?;
    tls_config(args)?;
    bearer(args).map(|_| ())
}

/// The address with its scheme, and whether to encrypt. Options for TLS mean TLS.
fn address(args: &ConnectionArgs) -> Result<(String, bool), Failure> {
    let given = args.address.trim();
    let certificates = args.ca.is_some() || args.cert.is_some() || args.domain.is_some();
    let (scheme, rest) = given.split_once("://").unwrap_or(("", given));
    let tls = match scheme {
        "https" => true,
        "http" | "" => args.tls || certificates,
        _ => {
            return Err(Failure::usage(format!(
                "--address {given}: http:// or https:// is wanted"
            )));
        }
    };
    if rest.is_empty() {
        return Err(Failure::usage("--address: http://HOST:PORT is wanted"));
    }
    if args.cert.is_some() != args.key.is_some() {
        return Err(Failure::usage("--cert and --key are needed together"));
    }
    Ok((
        format!("{}://{rest}", if tls { "https" } else { "http" }),
        tls,
    ))
}

/// How a certificate begins.
const MARK: &[u8] = b"-----BEGIN CERTIFICATE-----";

fn tls_config(args: &ConnectionArgs) -> Result<ClientTlsConfig, Failure> {
    let mut config = ClientTlsConfig::new();
    config = match &args.ca {
        Some(path) => {
            let pem = pem(path)?;
            // An authority that is none would only show as a certificate that nobody trusts.
            if !pem.windows(MARK.len()).any(|w| w == MARK) {
                let path = path.display();
                return Err(Failure::usage(format!("--ca {path}: no certificate in it")));
            }
            config.ca_certificate(Certificate::from_pem(pem))
        }
        None => config.with_enabled_roots(),
    };
    if let (Some(cert), Some(key)) = (&args.cert, &args.key) {
        config = config.identity(Identity::from_pem(pem(cert)?, pem(key)?));
    }
    if let Some(domain) = &args.domain {
        config = config.domain_name(domain);
    }
    Ok(config)
}

fn pem(path: &Path) -> Result<Vec<u8>, Failure> {
    fs::read(path).map_err(|e| Failure::usage(format!("cannot read {}: {e}", path.display())))
}

fn unreachable_server(address: &str, cause: &str) -> Failure {
    let mut hint = String::from(
        "Start one with `stratagem-server`, or name another with --address or STRATAGEM_ADDRESS.",
    );
    if address.starts_with("https") {
        hint += "\nIf it is there: see --ca, --domain, --cert and --key about TLS; a server without TLS \
                 wants http://.";
    }
    let exit = Exit::of_code(Code::Unavailable);
    Failure::new(exit, format!("no server at {address}: {cause}\n{hint}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{Given, Nearness, Secret};

    fn args(address: &str) -> ConnectionArgs {
        ConnectionArgs {
            address: address.into(),
            // Ignores contexts of the user that runs the tests.
            given: Given {
                address: Nearness::CommandLine,
                ..Given::default()
            },
            ..ConnectionArgs::default()
        }
    }

    fn resolved(args: &ConnectionArgs) -> (String, bool) {
        address(args).unwrap()
    }

    #[test]
    fn the_scheme_or_an_option_turns_tls_on() {
        let plain = ("http://h:1".to_owned(), false);
        let encrypted = ("https://h:1".to_owned(), true);
        assert_eq!(resolved(&args("http://h:1")), plain);
        assert_eq!(resolved(&args("h:1")), plain);
        assert_eq!(resolved(&args("https://h:1")), encrypted);
        let tls = ConnectionArgs {
            tls: true,
            ..args("http://h:1")
        };
        assert_eq!(resolved(&tls), encrypted);
        let ca = ConnectionArgs {
            ca: Some("ca.pem".into()),
            ..args("h:1")
        };
        assert_eq!(resolved(&ca), encrypted);
    }

    #[test]
    fn nonsense_is_a_matter_of_usage() {
        let half = ConnectionArgs {
            cert: Some("c.pem".into()),
            ..args("https://h")
        };
        for args in [args("ftp://h"), args(""), half] {
            assert_eq!(address(&args).unwrap_err().exit, Exit::USAGE);
        }
    }

    #[test]
    fn a_token_is_sent_and_not_shown() {
        let with = |token: &str| ConnectionArgs {
            token: Some(Secret(token.into())),
            ..args("h:1")
        };
        let good = with(" a-secret\n");
        assert!(!format!("{good:?}").contains("a-secret"));
        let mut bearer = bearer(&good).unwrap();
        let request = bearer.call(Request::new(())).unwrap();
        let sent = request.metadata().get("authorization").unwrap();
        assert_eq!(sent.to_str().unwrap(), "Bearer a-secret");
        assert!(!format!("{sent:?}").contains("a-secret"));
        for wrong in [with("two\nlines"), with("ü")] {
            let failure = super::bearer(&wrong).err().unwrap();
            assert_eq!(failure.exit, Exit::USAGE);
            assert!(!failure.message.contains("lines"));
        }
        let missing = ConnectionArgs {
            token_file: Some("/nowhere/at/all".into()),
            ..with("other")
        };
        assert!(super::bearer(&missing).is_err());
    }

    #[tokio::test]
    async fn a_closed_port_is_unavailable_and_says_what_to_do() {
        // Bound and dropped: nobody listens there.
        let port = std::net::TcpListener::bind("127.0.0.1:0")
            .unwrap()
            .local_addr()
            .unwrap();
        let failure = Connection::open(&args(&format!("http://{port}")))
            .await
            .err()
            .unwrap();
        assert_eq!(failure.exit, Exit(34));
        assert!(
            failure.message.contains("Connection refused"),
            "{}",
            failure.message
        );
        assert!(failure.message.contains("--address"), "{}", failure.message);
    }
}
