#!/bin/sh
# Makes the cluster and fills it. Arguments: initdb, postgres, this folder, and where the cluster goes; then, if they are not
# `world` and nothing, the database's name and further files with statements.
#
# The server is not started for it: a single-user postgres reads statements from its standard input, one a line, so no
# port and no socket is needed.
set -eu
initdb=$1 postgres=$2 here=$3 data=$4
shift 4
database=${1:-world}
[ $# -eq 0 ] || shift

# Segments of 1 MiB instead of 16: the cluster is copied for each start, and nothing in it is ever written much.
"$initdb" --pgdata="$data" --username=tare --auth=trust --encoding=UTF8 --locale=C --wal-segsize=1 --no-sync
cat "$here/tare.conf" >>"$data/postgresql.conf"
# Contenders in containers come over links of tare's own, each with an address like this.
echo 'host all all 10.78.0.0/16 trust' >>"$data/pg_hba.conf"

# What a single-user postgres finds wrong it only says: its exit status is 0 all the same.
statements() {
    said=$("$postgres" --single -j -D "$data" "$1" 2>&1 >/dev/null) || { echo "$said"; exit 1; }
    case $said in *ERROR:* | *FATAL:* | *PANIC:*) echo "$said"; exit 1 ;; esac
}

echo "CREATE DATABASE $database;" | statements postgres
for file in "$here/world.sql" "$@"; do
    statements "$database" <"$file"
done
