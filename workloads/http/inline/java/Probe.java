import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** The probe protocol for letters: input i is the alphabet from its letter i on. */
final class Probe {
    /** Inputs: one for each letter to begin with. */
    private static final int INPUTS = 26;

    private final Letters letters;

    private Probe(Letters letters) {
        this.letters = letters;
    }

    /** Answers the commands on stdin until it ends. */
    static void serve(Letters letters) throws IOException {
        Probe probe = new Probe(letters);
        PrintStream out = new PrintStream(System.out, false, StandardCharsets.US_ASCII);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        for (String line; (line = in.readLine()) != null; ) {
            out.print(probe.answer(line.trim().split(" ")) + "\n");
            out.flush();
        }
    }

    private String answer(String[] words) {
        try {
            if (words.length == 3 && words[0].equals("run")) {
                return run(number(words[1], Long.MAX_VALUE), (int) number(words[2], 1 << 24));
            }
            if (words.length == 3 && words[0].equals("show")) {
                return show((int) number(words[1], INPUTS - 1), (int) number(words[2], 1 << 24));
            }
            return "error expected `run N SIZE` or `show I SIZE`, found `" + String.join(" ", words) + "`";
        } catch (NumberFormatException e) {
            return "error " + e.getMessage();
        }
    }

    private static long number(String word, long most) {
        long number = Long.parseLong(word);
        if (number < 0 || number > most) {
            throw new NumberFormatException("expected a number from 0 to " + most + ", found " + number);
        }
        return number;
    }

    private String run(long times, int size) {
        long begin = System.nanoTime();
        int sum = sum(times, size);
        long nanos = System.nanoTime() - begin;
        return "ok " + nanos + " " + Integer.toUnsignedString(sum);
    }

    private int sum(long times, int size) {
        int sum = 0;
        int input = 0;
        for (long i = 0; i < times; i++) {
            Answer answer = letters.letters(input, size);
            sum += term(answer);
            answer.close();
            input = input == INPUTS - 1 ? 0 : input + 1;
        }
        return sum;
    }

    /** Depends on the answer's length and on its ends. */
    private static int term(Answer answer) {
        int size = answer.size();
        int first = size >= 4 ? answer.wordAt(0) : padded(answer);
        int last = size >= 4 ? answer.wordAt(size - 4) : first;
        return size * (int) 2654435761L + first * (int) 2246822519L + last * (int) 3266489917L;
    }

    private static int padded(Answer answer) {
        int word = 0;
        for (int i = 0; i < answer.size(); i++) {
            word |= (answer.byteAt(i) & 0xff) << (8 * i);
        }
        return word;
    }

    private String show(int input, int size) {
        StringBuilder line = new StringBuilder("ok ");
        Answer answer = letters.letters(input, size);
        for (int i = 0; i < answer.size(); i++) {
            line.append(HexFormat.of().toHexDigits(answer.byteAt(i)));
        }
        answer.close();
        return line.toString();
    }
}
