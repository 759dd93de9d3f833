package page;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

/** The JDK's own server, a virtual thread a request, in front of whatever makes the page. */
public final class Pages {
    private static final int BACKLOG = 4096;
    private static final int MAX_ROWS = 10_000;
    private static final int MAX_COLUMNS = 100;

    private Pages() {}

    /** A page whose length is known before it is written. */
    public interface Page {
        int length();

        void writeTo(OutputStream out) throws IOException;
    }

    /** Makes a page. */
    public interface Maker {
        Page make(int rows, int columns);
    }

    /** A number from 1 to a limit; 0: it is none. */
    private static int number(String text, int most) {
        boolean digits = text.length() < 10 && text.matches("[0-9]+");
        int value = digits ? Integer.parseInt(text) : 0;
        return value <= most ? value : 0;
    }

    private static Map<String, String> parameters(String query) {
        return Stream.ofNullable(query)
            .flatMap(text -> Stream.of(text.split("&")))
            .map(pair -> pair.split("=", 2))
            .collect(Collectors.toMap(pair -> pair[0], pair -> pair.length > 1 ? pair[1] : "", (first, last) -> last));
    }

    private static void send(HttpExchange exchange, int status, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.US_ASCII);
        exchange.getResponseHeaders().set("Content-Type", "text/plain");
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
    }

    private static void sendPage(HttpExchange exchange, Page page) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", "text/html; charset=utf-8");
        exchange.sendResponseHeaders(200, page.length());
        page.writeTo(exchange.getResponseBody());
    }

    private static void answer(HttpExchange exchange, Maker maker) throws IOException {
        try (exchange) {
            var asked = parameters(exchange.getRequestURI().getRawQuery());
            int rows = number(asked.getOrDefault("rows", ""), MAX_ROWS);
            int columns = number(asked.getOrDefault("columns", "50"), MAX_COLUMNS);
            if (!exchange.getRequestURI().getPath().equals("/")) {
                send(exchange, 404, "not found\n");
            } else if (rows == 0 || columns == 0) {
                send(exchange, 400, "rows=1 to 10000, columns=1 to 100\n");
            } else {
                sendPage(exchange, maker.make(rows, columns));
            }
        }
    }

    /** Serves pages on a port of loopback, until the process is ended. */
    public static void serve(int port, Maker maker) throws IOException {
        var address = new InetSocketAddress(InetAddress.getByName("127.0.0.1"), port);
        var server = HttpServer.create(address, BACKLOG);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", exchange -> answer(exchange, maker));
        server.start();
    }
}
