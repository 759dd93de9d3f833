//! Code for Rust from the schema that all contenders share.

fn main() {
    capnpc::CompilerCommand::new()
        .src_prefix("with/schema")
        .file("with/schema/jobs.capnp")
        .run()
        .expect("the schema compiler `capnp` is needed");
}
