"""Write what a kernel and its adjoint need to be called from PyTorch, JAX, CuPy or C++.

`reading` makes a `Binding` from a kernel, its adjoint and a launch; `targets` renders it through the
templates of `templates/bind`. What is written is text to read and to keep, like an adjoint.
"""

from __future__ import annotations

from .model import Binding
from .reading import read
from .targets import TARGETS, Target, written
from .writing import stale, write

__all__ = ["TARGETS", "Binding", "Target", "read", "stale", "write", "written"]
