"""Uniformity across the lanes of a warp, and values that number the lanes.

    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;     the same
    int lane = threadIdx.x % 32;                                apart, and each lane knows its number
    if (row >= rows) return;                                    the warp goes on, or none of it
    for (int k = lane; k < cols; k += 32) ...                   lanes part here
    if (threadIdx.x < 64) ...                                   a whole number of warps

A value is *uniform* if all lanes of a warp have it; a *multiple* if it is uniform, not
negative, and a multiple of the warp's size; in *steps* if it is a multiple plus the
lane's number. Grown from below, like block uniformity. The analysis also supports
aligned groups of fewer lanes, for exchanges among these.

That a block's rows are whole warps is assumed where the proof needs it, and the header
states it. Only the proof does: where it fails and lanes diverge before they exchange values,
the primal waits for lanes that never come. The source lane of a value is determined
without it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType

from ...fixpoint import rounds
from ...ir import (
    COLLECTIVE,
    COMPARISONS,
    LOGICAL,
    AddressOf,
    Array,
    Barrier,
    Binary,
    Call,
    Cast,
    Const,
    Expr,
    Place,
    Scalar,
    Select,
    Special,
    Stmt,
    Unary,
    collective,
    is_integer,
    walk,
)
from ..constants import FLIPPED, FULL, WARP, literal, natural, number
from ..ssa import Version, Versions, operands
from .lane_segments import Segments
from .uniform_guards import Even, evened
from .uniformity import Kind, Uniformity, joined, same


class Lanes(Uniformity):
    """The uniformity of one function in tail form, for aligned groups of `size` lanes.

    `aligned`: the rows of a block are assumed to be whole warps.
    """

    def __init__(
        self,
        versions: Versions,
        dimensions: int,
        aligned: bool,
        size: int = WARP,
        alike: frozenset[str] = frozenset(),
        even: Mapping[Stmt, tuple[Even, ...]] = MappingProxyType({}),
    ) -> None:
        self.dimensions = dimensions
        self.aligned = aligned
        self.size = size
        self.segments = Segments(versions, dimensions, aligned)
        super().__init__(versions, alike, even)

    def steps(self, stmt: Stmt, expr: Expr) -> bool:
        """Whether an expression of a statement is a multiple of the group's size plus the lane's number."""
        return self.kind(stmt, expr) == "steps"

    def kind(self, stmt: Stmt, expr: Expr) -> Kind | None:
        """Return the kind of a statement's expression in the group; None while it isn't known."""
        match expr:
            case Const(value):
                whole = not isinstance(value, float) and value >= 0 and value % self.size == 0
                return "multiple" if whole else "uniform"
            case Special():
                return self._special(expr)
            case Place():
                return self._place(stmt, expr)
            case Cast(arg, type_):
                return self._cast(self.kind(stmt, arg), arg, type_)
            case Unary(_, arg):
                return same(self.kind(stmt, arg))
            case Binary(op, left, right):
                return self._binary(op, (left, self.kind(stmt, left)), (right, self.kind(stmt, right)))
            case Select(cond, then, other):
                if same(self.kind(stmt, cond)) == "apart":
                    return "apart"
                return joined(self.kind(stmt, then), self.kind(stmt, other))
            case Call():
                return self._call(stmt, expr)
            case AddressOf():
                return "apart"

    def _special(self, expr: Special) -> Kind:
        match expr.name, expr.axis:
            case "threadIdx", "x":
                return "steps" if self.dimensions == 1 or self.aligned else "apart"
            case "threadIdx", _:
                return "uniform" if self.aligned else "apart"
            case "blockDim", "x":
                return "multiple" if self.aligned else "uniform"
            case "warpSize", _:
                return "multiple"
            case _:
                return "uniform"

    def _place(self, stmt: Stmt, place: Place) -> Kind | None:
        sym = place.sym
        if place.index:
            if isinstance(sym.type, Array) and sym.storage == "local":
                return "apart"
            # One value: a store by another lane between two lanes' reads would be a race.
            kinds = [same(self.kind(stmt, e)) for e in place.index]
            return "apart" if "apart" in kinds else None if None in kinds else "uniform"
        version = self.v.read(stmt, sym)
        return "uniform" if version is None else self.of(version)

    def _cast(self, kind: Kind | None, arg: Expr, type_: object) -> Kind | None:
        wide = isinstance(type_, Scalar) and type_.is_integer and type_.size >= 4
        if wide and is_integer(arg):
            return kind
        return same(kind)

    def _binary(
        self, op: str, left: tuple[Expr, Kind | None], right: tuple[Expr, Kind | None]
    ) -> Kind | None:
        (_, a), (y, b) = left, right
        if a is None or b is None:
            return "apart" if "apart" in (a, b) else None
        if a in ("uniform", "multiple") and b in ("uniform", "multiple"):
            kept = (op == "+" and a == b) or (
                op == "*" and all(kind == "multiple" or natural(e) for e, kind in (left, right))
            )
            return "multiple" if kept and "multiple" in (a, b) else "uniform"
        if op in COMPARISONS:
            return self._compared(op, left, right)
        if op in LOGICAL:
            return "apart"
        if op == "+" and {a, b} == {"steps", "multiple"}:
            return "steps"
        if a != "steps":
            return "apart"
        number = literal(y)
        match op:
            case "/" if b == "multiple":
                return "uniform"
            case "%" if b == "multiple":
                return "steps"
            case ">>" if number is not None and 0 <= number < 31 and (1 << number) % self.size == 0:
                return "uniform"
            case "&" if number is not None and number % self.size == 0:
                return "multiple" if number > 0 else "uniform"
            case "&" if number is not None and number > 0 and (number + 1) % self.size == 0:
                return "steps"
            case _:
                return "apart"

    def _compared(self, op: str, left: tuple[Expr, Kind | None], right: tuple[Expr, Kind | None]) -> Kind:
        """Compare a number in steps with a multiple: 32 u + lane < 32 m if and only if u < m."""
        if right[1] == "steps":
            return "apart" if left[1] == "steps" else self._compared(FLIPPED.get(op, op), right, left)
        if left[1] != "steps":
            return "apart"  # a bound says nothing about any other value
        number = literal(right[0])
        if op in ("<", ">=") and right[1] == "multiple":
            return "uniform"
        if op in ("<=", ">") and number is not None and number > 0 and (number + 1) % self.size == 0:
            return "uniform"
        return "apart"

    def _call(self, stmt: Stmt, call: Call) -> Kind | None:
        if call.rule in COLLECTIVE:
            return self._exchanged(stmt, call)
        if (call.callee is not None and call.callee not in self.alike) or call.name.startswith("atomic"):
            return "apart"
        kinds = [same(self.kind(stmt, a)) for a in call.args if not isinstance(a, AddressOf)]
        return "apart" if "apart" in kinds else None if None in kinds else "uniform"

    def _exchanged(self, stmt: Stmt, call: Call) -> Kind | None:
        """Classify an exchange: a full-warp vote, or one lane's value, is the same for all."""
        if call.name.startswith("__syncthreads"):
            return "uniform"
        if not self._among_all(stmt, call):
            return "apart"
        if call.rule == "vote":
            return "apart" if "match_any" in call.name else "uniform"
        width = width_of(self.v, stmt, call)
        if width is None or width < self.size:
            return "apart"
        source = same(self.kind(stmt, call.args[2]))
        value = same(self.kind(stmt, call.args[1]))
        if value == "uniform" or (call.name == "__shfl_sync" and source == "uniform"):
            return "uniform"
        return None if None in (source, value) else "apart"

    def _among_all(self, stmt: Stmt, call: Call) -> bool:
        """Whether a call's mask names all lanes of the group."""
        if mask_of(self.v, stmt, call) == FULL:
            return True
        segment = self.segments.size(stmt, call.args[0])
        return segment is not None and segment >= self.size


