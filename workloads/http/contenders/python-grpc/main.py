"""A unary call of gRPC, by grpcio's asyncio interface."""

import asyncio
import os
import sys

import greeter_pb2
import greeter_pb2_grpc
import grpc

# On loopback, unless other machines are to reach it.
HOST = os.environ.get("HOST", "127.0.0.1")


class Greeter(greeter_pb2_grpc.GreeterServicer):
    async def SayHello(self, request, context):
        return greeter_pb2.HelloReply(message=f"Hello, {request.name}!")


async def main(port: str) -> None:
    server = grpc.aio.server()
    greeter_pb2_grpc.add_GreeterServicer_to_server(Greeter(), server)
    server.add_insecure_port(f"{HOST}:{port}")
    await server.start()
    await server.wait_for_termination()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
