import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** The timed loop. It is never used itself, but copied by {@link Probe}, once for each job. */
final class TimedLoop implements Probe.Loop {
    private static final VarHandle WORD =
        MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    @Override
    public int run(long count, int inputs, Probe.Result result) throws Exception {
        int sum = 0;
        int input = 0;
        // Counted down to 0, a number of 64 bits needs no sign.
        for (long left = count; left != 0; left--) {
            sum += term(result.of(input));
            input++;
            if (input == inputs) {
                input = 0;
            }
        }
        return sum;
    }

    /** What one result adds to the checksum: from its length and its first and last four bytes. */
    private static int term(byte[] result) {
        int length = result.length;
        if (length < 4) {
            return termOfShort(result);
        }
        int first = (int) WORD.get(result, 0);
        int last = (int) WORD.get(result, length - 4);
        return length * 0x9E3779B1 + first * 0x85EBCA77 + last * 0xC2B2AE3D;
    }

    /** Padded with zero bytes, the first four are the last four. */
    private static int termOfShort(byte[] result) {
        int word = 0;
        for (int at = 0; at < result.length; at++) {
            word |= (result[at] & 0xFF) << 8 * at;
        }
        return result.length * 0x9E3779B1 + word * 0x85EBCA77 + word * 0xC2B2AE3D;
    }
}
