//! Signatures of JSON Web Tokens by ring, which TLS uses as well: one crypto library is enough.
//! This module only verifies: it has no shared secrets and signs nothing.

use jsonwebtoken::crypto::{CryptoProvider, JwtVerifier, KeyUtils};
use jsonwebtoken::errors::{ErrorKind, Result};
use jsonwebtoken::signature::{Error, Verifier};
use jsonwebtoken::{Algorithm, DecodingKey, DecodingKeyKind};
use ring::signature::{
    ECDSA_P256_SHA256_FIXED, ECDSA_P384_SHA384_FIXED, ED25519, RSA_PKCS1_2048_8192_SHA256,
    RSA_PKCS1_2048_8192_SHA384, RSA_PKCS1_2048_8192_SHA512, RSA_PSS_2048_8192_SHA256,
    RsaParameters, RsaPublicKeyComponents, UnparsedPublicKey, VerificationAlgorithm,
};

/// What tokens are checked with.
static PROVIDER: CryptoProvider = CryptoProvider {
    signer_factory: |_, _| Err(ErrorKind::UnsupportedAlgorithm.into()),
    verifier_factory: verifier,
    // To make keys, which is not done here.
    key_utils: KeyUtils::new_unimplemented(),
};

/// Makes it the one that is used.
pub(super) fn install() {
    // Fails when it was done before, by us: nobody else does.
    let _ = PROVIDER.install_default();
}

enum Key {
    Plain(&'static dyn VerificationAlgorithm, Vec<u8>),
    Rsa(&'static RsaParameters, RsaPublicKeyComponents<Vec<u8>>),
}

struct Check {
    algorithm: Algorithm,
    key: Key,
}

fn verifier(algorithm: &Algorithm, key: &DecodingKey) -> Result<Box<dyn JwtVerifier>> {
    let plain = |how: &'static dyn VerificationAlgorithm| -> Result<Key> {
        Ok(Key::Plain(how, key.try_get_as_bytes()?.to_vec()))
    };
    let rsa = |how: &'static RsaParameters| -> Result<Key> {
        match key.kind() {
            DecodingKeyKind::RsaModulusExponent { n, e } => {
                let (n, e) = (n.clone(), e.clone());
                Ok(Key::Rsa(how, RsaPublicKeyComponents { n, e }))
            }
            DecodingKeyKind::SecretOrDer(_) => Err(ErrorKind::InvalidKeyFormat.into()),
        }
    };
    if key.family() != algorithm.family() {
        return Err(ErrorKind::InvalidKeyFormat.into());
    }
    let made = match algorithm {
        Algorithm::EdDSA => plain(&ED25519)?,
        Algorithm::ES256 => plain(&ECDSA_P256_SHA256_FIXED)?,
        Algorithm::ES384 => plain(&ECDSA_P384_SHA384_FIXED)?,
        Algorithm::RS256 => rsa(&RSA_PKCS1_2048_8192_SHA256)?,
        Algorithm::RS384 => rsa(&RSA_PKCS1_2048_8192_SHA384)?,
        Algorithm::RS512 => rsa(&RSA_PKCS1_2048_8192_SHA512)?,
        Algorithm::PS256 => rsa(&RSA_PSS_2048_8192_SHA256)?,
        _ => return Err(ErrorKind::UnsupportedAlgorithm.into()),
    };
    Ok(Box::new(Check {
        algorithm: *algorithm,
        key: made,
    }))
}

impl Verifier<Vec<u8>> for Check {
    fn verify(&self, message: &[u8], signature: &Vec<u8>) -> std::result::Result<(), Error> {
        let checked = match &self.key {
            Key::Plain(how, key) => UnparsedPublicKey::new(*how, key).verify(message, signature),
            Key::Rsa(how, key) => key.verify(how, message, signature),
        };
        checked.map_err(|_| Error::new())
    }
}

impl JwtVerifier for Check {
    fn algorithm(&self) -> Algorithm {
        self.algorithm
    }
}
