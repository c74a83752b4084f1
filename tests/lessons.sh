#!/usr/bin/env bash
# The lessons: every notebook is run, every reference answer is right, every wrong one is marked at its place.
# That is what `pytest -m lessons` tests.
set -euo pipefail
cd "$(dirname "$0")/.."
python3 -m venv .venv
.venv/bin/pip install -q -e '.[dev,learn]'
.venv/bin/python -m pytest -m lessons tests/learn "$@"
