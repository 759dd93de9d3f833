package wire;

/**
 * A struct that is read: a place in a message. A cursor, that is set to one struct after the other. What the message
 * does not have, as it was written by an older schema, is 0.
 */
public class StructReader {
    MessageIn in;
    int segment;
    long data;
    int dataBytes;
    int pointers;
    int depth;

    protected final int u8(int offset) {
        return offset < dataBytes ? Byte.toUnsignedInt(Layouts.ALL.get(Layouts.BYTE, data + offset)) : 0;
    }

    protected final int u16(int offset) {
        return offset + 2 <= dataBytes ? Short.toUnsignedInt(Layouts.ALL.get(Layouts.SHORT, data + offset)) : 0;
    }

    protected final int i32(int offset) {
        return offset + 4 <= dataBytes ? Layouts.ALL.get(Layouts.INT, data + offset) : 0;
    }

    protected final long u32(int offset) {
        return Integer.toUnsignedLong(i32(offset));
    }

    protected final long i64(int offset) {
        return offset + 8 <= dataBytes ? Layouts.ALL.get(Layouts.LONG, data + offset) : 0;
    }

    protected final float f32(int offset) {
        return offset + 4 <= dataBytes ? Layouts.ALL.get(Layouts.FLOAT, data + offset) : 0;
    }

    protected final double f64(int offset) {
        return offset + 8 <= dataBytes ? Layouts.ALL.get(Layouts.DOUBLE, data + offset) : 0;
    }

    protected final boolean bit(int number) {
        return (u8(number >>> 3) >>> (number & 7) & 1) != 0;
    }

    protected final <T extends StructReader> T struct(int index, T into) {
        if (index < pointers) {
            into.follow(in, segment, pointer(index), depth);
        } else {
            into.empty();
        }
        return into;
    }

    protected final <T extends StructReader> StructList<T> list(int index, StructList<T> into) {
        if (index < pointers) {
            into.follow(in, segment, pointer(index), depth);
        } else {
            into.empty();
        }
        return into;
    }

    protected final Text text(int index, Text into) {
        if (index < pointers) {
            into.follow(in, segment, pointer(index));
        } else {
            into.empty();
        }
        return into;
    }

    private long pointer(int index) {
        return data + dataBytes + 8L * index;
    }

    /** Says which message it reads; a reader mostly stays with one, and to say it again has a price for the collector. */
    final void over(MessageIn in) {
        if (this.in != in) {
            this.in = in;
        }
    }

    final void empty() {
        dataBytes = 0;
        pointers = 0;
    }

    final void follow(MessageIn in, int from, long position, int depth) {
        if (!in.resolve(from, position)) {
            empty();
            return;
        }
        long word = in.word;
        if ((word & 3) != Layouts.STRUCT) {
            throw new Malformed("a struct was expected");
        }
        if (depth <= 0) {
            throw new Malformed("the message is nested too deep");
        }
        int dataWords = (int) (word >>> 32) & 0xffff;
        int pointers = (int) (word >>> 48);
        in.within(in.segment, in.target, 8L * (dataWords + pointers));
        in.charge(dataWords + pointers);
        over(in);
        this.depth = depth - 1;
        segment = in.segment;
        data = in.target;
        dataBytes = 8 * dataWords;
        this.pointers = pointers;
    }
}
