"""Makes the SQLite file with the table `world`. Argument: its path."""

import os
import sqlite3
import sys

path = sys.argv[1]
with sqlite3.connect(path) as world:
    world.execute("CREATE TABLE world (id INTEGER PRIMARY KEY, randomNumber INTEGER NOT NULL)")
    rows = ((n, (n * 48271 % 2147483647) % 10000 + 1) for n in range(1, 10001))
    world.executemany("INSERT INTO world VALUES (?, ?)", rows)
world.execute("ANALYZE")
world.close()
# Contenders only read it; a journal beside it would be theirs.
os.chmod(path, 0o444)
