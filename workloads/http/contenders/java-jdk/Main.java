import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.concurrent.Executors;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import world.World;
import world.Worlds;

/** FrameworkBenchmarks' tests on the JDK's own server: a virtual thread a request, blocking code. */
public final class Main {
    private static final int BACKLOG = 4096;
    private static final ObjectMapper JSON = new ObjectMapper();

    private record Message(String message) {}

    /** The server adds Date. */
    private static void send(HttpExchange exchange, String type, byte[] body) throws IOException {
        var headers = exchange.getResponseHeaders();
        headers.set("Server", "jdk.httpserver");
        headers.set("Content-Type", type);
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private static void sendJson(HttpExchange exchange, Object value) throws IOException {
        send(exchange, "application/json", JSON.writeValueAsBytes(value));
    }

    private static void plaintext(HttpExchange exchange) throws IOException {
        send(exchange, "text/plain", "Hello, World!".getBytes(StandardCharsets.US_ASCII));
    }

    private static void json(HttpExchange exchange) throws IOException {
        sendJson(exchange, new Message("Hello, World!"));
    }

    private static void db(HttpExchange exchange, World world) throws IOException {
        try {
            sendJson(exchange, world.randomRow());
        } catch (SQLException failure) {
            throw new IOException(failure);
        }
    }

    public static void main(String[] args) throws IOException, SQLException {
        World world = Worlds.open();
        var loopback = InetAddress.getByName("127.0.0.1");
        var server = HttpServer.create(new InetSocketAddress(loopback, Integer.parseInt(args[0])), BACKLOG);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/plaintext", Main::plaintext);
        server.createContext("/json", Main::json);
        if (world != null) {
            server.createContext("/db", exchange -> db(exchange, world));
        }
        server.start();
    }
}
