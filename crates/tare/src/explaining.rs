//! The results of a run with its explanations, as `tare explain` and every report show them.

use tare_analysis as analysis;
use tare_model::record::RunRecord;
use tare_model::results::Results;
use tare_store::Store;

use crate::failure::Failure;
use crate::pooled;

/// The results of a stored run, with explanations of the evidence that was collected for it.
pub fn results(store: &Store, record: &RunRecord) -> Result<Results, Failure> {
    if record.info.id.contains(pooled::AND) {
        // Evidence is of one run.
        return Ok(analysis::results(record));
    }
    let evidence = store.evidence(&record.info.id).map_err(Failure::outside)?;
    Ok(Results {
        explanations: evidence.iter().map(tare_explain::explain).collect(),
        ..analysis::results(record)
    })
}
