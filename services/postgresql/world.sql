CREATE TABLE world (id integer PRIMARY KEY, randomnumber integer NOT NULL);

INSERT INTO world SELECT id, (id::bigint * 48271 % 2147483647) % 10000 + 1 FROM generate_series(1, 10000) AS id;

CREATE TABLE cachedworld (id integer PRIMARY KEY, randomnumber integer NOT NULL);

INSERT INTO cachedworld SELECT * FROM world ORDER BY id;

CREATE TABLE fortune (id integer PRIMARY KEY, message text NOT NULL);

INSERT INTO fortune VALUES
  (1, 'A backup that was never restored is a hope.'),
  (2, 'Caches forget; databases remember.'),
  (3, 'Every fast path has a slow one beside it.'),
  (4, 'Fewer moving parts, fewer broken ones.'),
  (5, 'It works here & now; there & later is another matter.'),
  (6, 'Latency hides in the queue.'),
  (7, 'Measure twice, optimise once.'),
  (8, 'Nobody remembers the "quick fix" that stayed for years.'),
  (9, 'One core is enough, until it isn''t.'),
  (10, 'Premature pessimisation is premature, too.'),
  (11, '<script>alert("Nothing of this may run.");</script>'),
  (12, '急がば回れ。測ってから語れ。');

CREATE EXTENSION pg_stat_statements;

VACUUM (ANALYZE, FREEZE) world;

VACUUM (ANALYZE, FREEZE) cachedworld;

VACUUM (ANALYZE, FREEZE) fortune;

