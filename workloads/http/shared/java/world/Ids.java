package world;

import java.util.TreeSet;
import java.util.concurrent.ThreadLocalRandom;

/** What is drawn, and what is asked for. */
public final class Ids {
    private static final int ROWS = 10_000;

    private Ids() {}

    /** An id; the numbers in rows have the same range. */
    public static int random() {
        return ThreadLocalRandom.current().nextInt(ROWS) + 1;
    }

    /** Ids that are all different, sorted: rows that are written in this order keep no two requests waiting for each other. */
    public static int[] different(int count) {
        var ids = new TreeSet<Integer>();
        while (ids.size() < count) {
            ids.add(random());
        }
        return ids.stream().mapToInt(Integer::intValue).toArray();
    }

    /** How many rows a request asks for: 1 to 500, and 1 if it is no number. */
    public static int count(String value) {
        try {
            return Math.clamp(Integer.parseInt(value), 1, 500);
        } catch (NumberFormatException none) {
            return 1;
        }
    }
}
