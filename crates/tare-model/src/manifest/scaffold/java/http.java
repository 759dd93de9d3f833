// @SUMMARY@
// The JDK's own server, a virtual thread a request.
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;

public class Main {
    static final byte[] BODY = @EXPECT@.getBytes(StandardCharsets.ISO_8859_1);

    public static void main(String[] arguments) throws IOException {
        // Without it an answer's body waits for the acknowledgement of its head.
        System.setProperty("sun.net.httpserver.nodelay", "true");
        InetSocketAddress address = new InetSocketAddress("127.0.0.1", Integer.parseInt(arguments[0]));
        HttpServer server = HttpServer.create(address, 4096);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            exchange.getResponseHeaders().set("Content-Type", "text/plain");
            exchange.sendResponseHeaders(200, BODY.length == 0 ? -1 : BODY.length);
            if (BODY.length > 0) exchange.getResponseBody().write(BODY);
            exchange.close();
        });
        server.start();
    }
}
