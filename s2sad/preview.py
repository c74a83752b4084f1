"""Rewritings that are tried out: they run if the environment has S2SAD_PREVIEW.

A new rewriting stays here until the long random runs of all families have been made with it. Nothing of
this is a part of the interface.
"""

from __future__ import annotations

import os


def preview() -> bool:
    """Whether new rewritings run."""
    return bool(os.environ.get("S2SAD_PREVIEW"))
