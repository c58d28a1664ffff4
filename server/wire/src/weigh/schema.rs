//! The shapes of messages, as far as weighing needs them.

use formats::messages::POOL;
use prost_reflect::{Cardinality, FieldDescriptor, Kind as FieldKind};
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
    let all = || POOL.all_messages();
    let indices = all().enumerate();
    let names = indices.map(|(index, message)| (message.full_name().to_owned(), index));
    let names: HashMap<_, _> = names.collect();
    let field = |field: FieldDescriptor| (field.number(), kind(&field, &names));
    let messages = all().map(|message| message.fields().map(field).collect());
    Schema {
        messages: messages.collect(),
        names,
    }
});

impl Schema {
    /// Index of the message with this full name.
    pub(super) fn find(&self, name: &str) -> Option<usize> {
        self.names.get(name).copied()
    }

    /// What a field of a message holds; `None` for fields that nobody knows.
    pub(super) fn field(&self, message: usize, number: u32) -> Option<Kind> {
        self.messages[message].get(&number).copied()
    }
}

fn kind(field: &FieldDescriptor, names: &HashMap<String, usize>) -> Kind {
    let repeated = field.cardinality() == Cardinality::Repeated;
    match field.kind() {
        FieldKind::Message(message) => Kind::Message {
            index: names[message.full_name()],
            repeated,
        },
        FieldKind::String | FieldKind::Bytes => Kind::Text { repeated },
        FieldKind::Double | FieldKind::Fixed64 | FieldKind::Sfixed64 => {
            Kind::Fixed { bytes: 8, repeated }
        }
        FieldKind::Float | FieldKind::Fixed32 | FieldKind::Sfixed32 => {
            Kind::Fixed { bytes: 4, repeated }
        }
        FieldKind::Int32
        | FieldKind::Int64
        | FieldKind::Uint32
        | FieldKind::Uint64
        | FieldKind::Sint32
        | FieldKind::Sint64
        | FieldKind::Bool
        | FieldKind::Enum(_) => Kind::Varint { repeated },
    }
}
