/** Nothing is made and nothing crossed: letters that were there before, each answer a stretch of them. */
final class Main implements Letters {
    private static final int ALPHABET = 26;

    private byte[] letters = new byte[0];

    private Main() {
    }

    public static void main(String[] args) throws Exception {
        Probe.serve(new Main());
    }

    @Override
    public Answer letters(int start, int count) {
        if (letters.length < ALPHABET + count) {
            letters = new byte[ALPHABET + count];
            Alphabet.fill(letters, 0, letters.length);
        }
        return new ArrayAnswer(letters, start, count);
    }
}
