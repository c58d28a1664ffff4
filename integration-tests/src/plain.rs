//! An HTTP/1.1 client by hand, one request a connection: what `curl` would do.

use serde_json::Value;
use std::net::SocketAddr;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// What came back.
#[derive(Debug)]
pub struct Reply {
    /// Status of HTTP; 0 when the connection was closed without an answer.
    pub status: u16,
    /// Names in lower case, with their values.
    pub headers: Vec<(String, String)>,
    /// Without chunks.
    pub body: Vec<u8>,
}

impl Reply {
    /// The value of a header.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.headers.iter();
        headers.find(|it| it.0 == name).map(|it| &*it.1)
    }

    /// The body as one JSON document.
    ///
    /// # Panics
    /// When it is none.
    #[must_use]
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The body as one JSON document a line.
    ///
    /// # Panics
    /// When it is none.
    #[must_use]
    pub fn lines(&self) -> Vec<Value> {
        let lines = self.body.split(|byte| *byte == b'\n');
        let lines = lines.filter(|line| !line.is_empty());
        let read = |line| serde_json::from_slice(line);
        lines.map(|line| read(line).expect("a document")).collect()
    }
}

/// Posts JSON.
///
/// # Panics
/// When nobody listens, or the answer is not HTTP.
pub async fn post(server: SocketAddr, path: &str, headers: &[(&str, &str)], body: &str) -> Reply {
    let json = [("content-type", "application/json")];
    let headers = [&json[..], headers].concat();
    request(server, "POST", path, &headers, body.as_bytes()).await
}

/// Sends a request and reads all of its answer.
///
/// # Panics
/// When nobody listens, or the answer is not HTTP.
pub async fn request(
    server: SocketAddr,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &[u8],
) -> Reply {
    let mut connection = TcpStream::connect(server).await.expect("it listens");
    let mut head = format!(
        "{method} {path} HTTP/1.1\r\nconnection: close\r\ncontent-length: {}\r\n",
        body.len()
    );
    if !headers.iter().any(|(name, _)| *name == "host") {
        head += &format!("host: {server}\r\n");
    }
    for (name, value) in headers {
        head += &format!("{name}: {value}\r\n");
    }
    head += "\r\n";
    // A server that refuses before it has read all may have closed.
    let _ = connection
        .write_all(&[head.as_bytes(), body].concat())
        .await;
    let mut answer = Vec::new();
    let _ = connection.read_to_end(&mut answer).await;
    read(&answer)
}

fn read(answer: &[u8]) -> Reply {
    let end = answer.windows(4).position(|four| four == b"\r\n\r\n");
    let Some(end) = end else {
        return Reply {
            status: 0,
            headers: Vec::new(),
            body: answer.to_vec(),
        };
    };
    let head = String::from_utf8_lossy(&answer[..end]);
    let mut lines = head.split("\r\n");
    let status = lines.next().and_then(|line| line.split(' ').nth(1));
    let headers: Vec<_> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.trim().to_owned()))
        .collect();
    let body = &answer[end + 4..];
    let is_chunked = headers.iter().any(|it| it.0 == "transfer-encoding");
    Reply {
        status: status.and_then(|it| it.parse().ok()).expect("a status"),
        body: if is_chunked {
            dechunked(body)
        } else {
            body.to_vec()
        },
        headers,
    }
}

fn dechunked(mut rest: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    while let Some(line) = rest.windows(2).position(|two| two == b"\r\n") {
        let size = std::str::from_utf8(&rest[..line]).expect("the size of a chunk");
        let size = usize::from_str_radix(size.trim(), 16).expect("the size of a chunk");
        if size == 0 {
            break;
        }
        let begin = line + 2;
        body.extend_from_slice(&rest[begin..begin + size]);
        rest = &rest[begin + size + 2..];
    }
    body
}
