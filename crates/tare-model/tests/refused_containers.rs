//! `[container]`: what it resolves to, and what is refused, in which words.

mod manifests;

use manifests::{Breakage, hold};
use tare_model::manifest::{Contender, Image, ManifestError, contender, render, workload};

const WORKLOAD: &str = r#"schema = 1
summary = "a page"
job = { kind = "http", path = "/" }

[cases.direct]
summary = "one core each"
placement = "one-core"
baseline = "page"

[cases.inside]
summary = "in process"
placement = "one-core"
baseline = "page"
job = { kind = "probe", reference = "reference.txt" }
[cases.inside.modes.capacity]
primary = "time_per_op"

[modes.capacity]
primary = "throughput"
connections = [8]
"#;

const PAGE: &str = r#"schema = 1
language = "brainfuck"
summary = "a page from a container"
style = "idiomatic"
cases = ["direct"]

[env]
LISTEN = "0.0.0.0:{port}"

[container]
dockerfile = "docker/page.dockerfile"
context = "."
build_args = { TEST_NAME = "page" }
port = 3000
command = ["/server", "--threads", "{cores}"]
limits = { memory = "512m", open_files = 200000 }
hosts = { tfb-server = "127.0.0.1" }
files = { "/data/items.json" = "data/items.json" }

[variants.many]
env = { MODE = "many" }

[paths]
direct = "/pages/one"
"#;

fn parse(bytes: &[u8]) -> Result<Vec<Contender>, ManifestError> {
    let folder = std::path::PathBuf::from("w");
    let workload = workload::parse(WORKLOAD.as_bytes(), "w.toml", "pages", folder).unwrap();
    contender::parse(bytes, "p.toml", "page", &workload, &manifests::languages())
}

#[test]
fn a_container_needs_no_language_of_the_lab() {
    let contenders = parse(PAGE.as_bytes()).unwrap();
    let [many] = contenders.as_slice() else {
        panic!("one variant: {contenders:?}")
    };
    assert_eq!(many.language, "brainfuck");
    assert!(many.build.is_empty() && many.run.is_empty());
    let container = many.container.as_ref().expect("the variant has its contender's");
    assert_eq!(container.port, 3000);
    assert_eq!(container.command, ["/server", "--threads", "{cores}"]);
    let Image::Built(from) = &container.image else {
        panic!("{container:?}")
    };
    assert_eq!(from.path, "docker/page.dockerfile");
    assert_eq!(container.files["/data/items.json"], "data/items.json");
    assert_eq!(many.paths["direct"], "/pages/one");
    assert_eq!(
        many.env.keys().collect::<Vec<_>>(),
        ["LISTEN", "MODE"],
        "the environment is laid over as any is"
    );
}

#[test]
fn it_is_shown_key_by_key() {
    let shown = render::contender(&parse(PAGE.as_bytes()).unwrap()[0]);
    for (key, value) in [
        ("container.dockerfile", "\"docker/page.dockerfile\""),
        ("container.build_args.TEST_NAME", "\"page\""),
        ("container.port", "3000"),
        ("container.command", "[\"/server\", \"--threads\", \"{cores}\"]"),
        ("container.limits.memory", "\"512m\""),
        ("container.limits.open_files", "200000"),
        ("container.hosts.tfb-server", "\"127.0.0.1\""),
        ("container.files.\"/data/items.json\"", "\"data/items.json\""),
    ] {
        let line = shown.lines().find(|line| line.split(' ').next() == Some(key));
        let line = line.unwrap_or_else(|| panic!("no {key} in\n{shown}"));
        assert!(line.contains(value) && line.ends_with("# p.toml:10"), "{line}");
    }
}

#[test]
fn an_image_that_is_there_needs_only_its_name() {
    let text = PAGE
        .replace(
            "dockerfile = \"docker/page.dockerfile\"",
            "image = \"docker.io/library/nginx:1.27\"",
        )
        .replace(
            "context = \".\"\nbuild_args = { TEST_NAME = \"page\" }\nport = 3000\n",
            "",
        );
    let contender = parse(text.as_bytes()).unwrap().remove(0);
    let container = contender.container.unwrap();
    assert_eq!(
        container.image,
        Image::Named("docker.io/library/nginx:1.27".to_owned())
    );
    assert_eq!(container.port, 8080, "where images of suites listen");
}

