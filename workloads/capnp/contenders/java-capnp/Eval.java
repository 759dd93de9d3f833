import jobs.Jobs;
import org.capnproto.StructFactory;

/** The value of a tree of arithmetic. */
final class Eval
        implements Exchange<
            Jobs.Expression.Builder, Jobs.Expression.Reader, Jobs.Evaluation.Builder, Jobs.Evaluation.Reader> {
    private static final Jobs.Operation[] OPERATIONS = Jobs.Operation.values();

    @Override
    public StructFactory<Jobs.Expression.Builder, Jobs.Expression.Reader> request() {
        return Jobs.Expression.factory;
    }

    @Override
    public StructFactory<Jobs.Evaluation.Builder, Jobs.Evaluation.Reader> response() {
        return Jobs.Evaluation.factory;
    }

    @Override
    public void ask(int number, Jobs.Expression.Builder request) {
        grow(new Draws(Draws.EVAL, number), 0, request);
    }

    @Override
    public void serve(Jobs.Expression.Reader request, Jobs.Evaluation.Builder response) {
        response.setValue(evaluate(request));
    }

    @Override
    public long answer(Jobs.Evaluation.Reader response) {
        return response.getValue();
    }

    private static void grow(Draws draws, int depth, Jobs.Expression.Builder expression) {
        expression.setOperation(OPERATIONS[Arithmetic.operation(draws)]);
        if (Arithmetic.isLeaf(draws, depth)) {
            expression.getLeft().setValue(Arithmetic.number(draws));
        } else {
            grow(draws, depth + 1, expression.getLeft().initExpression());
        }
        if (Arithmetic.isLeaf(draws, depth)) {
            expression.getRight().setValue(Arithmetic.number(draws));
        } else {
            grow(draws, depth + 1, expression.getRight().initExpression());
        }
    }

    private static int evaluate(Jobs.Expression.Reader expression) {
        Jobs.Expression.Left.Reader left = expression.getLeft();
        Jobs.Expression.Right.Reader right = expression.getRight();
        return Arithmetic.apply(
            expression.getOperation().ordinal(),
            left.isValue() ? left.getValue() : evaluate(left.getExpression()),
            right.isValue() ? right.getValue() : evaluate(right.getExpression()));
    }
}
