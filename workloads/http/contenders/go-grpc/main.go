// A unary call of gRPC, by grpc-go. The package `greeter` is protoc's of workloads/http/shared/grpc/greeter.proto.
package main

import (
	"context"
	"log"
	"net"
	"os"

	"google.golang.org/grpc"

	"server/with/greeter"
)

type greetings struct {
	greeter.UnimplementedGreeterServer
}

func (greetings) SayHello(_ context.Context, request *greeter.HelloRequest) (*greeter.HelloReply, error) {
	return &greeter.HelloReply{Message: "Hello, " + request.Name + "!"}, nil
}

// host is where to listen: on loopback, unless other machines are to reach it.
func host() string {
	if host := os.Getenv("HOST"); host != "" {
		return host
	}
	return "127.0.0.1"
}

func main() {
	if len(os.Args) != 2 {
		log.Fatal("usage: server PORT")
	}
	// Go listens with a backlog of net.core.somaxconn and sets TCP_NODELAY on what it accepts.
	listener, err := net.Listen("tcp", net.JoinHostPort(host(), os.Args[1]))
	if err != nil {
		log.Fatal(err)
	}
	server := grpc.NewServer()
	greeter.RegisterGreeterServer(server, greetings{})
	log.Fatal(server.Serve(listener))
}
