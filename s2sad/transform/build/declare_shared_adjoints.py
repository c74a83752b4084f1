"""Declare the adjoints of shared arrays next to the primal's, zeroed by the block before use.

The adjoint of an array in dynamic shared memory follows it in the same memory:

    extern __shared__ float part[];
    float *adj_part = part + blockDim.x;

If nothing reads the array itself, its adjoint takes its place. Memory that holds numbers
of several types becomes one array per type (`shared_layout` lays them out).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from ...diagnostics import Code, Rejected
from ...ir import (
    BOOL,
    INT,
    SIZE_T,
    UINT,
    Array,
    Assign,
    Barrier,
    Binary,
    Call,
    Cast,
    Clear,
    Const,
    Declare,
    Expr,
    For,
    If,
    Place,
    Scalar,
    Select,
    Stmt,
    Sym,
    unconverted,
)
from ..common.adjoint_types import summed
from ..common.algebra import converted
from ..common.symbol_uses import mapped, renaming, uses
from ..common.thread_index import block_size, linear_thread
from ..plan.shared_layout import Stretch, element, is_launched, laid, laid_out, launched, renamed, several

LAUNCHED = "dynamic_shared_bytes"
"""A helper of the emitted file: the size in bytes of the launch's dynamic shared memory."""


def with_shared(
    body: Sequence[Stmt],
    order: Iterable[Stmt],
    adjoints: Mapping[Sym, Sym],
    dimensions: int,
    extent: Callable[[Sym], Expr],
    helper: str,
    zero: bool = True,
) -> tuple[list[Stmt], list[Stretch]]:
    """The body with the shared arrays that it uses declared at its top, and their adjoints zeroed.

    `order` has the primal's declarations. Without `zero`, nothing is zeroed: the body sets what it reads.
    `extent` gives the number of elements in use of a dynamic array. If it is unknown and the
    array is the only one, the array is as long as the launch makes it, and `helper` reads the
    size on the device.
    """
    used, order = set(uses(body)), tuple(order)
    declared: list[Stmt] = []
    zeroed: list[Stmt] = []
    dynamic: list[Stretch] = []
    given = launched(order, adjoints, used)
    apart = several(given)
    if apart:
        dynamic = laid(given, extent)
        declared, names, counts = laid_out(dynamic)
        body = [mapped(s, renamed(names)) for s in body]
    for stmt in order:
        if not isinstance(stmt, Declare) or stmt.sym.storage != "shared":
            continue
        if stmt.sym in used and not (apart and is_launched(stmt.sym)):
            declared.append(Declare(stmt.sym, span=stmt.span))
        adjoint = adjoints.get(stmt.sym)
        if adjoint is None or adjoint not in used:
            continue
        if isinstance(stmt.sym.type, Array) and not stmt.sym.type.open:
            declared.append(Declare(adjoint))
            _with(zeroed, _zeroed(adjoint, dimensions))
            continue
        if apart:
            to, held = names.get(adjoint, adjoint), element(adjoint)
            _with(zeroed, _cleared(to, held, counts[stmt.sym], (), dimensions))
            continue
        try:
            most = count = converted(extent(stmt.sym), INT)
        except Rejected as unknown:
            if {d.code for d in unknown.diagnostics} != {Code.UNKNOWN_EXTENT} or not _in_a_row(stmt.sym):
                raise
            count = _as_launched(helper, len(given), element(adjoint))
            most = Binary("/", Place(HANDED, (), SIZE_T), _size(element(stmt.sym)), SIZE_T)
        if isinstance(unconverted(count), Select | Binary):
            size = Sym(f"{stmt.sym.name}_size", INT)
            declared.append(Declare(size, count))
            count = Place(size, (), INT)
        dynamic = [Stretch(tuple(given), element(adjoint), most)]
        if stmt.sym not in used:
            alone = Sym(adjoint.name, summed(stmt.sym.type), "shared", of=stmt.sym)
            body = [mapped(s, renaming({adjoint: alone})) for s in body]
            adjoint = alone
            declared.append(Declare(adjoint))
        else:
            base = Place(stmt.sym, (), adjoint.type)
            declared.append(Declare(adjoint, Binary("+", base, unconverted(count), adjoint.type)))
        zeroed.append(_cleared(adjoint, dynamic[0].element, count, (), dimensions))
    if not zero:
        zeroed = []
    if zeroed:
        zeroed.append(Barrier())
    return [*declared, *zeroed, *body], dynamic


