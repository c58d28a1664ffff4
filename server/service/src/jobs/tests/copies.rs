//! Copies of a file, made while a server has it and without one.

use super::{Place, create, happens, plan, step, take};
use crate::jobs::tool::{JobsReport, JobsTool};
use redb::{Database, TableDefinition};
use stratagem_proto::v1::JobState as State;

fn check(place: &Place) -> Result<JobsReport, String> {
    let file = place.0.clone();
    JobsTool::Check { file }.run()
}

fn restore(from: &Place, to: &Place) -> Result<JobsReport, String> {
    let (from, to) = (from.0.clone(), to.0.clone());
    JobsTool::Restore { from, to }.run()
}

#[tokio::test]
async fn a_copy_of_a_file_in_use_can_be_restored() {
    let (original, copy, restored) = (Place::new(), Place::new(), Place::new());
    let (jobs, store) = original.jobs();
    let (running, waiting) = (create(&jobs, "a").await, create(&jobs, "b").await);
    assert!(happens(&jobs, &running, take).await);
    assert!(happens(&jobs, &running, || step(3)).await);
    store.copy(copy.0.clone()).await.unwrap();
    let later = create(&jobs, "c").await;
    let refused = check(&original).unwrap_err();
    assert!(refused.contains("in use by a server"), "{refused}");
    let report = check(&copy).unwrap();
    assert!(report.is_sound, "{}", report.text);
    assert!(
        report.text.contains("2 (QUEUED 1, RUNNING 1)"),
        "{}",
        report.text
    );
    let refused = restore(&copy, &original).unwrap_err();
    assert!(refused.contains("is there already"), "{refused}");
    restore(&copy, &restored).unwrap();
    let (jobs, _store) = restored.jobs();
    let job = jobs.get(&running).await.unwrap();
    assert_eq!((job.state(), job.response), (State::Queued, Some(plan(3))));
    assert_eq!(jobs.get(&waiting).await.unwrap().request_id, "b");
    assert!(
        jobs.get(&later).await.is_err(),
        "it was made after the copy"
    );
    assert_eq!(jobs.events(&running, 0).await.unwrap().len(), 4);
}

#[tokio::test]
async fn a_file_without_a_server_is_copied_and_its_damage_found() {
    let (original, copy) = (Place::new(), Place::new());
    let id = {
        let (jobs, _store) = original.jobs();
        create(&jobs, "a").await
    };
    let backup = || {
        let (file, to) = (original.0.clone(), copy.0.clone());
        JobsTool::Backup { file, to }.run()
    };
    assert!(backup().unwrap().is_sound);
    // Again, over the one before.
    assert!(backup().unwrap().is_sound);
    let file = Database::open(&copy.0).unwrap();
    let change = file.begin_write().unwrap();
    let requests: TableDefinition<&str, &[u8]> = TableDefinition::new("requests");
    change.open_table(requests).unwrap().remove(&*id).unwrap();
    change.commit().unwrap();
    drop(file);
    let report = check(&copy).unwrap();
    assert!(
        !report.is_sound && report.text.contains(&id),
        "{}",
        report.text
    );
    let missing = Place::new();
    assert!(check(&missing).is_err());
    assert!(!missing.0.exists(), "looking makes nothing");
}
