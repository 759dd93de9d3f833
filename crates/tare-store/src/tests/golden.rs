//! Stores that were written before are still read.
//!
//! `golden/version-N.sql` is a store of version N, as SQL. `BLESS=1` writes the newest one where it is
//! missing; one that was released is never written again.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use rusqlite::Connection;
use rusqlite::types::Value;
use tare_model::driving::{Driving, Load};
use tare_model::fault::{Fault, FaultKind};
use tare_model::histogram::Histogram;
use tare_model::ids::ContenderId;
use tare_model::manifest::Style;
use tare_model::measure::{HostReading, LoadReading, RequestCounts, SliceReading};
use tare_model::metric::{Metric, Mode};
use tare_model::placement::Placement;
use tare_model::published::Published;
use tare_model::record::{
    ArenaRecord, EntrantRecord, LaunchRecord, Phase, RunRecord, SliceRecord, SteadyRecord,
};
use tare_model::results::{Machine, RunInfo};
use tare_model::settings::{ContenderSettings, Settings};
use tare_model::subject::Subject;
use tare_model::units::{Bytes, PerSecond, Seconds, Share};

use crate::migrate::{MIGRATIONS, migrate};
use crate::{NewRun, Problem, Store};

fn pair(name: &str, value: &str) -> (String, String) {
    (name.to_owned(), value.to_owned())
}

/// What every golden holds. A field that came later has what its migration gives it.
fn record() -> RunRecord {
    RunRecord {
        info: RunInfo {
            id: "20261121-204512".to_owned(),
            started: super::sample::STARTED,
            took: Seconds(61.25),
            complete: true,
            tare: "0.1.0".to_owned(),
            imported: None,
            machine: Machine {
                host: "scales".to_owned(),
                cpu: "Abacus 3000".to_owned(),
                cores: 2,
                memory: 8 << 30,
                kernel: "6.1.0".to_owned(),
                os: "Debian 12".to_owned(),
                freezer: "cgroup v2".to_owned(),
                accounting: "process clocks".to_owned(),
            },
            nodes: Vec::new(),
            settings: Settings {
                budget: Some(Seconds(600.0)),
                seed: Some(42),
                margin: Some(0.01),
                contenders: Some(ContenderSettings {
                    manifests: "0123456789ab".to_owned(),
                    connections: vec![32],
                    ..ContenderSettings::default()
                }),
                ..Settings::default()
            },
            notes: vec!["It's \"less exact\" here.".to_owned()],
            phases: vec![
                ("slices".to_owned(), Seconds(50.5)),
                ("overhead".to_owned(), Seconds(0.1)),
            ],
        },
        arenas: vec![arena()],
    }
}

fn arena() -> ArenaRecord {
    ArenaRecord {
        workload: "doubling".to_owned(),
        summary: "Doubles integers.".to_owned(),
        case: "one-core".to_owned(),
        case_summary: "One core each.".to_owned(),
        sweep: None,
        size: None,
        mode: Mode::Cost,
        driving: Driving::Load(Load {
            connections: vec![32],
            depth: 3,
            batch: None,
            awake: Some(true),
            rate: Some(PerSecond(1000.0)),
            ..Load::default()
        }),
        placement: Placement {
            contender: vec![1, 3],
            load: vec![0],
            ..Placement::default()
        },
        primary: Metric::CpuPerOp,
        floor: Some(ContenderId::plain("c-epoll")),
        baseline: Some(ContenderId::variant("node", "cluster")),
        margin: 0.01,
        alpha: 0.05,
        published: vec![Published {
            contender: ContenderId::variant("node", "cluster"),
            label: "node.js".to_owned(),
            metric: Metric::Duration,
            value: 5.5,
            source: "the report".to_owned(),
            over: Vec::new(),
        }],
        claims: Vec::new(),
        entrants: entrants(),
        launches: vec![LaunchRecord {
            number: 0,
            node: 0,
            began: Seconds(1.5),
            steady: vec![
                SteadyRecord {
                    entrant: 0,
                    steady: true,
                    truncated_at: 15,
                    drift: Some((-0.003, 0.011)),
                },
                SteadyRecord {
                    entrant: 1,
                    steady: false,
                    truncated_at: 40,
                    drift: None,
                },
            ],
        }],
        slices: vec![slice(Phase::WarmUp), slice(Phase::Pilot), slice(Phase::Round)],
    }
}

