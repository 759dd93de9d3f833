import com.wizzardo.epoll.ByteBufferProvider;
import com.wizzardo.epoll.ByteBufferWrapper;
import com.wizzardo.epoll.readable.ReadableByteArray;
import com.wizzardo.epoll.readable.ReadableData;
import com.wizzardo.http.HttpConnection;
import com.wizzardo.http.request.Request;
import com.wizzardo.http.response.Response;

/**
 * A connection whose answers stay in order. In version 0.3 of the server, what its thread has just gathered overtakes
 * what is still queued for the connection: so pipelined answers came out mixed where the client read slowly or an answer
 * was larger than the thread's buffer. Where nothing is queued, this is the server's own way.
 */
final class OrderlyConnection extends HttpConnection<Server, Request, Response> {
    OrderlyConnection(int fd, int ip, int port, Server server) {
        super(fd, ip, port, server);
    }

    @Override
    public void flush(ByteBufferProvider provider) {
        ByteBufferWrapper gathered = provider.getBuffer();
        if (gathered.position() == 0 || !hasDataToWrite()) {
            super.flush(provider);
            return;
        }
        byte[] late = new byte[gathered.position()];
        gathered.flip();
        gathered.buffer().get(late);
        gathered.clear();
        send(new ReadableByteArray(late));
        write(provider);
    }

    @Override
    public void send(ReadableData data) {
        sending.add(data);
    }
}
