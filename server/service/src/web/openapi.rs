//! The contract for callers in JSON: a document of OpenAPI 3.1, whose schemas are JSON Schema
//! 2020-12.
//!
//! Schemas have the field names that the server writes. They express the rules of single fields;
//! only the server checks what depends on several fields.

use super::contract::{CONTRACT, Constant, Field, Message, Method, Service};
use super::lines;
use formats::messages::PACKAGE;
use serde_json::{Map, Value, json};

/// The schema of errors: see [`super::error`].
const ERROR: &str = "Error";

/// The document.
pub(super) fn document() -> Value {
    let services = CONTRACT.services.iter();
    let tags = services
        .clone()
        .map(|it| json!({"name": it.name, "description": it.doc}));
    let paths: Map<_, _> = services.flat_map(paths).collect();
    let mut schemas: Map<_, _> = CONTRACT
        .messages
        .iter()
        .map(|(name, it)| (name.clone(), message(it)))
        .collect();
    schemas.extend(
        CONTRACT
            .enums
            .iter()
            .map(|(name, it)| (name.clone(), choice(it))),
    );
    schemas.insert(ERROR.into(), error());
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Stratagem",
            "version": env!("CARGO_PKG_VERSION"),
            "license": {"name": "MIT OR Apache-2.0", "identifier": "MIT OR Apache-2.0"},
        },
        "servers": [{"url": "/"}],
        // A token where the server asks for one.
        "security": [{}, {"token": []}],
        "tags": tags.collect::<Value>(),
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "responses": {"Error": {
                "description": "The call failed.",
                "content": {"application/json": {"schema": reference(ERROR)}},
            }},
        },
    })
}

fn paths(service: &Service) -> impl Iterator<Item = (String, Value)> {
    let path = |method: &Method| {
        let path = format!("/{PACKAGE}.{}/{}", service.name, method.name);
        let operation = json!({
            "operationId": method.name,
            "tags": [service.name],
            "description": method.doc,
            "requestBody": {
                "content": {"application/json": {"schema": reference(&method.request)}},
            },
            "responses": {
                "200": answer(method),
                "default": {"$ref": "#/components/responses/Error"},
            },
        });
        (path, json!({"post": operation}))
    };
    service.methods.iter().map(path)
}

/// What a method answers when all is well.
fn answer(method: &Method) -> Value {
    let response = reference(&method.response);
    if method.stream {
        json!({
            "description": "Lines of JSON, one for each response; an error is the last.",
            "content": {lines::TYPE: {"schema": {"oneOf": [
                {"type": "object", "properties": {"result": response}, "required": ["result"]},
                {"type": "object", "properties": {"error": reference(ERROR)}, "required": ["error"]},
            ]}}},
        })
    } else {
        json!({
            "description": "The response.",
            "content": {"application/json": {"schema": response}},
        })
    }
}

fn reference(name: &str) -> Value {
    json!({"$ref": format!("#/components/schemas/{name}")})
}

fn message(message: &Message) -> Value {
    let fields = message.fields.iter();
    let properties: Map<_, _> = fields
        .clone()
        .map(|it| (it.name.clone(), property(it)))
        .collect();
    let mut schema = Map::new();
    schema.insert("type".into(), "object".into());
    describe(&message.doc, &mut schema);
    schema.insert("properties".into(), properties.into());
    let required: Vec<_> = fields
        .filter(|it| it.rules.required)
        .map(|it| it.name.as_str())
        .collect();
    if !required.is_empty() {
        schema.insert("required".into(), required.into());
    }
    let oneofs = oneofs(message);
    if !oneofs.is_empty() {
        schema.insert("allOf".into(), oneofs.into());
    }
    schema.into()
}

/// For each oneof, that one of its fields is given, or none where none is required.
fn oneofs(message: &Message) -> Vec<Value> {
    let mut names: Vec<_> = message
        .fields
        .iter()
        .filter_map(|it| it.oneof.as_ref())
        .collect();
    names.dedup();
    let schema = |name: &String| {
        let fields = message.fields.iter();
        let fields = fields.filter(|it| it.oneof.as_ref() == Some(name));
        let mut given: Vec<_> = fields.map(|it| json!({"required": [it.name]})).collect();
        if !message.required_oneofs.contains(name) {
            given.push(json!({"not": {"anyOf": given}}));
        }
        json!({"oneOf": given})
    };
    names.into_iter().map(schema).collect()
}

fn property(field: &Field) -> Value {
    let mut schema = element(field);
    if field.many {
        let items = std::mem::take(&mut schema);
        schema.insert("type".into(), "array".into());
        schema.insert("items".into(), items.into());
        limit("minItems", field.rules.min_items, &mut schema);
        limit("maxItems", field.rules.max_items, &mut schema);
    }
    describe(&field.doc, &mut schema);
    schema.into()
}

