import java.net.URI;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Properties;

/** The table, through a prepared statement on a connection of the thread's own. */
final class Rows {
    static final int COUNT = 10_000;

    private final PreparedStatement byId;

    private Rows(Connection connection) throws SQLException {
        byId = connection.prepareStatement("SELECT randomNumber FROM world WHERE id = ?");
    }

    /** From an SQLite file, or from a server at a libpq URI; an empty text is none. Null where there is neither. */
    static Rows open(String sqlite, String postgresql) throws SQLException {
        if (!sqlite.isEmpty()) {
            return new Rows(openSqlite(sqlite));
        }
        return postgresql.isEmpty() ? null : new Rows(openPostgresql(postgresql));
    }

    private static Connection openSqlite(String file) throws SQLException {
        Properties settings = new Properties();
        settings.setProperty("open_mode", "1"); // SQLITE_OPEN_READONLY
        return DriverManager.getConnection("jdbc:sqlite:" + file, settings);
    }

    private static Connection openPostgresql(String text) throws SQLException {
        URI uri = URI.create(text);
        Properties settings = new Properties();
        settings.setProperty("user", uri.getUserInfo());
        settings.setProperty("prepareThreshold", "1"); // prepared on the server from the first time on
        return DriverManager.getConnection("jdbc:postgresql://" + uri.getAuthority().replaceFirst(".*@", "") + uri.getPath(),
                settings);
    }

    /** The number in the row, which must be there. */
    int numberOf(int id) throws SQLException {
        byId.setInt(1, id);
        try (ResultSet rows = byId.executeQuery()) {
            if (!rows.next()) {
                throw new SQLException("table world has no row with id " + id);
            }
            return rows.getInt(1);
        }
    }
}
