"""Shuffles: the lane a value is read from, and hence the lane its adjoint goes to.

    float b = __shfl_down_sync(0xffffffffu, a, 4);

        float from_below = __shfl_up_sync(0xffffffffu, adj_b, 4);
        adj_a += (lane >= 4 ? from_below : 0.0f) + (lane + 4 >= 32 ? adj_b : 0.0f);

With l the lane's index in its segment of w lanes and g(k) the adjoint of lane k's result:

    down by d    g(l - d) if l >= d, and its own g if l + d >= w: such a lane keeps its value
    up by d      g(l + d) if l + d < w, and its own g if l < d
    xor by x     g(l ^ x)
    from lane s  the sum of g(k) over the lanes k of the segment that read from this one

In the last case: if all lanes read one lane, a sum over the segment, for that lane only;
if each lane reads a different one (a rotation), the inverse rotation; otherwise a loop
over the lanes of the segment. All lanes exchange their amounts, outside every guard; a
lane without a contribution passes zero.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from ...analysis.constants import FULL, WARP, literal, number, uncast
from ...analysis.loops.counted_loops import counted, scale
from ...analysis.ssa import Version, targets
from ...analysis.threads.warp_uniformity import Warps, group_of, mask_of, meetings, width_of
from ...diagnostics import Code, Diagnostic, diagnose
from ...ir import (
    BOOL,
    INT,
    UINT,
    Accumulate,
    Assign,
    Binary,
    Call,
    Cast,
    Const,
    Declare,
    Expr,
    For,
    If,
    Place,
    Return,
    Scalar,
    Select,
    Stmt,
    Sym,
    Unary,
    collective,
    unconverted,
)
from ..common.algebra import add, converted, real
from ..common.integer_expressions import half, in_names, less

Kind = Literal["down", "up", "across", "one", "turned", "any"]

_KINDS: dict[str, Kind] = {
    "__shfl_down_sync": "down",
    "__shfl_up_sync": "up",
    "__shfl_xor_sync": "across",
    "__shfl_sync": "any",
}


@dataclass(frozen=True, eq=False)
class Way:
    """How one shuffle moves values. `by` is the distance, or the lane that is read from."""

    kind: Kind
    mask: Expr
    by: Expr
    width: int
    spelled: Expr | None  # the width, if the author wrote one
    lane: Expr
    known: dict[Sym, Version]  # the author's variable for the lane, if there is one
    back: Expr | None = None  # turned: the lane that the adjoint is read from

    def reads(self) -> list[Expr]:
        """What the reverse sweep evaluates for it."""
        lane = [] if self.kind in ("across", "turned") else [self.lane]
        return [self.mask, self.by if self.back is None else self.back, *lane]

    @property
    def guard(self) -> Expr | None:
        """The condition for the lane whose value all others read."""
        if self.kind != "one":
            return None
        source, value = whole(self.by), literal(self.by)
        if value is None or not 0 <= value < self.width:
            source = Binary("&", source, less(in_names(self.width, self.spelled), 1), INT)
        return Binary("==", self.position, source, BOOL)

    @property
    def position(self) -> Expr:
        """The lane's index in its segment."""
        lane = converted(self.lane, INT)
        return lane if self.width == WARP else Binary("%", lane, in_names(self.width, self.spelled), INT)


