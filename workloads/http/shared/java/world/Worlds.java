package world;

import java.sql.SQLException;

/** Opens the table `world` by JDBC, whichever database has it. */
public final class Worlds {
    private Worlds() {}

    /** The database that the environment names; null where it names none. */
    public static World open() throws SQLException {
        String path = System.getenv("SQLITE");
        if (path != null && !path.isEmpty()) {
            return new SqliteWorld(path, Runtime.getRuntime().availableProcessors());
        }
        String uri = System.getenv("POSTGRESQL");
        return uri == null || uri.isEmpty() ? null : new PostgresWorld(uri);
    }
}
