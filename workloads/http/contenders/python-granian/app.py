"""FrameworkBenchmarks' tests as an RSGI application, which is granian's own interface."""

import orjson
import world
from granian.rsgi import WebsocketMessageType

TEXT = [("server", "granian"), ("content-type", "text/plain")]
JSON = [("server", "granian"), ("content-type", "application/json")]
HTML = [("server", "granian"), ("content-type", "text/html; charset=utf-8")]


class App:
    """granian, by hyper, adds Date and Content-Length."""

    def __init__(self) -> None:
        self.world = None

    def __rsgi_init__(self, loop) -> None:
        self.world = loop.run_until_complete(world.open_world())

    async def echo(self, protocol) -> None:
        """Sends back what comes over a WebSocket, until it ends. Pings are answered by granian."""
        socket = await protocol.accept()
        while True:
            message = await socket.receive()
            match message.kind:
                case WebsocketMessageType.string:
                    await socket.send_str(message.data)
                case WebsocketMessageType.bytes:
                    await socket.send_bytes(message.data)
                case _:
                    break
        protocol.close()

    async def __rsgi__(self, scope, protocol) -> None:
        if scope.proto == "ws":
            return await self.echo(protocol) if scope.path == "/ws" else protocol.close(404)
        match scope.path:
            case "/plaintext":
                protocol.response_bytes(200, TEXT, b"Hello, World!")
            case "/json":
                protocol.response_bytes(200, JSON, orjson.dumps({"message": "Hello, World!"}))
            case "/db" if self.world:
                protocol.response_bytes(200, JSON, orjson.dumps(await self.world.random_row()))
            case "/queries" if self.world:
                rows = await self.world.random_rows(world.count(scope.query_string, "queries"))
                protocol.response_bytes(200, JSON, orjson.dumps(rows))
            case "/cached-queries" if self.world:
                rows = self.world.cached_rows(world.count(scope.query_string, "count"))
                protocol.response_bytes(200, JSON, orjson.dumps(rows))
            case "/updates" if self.world:
                rows = await self.world.updated_rows(world.count(scope.query_string, "queries"))
                protocol.response_bytes(200, JSON, orjson.dumps(rows))
            case "/fortunes" if self.world:
                protocol.response_str(200, HTML, await self.world.fortunes())
            case _:
                protocol.response_empty(404, TEXT)


app = App()
