/** The trees of {@code eval}: what is drawn for them, and what their operations do. */
public final class Arithmetic {
    private Arithmetic() {}

    public static int operation(Draws draws) {
        return draws.below(5);
    }

    public static boolean isLeaf(Draws draws, int depth) {
        return draws.below(8) < depth;
    }

    public static int number(Draws draws) {
        return 1 + draws.below(128);
    }

    /** Numbers wrap at 32 bits; dividing by zero gives the largest one. */
    public static int apply(int operation, int left, int right) {
        switch (operation) {
            case 0:
                return left + right;
            case 1:
                return left - right;
            case 2:
                return left * right;
            case 3:
                return right == 0 ? Integer.MAX_VALUE : left / right;
            default:
                return right == 0 ? Integer.MAX_VALUE : left % right;
        }
    }
}