class Ways:
    """The shuffles of one function."""

    def __init__(self, warps: Warps) -> None:
        self.warps = warps
        self.v = warps.versions
        self.lane = Sym("lane", INT, otherwise=("warp_lane",))

    def of(self, stmt: Stmt, call: Call) -> Way:
        kind = _KINDS[call.name]
        width = width_of(self.v, stmt, call) or WARP
        lane, known = self._lane(stmt)
        spelled = call.args[3] if len(call.args) > 3 else None
        mask, by = call.args[0], call.args[2]
        way = Way(kind, mask, by, width, spelled, lane, known)
        if kind != "any":
            return way
        if self.warps.certain.kind(stmt, by) in ("uniform", "multiple"):
            return replace(way, kind="one")
        back = self._turned_back(stmt, by, width)
        return way if back is None else replace(way, kind="turned", back=back)

    def _lane(self, stmt: Stmt) -> tuple[Expr, dict[Sym, Version]]:
        """The lane's index: the author's variable for it, or one that the tool adds."""
        here = self.v.scope_of[stmt]
        for version in self._numbers:
            declared = self.v.declared[version.sym]
            assert version.stmt is not None
            if here.within(declared) and self.v.order[version.stmt] < self.v.order[stmt]:
                return Place(version.sym, (), version.sym.type), {version.sym: version}
        return Place(self.lane, (), INT), {}

    @cached_property
    def _numbers(self) -> list[Version]:
        """The author's variables that always hold the lane's index."""
        found: list[Version] = []
        for stmt in self.v.order:
            match stmt:
                case Declare(Sym(type=Scalar(size=4)) as sym, init) if isinstance(init, Expr) and (
                    self._is_lane(stmt, init)
                ):
                    made = [v for v in self.v.all_versions() if v.sym is sym]
                    if len(made) == 1:
                        found += made
                case _:
                    pass
        return found

    def _is_lane(self, stmt: Stmt, expr: Expr) -> bool:
        match unconverted(expr):
            case Binary("%" | "&" as op, left, right):
                wanted = WARP if op == "%" else WARP - 1
                return literal(right) == wanted and self.warps.certain.kind(stmt, left) == "steps"
            case _:
                return False

    def first(self, stmt: Stmt, width: int) -> bool:
        """Whether only the first lane of each segment reaches a statement."""
        for scope in self.v.scope_of[stmt].outwards():
            owner = scope.owner
            conditions = _conjuncts(owner.cond) if scope.role == "then" and isinstance(owner, If) else []
            if owner is not None and any(self._is_first(owner, e, width) for e in conditions):
                return True
        return False

    def _is_first(self, stmt: Stmt, cond: Expr, width: int) -> bool:
        """`lane == 0`, or an equivalent: 32 * k + lane == 0, lane % width == 0."""
        match cond:
            case Binary("==", left, right) if literal(right) == 0:
                pass
            case Unary("!", Cast(left, _, True)):
                pass
            case _:
                return False
        if self.warps.certain.kind(stmt, left) == "steps":
            return True
        match self.v.followed(stmt, left, unconverted):
            case at, Binary("%" | "&" as op, inner, modulus):
                wanted = width if op == "%" else width - 1
                return literal(modulus) == wanted and self.warps.certain.kind(at, inner) == "steps"
            case _:
                return False

    # ---- each lane reads a different lane -----------------------------------------

    def _turned_back(self, stmt: Stmt, by: Expr, width: int) -> Expr | None:
        """The lane that reads from this one, if `by` is lane + c or c - lane, or lane ^ c."""
        by = unconverted(by)
        match by:
            case Binary("%", inner, modulus) if (literal(modulus) or 1) % width == 0:
                return self._turned_back(stmt, inner, width)
            case Binary("&", inner, modulus) if ((literal(modulus) or 0) + 1) % width == 0:
                return self._turned_back(stmt, inner, width)
            case Binary("+" | "-" | "^" as op, left, right):
                pass
            case _:
                return None
        one, two = (self._step(stmt, e) for e in (left, right))
        if (one, two) not in ((True, False), (False, True)):
            return None
        if (op == "-" and two) or op == "^":
            small = literal(right if one else left)
            inside = small is not None and 0 <= small < width
            return by if op == "-" or inside else None
        lane, moved = (left, right) if one else (right, left)
        forward, distance = op == "+", literal(moved)
        if distance is not None:
            left_over = (-distance if forward else distance) % width
            return Binary("+", converted(lane, INT), Const(left_over, INT), INT)
        return Binary("-" if forward else "+", converted(lane, INT), converted(moved, INT), INT)

    def _step(self, stmt: Stmt, expr: Expr) -> bool | None:
        """Whether an expression is the lane's index plus whole warps; False if uniform, None if neither."""
        kind = self.warps.certain.kind(stmt, expr)
        return True if kind == "steps" else None if kind in ("apart", None) else False

    # ---- refusals -----------------------------------------------------------------

    def problems(self, active: Callable[[Stmt], bool]) -> list[Diagnostic]:
        """All reasons why adjoints can't be exchanged where the primal exchanges values."""
        found: list[Diagnostic] = []
        for stmt in meetings(self.v):
            call = collective(stmt)
            span = (call.span if call is not None else None) or getattr(stmt, "span", None)
            name = "__syncwarp" if call is None else call.name
            parting = self.warps.parting(stmt)
            if parting is not None:
                found.append(diagnose(Code.DIVERGENT_WARP, span, name=name, **advice(parting)))
            elif call is not None and call.rule == "shuffle" and active(stmt):
                found += self._unclear(stmt, call)
        return found

    def _unclear(self, stmt: Stmt, call: Call) -> list[Diagnostic]:
        name, span = call.name, call.span or getattr(stmt, "span", None)
        mask, width = mask_of(self.v, stmt, call), width_of(self.v, stmt, call)
        segment = None if mask is not None else self.warps.segment(stmt, call.args[0])
        if mask is None and segment is None:
            return [diagnose(Code.UNKNOWN_MASK, span, name=name)]
        if width is None:
            why, help = "the width isn't a literal", "write the width as 2, 4, 8, 16 or 32"
            return [
                diagnose(Code.UNKNOWN_DISTANCE, span, name=name, within="in one segment", why=why, help=help)
            ]
        kind, furthest = _KINDS[name], self._furthest(stmt, call.args[2])
        group = segment if mask is None else WARP if mask == FULL else group_of(mask)
        if group is None or (width > group and not self._returns(kind, mask, group, furthest)):
            named = f"{segment} lanes" if mask is None else _lanes(mask)
            lanes = f"it has {named}, but segments are {width} lanes wide"
            return [diagnose(Code.PARTIAL_MASK, span, name=name, why=lanes)]
        if kind == "across" and width < WARP and (furthest is None or furthest >= width):
            why = "the distance is unknown" if furthest is None else f"the distance is up to {furthest} lanes"
            return [
                diagnose(
                    Code.UNKNOWN_DISTANCE,
                    span,
                    name=name,
                    within=f"in a segment of {width} lanes",
                    why=why,
                    help=f"use a literal distance below {width}, or a loop counter bounded by literals",
                )
            ]
        return []

    def _returns(self, kind: Kind, mask: int | None, group: int, furthest: int | None) -> bool:
        """Whether a group gets all its adjoints from within the group, though its segments are wider.

        `mask` is None if each lane names its own group.
        """
        match kind:
            case "across":
                return furthest is not None and furthest < group
            case "down" if mask is not None:
                return bool(mask & 1)
            case "up" if mask is not None:
                return bool(mask >> (WARP - 1) & 1)
            case _:
                return False

    def _furthest(self, stmt: Stmt, by: Expr) -> int | None:
        """The largest distance, if literals determine it."""
        found = number(self.v, stmt, by)
        if found is not None:
            return found if found >= 0 else None
        match unconverted(by):
            case Place(sym, ()):
                version = self.v.read(stmt, sym)
                if version is None or version.kind != "head" or not isinstance(version.stmt, For):
                    return None
                loop = version.stmt
                scaled = scale(loop)
                if scaled is not None and scaled.sym is sym:
                    return max(scaled.values)
                count = counted(loop, self.v)
                if count is None or count.sym is not sym:
                    return None
                ends = (literal(count.start), literal(count.bound))
                return (
                    None
                    if None in ends or min(e for e in ends if e is not None) < 0
                    else (max(e for e in ends if e is not None))
                )
            case _:
                return None