fn entrants() -> Vec<EntrantRecord> {
    let floor = EntrantRecord {
        id: ContenderId::plain("c-epoll"),
        summary: "An epoll loop.".to_owned(),
        subject: Subject::Contender {
            language: "c".to_owned(),
            style: Style::Floor,
            stands_in_for: None,
            versions: vec![pair("gcc", "12.2.0"), pair("libc", "2.36")],
            built: Some("0123456789ab".to_owned()),
            container: None,
            scheme: None,
        },
        fault: None,
        fault_launch: None,
    };
    let node = EntrantRecord {
        id: ContenderId::variant("node", "cluster"),
        summary: "A process a core.".to_owned(),
        subject: Subject::Contender {
            language: "javascript".to_owned(),
            style: Style::Idiomatic,
            stands_in_for: Some("node 0.6".to_owned()),
            versions: Vec::new(),
            built: None,
            container: None,
            scheme: None,
        },
        fault: Some(Fault::new(FaultKind::Wrong, "sent 4\nanswered 9")),
        fault_launch: Some(0),
    };
    vec![floor, node]
}

fn slice(phase: Phase) -> SliceRecord {
    let histogram = |times: &[u64]| {
        let mut histogram = Histogram::new();
        times.iter().for_each(|&nanos| histogram.record(nanos));
        histogram
    };
    SliceRecord {
        phase,
        launch: 0,
        round: 3,
        place: 1,
        entrant: 0,
        reading: SliceReading {
            began: Seconds(30.25),
            load: LoadReading {
                wall: Seconds(0.081),
                answers: 99,
                requests: RequestCounts {
                    sent: 106,
                    valid: 103,
                    invalid: 2,
                    lost: 1,
                },
                unsent: 0,
                latency: histogram(&[81_000, 90_500, 90_501, 12_000_000]),
                lag: histogram(&[0, 900]),
                programs: vec![Seconds(5.3), Seconds(0.1)],
                bytes_out: Bytes(1001),
                bytes_in: Bytes(1002),
                checked: Share(0.75),
                cpu: Seconds(0.04),
                busy: Share(0.5),
                connections: 32,
                reopened: 4,
                retransmits: 5,
                overflows: 6,
                streams: None,
                tls: None,
            },
            host: HostReading {
                cpu: Seconds(0.07),
                compilers: Seconds(0.0),
                thawed: Seconds(0.092),
                busy: Share(0.9),
                memory: Bytes(7_000_000),
                memory_peak: Bytes(u64::MAX),
                switches: 77,
                steal: Seconds(0.001),
                pressure: Some(Share(0.02)),
            },
            services: Vec::new(),
            figures: Vec::new(),
        },
    }
}

fn golden(version: usize) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("golden/version-{version}.sql"))
}

/// Writes the record with this version's store, and gives it back as SQL.
fn written_now() -> String {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path().join("results.sqlite")).unwrap();
    let RunRecord { info, arenas } = record();
    let mut writer = store
        .begin_run(&NewRun {
            started: info.started,
            tare: info.tare,
            imported: info.imported,
            machine: info.machine,
            settings: info.settings,
        })
        .unwrap();
    for arena in &arenas {
        writer.arena(arena).unwrap();
    }
    info.notes.iter().for_each(|note| writer.note(note).unwrap());
    writer.finish(info.took, info.complete, &info.phases).unwrap();
    dump(&store.connection)
}

fn texts(connection: &Connection, sql: &str) -> Vec<String> {
    let mut statement = connection.prepare(sql).unwrap();
    let rows = statement.query_map([], |row| row.get(0)).unwrap();
    rows.map(Result::unwrap).collect()
}

fn dump(connection: &Connection) -> String {
    let mut out = String::from("BEGIN;\n");
    for pragma in ["application_id", "user_version"] {
        let value: i64 = connection
            .pragma_query_value(None, pragma, |row| row.get(0))
            .unwrap();
        writeln!(out, "PRAGMA {pragma} = {value};").unwrap();
    }
    for sql in texts(
        connection,
        "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid",
    ) {
        writeln!(out, "{sql};").unwrap();
    }
    for table in texts(
        connection,
        "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY rowid",
    ) {
        dump_rows(connection, &table, &mut out);
    }
    out + "COMMIT;\n"
}

fn dump_rows(connection: &Connection, table: &str, out: &mut String) {
    let mut statement = connection.prepare(&format!("SELECT * FROM {table}")).unwrap();
    let columns = statement.column_count();
    let mut rows = statement.query([]).unwrap();
    while let Some(row) = rows.next().unwrap() {
        let values: Vec<String> = (0..columns).map(|i| literal(row.get(i).unwrap())).collect();
        writeln!(out, "INSERT INTO {table} VALUES ({});", values.join(", ")).unwrap();
    }
}

