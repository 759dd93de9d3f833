"""FrameworkBenchmarks' tests as a plain ASGI application."""

import orjson
import world

database = None


async def respond(send, status: int, kind: bytes, body: bytes) -> None:
    """uvicorn adds Server and Date."""
    headers = [(b"content-type", kind), (b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def respond_json(send, value: dict | list) -> None:
    await respond(send, 200, b"application/json", orjson.dumps(value))


def count(scope, name: str) -> int:
    return world.count(scope["query_string"].decode("latin-1"), name)


async def lifespan(receive, send) -> None:
    global database
    await receive()  # the start
    database = await world.open_world()
    await send({"type": "lifespan.startup.complete"})
    await receive()  # the end
    await send({"type": "lifespan.shutdown.complete"})


async def app(scope, receive, send) -> None:
    if scope["type"] == "lifespan":
        return await lifespan(receive, send)
    match scope["path"]:
        case "/plaintext":
            await respond(send, 200, b"text/plain", b"Hello, World!")
        case "/json":
            await respond_json(send, {"message": "Hello, World!"})
        case "/db" if database:
            await respond_json(send, await database.random_row())
        case "/queries" if database:
            await respond_json(send, await database.random_rows(count(scope, "queries")))
        case "/cached-queries" if database:
            await respond_json(send, database.cached_rows(count(scope, "count")))
        case "/updates" if database:
            await respond_json(send, await database.updated_rows(count(scope, "queries")))
        case "/fortunes" if database:
            page = await database.fortunes()
            await respond(send, 200, b"text/html; charset=utf-8", page.encode())
        case _:
            await respond(send, 404, b"text/plain", b"")
