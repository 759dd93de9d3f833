//! FrameworkBenchmarks' tests on actix-web: an event loop a core, each with its own application.

use actix_web::http::header::{ContentType, SERVER};
use actix_web::middleware::DefaultHeaders;
use actix_web::web::{get, Data, Json, ServiceConfig};
use actix_web::{App, HttpResponse, HttpServer};
use serde::Serialize;
use world::{Error, Row, World};

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

async fn db(world: Data<Option<World>>) -> actix_web::Result<Json<Row>> {
    let Some(world) = world.get_ref() else {
        return Err(actix_web::error::ErrorNotFound("no database"));
    };
    let row = world.random_row().await;
    Ok(Json(row.map_err(actix_web::error::ErrorInternalServerError)?))
}

fn routes(config: &mut ServiceConfig) {
    config
        .route("/plaintext", get().to(plaintext))
        .route("/json", get().to(json))
        .route("/db", get().to(db));
}

#[actix_web::main]
async fn main() -> Result<(), Error> {
    let mut args = std::env::args().skip(1);
    let (Some(port), Some(threads)) = (args.next(), args.next()) else {
        return Err("usage: server PORT THREADS".into());
    };
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
        .bind(("127.0.0.1", port.parse()?))?;
    Ok(server.run().await?)
}
