//! The page of metrics of a server, in the text format of Prometheus.

use crate::exit::Failure;
use std::collections::BTreeMap;
use std::time::Duration;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// Longest wait for a page.
const PATIENCE: Duration = Duration::from_secs(5);
/// Largest page that is read: that of a server with a thousand tenants has less than a megabyte.
const BYTES_MAX: u64 = 16 << 20;
/// Default port of servers' metrics.
const PORT: u16 = 9_464;

/// Where a page is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// Host and port.
    authority: String,
    path: String,
}

impl Place {
    /// From its URL; without a path it is `/metrics`.
    ///
    /// # Errors
    /// It is none of `http://`.
    pub fn parse(url: &str) -> Result<Self, Failure> {
        let wrong = || Failure::usage(format!("--metrics {url}: http://HOST:PORT is wanted"));
        let rest = url.trim().strip_prefix("http://").ok_or_else(wrong)?;
        let (authority, path) = rest.split_once('/').unwrap_or((rest, "metrics"));
        // They stand in the head of a request.
        let plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_graphic());
        let has_port = authority
            .rsplit_once(':')
            .is_some_and(|(host, port)| !host.is_empty() && port.parse::<u16>().is_ok());
        if !has_port || !plain(rest) {
            return Err(wrong());
        }
        let path = if path.is_empty() { "metrics" } else { path };
        Ok(Self {
            authority: authority.to_owned(),
            path: format!("/{path}"),
        })
    }

    /// Where the page of a server is unless it was put elsewhere.
    #[must_use]
    pub fn on_host_of(address: &str) -> Self {
        let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
        let authority = rest.split('/').next().unwrap_or_default();
        // Colons within brackets are part of the host.
        let port = authority
            .rfind(':')
            .filter(|at| authority.rfind(']').is_none_or(|end| end < *at));
        let host = port.map_or(authority, |at| &authority[..at]);
        Self {
            authority: format!("{host}:{PORT}"),
            path: "/metrics".into(),
        }
    }

    /// Fetches the page.
    ///
    /// # Errors
    /// Why there is none, in a few words.
    pub async fn fetch(&self) -> Result<Page, String> {
        let text = timeout(PATIENCE, self.text()).await;
        let text = text.unwrap_or_else(|_| Err("no answer".into()));
        let text = text.map_err(|why| format!("http://{}{}: {why}", self.authority, self.path))?;
        Ok(Page::parse(&text))
    }

    async fn text(&self) -> Result<String, String> {
        let failed = |error: std::io::Error| error.to_string();
        let mut stream = TcpStream::connect(&self.authority).await.map_err(failed)?;
        let (host, path) = (&self.authority, &self.path);
        // Of this version answers come in one piece.
        let head = format!("GET {path} HTTP/1.0\r\nHost: {host}\r\nAccept: text/plain\r\n\r\n");
        stream.write_all(head.as_bytes()).await.map_err(failed)?;
        let mut answer = Vec::new();
        let mut stream = stream.take(BYTES_MAX);
        stream.read_to_end(&mut answer).await.map_err(failed)?;
        let answer = String::from_utf8_lossy(&answer);
        let (head, body) = answer.split_once("\r\n\r\n").ok_or("what is no HTTP")?;
        let status = head.split_whitespace().nth(1).unwrap_or_default();
        match status {
            "200" => Ok(body.to_owned()),
            status => Err(format!("status {status}")),
        }
    }
}

/// One number, and what it is of.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// Its labels.
    pub labels: BTreeMap<String, String>,
    /// Its value.
    pub value: f64,
}

impl Series {
    /// One of its labels; empty where there is none.
    #[must_use]
    pub fn label(&self, name: &str) -> &str {
        self.labels.get(name).map_or("", String::as_str)
    }
}

/// All numbers of a server at one moment, by name.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Page(BTreeMap<String, Vec<Series>>);

