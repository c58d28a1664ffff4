//! The contract as the pages read it: messages with their fields, enums with their values, all with their comments.
//!
//! ```json
//! {"messages": {"Point": {"doc": "...", "fields": [{"name": "x", "type": "double", "doc": "..."}]}},
//!  "enums": {"Priority": [{"name": "PRIORITY_LOW", "doc": "..."}]}}
//! ```
//! A field of a message type has `message`, one of an enum `enum`; what there may be several of has `many`, what may be absent
//! `optional`, what excludes others `oneof`.

use prost_reflect::{
    Cardinality, DescriptorPool, EnumDescriptor, FieldDescriptor, FileDescriptor, Kind,
    MessageDescriptor,
};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The package of the contract.
const PACKAGE: &str = "stratagem.v1";

/// Comments above the elements of a file, by their paths.
type Comments = BTreeMap<Vec<i32>, String>;

/// The contract as a document.
pub(super) fn contract() -> Vec<u8> {
    // What is served by reflection is whole, or the server would not start.
    let pool =
        DescriptorPool::decode(stratagem_proto::DOCUMENTED_DESCRIPTOR_SET).unwrap_or_default();
    let (mut messages, mut enums) = (Map::new(), Map::new());
    for file in pool.files().filter(|file| file.package_name() == PACKAGE) {
        let comments = comments(&file);
        for kind in file.messages() {
            messages.insert(kind.name().into(), message(&kind, &comments));
        }
        for kind in file.enums() {
            enums.insert(kind.name().into(), values(&kind, &comments));
        }
    }
    json!({"messages": messages, "enums": enums})
        .to_string()
        .into_bytes()
}

fn message(kind: &MessageDescriptor, comments: &Comments) -> Value {
    // In the order of their numbers, which is the one of the file.
    let fields: Vec<_> = kind.fields().map(|it| field(&it, comments)).collect();
    json!({"doc": doc(comments, kind.path()), "fields": fields})
}

fn field(field: &FieldDescriptor, comments: &Comments) -> Value {
    let mut told = Map::new();
    told.insert("name".into(), field.name().into());
    told.insert("doc".into(), doc(comments, field.path()).into());
    let kind = match field.kind() {
        Kind::Message(kind) if kind.package_name() == PACKAGE => {
            told.insert("message".into(), kind.name().into());
            "message".to_owned()
        }
        // Durations are texts in JSON.
        Kind::Message(kind) => kind.name().to_lowercase(),
        Kind::Enum(kind) => {
            told.insert("enum".into(), kind.name().into());
            "enum".to_owned()
        }
        simple => format!("{simple:?}").to_lowercase(),
    };
    told.insert("type".into(), kind.into());
    if field.cardinality() == Cardinality::Repeated {
        told.insert("many".into(), true.into());
    }
    match field.containing_oneof() {
        Some(oneof) if !oneof.is_synthetic() => {
            told.insert("oneof".into(), oneof.name().into());
        }
        Some(_) => {
            told.insert("optional".into(), true.into());
        }
        None => {}
    }
    told.into()
}

fn values(kind: &EnumDescriptor, comments: &Comments) -> Value {
    let value = kind
        .values()
        .map(|it| json!({"name": it.name(), "doc": doc(comments, it.path())}));
    value.collect()
}

fn doc<'a>(comments: &'a Comments, path: &[i32]) -> &'a str {
    comments.get(path).map_or("", |text| text.trim())
}

fn comments(file: &FileDescriptor) -> Comments {
    let locations = file.file_descriptor_proto().source_code_info.iter();
    let locations = locations.flat_map(|info| &info.location);
    let comment = |it: &prost_types::source_code_info::Location| {
        Some((it.path.clone(), it.leading_comments.clone()?))
    };
    locations.filter_map(comment).collect()
}
