//! A load of one server in parts, for generator processes of this machine or of others.

use std::collections::BTreeMap;
use std::fs;
use std::net::SocketAddr;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;

use tare_load::Address;
use tare_model::driving::Refill;
use tare_model::units::PerSecond;
use tare_remote::{Bytes, Part, Server};

use super::asked;
use super::error::ServersError;
use super::one::ServerLoad;
use super::request::{
    Authorities, Files, HttpVersion, InFlight, LoadRequest, Requests, TlsRequest, Whereabouts,
};
use super::secure::bundle;
use super::there::is_here;
use crate::error::Result;

impl LoadRequest {
    /// The whole load as a part, by so many processes: what it sends and where is settled, so that nobody has to look up a
    /// name or read a file. `awake`: whether send times are waited for without sleeping.
    ///
    /// # Errors
    /// A file of what is sent cannot be read.
    pub fn part(&self, url: &str, load: &ServerLoad, processes: u32, awake: bool) -> Result<Part> {
        let asked = &self.requests;
        Ok(Part {
            url: url.to_owned(),
            server: match load.target.address() {
                // No URL names another network namespace: those are of contenders in containers.
                Address::Ip(address) | Address::Inside(_, address) => Server::Ip(*address),
                Address::Unix(path) => Server::Unix(Bytes(path.as_os_str().as_bytes().to_vec())),
            },
            http: self.http.map(|http| match http {
                HttpVersion::One => 1,
                HttpVersion::Two => 2,
            }),
            tls: tare_remote::Tls {
                insecure: self.tls.insecure,
                cacert: self.tls.cacert.as_ref().map(bundle).transpose()?.map(Bytes),
                sni: self.tls.sni.clone(),
                resume: self.tls.resume,
            },
            requests: tare_remote::Requests {
                method: asked.method.clone(),
                headers: asked.headers.clone(),
                body: asked.body.clone(),
                chunk_size: asked.chunk_size,
                encoding: asked.encoding.clone(),
                raw: asked.raw.clone(),
                send: asked.send.clone(),
                expect: asked.expect.clone(),
                files: self.contents(url)?,
                status: asked.status,
                server_streaming: asked.server_streaming,
                any_body: asked.any_body,
                check_whole: asked.check_whole,
                fresh: asked.fresh,
            },
            connections: self.connections,
            in_flight: match self.in_flight {
                InFlight::One => tare_remote::InFlight::One,
                InFlight::Pipelined(depth) => tare_remote::InFlight::Pipelined(depth),
                InFlight::Streams(depth) => tare_remote::InFlight::Streams(depth),
            },
            refill: match self.refill {
                Refill::OneByOne => tare_remote::Refill::OneByOne,
                Refill::Batches => tare_remote::Refill::Batches,
            },
            renew_after: self.renew_after,
            rate: self.rate.map(|rate| rate.0),
            count: self.count,
            duration: self.duration(),
            cores: self.cores.clone(),
            timeout: self.timeout,
            seed: self.seed,
            first: 0,
            processes,
            of: processes,
            awake,
            progress: false,
        })
    }

    /// What is in the files that the requests of a URL name.
    fn contents(&self, url: &str) -> Result<BTreeMap<String, Bytes>> {
        let mut contents = BTreeMap::new();
        for name in asked::files(url, &self.requests)? {
            let bytes = self.files.content(&name)?;
            contents.insert(name, Bytes(bytes));
        }
        Ok(contents)
    }

    /// What a part asks for. Nothing that it says is looked up or read here.
    pub fn of_part(part: &Part) -> Self {
        let asked = &part.requests;
        let contents = asked.files.iter();
        Self {
            urls: vec![part.url.clone()],
            // It was allowed by the one who made the part, and is by the one who takes it.
            remote: true,
            at: Some(match &part.server {
                Server::Ip(address) => Whereabouts::Ip(*address),
                Server::Unix(path) => {
                    Whereabouts::Unix(PathBuf::from(std::ffi::OsString::from_vec(path.0.clone())))
                }
            }),
            http: part.http.map(|http| match http {
                2 => HttpVersion::Two,
                _ => HttpVersion::One,
            }),
            tls: TlsRequest {
                insecure: part.tls.insecure,
                cacert: part
                    .tls
                    .cacert
                    .clone()
                    .map(|bundle| Authorities::Brought(bundle.0)),
                sni: part.tls.sni.clone(),
                resume: part.tls.resume,
            },
            requests: requests_of(asked),
            files: Files::Brought(
                contents
                    .map(|(name, bytes)| (name.clone(), bytes.0.clone()))
                    .collect(),
            ),
            connections: part.connections,
            in_flight: match part.in_flight {
                tare_remote::InFlight::One => InFlight::One,
                tare_remote::InFlight::Pipelined(depth) => InFlight::Pipelined(depth),
                tare_remote::InFlight::Streams(depth) => InFlight::Streams(depth),
            },
            refill: match part.refill {
                tare_remote::Refill::OneByOne => Refill::OneByOne,
                tare_remote::Refill::Batches => Refill::Batches,
            },
            renew_after: part.renew_after,
            rate: part.rate.map(PerSecond),
            programs: None,
            count: part.count,
            duration: Some(part.duration),
            processes: Some(part.processes),
            cores: part.cores.clone(),
            timeout: part.timeout,
            seed: part.seed,
            ..Self::default()
        }
    }

