import java.nio.charset.StandardCharsets;
import wire.MessageIn;
import wire.MessageOut;
import wire.StructBuilder;
import wire.StructList;
import wire.StructListBuilder;
import wire.StructReader;
import wire.Text;

/** Search results, sorted after cats and dogs were looked for in them. */
final class Catrank implements Exchange {
    private static final byte[] CAT = " cat ".getBytes(StandardCharsets.UTF_8);
    private static final byte[] DOG = " dog ".getBytes(StandardCharsets.UTF_8);

    private final ResultsBuilder newRequest = new ResultsBuilder();
    private final ResultsBuilder newResponse = new ResultsBuilder();
    private final ResultsReader results = new ResultsReader();
    private final Ranking ranking = new Ranking();

    @Override
    public void ask(int number, MessageOut request) {
        HitInput hit = new HitInput(new Draws(Draws.CATRANK, number));
        StructListBuilder<ResultBuilder> to = request.root(newRequest).results(hit.count);
        for (int i = 0; i < hit.count; i++) {
            hit.draw();
            to.at(i).fill(hit);
        }
    }

    @Override
    public void serve(MessageIn request, MessageOut response) {
        StructList<ResultReader> from = request.root(results).results();
        ranking.clear();
        for (int i = 0; i < from.size(); i++) {
            ranking.add(score(from.at(i)));
        }
        int[] order = ranking.sorted();
        StructListBuilder<ResultBuilder> to = response.root(newResponse).results(ranking.size());
        for (int i = 0; i < ranking.size(); i++) {
            to.at(i).copy(from.at(order[i]), ranking.score(order[i]));
        }
    }

    @Override
    public long answer(MessageIn response) {
        StructList<ResultReader> from = response.root(results).results();
        int fold = 0;
        for (int i = 0; i < from.size(); i++) {
            ResultReader result = from.at(i);
            Text url = result.url();
            int last = url.size() == 0 ? 0 : url.at(url.size() - 1);
            fold = 31 * fold + (int) result.score() + 7 * url.size() + last + result.snippet().size();
        }
        return Integer.toUnsignedLong(fold);
    }

    private static double score(ResultReader result) {
        double score = result.score();
        Text snippet = result.snippet();
        if (snippet.contains(CAT)) {
            score += 10000;
        }
        if (snippet.contains(DOG)) {
            score -= 10000;
        }
        return score;
    }

    private static final class ResultReader extends StructReader {
        private final Text url = new Text();
        private final Text snippet = new Text();

        double score() {
            return f64(0);
        }

        Text url() {
            return text(0, url);
        }

        Text snippet() {
            return text(1, snippet);
        }
    }

    private static final class ResultsReader extends StructReader {
        private final StructList<ResultReader> results = new StructList<>(new ResultReader());

        StructList<ResultReader> results() {
            return list(0, results);
        }
    }

    private static final class ResultBuilder extends StructBuilder {
        ResultBuilder() {
            super(1, 2);
        }

        void fill(HitInput from) {
            put(0, from.score);
            text(0, from.url, from.urlLength);
            text(1, from.snippet, from.snippetLength);
        }

        void copy(ResultReader from, double score) {
            put(0, score);
            text(0, from.url());
            text(1, from.snippet());
        }
    }

    private static final class ResultsBuilder extends StructBuilder {
        private final StructListBuilder<ResultBuilder> results = new StructListBuilder<>(new ResultBuilder());

        ResultsBuilder() {
            super(0, 1);
        }

        StructListBuilder<ResultBuilder> results(int count) {
            return list(0, count, results);
        }
    }
}
