"""@SUMMARY@

A coroutine a connection. Answers are sent when no whole line is left to answer.
"""

import asyncio
import signal
import sys
@IMPORTS@
@ANSWER@
async def serve(reader, writer):
    tail = b""
    is_open = True
    while is_open and (piece := await reader.read(65536)):
        *lines, tail = (tail + piece).split(b"\n")
        answers = []
        for line in lines:
            reply = answer(line)
            if reply is None:
                is_open = False
                break
            answers.append(reply + b"\n")
        writer.write(b"".join(answers))
        await writer.drain()
        if len(tail) > 65536:  # no line is this long
            is_open = False
    if not is_open:
        # Closing with bytes unread would reset the connection and may take answers with it.
        writer.write_eof()
        while await reader.read(65536):
            pass
    writer.close()


async def connection(reader, writer):
    try:
        await serve(reader, writer)
    except ConnectionError:
        writer.close()


async def main():
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, sys.exit)
    server = await asyncio.start_server(connection, "127.0.0.1", int(sys.argv[1]), backlog=4096)
    async with server:
        await server.serve_forever()


asyncio.run(main())
