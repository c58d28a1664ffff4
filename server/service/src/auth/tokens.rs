//! Tokens in a file: `[[token]]` with a `tenant`, and `sha256` of the token or the `token` itself.

use crate::status::Refusal;
use crate::tenant::is_name;
use ring::digest::{SHA256, digest};
use serde::Deserialize;
use std::collections::HashMap;
use std::fs;
use std::path::Path;

/// Most tokens.
const TOKENS_MAX: usize = 1_000;
/// Shorter ones are guessed.
const TOKEN_BYTES_MIN: usize = 16;
/// Bytes of a hash.
const HASH_BYTES: usize = 32;

/// A hash of a token.
type Hash = [u8; HASH_BYTES];

/// The tenants of all tokens, by the hashes of these. How long a look takes reveals something about
/// hashes only, from which no token follows.
pub(super) struct Tokens(HashMap<Hash, String>);

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
            .tenant()
            .map_err(|why| wrong(&format!("token {number}: {why}")))
    });
    Ok(Tokens(tokens.collect::<Result<_, _>>()?))
}

impl Entry {
    fn tenant(self) -> Result<(Hash, String), &'static str> {
        if !is_name(&self.tenant) {
            return Err("its tenant is no name: 1 to 63 letters, digits, -, _ and .");
        }
        let hash = match (self.sha256, self.token) {
            (Some(hex), None) => bytes(&hex).ok_or("its sha256 is not 64 hexadecimal digits")?,
            (None, Some(token)) if token.len() >= TOKEN_BYTES_MIN => hash(&token),
            (None, Some(_)) => return Err("it has fewer than 16 bytes"),
            _ => return Err("either sha256 or token is wanted"),
        };
        Ok((hash, self.tenant))
    }
}

impl Tokens {
    /// Whose token it is.
    pub(super) fn tenant(&self, token: &str) -> Result<String, Refusal> {
        let found = self.0.get(&hash(token)).cloned();
        found.ok_or_else(|| Refusal::Token("it is not known here".into()))
    }
}

fn hash(token: &str) -> Hash {
    let mut hash = [0; HASH_BYTES];
    hash.copy_from_slice(digest(&SHA256, token.as_bytes()).as_ref());
    hash
}

fn bytes(hex: &str) -> Option<Hash> {
    let mut bytes = [0; HASH_BYTES];
    if hex.len() != 2 * HASH_BYTES || !hex.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    for (byte, at) in bytes.iter_mut().zip((0..hex.len()).step_by(2)) {
        *byte = u8::from_str_radix(&hex[at..at + 2], 16).ok()?;
    }
    Some(bytes)
}
