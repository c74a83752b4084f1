"""The programs among the examples, and what the headers of their emitted texts say."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

EXAMPLES = Path(__file__).parents[1] / "examples"
PROGRAMS = ("physics_informed", "kmeans_newton", "bundle_adjustment", "diffusion_newton")
"""Folders with programs that need tangents or second derivatives."""


def program(name: str) -> ModuleType:
    """Import a program of the examples, by its path there; they aren't packages."""
    path = EXAMPLES / name
    module = f"s2sad_example_{path.parent.name}_{path.stem}"
    if module not in sys.modules:
        spec = importlib.util.spec_from_file_location(module, path)
        assert spec is not None
        assert spec.loader is not None
        sys.modules[module] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[module])
    return sys.modules[module]


def header_command(text: str) -> str:
    """Return the command of the header: the indented lines before the first empty one."""
    head = text.partition("\n//\n")[0].splitlines()[2:]
    return " ".join(line.removeprefix("//").strip().removesuffix("\\") for line in head)
