//! JSON Web Tokens (RFC 7519), checked with the keys of a file (RFC 7517).
//!
//! A key has one algorithm, its own or the usual one of its kind, and checks no other: a token
//! selects a key, but never how that key is used. Shared secrets (`oct`) are refused: a verifier
//! could sign with them as well.

use crate::status::Refusal;
use crate::tenant::is_name;
use jsonwebtoken::errors::ErrorKind;
use jsonwebtoken::jwk::{AlgorithmParameters, EllipticCurve, Jwk, JwkSet, PublicKeyUse};
use jsonwebtoken::{Algorithm, DecodingKey, Validation, decode, decode_header};
use serde_json::{Map, Value};
use std::fs;
use std::path::Path;

/// How far clocks may be apart, in seconds.
const LEEWAY_S: u64 = 30;
/// Most keys.
const KEYS_MAX: usize = 100;

/// What a token has to say.
#[derive(Debug, Clone)]
pub(super) struct Wanted {
    /// Its `iss`.
    pub issuer: String,
    /// One of its `aud`.
    pub audience: String,
    /// The claim that names the tenant.
    pub tenant_claim: String,
}

/// The keys of those who make tokens.
pub(super) struct Keys {
    keys: Vec<Key>,
    tenant_claim: String,
}

struct Key {
    id: Option<String>,
    algorithm: Algorithm,
    key: DecodingKey,
    validation: Validation,
}

/// Reads a file of keys. Those for other purposes than signatures are passed over.
pub(super) fn read(path: &Path, wanted: &Wanted) -> Result<Keys, String> {
    super::signatures::install();
    let wrong = |why: &str| format!("{}: {why}", path.display());
    let text = fs::read(path).map_err(|error| wrong(&error.to_string()))?;
    let set: JwkSet = serde_json::from_slice(&text).map_err(|error| wrong(&error.to_string()))?;
    if set.keys.len() > KEYS_MAX {
        return Err(wrong(&format!("more than {KEYS_MAX} keys")));
    }
    let signs = |jwk: &&Jwk| jwk.common.public_key_use != Some(PublicKeyUse::Encryption);
    let keys = set.keys.iter().filter(signs).map(|jwk| key(jwk, wanted));
    let keys: Vec<Key> = keys.collect::<Result<_, _>>().map_err(|why| wrong(&why))?;
    if keys.is_empty() {
        Err(wrong("no key for signatures in it"))
    } else {
        Ok(Keys {
            keys,
            tenant_claim: wanted.tenant_claim.clone(),
        })
    }
}

fn key(jwk: &Jwk, wanted: &Wanted) -> Result<Key, String> {
    let id = jwk.common.key_id.clone();
    let name = id.as_deref().unwrap_or("without kid");
    let wrong = |why: &dyn std::fmt::Display| format!("key {name}: {why}");
    let usual = match &jwk.algorithm {
        AlgorithmParameters::EllipticCurve(curve) if curve.curve == EllipticCurve::P256 => {
            Algorithm::ES256
        }
        AlgorithmParameters::EllipticCurve(curve) if curve.curve == EllipticCurve::P384 => {
            Algorithm::ES384
        }
        AlgorithmParameters::OctetKeyPair(pair) if pair.curve == EllipticCurve::Ed25519 => {
            Algorithm::EdDSA
        }
        AlgorithmParameters::RSA(_) => Algorithm::RS256,
        AlgorithmParameters::OctetKey(_) => {
            return Err(wrong(&"a secret that both sides know is not taken"));
        }
        _ => return Err(wrong(&"keys are RSA, P-256, P-384 or Ed25519")),
    };
    let algorithm = match jwk.common.key_algorithm {
        Some(own) => Algorithm::try_from(own).map_err(|error| wrong(&error))?,
        None => usual,
    };
    let is_rsa = matches!(jwk.algorithm, AlgorithmParameters::RSA(_));
    let fits = if is_rsa {
        use Algorithm::{PS256, RS256, RS384, RS512};
        [RS256, RS384, RS512, PS256].contains(&algorithm)
    } else {
        algorithm == usual
    };
    if !fits {
        return Err(wrong(&format!("{algorithm:?} does not go with its kind")));
    }
    let key = DecodingKey::from_jwk(jwk).map_err(|error| wrong(&error))?;
    Ok(Key {
        algorithm,
        key,
        validation: validation(algorithm, wanted),
        id,
    })
}

fn validation(algorithm: Algorithm, wanted: &Wanted) -> Validation {
    let mut validation = Validation::new(algorithm);
    validation.leeway = LEEWAY_S;
    validation.validate_nbf = true;
    validation.set_issuer(&[&wanted.issuer]);
    validation.set_audience(&[&wanted.audience]);
    validation.set_required_spec_claims(&["exp", "iss", "aud"]);
    validation
}

impl Keys {
    /// Whom a token is about.
    pub(super) fn tenant(&self, token: &str) -> Result<String, Refusal> {
        let wrong = |why: &str| Refusal::Token(why.into());
        let header = decode_header(token).map_err(|error| refusal(error.kind()))?;
        // What we do not understand and have to (RFC 7515, section 4.1.11).
        if header.crit.is_some() {
            return Err(wrong("it has critical extensions, and none are known here"));
        }
        let fits = |key: &&Key| {
            let named = header.kid.is_none() || header.kid == key.id;
            named && key.algorithm == header.alg
        };
        let mut last = wrong("no key here has its kid and its algorithm");
        for key in self.keys.iter().filter(fits) {
            match decode::<Map<String, Value>>(token, &key.key, &key.validation) {
                Ok(token) => return self.named(&token.claims),
                Err(error) => last = refusal(error.kind()),
            }
        }
        Err(last)
    }

    fn named(&self, claims: &Map<String, Value>) -> Result<String, Refusal> {
        let claim = &self.tenant_claim;
        match claims.get(claim).and_then(Value::as_str) {
            Some(name) if is_name(name) => Ok(name.into()),
            _ => Err(Refusal::NoTenant(format!(
                "the token's claim {claim} names no tenant"
            ))),
        }
    }
}

/// What is wrong with a token, without anything of its content.
fn refusal(kind: &ErrorKind) -> Refusal {
    let why = match kind {
        ErrorKind::ExpiredSignature => return Refusal::TokenExpired,
        ErrorKind::ImmatureSignature => "it is not valid yet",
        ErrorKind::InvalidSignature => "its signature is not that of a key here",
        ErrorKind::InvalidIssuer => "its issuer is not the one that is trusted",
        ErrorKind::InvalidAudience => "its audience is not this server",
        ErrorKind::MissingRequiredClaim(_) => "it needs the claims exp, iss and aud",
        ErrorKind::InvalidAlgorithm | ErrorKind::UnsupportedAlgorithm => {
            "its algorithm is not that of a key here"
        }
        _ => "it is no JSON Web Token",
    };
    Refusal::Token(why.into())
}
