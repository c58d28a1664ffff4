//! The weighing against an independent count, and against bytes that are no message.

use super::{LIMITS, Unreadable, Weight, decode, weigh};
use formats::messages::POOL;
use proptest::prelude::*;
use prost::Message as _;
use prost_reflect::{DynamicMessage, ReflectMessage as _, Value};
use stratagem_proto::v1 as pb;

const NAME: &str = "stratagem.v1.AllocateTasksRequest";

/// What a decoded message holds, by walking it with reflection.
fn count(message: &DynamicMessage, weight: &mut Weight, depth: usize) {
    weight.depth = weight.depth.max(depth);
    for (_, value) in message.fields() {
        match value {
            Value::List(list) => list
                .iter()
                .for_each(|one| element(one, weight, depth, true)),
            one => element(one, weight, depth, false),
        }
    }
}

fn element(value: &Value, weight: &mut Weight, depth: usize, repeated: bool) {
    match value {
        Value::Message(inner) => {
            weight.elements += usize::from(repeated);
            count(inner, weight, depth + 1);
        }
        Value::String(_) | Value::Bytes(_) => weight.elements += usize::from(repeated),
        _ => weight.scalars += usize::from(repeated),
    }
}

fn counted(bytes: &[u8]) -> Option<Weight> {
    let message = DynamicMessage::decode(POOL.get_message_by_name(NAME).unwrap(), bytes).ok()?;
    let mut weight = Weight::default();
    count(&message, &mut weight, 0);
    assert_eq!(message.descriptor().full_name(), NAME);
    Some(weight)
}

/// Bytes to write somewhere.
fn edits() -> impl Strategy<Value = Vec<(prop::sample::Index, u8)>> {
    proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4)
}

fn texts() -> impl Strategy<Value = Vec<String>> {
    proptest::collection::vec("[a-c]{0,2}", 0..4)
}

fn numbers() -> impl Strategy<Value = Vec<i64>> {
    proptest::collection::vec(prop_oneof![any::<i64>(), 0..300_i64], 0..6)
}

prop_compose! {
    fn agent()(id in "[a-c]{0,2}", skills in texts(), capacities in numbers(), speed: Option<f64>,
        x: f64, at in 0..3) -> pb::AllocationAgent {
        use pb::allocation_place::At;
        let at = match at {
            0 => None,
            1 => Some(At::LocationId(id.clone())),
            _ => Some(At::Point(pb::AllocationPoint { x, y: 0.0 })),
        };
        pb::AllocationAgent {
            id, skills, capacities, speed,
            start: Some(pb::AllocationPlace { at }),
            shift_start_offset: Some(prost_types::Duration { seconds: 1, nanos: -5 }),
            ..Default::default()
        }
    }
}

prop_compose! {
    fn request()(agents in proptest::collection::vec(agent(), 0..4), location_ids in texts(),
        durations_us in numbers(), levels in proptest::collection::vec(any::<f64>(), 0..4),
        windows in 0..4_usize, some: bool) -> pb::AllocateTasksRequest {
        let matrix = pb::AllocationMatrixTravel { location_ids, durations_us, costs_micro: vec![] };
        let kind = Some(pb::allocation_travel::Kind::Matrix(matrix));
        let task = pb::AllocationTask {
            windows: vec![pb::AllocationWindow::default(); windows],
            drop_penalty: some.then_some(0.0),
            ..Default::default()
        };
        pb::AllocateTasksRequest {
            problem: some.then(|| pb::AllocationProblem {
                agents,
                tasks: vec![task],
                travel: Some(pb::AllocationTravel { kind }),
                ..Default::default()
            }),
            options: Some(pb::SolveOptions {
                target: Some(pb::ObjectiveTarget { levels }),
                ..Default::default()
            }),
        }
    }
}

proptest! {
    /// What prost wrote is counted to the last element.
    #[test]
    fn the_weight_is_what_reflection_counts(request in request()) {
        let bytes = request.encode_to_vec();
        let weight = weigh(NAME, &bytes).unwrap();
        let counted = counted(&bytes).unwrap();
        prop_assert!(weight.fields >= counted.elements);
        prop_assert_eq!(Weight { fields: 0, ..weight }, counted);
    }

    /// Whatever prost takes is weighed too, and at no less than it holds.
    #[test]
    fn nothing_that_prost_decodes_is_weighed_too_light(request in request(), edits in edits()) {
        let mut bytes = request.encode_to_vec();
        for (at, byte) in edits {
            if !bytes.is_empty() {
                let at = at.index(bytes.len());
                bytes[at] = byte;
            }
        }
        let weight = weigh(NAME, &bytes);
        let decoded = pb::AllocateTasksRequest::decode(bytes.as_slice());
        if let (Ok(_), Some(counted)) = (decoded, counted(&bytes)) {
            let weight = weight.expect("prost decodes it");
            prop_assert!(weight.elements >= counted.elements, "{weight:?} {counted:?}");
            prop_assert!(weight.scalars >= counted.scalars, "{weight:?} {counted:?}");
            prop_assert!(weight.depth >= counted.depth, "{weight:?} {counted:?}");
        }
    }

    /// Neither the scale nor the decoder nor what follows it minds bytes that are nothing.
    #[test]
    fn arbitrary_bytes_are_taken_calmly(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        for name in [NAME, "stratagem.v1.VerifyPlanRequest", "stratagem.v1.ListExamplesRequest"] {
            let _ = weigh(name, &bytes);
        }
        let _ = crate::decode::allocate(&bytes);
    }
}

