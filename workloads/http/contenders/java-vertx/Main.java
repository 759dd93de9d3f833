import java.sql.SQLException;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;

import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.ServerWebSocket;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.PemKeyCertOptions;
import world.Ids;
import world.Row;

/** FrameworkBenchmarks' tests on Vert.x: an event loop a core, each with a server and a database connection. */
public final class Main extends VerticleBase {
    private static final int BACKLOG = 4096;
    private static final CharSequence SERVER = HttpHeaders.createOptimized("vert.x");
    private static final CharSequence TEXT = HttpHeaders.createOptimized("text/plain");
    private static final CharSequence HTML = HttpHeaders.createOptimized("text/html; charset=utf-8");
    private static final CharSequence JSON = HttpHeaders.createOptimized("application/json");

    private final int port;
    private final HttpServerOptions options;
    private final boolean echoes;
    private CharSequence date;
    private Rows rows;

    /** args: the port, the scheme, and over TLS the files of the certificate and its key. */
    private Main(String[] args) {
        port = Integer.parseInt(args[0]);
        echoes = args[1].equals("ws");
        options = new HttpServerOptions().setAcceptBacklog(BACKLOG);
        if (!args[2].isEmpty()) {
            var certificate = new PemKeyCertOptions().setCertPath(args[2]).setKeyPath(args[3]);
            options.setSsl(true).setUseAlpn(true).setKeyCertOptions(certificate);
        }
    }

    @Override
    public Future<?> start() throws SQLException {
        // On loopback, unless other machines are to reach it.
        String host = System.getenv().getOrDefault("HOST", "127.0.0.1");
        refreshDate();
        vertx.setPeriodic(1000, timer -> refreshDate());
        return Rows.open(vertx)
            .onSuccess(opened -> rows = opened)
            .compose(opened -> server().listen(port, host));
    }

    private HttpServer server() {
        var server = vertx.createHttpServer(options).requestHandler(this::handle);
        return echoes ? server.webSocketHandler(Main::echo) : server;
    }

    /** Sends back what comes. Pings are answered by Vert.x. */
    private static void echo(ServerWebSocket socket) {
        if (socket.path().equals("/ws")) {
            socket.textMessageHandler(socket::writeTextMessage).binaryMessageHandler(socket::writeBinaryMessage);
        } else {
            socket.close();
        }
    }

    private void refreshDate() {
        date = HttpHeaders.createOptimized(DateTimeFormatter.RFC_1123_DATE_TIME.format(ZonedDateTime.now(ZoneOffset.UTC)));
    }

    private void handle(HttpServerRequest request) {
        switch (request.path()) {
            case "/plaintext" -> send(request, TEXT, Buffer.buffer("Hello, World!"));
            case "/json" -> send(request, JSON, new JsonObject().put("message", "Hello, World!").toBuffer());
            default -> ofDatabase(request);
        }
    }

    private void ofDatabase(HttpServerRequest request) {
        switch (rows == null ? "" : request.path()) {
            case "/db" -> answer(request, JSON, rows.random().map(row -> object(row).toBuffer()));
            case "/queries" -> answer(request, JSON, rows.random(count(request, "queries")).map(Main::list));
            case "/cached-queries" -> answer(request, JSON, rows.cached(count(request, "count")).map(Main::list));
            case "/updates" -> answer(request, JSON, rows.updated(count(request, "queries")).map(Main::list));
            case "/fortunes" -> answer(request, HTML, rows.fortunes().map(Buffer::buffer));
            default -> missing(request);
        }
    }

    private void answer(HttpServerRequest request, CharSequence type, Future<Buffer> body) {
        body.onSuccess(made -> send(request, type, made))
            .onFailure(failure -> request.response().setStatusCode(500).end(failure.toString()));
    }

    /** How many rows a request asks for, by a parameter of this name. */
    private static int count(HttpServerRequest request, String name) {
        return Ids.count(request.getParam(name));
    }

    private static JsonObject object(Row row) {
        return new JsonObject().put("id", row.id()).put("randomNumber", row.randomNumber());
    }

    private static Buffer list(Row[] rows) {
        var list = new JsonArray();
        for (Row row : rows) {
            list.add(object(row));
        }
        return list.toBuffer();
    }

    private void missing(HttpServerRequest request) {
        request.response().setStatusCode(404).end();
    }

    private void send(HttpServerRequest request, CharSequence type, Buffer body) {
        var response = request.response();
        response.headers()
            .add(HttpHeaders.SERVER, SERVER)
            .add(HttpHeaders.DATE, date)
            .add(HttpHeaders.CONTENT_TYPE, type);
        response.end(body);
    }

    private static void fail(Throwable failure) {
        failure.printStackTrace();
        System.exit(1);
    }

    public static void main(String[] args) {
        int cores = Runtime.getRuntime().availableProcessors();
        var options = new VertxOptions().setEventLoopPoolSize(cores).setPreferNativeTransport(true);
        Vertx.vertx(options)
            .deployVerticle(() -> new Main(args), new DeploymentOptions().setInstances(cores))
            .onFailure(Main::fail);
    }
}