def _conjuncts(cond: Expr) -> list[Expr]:
    match unconverted(cond):
        case Binary("&&", left, right):
            return [*_conjuncts(left), *_conjuncts(right)]
        case bare:
            return [bare]


def _lanes(mask: int) -> str:
    return f"{mask.bit_count()} lanes (0x{mask:08x})"


def advice(parting: Stmt) -> dict[str, str]:
    """Where lanes may diverge, and how to avoid it."""
    span = getattr(parting, "span", None)
    text = span.words if span is not None else ""
    where = f"`{text}` on line {span.line}" if span is not None else "the condition"
    help = "move it out, or let the condition depend only on the warp index, sizes and blockIdx"
    if isinstance(parting, If) and any(isinstance(s, Return) for s in parting.then):
        help = "keep all lanes active, with zero instead of a value: `float v = i < n ? x[i] : 0.0f`"
    return {"why": f"lanes may diverge at {where}", "help": help}


# ---- the exchange itself --------------------------------------------------------


def exchanged(way: Way, type_: Scalar, amount: Expr, out: Sym, val: Callable[[Expr], Expr]) -> list[Stmt]:
    """Statements that compute in `out` the adjoint of a shuffle's operand from those of its results."""
    stmts: list[Stmt] = []
    mask, width = val(way.mask), () if way.spelled is None else (val(way.spelled),)

    def shuffle(name: str, value: Expr, by: Expr) -> Expr:
        index = INT if name in ("__shfl_sync", "__shfl_xor_sync") else UINT
        passed = (mask, value, converted(by, index), *(converted(w, INT) for w in width))
        return Call(name, passed, type_, rule="shuffle")

    def named(name: str, value: Expr) -> Place:
        sym = Sym(name, type_)
        stmts.append(Declare(sym, converted(value, type_)))
        return Place(sym, (), type_)

    if way.kind in ("down", "up", "any") and not (isinstance(amount, Place) and not amount.index):
        amount = named("g", amount)
    zero = real(0.0, type_)
    position, end = val(way.position), in_names(way.width, way.spelled)
    by = val(way.by)
    match way.kind:
        case "down" | "up":
            forth = way.kind == "down"
            distance = whole(by)
            below = Binary(">=" if forth else "<", position, distance, BOOL)
            past = Binary("+", position, distance, INT)
            beyond = Binary(">=" if forth else "<", past, end, BOOL)
            there = named(
                "from_below" if forth else "from_above",
                shuffle("__shfl_up_sync" if forth else "__shfl_down_sync", amount, by),
            )
            moved, own = (below, beyond) if forth else (beyond, below)
            total = add(Select(moved, there, zero, type_), Select(own, amount, zero, type_))
            stmts.append(Declare(out, total))
        case "across":
            stmts.append(Declare(out, shuffle("__shfl_xor_sync", amount, by)))
        case "turned":
            assert way.back is not None
            stmts.append(Declare(out, shuffle("__shfl_sync", amount, val(way.back))))
        case "one":
            stmts.append(Declare(out, converted(amount, type_)))
            d = Sym("d", INT)
            at, mine = Place(d, (), INT), Place(out, (), type_)
            stmts.append(
                For(
                    (Declare(d, half(in_names(way.width, way.spelled))),),
                    Binary(">", at, Const(0, INT), BOOL),
                    (Assign(at, Const(2, INT), "/="),),
                    (Accumulate(mine, shuffle("__shfl_xor_sync", mine, at), "local"),),
                )
            )
        case "any":
            stmts += _asked(way, type_, amount, by, out, shuffle, position)
    return stmts


