//! HttpArena's profiles, as the scripts of the checkout have them: `scripts/lib/profiles.sh` says how a profile is driven, and
//! the scripts in `scripts/lib/tools/` what is sent. No list of profiles stands here: they change from week to week.

use tare_model::raw_request::RawRequest;

use crate::field::{is_name, is_path, shown};
use crate::files::{BadFile, Files, LONGEST_REQUEST, bad, join, within};
use crate::shell::{self, Arm, Word};
use crate::{Database, Obstacle};

/// The scripts.
const PROFILES: &str = "scripts/lib/profiles.sh";
const FRAMEWORK: &str = "scripts/lib/framework.sh";

/// The tools whose requests are read, with what their functions begin with: the first sends as fast as possible, the second at
/// a rate. Both speak HTTP/1.1 in clear.
const TOOLS: [&str; 2] = [AT_ONCE, AT_RATE];
const AT_ONCE: &str = "gcannon";
const AT_RATE: &str = "zrk";

/// Where the scripts have the server in clear, before the path.
const SERVER: &str = "http://localhost:$PORT";

/// How the scripts call the folder with the requests.
const REQUESTS: &str = "$REQUESTS_DIR/";

/// The most profiles, and requests of one of them.
const MOST: usize = 1000;

/// How a profile drives a server, and with what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Profile {
    /// Its name, which implementations list as a test.
    pub name: String,
    /// Requests in flight on a connection.
    pub pipeline: u32,
    /// The number of requests after which a connection is closed and another opened; none: it is kept.
    pub requests_per_connection: Option<u32>,
    /// Numbers of connections.
    pub connections: Vec<u32>,
    /// What is sent.
    pub traffic: Traffic,
    /// The services that its servers are given.
    pub needs: Vec<Database>,
}

/// What a profile sends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Traffic {
    /// Requests in turn.
    Raw(Vec<RawFile>),
    /// One request.
    Get {
        /// Path and query.
        path: String,
        /// Whether it is sent at a rate, and not as fast as possible.
        at_rate: bool,
    },
    /// Messages of WebSocket, which the server sends back.
    WebSocket {
        /// The path.
        path: String,
    },
    /// Nothing that is read here.
    Other(Obstacle),
}

/// A request as a file of the checkout has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RawFile {
    /// The file, from the folder that was read.
    pub path: String,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// What they say.
    pub request: RawRequest,
}

/// A line of the table of profiles.
struct Line {
    name: String,
    pipeline: u32,
    per_connection: Option<u32>,
    connections: Vec<u32>,
    endpoint: String,
}

/// The scripts of a checkout, read once.
struct Scripts<'f> {
    files: &'f Files,
    root: &'f str,
    /// Which tool sends the requests of an endpoint.
    tools: Vec<Arm>,
    /// What each tool is called with for an endpoint.
    calls: Vec<(&'static str, Vec<Arm>)>,
    /// What servers are started with for an endpoint.
    starts: Vec<Arm>,
}

/// The profiles of the checkout at `root`, in their order; none where it has no such scripts.
///
/// # Errors
/// The table of profiles cannot be read, or not be understood.
pub(crate) fn read(files: &Files, root: &str) -> Result<Option<Vec<Profile>>, BadFile> {
    let path = join(root, PROFILES);
    if !files.has(&path) {
        return Ok(None);
    }
    let words = shell::words(&files.text(&path)?);
    let lines = table(&path, &words)?;
    let function = |path: &str, name: &str| {
        let text = files.text(path).unwrap_or_default();
        shell::arms(shell::function(&shell::words(&text), name))
    };
    let call = |tool: &'static str| {
        let path = join(root, &format!("scripts/lib/tools/{tool}.sh"));
        (tool, function(&path, &format!("{tool}_build_args")))
    };
    let scripts = Scripts {
        files,
        root,
        tools: shell::arms(shell::function(&words, "endpoint_tool")),
        calls: TOOLS.map(call).into(),
        starts: function(&join(root, FRAMEWORK), "framework_start"),
    };
    Ok(Some(
        lines.into_iter().map(|line| scripts.profile(line)).collect(),
    ))
}

