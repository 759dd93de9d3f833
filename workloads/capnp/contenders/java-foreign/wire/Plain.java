package wire;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/** A message as its words are, after a table of its segments. */
public final class Plain implements Framing {
    @Override
    public String name() {
        return "capnp";
    }

    @Override
    public void write(MessageOut message, Buffer to) {
        to.reserve(8 + message.bytes());
        // One segment, and its length in words.
        to.memory.set(Layouts.LONG, to.limit, message.bytes() / 8 << 32);
        MemorySegment.copy(message.memory(), 0, to.memory, to.limit + 8, message.bytes());
        to.limit += 8 + message.bytes();
    }

    @Override
    public void read(Buffer from, MessageIn message) throws IOException {
        from.need(8);
        long count = 1 + Integer.toUnsignedLong(from.memory.get(Layouts.INT, from.position));
        from.need(Math.min((4 + 4 * count + 7) / 8 * 8, 4096));
        long header = MessageIn.headerBytes(from.memory, from.position, from.limit);
        long body = MessageIn.bodyBytes(from.memory, from.position);
        from.need(header + body);
        message.framed(from.memory, from.position, from.position + header + body);
        from.position += header + body;
    }
}
