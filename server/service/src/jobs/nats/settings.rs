//! Where the broker is, and how it is talked to.

use crate::config::{BrokerMonitor, BrokerUrl, Config, Login, Switch};
use crate::jobs::store::{StoreError, Stored};
use async_nats::ConnectOptions;
use std::path::PathBuf;
use std::time::Duration;

/// How long the broker has to answer.
pub(super) const PATIENCE: Duration = Duration::from_secs(3);
/// Longest time between two attempts to connect.
const CONNECT_PAUSE_MAX: Duration = Duration::from_secs(1);

/// What a connection and its streams are made of.
#[derive(Debug, Clone)]
pub(crate) struct Settings {
    /// Where it is.
    pub url: BrokerUrl,
    /// File with credentials.
    pub credentials: Option<PathBuf>,
    /// File with the authorities that sign its certificate.
    pub ca: Option<PathBuf>,
    /// Files with our certificate and its key.
    pub certificate: Option<(PathBuf, PathBuf)>,
    /// Servers of the broker that keep each message.
    pub replicas: usize,
    /// Where it reports whether it syncs.
    pub monitor: BrokerMonitor,
    /// How long a job stays with a server that gives no sign of life.
    pub lease: Duration,
    /// Jobs that are kept, nearly: servers count on their own.
    pub jobs_max: usize,
    /// Whether sessions are logged there.
    pub logs_sessions: bool,
    /// Begins the names of all streams; those who share jobs share it.
    pub name: String,
}

impl Settings {
    /// Those of a server whose jobs are at this broker.
    pub(crate) fn new(config: &Config, url: &BrokerUrl) -> Self {
        let certificate = config.jobs_cert.path().zip(config.jobs_key.path());
        let certificate = certificate.map(|(cert, key)| (cert.into(), key.into()));
        Self {
            url: url.clone(),
            credentials: config.jobs_credentials.path().map(Into::into),
            ca: config.jobs_ca.path().map(Into::into),
            certificate,
            replicas: config.jobs_replicas,
            monitor: config.jobs_monitor.clone(),
            lease: config.job_lease.get(),
            jobs_max: config.jobs_max,
            logs_sessions: config.session_log == Switch::On,
            name: "stratagem".into(),
        }
    }

    /// For the connection; files are read now.
    pub(super) async fn options(&self) -> Stored<ConnectOptions> {
        let mut options = ConnectOptions::new()
            .name("stratagem-server")
            .retry_on_initial_connect()
            .request_timeout(Some(PATIENCE))
            .connection_timeout(PATIENCE)
            .reconnect_delay_callback(|attempts| {
                let millis = u64::try_from(attempts)
                    .unwrap_or(u64::MAX)
                    .saturating_mul(100);
                Duration::from_millis(millis).min(CONNECT_PAUSE_MAX)
            });
        options = match self.url.login() {
            Some(Login::User(user, password)) => options.user_and_password(user, password),
            Some(Login::Token(token)) => options.token(token),
            None => options,
        };
        if let Some(path) = &self.credentials {
            let wrong = |error| StoreError(format!("{}: {error}", path.display()));
            options = options.credentials_file(path).await.map_err(wrong)?;
        }
        if let Some(path) = &self.ca {
            options = options.add_root_certificates(path.clone());
        }
        if let Some((certificate, key)) = &self.certificate {
            options = options.add_client_certificate(certificate.clone(), key.clone());
        }
        Ok(options.require_tls(self.url.tls))
    }
}
