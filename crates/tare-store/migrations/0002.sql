-- Version 2: services. What a service used while a contender was measured is no cost of the contender's, and is kept
-- apart from it.

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
