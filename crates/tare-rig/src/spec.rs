//! The command that starts a contender.

use std::collections::BTreeMap;

use tare_host::process::ProcessSpec;
use tare_host::substitute;
use tare_model::fault::{Fault, FaultKind};

use crate::contender::{RigGroup, Runnable};

/// The command of a contender with its placeholders replaced; `more`: values that are known only at its start.
pub(crate) fn process_spec(
    group: &RigGroup,
    runnable: &Runnable,
    more: &[(&str, String)],
) -> Result<ProcessSpec, Fault> {
    let files = certificate(group, runnable);
    let mut values = filled(&runnable.values, more);
    values.extend(
        files
            .iter()
            .map(|(name, _, path)| ((*name).to_owned(), path.clone())),
    );
    let unfit = |error: substitute::BadPlaceholder| Fault::new(FaultKind::DiedAtStart, error.to_string());
    let argv = substitute::substitute(&runnable.run, &values).map_err(unfit)?;
    let mut env = BTreeMap::new();
    for (name, value) in &runnable.env {
        let value = substitute::substitute_word(value, &values).map_err(unfit)?;
        env.insert(name.clone(), value);
    }
    // What the contender says itself of these variables stands.
    for (_, name, path) in files {
        env.entry(name.to_owned()).or_insert(path);
    }
    Ok(ProcessSpec {
        argv,
        env,
        cwd: runnable.cwd.clone(),
        cores: group.placement.contender.clone(),
        log: runnable.log.clone(),
    })
}

/// The files of the certificate that a contender shows, as placeholders and as variables of its environment; none of one that
/// is reached in clear.
fn certificate(group: &RigGroup, runnable: &Runnable) -> Vec<(&'static str, &'static str, String)> {
    let secure = runnable.scheme.is_some_and(|scheme| scheme.secure);
    let files = group.certificate.as_ref().filter(|_| secure);
    files.map_or_else(Vec::new, |files| {
        vec![
            ("cert", "TARE_CERT", files.certificate.display().to_string()),
            ("key", "TARE_KEY", files.key.display().to_string()),
        ]
    })
}

/// The values of a contender and those of a start. The same command may run as a server and in process: so every job has
/// all placeholders, and those that it does not use are empty.
pub(crate) fn filled(values: &BTreeMap<String, String>, more: &[(&str, String)]) -> BTreeMap<String, String> {
    let mut all = values.clone();
    for name in ["port", "host", "role", "cert", "key"] {
        all.insert(name.to_owned(), String::new());
    }
    all.extend(
        more.iter()
            .map(|(name, value)| ((*name).to_owned(), value.clone())),
    );
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_job_has_no_use_for_is_empty() {
        let known = BTreeMap::from([("cores".to_owned(), "2".to_owned())]);
        let probe = filled(&known, &[("role", "probe".to_owned())]);
        let server = filled(
            &known,
            &[("port", "8080".to_owned()), ("host", "127.0.0.1".to_owned())],
        );
        let value = |values: &BTreeMap<String, String>, name: &str| values.get(name).cloned();
        assert_eq!(
            ["cores", "role", "port", "host"].map(|name| value(&probe, name)),
            ["2", "probe", "", ""].map(|text| Some(text.to_owned()))
        );
        assert_eq!(
            ["cores", "role", "port", "host"].map(|name| value(&server, name)),
            ["2", "", "8080", "127.0.0.1"].map(|text| Some(text.to_owned()))
        );
    }
}
