package wire;

/**
 * A list of structs that is read. It has one reader, which goes from element to element, instead of one each.
 *
 * @param <T> the elements
 */
public final class StructList<T extends StructReader> {
    private final T element;
    private int size;
    private long base;
    private long step;

    public StructList(T element) {
        this.element = element;
    }

    public int size() {
        return size;
    }

    /** The reader, set to an element; index below the size. */
    public T at(int index) {
        element.data = base + index * step;
        return element;
    }

    void empty() {
        size = 0;
    }

    void follow(MessageIn in, int from, long position, int depth) {
        if (!in.resolve(from, position)) {
            size = 0;
            return;
        }
        long word = in.word;
        if ((word & 3) != Layouts.LIST) {
            throw new Malformed("a list was expected");
        }
        if (depth <= 0) {
            throw new Malformed("the message is nested too deep");
        }
        int kind = (int) (word >>> 32) & 7;
        long count = word >>> 35;
        T element = this.element;
        element.over(in);
        element.segment = in.segment;
        element.depth = depth - 1;
        if (kind == Layouts.COMPOSITE) {
            composite(in, count);
        } else {
            plain(in, kind, count);
        }
    }

    /** Structs in a row, after a word that says how many and how large. */
    private void composite(MessageIn in, long words) {
        in.within(in.segment, in.target, 8 + 8 * words);
        long tag = Layouts.ALL.get(Layouts.LONG, in.target);
        long count = tag >>> 2 & 0x3fff_ffff;
        int dataWords = (int) (tag >>> 32) & 0xffff;
        int pointers = (int) (tag >>> 48);
        if ((tag & 3) != Layouts.STRUCT || count * (dataWords + pointers) > words) {
            throw new Malformed("a list's elements are longer than it is");
        }
        // Elements of no size cost nothing to send, but something to visit.
        in.charge(words + 1 + (dataWords + pointers == 0 ? count : 0));
        set(count, in.target + 8, 8 * dataWords, pointers);
    }

    /** Elements that were no structs when they were written: these have one field now. */
    private void plain(MessageIn in, int kind, long count) {
        if (kind == Layouts.BITS) {
            throw new Malformed("bits cannot be read as structs");
        }
        int bytes = kind == 0 ? 0 : kind == Layouts.POINTERS ? 8 : 1 << kind - Layouts.BYTES;
        in.within(in.segment, in.target, count * bytes);
        in.charge(kind == 0 ? count : (count * bytes + 7) / 8);
        boolean pointer = kind == Layouts.POINTERS;
        set(count, in.target, pointer ? 0 : bytes, pointer ? 1 : 0);
    }

    private void set(long count, long base, int dataBytes, int pointers) {
        size = (int) count;
        this.base = base;
        step = dataBytes + 8L * pointers;
        element.dataBytes = dataBytes;
        element.pointers = pointers;
    }
}
