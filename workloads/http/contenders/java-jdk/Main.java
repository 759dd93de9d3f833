import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.sql.SQLException;
import java.util.concurrent.Executors;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import secured.Secured;
import world.Ids;
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

    /** What a database is asked for. */
    private interface Question {
        Object ask() throws SQLException;
    }

    private static void db(HttpExchange exchange, Question question) throws IOException {
        try {
            sendJson(exchange, question.ask());
        } catch (SQLException failure) {
            throw new IOException(failure);
        }
    }

    private static void fortunes(HttpExchange exchange, World world) throws IOException {
        try {
            send(exchange, "text/html; charset=utf-8", world.fortunes());
        } catch (SQLException failure) {
            throw new IOException(failure);
        }
    }

    /** How many rows a request asks for, by a parameter of this name. */
    private static int count(HttpExchange exchange, String name) {
        String query = exchange.getRequestURI().getQuery();
        for (String pair : query == null ? new String[0] : query.split("&")) {
            if (pair.startsWith(name + "=")) {
                return Ids.count(pair.substring(name.length() + 1));
            }
        }
        return 1;
    }

    private static void route(HttpServer server, World world) {
        server.createContext("/db", exchange -> db(exchange, world::randomRow));
        server.createContext("/queries",
            exchange -> db(exchange, () -> world.randomRows(count(exchange, "queries"))));
        server.createContext("/cached-queries",
            exchange -> db(exchange, () -> world.cachedRows(count(exchange, "count"))));
        server.createContext("/updates",
            exchange -> db(exchange, () -> world.updatedRows(count(exchange, "queries"))));
        server.createContext("/fortunes", exchange -> fortunes(exchange, world));
    }

    /** args: the port, the scheme, and over TLS the files of the certificate and its key. */
    private static HttpServer create(String[] args) throws IOException, GeneralSecurityException {
        // On loopback, unless other machines are to reach it.
        var host = InetAddress.getByName(System.getenv().getOrDefault("HOST", "127.0.0.1"));
        var address = new InetSocketAddress(host, Integer.parseInt(args[0]));
        if (!args[1].equals("https")) {
            return HttpServer.create(address, BACKLOG);
        }
        var server = HttpsServer.create(address, BACKLOG);
        server.setHttpsConfigurator(new HttpsConfigurator(Secured.context(args[2], args[3])));
        return server;
    }

    public static void main(String[] args) throws IOException, SQLException, GeneralSecurityException {
        World world = Worlds.open();
        var server = create(args);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/plaintext", Main::plaintext);
        server.createContext("/json", Main::json);
        if (world != null) {
            route(server, world);
        }
        server.start();
    }
}