def _asked(
    way: Way,
    type_: Scalar,
    amount: Expr,
    by: Expr,
    out: Sym,
    shuffle: Callable[[str, Expr, Expr], Expr],
    position: Expr,
) -> list[Stmt]:
    """Loop over the lanes of the segment: read each one's source lane and adjoint."""
    k, there, owes = Sym("k", INT), Sym("read_from", INT), Sym("owes", type_)
    at = Place(k, (), INT)
    source = shuffle("__shfl_sync", whole(by), at)
    assert isinstance(source, Call)
    asked = replace(source, type=INT)
    low = Binary("&", Place(there, (), INT), less(in_names(way.width, way.spelled), 1), INT)
    mine = Binary("==", low, position, BOOL)
    add_up = Accumulate(Place(out, (), type_), Place(owes, (), type_), "local")
    return [
        Declare(out, real(0.0, type_)),
        For(
            (Declare(k, Const(0, INT)),),
            Binary("<", at, in_names(way.width, way.spelled), BOOL),
            (Assign(at, Const(1, INT), "+=", spelling="++k"),),
            (
                Declare(there, asked),
                Declare(owes, shuffle("__shfl_sync", amount, at)),
                If(mine, (add_up,)),
            ),
        ),
    ]


def whole(expr: Expr) -> Expr:
    """A distance as an `int`, without the conversion for the call."""
    match expr:
        case Cast(arg, Scalar(size=4)) if isinstance(arg.type, Scalar) and arg.type.is_integer:
            return whole(arg) if arg.type.size == 4 else converted(expr, INT)
        case Const(value, _, _, None):
            return Const(value, INT)
        case _:
            return Cast(expr, INT, implicit=True) if expr.type == UINT else converted(expr, INT)


