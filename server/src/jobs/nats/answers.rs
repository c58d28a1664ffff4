//! Answers that servers share, in a stream whose messages expire, and claims of current searches,
//! in another one where they expire sooner.
//!
//! The first server that claims a search makes the others wait: the broker takes a claim only where
//! no other exists. The server repeats its claim. Without that for the length of a lease, the claim
//! expires, and another server searches.

use super::broker::Broker;
use super::records::read;
use super::settings::PATIENCE;
use crate::cache::{Answers, Flying, Key, Lease};
use crate::jobs::store::{StoreError, Stored};
use async_nats::jetstream::stream::{self, StorageType};
use bytes::Bytes;
use prost::Message as _;
use std::hash::{DefaultHasher, Hash, Hasher as _};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::Duration;
use tokio::task::JoinHandle;
use tokio::time::{sleep, timeout};
use tokio_stream::StreamExt as _;

/// How long shared answers are kept, and how much of them.
const ANSWERS_KEPT: Duration = Duration::from_secs(3_600);
const ANSWERS_BYTES_MAX: i64 = 256 << 20;
/// How long a claim counts without a repetition, and how often it is repeated.
const WORD_KEPT: Duration = Duration::from_secs(2);
const BEAT: Duration = Duration::from_millis(500);
/// How often a server that waits checks whether another one still searches.
const LOOK_INTERVAL: Duration = Duration::from_millis(250);

/// The streams of answers and of who searches.
pub(crate) struct Shelf(pub(super) Broker);

/// An answer, and to what: places are shared by what looks alike.
#[derive(Clone, PartialEq, prost::Message)]
struct Answer {
    #[prost(bytes = "bytes", tag = "1")]
    key: Bytes,
    #[prost(bytes = "bytes", tag = "2")]
    answer: Bytes,
}

impl Answer {
    /// The answer in a message, if its key is this.
    fn with_key(key: &Key, message: &[u8]) -> Option<Bytes> {
        let found: Answer = read(message).ok()?;
        (found.key == key.0).then_some(found.answer)
    }
}

impl Broker {
    /// Makes the streams, where they are missing.
    pub(super) async fn prepare_answers(&self) -> Stored<()> {
        let name = &self.settings.name;
        let answers = stream::Config {
            name: self.stream_name("answers"),
            subjects: vec![format!("{name}.answers.*")],
            max_messages_per_subject: 1,
            max_age: ANSWERS_KEPT,
            max_bytes: ANSWERS_BYTES_MAX,
            allow_direct: true,
            ..stream::Config::default()
        };
        let flights = stream::Config {
            name: self.stream_name("flights"),
            subjects: vec![format!("{name}.flights.*")],
            max_age: WORD_KEPT,
            // A lost claim costs one more search.
            storage: StorageType::Memory,
            max_bytes: -1,
            ..answers.clone()
        };
        for config in [answers, flights] {
            let made = self.context.get_or_create_stream(config).await;
            made.map_err(StoreError::new)?;
        }
        Ok(())
    }

    /// The last message of a subject, as the nearest server of the broker knows it.
    async fn nearest(&self, what: &str, subject: String) -> Option<Bytes> {
        let stream = self.stream(what).await.ok()?;
        let found = stream.direct_get_last_for_subject(subject).await.ok()?;
        Some(found.payload)
    }
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

impl Shelf {
    /// The number of a place. Versions of program and contract differ in it: their answers may
    /// differ.
    fn place(key: &Key) -> u64 {
        static CONTRACT: LazyLock<u64> = LazyLock::new(|| hash(&stratagem_proto::DESCRIPTOR_SET));
        hash(&(env!("CARGO_PKG_VERSION"), *CONTRACT, key))
    }

    fn subject(&self, key: &Key) -> String {
        self.0.subjects.answer(Self::place(key))
    }
}

#[tonic::async_trait]
impl Answers for Shelf {
    async fn get(&self, key: &Key) -> Option<Bytes> {
        let found = self.0.nearest("answers", self.subject(key)).await?;
        Answer::with_key(key, &found)
    }

    async fn put(&self, key: Key, answer: Bytes) {
        let subject = self.subject(&key);
        let key = key.0;
        let bytes = Answer { key, answer }.encode_to_vec();
        if bytes.len() > self.0.part_bytes_max() {
            return;
        }
        if let Err(error) = self.0.publish(subject, None, bytes).await {
            tracing::debug!("sharing an answer: {error}");
        }
    }

    async fn claim(&self, key: &Key) -> Option<Flying> {
        let subject = self.0.subjects.flight(Self::place(key));
        let said = self.0.publish(subject.clone(), Some(0), Vec::new()).await;
        match said.ok()? {
            Some(sequence) => {
                let word = Word::given(self.0.clone(), subject, sequence);
                Some(Flying::Ours(Box::new(word)))
            }
            None => Some(Flying::Theirs),
        }
    }

    async fn landed(&self, key: &Key) -> Option<Bytes> {
        let client = &self.0.client;
        let mut news = client.subscribe(self.subject(key)).await.ok()?;
        let flight = self.0.subjects.flight(Self::place(key));
        loop {
            // What came before we listened is looked up; a word is taken back after its answer is
            // there.
            let goes_on = self.0.nearest("flights", flight.clone()).await.is_some();
            if let Some(answer) = self.get(key).await {
                return Some(answer);
            }
            if !goes_on {
                return None;
            }
            if let Ok(message) = timeout(LOOK_INTERVAL, news.next()).await
                && let Some(answer) = Answer::with_key(key, &message?.payload)
            {
                return Some(answer);
            }
        }
    }
}

/// Our word that we search. It is repeated until it is dropped, and then taken back.
struct Word {
    broker: Broker,
    sequence: Arc<Mutex<u64>>,
    beat: JoinHandle<()>,
}

impl Lease for Word {
    #[cfg(test)]
    fn silence(self: Box<Self>) {
        self.beat.abort();
        std::mem::forget(*self);
    }
}

impl Word {
    fn given(broker: Broker, subject: String, sequence: u64) -> Self {
        let sequence = Arc::new(Mutex::new(sequence));
        let (last, to) = (Arc::clone(&sequence), broker.clone());
        let beat = tokio::spawn(async move {
            loop {
                sleep(BEAT).await;
                let before = *last.lock().unwrap_or_else(PoisonError::into_inner);
                let said = to.publish(subject.clone(), Some(before), Vec::new());
                match timeout(PATIENCE, said).await {
                    Ok(Ok(Some(next))) => {
                        *last.lock().unwrap_or_else(PoisonError::into_inner) = next;
                    }
                    // The claim has expired; another server may have made its own.
                    Ok(Ok(None)) => return,
                    Ok(Err(_)) | Err(_) => {}
                }
            }
        });
        Self {
            broker,
            sequence,
            beat,
        }
    }
}

impl Drop for Word {
    fn drop(&mut self) {
        self.beat.abort();
        let Ok(runtime) = tokio::runtime::Handle::try_current() else {
            return;
        };
        let broker = self.broker.clone();
        let sequence = *self.sequence.lock().unwrap_or_else(PoisonError::into_inner);
        runtime.spawn(async move {
            // Otherwise it is forgotten by itself.
            if let Ok(flights) = broker.stream("flights").await {
                let _ = flights.delete_message(sequence).await;
            }
        });
    }
}
