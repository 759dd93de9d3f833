import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import wire.Framing;
import wire.Packed;
import wire.Plain;

/** {@code Main CASE ROLE}: one case of the workload {@code capnp} on a library of its own over foreign memory. */
public final class Main {
    public static void main(String[] words) throws Exception {
        if (words.length != 2 || words[0].indexOf('-') < 0) {
            throw new IllegalArgumentException("usage: Main CASE ROLE");
        }
        int dash = words[0].indexOf('-');
        String mode = words[0].substring(dash + 1);
        Framing framing = mode.endsWith("packed") ? new Packed() : new Plain();
        Modes modes = new Modes(exchange(words[0].substring(0, dash)), framing);
        switch (mode) {
            case "object":
                probe(modes, framing, modes::inPlace);
                break;
            case "bytes":
            case "bytes-packed":
                probe(modes, framing, modes::inBytes);
                break;
            case "pipe":
            case "pipe-packed":
                pipe(modes, framing, words[1]);
                break;
            default:
                throw new IllegalArgumentException("there is no mode " + mode);
        }
    }

    private static Exchange exchange(String job) {
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

    private static void pipe(Modes modes, Framing framing, String role) throws Exception {
        if (role.equals("server")) {
            var in = new FileInputStream(FileDescriptor.in).getChannel();
            modes.serve(in, new FileOutputStream(FileDescriptor.out).getChannel());
            return;
        }
        var out = new FileOutputStream(System.getenv("TARE_PIPE_OUT")).getChannel();
        var client = modes.new Client(out, new FileInputStream(System.getenv("TARE_PIPE_IN")).getChannel());
        probe(modes, framing, client::exchange);
    }

    /** From the number of an input to the answer. */
    interface Once {
        long of(int input) throws Exception;
    }

    /**
     * The commands of the probe protocol, and three for the check: which format, a request as bytes, and the answer
     * to a request that somebody else has written.
     */
    private static void probe(Modes modes, Framing framing, Once once) throws Exception {
        new Probe()
            .job(Draws.INPUTS, input -> Probe.number(once.of(input)))
            .command("format", none -> framing.name().getBytes(StandardCharsets.UTF_8))
            .command("bytes", input -> modes.request(Integer.parseInt(input)))
            .command("read", hex -> Probe.number(modes.read(HexFormat.of().parseHex(hex))))
            .serve();
    }
}
