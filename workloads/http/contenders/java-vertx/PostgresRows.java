import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.PreparedStatement;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import world.Fortune;
import world.Ids;
import world.Page;
import world.Row;

/** PostgreSQL by one connection, which pipelines what is asked meanwhile. */
final class PostgresRows implements Rows {
    private static final String SELECT = "SELECT id, randomnumber FROM world WHERE id = $1";
    private static final String UPDATE = "UPDATE world SET randomnumber = new.number "
        + "FROM unnest($1::int4[], $2::int4[]) AS new (id, number) WHERE world.id = new.id";
    private static final String FORTUNES = "SELECT id, message FROM fortune";
    private static final String CACHED = "SELECT id, randomnumber FROM cachedworld ORDER BY id";
    /** More requests than this wait in the client and not in the connection. */
    private static final int PIPELINED = 1024;

    private final PreparedStatement select;
    private final PreparedStatement update;
    private final PreparedStatement fortunes;
    /** By id from 1. */
    private final List<Row> cached;

    private PostgresRows(List<PreparedStatement> statements, List<Row> cached) {
        select = statements.get(0);
        update = statements.get(1);
        fortunes = statements.get(2);
        this.cached = cached;
    }

    static Future<Rows> open(Vertx vertx, String uri) {
        var options = PgConnectOptions.fromUri(uri).setPipeliningLimit(PIPELINED);
        return PgConnection.connect(vertx, options).compose(PostgresRows::prepared);
    }

    private static Future<Rows> prepared(PgConnection connection) {
        var statements = List.of(connection.prepare(SELECT), connection.prepare(UPDATE), connection.prepare(FORTUNES));
        return Future.all(statements)
            .map(all -> all.<PreparedStatement>list())
            .compose(all -> connection.query(CACHED)
                .execute()
                .map(found -> new PostgresRows(all, rows(found))));
    }

    private static Row row(io.vertx.sqlclient.Row row) {
        return new Row(row.getInteger(0), row.getInteger(1));
    }

    private static List<Row> rows(RowSet<io.vertx.sqlclient.Row> found) {
        var rows = new ArrayList<Row>();
        found.forEach(each -> rows.add(row(each)));
        return rows;
    }

    private Future<Row> find(int id) {
        return select.query().execute(Tuple.of(id)).map(found -> row(found.iterator().next()));
    }

    private Future<Row[]> find(IntStream ids) {
        var all = ids.mapToObj(this::find).toList();
        return Future.all(all).map(found -> found.<Row>list().toArray(Row[]::new));
    }

    @Override
    public Future<Row> random() {
        return find(Ids.random());
    }

    @Override
    public Future<Row[]> random(int count) {
        return find(IntStream.range(0, count).map(i -> Ids.random()));
    }

    @Override
    public Future<Row[]> updated(int count) {
        return find(IntStream.of(Ids.different(count)))
            .map(found -> Arrays.stream(found).map(row -> new Row(row.id(), Ids.random())).toArray(Row[]::new))
            .compose(rows -> update.query().execute(numbers(rows)).map(rows));
    }

    private static Tuple numbers(Row[] rows) {
        return Tuple.tuple()
            .addArrayOfInteger(Arrays.stream(rows).map(Row::id).toArray(Integer[]::new))
            .addArrayOfInteger(Arrays.stream(rows).map(Row::randomNumber).toArray(Integer[]::new));
    }

    @Override
    public Future<Row[]> cached(int count) {
        return Future.succeededFuture(
            IntStream.range(0, count).mapToObj(i -> cached.get(Ids.random() - 1)).toArray(Row[]::new));
    }

    @Override
    public Future<byte[]> fortunes() {
        return fortunes.query().execute().map(found -> {
            var all = new ArrayList<Fortune>();
            found.forEach(row -> all.add(new Fortune(row.getInteger(0), row.getString(1))));
            return Page.of(all);
        });
    }
}
