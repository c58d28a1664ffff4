//! Who is let in, and who is not.

use super::Gate;
use super::jwt;
use crate::config::Config;
use crate::metrics::Metrics;
use crate::status::Refusal;
use http::HeaderMap;
use ring::signature::{
    ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, Ed25519KeyPair, KeyPair as _,
};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

const PATH: &str = "/stratagem.v1.ServerService/GetServerInfo";
const PLAIN: &str = "a-token-that-is-long";

/// A file that goes away with the test.
struct File(PathBuf);

impl File {
    fn new(text: &str) -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("stratagem-auth-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::write(&path, text).unwrap();
        Self(path)
    }

    fn path(&self) -> crate::config::OptionalFile {
        self.0.to_str().unwrap().parse().unwrap()
    }
}

impl Drop for File {
    fn drop(&mut self) {
        // What is left in a folder for such things does no harm.
        let _ = std::fs::remove_file(&self.0);
    }
}

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

fn ed25519() -> Ed25519KeyPair {
    Ed25519KeyPair::from_seed_unchecked(&[7; 32]).unwrap()
}

/// The keys that are trusted: one of each kind that signs.
fn jwks() -> Value {
    let key = ed25519();
    let x = base64(key.public_key().as_ref());
    json!({"keys": [
        {"kty": "OKP", "crv": "Ed25519", "kid": "ed", "use": "sig", "x": x},
        {"kty": "RSA", "kid": "locked", "use": "enc", "n": "AQAB", "e": "AQAB"},
    ]})
}

fn seconds() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap()
        .as_secs()
}

/// What a good token says.
fn claims() -> Value {
    json!({"iss": "login", "aud": "stratagem", "exp": seconds() + 600, "tenant": "arena"})
}

fn token(header: &Value, claims: &Value) -> String {
    let part = |value: &Value| base64(value.to_string().as_bytes());
    let signed = format!("{}.{}", part(header), part(claims));
    let signature = ed25519().sign(signed.as_bytes());
    format!("{signed}.{}", base64(signature.as_ref()))
}

fn header() -> Value {
    json!({"alg": "EdDSA", "kid": "ed"})
}

fn gate(tokens: Option<&File>, jwks: Option<&File>, tenants: Option<&File>) -> Gate {
    let path = |file: Option<&File>| file.map(File::path).unwrap_or_default();
    let config = Config {
        tokens: path(tokens),
        jwks: path(jwks),
        tenants: path(tenants),
        jwt_issuer: "login".into(),
        jwt_audience: "stratagem".into(),
        ..Config::default()
    };
    Gate::open(&config, &Metrics::new()).unwrap()
}

fn headers_with(values: &[&str]) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for value in values {
        headers.append("authorization", value.parse().unwrap());
    }
    headers
}

fn admitted(gate: &Gate, token: &str) -> Result<String, Refusal> {
    let headers = headers_with(&[&format!("Bearer {token}")]);
    gate.admit(PATH, &headers)
        .map(|tenant| tenant.name().into())
}

fn changed(mut value: Value, key: &str, to: Value) -> Value {
    value[key] = to;
    value
}

#[test]
fn without_files_everybody_is_nobody_in_particular() {
    let gate = gate(None, None, None);
    assert_eq!(gate.admit(PATH, &HeaderMap::new()).unwrap().name(), "");
    assert_eq!(admitted(&gate, "anything"), Ok(String::new()));
}

#[test]
fn tokens_are_known_by_themselves_and_by_their_hashes() {
    // printf another-token-here | sha256sum
    let hash = "3a8f4b1cd2d8a85c1b4dbd9ac6b3f5ff3f3ae6b0c2c3a8f1b4dbd9ac6b3f5ff3";
    let file = File::new(&format!(
        "[[token]]\ntenant = \"arena\"\ntoken = \"{PLAIN}\"\n[[token]]\ntenant = \"raid\"\nsha256 = \"{}\"\n",
        hash_of("another-token-here")
    ));
    let gate = gate(Some(&file), None, None);
    assert_eq!(admitted(&gate, PLAIN), Ok("arena".into()));
    assert_eq!(admitted(&gate, "another-token-here"), Ok("raid".into()));
    for wrong in [hash, "a-token-that-is-lonG", "a-token", "a.b.c"] {
        let refusal = admitted(&gate, wrong).unwrap_err();
        assert!(matches!(refusal, Refusal::Token(_)), "{wrong}: {refusal:?}");
        assert!(!refusal.message().contains(wrong), "{refusal:?}");
    }
}

