#!/usr/bin/env bash
# Tangents and second order of every kept kernel: what `pytest -m derivatives` tests. A quarter of an hour on 2 cores.
set -euo pipefail
cd "$(dirname "$0")/.."
python3 -m venv .venv
.venv/bin/pip install -q -e '.[dev]'
.venv/bin/python -m pytest -n auto -m derivatives tests/tangent "$@"
for family in threads blocks structs idioms textbook-each; do
    .venv/bin/python -m tests.fuzz --forward --family "$family" --seed "${SEED:-$(date +%Y%m%d)}" --minutes "${MINUTES:-2}"
done
