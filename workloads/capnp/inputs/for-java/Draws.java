/**
 * The generator of the workload {@code capnp}: Marsaglia's xorshift128 on 32-bit words, its state mixed from the job
 * and the number of the input. The README beside workload.toml says which number is drawn when.
 */
public final class Draws {
    /** Inputs of each job; iteration i is on input i mod INPUTS. */
    public static final int INPUTS = 64;

    public static final int CARSALES = 1;
    public static final int CATRANK = 2;
    public static final int EVAL = 3;

    private int x;
    private int y;
    private int z;
    private int w;

    public Draws(int job, int input) {
        int first = 2014 * 65536 + 1024 * job + 4 * input;
        x = mix(first);
        y = mix(first + 1);
        z = mix(first + 2);
        w = mix(first + 3);
    }

    public int next() {
        int t = x ^ x << 11;
        x = y;
        y = z;
        z = w;
        w = w ^ w >>> 19 ^ t ^ t >>> 8;
        return w;
    }

    public int below(int limit) {
        return Integer.remainderUnsigned(next(), limit);
    }

    /** The finaliser of MurmurHash3. */
    private static int mix(int h) {
        h = (h ^ h >>> 16) * 0x85ebca6b;
        h = (h ^ h >>> 13) * 0xc2b2ae35;
        return h ^ h >>> 16;
    }
}
