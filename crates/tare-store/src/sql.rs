//! Small helpers around SQL: inserting named columns, and reading values that must parse.

use std::fmt::Display;
use std::str::FromStr;

use rusqlite::types::Type;
use rusqlite::{Connection, Params, Result, Row, ToSql};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Inserts one row and returns its rowid. Each column is named beside its value, so that they cannot be mixed up.
pub(crate) fn insert(connection: &Connection, table: &str, columns: &[(&str, &dyn ToSql)]) -> Result<i64> {
    let names: Vec<&str> = columns.iter().map(|(name, _)| *name).collect();
    let marks = vec!["?"; columns.len()].join(", ");
    let sql = format!("INSERT INTO {table} ({}) VALUES ({marks})", names.join(", "));
    let values: Vec<&dyn ToSql> = columns.iter().map(|(_, value)| *value).collect();
    connection.prepare_cached(&sql)?.insert(values.as_slice())
}

/// All rows of a query, each made into a value.
pub(crate) fn all<T>(
    connection: &Connection,
    sql: &str,
    params: impl Params,
    read: impl FnMut(&Row) -> Result<T>,
) -> Result<Vec<T>> {
    connection.prepare_cached(sql)?.query_map(params, read)?.collect()
}

/// A value's serialised form.
pub(crate) fn json(value: &impl Serialize) -> Result<String> {
    serde_json::to_string(value).map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))
}

/// The value of a column that holds a serialised form.
pub(crate) fn of_json<T: DeserializeOwned>(row: &Row, column: &str) -> Result<T> {
    let text: String = row.get(column)?;
    serde_json::from_str(&text).map_err(|error| bad(row, column, &error))
}

/// A column whose text is the name of something.
pub(crate) fn parse<T: FromStr<Err: Display>>(row: &Row, column: &str) -> Result<T> {
    let text: String = row.get(column)?;
    text.parse().map_err(|error| bad(row, column, &error))
}

/// The error for an invalid value of a column.
pub(crate) fn bad(row: &Row, column: &str, why: &dyn Display) -> rusqlite::Error {
    let index = row.as_ref().column_index(column).unwrap_or(0);
    let key: i64 = row.get(0).unwrap_or(-1);
    let text = format!("`{column}` of row {key}: {why}");
    rusqlite::Error::FromSqlConversionFailure(index, Type::Text, text.into())
}

/// A count as SQLite's signed 64-bit integer with the same bits, so that every value fits.
pub(crate) fn bits(count: u64) -> i64 {
    count.cast_signed()
}

/// A count that was stored by `bits`.
pub(crate) fn count(row: &Row, column: &str) -> Result<u64> {
    row.get(column).map(i64::cast_unsigned)
}

/// A real number. SQLite stores NaN as NULL.
pub(crate) fn real(row: &Row, column: &str) -> Result<f64> {
    row.get(column)
        .map(|value: Option<f64>| value.unwrap_or(f64::NAN))
}

/// An index, stored as an integer.
pub(crate) fn index(row: &Row, column: &str) -> Result<usize> {
    let value: u32 = row.get(column)?;
    Ok(value as usize)
}
