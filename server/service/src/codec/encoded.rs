//! Messages pass through tonic as bytes: other threads than those of the network decode what is
//! received and encode what is sent.

use bytes::{Buf as _, BufMut as _, Bytes};
use prost::Message;
use std::marker::PhantomData;
use tonic::Status;
use tonic::codec::{Codec, DecodeBuf, Decoder, EncodeBuf, Encoder};

/// A message of type `M` that is encoded: not read yet, or ready to be sent.
#[derive(Debug)]
pub(crate) struct Encoded<M> {
    bytes: Bytes,
    kind: PhantomData<fn() -> M>,
}

impl<M> Encoded<M> {
    /// The bytes of a message, without its frame.
    pub(crate) fn from_bytes(bytes: Bytes) -> Self {
        Self {
            bytes,
            kind: PhantomData,
        }
    }

    /// The bytes of the message.
    pub(crate) fn into_bytes(self) -> Bytes {
        self.bytes
    }
}

impl<M: Message> Encoded<M> {
    /// Encodes a message.
    pub(crate) fn encode(message: &M) -> Self {
        Self::from_bytes(message.encode_to_vec().into())
    }
}

/// The codec of the server's stubs.
#[derive(Debug)]
pub(crate) struct Raw<E, D>(PhantomData<(E, D)>);

impl<E, D> Default for Raw<E, D> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<E: 'static, D: 'static> Codec for Raw<Encoded<E>, Encoded<D>> {
    type Encode = Encoded<E>;
    type Decode = Encoded<D>;
    type Encoder = RawBytes<E>;
    type Decoder = RawBytes<D>;

    fn encoder(&mut self) -> RawBytes<E> {
        RawBytes(PhantomData)
    }

    fn decoder(&mut self) -> RawBytes<D> {
        RawBytes(PhantomData)
    }
}

/// Encoder and decoder of [`Raw`].
#[derive(Debug)]
pub(crate) struct RawBytes<M>(PhantomData<fn() -> M>);

impl<M> Encoder for RawBytes<M> {
    type Item = Encoded<M>;
    type Error = Status;

    fn encode(&mut self, item: Encoded<M>, buffer: &mut EncodeBuf<'_>) -> Result<(), Status> {
        buffer.put(item.bytes);
        Ok(())
    }
}

impl<M> Decoder for RawBytes<M> {
    type Item = Encoded<M>;
    type Error = Status;

    fn decode(&mut self, buffer: &mut DecodeBuf<'_>) -> Result<Option<Encoded<M>>, Status> {
        // One piece already, so that nothing is copied: tonic collects a message before it decodes.
        let bytes = buffer.copy_to_bytes(buffer.remaining());
        Ok(Some(Encoded::from_bytes(bytes)))
    }
}