# ---- literal arguments -----------------------------------------------------------


def named_lanes(stmt: Stmt) -> Expr | None:
    """Return the mask of a barrier or of a warp's collective; None if the statement has none."""
    call = collective(stmt)
    return stmt.mask if isinstance(stmt, Barrier) else None if call is None else call.args[0]


def mask_of(versions: Versions, stmt: Stmt, call: Call) -> int | None:
    """Return the mask of participating lanes, if literals decide it."""
    found = number(versions, stmt, call.args[0])
    return None if found is None else found & FULL


def width_of(versions: Versions, stmt: Stmt, call: Call) -> int | None:
    """Return the size of a shuffle's segments: a power of two."""
    if len(call.args) < 4:
        return WARP
    found = number(versions, stmt, call.args[3])
    return found if found in (1, 2, 4, 8, 16, 32) else None


# ---- where lanes meet -------------------------------------------------------------


@dataclass
class Warps:
    """The lanes of a function's warps, for groups of any size, and the assumptions made for them."""

    versions: Versions
    dimensions: int
    aligned: bool = False
    alike: frozenset[str] = frozenset()
    even: Mapping[Stmt, tuple[Even, ...]] = field(default_factory=dict)
    _found: dict[int, Lanes] = field(default_factory=dict)

    @cached_property
    def certain(self) -> Lanes:
        """The analysis without the assumptions."""
        if self.aligned or self.even:
            return Lanes(self.versions, self.dimensions, False, alike=self.alike)
        return self.of()

    def of(self, size: int = WARP) -> Lanes:
        if size not in self._found:
            self._found[size] = Lanes(
                self.versions, self.dimensions, self.aligned, size, self.alike, self.even
            )
        return self._found[size]

    def parting(self, stmt: Stmt) -> Stmt | None:
        """Return where lanes that meet at a statement may diverge before it, or None if they don't."""
        scope = self.versions.scope_of[stmt]
        group = self.group(stmt)
        found = self.of().apart(scope)
        return found if found is None or group is None else self.of(group).apart(scope)

    def group(self, stmt: Stmt) -> int | None:
        """Return the number of participating lanes, if the mask is an aligned group of fewer than all."""
        mask = named_lanes(stmt)
        if mask is None:
            return None
        found = number(self.versions, stmt, mask)
        return self.segment(stmt, mask) if found is None else group_of(found & FULL)

    def segment(self, stmt: Stmt, mask: Expr) -> int | None:
        """Return the number of lanes that a mask names, if it names each lane's own aligned segment."""
        return self.of().segments.size(stmt, mask)


