//! JSON Web Tokens of tests, and the keys that check them.

use rcgen::{KeyPair, PKCS_ED25519, PublicKeyData as _, SigningKey as _};
use serde_json::{Value, json};
use std::time::{SystemTime, UNIX_EPOCH};

/// Who signs tokens.
pub struct Issuer(KeyPair);

impl Default for Issuer {
    fn default() -> Self {
        Self::new()
    }
}

impl Issuer {
    /// A new one.
    ///
    /// # Panics
    /// Never: the system has enough entropy.
    #[must_use]
    pub fn new() -> Self {
        Self(KeyPair::generate_for(&PKCS_ED25519).expect("keys can be made"))
    }

    /// Its public key, as servers want it.
    #[must_use]
    pub fn jwks(&self) -> String {
        let x = base64(self.0.der_bytes());
        let key = json!({"kty": "OKP", "crv": "Ed25519", "kid": "test", "use": "sig", "x": x});
        json!({"keys": [key]}).to_string()
    }

    /// A token of a tenant that is valid for this number of seconds from now.
    ///
    /// # Panics
    /// Never: what is signed is short.
    #[must_use]
    pub fn token(&self, tenant: &str, seconds: i64) -> String {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let now = now.expect("it is after 1970").as_secs();
        let exp = i64::try_from(now).expect("it is before 2100") + seconds;
        let claims = json!({"iss": "login", "aud": "stratagem", "exp": exp, "tenant": tenant});
        let part = |value: &Value| base64(value.to_string().as_bytes());
        let signed = format!(
            "{}.{}",
            part(&json!({"alg": "EdDSA", "kid": "test"})),
            part(&claims)
        );
        let signature = self.0.sign(signed.as_bytes()).expect("it can be signed");
        format!("{signed}.{}", base64(&signature))
    }
}

/// As in URLs, without padding.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let number = three
            .iter()
            .fold(0_u32, |sum, byte| sum << 8 | u32::from(*byte));
        let number = number << (8 * (3 - three.len()));
        for digit in 0..=three.len() {
            let index = number >> (18 - 6 * digit) & 63;
            text.push(char::from(DIGITS[index as usize]));
        }
    }
    text
}
