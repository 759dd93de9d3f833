// @SUMMARY@
// A virtual thread a connection. Answers are sent when no whole line is left to answer.
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
@IMPORTS@import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

public class Main {
    /** No line is longer; a connection that sends a longer one is closed. */
    static final int LONGEST = 65536;

@ANSWER@
    static void serve(Socket socket) {
        try (socket) {
            socket.setTcpNoDelay(true);
            InputStream in = socket.getInputStream();
            OutputStream out = socket.getOutputStream();
            byte[] buffer = new byte[LONGEST];
            int held = 0, got;
            boolean open = true;
            while (open && held < LONGEST && (got = in.read(buffer, held, LONGEST - held)) > 0) {
                ByteArrayOutputStream answers = new ByteArrayOutputStream();
                int start = 0, limit = held + got;
                for (int at = held; at < limit && open; at++) {
                    if (buffer[at] != '\n') continue;
                    String reply = answer(new String(buffer, start, at - start, StandardCharsets.ISO_8859_1));
                    start = at + 1;
                    open = reply != null;
                    if (open) answers.write((reply + "\n").getBytes(StandardCharsets.ISO_8859_1));
                }
                answers.writeTo(out);
                held = limit - start;
                System.arraycopy(buffer, start, buffer, 0, held);
            }
            // Closing with bytes unread would reset the connection and may take answers with it.
            socket.shutdownOutput();
            while (in.read(buffer) > 0) {}
        } catch (IOException gone) {
            // The client has left; there is nobody to tell.
        }
    }

    public static void main(String[] arguments) throws IOException {
        int port = Integer.parseInt(arguments[0]);
        try (ServerSocket listener = new ServerSocket(port, 4096, InetAddress.getByName("127.0.0.1"))) {
            while (true) {
                Socket socket = listener.accept();
                Thread.ofVirtual().start(() -> serve(socket));
            }
        }
    }
}
