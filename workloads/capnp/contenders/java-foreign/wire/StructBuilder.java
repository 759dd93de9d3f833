package wire;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/** A struct that is built: a place in a message. A cursor, that is set to one struct after the other. */
public class StructBuilder {
    MessageOut out;
    long data;
    private final int dataWords;
    private final int pointers;

    protected StructBuilder(int dataWords, int pointers) {
        this.dataWords = dataWords;
        this.pointers = pointers;
    }

    protected final void put8(int offset, int value) {
        out.memory.set(Layouts.BYTE, data + offset, (byte) value);
    }

    protected final void put16(int offset, int value) {
        out.memory.set(Layouts.SHORT, data + offset, (short) value);
    }

    protected final void put32(int offset, int value) {
        out.memory.set(Layouts.INT, data + offset, value);
    }

    protected final void put64(int offset, long value) {
        out.memory.set(Layouts.LONG, data + offset, value);
    }

    protected final void put(int offset, float value) {
        out.memory.set(Layouts.FLOAT, data + offset, value);
    }

    protected final void put(int offset, double value) {
        out.memory.set(Layouts.DOUBLE, data + offset, value);
    }

    protected final void putBit(int number, boolean value) {
        MemorySegment memory = out.memory;
        long at = data + (number >>> 3);
        int mask = 1 << (number & 7);
        int old = memory.get(Layouts.BYTE, at);
        memory.set(Layouts.BYTE, at, (byte) (value ? old | mask : old & ~mask));
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
            out.memory.set(Layouts.LONG, at + from, word);
        }
    }

    protected final void text(int index, byte[] utf8, int length) {
        long at = bytes(index, length);
        MemorySegment.copy(utf8, 0, out.memory, Layouts.BYTE, at, length);
    }

    /** Copies a text from one message to another, bytes to bytes. */
    protected final void text(int index, Text value) {
        long at = bytes(index, value.size());
        if (value.size() > 0) {
            MemorySegment.copy(value.memory, value.at, out.memory, at, value.size());
        }
    }

    /** Makes room for bytes and the zero byte that ends them. */
    private long bytes(int index, int length) {
        long pointer = pointer(index);
        long at = out.allocate((length >>> 3) + 1);
        point(pointer, at, Layouts.LIST, (long) (length + 1) << 3 | Layouts.BYTES);
        return at;
    }

    private long pointer(int index) {
        return data + 8L * (dataWords + index);
    }

    private void point(long from, long to, int what, long high) {
        out.memory.set(Layouts.LONG, from, high << 32 | to - from - 8 >> 1 & 0xffff_fffcL | what);
    }

    final void build(MessageOut out, long pointer) {
        this.out = out;
        data = out.allocate(dataWords + pointers);
        point(pointer, data, Layouts.STRUCT, shape());
    }

    /** Makes room for a list of such structs, and says where the first of them is. */
    final long buildList(MessageOut out, long pointer, int size) {
        this.out = out;
        long words = (long) size * (dataWords + pointers);
        long tag = out.allocate(1 + words);
        point(pointer, tag, Layouts.LIST, words << 3 | Layouts.COMPOSITE);
        out.memory.set(Layouts.LONG, tag, shape() << 32 | (long) size << 2);
        return tag + 8;
    }

    final long bytesEach() {
        return 8L * (dataWords + pointers);
    }

    private long shape() {
        return (long) pointers << 16 | dataWords;
    }
}
