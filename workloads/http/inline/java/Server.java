import com.wizzardo.epoll.IOThread;
import com.wizzardo.http.HttpIOThread;
import com.wizzardo.http.HttpServer;
import com.wizzardo.http.request.Header;
import com.wizzardo.http.request.Request;
import com.wizzardo.http.response.Response;
import com.wizzardo.http.response.Status;
import java.sql.SQLException;
import java.util.concurrent.ThreadLocalRandom;

/** The server of wizzardo-http and of all bridges: requests are handled on the threads that read them. */
final class Server extends HttpServer<OrderlyConnection> {
    /** More than any head here takes, in bytes. */
    private static final int HEAD = 512;

    private final Rows[] rows;

    /** With as many threads as there are ways to the rows, which are null where the case has none. */
    Server(int port, Rows[] rows) {
        // On loopback, unless other machines are to reach it.
        super(System.getenv().getOrDefault("HOST", "127.0.0.1"), port, 0);
        this.rows = rows;
        setIoThreadsCount(rows.length);
        setTTL(60 * 60 * 1000); // an hour, in milliseconds: else idle connections are closed after half a minute
        getUrlMapping()
                .append("/plaintext", (request, response) -> text(response, answers().plaintext()))
                .append("/json", (request, response) -> json(response, answers().json()))
                .append("/db", (request, response) -> row(response))
                .append("/letters", (request, response) -> letters(request, response));
    }

    private static Response row(Response response) {
        ReadingThread thread = (ReadingThread) Thread.currentThread();
        int id = ThreadLocalRandom.current().nextInt(1, Rows.COUNT + 1);
        try {
            return json(response, thread.answers.row(id, thread.rows.numberOf(id)));
        } catch (SQLException e) {
            e.printStackTrace();
            return response.setStatus(Status._500).setBody(e.toString());
        }
    }

    private static Response letters(Request<?, ?> request, Response response) {
        return text(response, answers().letters(0, Integer.parseInt(request.param("bytes"))));
    }

    private static Response text(Response response, Answer answer) {
        return response.setBody(answer).appendHeader(Header.KV_CONTENT_TYPE_TEXT_PLAIN);
    }

    private static Response json(Response response, Answer answer) {
        return response.setBody(answer).appendHeader(Header.KV_CONTENT_TYPE_APPLICATION_JSON);
    }

    private static Answers answers() {
        return ((ReadingThread) Thread.currentThread()).answers;
    }

    /**
     * Sees to it that there is room for a head in the thread's buffer, where answers are gathered. Version 0.3 puts
     * the parts of a head there one by one, and one that fits overtakes those before it that did not.
     */
    @Override
    protected void handle(OrderlyConnection connection) throws Exception {
        if (((ReadingThread) Thread.currentThread()).getBuffer().remaining() < HEAD) {
            connection.flush();
        }
        super.handle(connection);
    }

    @Override
    protected OrderlyConnection createConnection(int fd, int ip, int port) {
        return new OrderlyConnection(fd, ip, port, this);
    }

    @Override
    protected IOThread<OrderlyConnection> createIOThread(int number, int divider) {
        return new ReadingThread(number, divider);
    }

    /** A thread that reads requests and answers them, with what it does not share with others. */
    private final class ReadingThread extends HttpIOThread<OrderlyConnection> {
        private final Rows rows;
        private Answers answers;

        ReadingThread(int number, int divider) {
            super(Server.this, number, divider);
            rows = Server.this.rows[number];
        }

        @Override
        public void run() {
            answers = Bridge.answers();
            super.run();
        }
    }
}
