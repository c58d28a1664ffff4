//! Tokens in a file: `[[token]]` with a `tenant`, and `sha256` of the token or the `token` itself.

use crate::status::Refusal;
use crate::tenant::is_name;
use ring::digest::{SHA256, digest};
use serde::Deserialize;
use std::fs;
use std::path::Path;
use subtle::{Choice, ConditionallySelectable as _, ConstantTimeEq as _};

/// Most tokens: all are compared for each call.
const TOKENS_MAX: usize = 1_000;
/// Shorter ones are guessed.
const TOKEN_BYTES_MIN: usize = 16;
/// Bytes of a hash.
const HASH_BYTES: usize = 32;

/// All tokens, by their hashes.
pub(super) struct Tokens(Vec<Token>);

struct Token {
    hash: [u8; HASH_BYTES],
    tenant: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    token: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    tenant: String,
    sha256: Option<String>,
    token: Option<String>,
}

/// Reads a file of tokens. What is wrong is reported without the content.
pub(super) fn read(path: &Path) -> Result<Tokens, String> {
    let wrong = |why: &str| format!("{}: {why}", path.display());
    let text = fs::read_to_string(path).map_err(|error| wrong(&error.to_string()))?;
    // The text of the error would show the line, and with it the secret.
    let file: File = toml::from_str(&text).map_err(|error| wrong(error.message()))?;
    if file.token.is_empty() || file.token.len() > TOKENS_MAX {
        let given = file.token.len();
        return Err(wrong(&format!(
            "{given} tokens, 1 to {TOKENS_MAX} are allowed"
        )));
    }
    let entries = file.token.into_iter().enumerate();
    let tokens = entries.map(|(number, entry)| {
        let number = number + 1;
        entry
            .token()
            .map_err(|why| wrong(&format!("token {number}: {why}")))
    });
    Ok(Tokens(tokens.collect::<Result<_, _>>()?))
}

impl Entry {
    fn token(self) -> Result<Token, &'static str> {
        if !is_name(&self.tenant) {
            return Err("its tenant is no name: 1 to 63 letters, digits, -, _ and .");
        }
        let hash = match (self.sha256, self.token) {
            (Some(hex), None) => bytes(&hex).ok_or("its sha256 is not 64 hexadecimal digits")?,
            (None, Some(token)) if token.len() >= TOKEN_BYTES_MIN => hash(&token),
            (None, Some(_)) => return Err("it has fewer than 16 bytes"),
            _ => return Err("either sha256 or token is wanted"),
        };
        Ok(Token {
            hash,
            tenant: self.tenant,
        })
    }
}

impl Tokens {
    /// Whose token it is. All are compared, and each to its end, so that the time reveals nothing.
    pub(super) fn tenant(&self, token: &str) -> Result<String, Refusal> {
        let hash = hash(token);
        let mut found = u32::MAX;
        for (number, one) in (0..).zip(&self.0) {
            let same: Choice = one.hash.ct_eq(&hash);
            found.conditional_assign(&number, same);
        }
        let found = self.0.get(found as usize);
        let found = found.ok_or_else(|| Refusal::Token("it is not known here".into()))?;
        Ok(found.tenant.clone())
    }
}

fn hash(token: &str) -> [u8; HASH_BYTES] {
    let mut hash = [0; HASH_BYTES];
    hash.copy_from_slice(digest(&SHA256, token.as_bytes()).as_ref());
    hash
}

fn bytes(hex: &str) -> Option<[u8; HASH_BYTES]> {
    let mut bytes = [0; HASH_BYTES];
    if hex.len() != 2 * HASH_BYTES || !hex.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    for (byte, at) in bytes.iter_mut().zip((0..hex.len()).step_by(2)) {
        *byte = u8::from_str_radix(&hex[at..at + 2], 16).ok()?;
    }
    Some(bytes)
}
