//! A row by the names of its columns.

use std::fmt::Write;

use tare_model::estimate::Estimate;

/// The first line.
pub const HEADER: &str = "run,workload,case,mode,contender,language,style,state,reason,bound,metric,unit,primary,\
estimate,low,high,net,net_low,net_high,rank_low,rank_high,against,ratio,ratio_low,ratio_high,verdict,alpha,margin,\
rounds,launches,provisional,needed,sweep,size,finding,published,conditions,runs,mean,deviation,median,min,max,part";

/// A row that is filled in by the names of its columns.
pub(super) struct Row(Vec<String>);

impl Row {
    pub(super) fn new() -> Self {
        Self(vec![String::new(); HEADER.split(',').count()])
    }

    pub(super) fn set(&mut self, name: &str, value: String) {
        if let Some(column) = HEADER.split(',').position(|column| column == name) {
            self.0[column] = value;
        }
    }

    pub(super) fn end(self, out: &mut String) {
        let _ = writeln!(out, "{}", self.0.join(",")); // writing to a string cannot fail
    }
}

/// An estimate and both ends of its interval.
pub(super) fn three(estimate: Option<&Estimate>) -> [String; 3] {
    [
        optional(estimate.map(|e| e.estimate)),
        optional(estimate.and_then(|e| e.low)),
        optional(estimate.and_then(|e| e.high)),
    ]
}

/// Empty where there is nothing.
pub(super) fn optional<T: ToString>(value: Option<T>) -> String {
    value.map_or(String::new(), |value| value.to_string())
}
