//! Answers of servers of HTTP/2, right and wrong, as bytes.

mod answers;
mod calls;
mod heads;
mod talk;
mod windows;
mod wrong;
