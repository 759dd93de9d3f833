import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

/** Doubles integers, one a line: a virtual thread a connection, blocking code. */
public final class Main {
    private static final int MAX_LINE = 64 * 1024;
    private static final int BACKLOG = 4096;
    private static final byte[] REFUSAL = "not an integer".getBytes(ISO_8859_1);
    private static final byte[] END = "end".getBytes(ISO_8859_1);
    /** Any number of so many digits, doubled, fits a long: 2 * (10^18 - 1) < 2^63. */
    private static final int LONG_DIGITS = 18;

    private final InputStream in;
    private final OutputStream out;
    private byte[] buffer = new byte[4096];
    private int start;
    private int end;

    private Main(Socket socket) throws IOException {
        in = socket.getInputStream();
        out = new BufferedOutputStream(socket.getOutputStream(), 4096);
    }

    /** Answers line by line; what is pending is sent only when there is no whole line left to answer. */
    private void converse() throws IOException {
        do {
            if (!answerWholeLines()) {
                break;
            }
            out.flush();
        } while (end - start <= MAX_LINE && fill());
        out.flush();
    }

    /** False: the line was `end`. */
    private boolean answerWholeLines() throws IOException {
        for (int i = start; i < end; i++) {
            if (buffer[i] != '\n') {
                continue;
            }
            int lineEnd = i > start && buffer[i - 1] == '\r' ? i - 1 : i;
            if (Arrays.equals(buffer, start, lineEnd, END, 0, END.length)) {
                return false;
            }
            answer(start, lineEnd);
            start = i + 1;
        }
        return true;
    }

    /** Reads what is there; the unfinished line moves to the front, and the buffer grows with it. False: no more. */
    private boolean fill() throws IOException {
        System.arraycopy(buffer, start, buffer, 0, end - start);
        end -= start;
        start = 0;
        if (end == buffer.length) {
            buffer = Arrays.copyOf(buffer, buffer.length * 2);
        }
        int got = in.read(buffer, end, buffer.length - end);
        end += Math.max(got, 0);
        return got > 0;
    }

    private void answer(int from, int to) throws IOException {
        int digits = from < to && buffer[from] == '-' ? from + 1 : from;
        if (!isDigits(digits, to)) {
            out.write(REFUSAL);
        } else {
            out.write(doubled(from, digits, to).getBytes(ISO_8859_1));
        }
        out.write('\n');
    }

    private boolean isDigits(int from, int to) {
        for (int i = from; i < to; i++) {
            if (buffer[i] < '0' || buffer[i] > '9') {
                return false;
            }
        }
        return from < to;
    }

    private String doubled(int from, int digits, int to) {
        if (to - digits > LONG_DIGITS) {
            return new BigInteger(new String(buffer, from, to - from, ISO_8859_1)).shiftLeft(1).toString();
        }
        long number = 0;
        for (int i = digits; i < to; i++) {
            number = number * 10 + (buffer[i] - '0');
        }
        return Long.toString(digits > from ? -2 * number : 2 * number);
    }

    private static void serve(Socket socket) {
        try (socket) {
            socket.setTcpNoDelay(true);
            new Main(socket).converse();
        } catch (IOException broken) {
            // A connection that breaks concerns nobody but its peer.
        }
    }

    public static void main(String[] args) throws IOException {
        // On loopback, unless other machines are to reach it.
        InetAddress host = InetAddress.getByName(System.getenv().getOrDefault("HOST", "127.0.0.1"));
        try (var listener = new ServerSocket(Integer.parseInt(args[0]), BACKLOG, host)) {
            while (true) {
                Socket socket = listener.accept();
                Thread.startVirtualThread(() -> serve(socket));
            }
        }
    }
}
