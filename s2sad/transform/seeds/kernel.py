"""The adjoint of one seed as one of several: its kernel, its parameters and its contract.

K_adj(x, adj_x, y, adj_y, n), where each number of adj_x and adj_y is N numbers, side by side
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ...diagnostics import Code, Rejected, diagnose
from ...fields import size
from ...fixpoint import rounds
from ...ir import Array, Declare, Function, Pointer, Sym, statements
from ...options import Options
from ...passes import PLAIN, Runner
from ...signature import Signature
from ..device_functions import reached
from ..states import Built
from ..tangent.directions import Unfit
from ..unit import Adjoint, Contract
from .functions import several_of
from .layouts import SEEDS
from .statements import Seeds

BUILD = "seeds"
"""The step that gives an adjoint several seeds, as it is dumped."""

_SHARED = 48 * 1024  # bytes of shared memory that every GPU has for a block


def several(adjoint: Adjoint, options: Options, runner: Runner = PLAIN) -> Adjoint:
    """The adjoint with the seeds that the options ask for. Raises Rejected."""
    count = options.seeds or 1
    if count == 1:
        return adjoint
    left: set[str] = set()  # functions that are called once for each seed
    for _ in rounds(len(adjoint.functions), "which functions take several seeds", adjoint.kernel.span):
        functions = several_of(adjoint, count, left)
        seeds = Seeds(count, _adjoints(adjoint), functions.called, apart=options.separate, is_kernel=True)
        try:
            made = seeds.function(adjoint.kernel)
            break
        except Unfit as unfit:
            left.add(unfit.key)
    runner.show(BUILD, Built(made))
    _fits(adjoint.kernel, made, count)
    every = {
        **adjoint.program.functions,
        **{f.name: f for f in adjoint.functions if f.name in adjoint.seeded},
        **{f.name: f for f in functions.functions},
    }
    bodies = [f.body for f in (made, adjoint.forward, adjoint.measure) if f is not None]
    return replace(
        adjoint,
        kernel=made,
        functions=reached(every, bodies),
        signature=_signature(adjoint.signature, made, count),
        contract=_contract(adjoint.contract, count),
    )


def _adjoints(adjoint: Adjoint) -> Iterator[Sym]:
    """The adjoint's parameters that hold adjoints."""
    names = {argument.name for argument in adjoint.signature.arguments if argument.role == "adjoint"}
    for sym in adjoint.kernel.syms:
        if isinstance(sym.type, Pointer) and sym.of is not None and sym.name.partition(".")[0] in names:
            yield sym


def _fits(before: Function, made: Function, count: int) -> None:
    """Refuse a kernel that needs too much shared memory. Raises Rejected."""
    for function in (before, made):
        types = (s.sym.type for s in statements(function.body) if isinstance(s, Declare) and _static(s.sym))
        taken = sum(map(size, types))
        if taken > _SHARED and function is made:
            what = f"{count} seeds, whose adjoints take {taken} bytes of a block's shared memory"
            help = f"ask for at most {max(1, count * _SHARED // taken)} seeds, or {SEEDS.help}"
            raise Rejected(diagnose(Code.NOT_SUPPORTED, before.span, what=what, help=help))
        if taken > _SHARED:
            return


def _static(sym: Sym) -> bool:
    return sym.storage == "shared" and isinstance(sym.type, Array)


def _signature(signature: Signature, made: Function, count: int) -> Signature:
    """The signature with the arrays of adjoints for a launch."""
    rows = {
        sym.name: sym.type.target.extents
        for sym in made.syms
        if isinstance(sym.type, Pointer) and isinstance(sym.type.target, Array)
    }
    arguments = tuple(
        replace(a, rows=rows[a.name]) if a.role == "adjoint" and a.name in rows else a
        for a in signature.arguments
    )
    return replace(signature, arguments=arguments, seeds=count)


def _contract(contract: Contract, count: int) -> Contract:
    """The contract with a sentence on the layout."""
    note = f"Each number of an adjoint is {count} numbers, side by side: one for each seed."
    return replace(contract, notes=(*contract.notes, note))