    /// What each of several agents does of a whole load. `agents`: where each is, and how many connections one generator
    /// process can hold there.
    ///
    /// # Errors
    /// There are more agents or processes than connections, or the load is not one that agents can drive.
    pub(super) fn spread(&self, whole: &Part, agents: &[(SocketAddr, u32)]) -> Result<Vec<Part>> {
        if self.programs.is_some() {
            return Err(ServersError::BatchByAgents.into());
        }
        let Server::Ip(server) = whole.server else {
            return Err(ServersError::SocketByAgents.into());
        };
        let within = server.ip().is_loopback() || server.ip().is_unspecified();
        if let Some((agent, _)) = agents.iter().find(|(agent, _)| within && !is_here(*agent)) {
            let agent = *agent;
            return Err(ServersError::Within { server, agent }.into());
        }
        let count = u32::try_from(agents.len()).unwrap_or(u32::MAX);
        if count > self.connections {
            return Err(ServersError::IdleAgent.into());
        }
        let mut parts: Vec<Part> = (0..count).map(|number| whole.of_machine(number, count)).collect();
        let mut first = 0;
        for (part, (_, most)) in parts.iter_mut().zip(agents) {
            let needed = part.connections.div_ceil((*most).max(1));
            part.processes = self.processes.unwrap_or(needed);
            if part.processes > part.connections {
                return Err(ServersError::IdleProcess.into());
            }
            part.first = first;
            first += part.processes;
        }
        parts.iter_mut().for_each(|part| part.of = first);
        Ok(parts)
    }
}

/// What a part's requests ask for.
fn requests_of(asked: &tare_remote::Requests) -> Requests {
    Requests {
        method: asked.method.clone(),
        headers: asked.headers.clone(),
        body: asked.body.clone(),
        chunk_size: asked.chunk_size,
        encoding: asked.encoding.clone(),
        raw: asked.raw.clone(),
        send: asked.send.clone(),
        expect: asked.expect.clone(),
        status: asked.status,
        server_streaming: asked.server_streaming,
        any_body: asked.any_body,
        check_whole: asked.check_whole,
        fresh: asked.fresh,
    }
}

