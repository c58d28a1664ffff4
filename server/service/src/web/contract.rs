//! The contract as documents are made of it: services with their methods, messages with their
//! fields, enums with their values, all with their comments, and the rules of fields.

use formats::messages::{PACKAGE, POOL};
use prost_reflect::{
    DynamicMessage, EnumDescriptor, ExtensionDescriptor, FieldDescriptor, FileDescriptor, Kind,
    MessageDescriptor, OneofDescriptor, ServiceDescriptor, Value,
};
use serde::Serialize;
use serde_json::Number;
use std::collections::BTreeMap;
use std::ops::Not;
use std::sync::LazyLock;

/// The options with rules of fields, and of oneofs.
const FIELD_RULES: &str = "buf.validate.field";
const ONEOF_RULES: &str = "buf.validate.oneof";

/// The contract of this server.
pub(super) static CONTRACT: LazyLock<Contract> = LazyLock::new(Contract::new);

#[derive(Debug, Default, Serialize)]
pub(super) struct Contract {
    pub services: Vec<Service>,
    pub messages: BTreeMap<String, Message>,
    pub enums: BTreeMap<String, Vec<Constant>>,
}

#[derive(Debug, Serialize)]
pub(super) struct Service {
    pub name: String,
    pub doc: String,
    pub methods: Vec<Method>,
}

#[derive(Debug, Serialize)]
pub(super) struct Method {
    pub name: String,
    pub doc: String,
    /// Names of messages.
    pub request: String,
    pub response: String,
    /// Whether the answer is a stream of responses.
    #[serde(skip_serializing_if = "Not::not")]
    pub stream: bool,
}

#[derive(Debug, Serialize)]
pub(super) struct Message {
    pub doc: String,
    /// In the order of their numbers, which is the one of the file.
    pub fields: Vec<Field>,
    /// Oneofs of which one field has to be given.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub required_oneofs: Vec<String>,
}

/// A value of an enum.
#[derive(Debug, Serialize)]
pub(super) struct Constant {
    pub name: String,
    pub doc: String,
}

#[derive(Debug, Serialize)]
pub(super) struct Field {
    pub name: String,
    pub doc: String,
    /// `double`, `duration`, ...; `message` and `enum` with the name below.
    #[serde(rename = "type")]
    pub kind: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    #[serde(rename = "enum", skip_serializing_if = "Option::is_none")]
    pub choice: Option<String>,
    /// Whether it is a list.
    #[serde(skip_serializing_if = "Not::not")]
    pub many: bool,
    /// Whether absence is distinguished from the default value.
    #[serde(skip_serializing_if = "Not::not")]
    pub optional: bool,
    /// The oneof that it is in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub oneof: Option<String>,
    #[serde(flatten)]
    pub rules: Rules,
}

/// The rules of a field; in lists those of values hold for each element.
#[derive(Debug, Default, Serialize)]
pub(super) struct Rules {
    #[serde(skip_serializing_if = "Not::not")]
    pub required: bool,
    /// Durations in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub minimum: Option<Number>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub maximum: Option<Number>,
    /// In characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_length: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_length: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_items: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_items: Option<u64>,
}

impl Contract {
    fn new() -> Self {
        let mut contract = Self::default();
        for file in POOL.files().filter(|file| file.package_name() == PACKAGE) {
            let reader = Reader::new(&file);
            contract
                .services
                .extend(file.services().map(|it| reader.service(&it)));
            for kind in file.messages() {
                let message = reader.message(&kind);
                contract.messages.insert(kind.name().to_owned(), message);
            }
            for kind in file.enums() {
                let values = reader.values(&kind);
                contract.enums.insert(kind.name().to_owned(), values);
            }
        }
        contract
    }
}

/// Reads a file.
struct Reader {
    /// Comments above the elements of the file, by their paths.
    comments: BTreeMap<Vec<i32>, String>,
    field_rules: Option<ExtensionDescriptor>,
    oneof_rules: Option<ExtensionDescriptor>,
}

impl Reader {
    fn new(file: &FileDescriptor) -> Self {
        let locations = file.file_descriptor_proto().source_code_info.iter();
        let locations = locations.flat_map(|info| &info.location);
        let comment = |it: &prost_types::source_code_info::Location| {
            let text = it.leading_comments.as_ref()?;
            Some((it.path.clone(), text.trim().replace("\n ", "\n")))
        };
        Self {
            comments: locations.filter_map(comment).collect(),
            field_rules: POOL.get_extension_by_name(FIELD_RULES),
            oneof_rules: POOL.get_extension_by_name(ONEOF_RULES),
        }
    }

