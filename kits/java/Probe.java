import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.lang.invoke.MethodHandles;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;

/**
 * The probe protocol for Java: what stands between tare and the code under test.
 *
 * <p>A contender says {@code with = ["kits/java"]} in its manifest, compiles {@code with/java/*.java} beside its own
 * sources, and says:
 *
 * <pre>{@code
 * import java.nio.charset.StandardCharsets;
 *
 * public final class Main {
 *     public static void main(String[] arguments) throws Exception {
 *         long[] inputs = java.util.stream.LongStream.range(0, 64).map(i -> i * 7919).toArray();
 *         new Probe()
 *             .job(64, input -> Long.toString(inputs[input]).getBytes(StandardCharsets.UTF_8))
 *             .serve();
 *     }
 * }
 * }</pre>
 *
 * <p>Where the case is swept, each size is a job of its own: {@code .sized(25, 64, input -> …)}. A job makes bytes,
 * anew each time; a number is {@link #number}. Further commands ({@code read HEX}) are {@code .command("read", …)}.
 */
public final class Probe {
    /** From the number of an input, counted from 0, to its result. */
    public interface Result {
        byte[] of(int input) throws Exception;
    }

    /** From the word that follows a command to the bytes that answer it; whatever it throws is answered as an error. */
    public interface Answer {
        byte[] of(String argument) throws Exception;
    }

    /** What the copies of the timed loop are known as. */
    interface Loop {
        int run(long count, int inputs, Result result) throws Exception;
    }

    private record Job(int inputs, Result result, Loop loop) {}

    private static final HexFormat HEX = HexFormat.of();

    private final Map<String, Job> jobs = new HashMap<>();
    private final Map<String, Answer> commands = new HashMap<>();

    /** The job of a case without sizes; its inputs are 0 to {@code inputs - 1}. */
    public Probe job(int inputs, Result result) {
        return add("", inputs, result);
    }

    /** The job for one size of a swept case. */
    public Probe sized(long size, int inputs, Result result) {
        return add(Long.toUnsignedString(size), inputs, result);
    }

    /**
     * For a case that is one size of a sweep: of all jobs that of this size remains, as the job without a size. For
     * the sweep itself (0) all remain.
     */
    public Probe only(long size) {
        if (size != 0) {
            Job kept = jobs.get(Long.toUnsignedString(size));
            jobs.clear();
            if (kept != null) {
                jobs.put("", kept);
            }
        }
        return this;
    }

    /** A further command of one argument, answered with {@code ok HEX} or {@code error WHY}. */
    public Probe command(String name, Answer answer) {
        commands.put(name, answer);
        return this;
    }

    /** Answers each line of standard input with one line on standard output, until the input ends. */
    public void serve() throws IOException {
        var input = new BufferedInputStream(System.in);
        var output = new PrintStream(System.out, false, StandardCharsets.UTF_8);
        for (String line = read(input); line != null; line = read(input)) {
            output.print(reply(line) + "\n");
            output.flush();
        }
    }

    /** A line ends with a line feed and nothing else: one line, one answer. */
    private static String read(InputStream input) throws IOException {
        var line = new ByteArrayOutputStream();
        int next = input.read();
        if (next < 0) {
            return null;
        }
        for (; next >= 0 && next != '\n'; next = input.read()) {
            line.write(next);
        }
        return line.toString(StandardCharsets.UTF_8);
    }

    private Probe add(String size, int inputs, Result result) {
        jobs.put(size, new Job(inputs, result, loopOfItsOwn()));
        return this;
    }

    private String reply(String line) {
        try {
            return "ok " + answer(line);
        } catch (Exception | StackOverflowError why) {
            return "error " + why.toString().replaceAll("[\\r\\n]+", " ");
        }
    }

    private String answer(String line) throws Exception {
        String[] words = line.split(" ", -1);
        boolean known = words.length == 2 || words.length == 3;
        if (known && words[0].equals("run")) {
            return run(parse(words[1]), find(words));
        } else if (known && words[0].equals("show")) {
            return show(parse(words[1]), find(words));
        } else if (words.length == 2 && commands.containsKey(words[0])) {
            return HEX.formatHex(commands.get(words[0]).of(words[1]));
        }
        throw new IllegalArgumentException("'" + line + "' is none of: run N [SIZE], show I [SIZE]");
    }

    private Job find(String[] words) {
        String size = words.length == 2 ? "" : Long.toUnsignedString(parse(words[2]));
        Job job = jobs.get(size);
        if (job == null) {
            throw new IllegalArgumentException("there is no job of size '" + size + "'");
        }
        return job;
    }

    private static String run(long count, Job job) throws Exception {
        long begin = System.nanoTime();
        int sum = job.loop.run(count, job.inputs, job.result);
        long nanos = System.nanoTime() - begin;
        return nanos + " " + Integer.toUnsignedString(sum);
    }

    private static String show(long input, Job job) throws Exception {
        if (Long.compareUnsigned(input, job.inputs) >= 0) {
            throw new IllegalArgumentException("there is no input " + Long.toUnsignedString(input));
        }
        return HEX.formatHex(job.result.of((int) input));
    }

    /** A result that is a number: its eight bytes, little endian. */
    public static byte[] number(long value) {
        byte[] bytes = new byte[8];
        for (int at = 0; at < 8; at++) {
            bytes[at] = (byte) (value >>> 8 * at);
        }
        return bytes;
    }

    /** A number: decimal digits alone, within 64 bits, of which no sign is one. */
    private static long parse(String word) {
        if (!word.matches("[0-9]+")) {
            throw new NumberFormatException("'" + word + "' is no number of 64 bits");
        }
        return Long.parseUnsignedLong(word);
    }

    /**
     * HotSpot keeps what it learns about a call with the bytecode that makes it, so each job has a copy of the loop's
     * class: else the jobs of a sweep would share one call, and none would be inlined there.
     */
    private static Loop loopOfItsOwn() {
        try (InputStream file = Probe.class.getResourceAsStream("TimedLoop.class")) {
            MethodHandles.Lookup copy = MethodHandles.lookup().defineHiddenClass(file.readAllBytes(), true);
            return (Loop) copy.lookupClass().getDeclaredConstructor().newInstance();
        } catch (IOException | ReflectiveOperationException why) {
            throw new IllegalStateException("no loop could be made for a job", why);
        }
    }
}