impl Files {
    /// The content of a file.
    ///
    /// # Errors
    /// It cannot be read, or did not come along.
    pub(super) fn content(&self, name: &str) -> std::result::Result<Vec<u8>, ServersError> {
        match self {
            Self::Here => fs::read(name).map_err(|source| ServersError::Body {
                path: name.to_owned(),
                source,
            }),
            Self::Brought(all) => all
                .get(name)
                .cloned()
                .ok_or_else(|| ServersError::NotBrought(name.to_owned())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn whole(request: &LoadRequest, url: &str) -> Part {
        let load = request.of_one(url).unwrap();
        request.part(url, &load, 1, false).unwrap()
    }

    const URL: &str = "http://127.0.0.1:9/x?y";

    #[test]
    fn a_part_asks_for_what_was_asked_for() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("body");
        fs::write(&path, [0, 255]).unwrap();
        let request = LoadRequest {
            urls: vec![URL.to_owned()],
            requests: Requests {
                body: Some(format!("@{}", path.display())),
                // Of HTTP this is a text.
                expect: vec!["@y".to_owned()],
                headers: vec!["Odd: -1".to_owned()],
                chunk_size: Some(7),
                encoding: vec!["gzip".to_owned(), "br".to_owned()],
                fresh: true,
                ..Requests::default()
            },
            rate: Some(PerSecond(1e6 / 3.0)),
            cores: Some(vec![0, 3]),
            duration: Some(Duration::from_millis(700)),
            seed: 42,
            ..LoadRequest::default()
        };
        let part = whole(&request, URL);
        fs::remove_file(&path).unwrap();
        let text = serde_json::to_string(&part).unwrap();
        let again = LoadRequest::of_part(&serde_json::from_str(&text).unwrap());
        assert_eq!((&again.requests, again.rate), (&request.requests, request.rate));
        assert_eq!(
            (&again.cores, again.seed, &again.urls),
            (&request.cores, 42, &request.urls)
        );
        assert_eq!((again.duration, again.connections), (request.duration, 64));
        // The file came along, though it is gone.
        assert_eq!(
            again.files.content(&path.display().to_string()).unwrap(),
            [0, 255]
        );
        let load = LoadRequest::of_part(&part).of_one(URL).unwrap();
        assert_eq!(load.target.address().to_string(), "127.0.0.1:9");
    }

    #[test]
    fn raw_requests_come_along_with_how_they_follow_each_other() {
        let folder = tempfile::tempdir().unwrap();
        let [one, two] = ["one.raw", "@two.raw"].map(|name| {
            let path = folder.path().join(name);
            fs::write(&path, "GET / HTTP/1.1\r\nHost: a\r\n\r\n").unwrap();
            path.display().to_string()
        });
        let url = "http://127.0.0.1:9/";
        let request = LoadRequest {
            urls: vec![url.to_owned()],
            requests: Requests {
                raw: vec![one.clone(), two],
                expect: vec!["a".to_owned(), "b".to_owned()],
                ..Requests::default()
            },
            in_flight: InFlight::Pipelined(16),
            refill: Refill::Batches,
            renew_after: Some(10),
            ..LoadRequest::default()
        };
        let mut part = whole(&request, url);
        drop(folder);
        let again = LoadRequest::of_part(&part);
        assert_eq!(
            (&again.requests, again.usage()),
            (&request.requests, request.usage())
        );
        assert!(again.of_one(url).is_ok(), "both files came along");
        part.requests.files.remove(&one);
        let error = LoadRequest::of_part(&part).of_one(url).err().unwrap().to_string();
        assert!(error.contains("did not come along"), "{error}");
    }

    /// One that takes a part reads none of its own files, whatever the part names.
    #[test]
    fn a_file_that_did_not_come_along_is_not_read() {
        let request = LoadRequest {
            urls: vec![URL.to_owned()],
            ..LoadRequest::default()
        };
        let mut part = whole(&request, URL);
        part.requests.body = Some("@/etc/hostname".to_owned());
        let error = LoadRequest::of_part(&part).of_one(URL).err().unwrap().to_string();
        assert!(error.contains("`/etc/hostname` did not come along"), "{error}");
    }

    #[test]
    fn a_socket_keeps_its_path_whatever_its_bytes_are() {
        let path = PathBuf::from(std::ffi::OsString::from_vec(b"/tmp/\xff".to_vec()));
        let request = LoadRequest {
            urls: vec![URL.to_owned()],
            at: Some(Whereabouts::Unix(path.clone())),
            ..LoadRequest::default()
        };
        let part = whole(&request, URL);
        assert_eq!(LoadRequest::of_part(&part).at, Some(Whereabouts::Unix(path)));
        let error = request.spread(&part, &at(&[100])).unwrap_err().to_string();
        assert!(error.contains("Unix socket"), "{error}");
    }

    #[test]
    fn agents_share_a_load_by_as_many_processes_as_each_needs() {
        let request = LoadRequest {
            urls: vec![URL.to_owned()],
            connections: 100,
            rate: Some(PerSecond(1000.0)),
            ..LoadRequest::default()
        };
        let whole = whole(&request, URL);
        let parts = request.spread(&whole, &at(&[1000, 10, 20])).unwrap();
        let told: Vec<(u32, u32, u32, u32)> = parts
            .iter()
            .map(|part| (part.connections, part.first, part.processes, part.of))
            .collect();
        assert_eq!(told, [(34, 0, 1, 7), (33, 1, 4, 7), (33, 5, 2, 7)]);
        let rate: f64 = parts.iter().filter_map(|part| part.rate).sum();
        assert!((rate - 1000.0).abs() < 1e-9, "{rate}");
        let two = LoadRequest {
            processes: Some(2),
            ..request.clone()
        };
        let parts = two.spread(&whole, &at(&[1000, 1000])).unwrap();
        assert!(parts.iter().all(|part| (part.processes, part.of) == (2, 4)));
        let refused = |request: LoadRequest, agents: usize| {
            request
                .spread(&whole, &at(&vec![100; agents]))
                .unwrap_err()
                .to_string()
        };
        let few = LoadRequest {
            connections: 2,
            ..request.clone()
        };
        assert!(refused(few, 3).contains("fewer agents"));
        let batch = LoadRequest {
            programs: Some(1),
            ..request
        };
        assert!(refused(batch, 1).contains("--programs"));
    }

    /// Addresses that are reserved for documentation (RFC 5737): nothing is sent to them here.
    #[test]
    fn what_only_its_own_machine_reaches_is_not_loaded_from_others() {
        let request = LoadRequest {
            urls: vec![URL.to_owned()],
            ..LoadRequest::default()
        };
        let part = whole(&request, URL);
        let far = ("198.51.100.7:7400".parse().unwrap(), 100);
        let error = request.spread(&part, &[at(&[1])[0], far]).unwrap_err();
        assert!(
            error.to_string().contains("198.51.100.7:7400 is on another"),
            "{error}"
        );
        assert!(error.hint().unwrap().contains("an address of the network"));
        let elsewhere = Part {
            server: Server::Ip("192.0.2.1:80".parse().unwrap()),
            ..part
        };
        assert!(request.spread(&elsewhere, &[far]).is_ok());
    }

    /// Agents of this machine.
    fn at(most: &[u32]) -> Vec<(SocketAddr, u32)> {
        let here: SocketAddr = "127.0.0.1:7400".parse().unwrap();
        most.iter().map(|most| (here, *most)).collect()
    }
}
