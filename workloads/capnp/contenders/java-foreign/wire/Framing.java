package wire;

import java.io.IOException;

/** The two ways in which a message becomes bytes, and comes back. */
public interface Framing {
    /** What the check knows it as. */
    String name();

    /** Adds a message to what a buffer holds. */
    void write(MessageOut message, Buffer to);

    /**
     * Takes one message from a buffer. It may be read until the buffer is used again, or this framing is.
     *
     * @throws Malformed where the bytes are no message
     */
    void read(Buffer from, MessageIn message) throws IOException;
}
