-- Version 1. A version that was released is never edited: a change is a further file.
--
-- Columns named `head`, `record`, `machine`, `settings` and `value` hold the serialised form of tare's own types, as JSON.
-- Times are in seconds, and `began` counts from the run's start. Unsigned 64-bit counts are kept as their bits in a signed
-- column. A REAL column of `slices` that is NULL was not a number. `place` and `position` count from 0.

CREATE TABLE runs (
    run      INTEGER PRIMARY KEY,
    id       TEXT    NOT NULL UNIQUE,     -- 20261121-204512, with -2, -3 … where two would collide
    started  INTEGER NOT NULL,            -- seconds since 1970 (UTC)
    took     REAL    NOT NULL,            -- until the last stored event
    complete INTEGER NOT NULL CHECK (complete IN (0, 1)),
    tare     TEXT    NOT NULL,            -- the version that made it
    imported TEXT,                        -- the file that it was read from; NULL: measured here
    machine  TEXT    NOT NULL,
    settings TEXT    NOT NULL
) STRICT;

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
    arena INTEGER PRIMARY KEY,            -- rises in the order of the run
    run   INTEGER NOT NULL REFERENCES runs,
    head  TEXT    NOT NULL                -- all but entrants, launches and slices
) STRICT;
CREATE INDEX arenas_of_run ON arenas (run);

CREATE TABLE entrants (
    arena    INTEGER NOT NULL REFERENCES arenas,
    position INTEGER NOT NULL,
    record   TEXT    NOT NULL,            -- all but faults
    PRIMARY KEY (arena, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE faults (
    fault   INTEGER PRIMARY KEY,          -- rises in the order in which they were met
    arena   INTEGER NOT NULL,
    entrant INTEGER NOT NULL,
    launch  INTEGER,                      -- NULL: before the first
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
    launch       INTEGER NOT NULL,
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
    slice       INTEGER PRIMARY KEY,      -- rises in the order in which they were measured
    arena       INTEGER NOT NULL,
    launch      INTEGER NOT NULL,
    phase       TEXT    NOT NULL,         -- warm-up, pilot, round
    round       INTEGER NOT NULL,
    place       INTEGER NOT NULL,
    entrant     INTEGER NOT NULL,
    began       REAL,
    wall        REAL,
    answers     INTEGER NOT NULL,
    sent        INTEGER NOT NULL,
    valid       INTEGER NOT NULL,
    invalid     INTEGER NOT NULL,
    lost        INTEGER NOT NULL,
    latency     BLOB    NOT NULL,         -- a histogram of nanoseconds; its first byte is its version
    lag         BLOB    NOT NULL,         -- likewise
    programs    BLOB    NOT NULL,         -- durations, 8 bytes each: IEEE 754, little-endian
    bytes_out   INTEGER NOT NULL,
    bytes_in    INTEGER NOT NULL,
    checked     REAL,
    load_cpu    REAL,
    load_busy   REAL,
    connections INTEGER NOT NULL,
    reopened    INTEGER NOT NULL,
    retransmits INTEGER NOT NULL,
    overflows   INTEGER NOT NULL,
    cpu         REAL,
    thawed      REAL,
    busy        REAL,
    memory      INTEGER NOT NULL,
    memory_peak INTEGER NOT NULL,
    switches    INTEGER NOT NULL,
    steal       REAL,
    pressure    REAL,
    UNIQUE (arena, launch, phase, round, place),   -- no slice is counted twice
    FOREIGN KEY (arena, launch) REFERENCES launches (arena, number),
    FOREIGN KEY (arena, entrant) REFERENCES entrants (arena, position)
) STRICT;

CREATE TABLE service_slices (
    slice INTEGER NOT NULL REFERENCES slices,
    place INTEGER NOT NULL,
    name  TEXT    NOT NULL,
    cpu   REAL,                           -- seconds, between the contender's two paused readings
    PRIMARY KEY (slice, place)
) STRICT, WITHOUT ROWID;

CREATE TABLE evidence (
    evidence INTEGER PRIMARY KEY,         -- rises in the order in which it was collected
    run      INTEGER NOT NULL REFERENCES runs,
    value    TEXT    NOT NULL
) STRICT;
CREATE INDEX evidence_of_run ON evidence (run);
