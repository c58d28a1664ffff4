//! A request and its answer in one file, so that somebody else can ask the same again.

use crate::exit::{Exit, Failure};
use crate::reflect;
use bytes::Bytes;
use formats::json;
use formats::messages;
use prost::Message as _;
use prost_reflect::{
    DynamicMessage, MessageDescriptor, MethodDescriptor, ReflectMessage as _, Value,
};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use stratagem_proto::v1::{SolveOptions, SolveReport};
use tonic::Code;

/// The only layout there is.
const LAYOUT: u64 = 1;
/// The longest budget that a request may name, 24 hours, in microseconds.
const AGES_US: i64 = 86_400_000_000;
/// Most differences that are listed.
const DIFFERENCES_MAX: usize = 10;

/// A bundle was written: by whatever the program was asked to do.
static WRITTEN: AtomicBool = AtomicBool::new(false);

/// Whether one was written.
#[must_use]
pub fn written() -> bool {
    WRITTEN.load(Ordering::Relaxed)
}

/// What was asked, and what was answered: of a stream the last message.
#[derive(Debug, Clone, PartialEq)]
pub struct Bundle {
    /// Which method, as in `stratagem.v1.AllocationService/AllocateTasks`.
    pub method: String,
    request: DynamicMessage,
    answer: DynamicMessage,
}

impl Bundle {
    /// A call of a method of the contract; `None` where there is no such method or the bytes are
    /// not its messages.
    #[must_use]
    pub fn new(method: &str, request: &[u8], answer: &[u8]) -> Option<Self> {
        let known = reflect::method(method)?;
        Some(Self {
            method: method.to_owned(),
            request: DynamicMessage::decode(known.input(), request).ok()?,
            answer: DynamicMessage::decode(known.output(), answer).ok()?,
        })
    }

