"""A primal whose words carry numbers: what stands for it where its floats are doubles.

    float4 w = *(const float4 *)(x + i);            eight halves in a word of 16 bytes

Doubles don't fit into such words. So differences and tangents are taken of the primal as
s2sad has read it, printed; and that this computes what the author's text does is checked
with both as they are: the same values to the last bit.
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
    """Whether the printed primal does what the author's does; nothing where there is none.

    `made_of` compiles a pair with `float` as it is, if that isn't done as for adjoints of s2sad's.
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
    what = "the primal as s2sad has read it gives the file's values, bit by bit"
    if apart:
        what = f"the primal as s2sad has read it gives other values of {', '.join(apart)} than the file's"
    return [Finding(not apart, what)]


def _same(one: Array, two: Array) -> bool:
    return one.dtype == two.dtype and one.tobytes() == two.tobytes()
