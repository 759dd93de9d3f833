import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import jobs.Jobs;
import org.capnproto.StructFactory;
import org.capnproto.StructList;

/** Search results, sorted after cats and dogs were looked for in them. */
final class Catrank
        implements Exchange<
            Jobs.SearchResults.Builder, Jobs.SearchResults.Reader, Jobs.SearchResults.Builder,
            Jobs.SearchResults.Reader> {
    private record Scored(double score, Jobs.SearchResult.Reader result) {}

    @Override
    public StructFactory<Jobs.SearchResults.Builder, Jobs.SearchResults.Reader> request() {
        return Jobs.SearchResults.factory;
    }

    @Override
    public StructFactory<Jobs.SearchResults.Builder, Jobs.SearchResults.Reader> response() {
        return Jobs.SearchResults.factory;
    }

    @Override
    public void ask(int number, Jobs.SearchResults.Builder request) {
        HitInput hit = new HitInput(new Draws(Draws.CATRANK, number));
        for (Jobs.SearchResult.Builder result : request.initResults(hit.count)) {
            hit.draw();
            result.setScore(hit.score);
            result.setUrl(hit.url());
            result.setSnippet(hit.snippet());
        }
    }

    @Override
    public void serve(Jobs.SearchResults.Reader request, Jobs.SearchResults.Builder response) {
        List<Scored> scored = new ArrayList<>();
        for (Jobs.SearchResult.Reader result : request.getResults()) {
            scored.add(new Scored(score(result), result));
        }
        scored.sort(Comparator.comparingDouble(Scored::score).reversed());
        StructList.Builder<Jobs.SearchResult.Builder> ranked = response.initResults(scored.size());
        for (int i = 0; i < scored.size(); i++) {
            Jobs.SearchResult.Builder to = ranked.get(i);
            to.setScore(scored.get(i).score);
            to.setUrl(scored.get(i).result.getUrl());
            to.setSnippet(scored.get(i).result.getSnippet());
        }
    }

    @Override
    public long answer(Jobs.SearchResults.Reader response) {
        int fold = 0;
        for (Jobs.SearchResult.Reader result : response.getResults()) {
            String url = result.getUrl().toString();
            int last = url.isEmpty() ? 0 : url.charAt(url.length() - 1);
            int texts = 7 * url.length() + last + result.getSnippet().size();
            fold = 31 * fold + (int) result.getScore() + texts;
        }
        return Integer.toUnsignedLong(fold);
    }

    private static double score(Jobs.SearchResult.Reader result) {
        double score = result.getScore();
        String snippet = result.getSnippet().toString();
        if (snippet.contains(" cat ")) {
            score += 10000;
        }
        if (snippet.contains(" dog ")) {
            score -= 10000;
        }
        return score;
    }
}
