"""Emission: from an adjoint to its text."""

from .preamble import misfits
from .render import primal_text, render
from .template_merge import Differs, instance, instances, kept, template_of

__all__ = ["Differs", "instance", "instances", "kept", "misfits", "primal_text", "render", "template_of"]
