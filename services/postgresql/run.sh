#!/bin/sh
# Lets the clients of one address in, and this machine's own, of which one counts; without a password. Then it becomes the server.
# Arguments: the address, and the server's command, whose third word is the cluster: a copy for this process alone.
set -eu
clients=$1
shift
echo "host all tare $clients/32 trust
host all tare samehost trust" >>"$3/pg_hba.conf"
exec "$@"
