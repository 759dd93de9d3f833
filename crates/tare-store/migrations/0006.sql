-- Version 6: over which contenders besides the common one a published figure is shown, as its manifest had it.

ALTER TABLE published ADD COLUMN also_over TEXT NOT NULL DEFAULT '';  -- their ids, with commas between
