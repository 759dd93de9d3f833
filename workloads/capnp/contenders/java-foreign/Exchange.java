import wire.MessageIn;
import wire.MessageOut;

/** One job: what its client asks, what its server does, and what its client reads. */
interface Exchange {
    /** The client builds a request. */
    void ask(int input, MessageOut request);

    /** The server answers it. */
    void serve(MessageIn request, MessageOut response);

    /** The client reads the response. */
    long answer(MessageIn response);
}