/// The files and folders of the checkout that containers of the suite are given: from, to.
pub(crate) fn mounts(files: &Files, root: &str) -> Vec<(String, String)> {
    let text = files.text(&join(root, FRAMEWORK)).unwrap_or_default();
    let words = shell::words(&text);
    let start = shell::function(&words, "framework_start");
    let mount = |word: &Word| {
        let (from, rest) = word.text.strip_prefix("$DATA_DIR/")?.split_once(':')?;
        let to = rest.split(':').next().filter(|to| is_path(to))?;
        Some((within(&join(root, "data"), from)?, to.to_owned()))
    };
    start.iter().filter_map(mount).collect()
}

/// `declare -A PROFILES=( [NAME]="pipeline|requests|cpus|connections|endpoint" … )`.
fn table(path: &str, words: &[Word]) -> Result<Vec<Line>, BadFile> {
    let begins = |pair: &[Word]| pair[0].text == "PROFILES=" && pair[1].text == "(";
    let Some(at) = words.windows(2).position(begins) else {
        return Err(bad(path, "no table `PROFILES=( … )`"));
    };
    let rest = &words[at + 2..];
    let end = rest
        .iter()
        .position(|word| word.text == ")")
        .unwrap_or(rest.len());
    let entries = rest[..end].iter().filter(|word| word.text != "\n");
    let lines: Vec<Line> = entries
        .map(|word| line(path, &word.text))
        .collect::<Result<_, _>>()?;
    match lines.len() {
        0 => Err(bad(path, "the table `PROFILES` is empty")),
        many if many > MOST => Err(bad(path, format!("more than {MOST} profiles"))),
        _ => Ok(lines),
    }
}

fn line(path: &str, text: &str) -> Result<Line, BadFile> {
    let odd = || {
        bad(
            path,
            format!("`{}` is no line of the table `PROFILES`", shown(text)),
        )
    };
    let entry = text.strip_prefix('[').and_then(|rest| rest.split_once("]="));
    let (name, spec) = entry.ok_or_else(odd)?;
    let parts: Vec<&str> = spec.split('|').collect();
    let [pipeline, per_connection, _cpus, connections, endpoint] = parts.as_slice() else {
        return Err(odd());
    };
    let number = |text: &str| text.trim().parse::<u32>().ok();
    let counts: Option<Vec<u32>> = connections.split(',').map(number).collect();
    let counts = counts.filter(|counts| counts.iter().all(|count| (1..=1_000_000).contains(count)));
    let pipeline = number(pipeline).filter(|depth| (1..=10_000).contains(depth));
    let (Some(pipeline), Some(per_connection), Some(connections)) =
        (pipeline, number(per_connection), counts)
    else {
        return Err(odd());
    };
    let endpoint_fits = endpoint.is_empty() || is_name(endpoint);
    if !is_name(name) || !endpoint_fits {
        return Err(odd());
    }
    Ok(Line {
        name: name.to_owned(),
        pipeline,
        per_connection: (per_connection > 0).then_some(per_connection),
        connections,
        endpoint: (*endpoint).to_owned(),
    })
}

