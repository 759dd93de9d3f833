import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.ArrayDeque;

/** A call into Haskell per answer, which Haskell writes where the server sends it from. */
final class Bridge implements Answers {
    private static final Linker LINKER = Linker.nativeLinker();
    private static final SymbolLookup HASKELL =
            SymbolLookup.libraryLookup(Path.of("libhandlers.so").toAbsolutePath(), Arena.global());
    private static final MethodHandle START = function("haskell_start", FunctionDescriptor.ofVoid(JAVA_INT));
    private static final MethodHandle ANSWER = function("haskell_answer",
            FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG, JAVA_INT));

    private final ArrayDeque<NativeAnswer> free = new ArrayDeque<>();

    private Bridge() {
    }

    /** Starts Haskell's runtime, for so many cores. */
    static void start(int cores) {
        try {
            START.invokeExact(cores);
        } catch (Throwable e) {
            throw new AssertionError("haskell_start", e);
        }
    }

    static Answers answers() {
        return new Bridge();
    }

    private static MethodHandle function(String name, FunctionDescriptor type) {
        MemorySegment address = HASKELL.find(name).orElseThrow(() -> new UnsatisfiedLinkError(name));
        return LINKER.downcallHandle(address, type);
    }

    /** The answer to a request, whose numbers Handlers.hs explains. */
    private Answer answer(int what, int one, int two) {
        return NativeAnswer.of(free, (address, room) -> {
            try {
                return (int) ANSWER.invokeExact(what, one, two, address, room);
            } catch (Throwable e) {
                throw new AssertionError("haskell_answer", e);
            }
        });
    }

    @Override
    public Answer plaintext() {
        return answer(0, 0, 0);
    }

    @Override
    public Answer json() {
        return answer(1, 0, 0);
    }

    @Override
    public Answer row(int id, int randomNumber) {
        return answer(2, id, randomNumber);
    }

    @Override
    public Answer letters(int start, int count) {
        return answer(3, start, count);
    }
}
