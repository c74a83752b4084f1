"""Detect a primal that isn't a function of its arguments, or is another function in doubles.

This runs only if something is wrong: differences of such a primal say nothing about
the adjoint, so a user who reads "wrong" should look there first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import numpy as np

from ..diagnostics import Rejected
from ..run.backend import Backend, CompileFailed, Fill
from ..run.isolated import Isolated
from .case import Case
from .elements import Array, close
from .launching import Launcher, Pair, launched
from .recipe import Setting

_WITHIN = 1e-2  # relative to the largest value: rounding to float has a smaller effect, unless chaotic


def uninitialised(pair: Pair, backend: Backend, setting: Setting) -> list[str]:
    """Return the arrays that depend on uninitialised local variables of the primal.

    The primal is compiled twice, with local variables initialised to zeros and to a pattern. It runs
    in a separate process, because an uninitialised variable may be an index. The result is empty if
    that isn't supported: on a GPU, or with a compiler before GCC 12 and clang 8.
    """
    if backend.name != "cpu":
        return []
    apart = backend if isinstance(backend, Isolated) else Isolated("cpu")
    kernel = pair.primal
    arrays = [a.name for a in kernel.arguments if a.pointer and not a.const]
    left: list[dict[str, Array]] = []
    fills: tuple[Fill, Fill] = ("zero", "pattern")
    for fill in fills:
        try:
            module = apart.initialise(pair.wide_text, [kernel], fill, name=pair.primal_file)
        except CompileFailed:
            return []
        try:
            left.append(launched(module, kernel, setting.launch, setting.args))
        except Rejected:
            return arrays  # an uninitialised variable is an index or a trip count
    zero, pattern = left
    return [name for name in arrays if zero[name].tobytes() != pattern[name].tobytes()]


def narrowed(
    pair: Pair, backend: Backend, case: Case, setting: Setting, outputs: Mapping[str, Array]
) -> list[str]:
    """Return the arrays whose values change with `float` as float, if the primal uses `sizeof`."""
    if not re.search(r"\bsizeof\b", pair.primal_text):
        return []
    single = case.setting("float", least_blocks=2)
    if single.launch != setting.launch:
        single = case.setting("float")
    try:
        found = Launcher(pair, backend, "float", few="all").primal(single.launch, single.args)
    except Rejected:
        return []
    return [name for name, wide in outputs.items() if not _agrees(found[name], wide)]


def reasons(
    pair: Pair, backend: Backend, case: Case, setting: Setting, outputs: Mapping[str, Array]
) -> Iterator[str]:
    """Yield the reasons that apply, as sentences."""
    kernel = pair.primal.name
    if names := uninitialised(pair, backend, setting):
        yield (
            f"{kernel} reads an uninitialised local variable whose contents change "
            f"{', '.join(names)}: it has no derivative"
        )
    if names := narrowed(pair, backend, case, setting, outputs):
        yield (
            f"{kernel} uses sizeof, and gives other {', '.join(names)} if float is double, "
            "as in this check: an error above may not occur in float"
        )


def _agrees(narrow: Array, wide: Array) -> bool:
    """Compare both, allowing for rounding to float."""
    return close(narrow, wide, np.stack([narrow, wide]), _WITHIN)
