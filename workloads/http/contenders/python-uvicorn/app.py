"""FrameworkBenchmarks' tests as a plain ASGI application."""

import orjson
import world

find = None


async def respond(send, status: int, kind: bytes, body: bytes) -> None:
    """uvicorn adds Server and Date."""
    headers = [(b"content-type", kind), (b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def respond_json(send, value: dict) -> None:
    await respond(send, 200, b"application/json", orjson.dumps(value))


async def lifespan(receive, send) -> None:
    global find
    await receive()  # the start
    find = await world.open_world()
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
        case "/db" if find:
            await respond_json(send, await find())
        case _:
            await respond(send, 404, b"text/plain", b"")