    fn doc(&self, path: &[i32]) -> String {
        self.comments.get(path).cloned().unwrap_or_default()
    }

    fn service(&self, service: &ServiceDescriptor) -> Service {
        let methods = service.methods().map(|it| Method {
            name: it.name().to_owned(),
            doc: self.doc(it.path()),
            request: it.input().name().to_owned(),
            response: it.output().name().to_owned(),
            stream: it.is_server_streaming(),
        });
        Service {
            name: service.name().to_owned(),
            doc: self.doc(service.path()),
            methods: methods.collect(),
        }
    }

    fn message(&self, kind: &MessageDescriptor) -> Message {
        let required = kind.oneofs().filter(|it| self.is_required(it));
        Message {
            doc: self.doc(kind.path()),
            fields: kind.fields().map(|it| self.field(&it)).collect(),
            required_oneofs: required.map(|it| it.name().to_owned()).collect(),
        }
    }

    fn values(&self, kind: &EnumDescriptor) -> Vec<Constant> {
        let value = kind.values().map(|it| Constant {
            name: it.name().to_owned(),
            doc: self.doc(it.path()),
        });
        value.collect()
    }

    fn field(&self, field: &FieldDescriptor) -> Field {
        let (mut message, mut choice) = (None, None);
        let kind = match field.kind() {
            Kind::Message(kind) if kind.package_name() == PACKAGE => {
                message = Some(kind.name().to_owned());
                "message".to_owned()
            }
            // Durations are texts in JSON.
            Kind::Message(kind) => kind.name().to_lowercase(),
            Kind::Enum(kind) => {
                choice = Some(kind.name().to_owned());
                "enum".to_owned()
            }
            simple => format!("{simple:?}").to_lowercase(),
        };
        let oneof = field.containing_oneof();
        Field {
            name: field.name().to_owned(),
            doc: self.doc(field.path()),
            kind,
            message,
            choice,
            many: field.is_list(),
            optional: oneof.as_ref().is_some_and(OneofDescriptor::is_synthetic),
            oneof: oneof
                .filter(|it| !it.is_synthetic())
                .map(|it| it.name().to_owned()),
            rules: self.rules(field),
        }
    }

    fn rules(&self, field: &FieldDescriptor) -> Rules {
        let mut rules = Rules::default();
        if let Some(given) = option(self.field_rules.as_ref(), &field.options()) {
            rules.read(&given);
        }
        // What is empty is absent.
        if field.is_list() {
            rules.required |= rules.min_items > Some(0);
            rules.min_items = rules.min_items.max(rules.required.then_some(1));
        } else if rules.required && field.kind() == Kind::String {
            rules.min_length = rules.min_length.max(Some(1));
        }
        rules
    }

    fn is_required(&self, oneof: &OneofDescriptor) -> bool {
        let rules = option(self.oneof_rules.as_ref(), &oneof.options());
        let required = rules.and_then(|rules| rules.get_field_by_name("required")?.as_bool());
        required.unwrap_or_default()
    }
}

/// Rules in the options of an element.
fn option(rules: Option<&ExtensionDescriptor>, of: &DynamicMessage) -> Option<DynamicMessage> {
    of.get_extension(rules?).as_message().cloned()
}

impl Rules {
    fn read(&mut self, rules: &DynamicMessage) {
        for (rule, value) in rules.fields() {
            match (rule.name(), value) {
                ("required", _) => self.required = value.as_bool() == Some(true),
                ("gte", _) => self.minimum = number(value),
                ("lte", _) => self.maximum = number(value),
                ("min_len", _) => self.min_length = value.as_u64(),
                ("max_len", _) => self.max_length = value.as_u64(),
                ("max_bytes", _) => self.max_bytes = value.as_u64(),
                ("min_items", _) => self.min_items = value.as_u64(),
                ("max_items", _) => self.max_items = value.as_u64(),
                // Those of a type, or of elements.
                (_, Value::Message(inner)) => self.read(inner),
                _ => {}
            }
        }
    }
}

/// An end of a range.
fn number(value: &Value) -> Option<Number> {
    match value {
        Value::I32(value) => Some((*value).into()),
        Value::I64(value) => Some((*value).into()),
        Value::F64(value) => Number::from_f64(*value),
        Value::Message(duration) => {
            let seconds = duration.get_field_by_name("seconds")?.as_i64()?;
            match duration.get_field_by_name("nanos")?.as_i32()? {
                0 => Some(seconds.into()),
                nanos => Number::from_f64(seconds as f64 + f64::from(nanos) / 1e9),
            }
        }
        _ => None,
    }
}
