//! `slices`: one row each, with histograms as blobs.

use rusqlite::types::Type;
use rusqlite::{Connection, Result, Row};
use tare_model::figure::Figure;
use tare_model::histogram::Histogram;
use tare_model::measure::{HostReading, LoadReading, RequestCounts, ServiceReading, SliceReading};
use tare_model::record::SliceRecord;
use tare_model::units::{Bytes, Seconds, Share};

use crate::sql::{all, bad, bits, count, index, insert, json, of_json, parse, real};

/// Keeps a slice.
pub(crate) fn keep(connection: &Connection, arena: i64, slice: &SliceRecord) -> Result<()> {
    let SliceReading {
        began,
        load,
        host,
        services,
        figures,
    } = &slice.reading;
    let figures = printed(figures)?;
    let key = insert(
        connection,
        "slices",
        &[
            ("arena", &arena),
            ("launch", &slice.launch),
            ("phase", &slice.phase.name()),
            ("round", &slice.round),
            ("place", &slice.place),
            ("entrant", &(slice.entrant as i64)),
            ("began", &began.0),
            ("wall", &load.wall.0),
            ("answers", &bits(load.answers)),
            ("sent", &bits(load.requests.sent)),
            ("valid", &bits(load.requests.valid)),
            ("invalid", &bits(load.requests.invalid)),
            ("lost", &bits(load.requests.lost)),
            ("latency", &load.latency.encode()),
            ("lag", &load.lag.encode()),
            ("programs", &encode(&load.programs)),
            ("bytes_out", &bits(load.bytes_out.0)),
            ("bytes_in", &bits(load.bytes_in.0)),
            ("checked", &load.checked.0),
            ("load_cpu", &load.cpu.0),
            ("load_busy", &load.busy.0),
            ("connections", &load.connections),
            ("reopened", &load.reopened),
            ("retransmits", &bits(load.retransmits)),
            ("overflows", &bits(load.overflows)),
            ("cpu", &host.cpu.0),
            ("compilers", &(host.compilers.0 > 0.0).then_some(host.compilers.0)),
            ("thawed", &host.thawed.0),
            ("busy", &host.busy.0),
            ("memory", &bits(host.memory.0)),
            ("memory_peak", &bits(host.memory_peak.0)),
            ("switches", &bits(host.switches)),
            ("steal", &host.steal.0),
            ("pressure", &host.pressure.map(|share| share.0)),
            ("figures", &figures),
        ],
    )?;
    keep_services(connection, key, services)
}

fn keep_services(connection: &Connection, key: i64, services: &[ServiceReading]) -> Result<()> {
    for (place, service) in (0i64..).zip(services) {
        insert(
            connection,
            "service_slices",
            &[
                ("slice", &key),
                ("place", &place),
                ("name", &service.name),
                ("cpu", &service.cpu.0),
            ],
        )?;
    }
    Ok(())
}

/// What a harness printed; none where there is nothing.
fn printed(figures: &[Figure]) -> Result<Option<String>> {
    (!figures.is_empty()).then(|| json(&figures)).transpose()
}

/// Reads an arena's slices, in the order of measurement, launch after launch.
pub(crate) fn read(connection: &Connection, arena: i64) -> Result<Vec<SliceRecord>> {
    let mut slices: Vec<(i64, SliceRecord)> = all(
        connection,
        "SELECT * FROM slices WHERE arena = ?1 ORDER BY slice",
        [arena],
        |row| Ok((row.get("slice")?, slice(row)?)),
    )?;
    for (key, service) in services(connection, arena)? {
        // Both are sorted by key, and each service's slice is among these.
        if let Ok(at) = slices.binary_search_by_key(&key, |(key, _)| *key) {
            slices[at].1.reading.services.push(service);
        }
    }
    // As they are written; a store that was merged by other hands may hold them otherwise.
    slices.sort_by_key(|(_, slice)| slice.launch);
    Ok(slices.into_iter().map(|(_, slice)| slice).collect())
}

