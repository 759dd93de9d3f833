import java.util.Arrays;

/** Room for one record's text, and how a field is put there. */
final class Writer {
    /** At most as much as one field takes: a number of 64 bits, ten for its name, a comma. */
    private static final int PER_FIELD = 20 + 10 + 1;

    private static final byte[] TENS = new byte[100];
    private static final byte[] ONES = new byte[100];

    static {
        for (int value = 0; value < 100; value++) {
            TENS[value] = (byte) ('0' + value / 10);
            ONES[value] = (byte) ('0' + value % 10);
        }
    }

    private final byte[] out;
    private int at;

    Writer(int fields) {
        out = new byte[1 + fields * PER_FIELD];
        out[at++] = '{';
    }

    void field(byte[] key, long value) {
        System.arraycopy(key, 0, out, at, key.length);
        at += key.length;
        number(value);
        out[at++] = ',';
    }

    /** The text, its last comma made the end. */
    byte[] end() {
        out[at - 1] = '}';
        return Arrays.copyOf(out, at);
    }

    /** The digits are made from the last to the first, so their count comes first. Works on negative numbers, of which
     * there is one more. */
    private void number(long value) {
        long rest = value < 0 ? value : -value;
        if (value < 0) {
            out[at++] = '-';
        }
        int end = at + digits(rest);
        at = end;
        while (rest <= -100) {
            int pair = (int) (rest / 100 * 100 - rest);
            rest /= 100;
            out[--end] = ONES[pair];
            out[--end] = TENS[pair];
        }
        int pair = (int) -rest;
        out[--end] = ONES[pair];
        if (pair >= 10) {
            out[--end] = TENS[pair];
        }
    }

    private static int digits(long negative) {
        long limit = -10;
        for (int count = 1; count < 19; count++) {
            if (negative > limit) {
                return count;
            }
            limit *= 10;
        }
        return 19;
    }
}
