//! Every element of the contract is documented.

use prost::Message as _;
use prost_reflect::{DescriptorPool, EnumDescriptor, FileDescriptor, MessageDescriptor};
use prost_types::FileDescriptorSet;
use std::collections::BTreeMap;
use stratagem_proto::DOCUMENTED_DESCRIPTOR_SET;

/// Number of `syntax` in `FileDescriptorProto`: the comment above it is the file's own.
const SYNTAX: i32 = 12;

#[test]
fn every_file_message_field_enum_value_service_and_method_has_a_comment() {
    let lacking = undocumented(&documented_set());
    assert!(lacking.is_empty(), "without a comment: {lacking:#?}");
}

#[test]
fn comments_are_sentences() {
    let pool = pool(&documented_set());
    let mut odd = Vec::new();
    for element in our_files(&pool).flat_map(|file| elements(&file)) {
        let text = element.comment.as_deref().unwrap_or("").trim();
        let ends_well = text.ends_with(['.', ':']);
        let starts_well = text.starts_with(|c: char| c.is_uppercase() || !c.is_alphabetic());
        if !ends_well || !starts_well {
            odd.push((element.name, text.to_owned()));
        }
    }
    assert!(odd.is_empty(), "not a sentence: {odd:#?}");
}

#[test]
fn a_single_lost_comment_is_noticed() {
    let mut set = documented_set();
    let file = set
        .file
        .iter_mut()
        .find(|file| file.name() == "stratagem/v1/solve.proto")
        .expect("solve.proto is part of the contract");
    // Second field of the first message: 4 is `message_type`, 2 is `field`.
    let lost = file
        .source_code_info
        .iter_mut()
        .flat_map(|info| &mut info.location)
        .find(|location| location.path == [4, 0, 2, 1])
        .expect("the first message has two fields");
    lost.leading_comments = None;
    assert_eq!(
        undocumented(&set),
        ["stratagem.v1.SolveOptions.max_iterations"]
    );
}

/// Something that can be documented.
struct Element {
    name: String,
    comment: Option<String>,
}

fn documented_set() -> FileDescriptorSet {
    FileDescriptorSet::decode(DOCUMENTED_DESCRIPTOR_SET).expect("the build wrote it")
}

fn pool(set: &FileDescriptorSet) -> DescriptorPool {
    DescriptorPool::from_file_descriptor_set(set.clone()).expect("the build checked it")
}

fn our_files(pool: &DescriptorPool) -> impl Iterator<Item = FileDescriptor> {
    let ours = |file: &FileDescriptor| file.package_name() == "stratagem.v1";
    pool.files().filter(ours)
}

fn undocumented(set: &FileDescriptorSet) -> Vec<String> {
    let pool = pool(set);
    let all: Vec<Element> = our_files(&pool).flat_map(|file| elements(&file)).collect();
    assert!(all.len() > 100, "only {} elements found", all.len());
    let empty = |e: &Element| e.comment.as_deref().is_none_or(|c| c.trim().is_empty());
    all.into_iter().filter(empty).map(|e| e.name).collect()
}

/// All elements of a file with their comments.
fn elements(file: &FileDescriptor) -> Vec<Element> {
    let comments = comments(file);
    let comment = |path: &[i32]| comments.get(path).cloned();
    let mut found = vec![Element {
        name: file.name().to_owned(),
        comment: comment(&[SYNTAX]),
    }];
    let mut add = |name: &str, path: &[i32]| {
        found.push(Element {
            name: name.to_owned(),
            comment: comment(path),
        });
    };
    for message in file.messages() {
        message_elements(&message, &mut add);
    }
    for kind in file.enums() {
        enum_elements(&kind, &mut add);
    }
    for service in file.services() {
        add(service.full_name(), service.path());
        for method in service.methods() {
            add(method.full_name(), method.path());
        }
    }
    found
}

fn message_elements(message: &MessageDescriptor, add: &mut impl FnMut(&str, &[i32])) {
    add(message.full_name(), message.path());
    for field in message.fields() {
        add(field.full_name(), field.path());
    }
    // A proto3 `optional` makes a oneof that nobody wrote.
    for oneof in message.oneofs().filter(|oneof| !oneof.is_synthetic()) {
        add(oneof.full_name(), oneof.path());
    }
    for kind in message.child_enums() {
        enum_elements(&kind, add);
    }
    for inner in message.child_messages() {
        message_elements(&inner, add);
    }
}

fn enum_elements(kind: &EnumDescriptor, add: &mut impl FnMut(&str, &[i32])) {
    add(kind.full_name(), kind.path());
    for value in kind.values() {
        add(value.full_name(), value.path());
    }
}

/// Comments directly above the elements of a file, by the path of the element.
fn comments(file: &FileDescriptor) -> BTreeMap<Vec<i32>, String> {
    let locations = file.file_descriptor_proto().source_code_info.iter();
    let locations = locations.flat_map(|info| &info.location);
    let comment = |l: &prost_types::source_code_info::Location| {
        Some((l.path.clone(), l.leading_comments.clone()?))
    };
    locations.filter_map(comment).collect()
}