impl Scripts<'_> {
    fn profile(&self, line: Line) -> Profile {
        let (traffic, requests) = match self.sent(&line) {
            Ok(sent) => sent,
            Err(obstacle) => (Traffic::Other(obstacle), None),
        };
        Profile {
            pipeline: line.pipeline,
            requests_per_connection: requests,
            needs: self.needs(&line.endpoint),
            connections: line.connections,
            name: line.name,
            traffic,
        }
    }

    /// The arm for an endpoint: the one that names it, or the one for all others.
    fn arm<'a>(arms: &'a [Arm], endpoint: &str) -> Option<&'a Arm> {
        let names = |arm: &&Arm, name: &str| arm.patterns.iter().any(|pattern| pattern == name);
        arms.iter()
            .find(|arm| names(arm, endpoint))
            .or_else(|| arms.iter().find(|arm| names(arm, "*")))
    }

    /// What a profile sends, and after how many requests a connection is closed.
    fn sent(&self, line: &Line) -> Result<(Traffic, Option<u32>), Obstacle> {
        let tool = Self::arm(&self.tools, &line.endpoint).and_then(|arm| {
            let echo = arm.body.iter().position(|word| word.text == "echo")?;
            arm.body.get(echo + 1).map(|word| word.text.clone())
        });
        let tool = tool.unwrap_or_default();
        let Some((tool, arms)) = self.calls.iter().find(|(known, _)| *known == tool) else {
            return Err(Obstacle::Tool {
                profile: line.name.clone(),
                tool: shown(&tool),
            });
        };
        let misread = |why: String| Obstacle::Profile {
            profile: line.name.clone(),
            why,
        };
        let named = |arm: &&Arm| arm.patterns.contains(&line.endpoint);
        let Some(arm) = arms.iter().find(named) else {
            return Err(misread(format!("{tool}.sh has nothing for `{}`", line.endpoint)));
        };
        let call = Call { words: &arm.body };
        let traffic = call.traffic(self, *tool == AT_RATE).map_err(misread)?;
        Ok((traffic, call.requests(line.per_connection)))
    }

    /// The services that servers are given for an endpoint.
    fn needs(&self, endpoint: &str) -> Vec<Database> {
        let named = |arm: &&Arm| arm.patterns.iter().any(|pattern| pattern == endpoint);
        let mut needs = Vec::new();
        for word in self.starts.iter().filter(named).flat_map(|arm| &arm.body) {
            if word.text.starts_with("DATABASE_URL=") {
                needs.push(Database::Postgres);
            } else if word.text.starts_with("REDIS_URL=") {
                needs.push(Database::Other("Redis".to_owned()));
            }
        }
        needs.dedup();
        needs
    }

    /// The requests of a list of files.
    fn requests(&self, list: &str) -> Result<Vec<RawFile>, String> {
        let folder = join(self.root, "requests");
        let file = |name: &str| {
            let path = name.strip_prefix(REQUESTS).and_then(|name| within(&folder, name));
            let path = path.ok_or_else(|| format!("`{}` is no file of its requests", shown(name)))?;
            let bytes = self
                .files
                .bytes(&path, LONGEST_REQUEST)
                .map_err(|error| error.to_string())?;
            let request = RawRequest::parse(&bytes).map_err(|error| format!("{path}: {error}"))?;
            if request.path.contains('{') {
                return Err(format!(
                    "{path}: its load generator fills in a part of the request"
                ));
            }
            Ok(RawFile { path, bytes, request })
        };
        list.split(',').take(MOST).map(file).collect()
    }
}

/// What a tool is called with.
struct Call<'w> {
    words: &'w [Word],
}

impl Call<'_> {
    fn has(&self, option: &str) -> bool {
        self.words.iter().any(|word| word.text == option)
    }

    /// The word after an option.
    fn after(&self, option: &str) -> Option<&str> {
        let at = self.words.iter().position(|word| word.text == option)?;
        Some(&self.words.get(at + 1)?.text)
    }

    fn traffic(&self, scripts: &Scripts<'_>, at_rate: bool) -> Result<Traffic, String> {
        let mut urls = self
            .words
            .iter()
            .filter_map(|word| word.text.strip_prefix(SERVER));
        let Some(path) = urls.next() else {
            return Err("it is not sent to the server's port in clear".to_owned());
        };
        if let Some(list) = self.after("--raw") {
            return scripts.requests(list).map(Traffic::Raw);
        }
        let path = if path.is_empty() { "/" } else { path };
        if !is_path(path) {
            return Err(format!("`{}` is no path", shown(path)));
        }
        let path = path.to_owned();
        if self.has("--ws") {
            return Ok(Traffic::WebSocket { path });
        }
        // A body or a method would make another request of it.
        if let Some(option) = ["-m", "-b", "-H", "-s", "--body"]
            .iter()
            .find(|option| self.has(option))
        {
            return Err(format!("its option {option} is not read"));
        }
        Ok(Traffic::Get { path, at_rate })
    }

    /// The requests on a connection: as the tool is called, or as the table says where it is called with that.
    fn requests(&self, of_table: Option<u32>) -> Option<u32> {
        match self.after("-r") {
            Some(text) if text.starts_with('$') => of_table,
            Some(text) => text.parse().ok().filter(|count| *count > 0),
            None => None,
        }
    }
}

#[cfg(test)]
mod tests {
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
            [("data/rows.json".to_owned(), "/data/rows.json".to_owned())]
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
}
