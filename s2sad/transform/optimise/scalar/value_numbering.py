"""Value numbering: remove a second tool-made name for the same value.

    float r = 1.0f / up;                     float r = 1.0f / up;
    adj_up += r * r * g;                 ->  adj_up += r * r * g;
    float r_2 = 1.0f / up;                   adj_up += r * r * g_2;
    adj_up += r_2 * r_2 * g_2;

Such names come from two partials that use the same value, or from two pointers to equal places in
different arrays.
"""

from __future__ import annotations

from collections import Counter

from ....analysis.ssa import outputs
from ....ir import (
    Block,
    Body,
    Const,
    Declare,
    Expr,
    If,
    Place,
    Scalar,
    Stmt,
    Sym,
    rebuilt,
    remembered,
    statements,
)
from ...common.guard_splitting import with_names
from ...common.mod_ref import changes, removable, written
from .restore_collectives import made_together


def value_numbering(body: Body) -> Body:
    """Remove the tool's names for values that an earlier tool-made name still holds."""
    return _numbered(body, None)


def _numbered(body: Body, around: Counter[_Said] | None) -> Body:
    """The same for a part of a body; `around`: how often each name and value occurs in the whole."""
    out = list(body)
    changed = frozenset[Sym]().union(*map(written, out))
    times = around
    for position, stmt in enumerate(out):
        if (made := _named(stmt)) is None:
            continue
        sym, value = made.sym, made.value
        if times is around and sym not in changed and (around is None or around[made] > 1):
            times = _times(out)
        if sym not in changed and times is not None and times[made] > 1:
            later = out[position + 1 :]
            shared = _shared(later, sym, value)
            if len(shared) != len(later) or any(a is not b for a, b in zip(shared, later, strict=True)):
                out[position + 1 :] = shared
                times = _times(out)  # the removal makes other values equal
    return tuple(rebuilt(stmt, lambda b: _numbered(b, times)) for stmt in out)


class _Said:
    """A name and its value, as a key with a cached hash, as values are long."""

    def __init__(self, sym: Sym, value: Expr) -> None:
        self.sym = sym
        self.value = value
        self.all = "" if _offset(sym) else sym.name, sym.type, sym.of, value
        self.hash = hash(self.all)

    def __hash__(self) -> int:
        return self.hash

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Said) and self.hash == other.hash and self.all == other.all


def _times(body: list[Stmt]) -> Counter[_Said]:
    """How often each name and value occurs."""
    return Counter(made for stmt in statements(tuple(body)) if (made := _named(stmt)) is not None)


@remembered
def _named(stmt: Stmt) -> _Said | None:
    """The tool's name that a statement defines, and its value."""
    match stmt:
        case Declare(sym, init) if (
            (removable(sym) or _offset(sym))
            and sym.storage == "local"
            and isinstance(init, Expr)
            and not isinstance(init, Place | Const)
            and not outputs(init)
            and not made_together(init)
        ):
            return _Said(sym, init)
        case _:
            return None


def _offset(sym: Sym) -> bool:
    """Whether it is where a pointer's target begins in an array: `const long row_at = blockIdx.x * cols;`."""
    return sym.origin == "lowering" and sym.const and isinstance(sym.type, Scalar) and sym.type.is_integer


def _alike(a: Sym, b: Sym) -> bool:
    """Whether the names are interchangeable: not the equal adjoints of two different variables."""
    if _offset(a) and _offset(b):
        return a.type == b.type
    return (a.name, a.type, a.of) == (b.name, b.type, b.of)


def _shared(body: list[Stmt], sym: Sym, value: Expr) -> list[Stmt]:
    """The following statements, with `sym` for each name of the same value, until the value changes."""
    out: list[Stmt] = []
    for k, stmt in enumerate(body):
        other = _named(stmt)
        if other is not None and _alike(other.sym, sym) and other.value == value:
            rest = body[k + 1 :]
            if not any(other.sym in written(s) for s in rest):
                return out + _shared([*with_names(tuple(rest), {other.sym: sym})], sym, value)
        changed = changes(stmt, value)
        if not changed or isinstance(stmt, If | Block):
            stmt = rebuilt(stmt, lambda inner: tuple(_shared(list(inner), sym, value)))
        out.append(stmt)
        if changed:
            return out + body[k + 1 :]
    return out
