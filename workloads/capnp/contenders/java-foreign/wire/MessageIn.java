package wire;

import java.lang.foreign.MemorySegment;

/**
 * A message that is read: its segments, which all lie in one piece of memory, and what may still be read of it. It is
 * used again for the next message.
 *
 * <p>Every pointer is followed once and checked then: that it leads into a segment, and that what it leads to ends in
 * there. What a list or struct then reads is within these bounds.
 */
public final class MessageIn {
    /** As the other libraries have it: words that may be read of a message, and how deep its structs may nest. */
    static final long MOST_WORDS = 8 << 20;
    static final int DEEPEST = 64;

    private static final int MOST_SEGMENTS = 512;

    /** Holds on to the memory that is read by its addresses. */
    private MemorySegment kept;

    /** Where the pointer that was resolved last leads: segment, position, and the word that says what is there. */
    int segment;
    long target;
    long word;

    private int segments;
    private long[] starts = new long[1];
    private long[] ends = new long[1];
    private long budget;

    /** Reads a message that is one bare segment of memory. */
    public void over(MemorySegment memory, long start, long end) {
        open(memory);
        add(memory.address() + start, memory.address() + end);
    }

    /** Reads a framed message that begins at {@code start} and ends at {@code limit} at the latest. */
    public void framed(MemorySegment memory, long start, long limit) {
        open(memory);
        long at = memory.address() + start + headerBytes(memory, start, limit);
        long last = memory.address() + limit;
        int count = (int) (1 + Integer.toUnsignedLong(memory.get(Layouts.INT, start)));
        for (int i = 0; i < count; i++) {
            long end = at + 8 * Integer.toUnsignedLong(memory.get(Layouts.INT, start + 4 + 4L * i));
            if (end > last) {
                throw new Malformed("the message ends before its segments do");
            }
            add(at, end);
            at = end;
        }
    }

    /** How long the table of segments is that begins at {@code start}. */
    static long headerBytes(MemorySegment memory, long start, long limit) {
        if (limit - start < 8) {
            throw new Malformed("the message ends before its table of segments does");
        }
        long count = 1 + Integer.toUnsignedLong(memory.get(Layouts.INT, start));
        if (count > MOST_SEGMENTS) {
            throw new Malformed(count + " segments are too many");
        }
        long bytes = (4 + 4 * count + 7) / 8 * 8;
        if (limit - start < bytes) {
            throw new Malformed("the message ends before its table of segments does");
        }
        return bytes;
    }

    /** How long all segments are together, by the table that begins at {@code start} and is whole. */
    static long bodyBytes(MemorySegment memory, long start) {
        int count = 1 + memory.get(Layouts.INT, start);
        long words = 0;
        for (int i = 0; i < count; i++) {
            words += Integer.toUnsignedLong(memory.get(Layouts.INT, start + 4 + 4L * i));
        }
        if (words > MOST_WORDS) {
            throw new Malformed("a message of " + words + " words is too large");
        }
        return 8 * words;
    }

    /** Sets a reader to the message's root. */
    public <T extends StructReader> T root(T into) {
        if (ends[0] - starts[0] < 8) {
            throw new Malformed("the message has no root");
        }
        into.follow(this, 0, starts[0], DEEPEST);
        return into;
    }

    /** Follows the pointer at a position, over other segments where it says so; false where it is null. */
    boolean resolve(int from, long position) {
        long pointer = Layouts.ALL.get(Layouts.LONG, position);
        word = pointer;
        segment = from;
        if ((pointer & 3) == Layouts.FAR) {
            far(pointer);
        } else {
            target = position + 8 + 8 * (long) ((int) pointer >> 2);
        }
        return pointer != 0;
    }

    private void far(long pointer) {
        boolean twice = (pointer & 4) != 0;
        long pad = landing(pointer, twice ? 16 : 8);
        word = Layouts.ALL.get(Layouts.LONG, pad);
        if (!twice) {
            target = pad + 8 + 8 * (long) ((int) word >> 2);
        } else if ((word & 7) == Layouts.FAR) {
            target = landing(word, 0);
            word = Layouts.ALL.get(Layouts.LONG, pad + 8);
        } else {
            throw new Malformed("a far pointer's landing pad has no far pointer");
        }
        if ((word & 3) == Layouts.FAR) {
            throw new Malformed("a far pointer leads to a far pointer");
        }
    }

    private long landing(long pointer, long bytes) {
        long number = pointer >>> 32;
        if (number >= segments) {
            throw new Malformed("a far pointer leads to no segment");
        }
        segment = (int) number;
        long at = starts[segment] + 8 * (pointer >>> 3 & 0x1fff_ffff);
        within(segment, at, bytes);
        return at;
    }

    /** That some bytes lie within a segment. */
    void within(int segment, long at, long bytes) {
        if (at < starts[segment] || bytes > ends[segment] - at) {
            throw new Malformed("a pointer leads out of its segment");
        }
    }

    /** Counts words as read, so that a small message cannot ask for much work by pointing to the same thing again. */
    void charge(long words) {
        budget -= words;
        if (budget < 0) {
            throw new Malformed("more than " + MOST_WORDS + " words would be read");
        }
    }

    private void open(MemorySegment memory) {
        kept = memory;
        budget = MOST_WORDS;
        segments = 0;
    }

    private void add(long start, long end) {
        if (segments == starts.length) {
            starts = java.util.Arrays.copyOf(starts, 2 * segments);
            ends = java.util.Arrays.copyOf(ends, 2 * segments);
        }
        starts[segments] = start;
        ends[segments++] = end;
    }
}
