"""The templates, by skin.

jinja2 is imported on first use: the command line must start fast.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from ..resources import templates
from .wrap import CODE_WIDTH, cut, folded, prose

if TYPE_CHECKING:
    from jinja2 import Environment


@cache
def environment(skin: str = "plain") -> Environment:
    """Return the templates of a skin: its own folder first, then the shared ones."""
    env = templates(skin, "")
    env.filters |= {"prose": prose, "folded": folded, "cut": cut}
    env.globals["code_width"] = CODE_WIDTH
    return env
