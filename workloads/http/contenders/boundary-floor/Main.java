/** The letters, copied into memory that stays the same: no crossing, no call, nothing taken from the heap. */
final class Main implements Letters {
    private byte[] bytes = new byte[0];

    private Main() {
    }

    public static void main(String[] args) throws Exception {
        Probe.serve(new Main());
    }

    @Override
    public Answer letters(int start, int count) {
        if (bytes.length < count) {
            bytes = new byte[count];
        }
        Alphabet.fill(bytes, start, count);
        return new ArrayAnswer(bytes, count);
    }
}
