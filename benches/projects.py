#!/usr/bin/env python3
"""Real projects with benchmarks of their own, as git repositories: each published version a commit with its tag.

Usage: benches/projects.py FOLDER [NAME …]

Makes FOLDER/NAME for each project (all, if none is named) from what its language's package registry publishes, by the
language's own client. Versions that are there already are kept. Prints each repository with its tags. Needs git, and Go, cargo,
or Python with pip and a C compiler, for the projects of each.
"""
import argparse, dataclasses, json, os, pathlib, shutil, subprocess, sys, tarfile, tempfile


@dataclasses.dataclass(frozen=True)
class Project:
    """A project, two versions of it, and what is said of the later one."""
    client: str
    package: str
    before: str
    after: str
    # A regular expression of its benchmarks, and the folder of its module that they are in.
    only: str = ""
    folder: str = "."
    # What the later version's notes say: benchmarks that are better, and those that are not concerned.
    better: str = ""
    control: str = ""
    note: str = ""
    # The version whose benchmarks both run, where those of the later one do not build with the earlier.
    benchmarks: str = ""
    # How long it is measured: some passes over all of its benchmarks.
    budget: str = "8m"


PROJECTS = {
    "bitset": Project("go", "github.com/bits-and-blooms/bitset", "v1.21.0", "v1.22.0", better="Rank",
                      note="Rank is faster"),
    "zap": Project("go", "go.uber.org/zap", "v1.25.0", "v1.26.0", folder="zapcore", only="ZapJSON|StandardJSON",
                   better="ZapJSON", control="StandardJSON", note="encoding of JSON strings is faster"),
    "compress": Project("go", "github.com/klauspost/compress", "v1.17.3", "v1.17.4", folder="huff0",
                        note="huff0 compresses faster"),
    "yarl": Project("pip", "yarl", "1.18.3", "1.19.0", note="several operations on URLs are faster", budget="15m"),
    "multidict": Project("pip", "multidict", "6.2.0", "6.3.0", note="the C implementation was rewritten",
                         budget="30m"),
    "base64": Project("cargo", "base64", "0.21.7", "0.22.0", note="decoding is faster"),
    "httparse": Project("cargo", "httparse", "1.8.0", "1.9.3",
                        note="parsing by SIMD instructions is faster (said of 1.9.0, which was withdrawn, like 1.9.1 and 1.9.2)",
                        benchmarks="1.8.0", budget="20m"),
}

# What projects in Python need to be built and to run their benchmarks: versions that were tried together.
PYTHON = ["pytest==9.2.0", "pytest-benchmark==5.3.1", "pytest-codspeed==5.0.4", "pytest-cov==7.1.0", "psutil==7.2.2",
          "objgraph==3.7.0", "propcache==0.5.4", "multidict==7.2.1", "idna==3.20", "setuptools==84.2.1", "cython==3.3.1",
          "expandvars==1.1.2"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("names", nargs="*", metavar="NAME")
    args = parser.parse_args()
    if unknown := set(args.names) - set(PROJECTS):
        parser.error(f"unknown: {', '.join(sorted(unknown))}; known: {', '.join(PROJECTS)}")
    for name in args.names or PROJECTS:
        print(repository(args.folder, name), *versions(PROJECTS[name]))


def versions(project):
    return project.before, project.after


def repository(folder, name):
    """The repository of a project, made if it is not there; each version is a commit."""
    project, place = PROJECTS[name], folder.resolve() / name
    if not (place / ".git").exists():
        place.mkdir(parents=True, exist_ok=True)
        git(place, "init", "--quiet", "--initial-branch", "main")
    for version in versions(project):
        if git(place, "tag", "--list", version):
            continue
        with tempfile.TemporaryDirectory() as scratch:
            replace(place, FETCH[project.client](project.package, version, pathlib.Path(scratch)))
        git(place, "add", "--all", "--force")
        git(place, "commit", "--quiet", "--allow-empty", "--message", f"{name} {version}")
        git(place, "tag", version)
    return place


def environment(folder, name):
    """The variables by which a project is built and measured: a Python of their own for projects that need packages."""
    if PROJECTS[name].client == "cargo":
        # An old release that refuses all warnings does not know those of today's compilers.
        return {**os.environ, "RUSTFLAGS": "--cap-lints=warn"}
    if PROJECTS[name].client != "pip":
        return dict(os.environ)
    place = folder.resolve() / "python"
    # Named last, so that one that was begun and never finished is made anew.
    whole = place / "whole"
    if not whole.exists() or whole.read_text() != " ".join(PYTHON):
        shutil.rmtree(place, ignore_errors=True)
        subprocess.run([sys.executable, "-m", "venv", place], check=True)
        subprocess.run([place / "bin/pip", "install", "--quiet", "--disable-pip-version-check", *PYTHON], check=True)
        whole.write_text(" ".join(PYTHON))
    return {**os.environ, "PATH": f"{place / 'bin'}:{os.environ['PATH']}", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}


def setup(name):
    """What has to be run in a tree of the project before its benchmarks are: modules in C are built, beside their sources."""
    package = PROJECTS[name].package
    return (f"python3 -m pip install --quiet --no-build-isolation --no-deps --target .made . && cp .made/{package}/*.so {package}/ "
            "&& rm -rf .made build") if PROJECTS[name].client == "pip" else None


def replace(place, source):
    """Puts a version's files in the place of those before."""
    for old in place.iterdir():
        if old.name != ".git":
            shutil.rmtree(old) if old.is_dir() and not old.is_symlink() else old.unlink()
    shutil.copytree(source, place, dirs_exist_ok=True, symlinks=True)
    # Go's module cache is not writable.
    for path in [place, *place.rglob("*")]:
        if not path.is_symlink() and ".git" not in path.relative_to(place).parts[:1]:
            path.chmod(path.stat().st_mode | 0o200)


def git(place, *arguments):
    who = ["-c", "user.name=tare", "-c", "user.email=tare@localhost"]
    ran = subprocess.run(["git", "-C", place, *who, *arguments], check=True, capture_output=True, text=True)
    return ran.stdout.strip()


def of_go(package, version, scratch):
    ran = subprocess.run(["go", "mod", "download", "-json", f"{package}@{version}"], cwd=scratch, check=True,
                         capture_output=True, text=True)
    return pathlib.Path(json.loads(ran.stdout)["Dir"])


def of_cargo(package, version, scratch):
    (scratch / "src").mkdir()
    (scratch / "src/lib.rs").touch()
    (scratch / "Cargo.toml").write_text(
        f'[package]\nname = "scratch"\nversion = "0.0.0"\n[dependencies]\n{package} = "={version}"\n')
    subprocess.run(["cargo", "vendor", "--quiet", "vendor"], cwd=scratch, check=True, stdout=subprocess.DEVNULL)
    return next(path for path in (scratch / "vendor").iterdir() if path.name in (package, f"{package}-{version}"))


def of_pip(package, version, scratch):
    subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", ":all:", "--dest", scratch,
                    f"{package}=={version}"], check=True)
    archive = next(scratch.glob("*.tar.gz"))
    with tarfile.open(archive) as files:
        files.extractall(scratch / "source", filter="data")
    return next((scratch / "source").iterdir())


FETCH = {"go": of_go, "cargo": of_cargo, "pip": of_pip}

if __name__ == "__main__":
    main()