/// `count` empty tasks, in 2 bytes each.
fn empty_tasks(count: usize) -> Vec<u8> {
    let task = [0x22, 0x00];
    let problem = task.repeat(count);
    let mut bytes = vec![0x0a];
    prost::encoding::encode_varint(problem.len() as u64, &mut bytes);
    bytes.extend(problem);
    bytes
}

#[test]
fn a_small_message_that_would_grow_is_refused() {
    let few = empty_tasks(10);
    let request: pb::AllocateTasksRequest = decode(&few).unwrap();
    assert_eq!(
        request.problem.unwrap().tasks.len(),
        10,
        "the bytes are what they seem"
    );
    let many = empty_tasks(2 << 20);
    assert!(many.len() < (4 << 20) + 16);
    let refusal = decode::<pb::AllocateTasksRequest>(&many).unwrap_err();
    assert!(matches!(refusal, Unreadable::TooLarge(_)), "{refusal:?}");
}

#[test]
fn lists_of_numbers_are_weighed_by_numbers() {
    let request = |count| pb::AllocateTasksRequest {
        problem: Some(pb::AllocationProblem {
            travel: Some(pb::AllocationTravel {
                kind: Some(pb::allocation_travel::Kind::Matrix(
                    pb::AllocationMatrixTravel {
                        durations_us: vec![1; count],
                        ..Default::default()
                    },
                )),
            }),
            ..Default::default()
        }),
        ..Default::default()
    };
    let fits = request(LIMITS.scalars).encode_to_vec();
    assert!(decode::<pb::AllocateTasksRequest>(&fits).is_ok());
    let over = request(LIMITS.scalars + 1).encode_to_vec();
    let refusal = decode::<pb::AllocateTasksRequest>(&over).unwrap_err();
    assert!(matches!(refusal, Unreadable::TooLarge(_)), "{refusal:?}");
}

#[test]
fn unknown_fields_cost_nothing_however_they_nest() {
    // Field 1000: a group in a group, a text, and numbers of both sizes.
    let mut bytes = vec![0xc3, 0x3e, 0xc3, 0x3e, 0xc4, 0x3e, 0xc4, 0x3e];
    bytes.extend([0xc2, 0x3e, 0x02, 0xff, 0xff, 0xc0, 0x3e, 0x05]);
    bytes.extend([0xc5, 0x3e, 1, 2, 3, 4, 0xc1, 0x3e, 1, 2, 3, 4, 5, 6, 7, 8]);
    let fields = Weight {
        fields: 8,
        ..Weight::default()
    };
    assert_eq!(weigh(NAME, &bytes), Ok(fields));
    let request: pb::AllocateTasksRequest = decode(&bytes).unwrap();
    assert_eq!(request, pb::AllocateTasksRequest::default());
}

#[test]
fn fields_that_overwrite_each_other_are_refused_when_they_are_millions() {
    // Options with the seed again and again.
    let message = |count: usize| {
        let seed = [0x18, 0x01].repeat(count);
        let mut bytes = vec![0x12];
        prost::encoding::encode_varint(seed.len() as u64, &mut bytes);
        bytes.extend(seed);
        decode::<pb::AllocateTasksRequest>(&bytes)
    };
    assert_eq!(message(1_000).unwrap().options.unwrap().seed, 1);
    let refusal = message(LIMITS.fields).unwrap_err();
    assert!(matches!(refusal, Unreadable::TooLarge(_)), "{refusal:?}");
}

#[test]
fn what_is_no_message_is_malformed() {
    for bytes in [
        &[0x0a][..],
        &[0x0a, 0x05, 0x00],
        &[0x08, 0x01],
        &[0x00],
        &[0xc4, 0x3e],
        &[0xc3, 0x3e],
    ] {
        let refusal = decode::<pb::AllocateTasksRequest>(bytes).unwrap_err();
        assert!(
            matches!(refusal, Unreadable::Malformed(_)),
            "{bytes:?}: {refusal:?}"
        );
    }
}

#[test]
fn every_message_is_in_the_schema() {
    for message in POOL.all_messages() {
        let name = message.full_name();
        assert_eq!(weigh(name, &[]), Ok(Weight::default()), "{name}");
    }
}
