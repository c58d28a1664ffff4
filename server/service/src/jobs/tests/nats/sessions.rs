//! Logs of sessions at a real broker.

use super::{Broker, weights};
use crate::jobs::nats::Nats;
use crate::sessions::log::{Encoded, Log as _};
use crate::sessions::tests::places::follows_the_model;
use bytes::Bytes;

#[tokio::test]
async fn logs_of_sessions_follow_the_model() {
    let Some(broker) = Broker::new() else { return };
    let (_, store) = broker.server().await;
    // Each server has its own connection.
    let again = async |_| {
        let other = broker.server().await.1;
        other.session_log()
    };
    follows_the_model(1, again).await;
    drop(store);
}

#[tokio::test]
async fn sessions_can_be_logged_as_soon_as_a_server_has_started() {
    let Some(broker) = Broker::new() else { return };
    for number in 0..5 {
        // Streams of its own, which are not there yet.
        let settings = broker.settings(&format!("first_{number}"));
        let store = Nats::open(settings, weights()).await.unwrap();
        let log = store.session_log();
        let session = (String::new(), "raid".to_owned());
        assert_eq!(log.read(&session).await.unwrap().position, 0);
        let entry = Encoded {
            bytes: Bytes::from_static(b"first"),
            is_first: true,
        };
        let written = log.write(&session, 0, entry).await.unwrap();
        assert!(written.is_some());
    }
}
