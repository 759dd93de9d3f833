import java.nio.charset.StandardCharsets;

/** The alphabet over and over. */
final class Alphabet {
    private static final int LENGTH = 26;

    /** 160 alphabets, about a page: long enough that a long answer is a few copies of memory, as it is in Haskell. */
    private static final byte[] TABLE =
            "abcdefghijklmnopqrstuvwxyz".repeat(160).getBytes(StandardCharsets.US_ASCII);

    private Alphabet() {
    }

    /** Fills the first bytes of an array: {@code count} letters, the first being {@code start} behind 'a'. */
    static void fill(byte[] into, int start, int count) {
        int from = start % LENGTH;
        int at = 0;
        while (at < count) {
            int piece = Math.min(count - at, TABLE.length - from);
            System.arraycopy(TABLE, from, into, at, piece);
            at += piece;
            from = 0;
        }
    }
}
