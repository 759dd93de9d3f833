//! The page by askama, whose templates are compiled to Rust, on axum.

use askama::Template;
use axum::http::StatusCode;
use axum::response::Html;
use axum::routing::get;
use axum::Router;
use page::Asked;

#[path = "../with/page.rs"]
mod page;

#[derive(Template)]
#[template(path = "table.html")]
struct Table {
    rows: u32,
    columns: u32,
}

async fn table(asked: Asked) -> Result<Html<String>, (StatusCode, String)> {
    let Asked { rows, columns } = asked;
    let page = Table { rows, columns }.render();
    page.map(Html)
        .map_err(|error| (StatusCode::INTERNAL_SERVER_ERROR, error.to_string()))
}

fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    page::run(Router::new().route("/", get(table)))
}
