//! The shapes of messages, as far as weighing needs them.

use prost::Message as _;
use prost_types::field_descriptor_proto::{Label, Type};
use prost_types::{DescriptorProto, FieldDescriptorProto, FileDescriptorSet};
use std::collections::HashMap;
use std::sync::LazyLock;

/// What a field holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A message.
    Message {
        /// Index in [`Schema::messages`].
        index: usize,
        /// Whether there may be many.
        repeated: bool,
    },
    /// A text or bytes.
    Text {
        /// Whether there may be many.
        repeated: bool,
    },
    /// A number as a varint.
    Varint {
        /// Whether there may be many.
        repeated: bool,
    },
    /// A number of this many bytes.
    Fixed {
        /// 4 or 8.
        bytes: usize,
        /// Whether there may be many.
        repeated: bool,
    },
}

/// All messages of the contract.
#[derive(Debug)]
pub(super) struct Schema {
    messages: Vec<HashMap<u32, Kind>>,
    names: HashMap<String, usize>,
}

/// The contract's.
pub(super) static SCHEMA: LazyLock<Schema> = LazyLock::new(|| {
    let set = FileDescriptorSet::decode(stratagem_proto::DESCRIPTOR_SET)
        .expect("the descriptors are built with the crate, and tests decode them");
    Schema::new(&set)
});

impl Schema {
    fn new(set: &FileDescriptorSet) -> Self {
        let mut all: Vec<(String, &DescriptorProto)> = Vec::new();
        for file in &set.file {
            for message in &file.message_type {
                collect(file.package(), message, &mut all);
            }
        }
        let names: HashMap<_, _> = all
            .iter()
            .enumerate()
            .map(|(index, (name, _))| (name.clone(), index))
            .collect();
        let fields = |message: &DescriptorProto| {
            let field =
                |f: &FieldDescriptorProto| Some((f.number().try_into().ok()?, kind(f, &names)));
            message.field.iter().filter_map(field).collect()
        };
        let messages = all.iter().map(|(_, message)| fields(message)).collect();
        Self { messages, names }
    }

    /// Index of the message with this full name.
    pub(super) fn find(&self, name: &str) -> Option<usize> {
        self.names.get(name).copied()
    }

    /// What a field of a message holds; `None` for fields that nobody knows.
    pub(super) fn field(&self, message: usize, number: u32) -> Option<Kind> {
        self.messages[message].get(&number).copied()
    }
}

fn collect<'d>(
    scope: &str,
    message: &'d DescriptorProto,
    all: &mut Vec<(String, &'d DescriptorProto)>,
) {
    let name = format!("{scope}.{}", message.name());
    for inner in &message.nested_type {
        collect(&name, inner, all);
    }
    all.push((name, message));
}

fn kind(field: &FieldDescriptorProto, names: &HashMap<String, usize>) -> Kind {
    let repeated = field.label() == Label::Repeated;
    match field.r#type() {
        Type::Message | Type::Group => {
            let name = field.type_name().trim_start_matches('.');
            let index = *names.get(name).expect("the set has the imports too");
            Kind::Message { index, repeated }
        }
        Type::String | Type::Bytes => Kind::Text { repeated },
        Type::Double | Type::Fixed64 | Type::Sfixed64 => Kind::Fixed { bytes: 8, repeated },
        Type::Float | Type::Fixed32 | Type::Sfixed32 => Kind::Fixed { bytes: 4, repeated },
        Type::Int32
        | Type::Int64
        | Type::Uint32
        | Type::Uint64
        | Type::Sint32
        | Type::Sint64
        | Type::Bool
        | Type::Enum => Kind::Varint { repeated },
    }
}
