import com.wizzardo.tools.json.JsonTools;
import java.nio.charset.StandardCharsets;

/** No bridge at all: what the others are measured against makes its answers here, in Java. */
final class Bridge implements Answers {
    private static final byte[] HELLO = "Hello, World!".getBytes(StandardCharsets.US_ASCII);

    public static final class Message {
        public final String message;

        Message(String message) {
            this.message = message;
        }
    }

    public static final class World {
        public final int id;
        public final int randomNumber;

        World(int id, int randomNumber) {
            this.id = id;
            this.randomNumber = randomNumber;
        }
    }

    private Bridge() {
    }

    static void start(int cores) {
    }

    static Answers answers() {
        return new Bridge();
    }

    @Override
    public Answer plaintext() {
        return new ArrayAnswer(HELLO);
    }

    @Override
    public Answer json() {
        return new ArrayAnswer(JsonTools.serializeToBytes(new Message("Hello, World!")));
    }

    @Override
    public Answer row(int id, int randomNumber) {
        return new ArrayAnswer(JsonTools.serializeToBytes(new World(id, randomNumber)));
    }

    @Override
    public Answer letters(int start, int count) {
        byte[] bytes = new byte[count];
        Alphabet.fill(bytes, start, count);
        return new ArrayAnswer(bytes);
    }
}
