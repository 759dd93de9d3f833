//! HttpArena's profiles, as the scripts of the checkout have them: `scripts/lib/profiles.sh` says how a profile is driven, and
//! the scripts in `scripts/lib/tools/` what is sent. No list of profiles stands here: they change from week to week.

use serde_json::Value;
use tare_model::manifest::{HttpJob, Job, WebSocketJob};
use tare_model::raw_request::RawRequest;

use crate::field::{is_name, is_path, shown};
use crate::files::{BadFile, Files, LONGEST_REQUEST, bad, join, within};
use crate::shell::{self, Arm, Word};
use crate::{Database, Obstacle, answers};

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

/// How the scripts call folders of the checkout.
const FOLDERS: [(&str, &str); 2] = [("$DATA_DIR", "data"), ("$CERTS_DIR", "certs")];

/// How the scripts call the folder with the requests.
const REQUESTS: &str = "$REQUESTS_DIR/";

/// The message that its tool sends over WebSocket, and that must come back.
const MESSAGE: &str = "hello";

/// The most profiles, and requests of one of them.
const MOST: usize = 1000;

/// How a profile drives a server, and with what.
#[derive(Debug, Clone, PartialEq)]
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
    /// Its requests, in turn, with what must come back; or why they cannot be sent or judged.
    pub job: Result<Job, Obstacle>,
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
    /// The items of which answers are made.
    items: Option<Value>,
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
        items: items(files, root),
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
        let (from, rest) = word.text.split_once(':')?;
        let to = rest.split(':').next().filter(|to| is_path(to))?;
        let (variable, below) = from.split_once('/').unwrap_or((from, ""));
        let folder = FOLDERS.iter().find(|(known, _)| *known == variable)?.1;
        let from = if below.is_empty() {
            join(root, folder)
        } else {
            within(&join(root, folder), below)?
        };
        Some((from, to.to_owned()))
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
        let job = self.job(&line.name, &traffic);
        Profile {
            job,
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
        let misread = |why: String| unfit(&line.name, &why);
        let named = |arm: &&Arm| arm.patterns.contains(&line.endpoint);
        let Some(arm) = arms.iter().find(named) else {
            return Err(misread(format!("{tool}.sh has nothing for `{}`", line.endpoint)));
        };
        let call = Call { words: &arm.body };
        let traffic = call.traffic(self, *tool == AT_RATE).map_err(misread)?;
        Ok((traffic, call.requests(line.per_connection)))
    }

    /// What is sent, as a job.
    fn job(&self, profile: &str, traffic: &Traffic) -> Result<Job, Obstacle> {
        let get = |path: &str| RawRequest {
            method: "GET".to_owned(),
            path: path.to_owned(),
            headers: Vec::new(),
            body: Vec::new(),
            chunked: false,
        };
        let requests = match traffic {
            Traffic::Raw(files) => files.iter().map(|file| file.request.clone()).collect(),
            Traffic::Get { path, .. } => vec![get(path)],
            Traffic::WebSocket { path } => {
                return Ok(Job::WebSocket(WebSocketJob {
                    path: path.clone(),
                    headers: Vec::new(),
                    send: MESSAGE.to_owned(),
                    expect: Some(MESSAGE.to_owned()),
                }));
            }
            Traffic::Other(obstacle) => return Err(obstacle.clone()),
        };
        let job = |request: &RawRequest| answers::job(request, self.items.as_ref());
        let jobs: Result<Vec<HttpJob>, String> = requests.iter().map(job).collect();
        let mut jobs = jobs.map_err(|why| unfit(profile, &why))?.into_iter();
        let (Some(first), Some(request)) = (jobs.next(), requests.first()) else {
            return Err(unfit(profile, "it sends nothing"));
        };
        Ok(Job::Http(HttpJob {
            also: answers::others(request),
            then: jobs.collect(),
            ..first
        }))
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

fn unfit(profile: &str, why: &str) -> Obstacle {
    Obstacle::Profile {
        profile: profile.to_owned(),
        why: shown(why),
    }
}

/// The data set of which answers are made.
fn items(files: &Files, root: &str) -> Option<Value> {
    let text = files.text(&join(root, "data/dataset.json")).ok()?;
    serde_json::from_str(&text).ok()
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
mod tests;
