import wire.MessageIn;
import wire.MessageOut;
import wire.StructBuilder;
import wire.StructReader;

/** The value of a tree of arithmetic. */
final class Eval implements Exchange {
    private final ExpressionBuilder newExpression = new ExpressionBuilder();
    private final EvaluationBuilder newEvaluation = new EvaluationBuilder();
    private final ExpressionReader expression = new ExpressionReader();
    private final EvaluationReader evaluation = new EvaluationReader();

    @Override
    public void ask(int number, MessageOut request) {
        request.root(newExpression).grow(new Draws(Draws.EVAL, number), 0);
    }

    @Override
    public void serve(MessageIn request, MessageOut response) {
        response.root(newEvaluation).value(request.root(expression).value());
    }

    @Override
    public long answer(MessageIn response) {
        return response.root(evaluation).value();
    }

    /** One reader a level of the tree: both branches of an expression are read by the same one. */
    private static final class ExpressionReader extends StructReader {
        private ExpressionReader branch;

        int value() {
            int left = u16(2) == 0 ? i32(4) : branch(0).value();
            int right = u16(12) == 0 ? i32(8) : branch(1).value();
            return Arithmetic.apply(u16(0), left, right);
        }

        private ExpressionReader branch(int index) {
            if (branch == null) {
                branch = new ExpressionReader();
            }
            return struct(index, branch);
        }
    }

    private static final class ExpressionBuilder extends StructBuilder {
        private ExpressionBuilder branch;

        ExpressionBuilder() {
            super(2, 2);
        }

        void grow(Draws draws, int depth) {
            put16(0, Arithmetic.operation(draws));
            grow(draws, depth, 0, 2, 4);
            grow(draws, depth, 1, 12, 8);
        }

        /** One side: its pointer, where its union says what it is, and where its number is if it is one. */
        private void grow(Draws draws, int depth, int index, int tag, int value) {
            if (Arithmetic.isLeaf(draws, depth)) {
                put32(value, Arithmetic.number(draws));
                return;
            }
            put16(tag, 1);
            if (branch == null) {
                branch = new ExpressionBuilder();
            }
            struct(index, branch).grow(draws, depth + 1);
        }
    }

    private static final class EvaluationReader extends StructReader {
        int value() {
            return i32(0);
        }
    }

    private static final class EvaluationBuilder extends StructBuilder {
        EvaluationBuilder() {
            super(1, 0);
        }

        void value(int value) {
            put32(0, value);
        }
    }
}
