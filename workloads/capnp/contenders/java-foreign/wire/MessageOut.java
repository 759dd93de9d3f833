package wire;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A message that is built, in one segment: where that is too small it moves into a larger one, which is a copy, since
 * pointers in a message are relative. It is used again for the next message.
 */
public final class MessageOut {
    /** The address at which the message begins. */
    long base;

    private MemorySegment memory;
    private long room;
    private long used;

    public MessageOut() {
        hold(Arena.ofAuto().allocate(1 << 16, 8));
    }

    /** What has been built so far. */
    public MemorySegment memory() {
        return memory;
    }

    /** How many bytes of the memory are the message. */
    public long bytes() {
        return used;
    }

    /** Begins a new message and sets a builder to its root. */
    public <T extends StructBuilder> T root(T root) {
        memory.asSlice(0, used).fill((byte) 0);
        used = 0;
        root.build(this, allocate(1));
        return root;
    }

    /** Where as many words are that are all zero, and nobody else's. */
    long allocate(long words) {
        long at = used;
        used = at + 8 * words;
        if (used > room) {
            grow(at);
        }
        return at;
    }

    private void grow(long filled) {
        MemorySegment larger = Arena.ofAuto().allocate(2 * used, 8);
        MemorySegment.copy(memory, 0, larger, 0, filled);
        hold(larger);
    }

    private void hold(MemorySegment memory) {
        this.memory = memory;
        base = memory.address();
        room = memory.byteSize();
    }
}
