package wire;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;

/**
 * Bytes on their way: written at {@code limit}, read at {@code position}. Where a channel stands behind it, more is
 * read from there when it is needed and not before, since nobody may be about to send it.
 */
public final class Buffer {
    MemorySegment memory;
    long position;
    long limit;
    private ByteBuffer view;
    private final ReadableByteChannel source;

    public Buffer() {
        this(null);
    }

    public Buffer(ReadableByteChannel source) {
        this.source = source;
        hold(Arena.ofAuto().allocate(1 << 17, 8));
    }

    /** Forgets what is there. */
    public void clear() {
        position = 0;
        limit = 0;
    }

    public void put(byte[] bytes) {
        reserve(bytes.length);
        MemorySegment.copy(bytes, 0, memory, Layouts.BYTE, limit, bytes.length);
        limit += bytes.length;
    }

    public byte[] bytes() {
        return memory.asSlice(position, limit - position).toArray(Layouts.BYTE);
    }

    public void send(WritableByteChannel channel) throws IOException {
        view.limit((int) limit).position((int) position);
        while (view.hasRemaining()) {
            channel.write(view);
        }
    }

    /** Makes room for so many bytes at the limit. */
    void reserve(long bytes) {
        if (bytes > memory.byteSize() - limit) {
            MemorySegment larger = Arena.ofAuto().allocate(2 * (limit + bytes), 8);
            MemorySegment.copy(memory, 0, larger, 0, limit);
            hold(larger);
        }
    }

    /** Whether there is anything left to read, for which it waits if it must. */
    public boolean more() throws IOException {
        return position < limit || read();
    }

    /** Waits until so many bytes can be read at the position. */
    void need(long bytes) throws IOException {
        if (limit - position >= bytes) {
            return;
        }
        if (source != null) {
            MemorySegment.copy(memory, position, memory, 0, limit - position);
            limit -= position;
            position = 0;
            reserve(bytes - limit);
        }
        while (limit - position < bytes) {
            if (!read()) {
                throw new Malformed("the message ends too early");
            }
        }
    }

    private boolean read() throws IOException {
        if (source == null) {
            return false;
        }
        if (position == limit) {
            clear();
        }
        reserve(1);
        view.limit((int) memory.byteSize()).position((int) limit);
        int read = source.read(view);
        limit += Math.max(read, 0);
        return read > 0;
    }

    private void hold(MemorySegment memory) {
        this.memory = memory;
        view = memory.asByteBuffer();
    }
}
