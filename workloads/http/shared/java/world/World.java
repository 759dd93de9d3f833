package world;

import java.sql.PreparedStatement;
import java.sql.SQLException;

/** The table `world`. The same files serve java-jdk and java-helidon, and but for PostgreSQL java-vertx. */
public interface World {
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

    /** Finds random rows, each by a query of its own. */
    default Row[] randomRows(int count) throws SQLException {
        throw new SQLException("only PostgreSQL has this");
    }

    /** Finds random rows, and gives them new numbers. */
    default Row[] updatedRows(int count) throws SQLException {
        throw new SQLException("only PostgreSQL has this");
    }

    /** Random rows from memory. */
    default Row[] cachedRows(int count) throws SQLException {
        throw new SQLException("only PostgreSQL has this");
    }

    /** The page of fortunes. */
    default byte[] fortunes() throws SQLException {
        throw new SQLException("only PostgreSQL has this");
    }
}
