BEGIN;
PRAGMA application_id = 1413567025;
PRAGMA user_version = 3;
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
    pressure    REAL, figures TEXT, compilers REAL,
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
CREATE INDEX slices_of_arena ON slices (arena);
INSERT INTO runs VALUES (1, '20261121-204512', 1795293912, 61.25, 1, '0.1.0', NULL, '{"host":"scales","cpu":"Abacus 3000","cores":2,"memory":8589934592,"kernel":"6.1.0","os":"Debian 12","freezer":"cgroup v2","accounting":"process clocks"}', '{"kind":"run","budget":600.0,"margin":0.01,"alpha":null,"seed":42,"timeout":null,"launches":null,"rounds":null,"rate":null,"revision":null,"revisions":null,"contenders":{"manifests":"0123456789ab","connections":[32],"depth":null,"programs":null,"cores_contender":null,"cores_load":null,"resumes":null},"commands":null,"requests":null,"explains":null}');
INSERT INTO notes VALUES (1, 0, 'It''s "less exact" here.');
INSERT INTO phases VALUES (1, 0, 'slices', 50.5);
INSERT INTO phases VALUES (1, 1, 'overhead', 0.1);
INSERT INTO arenas VALUES (1, 1, '{"workload":"doubling","summary":"Doubles integers.","case":"one-core","case_summary":"One core each.","sweep":null,"size":null,"mode":"cost","driving":{"load":{"connections":[32],"depth":3,"batch":null,"awake":true,"rate":1000.0}},"placement":{"contender":[1,3],"load":[0],"services":[]},"primary":"cpu_per_op","floor":"c-epoll","baseline":"node@cluster","margin":0.01,"alpha":0.05,"published":[{"contender":"node@cluster","label":"node.js","metric":"duration","value":5.5,"source":"the report","over":[]}],"claims":[]}');
INSERT INTO entrants VALUES (1, 0, '{"id":"c-epoll","summary":"An epoll loop.","subject":{"contender":{"language":"c","style":"floor","stands_in_for":null,"versions":[["gcc","12.2.0"],["libc","2.36"]],"built":"0123456789ab"}}}');
INSERT INTO entrants VALUES (1, 1, '{"id":"node@cluster","summary":"A process a core.","subject":{"contender":{"language":"javascript","style":"idiomatic","stands_in_for":"node 0.6","versions":[],"built":null}}}');
INSERT INTO faults VALUES (1, 1, 1, 0, 'wrong', 'sent 4
answered 9');
INSERT INTO launches VALUES (1, 0, 1.5);
INSERT INTO steady VALUES (1, 0, 0, 1, 15, -0.003, 0.011);
INSERT INTO steady VALUES (1, 0, 1, 0, 40, NULL, NULL);
INSERT INTO slices VALUES (1, 1, 0, 'warm-up', 3, 1, 0, 30.25, 0.081, 99, 106, 103, 2, 1, x'0180b6dc05039e0a0511038607', x'0184070203e003', x'33333333333315409a9999999999b93f', 1001, 1002, 0.75, 0.04, 0.5, 32, 4, 5, 6, 0.07, 0.092, 0.9, 7000000, -1, 77, 0.001, 0.02, NULL, NULL);
INSERT INTO slices VALUES (2, 1, 0, 'pilot', 3, 1, 0, 30.25, 0.081, 99, 106, 103, 2, 1, x'0180b6dc05039e0a0511038607', x'0184070203e003', x'33333333333315409a9999999999b93f', 1001, 1002, 0.75, 0.04, 0.5, 32, 4, 5, 6, 0.07, 0.092, 0.9, 7000000, -1, 77, 0.001, 0.02, NULL, NULL);
INSERT INTO slices VALUES (3, 1, 0, 'round', 3, 1, 0, 30.25, 0.081, 99, 106, 103, 2, 1, x'0180b6dc05039e0a0511038607', x'0184070203e003', x'33333333333315409a9999999999b93f', 1001, 1002, 0.75, 0.04, 0.5, 32, 4, 5, 6, 0.07, 0.092, 0.9, 7000000, -1, 77, 0.001, 0.02, NULL, NULL);
COMMIT;
