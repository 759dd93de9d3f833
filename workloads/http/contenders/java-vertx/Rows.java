import java.sql.SQLException;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Tuple;
import world.Row;
import world.SqliteWorld;
import world.World;

/** Rows of the table `world` for an event loop. */
interface Rows {
    String SELECT = "SELECT id, randomnumber FROM world WHERE id = $1";
    /** More requests than this wait in the client and not in the connection. */
    int PIPELINED = 1024;

    /** The database that the environment names; null where it names none. */
    static Future<Rows> open(Vertx vertx) throws SQLException {
        String path = System.getenv("SQLITE");
        if (path != null && !path.isEmpty()) {
            return Future.succeededFuture(sqlite(path));
        }
        String uri = System.getenv("POSTGRESQL");
        return uri == null || uri.isEmpty() ? Future.succeededFuture() : postgres(vertx, uri);
    }

    /** A few microseconds, without waiting for anything: handing it to another thread would cost more. */
    private static Rows sqlite(String path) throws SQLException {
        World world = new SqliteWorld(path, 1);
        return () -> {
            try {
                return Future.succeededFuture(world.randomRow());
            } catch (SQLException failure) {
                return Future.failedFuture(failure);
            }
        };
    }

    /** One connection, which pipelines what is asked meanwhile. */
    private static Future<Rows> postgres(Vertx vertx, String uri) {
        var options = PgConnectOptions.fromUri(uri).setPipeliningLimit(PIPELINED);
        return PgConnection.connect(vertx, options)
            .compose(connection -> connection.prepare(SELECT))
            .map(select -> () -> select.query()
                .execute(Tuple.of(World.randomId()))
                .map(found -> found.iterator().next())
                .map(row -> new Row(row.getInteger(0), row.getInteger(1))));
    }

    /** Finds the row of a random id. */
    Future<Row> random();
}
