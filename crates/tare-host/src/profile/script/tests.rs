use super::*;

const WINDOWS: [Window; 2] = [
    Window {
        round: 0,
        from: 10.0,
        to: 11.0,
    },
    Window {
        round: 3,
        from: 20.0,
        to: 21.0,
    },
];

const TEXT: &str = "\
my server: 2 2519/2520  10.242493101:     500250 cpu-clock: 
\tffffffff816b62b7 tcp_sendmsg ([kernel.kallsyms])
\tffffffff81000130 entry_SYSCALL_64_after_hwframe ([kernel.kallsyms])
\t           f82ad write (/usr/lib/x86_64-linux-gnu/libc.so.6)
\t            10a3 main (/lab/.tare/build/x/out/server)

my server: 2 2519/2520  10.342493101:     500250 cpu-clock: 
\tffffffff816b62b7 tcp_sendmsg ([kernel.kallsyms])
\tffffffff81000130 entry_SYSCALL_64_after_hwframe ([kernel.kallsyms])
\t           f82ad write (/usr/lib/x86_64-linux-gnu/libc.so.6)
\t            10a3 main (/lab/.tare/build/x/out/server)

GC Thread#0  2519/2521  15.0:     500250 cpu-clock:u: 
\t            10a3 dropped (/lab/.tare/build/x/out/server)

node  2519/2519  20.5:     500250 cpu-clock: 
\t    7f0000001000 LazyCompile:*f (x) /a.js:1:2 (/tmp/perf-2519.map)
\t    7f0000002000 [unknown] ([JIT] tid 2519)
\t    7f0000003000 gone (/lab/lib.so (deleted))
";

fn read(text: &str) -> Profile {
    let mut reader = StackReader::new(&WINDOWS, Path::new("/lab/.tare/build/x/out"));
    text.lines().for_each(|line| reader.line(line));
    reader.finish()
}

#[test]
fn samples_become_stacks_of_their_rounds() {
    let profile = read(TEXT);
    assert_eq!(profile.threads, ["my server: 2", "node"]);
    let told: Vec<(u32, u64, usize)> = profile
        .stacks
        .iter()
        .map(|stack| (stack.round, stack.nanos, stack.frames.len()))
        .collect();
    assert_eq!(told, [(0, 2 * 500_250, 4), (3, 500_250, 3)]);
    let frame = |index: u32| {
        let frame = &profile.frames[index as usize];
        (frame.symbol.as_str(), frame.image.as_str(), frame.own)
    };
    let frames: Vec<_> = profile.stacks[0].frames.iter().copied().map(frame).collect();
    assert_eq!(frames[0], ("tcp_sendmsg", "[kernel]", false));
    assert_eq!(frames[2], ("write", "libc.so.6", false));
    assert_eq!(frames[3], ("main", "server", true));
    let frames: Vec<_> = profile.stacks[1].frames.iter().copied().map(frame).collect();
    assert_eq!(
        frames,
        [
            ("LazyCompile:*f (x) /a.js:1:2", "[jit]", false),
            ("", "[jit]", false),
            ("gone", "lib.so", false),
        ]
    );
}

#[test]
fn what_is_cut_off_in_the_middle_is_kept_up_to_there() {
    // Cut between any two characters: nothing breaks, and no time is invented.
    for end in (0..TEXT.len()).filter(|&end| TEXT.is_char_boundary(end)) {
        let total: u64 = read(&TEXT[..end]).stacks.iter().map(|stack| stack.nanos).sum();
        assert!(total <= 3 * 500_250, "{end}");
    }
}

/// Foreign bytes: reading goes on whatever `perf script` or a symbol table holds. A failure prints the seed.
#[test]
fn no_line_breaks_the_readers() {
    let pieces = [
        "\t",
        " ",
        ":",
        "(",
        ")",
        " (",
        "ffffffff81",
        "10.5:",
        "NR 1 = ",
        "-9",
        "cpu-clock:",
        "7/7",
        "\u{fffd}",
        "99",
        "PERF_RECORD_LOST",
        "lost:",
        "/tmp/perf-",
        ".map)",
        "[JIT]",
        " (deleted))",
        "main",
    ];
    for seed in 0..400u64 {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut next = |below: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state % below as u64) as usize
        };
        let mut stacks = StackReader::new(&WINDOWS, Path::new("/lab"));
        let mut calls = CallReader::new(&WINDOWS);
        for _ in 0..40 {
            let line: String = (0..next(9)).map(|_| pieces[next(pieces.len())]).collect();
            stacks.line(&line);
            calls.line(&line);
        }
        let profile = stacks.finish();
        let known = |index: &u32| (*index as usize) < profile.frames.len();
        assert!(
            profile.stacks.iter().all(|stack| stack.frames.iter().all(known)),
            "seed {seed}"
        );
        calls.finish();
    }
}

#[test]
fn calls_are_counted_by_name() {
    let (read, write) = (libc::SYS_read, libc::SYS_write);
    let clone = libc::SYS_clone;
    let text = format!(
        " 10.5: NR {write} = 13\n 10.6: NR {write} = -11\n10.7: NR {read} = 100\n 12.0: NR {write} = 13\n\
         20.1: NR {clone} = 77\n 20.1: NR {clone} = 0\n\
         20.2: NR 99999 = 5\nserver 20.3: PERF_RECORD_LOST id:12 lost:34\nnonsense\n"
    );
    let mut reader = CallReader::new(&WINDOWS);
    text.lines().for_each(|line| reader.line(line));
    let called = reader.finish();
    let told: Vec<(&str, u64, u64)> = called
        .calls
        .iter()
        .map(|call| (call.name.as_str(), call.count, call.bytes))
        .collect();
    assert_eq!(
        told,
        [
            ("write", 2, 13),
            ("clone", 1, 0),
            ("read", 1, 100),
            ("system call 99999", 1, 0)
        ]
    );
    assert_eq!(called.lost, 34);
}
