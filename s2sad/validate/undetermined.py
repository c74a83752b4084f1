"""Why a primal may be no function of its arguments, or another one in the check's doubles.

Asked only where something was found wrong: of such a primal a difference says nothing of
the adjoint, and whoever reads "wrong" is to be told where to look first.
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

_WITHIN = 1e-2  # of the largest value: rounding to float doesn't do so much where nothing is chaotic


def uninitialised(pair: Pair, backend: Backend, setting: Setting) -> list[str]:
    """Arrays that depend on what local variables hold before the primal sets them.

    The primal is compiled twice, its local variables full of zeros and of a pattern; it runs
    in a process of its own, as what was never set may be an index. Empty where that can't be
    had: on a GPU, or with a compiler before GCC 12 and clang 8.
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
            return arrays  # what was never set is an index, or says how often a loop runs
    zero, pattern = left
    return [name for name in arrays if zero[name].tobytes() != pattern[name].tobytes()]


def narrowed(
    pair: Pair, backend: Backend, case: Case, setting: Setting, outputs: Mapping[str, Array]
) -> list[str]:
    """Arrays that a primal which asks for `sizeof` leaves otherwise where floats are floats."""
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
    """What of this is so, in words."""
    kernel = pair.primal.name
    if names := uninitialised(pair, backend, setting):
        yield (
            f"{kernel} reads a local variable that it hasn't set, and leaves another "
            f"{', '.join(names)} where that holds something else: it has no derivative"
        )
    if names := narrowed(pair, backend, case, setting, outputs):
        yield (
            f"{kernel} asks for sizeof, and leaves another {', '.join(names)} where each float is a double, "
            "as in this check: what is wrong above may be right in float"
        )


def _agrees(narrow: Array, wide: Array) -> bool:
    """Compare both, letting pass what rounding to float may do."""
    return close(narrow, wide, np.stack([narrow, wide]), _WITHIN)
