//! The command as a person has it: the built `tare` on small labs of servers that behave or misbehave, its exit
//! status, what it says, what it keeps, and that it leaves nothing running.

// A table of cases is one function, however many they are.
#![allow(clippy::too_many_lines)]
// Some tests are fixtures in another process: they print and exit.
#![allow(clippy::exit, clippy::print_stdout, clippy::print_stderr)]

mod agents;
mod alone;
mod bench;
mod bench_job;
mod chaos;
mod comment_workflow;
mod containers;
mod contenders;
mod diff;
mod diff_command;
mod diff_comment;
mod doctor;
mod elsewhere;
mod explains;
mod forked;
mod fronts;
mod gate;
mod generated;
mod history;
mod holds;
mod hosts;
mod import_suites;
mod lab;
mod load;
mod load_dialogs;
mod load_options;
mod load_rates;
mod load_refused;
mod load_requests;
mod load_targets;
mod load_tls;
mod load_turns;
mod manifests;
mod manual;
mod merge;
mod messages;
mod misbehave;
mod modes;
mod newcomer;
mod on;
mod outside;
mod pages;
mod plan;
mod postgresql;
mod prober;
mod probes;
mod reached;
mod release;
mod responder;
mod scaffold;
mod secured;
mod services;
mod site;
mod suite_folders;
mod suites;
mod supervision;
mod tables;
mod tfb;
mod time;
mod time_documents;
mod time_faults;
