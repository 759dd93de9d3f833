import java.nio.ByteBuffer;
import org.capnproto.BufferedInputStream;
import org.capnproto.DecodeException;

/** Bytes to unpack. The library's own ArrayInputStream gives nothing at its end, again and again, for ever. */
final class Bytes implements BufferedInputStream {
    private final ByteBuffer bytes;

    Bytes(ByteBuffer bytes) {
        this.bytes = bytes;
    }

    @Override
    public ByteBuffer getReadBuffer() {
        if (!bytes.hasRemaining()) {
            throw new DecodeException("the packed message ends too early");
        }
        return bytes;
    }

    @Override
    public int read(ByteBuffer to) {
        ByteBuffer from = getReadBuffer();
        int length = Math.min(from.remaining(), to.remaining());
        to.put(from.slice().limit(length));
        from.position(from.position() + length);
        return length;
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public void close() {}
}
