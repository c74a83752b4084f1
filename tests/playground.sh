#!/usr/bin/env bash
# The playground in a real Chromium: what `pytest -m browser` tests of it. Installs Debian's Chromium if there is
# none, and gets Pyodide from npm's registry into the cache folder, where `s2sad playground` finds it too.
set -euo pipefail
cd "$(dirname "$0")/.."
if ! command -v chromium > /dev/null; then
    apt-get update -qq
    apt-get install -y -qq chromium fonts-dejavu-core
fi
python3 -m venv .venv
.venv/bin/pip install -q -e '.[dev,browser]'
place=${S2SAD_PYODIDE:-$(.venv/bin/python -c 'from s2sad.playground.pyodide import cached; print(cached())')}
if [ ! -e "$place/package/pyodide.mjs" ] && [ ! -e "$place/pyodide.mjs" ]; then
    command -v npm > /dev/null || { echo "npm is needed to get Pyodide, or S2SAD_PYODIDE=DIR"; exit 4; }
    version=$(.venv/bin/python -c 'from s2sad.playground.pyodide import VERSION; print(VERSION)')
    mkdir -p "$place"
    packed=$(cd "$place" && npm pack --silent "pyodide@$version")
    tar -xzf "$place/$packed" -C "$place"
    rm "$place/$packed"
fi
S2SAD_PYODIDE=$place .venv/bin/python -m pytest -m browser tests/test_playground_in_browser.py "$@"
