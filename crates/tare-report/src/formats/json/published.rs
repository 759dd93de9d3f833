//! Published figures, as the document has them.

use tare_model::published as model;

/// A published figure.
#[derive(Debug, Clone, serde::Serialize)]
pub(super) struct Published {
    /// The contender of ours that reproduces it.
    pub contender: String,
    /// The name that the report gives it.
    pub label: String,
    /// On what.
    pub metric: &'static str,
    /// The value.
    pub value: f64,
    /// Its unit.
    pub unit: &'static str,
    /// Where it is from.
    pub source: String,
    /// Further contenders whose figures it is divided by; absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub over: Vec<String>,
}

impl From<&model::Published> for Published {
    fn from(published: &model::Published) -> Self {
        Self {
            contender: published.contender.to_string(),
            label: published.label.clone(),
            metric: published.metric.name(),
            value: published.value,
            unit: published.metric.unit(),
            source: published.source.clone(),
            over: published.over.iter().map(ToString::to_string).collect(),
        }
    }
}
