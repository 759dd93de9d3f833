import java.io.IOException;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import wire.Buffer;
import wire.Framing;
import wire.MessageIn;
import wire.MessageOut;

/** The ways from a request to the answer to it: in place, through bytes, through pipes. */
final class Modes {
    private final Exchange exchange;
    private final Framing framing;
    private final MessageOut request = new MessageOut();
    private final MessageOut response = new MessageOut();
    private final MessageIn reader = new MessageIn();
    private final Buffer bytes = new Buffer();

    Modes(Exchange exchange, Framing framing) {
        this.exchange = exchange;
        this.framing = framing;
    }

    /** object: both messages are read where they were built. */
    long inPlace(int input) {
        exchange.ask(input, request);
        reader.over(request.memory(), 0, request.bytes());
        exchange.serve(reader, response);
        reader.over(response.memory(), 0, response.bytes());
        return exchange.answer(reader);
    }

    /** bytes, bytes-packed: both messages become bytes and are read from these. */
    long inBytes(int input) throws IOException {
        exchange.ask(input, request);
        bytes.clear();
        framing.write(request, bytes);
        return answer();
    }

    /** The answer to the request whose bytes are there. */
    private long answer() throws IOException {
        framing.read(bytes, reader);
        exchange.serve(reader, response);
        bytes.clear();
        framing.write(response, bytes);
        framing.read(bytes, reader);
        return exchange.answer(reader);
    }

    /** The answer to a request that somebody else may have written. */
    long read(byte[] request) throws IOException {
        bytes.clear();
        bytes.put(request);
        return answer();
    }

    /** The request of one input, as bytes. */
    byte[] request(int input) {
        exchange.ask(input, request);
        bytes.clear();
        framing.write(request, bytes);
        return bytes.bytes();
    }

    /** pipe, pipe-packed, the client's side. */
    final class Client {
        private final WritableByteChannel out;
        private final Buffer in;

        Client(WritableByteChannel out, ReadableByteChannel in) {
            this.out = out;
            this.in = new Buffer(in);
        }

        long exchange(int input) throws IOException {
            exchange.ask(input, request);
            send(request, out);
            framing.read(in, reader);
            return exchange.answer(reader);
        }
    }

    /** pipe, pipe-packed, the server's side: until its input ends. */
    void serve(ReadableByteChannel in, WritableByteChannel out) throws IOException {
        Buffer requests = new Buffer(in);
        while (requests.more()) {
            framing.read(requests, reader);
            exchange.serve(reader, response);
            send(response, out);
        }
    }

    private void send(MessageOut message, WritableByteChannel out) throws IOException {
        bytes.clear();
        framing.write(message, bytes);
        bytes.send(out);
    }
}
