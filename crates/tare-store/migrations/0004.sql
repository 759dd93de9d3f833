-- Version 4: what a reproduced report found, as its manifest had it when the run was made; and runs that were not
-- measured here but read from another suite's file.

ALTER TABLE runs ADD COLUMN imported TEXT;  -- whose results these are; NULL where tare measured them

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
