//! The results of a run with its explanations, as `tare explain` and every report show them.

use tare_analysis as analysis;
use tare_model::record::RunRecord;
use tare_model::results::Results;
use tare_store::Store;

use crate::failure::Failure;

/// The results of a stored run, with explanations of the evidence that was collected for it.
pub fn results(store: &Store, record: &RunRecord) -> Result<Results, Failure> {
    let evidence = store.evidence(&record.info.id).map_err(Failure::outside)?;
    Ok(Results {
        explanations: evidence.iter().map(tare_explain::explain).collect(),
        ..analysis::results(record)
    })
}
