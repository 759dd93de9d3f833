-- Version 3: cases that are measured at several sizes. Both columns are NULL where a case is not.

ALTER TABLE arenas ADD COLUMN sweep TEXT;     -- what the size counts: bytes, fields, rows
ALTER TABLE arenas ADD COLUMN size  INTEGER;  -- its bits, as all counts
