-- Version 5: the evidence of explanations that were asked for (tare explain). Raw material, as slices are: what it means
-- is computed anew whenever it is shown.

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

-- A resident contender that was looked at.
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

-- Slices, stacks and functions are read and written whole, and there are tens of thousands of them: texts of lines, one
-- each, with tabs between (rows/evidence.rs says which).
CREATE TABLE subject_lines (
    subject INTEGER NOT NULL REFERENCES subjects,
    what    TEXT NOT NULL,       -- glances, threads, calls, names, frames, stacks
    lines   TEXT NOT NULL,
    PRIMARY KEY (subject, what)
) STRICT, WITHOUT ROWID;