def group_of(mask: int) -> int | None:
    """Return the size, a power of two, of the one aligned group of lanes that a mask consists of, if any."""
    size = mask.bit_count()
    if size not in (1, 2, 4, 8, 16):
        return None
    first = (mask & -mask).bit_length() - 1
    return size if first % size == 0 and mask == ((1 << size) - 1) << first else None


def meetings(versions: Versions) -> list[Stmt]:
    """Return the statements at which a warp's lanes meet, in order; block barriers are handled separately."""
    found: list[Stmt] = []
    for stmt in versions.order:
        call = collective(stmt)
        if (isinstance(stmt, Barrier) and stmt.warp) or (
            call is not None and call.name != "__fns" and not call.name.startswith("__syncthreads")
        ):
            found.append(stmt)
    return found


def survey(versions: Versions, dimensions: int, alike: frozenset[str] = frozenset()) -> Warps:
    """Analyse a function's warps; `alike` functions return the same to a block for the same arguments.

    Rows are assumed to be whole warps where the proof needs it, and where the primal needs it
    too: a mask of all lanes, at a place not selected by the thread's number in its block, names
    lanes that don't exist if a block's last warp has fewer. If lanes may still diverge at a guard,
    the launch must be one in which they don't.
    """
    plain = Warps(versions, dimensions, alike=alike)
    met = meetings(versions)
    proved = all(plain.parting(s) is None for s in met)
    whole = dimensions == 1 and any(_by_all_warps(versions, s) for s in met)
    if not whole and proved:
        return plain
    warps = rows = Warps(versions, dimensions, True, alike)
    for _ in rounds(len(versions.order), "which guards lanes pass alike", versions.function.span):
        at = next((stmt for s in met if (stmt := warps.parting(s)) is not None), None)
        if at is None:
            return warps
        lanes = warps.of()
        tested = evened(versions, at, "warp", lanes.differs, lanes.steps)
        if tested is None or at in warps.even:
            return rows
        warps = replace(warps, even={**warps.even, at: tested}, _found={})
    raise AssertionError(at)


def _by_all_warps(versions: Versions, stmt: Stmt) -> bool:
    """Whether all lanes meet at a statement, in warps not selected by the thread's number alone."""
    call = collective(stmt)
    if call is None or mask_of(versions, stmt, call) != FULL:
        return False
    around = (scope.owner for scope in versions.scope_of[stmt].outwards() if scope.owner is not None)
    found = (_positions(versions, owner) for owner in around)
    return not any("threadIdx" in names and "blockIdx" not in names for names in found)


def _positions(versions: Versions, stmt: Stmt) -> set[str]:
    """Return which of `threadIdx`, `blockIdx` the values that a statement reads depend on."""
    found: set[str] = set()
    seen: set[Version] = set()
    todo: list[Version] = []

    def read(at: Stmt) -> None:
        todo.extend(versions.reads.get(at, {}).values())
        found.update(e.name for top in operands(at) for e in walk(top) if isinstance(e, Special))

    read(stmt)
    while todo:
        version = todo.pop()
        if version not in seen:
            seen.add(version)
            todo.extend(version.args)
            if version.stmt is not None:
                read(version.stmt)
    return found
