"""@SUMMARY@

A coroutine a connection; requests may follow each other without waiting.
"""

import asyncio
import re
import signal
import sys

BODY = @EXPECT@
REPLY = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: %d\r\n\r\n" % len(BODY) + BODY
LENGTH = re.compile(rb"\r\ncontent-length:\s*([0-9]+)", re.IGNORECASE)


async def connection(reader, writer):
    try:
        while True:
            head = await reader.readuntil(b"\r\n\r\n")
            length = LENGTH.search(head)
            if length:
                await reader.readexactly(int(length[1]))
            writer.write(REPLY)
            await writer.drain()
    except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, ConnectionError):
        writer.close()


async def main():
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, sys.exit)
    server = await asyncio.start_server(connection, "127.0.0.1", int(sys.argv[1]), backlog=4096)
    async with server:
        await server.serve_forever()


asyncio.run(main())
