package wire;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/**
 * A message without most of its zero bytes: before each word a byte of tags, whose bits say which of the word's bytes
 * are not zero and follow. Words of zeros come in runs, and so do words that have no zero.
 *
 * <p>A word is taken apart and put together as a whole, by the processor's instructions for gathering and scattering
 * bits ({@code Long.compress}, {@code Long.expand}): no byte is looked at alone, none has a bound of its own checked.
 */
public final class Packed implements Framing {
    private static final long HIGHS = 0x8080_8080_8080_8080L;
    private static final long[] MASKS = masks();

    private final Buffer words = new Buffer();
    private long zeros;
    private long raws;

    @Override
    public String name() {
        return "capnp-packed";
    }

    @Override
    public void write(MessageOut message, Buffer to) {
        // A word becomes ten bytes at most, and the last is written as eight bytes whatever it needs.
        to.reserve(10 * (1 + message.bytes() / 8) + 8);
        words.clear();
        words.reserve(8);
        words.memory.set(Layouts.LONG, 0, message.bytes() / 8 << 32);
        long at = pack(words.memory, 0, 8, to.memory, to.limit);
        to.limit = pack(message.memory(), 0, message.bytes(), to.memory, at);
    }

    /** Packs words from one place to another, which has room for them; gives the end. */
    private static long pack(MemorySegment from, long place, long end, MemorySegment to, long at) {
        while (place < end) {
            long word = from.get(Layouts.LONG, place);
            place += 8;
            long mask = nonZero(word);
            to.set(Layouts.BYTE, at, (byte) tag(mask));
            to.set(Layouts.LONG, at + 1, Long.compress(word, mask));
            at += 1 + (Long.bitCount(mask) >>> 3);
            if (word == 0) {
                long run = place;
                long most = Math.min(end, place + 8 * 255);
                while (place < most && from.get(Layouts.LONG, place) == 0) {
                    place += 8;
                }
                to.set(Layouts.BYTE, at++, (byte) (place - run >>> 3));
            } else if (mask == -1) {
                long run = place;
                long most = Math.min(end, place + 8 * 255);
                while (place < most && nonZero(from.get(Layouts.LONG, place)) == -1) {
                    place += 8;
                }
                to.set(Layouts.BYTE, at++, (byte) (place - run >>> 3));
                MemorySegment.copy(from, run, to, at, place - run);
                at += place - run;
            }
        }
        return at;
    }

    /** Bytes of ones where the word's are not zero. */
    private static long nonZero(long word) {
        long highs = ((word & ~HIGHS) + ~HIGHS | word) & HIGHS;
        return (highs << 1) - (highs >>> 7);
    }

    /** The lowest bit of each byte, side by side. */
    private static long tag(long mask) {
        return (mask & 0x0101_0101_0101_0101L) * 0x0102_0408_1020_4080L >>> 56;
    }

    @Override
    public void read(Buffer from, MessageIn message) throws IOException {
        zeros = 0;
        raws = 0;
        words.clear();
        unpack(from, 1);
        long count = 1 + Integer.toUnsignedLong(words.memory.get(Layouts.INT, 0));
        unpack(from, Math.min((4 + 4 * count + 7) / 8, 512) - 1);
        MessageIn.headerBytes(words.memory, 0, words.limit);
        unpack(from, MessageIn.bodyBytes(words.memory, 0) / 8);
        if (zeros > 0 || raws > 0) {
            throw new Malformed("a run of words goes on beyond the message");
        }
        message.framed(words.memory, 0, words.limit);
    }

    private void unpack(Buffer from, long count) throws IOException {
        words.reserve(8 * count);
        long end = words.limit + 8 * count;
        while (words.limit < end) {
            if (zeros > 0) {
                long run = Math.min(8 * zeros, end - words.limit);
                words.memory.asSlice(words.limit, run).fill((byte) 0);
                words.limit += run;
                zeros -= run / 8;
            } else if (raws > 0) {
                long run = Math.min(8 * raws, end - words.limit);
                from.need(run);
                MemorySegment.copy(from.memory, from.position, words.memory, words.limit, run);
                from.position += run;
                words.limit += run;
                raws -= run / 8;
            } else if (from.limit - from.position < 10) {
                unpackLast(from);
            } else {
                unpackMany(from, end);
            }
        }
    }

    /** Word after word, as long as there is no run and ten bytes can be read, which is the most that one takes. */
    private void unpackMany(Buffer from, long end) {
        MemorySegment source = from.memory;
        MemorySegment target = words.memory;
        long position = from.position;
        long last = from.limit - 10;
        long at = words.limit;
        int tag = 1;
        while (position <= last && at < end && tag != 0 && tag != 0xff) {
            tag = Byte.toUnsignedInt(source.get(Layouts.BYTE, position));
            target.set(Layouts.LONG, at, Long.expand(source.get(Layouts.LONG, position + 1), MASKS[tag]));
            position += 1 + Integer.bitCount(tag);
            at += 8;
        }
        if (tag == 0) {
            zeros = Byte.toUnsignedInt(source.get(Layouts.BYTE, position++));
        } else if (tag == 0xff) {
            raws = Byte.toUnsignedInt(source.get(Layouts.BYTE, position++));
        }
        from.position = position;
        words.limit = at;
    }

    /** One word near the end of what there is: no byte is asked for that does not belong to it. */
    private void unpackLast(Buffer from) throws IOException {
        from.need(1);
        int tag = Byte.toUnsignedInt(from.memory.get(Layouts.BYTE, from.position));
        int bytes = Integer.bitCount(tag);
        boolean run = tag == 0 || tag == 0xff;
        from.need(1 + bytes + (run ? 1 : 0));
        long word = 0;
        for (int i = bytes; i > 0; i--) {
            word = word << 8 | Byte.toUnsignedLong(from.memory.get(Layouts.BYTE, from.position + i));
        }
        words.memory.set(Layouts.LONG, words.limit, Long.expand(word, MASKS[tag]));
        words.limit += 8;
        from.position += 1 + bytes;
        if (run) {
            int length = Byte.toUnsignedInt(from.memory.get(Layouts.BYTE, from.position++));
            zeros = tag == 0 ? length : 0;
            raws = tag == 0 ? 0 : length;
        }
    }

    private static long[] masks() {
        long[] masks = new long[256];
        for (int tag = 0; tag < 256; tag++) {
            masks[tag] = 0xff * Long.expand(tag, 0x0101_0101_0101_0101L);
        }
        return masks;
    }
}
