use std::fs;
use std::path::Path;

use super::*;

/// Scripts of the same form as the suite's, written for this test.
const TABLE: &str = r#"
declare -A PROFILES=(
    [sums]="1|0|0-3|8,64|"       # three kinds of requests
    [short]="1|10|0-3|8|"
    [deep]="16|0|0-3|64|pipe"
    # a comment between
    [paced]="1|0|0-3|64|paced"
    [chat]="4|10|0-3|64|chat"
    [rows]="1|200|0-3|64|rows"
    [secret]="1|0|0-3|64|tls"
    [mixed]="1|0|0-3|64|mixed"
    [lost]="1|0|0-3|64|lost"
)
endpoint_tool() {
    case "$1" in
        tls)   echo "h2load" ;;
        paced) echo "zrk" ;;
        *)     echo "gcannon" ;;
    esac
}
"#;

const GCANNON: &str = r#"
gcannon_build_args() {
    case "$endpoint" in
        "")
            args=("http://localhost:$PORT"
                  --raw "$REQUESTS_DIR/get.raw,$REQUESTS_DIR/post.raw"
                  -c "$conns" -d "$duration" -p "$pipeline")
            [ "$per" -gt 0 ] 2>/dev/null && args+=(-r "$per")
            ;;
        pipe) args=("http://localhost:$PORT/pipe" -c "$conns") ;;
        chat) args=("http://localhost:$PORT/ws" --ws -c "$conns")
              args+=(-r "$per") ;;
        rows) args=("http://localhost:$PORT" --raw "$REQUESTS_DIR/get.raw" -r 25) ;;
        mixed)
            for f in $(ls "$REQUESTS_DIR"/x-*.raw); do files="$files,$f"; done
            args=("http://localhost:$PORT" --raw "$files") ;;
        *) fail "unknown endpoint" ;;
    esac
}
"#;

const ZRK: &str = r#"
zrk_build_args() {
    case "$endpoint" in
        paced|other) cmd+=(-d 20s -R "$_rate" --plain "http://localhost:$PORT/sum?a=1&b=2") ;;
    esac
}
"#;

const START: &str = r#"
framework_start() {
    args=(-d -v "$DATA_DIR/rows.json:/data/rows.json:ro" -v "$CERTS_DIR:/certs:ro"
          -v "$DATA_DIR/../../etc:/etc:ro")
    case "$endpoint" in
        rows|mixed) args+=(-e "DATABASE_URL=$DATABASE_URL" -e "DATABASE_MAX_CONN=256") ;;
    esac
    case "$endpoint" in
        mixed) args+=(-e "REDIS_URL=$REDIS_URL") ;;
    esac
}
"#;

fn put(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn checkout() -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    let at = root.path();
    put(at, PROFILES, TABLE);
    put(at, FRAMEWORK, START);
    put(at, "scripts/lib/tools/gcannon.sh", GCANNON);
    put(at, "scripts/lib/tools/zrk.sh", ZRK);
    put(
        at,
        "requests/get.raw",
        "GET /sum?a=1&b=2 HTTP/1.1\r\nHost: localhost:8080\r\n\r\n",
    );
    put(
        at,
        "requests/post.raw",
        "POST /sum?a=1&b=2 HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n20\r\n0\r\n\r\n",
    );
    root
}

fn profiles(root: &Path) -> Result<Vec<Profile>, BadFile> {
    read(&Files::new(root.to_owned()), "").map(Option::unwrap)
}

