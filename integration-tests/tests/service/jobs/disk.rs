//! A disk that is full for a moment: a mount of its own, which only root may make.

use super::{Client, allocation, create, get, unbounded};
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use stratagem_integration_tests::Server;
use stratagem_integration_tests::patience::eventually;
use stratagem_integration_tests::problems::{iterations, row};
use stratagem_proto::v1::{self as pb, JobState as State};
use tonic::Code;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::{HealthCheckRequest, health_client::HealthClient};

/// A file system of 4 MiB, gone at the end.
struct Mount(PathBuf);

impl Mount {
    fn new() -> Option<Self> {
        let name = format!("stratagem-disk-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        fs::create_dir_all(&folder).ok()?;
        let mut mount = Command::new("mount");
        let mount = mount.args(["-t", "tmpfs", "-o", "size=4m", "none"]);
        let mounted = mount.arg(&folder).output();
        if mounted.is_ok_and(|mounted| mounted.status.success()) {
            return Some(Self(folder));
        }
        // It is empty.
        let _ = fs::remove_dir(&folder);
        None
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Mount {
    fn drop(&mut self) {
        // Lazily: a server may not have closed its file yet.
        let _ = Command::new("umount").arg("-l").arg(&self.0).output();
        let _ = fs::remove_dir(&self.0);
    }
}

/// Takes all room that there is.
fn fill(path: &Path) {
    let mut file = fs::File::create(path).unwrap();
    for size in [64 << 10, 4 << 10] {
        while file.write_all(&vec![0; size]).is_ok() {}
    }
}

async fn status(server: &Server, service: &str) -> ServingStatus {
    let mut health = HealthClient::new(server.channel().await);
    let request = HealthCheckRequest {
        service: service.into(),
    };
    let answer = health.check(request).await.unwrap();
    answer.into_inner().status()
}

async fn wait_until_it_serves(server: &Server) {
    eventually("health reports that it is over", async || {
        let now = status(server, "stratagem.v1.JobService").await;
        (now == ServingStatus::Serving).then_some(())
    })
    .await;
}

#[tokio::test]
async fn a_disk_that_is_full_for_a_moment_loses_nothing_and_needs_no_restart() {
    let Some(mount) = Mount::new() else {
        eprintln!("SKIPPED: a full disk, since nothing can be mounted here");
        return;
    };
    let file = mount.path("jobs.redb");
    let flags = ["--jobs", file.to_str().unwrap(), "--job-slots", "1"];
    let server = Server::start(&flags).await;
    let mut client: Client = server.jobs().await;
    let running = create(&mut client, unbounded(1)).await;
    eventually("it is searched", async || {
        let job = get(&mut client.clone(), &running).await;
        (job.attempts == 1).then_some(())
    })
    .await;
    let small = |number: usize| pb::CreateJobRequest {
        request_id: format!("r{number}"),
        ..allocation(row(), iterations(20, 1))
    };
    let mut accepted = vec![create(&mut client, small(0)).await];
    fill(&mount.path("filler"));
    let mut number = 1;
    let refused = loop {
        match client.create_job(small(number)).await {
            Ok(answer) => accepted.push(answer.into_inner().job.unwrap()),
            Err(status) => break status,
        }
        number += 1;
        assert!(number < 10_000, "the disk is never full");
    };
    assert_eq!(refused.code(), Code::Unavailable);
    eventually("health reports it", async || {
        let now = status(&server, "stratagem.v1.JobService").await;
        (now == ServingStatus::NotServing).then_some(())
    })
    .await;
    for other in ["", "stratagem.v1.AllocationService"] {
        assert_eq!(status(&server, other).await, ServingStatus::Serving);
    }
    assert_eq!(server.metrics().await.sum("stratagem_job_store_up"), 0.0);
    fs::remove_file(mount.path("filler")).unwrap();
    wait_until_it_serves(&server).await;
    // What was refused may have been kept; asked for again it is one job.
    accepted.push(create(&mut client, small(number)).await);
    // Its search goes on.
    assert_eq!(get(&mut client, &running).await.attempts, 1);
    super::cancel(&mut client, &running).await;
    for job in &accepted {
        eventually("each has its turn", async || {
            let job = get(&mut client, job).await;
            (job.state() == State::Succeeded).then_some(())
        })
        .await;
    }
    assert_eq!(
        server.metrics().await.sum("stratagem_corrupt_job_records"),
        0.0
    );
}
