//! Whose job is next at a broker.

use super::*;

/// Jobs of each tenant, by turns of one.
async fn made(jobs: &Jobs, tenants: &[(&str, usize)]) {
    for (tenant, count) in tenants {
        let own = jobs.of_tenant(tenant);
        for _ in 0..*count {
            create(&own, "").await;
        }
    }
}

/// Takes this number of jobs, one after the other, as servers in turn; whose they are.
async fn taken(servers: &[(Jobs, Arc<Nats>)], count: usize) -> Vec<String> {
    let (mut tenants, mut held) = (Vec::new(), Vec::new());
    for number in 0..count {
        let (jobs, store) = &servers[number % servers.len()];
        let turn = timeout(PATIENCE, store.next()).await.unwrap().unwrap();
        assert!(happens(jobs, turn.id(), take).await);
        let job = jobs.get(turn.id()).await.unwrap();
        let kept = store.get(turn.id()).await.unwrap().unwrap();
        tenants.push(kept.job.tenant);
        // All servers are to know it before the next one.
        for (_, store) in servers {
            store.changed(turn.id(), job.sequence - 1).await;
        }
        held.push(turn);
    }
    tenants
}

fn count(tenants: &[String], tenant: &str) -> usize {
    tenants.iter().filter(|one| *one == tenant).count()
}

#[tokio::test]
async fn many_jobs_of_one_do_not_come_before_the_first_of_another() {
    let Some(broker) = Broker::new() else { return };
    let servers = [broker.server().await, broker.server().await];
    made(&servers[0].0, &[("many", 30), ("few", 2), ("a.b *", 1)]).await;
    let tenants = taken(&servers, 6).await;
    assert_eq!(count(&tenants, "few"), 2, "{tenants:?}");
    assert_eq!(count(&tenants, "a.b *"), 1, "{tenants:?}");
}

#[tokio::test]
async fn weights_are_parts_of_what_runs_at_all_servers() {
    let Some(broker) = Broker::new() else { return };
    let servers = [broker.server().await, broker.server().await];
    made(&servers[1].0, &[("light", 8), ("heavy", 8)]).await;
    let tenants = taken(&servers, 8).await;
    assert_eq!(count(&tenants, "heavy"), 6, "{tenants:?}");
}

#[tokio::test]
async fn what_is_cancelled_while_it_waits_leaves_the_queue() {
    let Some(broker) = Broker::new() else { return };
    let (jobs, store) = broker.server().await;
    let id = create(&jobs, "").await;
    let client = async_nats::connect(format!("127.0.0.1:{}", broker.port)).await;
    let streams = async_nats::jetstream::new(client.unwrap());
    let waiting = async || {
        let stream = streams.get_stream("test_queue").await.ok()?;
        Some(stream.cached_info().state.messages)
    };
    assert_eq!(waiting().await, Some(1));
    jobs.cancel(&id).await.unwrap();
    // A worker takes it out, and gets what comes behind it.
    let turn = tokio::spawn(async move { store.next().await });
    eventually(async || (waiting().await == Some(0)).then_some(())).await;
    let next = create(&jobs.of_tenant("other"), "").await;
    assert_eq!(turn.await.unwrap().unwrap().id(), next);
}

#[tokio::test]
async fn what_nobody_can_read_keeps_nobody_from_the_next_job() {
    let Some(broker) = Broker::new() else { return };
    let (jobs, store) = broker.server().await;
    let id = create(&jobs, "").await;
    let client = async_nats::connect(format!("127.0.0.1:{}", broker.port)).await;
    let streams = async_nats::jetstream::new(client.unwrap());
    let record = format!("test.jobs.{id}");
    let kept = streams.publish(record, "no record".into()).await.unwrap();
    kept.await.unwrap();
    let next = create(&jobs, "").await;
    let turn = timeout(PATIENCE, store.next()).await.unwrap().unwrap();
    assert_eq!(turn.id(), next);
}
