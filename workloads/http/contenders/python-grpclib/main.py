"""A unary call of gRPC, by grpclib: HTTP/2 in Python, on asyncio with uvloop."""

import os
import sys

import greeter_grpc
import greeter_pb2
import uvloop
from grpclib.server import Server

# On loopback, unless other machines are to reach it.
HOST = os.environ.get("HOST", "127.0.0.1")


class Greeter(greeter_grpc.GreeterBase):
    async def SayHello(self, stream):
        request = await stream.recv_message()
        await stream.send_message(greeter_pb2.HelloReply(message=f"Hello, {request.name}!"))


async def main(port: int) -> None:
    server = Server([Greeter()])
    await server.start(HOST, port, backlog=4096)
    await server.wait_closed()


if __name__ == "__main__":
    uvloop.run(main(int(sys.argv[1])))
