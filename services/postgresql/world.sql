CREATE TABLE world (id integer PRIMARY KEY, randomnumber integer NOT NULL);

INSERT INTO world SELECT id, (id::bigint * 48271 % 2147483647) % 10000 + 1 FROM generate_series(1, 10000) AS id;

VACUUM (ANALYZE, FREEZE) world;

