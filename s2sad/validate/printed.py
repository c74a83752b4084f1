"""Check the printed primal, which replaces one that packs numbers into words if floats are doubles.

    float4 w = *(const float4 *)(x + i);            eight halves in a word of 16 bytes

Doubles don't fit into such words. So differences and tangents use the primal as
s2sad has parsed and printed it. With `float` as float, it must compute the same values
as the author's text, to the last bit.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from ..run.backend import Backend
from ..run.values import Array
from .case import Case
from .findings import Finding
from .launching import Launcher, Pair


def agrees(
    pair: Pair, case: Case, backend: Backend, made_of: Callable[[Pair], Launcher] | None = None
) -> list[Finding]:
    """Check that the printed primal computes the author's values; return nothing if there is none.

    `made_of` compiles a pair with `float` as float, if not in the way of s2sad's own adjoints.
    """
    if not pair.printed:
        return []
    setting = case.setting("float")
    compiled = made_of or partial(Launcher, backend=backend, real="float", few="adjoint")
    made = [
        compiled(one).primal(setting.launch, setting.args)
        for one in (pair, replace(pair, primal_text=pair.printed))
    ]
    written = [a.name for a in pair.primal.arguments if a.pointer and a.written]
    apart = [name for name in written if not _same(made[0][name], made[1][name])]
    what = "the primal as parsed by s2sad gives bitwise the values of the file"
    if apart:
        what = f"the primal as parsed by s2sad gives other values of {', '.join(apart)} than the file"
    return [Finding(not apart, what)]


def _same(one: Array, two: Array) -> bool:
    return one.dtype == two.dtype and one.tobytes() == two.tobytes()
