#!/usr/bin/env bash
# The bindings in PyTorch and JAX, on the CPU: what `pytest -m bindings` tests. Minutes, and large packages.
set -euo pipefail
cd "$(dirname "$0")/.."
python3 -m venv .venv
.venv/bin/pip install -q -e '.[dev,torch,jax]'
.venv/bin/python -m pytest -m bindings tests/bind "$@"
