//! What browsers may reach: under which names, and from which pages.
//!
//! A browser lets a page call where the page's own name leads. A page that makes its name lead to
//! this server (DNS rebinding) is of the same origin, and asks nobody. So whatever a browser could
//! have sent must name this server by one of its own names, and what names the page that it comes
//! from must come from one that may call. gRPC over HTTP/2 from programs is not concerned: it is
//! known by its type of content and by naming no origin, which browsers always do when they post.

use super::early::Answers;
use super::error::Refused;
use crate::config::{WebAccess, WebHosts};
use crate::status::Refusal;
use http::header::{CONTENT_TYPE, HOST, ORIGIN};
use http::{HeaderMap, Request, Response, StatusCode, Version};
use std::sync::Arc;
use tonic::body::Body;

/// How types of content of gRPC begin, and those of gRPC-Web.
const GRPC: &str = "application/grpc";
const GRPC_WEB: &str = "application/grpc-web";

/// Refuses what comes under foreign names, or from foreign pages.
#[derive(Debug, Clone)]
pub(crate) struct Doors(Arc<Allowed>);

#[derive(Debug)]
struct Allowed {
    hosts: WebHosts,
    access: WebAccess,
}

impl Doors {
    /// Names of this server, and pages that may call.
    pub(crate) fn new(hosts: WebHosts, access: WebAccess) -> Self {
        Self(Arc::new(Allowed { hosts, access }))
    }

    /// # Errors
    /// A browser could have sent it, and it names another server or a page that may not call.
    fn check<B>(&self, request: &Request<B>) -> Result<(), Refused> {
        if is_native(request) {
            return Ok(());
        }
        let hosts = hosts(request);
        let foreign = hosts.iter().find(|host| !self.0.hosts.allows(host));
        if hosts.is_empty() || foreign.is_some() {
            let host = foreign.copied().unwrap_or_default();
            let why = Refusal::Host(format!("{host:?}"));
            return Err(Refused::http(StatusCode::MISDIRECTED_REQUEST, why));
        }
        let mut origins = request.headers().get_all(ORIGIN).iter();
        let is_foreign = |origin: &str| !self.may_call(origin, &hosts);
        match origins.find_map(|it| Some(text(it)).filter(|it| is_foreign(it))) {
            Some(origin) => Err(Refusal::Origin(format!("{origin:?}")).into()),
            None => Ok(()),
        }
    }

    /// Whether a page of this origin may call a server of these names.
    fn may_call(&self, origin: &str, hosts: &[&str]) -> bool {
        let is_same = || {
            // Where a proxy ends TLS the scheme is the proxy's.
            let page = origin.split_once("://").map(|(_, page)| page);
            page.is_some_and(|page| hosts.iter().any(|host| host.eq_ignore_ascii_case(page)))
        };
        match &self.0.access {
            WebAccess::Off => false,
            WebAccess::Any => true,
            WebAccess::SameOrigin => is_same(),
            WebAccess::Origins(origins) => {
                is_same() || origins.iter().any(|it| it.eq_ignore_ascii_case(origin))
            }
        }
    }
}

/// Whether it is gRPC from a program.
fn is_native<B>(request: &Request<B>) -> bool {
    let headers: &HeaderMap = request.headers();
    let kind = headers.get(CONTENT_TYPE).map(text).unwrap_or_default();
    let is_grpc = kind.starts_with(GRPC) && !kind.starts_with(GRPC_WEB);
    is_grpc && request.version() == Version::HTTP_2 && !headers.contains_key(ORIGIN)
}

/// All names that a request has for the server: one, if it is well-formed.
fn hosts<B>(request: &Request<B>) -> Vec<&str> {
    let authority = request.uri().authority().map(http::uri::Authority::as_str);
    let named = request.headers().get_all(HOST).iter().map(text);
    authority.into_iter().chain(named).collect()
}

/// What is no text allows nothing.
fn text(value: &http::HeaderValue) -> &str {
    value.to_str().unwrap_or_default()
}

