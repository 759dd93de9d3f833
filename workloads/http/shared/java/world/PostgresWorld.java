package world;

import java.net.URI;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

/** PostgreSQL, by a pool. The driver keeps a statement prepared once it was used a few times. */
public final class PostgresWorld implements World {
    private static final String SELECT = "SELECT id, randomnumber FROM world WHERE id = ?";
    private static final String UPDATE = "UPDATE world SET randomnumber = ? WHERE id = ?";
    private static final String FORTUNES = "SELECT id, message FROM fortune";
    private static final String CACHED = "SELECT id, randomnumber FROM cachedworld ORDER BY id";
    private static final int CONNECTIONS = 16;

    private final HikariDataSource pool;
    /** By id from 1. */
    private final Row[] cached;

    /** Takes libpq's form, postgresql://user@host:port/database. */
    public PostgresWorld(String libpq) throws SQLException {
        var uri = URI.create(libpq);
        var config = new HikariConfig();
        config.setJdbcUrl("jdbc:postgresql://" + uri.getHost() + ":" + uri.getPort() + uri.getPath());
        config.setUsername(uri.getUserInfo());
        config.setMaximumPoolSize(CONNECTIONS);
        pool = new HikariDataSource(config);
        cached = readCached();
    }

    private Row[] readCached() throws SQLException {
        var found = new ArrayList<Row>();
        try (var connection = pool.getConnection();
                var select = connection.prepareStatement(CACHED);
                var rows = select.executeQuery()) {
            while (rows.next()) {
                found.add(new Row(rows.getInt(1), rows.getInt(2)));
            }
        }
        return found.toArray(Row[]::new);
    }

    @Override
    public Row randomRow() throws SQLException {
        try (var connection = pool.getConnection(); var select = connection.prepareStatement(SELECT)) {
            return World.find(select, Ids.random());
        }
    }

    @Override
    public Row[] randomRows(int count) throws SQLException {
        try (var connection = pool.getConnection(); var select = connection.prepareStatement(SELECT)) {
            var rows = new Row[count];
            for (int i = 0; i < count; i++) {
                rows[i] = World.find(select, Ids.random());
            }
            return rows;
        }
    }

    @Override
    public Row[] updatedRows(int count) throws SQLException {
        try (var connection = pool.getConnection(); var select = connection.prepareStatement(SELECT)) {
            int[] ids = Ids.different(count);
            var rows = new Row[count];
            for (int i = 0; i < count; i++) {
                rows[i] = new Row(World.find(select, ids[i]).id(), Ids.random());
            }
            write(connection, rows);
            return rows;
        }
    }

    private static void write(Connection connection, Row[] rows) throws SQLException {
        try (PreparedStatement update = connection.prepareStatement(UPDATE)) {
            for (Row row : rows) {
                update.setInt(1, row.randomNumber());
                update.setInt(2, row.id());
                update.addBatch();
            }
            update.executeBatch();
        }
    }

    @Override
    public Row[] cachedRows(int count) {
        var rows = new Row[count];
        for (int i = 0; i < count; i++) {
            rows[i] = cached[Ids.random() - 1];
        }
        return rows;
    }

    @Override
    public byte[] fortunes() throws SQLException {
        var found = new ArrayList<Fortune>();
        try (var connection = pool.getConnection();
                var select = connection.prepareStatement(FORTUNES);
                var rows = select.executeQuery()) {
            while (rows.next()) {
                found.add(new Fortune(rows.getInt(1), rows.getString(2)));
            }
        }
        return Page.of(found);
    }
}
