//! PostgreSQL: a few connections, each of which pipelines what is asked meanwhile.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};

use futures_util::future::try_join_all;
use tokio_postgres::{Client, NoTls, Statement};

use super::{Error, Fortune, Row, random_id};

const SELECT: &str = "SELECT id, randomnumber FROM world WHERE id = $1";
const UPDATE: &str = "UPDATE world SET randomnumber = new.number \
                      FROM unnest($1::int4[], $2::int4[]) AS new (id, number) WHERE world.id = new.id";
const FORTUNES: &str = "SELECT id, message FROM fortune";
const CACHED: &str = "SELECT id, randomnumber FROM cachedworld ORDER BY id";

/// A connection with its statements.
struct Connection {
    client: Client,
    select: Statement,
    update: Statement,
    fortunes: Statement,
}

pub struct Postgres {
    connections: Vec<Connection>,
    next: AtomicUsize,
    /// The rows of the table `cachedworld`, by id from 1.
    cached: Vec<Row>,
}

impl Postgres {
    /// With so many connections, on which requests take turns.
    pub async fn open(uri: &str, connections: usize) -> Result<Self, Error> {
        let mut opened = Vec::new();
        for _ in 0..connections {
            opened.push(Connection::open(uri).await?);
        }
        let cached = match opened.first() {
            Some(first) => first.client.query(CACHED, &[]).await?,
            None => Vec::new(),
        };
        Ok(Self {
            connections: opened,
            next: AtomicUsize::new(0),
            cached: cached.iter().map(row).collect::<Result<_, _>>()?,
        })
    }

    fn connection(&self) -> &Connection {
        let turn = self.next.fetch_add(1, Ordering::Relaxed) % self.connections.len();
        &self.connections[turn]
    }

    pub async fn row(&self, id: i32) -> Result<Row, Error> {
        self.connection().row(id).await
    }

    /// Random rows, each by a query of its own; all of them are under way at once.
    pub async fn rows(&self, count: usize) -> Result<Vec<Row>, Error> {
        let connection = self.connection();
        try_join_all((0..count).map(|_| connection.row(random_id()))).await
    }

    /// Random rows, all different, which are read, given new numbers, and written by one statement: in the order of their ids,
    /// so that no two requests wait for each other.
    pub async fn updated(&self, count: usize) -> Result<Vec<Row>, Error> {
        let connection = self.connection();
        let mut ids = BTreeSet::new();
        while ids.len() < count {
            ids.insert(random_id());
        }
        let mut rows = try_join_all(ids.iter().map(|id| connection.row(*id))).await?;
        for row in &mut rows {
            row.random_number = random_id();
        }
        let ids: Vec<i32> = rows.iter().map(|row| row.id).collect();
        let numbers: Vec<i32> = rows.iter().map(|row| row.random_number).collect();
        connection.client.execute(&connection.update, &[&ids, &numbers]).await?;
        Ok(rows)
    }

    pub async fn fortunes(&self) -> Result<Vec<Fortune>, Error> {
        let connection = self.connection();
        let found = connection.client.query(&connection.fortunes, &[]).await?;
        let fortune = |row: &tokio_postgres::Row| {
            Ok(Fortune {
                id: row.try_get(0)?,
                message: row.try_get(1)?,
            })
        };
        found.iter().map(fortune).collect()
    }

    /// Random rows from memory.
    pub fn cached(&self, count: usize) -> Vec<Row> {
        (0..count).map(|_| self.cached[random_id() as usize - 1]).collect()
    }
}

impl Connection {
    async fn open(uri: &str) -> Result<Self, Error> {
        let (client, connection) = tokio_postgres::connect(uri, NoTls).await?;
        // When the connection breaks, whoever uses the client is told.
        tokio::spawn(async move { connection.await.ok() });
        Ok(Self {
            select: client.prepare(SELECT).await?,
            update: client.prepare(UPDATE).await?,
            fortunes: client.prepare(FORTUNES).await?,
            client,
        })
    }

    async fn row(&self, id: i32) -> Result<Row, Error> {
        row(&self.client.query_one(&self.select, &[&id]).await?)
    }
}

fn row(row: &tokio_postgres::Row) -> Result<Row, Error> {
    Ok(Row {
        id: row.try_get(0)?,
        random_number: row.try_get(1)?,
    })
}
