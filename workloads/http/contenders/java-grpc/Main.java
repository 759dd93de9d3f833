import java.io.IOException;
import java.net.InetSocketAddress;

import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.channel.ChannelOption;
import io.grpc.stub.StreamObserver;
import tare.GreeterGrpc;
import tare.HelloReply;
import tare.HelloRequest;

/** A unary call of gRPC, by grpc-java on netty. Nothing waits in a call, so that it is answered where it is read. */
public final class Main {
    private static final int BACKLOG = 4096;

    private static final class Greetings extends GreeterGrpc.GreeterImplBase {
        @Override
        public void sayHello(HelloRequest request, StreamObserver<HelloReply> observer) {
            observer.onNext(HelloReply.newBuilder().setMessage("Hello, " + request.getName() + "!").build());
            observer.onCompleted();
        }
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        // On loopback, unless other machines are to reach it.
        String host = System.getenv().getOrDefault("HOST", "127.0.0.1");
        Server server = NettyServerBuilder.forAddress(new InetSocketAddress(host, Integer.parseInt(args[0])))
            .withOption(ChannelOption.SO_BACKLOG, BACKLOG)
            .directExecutor()
            .addService(new Greetings())
            .build()
            .start();
        server.awaitTermination();
    }
}
