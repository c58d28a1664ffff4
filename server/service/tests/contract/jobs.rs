//! Jobs: what callers see of them.

use crate::answers::value_at;
use crate::calls::{Caller, Place, mistakes, settings};
use crate::unbounded;
use serde_json::{Value, json};
use stratagem_server::Config;
use tonic::{Code, Status};
use tonic_types::StatusExt as _;

/// A server with two threads for jobs.
struct Stage {
    caller: Caller,
    _place: Place,
}

impl Stage {
    async fn new() -> Self {
        let place = Place::new();
        let config = Config {
            job_slots: 2,
            slots: 1,
            ..place.settings()
        };
        Self {
            caller: Caller::new(config).await,
            _place: place,
        }
    }

    /// Creates a job that ends only when somebody ends it, with these fields.
    async fn create(&self, fields: Value) -> Value {
        let mut wanted = unbounded_job();
        let fields = fields.as_object().unwrap().clone();
        wanted.as_object_mut().unwrap().extend(fields);
        self.caller.answer("CreateJob", &wanted).await["job"].take()
    }

    async fn get(&self, job: &Value) -> Value {
        let asked = json!({"job_id": job["job_id"]});
        self.caller.answer("GetJob", &asked).await["job"].take()
    }

    async fn cancel(&self, job: &Value) -> Value {
        let asked = json!({"job_id": job["job_id"]});
        self.caller.answer("CancelJob", &asked).await["job"].take()
    }

    /// The job once it has ended.
    async fn ended(&self, job: &Value) -> Value {
        let asked = json!({"job_id": job["job_id"]});
        let events = self.caller.steps("WatchJob", &asked).await.unwrap();
        let numbers = events
            .iter()
            .map(|it| it["event"]["sequence"].as_i64().unwrap());
        let numbers: Vec<_> = [0].into_iter().chain(numbers).collect();
        assert!(numbers.is_sorted_by(|a, b| a < b), "{numbers:?}");
        let job = self.get(job).await;
        assert!(job["end_time"].is_string(), "{job}");
        assert_eq!(job["sequence"], json!(numbers.last()), "{job}");
        job
    }

    /// Waits until a job is searched and has a plan.
    async fn busy(&self, job: &Value) {
        let asked = json!({"job_id": job["job_id"]});
        let mut events = self.caller.begin("WatchJob", &asked).await.unwrap();
        while self.get(job).await.get("response").is_none() {
            events.message().await.unwrap().expect("it has not ended");
        }
    }
}

fn unbounded_job() -> Value {
    json!({"request": {"allocate_tasks": unbounded::request("AllocateTasks")}})
}

/// The code and the reason of a refusal.
fn refusal(answer: Result<Value, Status>) -> (Code, String) {
    let status = answer.unwrap_err();
    let info = status.get_details_error_info();
    (status.code(), info.unwrap().reason)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn jobs_are_listed_cancelled_and_deleted() {
    let stage = Stage::new().await;
    let night = json!({"labels": [{"key": "night", "value": "3"}]});
    // Two are searched; the third waits.
    let mut jobs = Vec::new();
    for _ in 0..3 {
        jobs.push(stage.create(night.clone()).await);
    }
    stage.create(json!({})).await;
    let listed = stage.caller.answer("ListJobs", &night).await;
    let wanted: Value = jobs.iter().rev().map(|job| job["job_id"].clone()).collect();
    assert_eq!(value_at(&listed, "jobs[*].job_id"), wanted);
    let waiting = stage.cancel(&jobs[2]).await;
    assert_eq!(waiting["state"], "JOB_STATE_CANCELLED");
    let first = json!({"job_id": jobs[0]["job_id"]});
    let early = refusal(stage.caller.ask("DeleteJob", &first).await);
    assert_eq!(early, (Code::FailedPrecondition, "JOB_RUNNING".into()));
    stage.cancel(&jobs[0]).await;
    let ended = stage.ended(&jobs[0]).await;
    assert_eq!(ended["state"], "JOB_STATE_CANCELLED");
    stage.caller.answer("DeleteJob", &first).await;
    let gone = refusal(stage.caller.ask("GetJob", &first).await);
    assert_eq!(gone, (Code::NotFound, "JOB_UNKNOWN".into()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_job_ends_at_its_deadline_or_expires() {
    let stage = Stage::new().await;
    let soon = json!({"deadline_duration": "5s"});
    let job = stage.ended(&stage.create(soon).await).await;
    assert_eq!(job["state"], "JOB_STATE_SUCCEEDED");
    let stop = &job["response"]["allocate_tasks"]["report"]["stop_reason"];
    assert_eq!(stop, "STOP_REASON_DEADLINE");
    // With both threads taken it waits too long.
    for _ in 0..2 {
        stage.create(json!({})).await;
    }
    let soon = json!({"deadline_duration": "0.400s"});
    let late = stage.ended(&stage.create(soon).await).await;
    assert_eq!(late["state"], "JOB_STATE_EXPIRED");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_job_that_waits_for_threads_is_queued_and_can_be_cancelled_there() {
    let stage = Stage::new().await;
    let running = stage.create(json!({})).await;
    stage.busy(&running).await;
    let mut wide = unbounded::request("AllocateTasks");
    wide["options"]["engine"] = json!({"threads": 2});
    let wide = stage
        .create(json!({"request": {"allocate_tasks": wide}}))
        .await;
    // It comes first, and holds back what comes after.
    let late = stage.create(json!({})).await;
    let job = stage.cancel(&wide).await;
    assert_eq!(
        (&job["state"], job.get("attempts")),
        (&json!("JOB_STATE_CANCELLED"), None)
    );
    stage.busy(&late).await;
    assert_eq!(stage.get(&running).await["state"], "JOB_STATE_RUNNING");
    // Neither takes the one slot of callers.
    let request = json!({"problem": crate::calls::example("allocation/tavern"),
        "options": {"max_iterations": 50, "time_budget": "600s"}});
    let answer = stage.caller.answer("AllocateTasks", &request).await;
    assert!(answer["report"]["objective"].is_object());
    stage.caller.busy(0).await;
}

#[tokio::test]
async fn what_is_no_job_is_refused_before_anything_is_accepted() {
    let stage = Stage::new().await;
    let mut wanted = unbounded_job();
    wanted["request_id"] = json!("a b");
    wanted["request"]["allocate_tasks"]["problem"]["tasks"][0]["id"] = json!("");
    wanted["request"]["allocate_tasks"]["options"]["max_iterations"] = json!(-1);
    let status = stage.caller.ask("CreateJob", &wanted).await.unwrap_err();
    let found = mistakes(&status);
    let fields: Vec<_> = found
        .iter()
        .map(|it| it.split(' ').next().unwrap())
        .collect();
    let wanted = [
        "request.allocate_tasks.problem.tasks[0].id",
        "request.allocate_tasks.options.max_iterations",
        "request_id",
    ];
    assert_eq!(fields, wanted);
    let listed = stage.caller.answer("ListJobs", &json!({})).await;
    assert_eq!(listed.get("jobs"), None);
    let without = Caller::new(settings()).await;
    let off = refusal(without.ask("CreateJob", &unbounded_job()).await);
    assert_eq!(off, (Code::FailedPrecondition, "JOBS_OFF".into()));
}

#[tokio::test]
async fn the_server_reports_that_jobs_are_on_a_disk() {
    let stage = Stage::new().await;
    // Once the jobs were counted.
    stage
        .caller
        .until_info("job_sync", &json!("JOB_SYNC_ALWAYS"))
        .await;
}
