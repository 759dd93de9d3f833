use super::*;
use crate::job::Work;

const MACHINE: Resources = Resources {
    files: 20_000,
    ports: 28_232,
    backlog: 4096,
    all_files: None,
    memory: None,
    tracked: None,
    tcp_pages: None,
};

fn against_at(schedule: &Schedule, address: &Address, machine: Resources) -> Result<Vec<String>, LimitError> {
    against(schedule, &Need::shared(schedule, address, 1), machine)
}

fn batch(programs: u32, connections: u32) -> Schedule {
    Schedule::Batch {
        programs,
        connections,
        requests: 10,
        depth: 3,
    }
}

fn judged(schedule: Schedule, machine: Resources) -> Result<usize, String> {
    let result = against_at(&schedule, &Address::loopback(1), machine);
    result
        .map(|remarks| remarks.len())
        .map_err(|error| error.to_string())
}

#[test]
fn a_load_within_the_limits_passes() {
    assert_eq!(judged(batch(10, 500), MACHINE), Ok(0));
    assert_eq!(
        judged(
            Schedule::Capacity {
                connections: 256,
                depth: 3
            },
            MACHINE
        ),
        Ok(0)
    );
}

#[test]
fn too_few_descriptors_are_an_error_with_need_and_hint() {
    let text = judged(
        batch(10, 500),
        Resources {
            files: 1024,
            ..MACHINE
        },
    )
    .unwrap_err();
    assert!(
        text.contains("open files") && text.contains("5064") && text.contains("1024"),
        "{text}"
    );
    assert!(text.contains("ulimit -Hn"), "{text}");
}

#[test]
fn ports_are_counted_for_each_source_address() {
    let few = Resources {
        ports: 1000,
        ..MACHINE
    };
    assert_eq!(
        judged(batch(10, 500), few),
        Ok(0),
        "each program has a source of its own"
    );
    let text = judged(
        Schedule::Capacity {
            connections: 5000,
            depth: 1,
        },
        few,
    )
    .unwrap_err();
    assert!(
        text.contains("ephemeral ports") && text.contains("ip_local_port_range"),
        "{text}"
    );
    let far = "192.0.2.1:80".parse().unwrap();
    assert!(
        against_at(&batch(10, 500), &far, few).is_err(),
        "but not off loopback"
    );
    let unix = "unix:/x".parse().unwrap();
    assert!(
        against_at(&batch(10, 500), &unix, few).is_ok(),
        "and a Unix socket needs none"
    );
}

#[test]
fn levels_are_cut_to_what_is_carried_with_a_reason() {
    let levels = [256, 1024, 4096, 16_384];
    let cut = |targets, machine| cut_to(&levels, targets, &Address::loopback(1), machine);
    let one = cut(1, MACHINE).unwrap();
    assert_eq!((&one.levels[..], one.remark), (&levels[..], None));
    let many = cut(13, MACHINE).unwrap();
    assert_eq!(many.levels, [256, 1024]);
    let remark = many.remark.unwrap();
    for part in [
        "4096, 16384 connections",
        "13 contenders",
        "open files",
        "ulimit -Hn",
    ] {
        assert!(remark.contains(part), "{part}: {remark}");
    }
    let ports = Resources {
        ports: 5000,
        ..MACHINE
    };
    let few = cut(1, ports).unwrap();
    assert_eq!(few.levels, [256, 1024, 4096]);
    assert!(few.remark.unwrap().contains("ip_local_port_range"));
    let none = Resources {
        files: 100,
        ..MACHINE
    };
    assert_eq!(cut(1, none).unwrap_err().need, 256 + OTHER_FILES);
}

#[test]
fn a_small_backlog_is_remarked() {
    let low = Resources {
        backlog: 128,
        ..MACHINE
    };
    assert_eq!(judged(batch(10, 500), low), Ok(1));
    assert_eq!(judged(batch(1, 100), low), Ok(0));
}

