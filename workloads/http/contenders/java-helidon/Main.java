import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.sql.SQLException;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.helidon.common.tls.Tls;
import io.helidon.http.Header;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.WebServerConfig;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import secured.Secured;
import world.Ids;
import world.World;
import world.Worlds;

/** FrameworkBenchmarks' tests on Helidon SE: a virtual thread a connection, blocking code. */
public final class Main {
    private static final int BACKLOG = 4096;
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Header HTML =
        HeaderValues.createCached(HeaderNames.CONTENT_TYPE, "text/html; charset=utf-8");
    private static final Header SERVER = HeaderValues.createCached(HeaderNames.SERVER, "helidon");

    private record Message(String message) {}

    /** Helidon adds Date. */
    private static void send(ServerResponse response, Header type, byte[] body) {
        response.header(SERVER).header(type).send(body);
    }

    private static void sendJson(ServerResponse response, Object value) {
        try {
            send(response, HeaderValues.CONTENT_TYPE_JSON, JSON.writeValueAsBytes(value));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static void plaintext(ServerRequest request, ServerResponse response) {
        byte[] body = "Hello, World!".getBytes(StandardCharsets.US_ASCII);
        send(response, HeaderValues.CONTENT_TYPE_TEXT_PLAIN, body);
    }

    private static void json(ServerRequest request, ServerResponse response) {
        sendJson(response, new Message("Hello, World!"));
    }

    /** How many rows a request asks for, by a parameter of this name. */
    private static int count(ServerRequest request, String name) {
        return Ids.count(request.query().first(name).orElse(""));
    }

    private static void route(HttpRouting.Builder routing, World world) {
        routing.get("/plaintext", Main::plaintext).get("/json", Main::json);
        if (world != null) {
            routing.get("/db", (request, response) -> sendJson(response, world.randomRow()))
                .get("/queries",
                    (request, response) -> sendJson(response, world.randomRows(count(request, "queries"))))
                .get("/cached-queries",
                    (request, response) -> sendJson(response, world.cachedRows(count(request, "count"))))
                .get("/updates",
                    (request, response) -> sendJson(response, world.updatedRows(count(request, "queries"))))
                .get("/fortunes", (request, response) -> send(response, HTML, world.fortunes()));
        }
    }

    /**
     * HTTP/2 is there as well as HTTP/1.1: over TLS the client chooses by ALPN, in clear by how it begins.
     *
     * args: the port, the scheme, and over TLS the files of the certificate and its key.
     */
    public static void main(String[] args) throws SQLException, GeneralSecurityException, IOException {
        World world = Worlds.open();
        WebServerConfig.Builder server = WebServer.builder()
            // On loopback, unless other machines are to reach it.
            .host(System.getenv().getOrDefault("HOST", "127.0.0.1"))
            .port(Integer.parseInt(args[0]))
            .backlog(BACKLOG)
            .connectionOptions(options -> options.tcpNoDelay(true))
            .routing(routing -> route(routing, world));
        if (!args[2].isEmpty()) {
            server.tls(Tls.builder().sslContext(Secured.context(args[2], args[3])).build());
        }
        server.build().start();
    }
}
