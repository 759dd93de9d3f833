/** The alphabet over and over, made anew each time it is asked for. An answer is good until it is closed. */
interface Letters {
    /** So many letters, of which the first is that far behind 'a'. */
    Answer letters(int start, int count);
}