#[test]
fn profiles_are_what_the_scripts_say() {
    let root = checkout();
    let all = profiles(root.path()).unwrap();
    let of = |name: &str| all.iter().find(|profile| profile.name == name).unwrap();
    let Traffic::Raw(requests) = &of("sums").traffic else {
        panic!("{:?}", of("sums"))
    };
    let paths: Vec<&str> = requests.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(paths, ["requests/get.raw", "requests/post.raw"]);
    assert!(requests[1].request.chunked && requests[1].request.body == b"20");
    assert_eq!(
        (of("sums").requests_per_connection, &of("sums").connections[..]),
        (None, &[8, 64][..])
    );
    assert_eq!(of("short").requests_per_connection, Some(10));
    let get = |path: &str, at_rate| Traffic::Get {
        path: path.to_owned(),
        at_rate,
    };
    assert_eq!(
        (of("deep").pipeline, &of("deep").traffic),
        (16, &get("/pipe", false))
    );
    assert_eq!(of("paced").traffic, get("/sum?a=1&b=2", true));
    assert_eq!(
        of("chat").traffic,
        Traffic::WebSocket {
            path: "/ws".to_owned()
        }
    );
    assert_eq!(
        (
            of("chat").requests_per_connection,
            of("rows").requests_per_connection
        ),
        (Some(10), Some(25))
    );
    assert_eq!(of("rows").needs, [Database::Postgres]);
    assert_eq!(
        of("mixed").needs,
        [Database::Postgres, Database::Other("Redis".to_owned())]
    );
    for (name, why) in [
        ("secret", "sent by h2load"),
        ("mixed", "`$files` is no file of its requests"),
        ("lost", "gcannon.sh has nothing for `lost`"),
    ] {
        let Traffic::Other(obstacle) = &of(name).traffic else {
            panic!("{:?}", of(name))
        };
        assert!(obstacle.to_string().contains(why), "{obstacle}");
    }
    let mounts = mounts(&Files::new(root.path().to_owned()), "");
    assert_eq!(
        mounts,
        [("data/rows.json", "/data/rows.json"), ("certs", "/certs")]
            .map(|(from, to)| (from.to_owned(), to.to_owned()))
    );
}

#[test]
fn messages_are_those_that_the_suites_tool_sends() {
    let root = checkout();
    let all = profiles(root.path()).unwrap();
    let chat = all.iter().find(|profile| profile.name == "chat").unwrap();
    let Ok(Job::WebSocket(chat)) = &chat.job else {
        panic!("{:?}", chat.job)
    };
    assert_eq!(
        (chat.send.as_str(), chat.expect.as_deref()),
        ("hello", Some("hello"))
    );
}

#[test]
fn requests_that_lead_out_or_are_none_are_named() {
    let root = checkout();
    let raw = |text: &str| {
        put(root.path(), "requests/get.raw", text);
        profiles(root.path()).unwrap()[0].traffic.clone()
    };
    for (text, why) in [
        ("GET /item/{RAND:1:50000} HTTP/1.1\r\nHost: x\r\n\r\n", "fills in"),
        ("GET / HTTP/1.1\nHost: x\n\n", "end in CR LF"),
        ("", "no end of a line"),
    ] {
        let Traffic::Other(obstacle) = raw(text) else {
            panic!("{text}")
        };
        assert!(obstacle.to_string().contains(why), "{obstacle}");
    }
    put(
        root.path(),
        "scripts/lib/tools/gcannon.sh",
        &GCANNON.replace("$REQUESTS_DIR/get.raw,", "$REQUESTS_DIR/../../etc/passwd,"),
    );
    let Traffic::Other(obstacle) = &profiles(root.path()).unwrap()[0].traffic else {
        panic!()
    };
    assert!(
        obstacle.to_string().contains("no file of its requests"),
        "{obstacle}"
    );
}

#[test]
fn a_table_that_is_not_understood_is_refused() {
    let root = checkout();
    for (text, why) in [
        ("", "no table"),
        ("PROFILES=(\n)\n", "is empty"),
        ("PROFILES=(\n [a]=\"1|0|0|8\"\n)", "is no line"),
        ("PROFILES=(\n [a]=\"0|0|0|8|\"\n)", "is no line"),
        ("PROFILES=(\n [a]=\"1|0|0|0|\"\n)", "is no line"),
        ("PROFILES=(\n [a]=\"1|0|0|8,x|\"\n)", "is no line"),
        ("PROFILES=(\n [../a]=\"1|0|0|8|\"\n)", "is no line"),
        ("PROFILES=(\n a\n)", "is no line"),
    ] {
        put(root.path(), PROFILES, text);
        let error = profiles(root.path()).unwrap_err();
        assert!(error.to_string().contains(why), "{text:?}: {error}");
    }
}
