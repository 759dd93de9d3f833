import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** An answer in an array: one of its own, or a stretch of one that is lent. */
final class ArrayAnswer extends Answer {
    private static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

    private final byte[] bytes;
    private final int offset;

    ArrayAnswer(byte[] bytes) {
        this(bytes, 0, bytes.length);
    }

    ArrayAnswer(byte[] bytes, int offset, int size) {
        this.bytes = bytes;
        this.offset = offset;
        begin(size);
    }

    @Override
    protected void copy(int from, ByteBuffer to, int count) {
        to.put(bytes, offset + from, count);
    }

    @Override
    byte byteAt(int index) {
        return bytes[offset + index];
    }

    @Override
    int wordAt(int index) {
        return (int) WORD.get(bytes, offset + index);
    }
}
