import java.util.Arrays;

/** Room for a record's text, and how a field is put there. */
final class Writer {
    /** At most as much as one field takes: a number of 64 bits, ten for its name, a comma. */
    private static final int PER_FIELD = 20 + 10 + 1;

    /** Nine digits and no more are below it: where ints divide. */
    private static final int LIMIT = 1_000_000_000;

    /** The three digits of each number below 1000, the first one lowest; above them how many zeros they begin with. */
    private static final int[] TRIPLES = new int[1000];

    static {
        for (int value = 0; value < 1000; value++) {
            int zeros = value < 10 ? 2 : value < 100 ? 1 : 0;
            int digits = ('0' + value / 100) | ('0' + value / 10 % 10) << 8 | ('0' + value % 10) << 16;
            TRIPLES[value] = digits | zeros << 24;
        }
    }

    private final byte[] out;
    private int at;

    /** Room for as many fields. */
    Writer(int fields) {
        out = new byte[1 + fields * PER_FIELD];
        out[0] = '{';
    }

    void begin() {
        at = 1;
    }

    void field(byte[] key, long value) {
        // For so few bytes a call of System.arraycopy costs more than a loop.
        int to = at;
        for (byte letter : key) {
            out[to++] = letter;
        }
        at = to;
        number(value);
        out[at++] = ',';
    }

    /** The text, its last comma made the end. */
    byte[] end() {
        out[at - 1] = '}';
        return Arrays.copyOf(out, at);
    }

    private void number(long value) {
        if (value < 0) {
            out[at++] = '-';
        }
        if (value > -LIMIT && value < LIMIT) {
            upToNine((int) Math.abs(value));
        } else {
            // The lowest number has no positive of its own, its parts have.
            positive(Math.abs(value / LIMIT));
            nine((int) Math.abs(value % LIMIT));
        }
    }

    private void positive(long value) {
        if (value < LIMIT) {
            upToNine((int) value);
        } else {
            upToNine((int) (value / LIMIT));
            nine((int) (value % LIMIT));
        }
    }

    private void upToNine(int value) {
        if (value < 1000) {
            first(value);
        } else if (value < 1_000_000) {
            int thousands = value / 1000;
            first(thousands);
            three(value - thousands * 1000);
        } else {
            int millions = value / 1_000_000;
            first(millions);
            six(value - millions * 1_000_000);
        }
    }

    private void nine(int value) {
        int millions = value / 1_000_000;
        three(millions);
        six(value - millions * 1_000_000);
    }

    private void six(int value) {
        int thousands = value / 1000;
        three(thousands);
        three(value - thousands * 1000);
    }

    private void three(int value) {
        put(TRIPLES[value]);
        at += 3;
    }

    /** Without the zeros that it begins with. What is written after the digits is written over. */
    private void first(int value) {
        int triple = TRIPLES[value];
        int zeros = triple >>> 24;
        put(triple >>> 8 * zeros);
        at += 3 - zeros;
    }

    private void put(int digits) {
        int to = at;
        out[to] = (byte) digits;
        out[to + 1] = (byte) (digits >>> 8);
        out[to + 2] = (byte) (digits >>> 16);
    }
}
