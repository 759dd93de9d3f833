#!/usr/bin/env bash
set -euo pipefail
SCRIPT_DIR="$(cd "$(dirname "$0")" && pwd)"
docker build -t beads --build-arg A=b -f "$SCRIPT_DIR/Dockerfile" "$ROOT_DIR"