impl Page {
    /// Reads a page; invalid lines are skipped.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let mut all: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            if let Some((name, series)) = series(line) {
                all.entry(name).or_default().push(series);
            }
        }
        Self(all)
    }

    /// All of a name.
    pub fn series(&self, name: &str) -> impl Iterator<Item = &Series> {
        self.0.get(name).into_iter().flatten()
    }

    /// Their sum, of those that are wanted; `None` where there are none.
    pub fn sum(&self, name: &str, wanted: impl Fn(&Series) -> bool) -> Option<f64> {
        let values = self
            .series(name)
            .filter(|one| wanted(one))
            .map(|one| one.value);
        values.reduce(|a, b| a + b)
    }

    /// A histogram, over all its labels: how many are at most each bound, by rising bounds, the
    /// last of which is infinite.
    #[must_use]
    pub fn histogram(&self, name: &str) -> Vec<(f64, f64)> {
        let mut bounds: Vec<(f64, f64)> = Vec::new();
        for one in self.series(&format!("{name}_bucket")) {
            let Ok(bound) = one.label("le").parse::<f64>() else {
                continue;
            };
            match bounds.iter_mut().find(|(other, _)| *other == bound) {
                Some((_, count)) => *count += one.value,
                None => bounds.push((bound, one.value)),
            }
        }
        bounds.sort_by(|a, b| a.0.total_cmp(&b.0));
        bounds
    }
}

/// `name{label="value",...} value`, or without labels.
fn series(line: &str) -> Option<(String, Series)> {
    let end = line.find(['{', ' '])?;
    let (name, mut rest) = line.split_at(end);
    let mut labels = BTreeMap::new();
    if let Some(inner) = rest.strip_prefix('{') {
        rest = inner;
        while !rest.starts_with('}') {
            let (label, after) = rest.split_once("=\"")?;
            let (value, after) = quoted(after)?;
            labels.insert(label.trim().to_owned(), value);
            rest = after.strip_prefix(',').unwrap_or(after);
        }
        rest = &rest[1..];
    }
    let value = rest.split_whitespace().next()?.parse().ok()?;
    Some((name.to_owned(), Series { labels, value }))
}

/// A text up to its closing quote, and what follows that.
fn quoted(text: &str) -> Option<(String, &str)> {
    let mut value = String::new();
    let mut letters = text.char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '"' => return Some((value, &text[at + 1..])),
            '\\' => value.push(match letters.next()?.1 {
                'n' => '\n',
                other => other,
            }),
            other => value.push(other),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_found_beside_their_servers() {
        for (address, authority) in [
            ("http://127.0.0.1:50051", "127.0.0.1:9464"),
            ("https://plans.example.org", "plans.example.org:9464"),
            ("http://[::1]:50051/", "[::1]:9464"),
            ("http://[::1]", "[::1]:9464"),
        ] {
            assert_eq!(Place::on_host_of(address).authority, authority);
        }
        let place = Place::parse("http://h:1/a/b").unwrap();
        assert_eq!((&*place.authority, &*place.path), ("h:1", "/a/b"));
        assert_eq!(
            Place::parse("http://h:1").unwrap(),
            Place::parse("http://h:1/").unwrap()
        );
        for wrong in [
            "h:1",
            "https://h:1",
            "http://h",
            "http://:1",
            "http://h:1/a b",
            "http://h:x",
        ] {
            assert!(Place::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn labels_may_hold_anything_and_nonsense_is_skipped() {
        let page = Page::parse(
            "# HELP a b\na{x=\"1\",y=\"q\\\"}\\\\\\n\"} 3\na{x=\"2\"} 4 1700000000\nb 5\n\nc{x=\"1} 2\nd\nd x\ne{} 1",
        );
        assert_eq!(page.sum("a", |_| true), Some(7.0));
        assert_eq!(page.sum("a", |one| one.label("y") == "q\"}\\\n"), Some(3.0));
        assert_eq!(
            (page.sum("b", |_| true), page.sum("e", |_| true)),
            (Some(5.0), Some(1.0))
        );
        assert_eq!(
            (page.sum("c", |_| true), page.sum("d", |_| true)),
            (None, None)
        );
    }

    #[test]
    fn a_histogram_is_that_of_all_labels() {
        let page = Page::parse(
            "h_bucket{m=\"a\",le=\"0.1\"} 1\nh_bucket{m=\"a\",le=\"+Inf\"} 2\n\
             h_bucket{m=\"b\",le=\"0.1\"} 3\nh_bucket{m=\"b\",le=\"+Inf\"} 3\nh_bucket{le=\"x\"} 9",
        );
        assert_eq!(page.histogram("h"), [(0.1, 4.0), (f64::INFINITY, 5.0)]);
    }
}
