import java.nio.charset.StandardCharsets;

/** Search results, before they are in any message. One object serves all: {@link #draw} makes the next one in it. */
public final class HitInput {
    private static final byte[] SITE = bytes("http://example.com/");
    private static final byte[] DIGITS = bytes("0123456789abcdef");
    private static final byte[] CAT = bytes("cat ");
    private static final byte[] DOG = bytes("dog ");
    private static final byte[][] PHRASES = {
        bytes("the brook ran on "), bytes("a catkin fell "), bytes("under dogma "), bytes("two larks rose "),
        bytes("moss grew "), bytes("scatter the seed "), bytes("by the pebble shore "), bytes("reeds bent low "),
        bytes("no bobcat, only rain "), bytes("hotdog stands closed "), bytes("fern and stone "),
        bytes("the wind turned "), bytes("nobody spoke "), bytes("category of clouds "), bytes("late light "),
        bytes("an endogenous murmur "),
    };

    /** The texts' bytes, ASCII all of them, and how many of these are the present one's. */
    public final byte[] url = new byte[128];
    public final byte[] snippet = new byte[512];
    public int urlLength;
    public int snippetLength;
    public double score;

    /** How many there are in all. */
    public final int count;

    private final Draws draws;
    private final int factor;
    private final int offset;
    private int made;

    public HitInput(Draws draws) {
        this.draws = draws;
        count = 1 + draws.below(1000);
        factor = 1 + draws.below(1008);
        offset = draws.below(1009);
    }

    public void draw() {
        score = (factor * made++ + offset) % 1009;
        drawUrl();
        int shape = draws.next();
        snippet[0] = ' ';
        snippetLength = 1;
        phrases(shape & 7);
        if ((shape >>> 9 & 7) == 0) {
            append(CAT);
        }
        phrases(shape >>> 3 & 7);
        if ((shape >>> 12 & 7) == 0) {
            append(DOG);
        }
        phrases(shape >>> 6 & 7);
    }

    /** The texts as strings. */
    public String url() {
        return new String(url, 0, urlLength, StandardCharsets.ISO_8859_1);
    }

    public String snippet() {
        return new String(snippet, 0, snippetLength, StandardCharsets.ISO_8859_1);
    }

    private void drawUrl() {
        System.arraycopy(SITE, 0, url, 0, SITE.length);
        int at = SITE.length;
        for (int blocks = 1 + draws.below(12); blocks > 0; blocks--) {
            int digits = draws.next();
            for (int shift = 28; shift >= 0; shift -= 4) {
                url[at++] = DIGITS[digits >>> shift & 15];
            }
        }
        urlLength = at;
    }

    private void phrases(int number) {
        int choices = draws.next();
        for (int k = 0; k < number; k++) {
            append(PHRASES[choices >>> 4 * k & 15]);
        }
    }

    private void append(byte[] text) {
        System.arraycopy(text, 0, snippet, snippetLength, text.length);
        snippetLength += text.length;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}
