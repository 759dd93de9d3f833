import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** An answer in an array: one of its own, or the first bytes of one that is lent. */
final class ArrayAnswer extends Answer {
    private static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private final byte[] bytes;

    ArrayAnswer(byte[] bytes) {
        this(bytes, bytes.length);
    }

    ArrayAnswer(byte[] bytes, int size) {
        this.bytes = bytes;
        begin(size);
    }

    @Override
    protected void copy(int from, ByteBuffer to, int count) {
        to.put(bytes, from, count);
    }

    @Override
    byte byteAt(int index) {
        return bytes[index];
    }

    @Override
    int wordAt(int index) {
        return (int) WORD.get(bytes, index);
    }
}
