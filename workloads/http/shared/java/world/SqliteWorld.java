package world;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

import org.sqlite.SQLiteConfig;

/** SQLite, by a few connections, each with its prepared statement; more than processors would only wait for them. */
public final class SqliteWorld implements World {
    private static final String SELECT = "SELECT id, randomNumber FROM world WHERE id = ?";

    private final BlockingQueue<PreparedStatement> idle = new LinkedBlockingQueue<>();

    public SqliteWorld(String path, int connections) throws SQLException {
        var config = new SQLiteConfig();
        config.setReadOnly(true);
        for (int i = 0; i < connections; i++) {
            idle.add(config.createConnection("jdbc:sqlite:" + path).prepareStatement(SELECT));
        }
    }

    @Override
    public Row randomRow() throws SQLException {
        PreparedStatement select;
        try {
            select = idle.take();
        } catch (InterruptedException interrupted) {
            throw new SQLException(interrupted);
        }
        try {
            return World.find(select, Ids.random());
        } finally {
            idle.add(select);
        }
    }
}
