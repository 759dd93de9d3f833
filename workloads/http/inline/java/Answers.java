/**
 * Who makes the bodies of the answers: the one thing in which wizzardo-http and the bridges differ. An instance belongs
 * to the thread that made it, and an answer is good until it is closed.
 */
interface Answers extends Letters {
    Answer plaintext();

    Answer json();

    /** The row's JSON. It was read on this side, whoever encodes it. */
    Answer row(int id, int randomNumber);
}
