"""Locate the files distributed with the program: templates, examples and documentation.

They are inside the package in a wheel and beside it in a checkout; searching in
that order keeps editable installs working.
"""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def folder(name: str) -> Path:
    """Return the folder `templates`, `examples` or `docs`."""
    inside = _PACKAGE / name
    return inside if inside.is_dir() else _PACKAGE.parent / name
