"""The templates, by skin.

jinja2 is imported on first use: the command line must start fast.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from ..resources import folder
from .wrap import folded, prose

if TYPE_CHECKING:
    from jinja2 import Environment


@cache
def environment(skin: str = "plain") -> Environment:
    """Return the templates of a skin: its own folder first, then the shared ones."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    templates = folder("templates")
    env = Environment(
        loader=FileSystemLoader([templates / skin, templates]),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )
    env.filters |= {"prose": prose, "folded": folded}
    return env
