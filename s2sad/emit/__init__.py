"""From an adjoint to its text."""

from .kept import Differs, instance, instances, kept
from .preamble import misfits
from .render import primal_text, render

__all__ = ["Differs", "instance", "instances", "kept", "misfits", "primal_text", "render"]
