import java.sql.SQLException;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import world.Row;
import world.SqliteWorld;
import world.World;

/** The tests of a database for an event loop. */
interface Rows {
    /** The database that the environment names; null where it names none. */
    static Future<Rows> open(Vertx vertx) throws SQLException {
        String path = System.getenv("SQLITE");
        if (path != null && !path.isEmpty()) {
            return Future.succeededFuture(sqlite(path));
        }
        String uri = System.getenv("POSTGRESQL");
        return uri == null || uri.isEmpty() ? Future.succeededFuture() : PostgresRows.open(vertx, uri);
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

    /** Finds the row of a random id. */
    Future<Row> random();

    /** Finds random rows, each by a query of its own. */
    default Future<Row[]> random(int count) {
        return Future.failedFuture("only PostgreSQL has this");
    }

    /** Finds random rows, and gives them new numbers. */
    default Future<Row[]> updated(int count) {
        return Future.failedFuture("only PostgreSQL has this");
    }

    /** Random rows from memory. */
    default Future<Row[]> cached(int count) {
        return Future.failedFuture("only PostgreSQL has this");
    }

    /** The page of fortunes. */
    default Future<byte[]> fortunes() {
        return Future.failedFuture("only PostgreSQL has this");
    }
}
