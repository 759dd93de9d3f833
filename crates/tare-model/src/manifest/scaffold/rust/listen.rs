extern "C" {
    fn listen(socket: i32, backlog: i32) -> i32;
}

fn main() -> Result<()> {
    let port = std::env::args().nth(1).unwrap_or_default();
    let listener = TcpListener::bind(format!("127.0.0.1:{port}"))?;
    // The standard library asks for a backlog of 128; a second call raises it.
    unsafe { listen(listener.as_raw_fd(), 4096) };
    for stream in listener.incoming().flatten() {
        std::thread::spawn(move || serve(stream));
    }
    Ok(())
}
