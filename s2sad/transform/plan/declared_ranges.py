"""What the user declares of integers: `--assume range:cols<=ld`, as comparisons over the kernel's parameters.

The analyses take them for facts; the adjoint tests them when it starts (`check_launch`), and `check` on the
case's data.
"""

from __future__ import annotations

from collections.abc import Iterable

from ...analysis.constants import literal
from ...diagnostics import Code, Diagnostic, Rejected, diagnose
from ...ir import BOOL, Binary, Function, Scalar, is_integer, scalar_type
from ...options import Assumption
from ...parse import expression
from ..common.thread_coordinates import both


def declared_ranges(kernel: Function, assumed: Iterable[Assumption]) -> tuple[Binary, ...]:
    """The comparisons that are declared. Raises Rejected."""
    names = {s.name: s for s in kernel.syms if isinstance(s.type, Scalar) and s.type.is_integer}
    found: list[Binary] = []
    wrong: list[Diagnostic] = []
    for one in assumed:
        if one.kind != "range":
            continue
        less, op, more = one.what.partition("<=" if "<=" in one.what else "<")
        try:
            sides = [expression(text, names) for text in (less, more)]
        except Rejected:
            sides = []
        if not sides or not all(map(is_integer, sides)):
            why = "a side isn't integer arithmetic over the kernel's scalar parameters"
        elif len({scalar_type(e).kind for e in sides if literal(e) is None}) > 1:
            why = "it compares a signed with an unsigned integer"
        else:
            why = ""
        if why:
            known = ", ".join((*names, "blockDim.x")) if names else "blockDim.x"
            wrong.append(diagnose(Code.RANGE_UNCLEAR, kernel.span, text=one.what, why=why, names=known))
            continue
        compared = both("+", *sides)  # of the type in which C compares the sides
        assert isinstance(compared, Binary)
        found.append(Binary(op, compared.left, compared.right, BOOL))
    if wrong:
        raise Rejected(*wrong)
    return tuple(found)
