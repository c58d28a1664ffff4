//! A gRPC client that sends any bytes, well-formed or not: HTTP/2 by hand.

use bytes::{Buf as _, BufMut as _, Bytes, BytesMut};
use http::{HeaderMap, Request};
use std::net::SocketAddr;
use tokio::net::TcpStream;
use tonic::Status;

/// Path of the unary method.
pub const ALLOCATE: &str = "/stratagem.v1.AllocationService/AllocateTasks";
/// Path of the streaming method.
pub const STREAM_ALLOCATE: &str = "/stratagem.v1.AllocationService/StreamAllocateTasks";
/// Path of the question about fixed times.
pub const CHECK_STRONG: &str = "/stratagem.v1.TemporalService/CheckStrongControllability";
/// Path of verification.
pub const VERIFY: &str = "/stratagem.v1.PlanningService/VerifyPlan";

/// What came back.
#[derive(Debug)]
pub struct Answer {
    /// Status of HTTP.
    pub http_status: u16,
    /// Headers in front of the messages, or all there are.
    pub headers: HeaderMap,
    /// Status of gRPC from wherever it was; `None` when the answer had none.
    pub status: Option<Status>,
    /// The messages with their frames.
    pub body: Bytes,
}

impl Answer {
    /// The status of gRPC.
    ///
    /// # Panics
    /// When there was none.
    #[must_use]
    pub fn status(&self) -> &Status {
        let status = self.status.as_ref();
        status.unwrap_or_else(|| panic!("an answer without grpc-status: {:?}", self.headers))
    }

    /// All messages, taken out of their frames.
    ///
    /// # Panics
    /// When a frame is cut short or a message does not decode.
    #[must_use]
    pub fn messages<M: prost::Message + Default>(&self) -> Vec<M> {
        let mut body = self.body.clone();
        let mut messages = Vec::new();
        while !body.is_empty() {
            assert_eq!(body.get_u8(), 0, "a compressed message was not asked for");
            let length = body.get_u32() as usize;
            let message = M::decode(body.split_to(length));
            messages.push(message.expect("the server's messages decode"));
        }
        messages
    }
}

/// A message in its frame, not compressed.
#[must_use]
pub fn frame(message: &[u8]) -> Bytes {
    framed(0, message)
}

/// A message in a frame that says that it is compressed.
#[must_use]
pub fn compressed_frame(message: &[u8]) -> Bytes {
    framed(1, message)
}

fn framed(flag: u8, message: &[u8]) -> Bytes {
    let mut frame = BytesMut::with_capacity(message.len() + 5);
    frame.put_u8(flag);
    frame.put_u32(u32::try_from(message.len()).expect("messages of tests are small"));
    frame.put_slice(message);
    frame.freeze()
}

/// Makes one call on a connection of its own. `headers` come on top of those that gRPC requires and
/// replace them.
///
/// # Errors
/// When the server resets the stream or closes the connection without an answer.
///
/// # Panics
/// When nobody listens.
pub async fn call(
    address: SocketAddr,
    path: &str,
    headers: &[(&str, &str)],
    body: Bytes,
) -> Result<Answer, h2::Error> {
    let tcp = TcpStream::connect(address).await;
    let tcp = tcp.expect("the server listens");
    call_on(tcp, path, headers, body).await
}

/// The same on a connection that is there.
///
/// # Errors
/// When the server resets the stream or closes the connection without an answer.
///
/// # Panics
/// When the connection is broken.
pub async fn call_on(
    tcp: TcpStream,
    path: &str,
    headers: &[(&str, &str)],
    body: Bytes,
) -> Result<Answer, h2::Error> {
    let address = tcp.peer_addr().expect("it is connected");
    let (client, connection) = h2::client::handshake(tcp).await?;
    let driver = tokio::spawn(connection);
    let answer = exchange(client, request(address, path, headers), body).await;
    driver.abort();
    answer
}

/// The head of a call. `headers` come on top of those that gRPC requires and replace them.
///
/// # Panics
/// When they cannot be sent.
#[must_use]
pub fn request(address: SocketAddr, path: &str, headers: &[(&str, &str)]) -> Request<()> {
    let mut request = Request::post(format!("http://{address}{path}"))
        .body(())
        .expect("paths of tests are good");
    let all = [("content-type", "application/grpc"), ("te", "trailers")];
    for (name, value) in all.iter().chain(headers) {
        let name = http::HeaderName::from_bytes(name.as_bytes()).expect("names are good");
        let value = value.parse().expect("values of tests can be sent");
        request.headers_mut().insert(name, value);
    }
    request
}

/// Sends a request and reads its answer.
///
/// # Errors
/// When the server resets the stream or closes the connection without an answer.
pub async fn exchange(
    client: h2::client::SendRequest<Bytes>,
    request: Request<()>,
    body: Bytes,
) -> Result<Answer, h2::Error> {
    let mut client = client.ready().await?;
    let (response, mut stream) = client.send_request(request, false)?;
    // A refusal may come before everything is sent; what counts is the answer.
    let _ = stream.send_data(body, true);
    let (parts, mut incoming) = response.await?.into_parts();
    let mut body = BytesMut::new();
    while let Some(chunk) = incoming.data().await {
        let chunk = chunk?;
        body.put_slice(&chunk);
        incoming.flow_control().release_capacity(chunk.len())?;
    }
    let trailers = incoming.trailers().await?.unwrap_or_default();
    Ok(Answer {
        http_status: parts.status.as_u16(),
        status: Status::from_header_map(&trailers)
            .or_else(|| Status::from_header_map(&parts.headers)),
        headers: parts.headers,
        body: body.freeze(),
    })
}
