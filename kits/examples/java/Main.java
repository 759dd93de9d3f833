import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/** One job without a size, two with, and a command: what every kit's example does. */
public final class Main {
    public static void main(String[] arguments) throws Exception {
        new Probe()
            .job(64, i -> Long.toString(i * 7919L).getBytes(StandardCharsets.UTF_8))
            .sized(1, 7, i -> repeated((byte) ('a' + i), i))
            .sized(8, 7, i -> Probe.number(i - 1L))
            .command("twice", word -> twice(HexFormat.of().parseHex(word)))
            .only(arguments.length > 0 ? Long.parseLong(arguments[0]) : 0)
            .serve();
    }

    private static byte[] twice(byte[] once) {
        byte[] bytes = Arrays.copyOf(once, 2 * once.length);
        System.arraycopy(once, 0, bytes, once.length, once.length);
        return bytes;
    }

    private static byte[] repeated(byte value, int times) {
        byte[] bytes = new byte[times];
        Arrays.fill(bytes, value);
        return bytes;
    }
}
