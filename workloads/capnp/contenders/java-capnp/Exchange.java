import org.capnproto.StructFactory;
import org.capnproto.StructReader;

/**
 * One job: what its client asks, what its server does, and what its client reads.
 *
 * @param <Q> the request while it is built
 * @param <R> the request as it is read
 * @param <A> the response while it is built
 * @param <S> the response as it is read
 */
interface Exchange<Q, R extends StructReader, A, S extends StructReader> {
    StructFactory<Q, R> request();

    StructFactory<A, S> response();

    /** The client builds a request. */
    void ask(int input, Q request);

    /** The server answers it. */
    void serve(R request, A response);

    /** The client reads the response. */
    long answer(S response);
}
