# What the scripts here share; they source it.

fail() {
    echo "error: $*" >&2
    exit 1
}

# Whether packages may be installed here.
may_install() {
    [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null
}

# Where tools are kept that the scripts install, beside the logs.
tools() {
    realpath -m "${CARGO_TARGET_DIR:-target}/ci"
}

# Prints the folder of the programs that .ci/NAME.txt lists for pip: exact versions with their hashes, prebuilt.
pip_tools() {
    local name=$1 folder
    folder=$(tools)/$name
    if ! cmp -s ".ci/$name.txt" "$folder/installed"; then
        python3 -c 'import ensurepip' 2>/dev/null ||
            { may_install && timeout 60 apt-get install -y -qq --no-install-recommends python3-venv >&2; } || return 1
        { python3 -m venv --clear "$folder" &&
            timeout 120 "$folder/bin/pip" install --quiet --require-hashes --requirement ".ci/$name.txt"; } >&2 || return 1
        cp ".ci/$name.txt" "$folder/installed"
    fi
    echo "$folder/bin"
}

# A line that says what was not done here; where everything is needed, an error.
left_out() {
    [ -z "${TARE_NEED_ALL:-}" ] || fail "$*"
    echo "left out: $*"
}

# Podman with storage of its own below a folder, which can be removed when it is done.
pods() {
    local folder=$1
    shift
    podman --root "$folder/pods" --runroot "$folder/run" --storage-driver vfs --cgroup-manager cgroupfs "$@"
}
