"""Echoes messages over WebSocket, by the package websockets, which answers pings itself."""

import os
import sys

import uvloop
from websockets.asyncio.server import serve
from websockets.exceptions import ConnectionClosed

# On loopback, unless other machines are to reach it.
HOST = os.environ.get("HOST", "127.0.0.1")


async def echo(socket) -> None:
    try:
        async for message in socket:
            await socket.send(message)
    except ConnectionClosed:
        pass


async def main(port: int) -> None:
    # Its own pings would go out while it is frozen, and count as unanswered.
    async with serve(echo, HOST, port, backlog=4096, ping_interval=None) as server:
        await server.serve_forever()


if __name__ == "__main__":
    uvloop.run(main(int(sys.argv[1])))
