-- Version 7: what each contender was built from and how it was run, so that a run is gone on with by the same programs only.

ALTER TABLE entrants ADD COLUMN built TEXT;  -- twelve digits of a hash; NULL where tare built nothing, or did not keep it yet
