"""From an adjoint to its text."""

from .preamble import misfits
from .render import primal_text, render

__all__ = ["misfits", "primal_text", "render"]
