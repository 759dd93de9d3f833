package wire;

/**
 * A list of structs that is built. It has one builder, which goes from element to element, instead of one each.
 *
 * @param <T> the elements
 */
public final class StructListBuilder<T extends StructBuilder> {
    private final T element;
    private long base;

    public StructListBuilder(T element) {
        this.element = element;
    }

    /** The builder, set to an element; index below the size. */
    public T at(int index) {
        element.data = base + index * element.bytesEach();
        return element;
    }

    void build(MessageOut out, long pointer, int size) {
        base = element.buildList(out, pointer, size);
    }
}
