import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.capnproto.ArrayOutputStream;
import org.capnproto.BufferedInputStream;
import org.capnproto.BufferedOutputStream;
import org.capnproto.MessageBuilder;
import org.capnproto.MessageReader;
import org.capnproto.Serialize;
import org.capnproto.SerializePacked;

/** The two ways in which a message becomes bytes, and comes back. */
interface Framing {
    /** What the check knows it as. */
    String name();

    ByteBuffer bytes(MessageBuilder message) throws IOException;

    MessageReader read(ByteBuffer bytes) throws IOException;

    void send(BufferedOutputStream stream, MessageBuilder message) throws IOException;

    /** Waits for a message; none at the stream's end. */
    Optional<MessageReader> receive(BufferedInputStream stream) throws IOException;

    /** Words as they are. */
    final class Plain implements Framing {
        @Override
        public String name() {
            return "capnp";
        }

        @Override
        public ByteBuffer bytes(MessageBuilder message) throws IOException {
            int size = 8 * Math.toIntExact(Serialize.computeSerializedSizeInWords(message));
            var out = new ArrayOutputStream(ByteBuffer.allocate(size));
            Serialize.write(out, message);
            return out.buf.flip();
        }

        @Override
        public MessageReader read(ByteBuffer bytes) throws IOException {
            return Serialize.read(bytes);
        }

        @Override
        public void send(BufferedOutputStream stream, MessageBuilder message) throws IOException {
            Serialize.write(stream, message);
        }

        @Override
        public Optional<MessageReader> receive(BufferedInputStream stream) throws IOException {
            return Serialize.tryRead(stream);
        }
    }

    /** Words without most of their zero bytes. */
    final class Packed implements Framing {
        @Override
        public String name() {
            return "capnp-packed";
        }

        @Override
        public ByteBuffer bytes(MessageBuilder message) throws IOException {
            // A word becomes ten bytes at most: its tag, its bytes, and a count of words that follow as they are.
            int most = 10 * Math.toIntExact(Serialize.computeSerializedSizeInWords(message));
            var out = new ArrayOutputStream(ByteBuffer.allocate(most));
            SerializePacked.write(out, message);
            return out.buf.flip();
        }

        @Override
        public MessageReader read(ByteBuffer bytes) throws IOException {
            return SerializePacked.read(new Bytes(bytes));
        }

        @Override
        public void send(BufferedOutputStream stream, MessageBuilder message) throws IOException {
            SerializePacked.write(stream, message);
        }

        @Override
        public Optional<MessageReader> receive(BufferedInputStream stream) throws IOException {
            return SerializePacked.tryRead(stream);
        }
    }
}
