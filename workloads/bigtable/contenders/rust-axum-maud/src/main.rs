//! The page by maud, a macro that compiles markup to Rust, on axum.

use axum::response::Html;
use axum::routing::get;
use axum::Router;
use maud::{html, DOCTYPE};
use page::Asked;

#[path = "../with/page.rs"]
mod page;

async fn table(asked: Asked) -> Html<String> {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            title { "A large table" }
            table {
                @for _ in 0..asked.rows {
                    tr {
                        @for column in 1..=asked.columns {
                            td { (column) }
                        }
                    }
                }
            }
        }
    };
    Html(page.into_string())
}

fn main() -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    page::run(Router::new().route("/", get(table)))
}
