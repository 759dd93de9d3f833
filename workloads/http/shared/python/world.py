"""Rows of the table `world`, in SQLite or in PostgreSQL. The same file serves all contenders in Python."""

import os
import random
import sqlite3
from collections.abc import Awaitable, Callable

import asyncpg

ROWS = 10000
CONNECTIONS = 16

Find = Callable[[], Awaitable[dict[str, int]]]


def row(columns: tuple[int, int]) -> dict[str, int]:
    return {"id": columns[0], "randomNumber": columns[1]}


def sqlite(path: str) -> Find:
    database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)

    # A few microseconds, without waiting for anything: handing it to another thread would cost more.
    async def find() -> dict[str, int]:
        select = "SELECT id, randomNumber FROM world WHERE id = ?"
        return row(database.execute(select, (random.randint(1, ROWS),)).fetchone())

    return find


async def postgresql(uri: str) -> Find:
    # Without a limit to their age, statements stay prepared.
    pool = await asyncpg.create_pool(
        uri, min_size=CONNECTIONS, max_size=CONNECTIONS, max_cached_statement_lifetime=0
    )

    async def find() -> dict[str, int]:
        select = "SELECT id, randomnumber FROM world WHERE id = $1"
        return row(await pool.fetchrow(select, random.randint(1, ROWS)))

    return find


async def open_world() -> Find | None:
    """Finds the row of a random id, in the database that the environment names; none where it names none."""
    if path := os.environ.get("SQLITE"):
        return sqlite(path)
    if uri := os.environ.get("POSTGRESQL"):
        return await postgresql(uri)
    return None
