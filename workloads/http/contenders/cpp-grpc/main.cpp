// A unary call of gRPC, by the C++ library's callbacks. It has threads of its own, by the number of cores that it sees.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include <grpcpp/grpcpp.h>

#include "greeter.grpc.pb.h"

namespace {

class Greetings final : public tare::Greeter::CallbackService {
    grpc::ServerUnaryReactor *SayHello(grpc::CallbackServerContext *context, const tare::HelloRequest *request,
                                       tare::HelloReply *reply) override {
        reply->set_message("Hello, " + request->name() + "!");
        auto *reactor = context->DefaultReactor();
        reactor->Finish(grpc::Status::OK);
        return reactor;
    }
};

} // namespace

int main(int argc, char **argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: server PORT\n");
        return 2;
    }
    Greetings greetings;
    grpc::ServerBuilder builder;
    // On loopback, unless other machines are to reach it.
    const char *host = std::getenv("HOST");
    const std::string address = std::string(host && *host ? host : "127.0.0.1") + ":" + argv[1];
    builder.AddListeningPort(address, grpc::InsecureServerCredentials());
    builder.RegisterService(&greetings);
    std::unique_ptr<grpc::Server> server = builder.BuildAndStart();
    if (!server) return 1;
    server->Wait();
}
