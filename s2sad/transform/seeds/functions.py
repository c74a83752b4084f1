"""The adjoints of device functions for several seeds: their partials are computed once.

    float f_adj(float a, float adj_f)   ->   void f_adj_seeds(float a, const float *adj_f, float *adj)

What the adjoint of one seed returns is stored through the last parameter.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, replace

from ...diagnostics import Rejected
from ...ir import INT, VOID, Assign, Const, Function, Parameter, Place, Pointer, Return, Scalar, Sym
from ..tangent.directions import Passed, Unfit
from ..tangent.layouts import Layout
from ..unit import Adjoint
from .statements import Called, Seeds


@dataclass(frozen=True)
class Several:
    """The adjoints of device functions for several seeds, and how each of one seed is called instead."""

    functions: tuple[Function, ...]
    called: dict[str, Called]


def several_of(adjoint: Adjoint, count: int, left: Container[str]) -> Several:
    """Make those of an adjoint's functions, callees first, without those that are `left` as they are."""
    made: list[Function] = []
    called: dict[str, Called] = {}
    taken = {function.name for function in (*adjoint.functions, *adjoint.program.functions.values())}
    for function in adjoint.functions:
        positions = adjoint.seeded.get(function.name)
        if positions is None or function.name in left:
            continue
        name = f"{function.name}_seeds"
        while name in taken:
            name += "_"
        try:
            new, layouts = _made(replace(function, name=name), positions, count, called)
        except (Rejected, Unfit):
            continue  # it is called once for each seed
        made.append(new)
        returns = isinstance(function.result, Scalar) and function.result != VOID
        called[function.name] = Called(name, Passed(function.name, layouts), returns)
    return Several(tuple(made), called)


def _made(
    function: Function, positions: tuple[int, ...], count: int, called: dict[str, Called]
) -> tuple[Function, dict[int, Layout]]:
    """The adjoint of a function for several seeds, and how it gets adjoints. Raises Rejected, Unfit."""
    result: Sym | None = None
    if isinstance(function.result, Scalar) and function.result != VOID:
        result = Sym("adj", Pointer(function.result), "parameter")
        *body, last = function.body
        assert isinstance(last, Return)
        assert last.value is not None
        store = Assign(Place(result, (Const(0, INT),), function.result), last.value)
        function = replace(
            function, result=VOID, params=(*function.params, Parameter(result)), body=(*body, store)
        )
    adjoints = [function.syms[k] for k in positions]
    seeds = Seeds(count, adjoints, called, apart=False, result=result)
    layouts = {k: seeds.known[function.syms[k]] for k in positions}
    return seeds.function(function), layouts
