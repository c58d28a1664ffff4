//! Authorities and certificates of tests, in a folder that goes away with them.

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::pki_types::CertificateDer;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::{ClientConfig, RootCertStore, crypto::ring};
use tonic::transport::{Certificate, ClientTlsConfig, Identity};

/// The name that all certificates of servers have.
pub const NAME: &str = "stratagem.test";

/// A folder for files of one test.
#[derive(Debug)]
pub struct Folder(PathBuf);

impl Folder {
    /// A new one.
    ///
    /// # Panics
    /// When it cannot be made.
    #[must_use]
    pub fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("stratagem-files-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).expect("the temporary folder can be written");
        Self(path)
    }

    /// The path of a file in it.
    ///
    /// # Panics
    /// When temporary folders have strange names.
    #[must_use]
    pub fn path(&self, name: &str) -> String {
        let path = self.0.join(name);
        path.to_str().expect("a plain name").to_owned()
    }

    /// Writes a file in one step, so that no half of it is ever seen.
    ///
    /// # Panics
    /// When it cannot be written.
    pub fn write(&self, name: &str, text: &str) -> String {
        let (path, new) = (self.path(name), self.path(&format!("{name}.new")));
        fs::write(&new, text).expect("the folder can be written");
        fs::rename(new, &path).expect("the folder can be written");
        path
    }
}

impl Default for Folder {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What is left in a folder for such things does no harm.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A certificate and its key, PEM.
#[derive(Debug, Clone)]
pub struct Pair {
    /// The certificate.
    pub cert: String,
    /// The private key.
    pub key: String,
}

/// Who signs certificates.
pub struct Authority(CertifiedIssuer<'static, KeyPair>);

impl Default for Authority {
    fn default() -> Self {
        Self::new()
    }
}

impl Authority {
    /// A new one.
    ///
    /// # Panics
    /// Never: the system has enough entropy.
    #[must_use]
    pub fn new() -> Self {
        let mut params = CertificateParams::default();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().expect("keys can be made");
        Self(CertifiedIssuer::self_signed(params, key).expect("it is well-formed"))
    }

    /// Its own certificate, PEM.
    #[must_use]
    pub fn pem(&self) -> String {
        self.0.pem()
    }

    /// A certificate for a server or a caller.
    ///
    /// # Panics
    /// Never: the name is good.
    #[must_use]
    pub fn sign(&self, name: &str) -> Pair {
        let params = CertificateParams::new(vec![name.to_owned()]).expect("a good name");
        let key = KeyPair::generate().expect("keys can be made");
        let cert = params.signed_by(&key, &self.0).expect("it is well-formed");
        Pair {
            cert: cert.pem(),
            key: key.serialize_pem(),
        }
    }

    /// What a client of gRPC needs to trust it, with a certificate of its own or without.
    #[must_use]
    pub fn client(&self, own: Option<&Pair>) -> ClientTlsConfig {
        let config = ClientTlsConfig::new()
            .ca_certificate(Certificate::from_pem(self.pem()))
            .domain_name(NAME);
        match own {
            Some(own) => config.identity(Identity::from_pem(&own.cert, &own.key)),
            None => config,
        }
    }

    /// What makes bare connections that trust it and offer these protocols.
    ///
    /// # Panics
    /// Never: the certificate is good.
    #[must_use]
    pub fn connector(&self, protocols: &[&str]) -> TlsConnector {
        let mut roots = RootCertStore::empty();
        let pem = self.pem();
        let certificate = CertificateDer::from_pem_slice(pem.as_bytes());
        roots
            .add(certificate.expect("it is ours"))
            .expect("it is an authority");
        let provider = Arc::new(ring::default_provider());
        let mut config = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .expect("ring has them")
            .with_root_certificates(roots)
            .with_no_client_auth();
        config.alpn_protocols = protocols.iter().map(|it| it.as_bytes().to_vec()).collect();
        TlsConnector::from(Arc::new(config))
    }
}
