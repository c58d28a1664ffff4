//! TLS of the port for calls: rustls with ring, certificates that change while it runs.

use crate::metrics::Metrics;
use crate::watched::Watched;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::server::WebPkiClientVerifier;
use tokio_rustls::rustls::{RootCertStore, ServerConfig};

/// The first byte of a client that speaks TLS: a record of a handshake.
pub(crate) const HANDSHAKE: u8 = 0x16;

/// What is said to others, who speak HTTP most often.
pub(crate) const PLAIN_ANSWER: &[u8] = b"HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\
    content-type: text/plain\r\ncontent-length: 41\r\n\r\nThis port speaks TLS: use https:// there\n";

/// Which files there are.
#[derive(Debug, Clone)]
pub(crate) struct Files {
    /// The server's certificate and those that lead to its authority.
    pub cert: PathBuf,
    /// Its private key.
    pub key: PathBuf,
    /// Authorities of callers; without, callers need no certificate.
    pub client_ca: Option<PathBuf>,
    /// Whether HTTP/1.1 is spoken, too.
    pub http1: bool,
}

/// What handshakes are made with, as of now.
pub(crate) type Tls = Watched<Arc<ServerConfig>>;

/// Reads all files.
///
/// # Errors
/// What is wrong with them.
pub(crate) fn open(files: Files, metrics: &Metrics) -> Result<Tls, String> {
    let mut paths = vec![files.cert.clone(), files.key.clone()];
    paths.extend(files.client_ca.clone());
    Watched::open("certificates", paths, metrics, move || read(&files))
}

fn read(files: &Files) -> Result<Arc<ServerConfig>, String> {
    let provider = Arc::new(ring::default_provider());
    let builder = ServerConfig::builder_with_provider(Arc::clone(&provider));
    let builder = builder
        .with_safe_default_protocol_versions()
        .map_err(|error| error.to_string())?;
    let builder = match &files.client_ca {
        None => builder.with_no_client_auth(),
        Some(path) => {
            let mut roots = RootCertStore::empty();
            for authority in certificates(path)? {
                let added = roots.add(authority);
                added.map_err(|error| format!("{}: {error}", path.display()))?;
            }
            let verifier =
                WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider).build();
            let verifier = verifier.map_err(|error| format!("{}: {error}", path.display()))?;
            builder.with_client_cert_verifier(verifier)
        }
    };
    let chain = certificates(&files.cert)?;
    let key = PrivateKeyDer::from_pem_file(&files.key)
        .map_err(|error| format!("{}: {error}", files.key.display()))?;
    // Says so when certificate and key do not belong together.
    let mut config = builder
        .with_single_cert(chain, key)
        .map_err(|error| format!("{}: {error}", files.cert.display()))?;
    config.alpn_protocols = vec![b"h2".to_vec()];
    if files.http1 {
        config.alpn_protocols.push(b"http/1.1".to_vec());
    }
    Ok(Arc::new(config))
}

/// All certificates in a file, at least one.
fn certificates(path: &Path) -> Result<Vec<CertificateDer<'static>>, String> {
    let wrong = |why: &dyn std::fmt::Display| format!("{}: {why}", path.display());
    let found = CertificateDer::pem_file_iter(path).map_err(|error| wrong(&error))?;
    let found: Result<Vec<_>, _> = found.collect();
    let found = found.map_err(|error| wrong(&error))?;
    if found.is_empty() {
        Err(wrong(&"no certificate in it"))
    } else {
        Ok(found)
    }
}
