import com.wizzardo.epoll.readable.ReadableData;
import java.nio.ByteBuffer;

/** The body of an answer: the server copies it behind the head, as far as there is room, and comes back for the rest. */
abstract class Answer extends ReadableData {
    protected int size;
    private int position;

    /** Begins anew with so many bytes. */
    protected final void begin(int size) {
        this.size = size;
        position = 0;
    }

    /** Copies to where the buffer stands, which goes on by as much. */
    protected abstract void copy(int from, ByteBuffer to, int count);

    abstract byte byteAt(int index);

    /** Four bytes, the first being the lowest. */
    abstract int wordAt(int index);

    final int size() {
        return size;
    }

    @Override
    public void close() {
    }

    @Override
    public final int read(ByteBuffer to) {
        int count = Math.min(to.remaining(), size - position);
        copy(position, to, count);
        position += count;
        return count;
    }

    @Override
    public final void unread(int count) {
        position -= count;
    }

    @Override
    public final boolean isComplete() {
        return position == size;
    }

    @Override
    public final long complete() {
        return position;
    }

    @Override
    public final long length() {
        return size;
    }

    @Override
    public final long remains() {
        return size - position;
    }
}
