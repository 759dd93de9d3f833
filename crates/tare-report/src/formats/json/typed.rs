//! Settings, driving and conditions in the document: values with their own types, and nothing where there is none.

use serde::Serialize;
use serde_json::{Map, Value, json};
use tare_model::driving::Driving;
use tare_model::history::Conditions;
use tare_model::subject::Subject;

/// The serialised form, without what is not there: no null, no empty list or object, nothing that is false.
pub(crate) fn given(value: &impl Serialize) -> Value {
    without_nothing(serde_json::to_value(value).unwrap_or_default())
}

fn without_nothing(value: Value) -> Value {
    let Value::Object(fields) = value else {
        return value;
    };
    let fields = fields
        .into_iter()
        .map(|(key, value)| (key, without_nothing(value)));
    Value::Object(fields.filter(|(_, value)| !is_nothing(value)).collect())
}

fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::Array(list) => list.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        _ => false,
    }
}

/// How it was driven, in one object; times in seconds, rates in 1/s.
pub(crate) fn driving(driving: &Driving) -> Value {
    match driving {
        Driving::Unknown => json!({}),
        Driving::InProcess { slice } => json!({ "slice": slice.0 }),
        Driving::Commands { runs } => json!({ "runs": runs }),
        Driving::Benchmark { iterations, time } => {
            without_nothing(json!({ "iterations": iterations, "time": time.map(|time| time.0) }))
        }
        Driving::Load(load) => {
            let mut fields = Map::new();
            let mut say = |key: &str, value: Value| fields.insert(key.to_owned(), value);
            say("connections", json!(load.connections));
            say("depth", json!(load.depth));
            // At a rate each request is sent when it is due.
            let closed = load.rate.is_none() && load.awake.is_none();
            if load.depth > 1 && closed {
                say("refill", json!(load.usage.refill.name()));
            }
            if let Some(requests) = load.usage.renew_after {
                say("renew_after", json!(requests));
            }
            if let Some(batch) = load.batch {
                say("programs", json!(batch.programs));
                say("requests", json!(batch.requests));
            }
            if let Some(awake) = load.awake {
                say("awake", json!(awake));
            }
            if let Some(rate) = load.rate {
                say("rate", json!(rate.0));
            }
            Value::Object(fields)
        }
    }
}

/// What a history's runs have in common.
pub(crate) fn conditions(conditions: &Conditions) -> Value {
    let (command, server) = match &conditions.subject {
        Some(Subject::Command { command } | Subject::NoCommand { command }) => (Some(command), None),
        Some(Subject::Server { url }) => (None, Some(url)),
        Some(Subject::Contender { .. } | Subject::Benchmark { .. }) | None => (None, None),
    };
    without_nothing(json!({
        "command": command,
        "server": server,
        "around": given(&conditions.around),
        "rate": conditions.rate,
        "driving": driving(&conditions.driving),
        "placement": given(&conditions.placement),
    }))
}