# ---- sums down to one lane --------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Gathered:
    """`for (d = 16; d > 0; d /= 2) v += __shfl_down_sync(m, v, d);`, with only the first lane's result used.

    Its value there is the sum over the segment, so each lane's adjoint is the first one's.
    """

    sum: Sym
    call: Call
    stmt: Stmt
    way: Way


def gathered(ways: Ways, loop: Stmt, owes: Callable[[Stmt, Sym], bool]) -> Gathered | None:
    """The segment sum of a loop, if only its first lane's is used; `owes(stmt, sym)`: see `Builder.owes`."""
    v = ways.v
    scaled = scale(loop) if isinstance(loop, For) else None
    match loop:
        case For(_, _, _, (Declare(part, Call() as call) as made, Assign(Place(total, ()), added, "+="))) if (
            scaled is not None and call.name == "__shfl_down_sync"
        ):
            pass
        case _:
            return None
    width, way = width_of(v, made, call), ways.of(made, call)
    halves = tuple(1 << k for k in reversed(range((width or 1).bit_length() - 1)))
    passed, by = call.args[1], uncast(call.args[2])
    exact = isinstance(passed, Place) and passed.sym is total and not passed.index
    counter = isinstance(by, Place) and by.sym is scaled.sym
    own = isinstance(added, Place) and added.sym is part and part.origin == "lowering"
    if not (exact and counter and own and scaled.values == halves and total.storage == "local"):
        return None
    if mask_of(v, made, call) != FULL and ways.warps.segment(made, call.args[0]) != width:
        return None
    result = v.makes.get(loop, {}).get(total)
    if result is None or not _of_first(ways, result, width or WARP, owes, set()):
        return None
    return Gathered(total, call, made, way)


def _of_first(
    ways: Ways, version: Version, width: int, owes: Callable[[Stmt, Sym], bool], seen: set[Version]
) -> bool:
    """Whether a value's adjoint is zero in all lanes but the first of each segment."""
    if version in seen:
        return True
    seen.add(version)
    v = ways.v
    made = [other for other in v.all_versions() if version in other.args]
    for stmt, reads in v.reads.items():
        if reads.get(version.sym) is not version or ways.first(stmt, width):
            continue
        # for `v += e`, v's adjoint is unchanged: nothing is added, and later uses are followed as before
        if not owes(stmt, version.sym) and version.sym not in (place.sym for place in targets(stmt)):
            continue
        if collective(stmt) is not None or not isinstance(stmt, Declare | Assign):
            return False
        if isinstance(stmt, Assign) and stmt.target.index:
            return False
        made += v.makes.get(stmt, {}).values()
    return all(_of_first(ways, other, width, owes, seen) for other in made)
