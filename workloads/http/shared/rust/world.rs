//! The tests of a database, by SQLite or by PostgreSQL. The same files serve all contenders in Rust.

mod postgres;

use askama::Template;
use postgres::Postgres;
use rusqlite::{Connection, OpenFlags};
use serde::Serialize;

pub type Error = Box<dyn std::error::Error + Send + Sync>;

const ROWS: i32 = 10_000;

/// A row of the table `world`.
#[derive(Clone, Copy, Serialize)]
pub struct Row {
    id: i32,
    #[serde(rename = "randomNumber")]
    random_number: i32,
}

/// A row of the table `fortune`.
pub struct Fortune {
    id: i32,
    message: String,
}

#[derive(Template)]
#[template(
    ext = "html",
    source = "<!DOCTYPE html><html><head><title>Fortunes</title></head><body><table>\
              <tr><th>id</th><th>message</th></tr>\
              {% for fortune in fortunes %}<tr><td>{{ fortune.id }}</td><td>{{ fortune.message }}</td></tr>{% endfor %}\
              </table></body></html>"
)]
struct Page {
    fortunes: Vec<Fortune>,
}

pub enum World {
    /// The connections are the threads' own: see `SQLITE`. It has the table `world` only.
    Sqlite,
    Postgres(Postgres),
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

fn random_id() -> i32 {
    fastrand::i32(1..=ROWS)
}

/// How many rows a query asks for, by its parameter `name`: 1 to 500, and 1 if it is no number.
pub fn count(query: Option<&str>, name: &str) -> usize {
    let pairs = query.unwrap_or_default().split('&');
    let value = pairs.filter_map(|pair| pair.split_once('=')).find(|(key, _)| *key == name);
    let count = value.and_then(|(_, value)| value.parse().ok());
    count.unwrap_or(1).clamp(1, 500)
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
        Ok(Some(World::Postgres(Postgres::open(&uri, connections).await?)))
    }

    pub async fn random_row(&self) -> Result<Row, Error> {
        match self {
            // A few microseconds, without waiting for anything: handing it to another thread would cost more.
            World::Sqlite => SQLITE.with(|sqlite| sqlite_row(sqlite, random_id())),
            World::Postgres(postgres) => postgres.row(random_id()).await,
        }
    }

    fn postgres(&self) -> Result<&Postgres, Error> {
        match self {
            World::Sqlite => Err("only PostgreSQL has this".into()),
            World::Postgres(postgres) => Ok(postgres),
        }
    }

    pub async fn random_rows(&self, count: usize) -> Result<Vec<Row>, Error> {
        self.postgres()?.rows(count).await
    }

    pub async fn updated_rows(&self, count: usize) -> Result<Vec<Row>, Error> {
        self.postgres()?.updated(count).await
    }

    pub fn cached_rows(&self, count: usize) -> Result<Vec<Row>, Error> {
        Ok(self.postgres()?.cached(count))
    }

    /// The page of fortunes.
    pub async fn fortunes(&self) -> Result<String, Error> {
        let mut fortunes = self.postgres()?.fortunes().await?;
        fortunes.push(Fortune {
            id: 0,
            message: "Additional fortune added at request time.".to_owned(),
        });
        fortunes.sort_by(|a, b| a.message.cmp(&b.message));
        Ok(Page { fortunes }.render()?)
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
