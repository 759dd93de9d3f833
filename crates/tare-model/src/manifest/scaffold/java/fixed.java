    /** The job: every line has the same answer. Null would end the connection. */
    static String answer(String line) {
        return @EXPECT@;
    }
