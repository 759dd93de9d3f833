//! What the binary brings along for labs: languages, services, and kits for in-process benchmarks. A lab has its own copies,
//! which `tare new` writes where they are missing, and which may be changed.

use super::scaffold::Files;

macro_rules! stock {
    ($($path:literal $(from $link:literal)?,)*) => {
        /// Every file by its path from the lab's folder. The folder `stock` of this crate links to the repository's own.
        const STOCK: &[(&str, &str)] = &[$(($path, include_str!(stock!(@ $path $($link)?)))),*];
    };
    (@ $path:literal) => {
        concat!("../../stock/", $path)
    };
    (@ $path:literal $link:literal) => {
        concat!("../../stock/", $link)
    };
}

// A folder with a `Cargo.toml` is a package of its own to cargo, and left out of this one when that is published: the files
// of such folders have links with other names.
stock! {
    "kits/README.md",
    "kits/c/probe.h",
    "kits/check.py",
    "kits/cpp/probe.hpp",
    "kits/examples/c/main.c",
    "kits/examples/cpp/main.cpp",
    "kits/examples/go/go.mod",
    "kits/examples/go/main.go",
    "kits/examples/haskell/Main.hs",
    "kits/examples/java/Main.java",
    "kits/examples/node/main.js",
    "kits/examples/python/main.py",
    "kits/examples/rust/Cargo.lock" from "cargo/example.lock",
    "kits/examples/rust/Cargo.toml" from "cargo/example.toml",
    "kits/examples/rust/src/main.rs" from "cargo/example/main.rs",
    "kits/go/probe.go",
    "kits/haskell/Probe.hs",
    "kits/java/Probe.java",
    "kits/java/TimedLoop.java",
    "kits/node/probe.js",
    "kits/python/probe.py",
    "kits/rust/Cargo.toml" from "cargo/kit.toml",
    "kits/rust/src/lib.rs" from "cargo/kit/lib.rs",
    "kits/rust/src/words.rs" from "cargo/kit/words.rs",
    "languages/c.toml",
    "languages/cpp.toml",
    "languages/go.toml",
    "languages/haskell.toml",
    "languages/java.toml",
    "languages/java/javac",
    "languages/nginx.toml",
    "languages/nginx/start",
    "languages/node.toml",
    "languages/node/collections.js",
    "languages/perl.toml",
    "languages/python.toml",
    "languages/rust.toml",
    "languages/static-file.toml",
    "services/lighttpd/cgi.conf",
    "services/lighttpd/common.conf",
    "services/lighttpd/fastcgi.conf",
    "services/lighttpd/files.conf",
    "services/lighttpd/scgi.conf",
    "services/lighttpd/service.toml",
    "services/postgresql/prepare.sh",
    "services/postgresql/run.sh",
    "services/postgresql/service.toml",
    "services/postgresql/tare.conf",
    "services/postgresql/world.sql",
    "services/world-sqlite/prepare.py",
    "services/world-sqlite/service.toml",
}

/// The files of a language: its manifest, and what that names; none where there is no such language.
pub fn language(name: &str) -> Files {
    let (manifest, beside) = (format!("languages/{name}.toml"), format!("languages/{name}/"));
    of(|path| path == manifest || path.starts_with(&beside))
}

/// The files of a service; none where there is no such service.
pub fn service(name: &str) -> Files {
    let folder = format!("services/{name}/");
    of(|path| path.starts_with(&folder))
}

/// The files of a language's kit and its example, with the page about kits; none where there is no such kit.
pub fn kit(name: &str) -> Files {
    let (folder, example) = (format!("kits/{name}/"), format!("kits/examples/{name}/"));
    let mut files = of(|path| path.starts_with(&folder) || path.starts_with(&example));
    if name != "examples" && !files.is_empty() {
        files.extend(of(|path| ["kits/README.md", "kits/check.py"].contains(&path)));
        return files;
    }
    Files::new()
}

/// The names of what is in a folder: `languages`, `services` or `kits`.
pub fn names(folder: &str) -> Vec<&'static str> {
    let inside = STOCK
        .iter()
        .filter_map(|(path, _)| path.strip_prefix(folder)?.strip_prefix('/'));
    let mut names: Vec<&str> = inside
        .filter_map(|path| match path.split_once('/') {
            Some((name, _)) => Some(name).filter(|_| folder != "languages"),
            None => path.strip_suffix(".toml"),
        })
        .filter(|name| *name != "examples")
        .collect();
    names.sort_unstable();
    names.dedup();
    names
}

fn of(wanted: impl Fn(&str) -> bool) -> Files {
    let files = STOCK.iter().filter(|(path, _)| wanted(path));
    files
        .map(|(path, text)| ((*path).to_owned(), (*text).to_owned()))
        .collect()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    /// Every file below a folder of the repository that is of a lab's stock, by its path from the root.
    fn found(folder: &Path, prefix: &str, files: &mut Vec<String>) {
        for entry in fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            let name = entry.file_name().into_string().unwrap();
            let made = ["target", "__pycache__", "node_modules"].contains(&name.as_str());
            if entry.path().is_dir() && !made {
                found(&entry.path(), &format!("{prefix}{name}/"), files);
            } else if !made {
                files.push(format!("{prefix}{name}"));
            }
        }
    }

    #[test]
    fn the_binary_has_all_that_the_repository_has() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let mut files = Vec::new();
        for folder in ["languages", "services", "kits"] {
            found(&root.join(folder), &format!("{folder}/"), &mut files);
        }
        files.sort();
        let mut known: Vec<&str> = STOCK.iter().map(|(path, _)| *path).collect();
        known.sort_unstable();
        assert_eq!(known, files);
        for (path, text) in STOCK {
            assert_eq!(fs::read_to_string(root.join(path)).unwrap(), *text, "{path}");
        }
    }

    #[test]
    fn each_is_found_by_its_name_with_all_of_its_files() {
        let paths = |files: Files| files.into_iter().map(|(path, _)| path).collect::<Vec<_>>();
        assert_eq!(
            paths(language("node")),
            ["languages/node.toml", "languages/node/collections.js"]
        );
        assert_eq!(
            paths(service("world-sqlite")),
            [
                "services/world-sqlite/prepare.py",
                "services/world-sqlite/service.toml"
            ]
        );
        let kit = paths(kit("go"));
        for path in ["kits/go/probe.go", "kits/examples/go/main.go", "kits/README.md"] {
            assert!(kit.iter().any(|one| one == path), "{kit:?}");
        }
        assert!(language("cobol").is_empty() && service("x").is_empty() && super::kit("examples").is_empty());
        assert!(names("languages").contains(&"go") && !names("languages").contains(&"javac"));
        assert_eq!(names("services"), ["lighttpd", "postgresql", "world-sqlite"]);
        assert!(names("kits").contains(&"rust") && !names("kits").contains(&"README.md"));
    }
}