    /// Reads a file's text.
    ///
    /// # Errors
    /// A sentence for the user: no JSON, another layout, no such method, a message that is not of
    /// its type.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut file: serde_json::Value = serde_json::from_str(text).map_err(|e| e.to_string())?;
        let layout = file.get("stratagem_bundle").and_then(|v| v.as_u64());
        match layout {
            Some(LAYOUT) => {}
            Some(other) => return Err(format!("layout {other} is not known: {LAYOUT} is")),
            None => return Err("no bundle: `stratagem_bundle` is missing".into()),
        }
        let name = file.get("method").and_then(|v| v.as_str()).unwrap_or("");
        let name = name.to_owned();
        let method = reflect::method(&name)
            .ok_or_else(|| format!("method: there is no {name:?} in the contract"))?;
        let mut message = |key: &str, kind: MessageDescriptor| {
            let value = file.get_mut(key).map(serde_json::Value::take);
            let value = value.ok_or_else(|| format!("{key}: it is missing"))?;
            messages::deserialize(&kind, value).map_err(|e| format!("{key}: {e}"))
        };
        Ok(Self {
            request: message("request", method.input())?,
            answer: message("answer", method.output())?,
            method: name,
        })
    }

    /// The file's text.
    ///
    /// # Errors
    /// A duration beyond ten thousand years.
    pub fn text(&self) -> Result<String, String> {
        let value = |m: &DynamicMessage| messages::to_value(m).map_err(|e| e.to_string());
        Ok(json::object(vec![
            ("stratagem_bundle", LAYOUT.into()),
            ("client", env!("CARGO_PKG_VERSION").into()),
            ("method", self.method.as_str().into()),
            ("request", value(&self.request)?),
            ("answer", value(&self.answer)?),
        ]))
    }

    /// Writes the file.
    ///
    /// # Errors
    /// [`Exit::IO`].
    pub fn write(&self, path: &Path) -> Result<(), Failure> {
        let failed = |e: String| {
            let text = format!("cannot write the bundle {}: {e}", path.display());
            Failure::new(Exit::IO, text)
        };
        let text = self.text().map_err(failed)?;
        std::fs::write(path, text).map_err(|e| failed(e.to_string()))?;
        WRITTEN.store(true, Ordering::Relaxed);
        Ok(())
    }

    /// The same with the work that was done as its limit instead of time: what a search that was
    /// ended by the clock had come to, any machine comes to.
    ///
    /// # Errors
    /// The answer does not say how much was done.
    pub fn by_work(&mut self) -> Result<(), String> {
        let done = self.report().map_or(0, |report| report.iterations);
        if done <= 0 {
            return Err("the answer does not say how many iterations were done".into());
        }
        let mut options = self.options();
        options.max_iterations = Some(done);
        // No less than any server allows.
        options.time_budget = Some(stratagem_render::time::from_micros(AGES_US));
        let options = Value::Message(messages::described(&options));
        let set = self.request.try_set_field_by_name("options", options);
        set.map_err(|_| "the method takes no options".into())
    }

    /// The request as it is sent.
    #[must_use]
    pub fn request(&self) -> Bytes {
        self.request.encode_to_vec().into()
    }

    /// The method by the contract.
    #[must_use]
    pub fn descriptor(&self) -> Option<MethodDescriptor> {
        reflect::method(&self.method)
    }

    /// Budget that the request names.
    #[must_use]
    pub fn budget(&self) -> Option<Duration> {
        let us = stratagem_render::time::micros(self.options().time_budget.as_ref());
        let us = u64::try_from(us).ok().filter(|us| *us > 0);
        us.map(Duration::from_micros)
    }

    /// Whether the answer says that the same request has the same answer on any machine.
    #[must_use]
    pub fn promised(&self) -> bool {
        self.report().is_some_and(|report| report.reproducible)
    }

    fn options(&self) -> SolveOptions {
        reflect::part(&self.request, "options").unwrap_or_default()
    }

    fn report(&self) -> Option<SolveReport> {
        reflect::part(&self.answer, "report")
    }

    /// Where another answer differs in what does not depend on clock, machine and load; at most ten
    /// places, as `path: then, now`. Nothing: they are the same, byte for byte.
    ///
    /// # Errors
    /// The other bytes are no answer of the method.
    pub fn differences(&self, other: &[u8], by_work: bool) -> Result<Vec<String>, String> {
        let other = DynamicMessage::decode(self.answer.descriptor(), other);
        let other = lasting(other.map_err(|e| e.to_string())?, by_work);
        let mine = lasting(self.answer.clone(), by_work);
        if mine.encode_to_vec() == other.encode_to_vec() {
            return Ok(Vec::new());
        }
        let value = |m: &DynamicMessage| messages::to_value(m).map_err(|e| e.to_string());
        let mut found = Vec::new();
        compare("", &value(&mine)?, &value(&other)?, &mut found);
        if found.is_empty() {
            found.push("their bytes".into());
        }
        Ok(found)
    }
}

/// An answer without what depends on clock, machine and load; `by_work`: nor on what ended the
/// search.
fn lasting(mut answer: DynamicMessage, by_work: bool) -> DynamicMessage {
    answer.clear_field_by_name("event");
    if let Some(report) = answer.get_field_by_name_mut("report")
        && let Some(report) = report.as_message_mut()
    {
        for name in ["timings", "shared", "threads"] {
            report.clear_field_by_name(name);
        }
        if by_work {
            for name in ["stop_reason", "time_budget", "reproducible"] {
                report.clear_field_by_name(name);
            }
        }
    }
    answer
}

fn compare(path: &str, then: &serde_json::Value, now: &serde_json::Value, found: &mut Vec<String>) {
    use serde_json::Value::{Array, Object};
    if then == now || found.len() >= DIFFERENCES_MAX {
        return;
    }
    match (then, now) {
        (Object(then), Object(now)) => {
            let new = now.keys().filter(|key| !then.contains_key(*key));
            for key in then.keys().chain(new) {
                let place = match path {
                    "" => key.clone(),
                    path => format!("{path}.{key}"),
                };
                let at = |map: &serde_json::Map<_, _>| map.get(key).cloned().unwrap_or_default();
                compare(&place, &at(then), &at(now), found);
            }
        }
        (Array(then), Array(now)) if then.len() == now.len() => {
            for (index, (then, now)) in then.iter().zip(now).enumerate() {
                compare(&format!("{path}[{index}]"), then, now, found);
            }
        }
        _ => found.push(format!("{path}: {}, now {}", short(then), short(now))),
    }
}

