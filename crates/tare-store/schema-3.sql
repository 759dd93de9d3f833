-- Version 3: CPU time of the contender's compilers, in seconds (NULL: none); and what finds an arena's slices among those of many
-- runs.

ALTER TABLE slices ADD COLUMN compilers REAL;
CREATE INDEX slices_of_arena ON slices (arena);
