import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** {@code Main CASE ROLE}: one case of the workload {@code capnp} on capnproto-java. */
public final class Main {
    public static void main(String[] words) throws Exception {
        if (words.length != 2 || words[0].indexOf('-') < 0) {
            throw new IllegalArgumentException("usage: Main CASE ROLE");
        }
        int dash = words[0].indexOf('-');
        String mode = words[0].substring(dash + 1);
        Framing framing = mode.endsWith("packed") ? new Framing.Packed() : new Framing.Plain();
        play(exchange(words[0].substring(0, dash)), mode, framing, words[1]);
    }

    private static Exchange<?, ?, ?, ?> exchange(String job) {
        switch (job) {
            case "carsales":
                return new Carsales();
            case "catrank":
                return new Catrank();
            case "eval":
                return new Eval();
            default:
                throw new IllegalArgumentException("there is no job " + job);
        }
    }

    private static void play(Exchange<?, ?, ?, ?> exchange, String mode, Framing framing, String role)
            throws Exception {
        switch (mode) {
            case "object":
                probe(exchange, framing, input -> Modes.inPlace(exchange, input));
                break;
            case "bytes":
            case "bytes-packed":
                probe(exchange, framing, input -> Modes.inBytes(exchange, framing, input));
                break;
            case "pipe":
            case "pipe-packed":
                pipe(exchange, framing, role);
                break;
            default:
                throw new IllegalArgumentException("there is no mode " + mode);
        }
    }

    private static void pipe(Exchange<?, ?, ?, ?> exchange, Framing framing, String role) throws Exception {
        if (role.equals("server")) {
            var in = new FileInputStream(FileDescriptor.in).getChannel();
            Modes.serve(exchange, framing, in, new FileOutputStream(FileDescriptor.out).getChannel());
            return;
        }
        var out = new FileOutputStream(System.getenv("TARE_PIPE_OUT")).getChannel();
        var client = new Modes.Client(framing, out, new FileInputStream(System.getenv("TARE_PIPE_IN")).getChannel());
        probe(exchange, framing, input -> client.exchange(exchange, input));
    }

    /** From the number of an input to the answer. */
    interface Once {
        long of(int input) throws Exception;
    }

    /**
     * The commands of the probe protocol, and three for the check: which format, a request as bytes, and the answer
     * to a request that somebody else has written.
     */
    private static void probe(Exchange<?, ?, ?, ?> exchange, Framing framing, Once once) throws Exception {
        new Probe()
            .job(Draws.INPUTS, input -> Probe.number(once.of(input)))
            .command("format", none -> framing.name().getBytes(StandardCharsets.UTF_8))
            .command("bytes", input -> Modes.request(exchange, framing, Integer.parseInt(input)))
            .command("read", hex -> Probe.number(Modes.read(exchange, framing, HexFormat.of().parseHex(hex))))
            .serve();
    }
}
