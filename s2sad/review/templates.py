"""The templates of the review page, and of what is said about two commits."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from ..resources import folder, templates
from .ranges import fitting, ranges

if TYPE_CHECKING:
    from jinja2 import Environment, Template


def template(name: str) -> Template:
    """Return a template by its name; texts in HTML are escaped."""
    return _environment().get_template(name)


def text_of(name: str) -> str:
    """Return a style sheet or a script."""
    return (folder("templates") / "review" / name).read_text(encoding="utf-8")


@cache
def _environment() -> Environment:
    env = templates("review")
    env.filters |= {"ranges": ranges, "fitting": fitting}
    return env