const REFUSED: &[Breakage] = &[
    (
        "dockerfile = \"docker/page.dockerfile\"\ncontext = \".\"\nbuild_args = { TEST_NAME = \"page\" }\n",
        "",
        "p.toml:10: `container`: expected `image` or `dockerfile`, found neither\n\nhint: for example `dockerfile = \"Dockerfile\"`, or `image = \"docker.io/library/nginx:1.27\"`",
    ),
    (
        "context = \".\"\nbuild_args = { TEST_NAME = \"page\" }",
        "image = \"nginx\"",
        "p.toml:10: `container`: both `image` and `dockerfile` are there\n\nhint: for example `dockerfile = \"Dockerfile\"`, or `image = \"docker.io/library/nginx:1.27\"`",
    ),
    (
        "dockerfile = \"docker/page.dockerfile\"\ncontext = \".\"\nbuild_args = { TEST_NAME = \"page\" }",
        "image = \"--privileged\"",
        "p.toml:11: `image`: `--privileged` is no image's name\n\nhint: for example `docker.io/library/nginx:1.27`: lower-case letters, digits and `./:@_-`",
    ),
    (
        "docker/page.dockerfile",
        "../../../etc/passwd",
        "p.toml:11: `container`: `../../../etc/passwd` is no path within the contender's folder\n\nhint: for example `dockerfile = \"docker/Dockerfile\"`",
    ),
    (
        "context = \".\"",
        "context = \"/\"",
        "p.toml:12: `container`: `/` is no path within the contender's folder\n\nhint: for example `dockerfile = \"docker/Dockerfile\"`",
    ),
    (
        "{ TEST_NAME = \"page\" }",
        "{ \"A=B\" = \"page\" }",
        "p.toml:13: `A=B` is no build argument's name\n\nhint: letters, digits and `_`, not starting with a digit",
    ),
    (
        "port = 3000",
        "port = 70000",
        "p.toml:14: `container.port`: expected 1 to 65535, found 70000",
    ),
    (
        "port = 3000",
        "privileged = true",
        "p.toml:14: `container.privileged` is never in a manifest\n\nhint: containers run without privileges; measure the program without a container",
    ),
    (
        "port = 3000",
        "ports = [\"80:80\"]",
        "p.toml:14: `container.ports` is never in a manifest\n\nhint: nothing is published: `port` is the port in the container's own network, where the load finds it",
    ),
    (
        "\"--threads\", \"{cores}\"",
        "\"{out}/server\"",
        "p.toml:15: `container.command`: unknown placeholder `{out}` in `{out}/server`\n\nhint: known: host, port, scheme, cores, core_list, case, services",
    ),
    (
        "memory = \"512m\"",
        "memory = \"much\"",
        "p.toml:16: `container.limits.memory`: `much` is no size\n\nhint: digits and one of k, m and g, such as `memory = \"512m\"`",
    ),
    (
        "tfb-server = ",
        "\"a:b\" = ",
        "p.toml:17: `a:b` is no host's name\n\nhint: letters, digits, dots and dashes",
    ),
    (
        "language = \"brainfuck\"",
        "language = \"../x\"",
        "p.toml:2: `../x` is no language's name\n\nhint: lower-case letters, digits and single dashes, starting with a letter",
    ),
    (
        "cases = [\"direct\"]",
        "",
        "p.toml:10: `container`: the job of the case `inside` is `probe`, which needs pipes to the contender\n\nhint: leave the case out of `cases`",
    ),
    (
        "\n[env]\n",
        "run = [\"{port}\"]\n\n[env]\n",
        "p.toml:6: `run`: the contender runs in a container\n\nhint: `command` in `[container]` is run instead of the image's own command",
    ),
    (
        "\"/data/items.json\" =",
        "\"/data/../etc\" =",
        "p.toml:18: `/data/../etc` is no path in a container\n\nhint: for example `\"/data/items.json\" = \"items.json\"`",
    ),
    (
        "\"data/items.json\" }",
        "\"../items.json\" }",
        "p.toml:18: `container`: `../items.json` is no path within the contender's folder\n\nhint: for example `dockerfile = \"docker/Dockerfile\"`",
    ),
    (
        "port = 3000",
        "volumes = [\"/a:/b\"]",
        "p.toml:14: `container.volumes` is never in a manifest\n\nhint: a container has the files of its image; those of its folder that it may read are in `files`",
    ),
    (
        "direct = \"/pages/one\"",
        "direkt = \"/pages/one\"",
        "p.toml:24: `paths`: `direkt` is no case with one request by HTTP\n\nhint: did you mean `direct`? there are: direct",
    ),
    (
        "\"/pages/one\"",
        "\"pages/one\"",
        "p.toml:24: `paths.direct`: expected a path from `/`, without blanks, found \"pages/one\"\n\nhint: write other characters as %XX",
    ),
    (
        "\"/pages/one\"",
        "\"/pages/{size}\"",
        "p.toml:24: `paths.direct`: `{size}` must stand in it if it does in the case's own path",
    ),
    (
        "[variants.many]",
        "[variants.many]\nbuild = [[\"make\"]]",
        "p.toml:21: `build`: the contender runs in a container\n\nhint: its image is built from the Dockerfile",
    ),
];

#[test]
fn what_cannot_be_is_refused() {
    hold(PAGE, REFUSED, parse);
}
