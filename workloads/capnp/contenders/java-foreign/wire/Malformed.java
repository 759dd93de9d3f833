package wire;

/** A message that is none, or that asks for more than a reader gives. */
public final class Malformed extends RuntimeException {
    private static final long serialVersionUID = 1;

    public Malformed(String why) {
        super(why);
    }
}