impl Answers for Doors {
    fn answer(&self, request: &Request<Body>) -> Option<Response<Body>> {
        self.check(request).err().map(|refused| refused.response())
    }
}

#[cfg(test)]
mod tests {
    use super::Doors;
    use http::{Request, StatusCode, Version};

    /// The status with which a request is refused; 200 when it is not.
    fn status(doors: &Doors, version: Version, headers: &[(&str, &str)]) -> u16 {
        let mut request = Request::post("/stratagem.v1.ServerService/GetServerInfo");
        for (name, value) in headers {
            request = match *name {
                ":authority" => request.uri(format!("http://{value}/x")),
                name => request.header(name, *value),
            };
        }
        let request = request.version(version).body(()).unwrap();
        let refused = doors.check(&request).err();
        refused
            .map_or(StatusCode::OK, |it| it.response().status())
            .as_u16()
    }

    fn doors(hosts: &str, web: &str) -> Doors {
        Doors::new(hosts.parse().unwrap(), web.parse().unwrap())
    }

    const JSON: (&str, &str) = ("content-type", "application/json");
    const WEB: (&str, &str) = ("content-type", "application/grpc-web+proto");
    const GRPC: (&str, &str) = ("content-type", "application/grpc+proto");
    const EVIL: (&str, &str) = ("host", "evil.example:50051");
    const OWN: (&str, &str) = ("host", "127.0.0.1:50051");

    #[test]
    fn programs_speak_grpc_under_any_name() {
        let doors = doors("loopback", "same-origin");
        let authority = (":authority", "stratagem.games.svc:50051");
        assert_eq!(status(&doors, Version::HTTP_2, &[authority, GRPC]), 200);
        // Not by HTTP/1.1, which is no gRPC, and not from pages.
        assert_eq!(status(&doors, Version::HTTP_11, &[EVIL, GRPC]), 421);
        let page = ("origin", "https://stratagem.games.svc:50051");
        let from_page = [authority, GRPC, page];
        assert_eq!(status(&doors, Version::HTTP_2, &from_page), 421);
        assert_eq!(status(&doors, Version::HTTP_2, &[authority, WEB]), 421);
        assert_eq!(status(&doors, Version::HTTP_2, &[authority, JSON]), 421);
    }

    #[test]
    fn browsers_have_to_know_a_name_of_the_server() {
        let doors = doors("loopback", "same-origin");
        let rebound = ("origin", "http://evil.example:50051");
        for kind in [JSON, WEB, ("accept", "text/html")] {
            assert_eq!(status(&doors, Version::HTTP_11, &[OWN, kind]), 200);
            assert_eq!(status(&doors, Version::HTTP_11, &[EVIL, kind]), 421);
            assert_eq!(
                status(&doors, Version::HTTP_11, &[EVIL, kind, rebound]),
                421
            );
            assert_eq!(status(&doors, Version::HTTP_11, &[OWN, EVIL, kind]), 421);
            assert_eq!(status(&doors, Version::HTTP_11, &[kind]), 421);
        }
    }

    #[test]
    fn pages_have_to_be_of_an_origin_that_may_call() {
        let page = |origin| [OWN, JSON, ("origin", origin)];
        let same = "http://127.0.0.1:50051";
        let game = "https://game.example";
        for (web, origin, wanted) in [
            ("same-origin", same, 200),
            ("same-origin", "http://127.0.0.1:8080", 403),
            ("same-origin", game, 403),
            ("same-origin", "null", 403),
            (game, same, 200),
            (game, game, 200),
            (game, "https://evil.example", 403),
            (game, "https://game.example.evil.example", 403),
            ("*", "https://evil.example", 200),
            ("off", same, 403),
        ] {
            let doors = doors("loopback", web);
            let status = status(&doors, Version::HTTP_11, &page(origin));
            assert_eq!(status, wanted, "{web} {origin}");
        }
    }
}
