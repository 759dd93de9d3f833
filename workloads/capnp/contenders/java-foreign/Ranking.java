import java.util.Arrays;

/** Numbers in falling order of their scores, without an object each: a merge sort over two plain arrays. */
final class Ranking {
    private double[] scores = new double[1024];
    private int[] order = new int[1024];
    private int[] spare = new int[1024];
    private int size;

    void clear() {
        size = 0;
    }

    /** Adds the next number: 0, then 1, and so on. */
    void add(double score) {
        if (size == scores.length) {
            scores = Arrays.copyOf(scores, 2 * size);
            order = Arrays.copyOf(order, 2 * size);
            spare = Arrays.copyOf(spare, 2 * size);
        }
        scores[size] = score;
        order[size] = size++;
    }

    int size() {
        return size;
    }

    double score(int number) {
        return scores[number];
    }

    /** All numbers, the one with the highest score first. Good until the next one is added. */
    int[] sorted() {
        for (int from = 0; from < size; from += RUN) {
            insert(from, Math.min(from + RUN, size));
        }
        for (int width = RUN; width < size; width *= 2) {
            for (int from = 0; from < size; from += 2 * width) {
                merge(from, Math.min(from + width, size), Math.min(from + 2 * width, size));
            }
            int[] merged = spare;
            spare = order;
            order = merged;
        }
        return order;
    }

    /** Runs of this length are sorted by insertion first. */
    private static final int RUN = 8;

    private void insert(int from, int to) {
        for (int i = from + 1; i < to; i++) {
            int number = order[i];
            double score = scores[number];
            int at = i;
            for (; at > from && scores[order[at - 1]] < score; at--) {
                order[at] = order[at - 1];
            }
            order[at] = number;
        }
    }

    private void merge(int from, int middle, int to) {
        int left = from;
        int right = middle;
        for (int at = from; at < to; at++) {
            boolean first = right >= to || left < middle && scores[order[left]] >= scores[order[right]];
            spare[at] = first ? order[left++] : order[right++];
        }
    }
}
