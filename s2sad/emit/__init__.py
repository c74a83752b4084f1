"""From an adjoint to its text."""

from .render import primal_text, render

__all__ = ["primal_text", "render"]
