-- Version 3: CPU time of the contender's compilers, in seconds. NULL: none.

ALTER TABLE slices ADD COLUMN compilers REAL;
