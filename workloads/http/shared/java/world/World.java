package world;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.concurrent.ThreadLocalRandom;

/** The table `world`. The same files serve java-jdk and java-helidon, and but for PostgreSQL java-vertx. */
public interface World {
    int ROWS = 10_000;

    static int randomId() {
        return ThreadLocalRandom.current().nextInt(ROWS) + 1;
    }

    static Row find(PreparedStatement select, int id) throws SQLException {
        select.setInt(1, id);
        try (var rows = select.executeQuery()) {
            if (!rows.next()) {
                throw new SQLException("no row " + id);
            }
            return new Row(rows.getInt(1), rows.getInt(2));
        }
    }

    /** Finds the row of a random id. */
    Row randomRow() throws SQLException;
}