HANDED = Sym("%shared_bytes", SIZE_T)
"""The primal's dynamic shared memory size, an argument of the host's size function."""


def _in_a_row(sym: Sym) -> bool:
    return isinstance(sym.type, Array) and len(sym.type.extents) == 1


def _as_launched(helper: str, arrays: int, held: Scalar) -> Expr:
    """The number of elements of each of several arrays that divide the launch's shared memory evenly."""
    of_each: Expr = _size(held)
    if arrays > 1:
        of_each = Binary("*", Cast(Const(arrays, INT), SIZE_T, implicit=True), of_each, SIZE_T)
    bytes_ = Cast(Call(helper, (), UINT, callee=helper), SIZE_T, implicit=True)
    return Cast(Binary("/", bytes_, of_each, SIZE_T), INT, implicit=True)


def _size(held: Scalar) -> Const:
    return Const(held.size, SIZE_T, spelling=f"sizeof({held.name})")


def _with(zeroed: list[Stmt], stmt: Stmt) -> None:
    """Append a statement; consecutive ones for the same thread share one `if`."""
    match zeroed[-1:], stmt:
        case [If(cond, then)], If(again, more) if cond == again:
            zeroed[-1] = If(cond, (*then, *more))
        case _:
            zeroed.append(stmt)


def _zeroed(sym: Sym, dimensions: int) -> Stmt:
    """Set every element to zero, with all threads of the block."""
    assert isinstance(sym.type, Array)
    if sym.type.single:
        thread = linear_thread(dimensions)
        first = Binary("==", thread, Const(0, UINT), BOOL)
        return If(first, (Clear(Place(sym, (Const(0, INT),), sym.type.element)),))
    count = Const(sym.type.elements, INT, spelling=_count(sym.type))
    return _cleared(sym, sym.type.element, count, sym.type.extents, dimensions)


def _cleared(sym: Sym, element: Scalar, count: Expr, extents: tuple[int, ...], dimensions: int) -> Stmt:
    q = Sym("q", INT)
    at: Expr = Place(q, (), INT)
    first, step = converted(linear_thread(dimensions), INT), block_size(dimensions)
    test = Binary("<", at, count, BOOL)
    more = Assign(Place(q, (), INT), step, "+=")
    array = sym.type if isinstance(sym.type, Array) and extents else None
    clear = Clear(Place(sym, (at,) if array is None else _indices(at, array), element))
    return For((Declare(q, first),), test, (more,), (clear,))


def _count(array: Array) -> str:
    """The number of elements, as the author spells it."""
    texts = [_spelled(array, position) for position in range(len(array.extents))]
    return " * ".join(texts) if len(texts) > 1 else (array.spelled or texts)[0] or texts[0]


def _indices(at: Expr, array: Array) -> tuple[Expr, ...]:
    """The indices of the element with a linear index."""
    found: list[Expr] = []
    for position in range(len(array.extents) - 1, 0, -1):
        extent = Const(array.extents[position], INT, spelling=_spelled(array, position))
        found.insert(0, Binary("%", at, extent, INT))
        at = Binary("/", at, extent, INT)
    return (at, *found)


def _spelled(array: Array, position: int) -> str:
    """One extent, in parentheses if it is more than a name or a number."""
    text = (array.spelled[position] if array.spelled else "") or str(array.extents[position])
    return text if text.replace("_", "").isalnum() else f"({text})"
