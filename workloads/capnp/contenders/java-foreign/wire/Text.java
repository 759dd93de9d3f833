package wire;

/** A text that is read: bytes in a message, UTF-8, never a string unless somebody asks for one. */
public final class Text {
    private static final long ONES = 0x0101_0101_0101_0101L;
    private static final long SEVENS = 0x7f7f_7f7f_7f7f_7f7fL;

    long at;
    private int size;

    /** Its length in bytes. */
    public int size() {
        return size;
    }

    /** One of its bytes; index below the size. */
    public int at(int index) {
        return Byte.toUnsignedInt(Layouts.ALL.get(Layouts.BYTE, at + index));
    }

    /** Whether other bytes (two or more) occur in it: looks at eight places at a time for the first and the last. */
    public boolean contains(byte[] other) {
        int last = other.length - 1;
        long first = ONES * Byte.toUnsignedInt(other[0]);
        long finish = ONES * Byte.toUnsignedInt(other[last]);
        long place = at;
        long end = at + size - last;
        for (; place + 8 <= end; place += 8) {
            long wrong = Layouts.ALL.get(Layouts.LONG, place) ^ first | Layouts.ALL.get(Layouts.LONG, place + last) ^ finish;
            // A byte of `wrong` is 0 where both are right: then its highest bit here is 1.
            long right = ~((wrong & SEVENS) + SEVENS | wrong | SEVENS);
            for (; right != 0; right &= right - 1) {
                if (matches(place + (Long.numberOfTrailingZeros(right) >>> 3), other)) {
                    return true;
                }
            }
        }
        for (; place < end; place++) {
            if (Layouts.ALL.get(Layouts.BYTE, place) == other[0] && matches(place, other)) {
                return true;
            }
        }
        return false;
    }

    /** The bytes after the first are the same; the first is known to be. */
    private static boolean matches(long place, byte[] other) {
        for (int i = other.length - 1; i > 0; i--) {
            if (Layouts.ALL.get(Layouts.BYTE, place + i) != other[i]) {
                return false;
            }
        }
        return true;
    }

    void empty() {
        size = 0;
    }

    void follow(MessageIn in, int from, long position) {
        if (!in.resolve(from, position)) {
            size = 0;
            return;
        }
        long word = in.word;
        long bytes = word >>> 35;
        if ((word & 3) != Layouts.LIST || (word >>> 32 & 7) != Layouts.BYTES || bytes == 0) {
            throw new Malformed("a text was expected");
        }
        in.within(in.segment, in.target, bytes);
        in.charge((bytes + 7) >>> 3);
        at = in.target;
        size = (int) (bytes - 1);
        if (Layouts.ALL.get(Layouts.BYTE, at + size) != 0) {
            throw new Malformed("a text does not end with a zero byte");
        }
    }
}
