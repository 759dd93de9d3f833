//! The database of FrameworkBenchmarks: tare's own PostgreSQL with the name, the user and the tables that its implementations
//! expect, at the port where they look for it.

use tare_model::manifest::stock;

/// The service's name.
pub(super) const NAME: &str = "tfb-database";

/// What tare's service lacks: the suite's user, and its tables under their other names. A view of one table is written to as
/// the table itself.
const USER: &str = "\
CREATE ROLE benchmarkdbuser LOGIN PASSWORD 'benchmarkdbpass';

CREATE VIEW \"World\" AS SELECT * FROM world;

CREATE VIEW \"Fortune\" AS SELECT * FROM fortune;

GRANT ALL ON ALL TABLES IN SCHEMA public TO benchmarkdbuser;
";

/// What differs in its manifest: from, to.
const CHANGES: [(&str, &str); 4] = [
    (
        "\"{src}\", \"{state}/data\"]]",
        "\"{src}\", \"{state}/data\", \"hello_world\", \"{src}/suite.sql\"]]",
    ),
    ("{port}/world?", "{port}/hello_world?"),
    ("{port}/world\"", "{port}/hello_world\""),
    (
        "refuses_root = true\n",
        "refuses_root = true\nexpected_at = 5432\n",
    ),
];

/// The files of the service, by their paths in the lab.
pub(super) fn files() -> Vec<(String, String)> {
    let renamed = |(path, text): (String, String)| {
        let name = path.rsplit('/').next().unwrap_or_default().to_owned();
        let text = match name.as_str() {
            "service.toml" => CHANGES
                .iter()
                .fold(text, |text, (from, to)| text.replace(from, to)),
            _ => text,
        };
        (format!("services/{NAME}/{name}"), text)
    };
    let mut files: Vec<(String, String)> = stock::service("postgresql").into_iter().map(renamed).collect();
    files.push((format!("services/{NAME}/suite.sql"), USER.to_owned()));
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_change_finds_its_place() {
        let stock = stock::service("postgresql");
        let manifest = stock
            .iter()
            .find(|(path, _)| path.ends_with("service.toml"))
            .unwrap();
        for (from, _) in CHANGES {
            assert_eq!(manifest.1.matches(from).count(), 1, "{from}");
        }
        let files = files();
        let (path, text) = files
            .iter()
            .find(|(path, _)| path.ends_with("service.toml"))
            .unwrap();
        let service = tare_model::manifest::service::parse(text.as_bytes(), path, NAME).unwrap();
        assert_eq!(service.expected_at, Some(5432));
        assert!(service.gives["postgresql"].ends_with("/hello_world"));
        assert_eq!(service.prepare[0].last().unwrap(), "{src}/suite.sql");
    }
}
