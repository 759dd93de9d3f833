BEGIN;
PRAGMA application_id = 1413567045;
PRAGMA user_version = 7;
CREATE TABLE runs (
    run        INTEGER PRIMARY KEY,
    id         TEXT    NOT NULL UNIQUE,   -- 20261121-204512, with -2, -3 … where two would collide
    started    INTEGER NOT NULL,          -- seconds since 1970
    took       REAL    NOT NULL,          -- until the last stored event
    complete   INTEGER NOT NULL CHECK (complete IN (0, 1)),
    tare       TEXT    NOT NULL,
    host       TEXT    NOT NULL,
    cpu        TEXT    NOT NULL,
    cores      INTEGER NOT NULL,
    memory     INTEGER NOT NULL,
    kernel     TEXT    NOT NULL,
    os         TEXT    NOT NULL,
    freezer    TEXT    NOT NULL,
    accounting TEXT    NOT NULL
, imported TEXT) STRICT;
CREATE TABLE settings (
    run   INTEGER NOT NULL REFERENCES runs,
    place INTEGER NOT NULL,
    name  TEXT    NOT NULL,
    value TEXT    NOT NULL,
    PRIMARY KEY (run, place)
) STRICT, WITHOUT ROWID;
CREATE TABLE notes (
    run   INTEGER NOT NULL REFERENCES runs,
    place INTEGER NOT NULL,
    note  TEXT    NOT NULL,
    PRIMARY KEY (run, place)
) STRICT, WITHOUT ROWID;
CREATE TABLE phases (
    run     INTEGER NOT NULL REFERENCES runs,
    place   INTEGER NOT NULL,
    name    TEXT    NOT NULL,
    seconds REAL    NOT NULL,
    PRIMARY KEY (run, place)
) STRICT, WITHOUT ROWID;
CREATE TABLE arenas (
    arena           INTEGER PRIMARY KEY,  -- rises in the order of the run
    run             INTEGER NOT NULL REFERENCES runs,
    workload        TEXT    NOT NULL,
    summary         TEXT    NOT NULL,
    case_name       TEXT    NOT NULL,
    case_summary    TEXT    NOT NULL,
    mode            TEXT    NOT NULL,
    cores_contender TEXT    NOT NULL,     -- 1,3
    cores_load      TEXT    NOT NULL,
    primary_metric  TEXT    NOT NULL,
    floor           TEXT,                 -- name or name@variant
    baseline        TEXT,
    margin          REAL    NOT NULL,
    alpha           REAL    NOT NULL
, sweep TEXT, size  INTEGER) STRICT;
CREATE INDEX arenas_of_run ON arenas (run);
CREATE TABLE driving (
    arena INTEGER NOT NULL REFERENCES arenas,
    place INTEGER NOT NULL,
    name  TEXT    NOT NULL,
    value TEXT    NOT NULL,
    PRIMARY KEY (arena, place)
) STRICT, WITHOUT ROWID;
CREATE TABLE published (
    arena     INTEGER NOT NULL REFERENCES arenas,
    place     INTEGER NOT NULL,
    contender TEXT    NOT NULL,           -- name or name@variant
    label     TEXT    NOT NULL,
    metric    TEXT    NOT NULL,
    value     REAL    NOT NULL,
    source    TEXT    NOT NULL, also_over TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (arena, place)
) STRICT, WITHOUT ROWID;
CREATE TABLE entrants (
    arena         INTEGER NOT NULL REFERENCES arenas,
    position      INTEGER NOT NULL,
    name          TEXT    NOT NULL,
    variant       TEXT,
    language      TEXT    NOT NULL,
    summary       TEXT    NOT NULL,
    style         TEXT    NOT NULL,
    stands_in_for TEXT, built TEXT,
    PRIMARY KEY (arena, position)
) STRICT, WITHOUT ROWID;
CREATE TABLE versions (
    arena   INTEGER NOT NULL,
    entrant INTEGER NOT NULL,
    place   INTEGER NOT NULL,
    name    TEXT    NOT NULL,
    value   TEXT    NOT NULL,
    PRIMARY KEY (arena, entrant, place),
    FOREIGN KEY (arena, entrant) REFERENCES entrants (arena, position)
) STRICT, WITHOUT ROWID;
CREATE TABLE faults (
    fault   INTEGER PRIMARY KEY,          -- rises in the order in which they were met
    arena   INTEGER NOT NULL,
    entrant INTEGER NOT NULL,
    launch   INTEGER,                      -- NULL: before the first
    kind    TEXT    NOT NULL,
    detail  TEXT    NOT NULL,
    FOREIGN KEY (arena, entrant) REFERENCES entrants (arena, position)
) STRICT;
CREATE INDEX faults_of_entrant ON faults (arena, entrant);
CREATE TABLE launches (
    arena  INTEGER NOT NULL REFERENCES arenas,
    number INTEGER NOT NULL,
    began  REAL    NOT NULL,
    PRIMARY KEY (arena, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE steady (
    arena        INTEGER NOT NULL,
    launch        INTEGER NOT NULL,
    entrant      INTEGER NOT NULL,
    steady       INTEGER NOT NULL CHECK (steady IN (0, 1)),
    truncated_at INTEGER NOT NULL,
    drift_low    REAL,
    drift_high   REAL,
    PRIMARY KEY (arena, launch, entrant),
    FOREIGN KEY (arena, launch) REFERENCES launches (arena, number),
    FOREIGN KEY (arena, entrant) REFERENCES entrants (arena, position)
) STRICT, WITHOUT ROWID;
CREATE TABLE slices (
    slice         INTEGER PRIMARY KEY,    -- rises in the order in which they were measured
    arena         INTEGER NOT NULL,
    launch         INTEGER NOT NULL,
    phase         TEXT    NOT NULL,       -- warm-up, pilot, round
    round         INTEGER NOT NULL,
    place         INTEGER NOT NULL,
    entrant       INTEGER NOT NULL,
    began         REAL,
    wall          REAL,
    answers       INTEGER NOT NULL,
    sent          INTEGER NOT NULL,
    valid INTEGER NOT NULL,
    invalid INTEGER NOT NULL,
    lost          INTEGER NOT NULL,
    latency       BLOB    NOT NULL,       -- a histogram of nanoseconds; its first byte is its version
    lag           BLOB    NOT NULL,       -- likewise
    programs      BLOB    NOT NULL,       -- durations, 8 bytes each: IEEE 754, little-endian
    bytes_out     INTEGER NOT NULL,
    bytes_in      INTEGER NOT NULL,
    checked       REAL,
    load_cpu      REAL,
    load_busy     REAL,
    connections   INTEGER NOT NULL,
    reopened      INTEGER NOT NULL,
    retransmits   INTEGER NOT NULL,
    overflows     INTEGER NOT NULL,
    cpu           REAL,
    thawed        REAL,
    busy          REAL,
    memory        INTEGER NOT NULL,
    memory_peak   INTEGER NOT NULL,
    switches      INTEGER NOT NULL,
    steal         REAL,
    pressure      REAL,
    UNIQUE (arena, launch, phase, round, place),   -- no slice is counted twice
    FOREIGN KEY (arena, launch) REFERENCES launches (arena, number),
    FOREIGN KEY (arena, entrant) REFERENCES entrants (arena, position)
) STRICT;
CREATE TABLE services (
    arena INTEGER NOT NULL REFERENCES arenas,
    place INTEGER NOT NULL,
    name  TEXT    NOT NULL,               -- ran on the load's cores, never frozen
    PRIMARY KEY (arena, place)
) STRICT, WITHOUT ROWID;
CREATE TABLE service_slices (
    slice INTEGER NOT NULL REFERENCES slices,
    place INTEGER NOT NULL,
    name  TEXT    NOT NULL,
    cpu   REAL,                           -- seconds, between the contender's two frozen readings
    PRIMARY KEY (slice, place)
) STRICT, WITHOUT ROWID;
CREATE TABLE claims (
    arena     INTEGER NOT NULL REFERENCES arenas,
    place     INTEGER NOT NULL,
    text      TEXT    NOT NULL,
    source    TEXT    NOT NULL,
    relation  TEXT    NOT NULL,           -- faster, same
    bound     REAL    NOT NULL,           -- the least factor; the largest difference, as a ratio minus one
    contender TEXT    NOT NULL,           -- who is held against
    others    TEXT    NOT NULL,           -- these, with commas between
    PRIMARY KEY (arena, place)
) STRICT, WITHOUT ROWID;
CREATE TABLE evidence (
    evidence  INTEGER PRIMARY KEY,
    run       INTEGER NOT NULL REFERENCES runs,
    made      INTEGER NOT NULL,  -- seconds since 1970 (UTC)
    workload  TEXT NOT NULL,
    case_name TEXT NOT NULL,
    mode      TEXT NOT NULL,
    size      INTEGER,           -- its bits, as all counts; NULL where the case is not swept
    a         TEXT NOT NULL,     -- contenders, as people write them
    b         TEXT NOT NULL,
    floor     TEXT,
    cores     INTEGER NOT NULL
) STRICT;
CREATE INDEX evidence_of_run ON evidence (run);
CREATE TABLE evidence_notes (
    evidence INTEGER NOT NULL REFERENCES evidence,
    place    INTEGER NOT NULL,
    note     TEXT NOT NULL,
    PRIMARY KEY (evidence, place)
) STRICT, WITHOUT ROWID;
CREATE TABLE subjects (
    subject    INTEGER PRIMARY KEY,
    evidence   INTEGER NOT NULL REFERENCES evidence,
    place      INTEGER NOT NULL,
    contender  TEXT NOT NULL,
    languages  TEXT NOT NULL,    -- its own first, a comma between
    instrumentation      TEXT,             -- what it was run with to be looked into
    symbols    TEXT,             -- what would give its functions names
    fault_kind TEXT,
    fault      TEXT,
    -- what its garbage collector told; all four or none
    collections INTEGER,
    allocated   INTEGER,
    paused      REAL,
    ops         INTEGER
) STRICT;
CREATE INDEX subjects_of_evidence ON subjects (evidence);
CREATE TABLE subject_lines (
    subject INTEGER NOT NULL REFERENCES subjects,
    what    TEXT NOT NULL,       -- glances, threads, calls, names, frames, stacks
    lines   TEXT NOT NULL,
    PRIMARY KEY (subject, what)
) STRICT, WITHOUT ROWID;
INSERT INTO runs VALUES (1, '20261121-204512', 1795293912, 61.25, 1, '0.1.0', 'scales', 'Abacus 3000', 2, 8589934592, '6.1.0', 'Debian 12', 'cgroup v2', 'process clocks', NULL);
INSERT INTO settings VALUES (1, 0, 'budget', '10m');
INSERT INTO settings VALUES (1, 1, 'seed', '42');
INSERT INTO notes VALUES (1, 0, 'It''s "less exact" here.');
INSERT INTO phases VALUES (1, 0, 'slices', 50.5);
INSERT INTO phases VALUES (1, 1, 'overhead', 0.1);
INSERT INTO arenas VALUES (1, 1, 'doubling', 'Doubles integers.', 'one-core', 'One core each.', 'cost', '1,3', '0', 'cpu_per_op', 'c-epoll', 'node@cluster', 0.01, 0.05, NULL, NULL);
INSERT INTO driving VALUES (1, 0, 'rate', '1000');
INSERT INTO published VALUES (1, 0, 'node@cluster', 'node.js', 'duration', 5.5, 'the report', '');
INSERT INTO entrants VALUES (1, 0, 'c-epoll', NULL, 'C', 'An epoll loop.', 'floor', NULL, NULL);
INSERT INTO entrants VALUES (1, 1, 'node', 'cluster', 'JavaScript', 'A process a core.', 'idiomatic', 'node 0.6', NULL);
INSERT INTO versions VALUES (1, 0, 0, 'gcc', '12.2.0');
INSERT INTO versions VALUES (1, 0, 1, 'libc', '2.36');
INSERT INTO faults VALUES (1, 1, 1, 0, 'wrong', 'sent 4
answered 9');
INSERT INTO launches VALUES (1, 0, 1.5);
INSERT INTO steady VALUES (1, 0, 0, 1, 15, -0.003, 0.011);
INSERT INTO steady VALUES (1, 0, 1, 0, 40, NULL, NULL);
INSERT INTO slices VALUES (1, 1, 0, 'warm-up', 3, 1, 0, 30.25, 0.081, 99, 106, 103, 2, 1, x'0180b6dc05039e0a0511038607', x'0184070203e003', x'33333333333315409a9999999999b93f', 1001, 1002, 0.75, 0.04, 0.5, 32, 4, 5, 6, 0.07, 0.092, 0.9, 7000000, -1, 77, 0.001, 0.02);
INSERT INTO slices VALUES (2, 1, 0, 'pilot', 3, 1, 0, 30.25, 0.081, 99, 106, 103, 2, 1, x'0180b6dc05039e0a0511038607', x'0184070203e003', x'33333333333315409a9999999999b93f', 1001, 1002, 0.75, 0.04, 0.5, 32, 4, 5, 6, 0.07, 0.092, 0.9, 7000000, -1, 77, 0.001, 0.02);
INSERT INTO slices VALUES (3, 1, 0, 'round', 3, 1, 0, 30.25, 0.081, 99, 106, 103, 2, 1, x'0180b6dc05039e0a0511038607', x'0184070203e003', x'33333333333315409a9999999999b93f', 1001, 1002, 0.75, 0.04, 0.5, 32, 4, 5, 6, 0.07, 0.092, 0.9, 7000000, -1, 77, 0.001, 0.02);
COMMIT;
