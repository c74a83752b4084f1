"""From what is right to what an author would write: the passes over built statements, in order."""

from __future__ import annotations

from ..ir import Body
from .distinct import distinct
from .early import early
from .heads import headed
from .hoist import hoist
from .sincos import with_sincos
from .tidy import tidy


def polished(body: Body) -> Body:
    """The same computation; each pass leaves to `tidy` what it made superfluous."""
    body = tuple(tidy(list(distinct(body))))
    for rewritten in (hoist, early, with_sincos):
        body = tuple(tidy(list(rewritten(body))))
    return headed(body)