fn literal(value: Value) -> String {
    match value {
        Value::Null => "NULL".to_owned(),
        Value::Integer(integer) => integer.to_string(),
        Value::Real(real) => format!("{real:?}"),
        Value::Text(text) => format!("'{}'", text.replace('\'', "''")),
        Value::Blob(bytes) => {
            let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            format!("x'{hex}'")
        }
    }
}

/// A file as a version left it.
fn old(version: usize, path: &Path) -> Connection {
    let file = golden(version);
    let sql = fs::read_to_string(&file)
        .unwrap_or_else(|error| panic!("{}: {error}; BLESS=1 makes it", file.display()));
    let connection = Connection::open(path).unwrap();
    connection.execute_batch(&sql).unwrap();
    connection
}

#[test]
fn a_store_of_every_version_is_read_and_becomes_like_a_new_one() {
    let newest = MIGRATIONS.len();
    if std::env::var_os("BLESS").is_some() && !golden(newest).exists() {
        fs::write(golden(newest), written_now()).unwrap();
    }
    let fresh = written_now();
    for version in 1..=newest {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("results.sqlite");
        drop(old(version, &path));
        let store = Store::open_existing(&path).unwrap();
        assert_eq!(store.run("latest").unwrap(), record(), "version {version}");
        assert_eq!(dump(&store.connection), fresh, "version {version}");
    }
}

#[test]
fn a_released_migration_is_not_edited() {
    for version in 1..=MIGRATIONS.len() {
        let mut now = Connection::open_in_memory().unwrap();
        migrate(&mut now, &MIGRATIONS[..version]).unwrap();
        let then = old(version, Path::new(":memory:"));
        let schema = "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY rowid";
        assert_eq!(texts(&now, schema), texts(&then, schema), "version {version}");
    }
}

#[test]
fn a_store_from_before_the_first_release_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("results.sqlite");
    let connection = Connection::open(&path).unwrap();
    connection
        .execute_batch(
            "CREATE TABLE runs (run INTEGER PRIMARY KEY);
             PRAGMA application_id = 1413567045; PRAGMA user_version = 7;",
        )
        .unwrap();
    drop(connection);
    let error = Store::open_existing(&path).unwrap_err();
    assert!(matches!(error.problem, Problem::BeforeRelease), "{error}");
    assert!(error.to_string().contains("before the first release"), "{error}");
}

fn version_of(connection: &Connection) -> i64 {
    connection
        .pragma_query_value(None, "user_version", |row| row.get(0))
        .unwrap()
}

#[test]
fn a_later_migration_is_applied_once_and_keeps_what_is_there() {
    let later = [
        "",
        "ALTER TABLE runs ADD COLUMN mood TEXT NOT NULL DEFAULT 'calm'",
    ];
    let folder = tempfile::tempdir().unwrap();
    let mut connection = old(1, &folder.path().join("results.sqlite"));
    migrate(&mut connection, &later).unwrap();
    migrate(&mut connection, &later).unwrap();
    assert_eq!(version_of(&connection), 2);
    assert_eq!(
        texts(&connection, "SELECT id || ' ' || mood FROM runs"),
        ["20261121-204512 calm"]
    );
}

#[test]
fn a_failed_migration_leaves_the_old_version_intact() {
    let failing = [
        "",
        "ALTER TABLE runs ADD COLUMN mood TEXT; INSERT INTO nowhere VALUES (1)",
    ];
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("results.sqlite");
    let mut connection = old(1, &path);
    migrate(&mut connection, &failing).unwrap_err();
    assert_eq!(version_of(&connection), 1);
    drop(connection);
    assert_eq!(Store::open(&path).unwrap().run("latest").unwrap(), record());
}

#[test]
fn an_old_store_that_cannot_be_written_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("results.sqlite");
    drop(old(1, &path));
    let flags = rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY;
    let mut connection = Connection::open_with_flags(&path, flags).unwrap();
    let problem = migrate(&mut connection, &["", "SELECT 1"]).unwrap_err();
    assert!(
        matches!(problem, Problem::OldAndReadOnly { found: 1, known: 2 }),
        "{problem}"
    );
    assert_eq!(
        problem.to_string(),
        "it is of store version 1, must be brought to 2 to be read, and cannot be written\n\nhint: copy it to a folder \
         where it can be"
    );
}
