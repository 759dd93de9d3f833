package wire;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** Memory, and how numbers lie in a message: little endian, and wherever the message happens to begin. */
final class Layouts {
    /**
     * All of memory, by address: its bounds and its lifetime are constants to the compiler, so that an access is one
     * instruction. Who uses it has checked the place before: a reader when it followed the pointer that leads there, a
     * builder when it made room. What is read and built lies in pieces that are kept until they are replaced.
     */
    static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
    static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfDouble DOUBLE = ValueLayout.JAVA_DOUBLE_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /** The two lowest bits of a pointer say what it points to. */
    static final int STRUCT = 0;
    static final int LIST = 1;
    static final int FAR = 2;

    /** What a list's elements are, from its pointer. */
    static final int BITS = 1;
    static final int BYTES = 2;
    static final int POINTERS = 6;
    static final int COMPOSITE = 7;

    private Layouts() {}
}