/// What services used during an arena's slices, each with the slice's key.
fn services(connection: &Connection, arena: i64) -> Result<Vec<(i64, ServiceReading)>> {
    all(
        connection,
        "SELECT service_slices.* FROM slices JOIN service_slices USING (slice) WHERE arena = ?1
         ORDER BY service_slices.slice, service_slices.place",
        [arena],
        |row| {
            let (name, cpu) = (row.get("name")?, Seconds(real(row, "cpu")?));
            Ok((row.get("slice")?, ServiceReading { name, cpu }))
        },
    )
}

fn slice(row: &Row) -> Result<SliceRecord> {
    Ok(SliceRecord {
        phase: parse(row, "phase")?,
        launch: row.get("launch")?,
        round: row.get("round")?,
        place: row.get("place")?,
        entrant: index(row, "entrant")?,
        reading: SliceReading {
            began: Seconds(real(row, "began")?),
            load: load(row)?,
            host: host(row)?,
            services: Vec::new(),
            figures: figures(row)?,
        },
    })
}

fn load(row: &Row) -> Result<LoadReading> {
    Ok(LoadReading {
        wall: Seconds(real(row, "wall")?),
        answers: count(row, "answers")?,
        requests: RequestCounts {
            sent: count(row, "sent")?,
            valid: count(row, "valid")?,
            invalid: count(row, "invalid")?,
            lost: count(row, "lost")?,
        },
        // The slices of a run send every request that is due, so this is not stored.
        unsent: 0,
        latency: histogram(row, "latency")?,
        lag: histogram(row, "lag")?,
        programs: programs(row, "programs")?,
        bytes_out: Bytes(count(row, "bytes_out")?),
        bytes_in: Bytes(count(row, "bytes_in")?),
        checked: Share(real(row, "checked")?),
        cpu: Seconds(real(row, "load_cpu")?),
        busy: Share(real(row, "load_busy")?),
        connections: row.get("connections")?,
        reopened: row.get("reopened")?,
        retransmits: count(row, "retransmits")?,
        overflows: count(row, "overflows")?,
        // A run ends where a server allows fewer streams than were asked for, so this is not stored.
        streams: None,
        // What was negotiated is in the run's notes, and a slice's handshakes are no metric.
        tls: None,
    })
}

fn host(row: &Row) -> Result<HostReading> {
    let pressure: Option<f64> = row.get("pressure")?;
    Ok(HostReading {
        cpu: Seconds(real(row, "cpu")?),
        compilers: Seconds(row.get::<_, Option<f64>>("compilers")?.unwrap_or(0.0)),
        thawed: Seconds(real(row, "thawed")?),
        busy: Share(real(row, "busy")?),
        memory: Bytes(count(row, "memory")?),
        memory_peak: Bytes(count(row, "memory_peak")?),
        switches: count(row, "switches")?,
        steal: Seconds(real(row, "steal")?),
        pressure: pressure.map(Share),
    })
}

fn histogram(row: &Row, column: &str) -> Result<Histogram> {
    let bytes: Vec<u8> = row.get(column)?;
    Histogram::decode(&bytes).map_err(|error| bad(row, column, &error))
}

fn figures(row: &Row) -> Result<Vec<Figure>> {
    let none = row.get_ref("figures")?.data_type() == Type::Null;
    if none {
        Ok(Vec::new())
    } else {
        of_json(row, "figures")
    }
}

/// Durations, 8 bytes each: IEEE 754 binary64, little-endian.
fn encode(programs: &[Seconds]) -> Vec<u8> {
    programs
        .iter()
        .flat_map(|program| program.0.to_le_bytes())
        .collect()
}

fn programs(row: &Row, column: &str) -> Result<Vec<Seconds>> {
    let bytes: Vec<u8> = row.get(column)?;
    let (chunks, rest) = bytes.as_chunks::<8>();
    if !rest.is_empty() {
        return Err(bad(row, column, &"its length is no multiple of 8 bytes"));
    }
    Ok(chunks
        .iter()
        .map(|chunk| Seconds(f64::from_le_bytes(*chunk)))
        .collect())
}
