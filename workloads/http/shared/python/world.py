"""The tests of a database, by SQLite or by PostgreSQL. The same file serves all contenders in Python."""

import os
import random
import sqlite3

import asyncpg
import jinja2

ROWS = 10000
CONNECTIONS = 16

SELECT = "SELECT id, randomnumber FROM world WHERE id = $1"
UPDATE = "UPDATE world SET randomnumber = $2 WHERE id = $1"

PAGE = jinja2.Environment(autoescape=True).from_string(
    "<!DOCTYPE html><html><head><title>Fortunes</title></head><body><table>"
    "<tr><th>id</th><th>message</th></tr>"
    "{% for id, message in fortunes %}<tr><td>{{ id }}</td><td>{{ message }}</td></tr>{% endfor %}"
    "</table></body></html>"
)


def row(columns: tuple[int, int]) -> dict[str, int]:
    return {"id": columns[0], "randomNumber": columns[1]}


def random_id() -> int:
    return random.randint(1, ROWS)


def count(query: str, name: str) -> int:
    """How many rows a query asks for: 1 to 500, and 1 if it is no number."""
    for pair in query.split("&"):
        key, _, value = pair.partition("=")
        if key == name:
            return min(max(int(value), 1), 500) if value.isascii() and value.isdigit() else 1
    return 1


class Sqlite:
    """The table `world` only."""

    def __init__(self, path: str) -> None:
        self.database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)

    # A few microseconds, without waiting for anything: handing it to another thread would cost more.
    async def random_row(self) -> dict[str, int]:
        select = "SELECT id, randomNumber FROM world WHERE id = ?"
        return row(self.database.execute(select, (random_id(),)).fetchone())


class Postgresql:
    def __init__(self, pool: asyncpg.Pool, cached: list[tuple[int, int]]) -> None:
        self.pool = pool
        # By id from 1.
        self.cached = cached

    @classmethod
    async def open(cls, uri: str) -> "Postgresql":
        # Without a limit to their age, statements stay prepared.
        pool = await asyncpg.create_pool(
            uri, min_size=CONNECTIONS, max_size=CONNECTIONS, max_cached_statement_lifetime=0
        )
        cached = await pool.fetch("SELECT id, randomnumber FROM cachedworld ORDER BY id")
        return cls(pool, [tuple(columns) for columns in cached])

    async def random_row(self) -> dict[str, int]:
        return row(await self.pool.fetchrow(SELECT, random_id()))

    async def random_rows(self, count: int) -> list[dict[str, int]]:
        """Each by a query of its own."""
        async with self.pool.acquire() as connection:
            return [row(await connection.fetchrow(SELECT, random_id())) for _ in range(count)]

    async def updated_rows(self, count: int) -> list[dict[str, int]]:
        """Rows are written in the order of their ids, so that no two requests wait for each other."""
        ids = sorted(random.sample(range(1, ROWS + 1), count))
        async with self.pool.acquire() as connection:
            rows = [row(await connection.fetchrow(SELECT, id)) for id in ids]
            for one in rows:
                one["randomNumber"] = random_id()
            await connection.executemany(UPDATE, [(one["id"], one["randomNumber"]) for one in rows])
        return rows

    def cached_rows(self, count: int) -> list[dict[str, int]]:
        return [row(self.cached[random_id() - 1]) for _ in range(count)]

    async def fortunes(self) -> str:
        """The page of fortunes."""
        fortunes = [tuple(columns) for columns in await self.pool.fetch("SELECT id, message FROM fortune")]
        fortunes.append((0, "Additional fortune added at request time."))
        fortunes.sort(key=lambda fortune: fortune[1])
        return PAGE.render(fortunes=fortunes)


async def open_world() -> Sqlite | Postgresql | None:
    """The database that the environment names; none where it names none."""
    if path := os.environ.get("SQLITE"):
        return Sqlite(path)
    if uri := os.environ.get("POSTGRESQL"):
        return await Postgresql.open(uri)
    return None
