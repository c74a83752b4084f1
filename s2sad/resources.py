"""Locate the files distributed with the program: templates, examples and documentation.

They are inside the package in a wheel and beside it in a checkout; searching in
that order keeps editable installs working.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jinja2 import Environment

_PACKAGE = Path(__file__).resolve().parent


def folder(name: str) -> Path:
    """Return the folder `templates`, `examples` or `docs`."""
    inside = _PACKAGE / name
    return inside if inside.is_dir() else _PACKAGE.parent / name


@cache
def templates(*parts: str) -> Environment:
    """Return the Jinja templates in folders of `templates`, the first one first; texts in HTML are escaped.

    They are read once: the playground draws a page for each edit. jinja2 is imported here: the command line
    must start fast.
    """
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader([folder("templates") / part for part in parts]),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=lambda name: name is not None and name.endswith(".html.j2"),
    )
