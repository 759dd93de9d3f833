import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import org.capnproto.BufferedInputStreamWrapper;
import org.capnproto.BufferedOutputStreamWrapper;
import org.capnproto.DecodeException;
import org.capnproto.MessageBuilder;
import org.capnproto.MessageReader;
import org.capnproto.StructReader;

/** The ways from a request to the answer to it: in place, through bytes, through pipes. */
final class Modes {
    private Modes() {}

    /** object: both messages are read where they were built. */
    static <Q, R extends StructReader, A, S extends StructReader> long inPlace(
            Exchange<Q, R, A, S> exchange, int input) {
        Q request = new MessageBuilder().initRoot(exchange.request());
        exchange.ask(input, request);
        A response = new MessageBuilder().initRoot(exchange.response());
        exchange.serve(exchange.request().asReader(request), response);
        return exchange.answer(exchange.response().asReader(response));
    }

    /** bytes, bytes-packed: both messages become bytes and are read from these. */
    static long inBytes(Exchange<?, ?, ?, ?> exchange, Framing framing, int input) throws IOException {
        return answer(exchange, framing, framing.bytes(ask(exchange, input)));
    }

    /** The answer to a request that somebody else may have written. */
    static long read(Exchange<?, ?, ?, ?> exchange, Framing framing, byte[] request) throws IOException {
        return answer(exchange, framing, ByteBuffer.wrap(request));
    }

    /** The request of one input, as bytes. */
    static byte[] request(Exchange<?, ?, ?, ?> exchange, Framing framing, int input) throws IOException {
        ByteBuffer bytes = framing.bytes(ask(exchange, input));
        byte[] copy = new byte[bytes.remaining()];
        bytes.get(copy);
        return copy;
    }

    private static long answer(Exchange<?, ?, ?, ?> exchange, Framing framing, ByteBuffer request) throws IOException {
        MessageBuilder response = serve(exchange, framing.read(request));
        return read(exchange, framing.read(framing.bytes(response)));
    }

    private static <Q, R extends StructReader> MessageBuilder ask(Exchange<Q, R, ?, ?> exchange, int input) {
        MessageBuilder request = new MessageBuilder();
        exchange.ask(input, request.initRoot(exchange.request()));
        return request;
    }

    private static <Q, R extends StructReader, A, S extends StructReader> MessageBuilder serve(
            Exchange<Q, R, A, S> exchange, MessageReader request) {
        MessageBuilder response = new MessageBuilder();
        exchange.serve(request.getRoot(exchange.request()), response.initRoot(exchange.response()));
        return response;
    }

    private static <A, S extends StructReader> long read(Exchange<?, ?, A, S> exchange, MessageReader response) {
        return exchange.answer(response.getRoot(exchange.response()));
    }

    /** pipe, pipe-packed, the client's side. */
    static final class Client {
        private final Framing framing;
        private final BufferedOutputStreamWrapper out;
        private final BufferedInputStreamWrapper in;

        Client(Framing framing, WritableByteChannel out, ReadableByteChannel in) {
            this.framing = framing;
            this.out = new BufferedOutputStreamWrapper(out);
            this.in = new BufferedInputStreamWrapper(in);
        }

        long exchange(Exchange<?, ?, ?, ?> exchange, int input) throws IOException {
            framing.send(out, ask(exchange, input));
            out.flush();
            return read(exchange, framing.receive(in).orElseThrow(() -> new EOFException("the server is gone")));
        }
    }

    /** pipe, pipe-packed, the server's side: until its input ends. */
    static void serve(
            Exchange<?, ?, ?, ?> exchange, Framing framing, ReadableByteChannel in, WritableByteChannel out)
            throws IOException {
        var requests = new BufferedInputStreamWrapper(in);
        var responses = new BufferedOutputStreamWrapper(out);
        for (MessageReader request = next(framing, requests); request != null; request = next(framing, requests)) {
            framing.send(responses, serve(exchange, request));
            responses.flush();
        }
    }

    /** The library's buffered stream throws at its end, so that the library's own search for an end finds none. */
    private static MessageReader next(Framing framing, BufferedInputStreamWrapper requests) throws IOException {
        try {
            return framing.receive(requests).orElse(null);
        } catch (DecodeException end) {
            if ("premature EOF".equals(end.getMessage())) {
                return null;
            }
            throw end;
        }
    }
}
