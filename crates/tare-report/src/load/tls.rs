//! What a single load saw of TLS.

use serde_json::{Value, json};
use tare_model::tls::TlsReading;
use tare_model::units::{PerSecond, Seconds};

use super::Load;

/// Quantiles of how long handshakes took: key, name, quantile.
const QUANTILES: [(&str, &str, f64); 3] = [
    ("handshake_p50", "p50", 0.5),
    ("handshake_p99", "p99", 0.99),
    ("handshake_max", "max", 1.0),
];

/// For people; nothing of a load in clear.
pub(super) fn lines(load: &Load<'_>) -> Vec<String> {
    let Some(tls) = &load.reading.tls else {
        return Vec::new();
    };
    let checked = match load.insecure {
        true => "certificate not checked (--insecure)",
        false => "certificate checked",
    };
    let mut lines: Vec<String> = tls
        .agreed
        .iter()
        .map(|agreed| format!("tls         {agreed}; {checked}"))
        .collect();
    if lines.len() > 1 {
        lines.push(format!(
            "warning     connections negotiated {} different kinds of TLS: figures are of a mixture",
            tls.agreed.len()
        ));
    }
    lines.push(handshakes(load, tls));
    lines
}

fn handshakes(load: &Load<'_>, tls: &TlsReading) -> String {
    let mut line = format!("handshakes  {}, {} of them resumed", tls.handshakes, tls.resumed);
    if let Some(rate) = rate(load, tls) {
        line += &format!("; {}", PerSecond(rate));
    }
    let quantiles = QUANTILES
        .iter()
        .filter_map(|(_, name, q)| Some(format!("{name} {}", time(tls, *q)?)));
    let quantiles: Vec<String> = quantiles.collect();
    if !quantiles.is_empty() {
        line += &format!("; {}", quantiles.join(", "));
    }
    line
}

/// For programs; null of a load in clear. Times are in seconds.
pub(super) fn document(load: &Load<'_>) -> Value {
    let Some(tls) = &load.reading.tls else {
        return Value::Null;
    };
    let agreed = tls
        .agreed
        .iter()
        .map(|one| json!({"version": one.version, "suite": one.suite, "group": one.group, "alpn": one.alpn}));
    let mut document = json!({
        "agreed": agreed.collect::<Vec<Value>>(),
        "certificate_checked": !load.insecure,
        "handshakes": tls.handshakes,
        "resumed": tls.resumed,
        "handshakes_per_second": rate(load, tls),
    });
    for (key, _, q) in QUANTILES {
        document[key] = json!(time(tls, q).map(|time| time.0));
    }
    document
}

fn time(tls: &TlsReading, q: f64) -> Option<Seconds> {
    tls.times.quantile(q).map(Seconds::from_nanos)
}

/// Handshakes a second, where connections were renewed. Otherwise they are opened before the measured time.
fn rate(load: &Load<'_>, tls: &TlsReading) -> Option<f64> {
    let wall = load.reading.wall.0;
    (load.usage.renew_after.is_some() && wall > 0.0).then(|| tls.in_time as f64 / wall)
}

#[cfg(test)]
mod tests {
    use tare_model::driving::ConnectionUse;
    use tare_model::measure::LoadReading;
    use tare_model::tls::Agreed;

    use super::*;

    fn agreed(suite: &str) -> Agreed {
        Agreed {
            version: "TLS 1.3".to_owned(),
            suite: suite.to_owned(),
            group: Some("X25519".to_owned()),
            alpn: None,
        }
    }

    fn reading(suites: &[&str]) -> LoadReading {
        let mut tls = TlsReading {
            handshakes: 5,
            resumed: 2,
            in_time: 4,
            ..TlsReading::default()
        };
        suites.iter().for_each(|suite| tls.saw(&agreed(suite)));
        tls.times.record(1_000_000);
        LoadReading {
            wall: Seconds(2.0),
            tls: Some(tls),
            ..LoadReading::default()
        }
    }

    fn load(reading: &LoadReading, insecure: bool, renewed: bool) -> Load<'_> {
        Load {
            reading,
            fault: None,
            interrupted: false,
            rate: None,
            depth: 1,
            usage: ConnectionUse {
                renew_after: renewed.then_some(1),
                ..ConnectionUse::default()
            },
            seed: 1,
            waiting: None,
            any_body: false,
            insecure,
            spectrum: false,
            agents: Vec::new(),
            apart: None,
        }
    }

    #[test]
    fn what_was_negotiated_is_printed() {
        let reading = reading(&["TLS_AES_128_GCM_SHA256"]);
        let text = lines(&load(&reading, false, false)).join("\n");
        assert!(
            text.starts_with("tls         TLS 1.3, TLS_AES_128_GCM_SHA256, X25519; certificate checked\nhandshakes  5, 2 of them resumed; p50 "),
            "{text}"
        );
        let text = lines(&load(&reading, true, true)).join("\n");
        assert!(
            text.contains("not checked (--insecure)") && text.contains("resumed; 2.00 /s; p50"),
            "{text}"
        );
        let all = document(&load(&reading, true, true));
        assert_eq!(all["agreed"][0]["suite"], "TLS_AES_128_GCM_SHA256");
        assert_eq!(
            (&all["agreed"][0]["alpn"], &all["certificate_checked"]),
            (&Value::Null, &false.into())
        );
        assert_eq!(all["handshakes_per_second"], 2.0);
        assert!(all["handshake_p99"].as_f64().is_some_and(|time| time > 9e-4));
        assert_eq!(
            document(&load(&reading, true, false))["handshakes_per_second"],
            Value::Null
        );
    }

    #[test]
    fn a_mixture_is_warned_of_and_a_load_in_clear_says_nothing() {
        let text = lines(&load(&reading(&["A", "B"]), false, false)).join("\n");
        assert!(text.contains("negotiated 2 different kinds of TLS"), "{text}");
        let clear = LoadReading::default();
        assert!(lines(&load(&clear, false, false)).is_empty());
        assert_eq!(document(&load(&clear, false, false)), Value::Null);
    }
}