/// A value in a few words.
fn short(value: &serde_json::Value) -> String {
    match value {
        serde_json::Value::Null => "nothing".into(),
        serde_json::Value::Array(items) => format!("{} items", items.len()),
        serde_json::Value::Object(_) => "something".into(),
        other => other.to_string().chars().take(60).collect(),
    }
}

/// What replaying ends with.
#[must_use]
pub fn exit(same: bool, promised: bool) -> Exit {
    match (same, promised) {
        (true, _) => Exit::OK,
        (false, true) => Exit::UNVERIFIED,
        (false, false) => Exit::UNKNOWN,
    }
}

/// For a method that the server does not have.
#[must_use]
pub fn unknown_method(method: &str) -> Failure {
    let exit = Exit::of_code(Code::Unimplemented);
    Failure::new(exit, format!("there is no {method} in the contract"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use stratagem_proto::v1::{
        AllocateTasksRequest, AllocateTasksResponse, AllocationPlan, SolveTimings,
    };

    const METHOD: &str = "stratagem.v1.AllocationService/AllocateTasks";

    fn answer(unserved: &[&str], seed: i64) -> AllocateTasksResponse {
        AllocateTasksResponse {
            event: None,
            plan: Some(AllocationPlan {
                unserved_task_ids: unserved.iter().map(|id| (*id).into()).collect(),
                ..AllocationPlan::default()
            }),
            report: Some(SolveReport {
                seed,
                iterations: 77,
                gap: Some(0.1 + 0.2),
                timings: Some(SolveTimings::default()),
                ..SolveReport::default()
            }),
        }
    }

    fn bundle() -> Bundle {
        let request = AllocateTasksRequest {
            options: Some(SolveOptions {
                seed: 5,
                time_budget: Some(stratagem_render::time::from_micros(2_500_000)),
                ..SolveOptions::default()
            }),
            ..AllocateTasksRequest::default()
        };
        let answer = answer(&["a", "b"], 5).encode_to_vec();
        Bundle::new(METHOD, &request.encode_to_vec(), &answer).unwrap()
    }

    #[test]
    fn what_is_written_is_read_to_the_last_bit() {
        let bundle = bundle();
        assert_eq!(Bundle::read(&bundle.text().unwrap()), Ok(bundle.clone()));
        assert_eq!(bundle.budget(), Some(Duration::from_millis(2_500)));
    }

    #[test]
    fn clocks_and_machines_make_no_difference_but_plans_do() {
        let bundle = bundle();
        let mut other = answer(&["a", "b"], 5);
        let report = other.report.as_mut().unwrap();
        (report.timings, report.threads, report.shared) = (None, 2, true);
        let differences = |other: &AllocateTasksResponse| {
            bundle.differences(&other.encode_to_vec(), false).unwrap()
        };
        assert!(differences(&other).is_empty());
        let plan = other.plan.as_mut().unwrap();
        plan.unserved_task_ids[1] = "c".into();
        other.report.as_mut().unwrap().seed = 6;
        let wanted = [
            "plan.unserved_task_ids[1]: \"b\", now \"c\"",
            "report.seed: 5, now 6",
        ];
        assert_eq!(differences(&other), wanted);
        other.plan = None;
        assert_eq!(differences(&other)[0], "plan: something, now nothing");
    }

    #[test]
    fn work_takes_the_place_of_time() {
        let mut bundle = bundle();
        bundle.by_work().unwrap();
        let read = AllocateTasksRequest::decode(bundle.request()).unwrap();
        let options = read.options.unwrap();
        assert_eq!((options.max_iterations, options.seed), (Some(77), 5));
        assert_eq!(bundle.budget(), Some(Duration::from_secs(86_400)));
    }

    #[test]
    fn what_is_no_bundle_is_told() {
        let text = bundle().text().unwrap();
        for (bad, text) in [
            ("", "EOF"),
            ("{}", "stratagem_bundle"),
            ("{\"stratagem_bundle\": 2}", "layout 2"),
            (&text.replace("AllocateTasks\"", "Nothing\""), "Nothing"),
            (&text.replace("\"request\"", "\"question\""), "request"),
            (&text.replace("\"seed\": 5", "\"seed\": true"), "request"),
            (&text.replace("\"gap\"", "\"gaps\""), "answer"),
        ] {
            let error = Bundle::read(bad).unwrap_err();
            assert!(error.contains(text), "{error}");
        }
    }
}
