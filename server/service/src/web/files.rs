//! Files: the contract for callers in JSON at `/openapi.json`, and the playground at
//! `/playground/`.
//!
//! The playground's pages, on which designers edit problems and watch plans get better, are files
//! of the folder `playground`, built into the program, and plain modules for browsers: what
//! they do they do by the calls that everybody else makes. They may fetch from their own server and
//! nowhere else, and run no code that is not theirs: the browser sees to it ([`POLICY`]), whatever
//! a problem's texts hold.

use super::contract::CONTRACT;
use super::early::Answers;
use super::openapi;
use bytes::Bytes;
use http::header::{
    ALLOW, CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, HeaderName, HeaderValue,
    IF_NONE_MATCH, LOCATION, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use http::{Method, Request, Response, StatusCode};
use include_dir::{Dir, include_dir};
use serde_json::json;
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::LazyLock;
use tonic::body::Body;

/// Where the contract is.
const OPENAPI_PATH: &str = "/openapi.json";
/// Where the pages are.
const ROOT: &str = "/playground/";
/// What the pages may do. Pictures are shown as images, made of texts by the pages themselves.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; \
    connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/// Rooms of the browser that the pages have no use for.
const PERMISSIONS: &str = "camera=(), geolocation=(), microphone=(), payment=(), usb=()";

/// The folder.
static FOLDER: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/playground");

/// Its files, by their names.
static PAGES: LazyLock<BTreeMap<&str, File>> = LazyLock::new(|| {
    let (mut pages, mut folders) = (BTreeMap::new(), vec![&FOLDER]);
    while let Some(folder) = folders.pop() {
        folders.extend(folder.dirs());
        pages.extend(folder.files().filter_map(|file| {
            let name = file.path().to_str()?;
            Some((name, File::new(name, Bytes::from_static(file.contents()))))
        }));
    }
    // Pages of plans have the same file.
    let moment = Bytes::from_static(stratagem_render::MOMENT.as_bytes());
    pages.insert("moment.js", File::new("moment.js", moment));
    pages
});

/// A file as it is served.
#[derive(Debug)]
struct File {
    kind: &'static str,
    tag: HeaderValue,
    bytes: Bytes,
}

impl File {
    fn new(name: &str, bytes: Bytes) -> Self {
        // The same in every server of this version: balancers may ask any.
        let mut hasher = DefaultHasher::new();
        bytes.hash(&mut hasher);
        let tag = format!("\"{:016x}\"", hasher.finish());
        Self {
            kind: kind(name),
            tag: HeaderValue::try_from(tag).unwrap_or_else(|_| HeaderValue::from_static("\"0\"")),
            bytes,
        }
    }
}

/// What a file is, by its name.
fn kind(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|(_, end)| end) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("json") => "application/json",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    }
}

/// The contract for callers in JSON.
static OPENAPI: LazyLock<File> = LazyLock::new(|| {
    let text = openapi::document().to_string();
    File::new("openapi.json", text.into())
});

/// The contract as the pages read it.
static PAGES_CONTRACT: LazyLock<File> = LazyLock::new(|| {
    let text = json!(*CONTRACT).to_string();
    File::new("contract.json", text.into())
});

/// Serves files next to the calls.
#[derive(Debug, Clone)]
pub(crate) struct Files {
    /// Whether those of the playground are among them.
    pub has_playground: bool,
}

impl Answers for Files {
    fn answer(&self, request: &Request<Body>) -> Option<Response<Body>> {
        let path = request.uri().path();
        if path == OPENAPI_PATH {
            return Some(read(&OPENAPI, request));
        }
        if !self.has_playground {
            return None;
        }
        if path == ROOT.trim_end_matches('/') {
            let mut response = bare(StatusCode::PERMANENT_REDIRECT);
            let to = HeaderValue::from_static(ROOT);
            response.headers_mut().insert(LOCATION, to);
            return Some(response);
        }
        let name = match path.strip_prefix(ROOT)? {
            "" => "index.html",
            name => name,
        };
        Some(match PAGES.get(name) {
            _ if name == "contract.json" => read(&PAGES_CONTRACT, request),
            Some(file) => read(file, request),
            None => bare(StatusCode::NOT_FOUND),
        })
    }
}

/// What is answered to a request for a file: it is read, and not written.
fn read<B>(file: &File, request: &Request<B>) -> Response<Body> {
    if request.method() == Method::GET || request.method() == Method::HEAD {
        return served(file, request);
    }
    let mut response = bare(StatusCode::METHOD_NOT_ALLOWED);
    let allowed = HeaderValue::from_static("GET, HEAD");
    response.headers_mut().insert(ALLOW, allowed);
    response
}

/// A file, or that it has not changed.
fn served<B>(file: &File, request: &Request<B>) -> Response<Body> {
    let known = request.headers().get(IF_NONE_MATCH) == Some(&file.tag);
    let mut response = if known {
        bare(StatusCode::NOT_MODIFIED)
    } else {
        bare(StatusCode::OK)
    };
    if !known && request.method() == Method::GET {
        *response.body_mut() = super::error::whole(file.bytes.clone());
    }
    let headers = response.headers_mut();
    headers.insert(ETAG, file.tag.clone());
    if !known {
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(file.kind));
    }
    response
}

/// An answer without a body, with what every answer says.
fn bare(status: StatusCode) -> Response<Body> {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = status;
    let headers = response.headers_mut();
    for (name, value) in [
        (CONTENT_SECURITY_POLICY, POLICY),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (REFERRER_POLICY, "no-referrer"),
        // Asked again each time, and sent again after the server was changed only.
        (CACHE_CONTROL, "no-cache"),
        (
            HeaderName::from_static("cross-origin-opener-policy"),
            "same-origin",
        ),
        (
            HeaderName::from_static("cross-origin-resource-policy"),
            "same-origin",
        ),
        (HeaderName::from_static("permissions-policy"), PERMISSIONS),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}
