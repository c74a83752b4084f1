#!/usr/bin/env bash
# The pages of reviews and traces in a real Chromium: what `pytest -m browser` tests. Installs Debian's if there
# is none.
set -euo pipefail
cd "$(dirname "$0")/.."
if ! command -v chromium > /dev/null; then
    apt-get update -qq
    apt-get install -y -qq chromium fonts-dejavu-core
fi
python3 -m venv .venv
.venv/bin/pip install -q -e '.[dev,browser]'
.venv/bin/python -m pytest -m browser tests "$@"
