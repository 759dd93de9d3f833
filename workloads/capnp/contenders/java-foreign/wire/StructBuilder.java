package wire;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/** A struct that is built: a place in a message. A cursor, that is set to one struct after the other. */
public class StructBuilder {
    /** Texts of up to so many bytes are copied word by word, which is sooner done than a call. */
    private static final int SHORT = 128;

    MessageOut out;

    /** Where it lies, from the beginning of the message, which may move while it is built. */
    long data;
    private final int dataWords;
    private final int pointers;

    protected StructBuilder(int dataWords, int pointers) {
        this.dataWords = dataWords;
        this.pointers = pointers;
    }

    protected final void put8(int offset, int value) {
        Layouts.ALL.set(Layouts.BYTE, at(offset), (byte) value);
    }

    protected final void put16(int offset, int value) {
        Layouts.ALL.set(Layouts.SHORT, at(offset), (short) value);
    }

    protected final void put32(int offset, int value) {
        Layouts.ALL.set(Layouts.INT, at(offset), value);
    }

    protected final void put64(int offset, long value) {
        Layouts.ALL.set(Layouts.LONG, at(offset), value);
    }

    protected final void put(int offset, float value) {
        Layouts.ALL.set(Layouts.FLOAT, at(offset), value);
    }

    protected final void put(int offset, double value) {
        Layouts.ALL.set(Layouts.DOUBLE, at(offset), value);
    }

    protected final void putBit(int number, boolean value) {
        long at = at(number >>> 3);
        int mask = 1 << (number & 7);
        int old = Layouts.ALL.get(Layouts.BYTE, at);
        Layouts.ALL.set(Layouts.BYTE, at, (byte) (value ? old | mask : old & ~mask));
    }

    protected final <T extends StructBuilder> T struct(int index, T into) {
        into.build(out, pointer(index));
        return into;
    }

    protected final <T extends StructBuilder> StructListBuilder<T> list(
            int index, int size, StructListBuilder<T> into) {
        into.build(out, pointer(index), size);
        return into;
    }

    /** Writes a string as UTF-8: eight letters to a word where all are ASCII. */
    protected final void text(int index, String value) {
        int length = value.length();
        long at = bytes(index, length);
        for (int from = 0; from < length; from += 8) {
            long word = 0;
            int others = 0;
            for (int i = Math.min(from + 8, length) - 1; i >= from; i--) {
                char letter = value.charAt(i);
                others |= letter;
                word = word << 8 | letter;
            }
            if (others >= 0x80) {
                // It has more bytes than letters, for which there is no room here: so it is written elsewhere.
                byte[] all = value.getBytes(StandardCharsets.UTF_8);
                text(index, all, all.length);
                return;
            }
            Layouts.ALL.set(Layouts.LONG, out.base + at + from, word);
        }
    }

    protected final void text(int index, byte[] utf8, int length) {
        long at = bytes(index, length);
        MemorySegment.copy(utf8, 0, Layouts.ALL, Layouts.BYTE, out.base + at, length);
    }

    /** Copies a text from one message to another, bytes to bytes. */
    protected final void text(int index, Text value) {
        long at = bytes(index, value.size());
        // Only now: to make room may have moved the message.
        long to = out.base + at;
        // A text and its zero byte fill whole words in a message, so words can be copied. The last is cut to the text.
        int whole = value.size() & ~7;
        if (whole > SHORT) {
            MemorySegment.copy(Layouts.ALL, value.at, Layouts.ALL, to, whole);
        } else {
            for (int i = 0; i < whole; i += 8) {
                Layouts.ALL.set(Layouts.LONG, to + i, Layouts.ALL.get(Layouts.LONG, value.at + i));
            }
        }
        long rest = (1L << 8 * (value.size() - whole)) - 1;
        if (rest != 0) {
            long word = Layouts.ALL.get(Layouts.LONG, value.at + whole);
            Layouts.ALL.set(Layouts.LONG, to + whole, word & rest);
        }
    }

    /** Makes room for bytes and the zero byte that ends them. */
    private long bytes(int index, int length) {
        long pointer = pointer(index);
        long at = out.allocate((length >>> 3) + 1);
        point(pointer, at, Layouts.LIST, (long) (length + 1) << 3 | Layouts.BYTES);
        return at;
    }

    private long at(int offset) {
        return out.base + data + offset;
    }

    private long pointer(int index) {
        return data + 8L * (dataWords + index);
    }

    private void point(long from, long to, int what, long high) {
        Layouts.ALL.set(Layouts.LONG, out.base + from, high << 32 | to - from - 8 >> 1 & 0xffff_fffcL | what);
    }

    final void build(MessageOut out, long pointer) {
        into(out);
        data = out.allocate(dataWords + pointers);
        point(pointer, data, Layouts.STRUCT, shape());
    }

    /** Makes room for a list of such structs, and says where the first of them is. */
    final long buildList(MessageOut out, long pointer, int size) {
        into(out);
        long words = (long) size * (dataWords + pointers);
        long tag = out.allocate(1 + words);
        point(pointer, tag, Layouts.LIST, words << 3 | Layouts.COMPOSITE);
        Layouts.ALL.set(Layouts.LONG, out.base + tag, shape() << 32 | (long) size << 2);
        return tag + 8;
    }

    private void into(MessageOut out) {
        if (this.out != out) {
            this.out = out;
        }
    }

    final long bytesEach() {
        return 8L * (dataWords + pointers);
    }

    private long shape() {
        return (long) pointers << 16 | dataWords;
    }
}