fn hash_of(token: &str) -> String {
    let hash = ring::digest::digest(&ring::digest::SHA256, token.as_bytes());
    hash.as_ref()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

#[test]
fn health_is_for_everybody_and_nothing_else_is() {
    let file = File::new(&format!("[[token]]\ntenant = \"a\"\ntoken = \"{PLAIN}\"\n"));
    let gate = gate(Some(&file), None, None);
    let none = HeaderMap::new();
    assert!(gate.admit("/grpc.health.v1.Health/Watch", &none).is_ok());
    let reflection = "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo";
    for path in [PATH, reflection, "/", "/grpc.health.v1.HealthX/Check"] {
        let refusal = gate.admit(path, &none).unwrap_err();
        assert_eq!(refusal, Refusal::NoToken, "{path}");
    }
    for wrong in ["", "Bearer", "Bearer ", "Basic YTpi", PLAIN] {
        let refusal = gate.admit(PATH, &headers_with(&[wrong])).unwrap_err();
        assert_eq!(refusal, Refusal::NoToken, "{wrong:?}");
    }
    let good = format!("bearer  {PLAIN}");
    assert!(gate.admit(PATH, &headers_with(&[&good])).is_ok());
    let twice = gate
        .admit(PATH, &headers_with(&[&good, &good]))
        .unwrap_err();
    assert!(matches!(twice, Refusal::Token(_)), "{twice:?}");
}

#[test]
fn files_of_tokens_that_make_no_sense_are_told_without_what_is_in_them() {
    for (text, complaint) in [
        ("", "0 tokens"),
        (
            "[[token]]\ntenant = \"a\"\ntoken = \"sec-ret\"\n",
            "token 1: it has fewer",
        ),
        (
            "[[token]]\ntenant = \"a b\"\ntoken = \"sec-ret-sec-ret-sec-ret\"\n",
            "is no name",
        ),
        (
            "[[token]]\ntenant = \"a\"\nsha256 = \"sec-ret\"\n",
            "hexadecimal",
        ),
        ("[[token]]\ntenant = \"a\"\n", "either"),
        (
            "[[token]]\ntenant = \"a\"\ntokem = \"sec-ret\"\n",
            "unknown field",
        ),
        ("[[token]]\ntenant = \"a\"\ntoken = \"sec-ret\n", ""),
    ] {
        let file = File::new(text);
        let wrong = super::tokens::read(&file.0).err().unwrap();
        assert!(wrong.contains(complaint), "{wrong}");
        assert!(!wrong.contains("sec-ret"), "{wrong}");
    }
}

#[test]
fn a_signed_token_says_who_calls() {
    let file = File::new(&jwks().to_string());
    let gate = gate(None, Some(&file), None);
    let good = token(&header(), &claims());
    assert_eq!(admitted(&gate, &good), Ok("arena".into()));
    let among = changed(claims(), "aud", json!(["other", "stratagem"]));
    assert_eq!(
        admitted(&gate, &token(&header(), &among)),
        Ok("arena".into())
    );
    // Without the name of a key, those of its algorithm are tried.
    let nameless = json!({"alg": "EdDSA"});
    assert_eq!(
        admitted(&gate, &token(&nameless, &claims())),
        Ok("arena".into())
    );
}

#[test]
fn tokens_out_of_time_for_others_or_of_others_are_refused() {
    let file = File::new(&jwks().to_string());
    let gate = gate(None, Some(&file), None);
    let refused = |claims: Value| admitted(&gate, &token(&header(), &claims)).unwrap_err();
    let old = refused(changed(claims(), "exp", json!(seconds() - 31)));
    assert_eq!(old, Refusal::TokenExpired);
    for (claim, value) in [
        ("nbf", json!(seconds() + 60)),
        ("iss", json!("somebody")),
        ("aud", json!("others")),
        ("exp", Value::Null),
        ("exp", json!("soon")),
        ("iss", Value::Null),
        ("aud", Value::Null),
    ] {
        let refusal = refused(changed(claims(), claim, value));
        assert!(matches!(refusal, Refusal::Token(_)), "{claim}: {refusal:?}");
    }
    for tenant in [
        Value::Null,
        json!(""),
        json!("a b"),
        json!(5),
        json!("x".repeat(64)),
    ] {
        let refusal = refused(changed(claims(), "tenant", tenant));
        assert!(matches!(refusal, Refusal::NoTenant(_)), "{refusal:?}");
    }
}

#[test]
fn what_a_token_says_of_itself_does_not_choose_how_it_is_checked() {
    let file = File::new(&jwks().to_string());
    let gate = gate(None, Some(&file), None);
    let good = token(&header(), &claims());
    let (signed, signature) = good.rsplit_once('.').unwrap();
    let (_, body) = signed.split_once('.').unwrap();
    let with_header = |header: Value, signature: &str| {
        format!(
            "{}.{body}.{signature}",
            base64(header.to_string().as_bytes())
        )
    };
    // A secret made of what everybody knows: the public key.
    let secret = ring::hmac::Key::new(ring::hmac::HMAC_SHA256, ed25519().public_key().as_ref());
    let hs256 = base64(json!({"alg": "HS256", "kid": "ed"}).to_string().as_bytes());
    let tag = ring::hmac::sign(&secret, format!("{hs256}.{body}").as_bytes());
    let confused = format!("{hs256}.{body}.{}", base64(tag.as_ref()));
    let critical = json!({"alg": "EdDSA", "kid": "ed", "crit": ["exp"]});
    let other = changed(claims(), "tenant", json!("raid")).to_string();
    let other = format!(
        "{}.{}.{signature}",
        signed.split('.').next().unwrap(),
        base64(other.as_bytes())
    );
    for wrong in [
        with_header(json!({"alg": "none"}), ""),
        with_header(json!({"alg": "none", "kid": "ed"}), signature),
        with_header(json!({"alg": "ES256", "kid": "ed"}), signature),
        with_header(json!({"alg": "EdDSA", "kid": "locked"}), signature),
        with_header(json!({"alg": "EdDSA", "kid": "unknown"}), signature),
        token(&critical, &claims()),
        format!("{signed}."),
        format!("{signed}.{}", base64(&[0; 64])),
        format!("{signed}.{}", base64(&[0; 3])),
        confused,
        other,
        "a.b.c".into(),
        "..".into(),
    ] {
        let refusal = admitted(&gate, &wrong).unwrap_err();
        assert!(matches!(refusal, Refusal::Token(_)), "{wrong}: {refusal:?}");
    }
}

#[test]
fn elliptic_curves_and_rsa_are_checked_too() {
    let random = ring::rand::SystemRandom::new();
    let how = &ECDSA_P256_SHA256_FIXED_SIGNING;
    let pair = EcdsaKeyPair::generate_pkcs8(how, &random).unwrap();
    let pair = EcdsaKeyPair::from_pkcs8(how, pair.as_ref(), &random).unwrap();
    // 4, x, y.
    let (x, y) = pair.public_key().as_ref()[1..].split_at(32);
    let keys = json!({"keys": [
        {"kty": "EC", "crv": "P-256", "kid": "ec", "x": base64(x), "y": base64(y)},
        // RFC 7515, appendix A.2.
        {"kty": "RSA", "n": "ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ", "e": "AQAB"},
    ]});
    let file = File::new(&keys.to_string());
    let gate = gate(None, Some(&file), None);
    let part = |value: &Value| base64(value.to_string().as_bytes());
    let signed = format!(
        "{}.{}",
        part(&json!({"alg": "ES256", "kid": "ec"})),
        part(&claims())
    );
    let signature = pair.sign(&random, signed.as_bytes()).unwrap();
    let good = format!("{signed}.{}", base64(signature.as_ref()));
    assert_eq!(admitted(&gate, &good), Ok("arena".into()));
    // That of the RFC: long over, but signed well, or nobody would look at its time.
    let (signed, signature) = (
        "eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ",
        "cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw",
    );
    let message = |token: &str| admitted(&gate, token).unwrap_err().message();
    let well = message(&format!("{signed}.{signature}"));
    assert!(
        well.contains("claims") || well.contains("expired"),
        "{well}"
    );
    let badly = message(&format!("{signed}x.{signature}"));
    assert!(badly.contains("signature"), "{badly}");
}

#[test]
fn keys_that_would_be_secrets_or_used_wrongly_are_not_taken() {
    let wanted = jwt::Wanted {
        issuer: "login".into(),
        audience: "stratagem".into(),
        tenant_claim: "tenant".into(),
    };
    for keys in [
        json!([]),
        json!([{"kty": "oct", "k": "AAAA"}]),
        json!([{"kty": "RSA", "n": "AQAB", "e": "AQAB", "alg": "HS256"}]),
        json!([{"kty": "RSA", "n": "AQAB", "e": "AQAB", "alg": "ES256"}]),
        json!([{"kty": "OKP", "crv": "Ed25519", "x": "AAAA", "alg": "RS256"}]),
        json!([{"kty": "RSA", "use": "enc", "n": "AQAB", "e": "AQAB"}]),
        json!("nothing"),
    ] {
        let file = File::new(&json!({ "keys": keys }).to_string());
        assert!(jwt::read(&file.0, &wanted).is_err(), "{keys}");
    }
}

#[test]
fn a_token_of_a_tenant_that_is_not_served_is_not_enough() {
    let tokens = File::new(&format!(
        "[[token]]\ntenant = \"raid\"\ntoken = \"{PLAIN}\"\n"
    ));
    let tenants = File::new("known_only = true\n[tenants.arena]\n");
    let gate = gate(Some(&tokens), None, Some(&tenants));
    let refusal = admitted(&gate, PLAIN).unwrap_err();
    assert!(matches!(refusal, Refusal::NoTenant(_)), "{refusal:?}");
}
