// A unary call of gRPC, by Connect on net/http, which speaks HTTP/2 in clear by golang.org/x/net. The package `greeter` is
// protoc's of workloads/http/shared/grpc/greeter.proto.
package main

import (
	"context"
	"log"
	"net"
	"net/http"
	"os"

	"connectrpc.com/connect"
	"golang.org/x/net/http2"
	"golang.org/x/net/http2/h2c"

	greeter "server/with"
)

const procedure = "/tare.Greeter/SayHello"

func sayHello(_ context.Context, request *connect.Request[greeter.HelloRequest]) (*connect.Response[greeter.HelloReply], error) {
	return connect.NewResponse(&greeter.HelloReply{Message: "Hello, " + request.Msg.Name + "!"}), nil
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
	mux := http.NewServeMux()
	mux.Handle(procedure, connect.NewUnaryHandler(procedure, sayHello))
	// Go listens with a backlog of net.core.somaxconn and sets TCP_NODELAY on what it accepts.
	address := net.JoinHostPort(host(), os.Args[1])
	log.Fatal(http.ListenAndServe(address, h2c.NewHandler(mux, &http2.Server{})))
}
