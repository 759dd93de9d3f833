"""FrameworkBenchmarks' tests as an RSGI application, which is granian's own interface."""

import orjson
import world

TEXT = [("server", "granian"), ("content-type", "text/plain")]
JSON = [("server", "granian"), ("content-type", "application/json")]


class App:
    """granian, by hyper, adds Date and Content-Length."""

    def __init__(self) -> None:
        self.find = None

    def __rsgi_init__(self, loop) -> None:
        self.find = loop.run_until_complete(world.open_world())

    async def __rsgi__(self, scope, protocol) -> None:
        match scope.path:
            case "/plaintext":
                protocol.response_bytes(200, TEXT, b"Hello, World!")
            case "/json":
                protocol.response_bytes(200, JSON, orjson.dumps({"message": "Hello, World!"}))
            case "/db" if self.find:
                protocol.response_bytes(200, JSON, orjson.dumps(await self.find()))
            case _:
                protocol.response_empty(404, TEXT)


app = App()
