//! Rows of the table `world`, from SQLite or from PostgreSQL. The same file serves all contenders in Rust.

use std::sync::atomic::{AtomicUsize, Ordering};

use rusqlite::{Connection, OpenFlags};
use serde::Serialize;
use tokio_postgres::{Client, NoTls, Statement};

pub type Error = Box<dyn std::error::Error + Send + Sync>;

const ROWS: i32 = 10_000;

#[derive(Serialize)]
pub struct Row {
    id: i32,
    #[serde(rename = "randomNumber")]
    random_number: i32,
}

pub enum World {
    /// The connections are the threads' own: see `SQLITE`.
    Sqlite,
    /// Requests take turns on a few connections, each of which pipelines what is asked meanwhile.
    Postgres {
        clients: Vec<(Client, Statement)>,
        next: AtomicUsize,
    },
}

thread_local! {
    static SQLITE: Connection = open_sqlite().expect("the database was opened once before");
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

fn open_sqlite() -> Result<Connection, Error> {
    let path = variable("SQLITE").ok_or("SQLITE is not set")?;
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    Ok(Connection::open_with_flags(path, flags)?)
}

async fn open_postgres(uri: &str) -> Result<(Client, Statement), Error> {
    let (client, connection) = tokio_postgres::connect(uri, NoTls).await?;
    // When the connection breaks, whoever uses the client is told.
    tokio::spawn(async move { connection.await.ok() });
    let select = "SELECT id, randomnumber FROM world WHERE id = $1";
    let select = client.prepare(select).await?;
    Ok((client, select))
}

impl World {
    /// The database that the environment names, if any; PostgreSQL through so many connections.
    pub async fn from_environment(connections: usize) -> Result<Option<World>, Error> {
        if variable("SQLITE").is_some() {
            open_sqlite()?;
            return Ok(Some(World::Sqlite));
        }
        let Some(uri) = variable("POSTGRESQL") else {
            return Ok(None);
        };
        let mut clients = Vec::new();
        for _ in 0..connections {
            clients.push(open_postgres(&uri).await?);
        }
        let next = AtomicUsize::new(0);
        Ok(Some(World::Postgres { clients, next }))
    }

    pub async fn random_row(&self) -> Result<Row, Error> {
        let id = fastrand::i32(1..=ROWS);
        match self {
            // A few microseconds, without waiting for anything: handing it to another thread would cost more.
            World::Sqlite => SQLITE.with(|sqlite| sqlite_row(sqlite, id)),
            World::Postgres { clients, next } => {
                let turn = next.fetch_add(1, Ordering::Relaxed) % clients.len();
                let (client, select) = &clients[turn];
                let row = client.query_one(select, &[&id]).await?;
                Ok(Row {
                    id: row.try_get(0)?,
                    random_number: row.try_get(1)?,
                })
            }
        }
    }
}

fn sqlite_row(sqlite: &Connection, id: i32) -> Result<Row, Error> {
    let mut select = sqlite.prepare_cached("SELECT id, randomNumber FROM world WHERE id = ?")?;
    let row = select.query_row([id], |row| {
        Ok(Row {
            id: row.get(0)?,
            random_number: row.get(1)?,
        })
    })?;
    Ok(row)
}
