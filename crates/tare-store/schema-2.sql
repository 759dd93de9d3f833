-- Version 2: what a benchmark's harness printed. The serialised form of tare's own types, as JSON; NULL: nothing.

ALTER TABLE slices ADD COLUMN figures TEXT;
