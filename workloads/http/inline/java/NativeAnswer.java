import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;

/**
 * An answer that a foreign function wrote into native memory. Closed, it is used again by its thread: no array, and no
 * memory taken, per answer. One that is never closed, as when its connection broke, goes with the garbage.
 */
final class NativeAnswer extends Answer {
    private static final int ROOM = 4096;

    private final ArrayDeque<NativeAnswer> free;
    private MemorySegment memory;
    private ByteBuffer view;
    private boolean lent = true;

    private NativeAnswer(ArrayDeque<NativeAnswer> free) {
        this.free = free;
        grow(ROOM);
    }

    /** What writes an answer into memory: the bytes that it wrote or, if there was no room, their negated number. */
    interface Writer {
        int write(long address, int room);
    }

    /** The writer's answer, in memory of the pool, which is the calling thread's own. */
    static NativeAnswer of(ArrayDeque<NativeAnswer> free, Writer writer) {
        NativeAnswer answer = free.pollLast();
        if (answer == null) {
            answer = new NativeAnswer(free);
        }
        answer.lent = true;
        int count;
        while ((count = writer.write(answer.memory.address(), (int) answer.memory.byteSize())) < 0) {
            answer.grow(-count);
        }
        answer.begin(count);
        return answer;
    }

    private void grow(int room) {
        memory = Arena.ofAuto().allocate(room, 64);
        view = memory.asByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
    }

    @Override
    public void close() {
        if (lent) {
            lent = false;
            free.addLast(this);
        }
    }

    @Override
    protected void copy(int from, ByteBuffer to, int count) {
        to.put(to.position(), view, from, count);
        to.position(to.position() + count);
    }

    @Override
    byte byteAt(int index) {
        return view.get(index);
    }

    @Override
    int wordAt(int index) {
        return view.getInt(index);
    }
}
