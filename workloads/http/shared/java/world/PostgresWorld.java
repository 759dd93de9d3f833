package world;

import java.net.URI;
import java.sql.SQLException;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

/** PostgreSQL, by a pool. The driver keeps a statement prepared once it was used a few times. */
public final class PostgresWorld implements World {
    private static final String SELECT = "SELECT id, randomnumber FROM world WHERE id = ?";
    private static final int CONNECTIONS = 16;

    private final HikariDataSource pool;

    /** Takes libpq's form, postgresql://user@host:port/database. */
    public PostgresWorld(String libpq) {
        var uri = URI.create(libpq);
        var config = new HikariConfig();
        config.setJdbcUrl("jdbc:postgresql://" + uri.getHost() + ":" + uri.getPort() + uri.getPath());
        config.setUsername(uri.getUserInfo());
        config.setMaximumPoolSize(CONNECTIONS);
        pool = new HikariDataSource(config);
    }

    @Override
    public Row randomRow() throws SQLException {
        try (var connection = pool.getConnection(); var select = connection.prepareStatement(SELECT)) {
            return World.find(select, World.randomId());
        }
    }
}
