//! FrameworkBenchmarks' tests on actix-web: an event loop a core, each with its own application.

use actix_web::http::header::{ContentType, SERVER};
use actix_web::middleware::DefaultHeaders;
use actix_web::web::{get, Data, Json, ServiceConfig};
use actix_web::{App, HttpRequest, HttpResponse, HttpServer};
use serde::Serialize;
use world::{count, Error, Row, World};

#[path = "../with/world.rs"]
mod world;

const BACKLOG: u32 = 4096;

#[derive(Serialize)]
struct Message {
    message: &'static str,
}

async fn plaintext() -> HttpResponse {
    HttpResponse::Ok()
        .content_type(ContentType::plaintext())
        .body("Hello, World!")
}

async fn json() -> Json<Message> {
    Json(Message {
        message: "Hello, World!",
    })
}

/// The database, or the answer that there is none.
fn opened(world: &Data<Option<World>>) -> actix_web::Result<&World> {
    let world = world.get_ref().as_ref();
    world.ok_or_else(|| actix_web::error::ErrorNotFound("no database"))
}

fn json_of<T>(found: Result<T, Error>) -> actix_web::Result<Json<T>> {
    Ok(Json(found.map_err(actix_web::error::ErrorInternalServerError)?))
}

async fn db(world: Data<Option<World>>) -> actix_web::Result<Json<Row>> {
    json_of(opened(&world)?.random_row().await)
}

async fn queries(world: Data<Option<World>>, request: HttpRequest) -> actix_web::Result<Json<Vec<Row>>> {
    let count = count(Some(request.query_string()), "queries");
    json_of(opened(&world)?.random_rows(count).await)
}

async fn cached_queries(world: Data<Option<World>>, request: HttpRequest) -> actix_web::Result<Json<Vec<Row>>> {
    let count = count(Some(request.query_string()), "count");
    json_of(opened(&world)?.cached_rows(count))
}

async fn updates(world: Data<Option<World>>, request: HttpRequest) -> actix_web::Result<Json<Vec<Row>>> {
    let count = count(Some(request.query_string()), "queries");
    json_of(opened(&world)?.updated_rows(count).await)
}

async fn fortunes(world: Data<Option<World>>) -> actix_web::Result<HttpResponse> {
    let page = opened(&world)?.fortunes().await;
    let page = page.map_err(actix_web::error::ErrorInternalServerError)?;
    Ok(HttpResponse::Ok().content_type(ContentType::html()).body(page))
}

fn routes(config: &mut ServiceConfig) {
    config
        .route("/plaintext", get().to(plaintext))
        .route("/json", get().to(json))
        .route("/db", get().to(db))
        .route("/queries", get().to(queries))
        .route("/cached-queries", get().to(cached_queries))
        .route("/updates", get().to(updates))
        .route("/fortunes", get().to(fortunes));
}

#[actix_web::main]
async fn main() -> Result<(), Error> {
    let mut args = std::env::args().skip(1);
    let (Some(port), Some(threads)) = (args.next(), args.next()) else {
        return Err("usage: server PORT THREADS".into());
    };
    // On loopback, unless other machines are to reach it.
    let host = std::env::var("HOST").unwrap_or("127.0.0.1".to_owned());
    let application = || {
        App::new()
            .wrap(DefaultHeaders::new().add((SERVER, "actix-web")))
            // Each event loop has a connection to the database of its own.
            .data_factory(|| World::from_environment(1))
            .configure(routes)
    };
    let server = HttpServer::new(application)
        .workers(threads.parse()?)
        .backlog(BACKLOG)
        .tcp_nodelay(true)
        .bind((host, port.parse()?))?;
    Ok(server.run().await?)
}
