#!/usr/bin/env bash
# The documentation site: built with warnings as errors, all links checked. The result is in build/site.
set -euo pipefail
cd "$(dirname "$0")/.."
python3 -m venv .venv
.venv/bin/pip install -q -e '.[docs]'
NO_MKDOCS_2_WARNING=1 .venv/bin/mkdocs build --strict --quiet
.venv/bin/python tests/check_site.py build/site
echo "build/site/index.html"
