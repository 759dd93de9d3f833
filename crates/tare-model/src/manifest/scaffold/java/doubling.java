    static boolean isInteger(String line) {
        int first = line.startsWith("-") ? 1 : 0;
        return line.length() > first && line.chars().skip(first).allMatch(c -> c >= '0' && c <= '9');
    }

    /** The job: the double of an integer of any size; `end` ends the connection (null). */
    static String answer(String line) {
        if (line.endsWith("\r")) line = line.substring(0, line.length() - 1);
        if (line.equals("end")) return null;
        if (!isInteger(line)) return "not an integer";
        return new BigInteger(line).shiftLeft(1).toString();
    }