fn capacity(connections: u32) -> Schedule {
    Schedule::Capacity {
        connections,
        depth: 1,
    }
}

#[test]
fn what_all_processes_share_is_asked_of_the_machine() {
    let quota = |used, most| Some(Quota { used, most });
    let short = [
        (
            Resources {
                all_files: quota(1000, 10_999),
                ..MACHINE
            },
            "fs.file-max=11000",
        ),
        (
            Resources {
                tracked: quota(20, 5019),
                ..MACHINE
            },
            "nf_conntrack_max=5020",
        ),
        (
            Resources {
                memory: Some(5000 * 10_239),
                ..MACHINE
            },
            "fewer connections",
        ),
    ];
    for (machine, hint) in short {
        let text = judged(capacity(5000), machine).unwrap_err();
        assert!(
            text.contains(hint) && text.contains("are needed"),
            "{hint}: {text}"
        );
        assert_eq!(judged(capacity(4900), machine), Ok(0), "{hint}");
    }
    let unix: Address = "unix:/x".parse().unwrap();
    assert!(
        against_at(&capacity(5000), &unix, short[1].0).is_ok(),
        "Unix sockets are not tracked"
    );
    let far: Address = "192.0.2.1:80".parse().unwrap();
    assert!(
        against_at(&capacity(5000), &far, short[0].0).is_ok(),
        "the file of the other end is not on this machine"
    );
    let full = Resources {
        memory: Some(0),
        ..MACHINE
    };
    assert_eq!(judged(capacity(64), full), Ok(0), "64 connections need little");
}

#[test]
fn buffers_that_may_not_do_are_remarked() {
    let pages = |left: u64| Resources {
        tcp_pages: Some(Quota {
            used: 50,
            most: left + 50,
        }),
        ..MACHINE
    };
    assert_eq!(judged(capacity(5000), pages(10_000)), Ok(0));
    let remarks = against_at(&capacity(5000), &Address::loopback(1), pages(9_999)).unwrap();
    assert!(
        remarks[0].contains("9999 pages") && remarks[0].contains("tcp_mem='5025 7537 10050'"),
        "{remarks:?}"
    );
}

#[test]
fn headroom_is_in_connections_with_the_command_for_more() {
    let machine = Resources {
        all_files: Some(Quota { used: 10, most: 1010 }),
        memory: Some(10_240 * 7),
        ..MACHINE
    };
    let rooms = headroom_of(50_000, machine);
    assert_eq!((rooms[0].connections, rooms[1].connections), (500, 7));
    assert_eq!(rooms[0].hint.as_deref(), Some("sysctl -w fs.file-max=100010"));
    assert_eq!((rooms.len(), &rooms[1].hint), (2, &None));
}

#[test]
fn a_process_holds_its_share_and_the_machine_all() {
    let address = Address::loopback(1);
    let most = most_of_one_process();
    let beyond = capacity(most.saturating_add(1));
    assert!(check(&beyond, &address).is_err(), "{most}");
    let target = Target::new(address, Work::doubling(1));
    // Each process may hold its share; a lack of memory for all of them is another error.
    if let Err(error) = check_target(&beyond, &target, 2) {
        assert!(!error.what.contains("one process"), "{error}");
    }
}

#[test]
fn connections_over_tls_need_more_memory() {
    let need = Need::shared(&capacity(5000), &Address::loopback(1), 1);
    let enough = Resources {
        memory: Some(need.memory()),
        ..MACHINE
    };
    assert!(against(&capacity(5000), &need, enough).is_ok());
    let error = against(&capacity(5000), &need.secured(), enough).unwrap_err();
    assert_eq!(error.need - error.found, 5000 * 8, "{error}");
}

#[test]
fn this_machine_carries_one_connection() {
    assert!(
        check(
            &Schedule::Capacity {
                connections: 1,
                depth: 1
            },
            &Address::loopback(1)
        )
        .is_ok()
    );
}