/// The schema of a value, or of an element of a list.
fn element(field: &Field) -> Map<String, Value> {
    let rules = &field.rules;
    let mut schema = Map::new();
    if let Some(name) = field.message.as_ref().or(field.choice.as_ref()) {
        schema.insert("$ref".into(), format!("#/components/schemas/{name}").into());
        return schema;
    }
    let kind = match field.kind.as_str() {
        "bool" => "boolean",
        "double" | "float" => "number",
        kind if kind.contains("int") => "integer",
        _ => "string",
    };
    schema.insert("type".into(), kind.into());
    match field.kind.as_str() {
        "duration" => {
            let is_positive =
                rules.minimum.as_ref().and_then(serde_json::Number::as_f64) >= Some(0.0);
            let sign = if is_positive { "" } else { "-?" };
            let pattern = format!(r"^{sign}[0-9]+(\.[0-9]{{1,9}})?s$");
            schema.insert("pattern".into(), pattern.into());
        }
        "timestamp" => {
            schema.insert("format".into(), "date-time".into());
        }
        "bytes" => {
            schema.insert("contentEncoding".into(), "base64".into());
        }
        number if kind == "number" || kind == "integer" => {
            schema.insert("format".into(), number.into());
            limit("minimum", rules.minimum.clone(), &mut schema);
            limit("maximum", rules.maximum.clone(), &mut schema);
        }
        _ => {
            limit("minLength", rules.min_length, &mut schema);
            // No text has more characters than bytes.
            limit(
                "maxLength",
                rules.max_length.or(rules.max_bytes),
                &mut schema,
            );
        }
    }
    schema
}

fn limit(name: &str, value: Option<impl Into<Value>>, schema: &mut Map<String, Value>) {
    if let Some(value) = value {
        schema.insert(name.into(), value.into());
    }
}

fn describe(doc: &str, schema: &mut Map<String, Value>) {
    if !doc.is_empty() {
        schema.insert("description".into(), doc.into());
    }
}

/// An enum: its values, each with its comment.
fn choice(values: &[Constant]) -> Value {
    let names: Vec<_> = values.iter().map(|it| it.name.as_str()).collect();
    let docs: Vec<_> = values
        .iter()
        .map(|it| format!("* {}: {}", it.name, it.doc))
        .collect();
    json!({"type": "string", "enum": names, "description": docs.join("\n")})
}

fn error() -> Value {
    let text = json!({"type": "string"});
    json!({
        "type": "object",
        "description": "Why a call failed. Reasons are those of docs/reference/errors.md.",
        "properties": {
            "code": {"type": "string", "description": "As in INVALID_ARGUMENT."},
            "message": text,
            "reason": text,
            "metadata": {"type": "object", "additionalProperties": text},
            "violations": {"type": "array", "items": {
                "type": "object",
                "properties": {"field": text, "reason": text, "description": text},
            }},
            "retry_delay": {"type": "string", "pattern": r"^[0-9]+(\.[0-9]+)?s$"},
        },
        "required": ["code", "message"],
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::Methods;
    use std::collections::BTreeSet;

    /// All values of a key, wherever it is.
    fn found<'a>(key: &str, value: &'a Value, all: &mut Vec<&'a Value>) {
        match value {
            Value::Object(map) => {
                all.extend(map.get(key));
                map.values().for_each(|it| found(key, it, all));
            }
            Value::Array(list) => list.iter().for_each(|it| found(key, it, all)),
            _ => {}
        }
    }

    #[test]
    fn every_method_has_a_path_and_a_name_of_its_own() {
        let document = document();
        let paths = document["paths"].as_object().unwrap();
        let methods = Methods::new();
        assert!(methods.0.keys().eq(paths.keys()));
        let names: BTreeSet<_> = paths
            .values()
            .map(|it| it["post"]["operationId"].as_str().unwrap())
            .collect();
        assert_eq!(names.len(), paths.len());
        for (path, method) in &methods.0 {
            let content = &document["paths"][path]["post"]["responses"]["200"]["content"];
            let is_stream = content.get(lines::TYPE).is_some();
            assert_eq!(is_stream, method.is_server_streaming(), "{path}");
        }
    }

    #[test]
    fn references_lead_somewhere() {
        let document = document();
        let mut all = Vec::new();
        found("$ref", &document, &mut all);
        assert!(all.len() > 500, "{}", all.len());
        for target in all {
            let pointer = target.as_str().and_then(|it| it.strip_prefix('#')).unwrap();
            assert!(document.pointer(pointer).is_some(), "{target}");
        }
        let names = CONTRACT.messages.len() + CONTRACT.enums.len() + 1;
        let schemas = document["components"]["schemas"].as_object().unwrap();
        assert_eq!(schemas.len(), names, "a name is there twice");
    }

    #[test]
    fn rules_of_fields_are_those_of_schemas() {
        let document = document();
        let schemas = &document["components"]["schemas"];
        let agent = &schemas["AllocationAgent"];
        assert_eq!(agent["required"], json!(["id", "start"]));
        let fields = &agent["properties"];
        let speed = &fields["speed"];
        assert_eq!(
            (&speed["minimum"], &speed["maximum"]),
            (&json!(0.001), &json!(1000.0))
        );
        assert_eq!(
            (&fields["id"]["minLength"], &fields["id"]["maxLength"]),
            (&json!(1), &json!(100))
        );
        assert_eq!(fields["capacities"]["maxItems"], json!(8));
        assert_eq!(
            fields["capacities"]["items"]["maximum"],
            json!(1_000_000_000)
        );
        assert_eq!(
            schemas["AllocationProblem"]["properties"]["agents"]["minItems"],
            json!(1)
        );
        let place = [
            json!({"required": ["point"]}),
            json!({"required": ["location_id"]}),
        ];
        assert_eq!(
            schemas["AllocationPlace"]["allOf"],
            json!([{"oneOf": place}])
        );
    }
}
