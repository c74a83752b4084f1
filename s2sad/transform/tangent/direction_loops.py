"""One loop over the directions for the tangents of adjacent statements.

What is the same along each direction and costs more than a load is computed before the loop: a call, a factor
of products of these, an inverse instead of a quotient. A tangent that no other statement needs is one number.
"""

from __future__ import annotations

from collections import Counter as Bag
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from ...analysis.activity import is_real
from ...ir import (
    BOOL,
    INT,
    AddressOf,
    Array,
    Assign,
    Binary,
    Body,
    Call,
    Cast,
    Const,
    Declare,
    Evaluate,
    Expr,
    For,
    Initialiser,
    Place,
    Scalar,
    Select,
    Stmt,
    Sym,
    all_parts,
    expressions,
    is_integer,
    scalar_type,
    unconverted,
    walk,
)
from ..common.adjoint_names import by_operation, element_name, place_name, product_name
from ..common.algebra import Amount, is_const, real, rewrite
from .expressions import expensive
from .layouts import Layout
from .linear_forms import Forms, moves
from .preaccumulation import Memory, Preaccumulation

_UNROLL = "#pragma unroll"
_FAR = ("parameter", "shared", "global")  # memory that another store may change, as a compiler sees it


def over(d: Sym, count: int, body: Body) -> For:
    """The loop over the directions."""
    by = Place(d, (), INT)
    cond = Binary("<", by, Const(count, INT), BOOL)
    step = Assign(by, Const(1, INT), "+=", spelling=f"++{d.name}")
    return For((Declare(d, Const(0, INT)),), cond, (step,), body, pragmas=(_UNROLL,))


class Loop:
    """The loop over the directions for adjacent tangents, with what comes before it.

    `layouts` are those of all tangents, which the function uses so many times; `known` are values that the
    primal has by name.
    """

    def __init__(
        self,
        layouts: Mapping[Sym, Layout],
        uses: Mapping[Sym, int],
        count: int,
        stmts: Sequence[Stmt],
        known: Mapping[Expr, Sym],
        name: str = "d",
    ) -> None:
        self.layouts, self.count, self.stmts = layouts, count, stmts
        self.known = {value: Place(sym, (), sym.type) for value, sym in known.items()}
        self.d = Sym(name, INT, otherwise=("dir",))
        self.by = Place(self.d, (), INT)
        self.declared: list[Stmt] = []
        self.named: dict[Expr, Sym] = {}
        self.slopes: dict[Expr, tuple[str, str]] = {}
        self.coefficients: set[Expr] = set()  # values that are named before the loop in any case
        self.inside: dict[Sym, Sym] = {}  # tangents that no other statement needs: one number
        here = Bag(part.sym for part in all_parts(*stmts) if isinstance(part, Place))
        self.inner = {
            s.sym
            for s in stmts
            if isinstance(s, Declare)
            and s.init is not None
            and not isinstance(s.init, Initialiser)
            and isinstance(s.sym.type, Scalar)
            and s.sym.within is None
            and s.sym.storage == "local"
            and here[s.sym] == uses[s.sym]
        }
        self.changed = {s.target.sym for s in stmts if isinstance(s, Assign)}
        self.stores = any(sym.storage in _FAR for sym in self.changed)

    def moves(self, expr: Expr) -> bool:
        return moves(expr, self.layouts)

    def preaccumulated(self, memory: Memory) -> Loop:
        """The loop with fewer instructions along each direction, where that is so."""
        made = Preaccumulation(self.layouts, self.inner, self.count, memory).made(self.stmts)
        self.stmts, self.coefficients = made
        return self

    def made(self) -> Iterator[Stmt]:
        self.slopes = _slopes(self.stmts, self.layouts)
        body = [new for stmt in self.stmts for new in self.stmt(stmt)]
        yield from self.declared
        yield from (Declare(sym, value) for value, sym in self.named.items())
        if body:
            yield over(self.d, self.count, tuple(body))

    def stmt(self, stmt: Stmt) -> Iterator[Stmt]:
        match stmt:
            case Declare(sym, init):
                yield from self.declare(stmt, sym, init)
            case Assign(target, value):
                at = self.place(target)
                yield replace(stmt, target=at, value=self.expr(value), spelling=None, part_of=None)
            case Evaluate(call):
                new = self.expr(call)
                assert isinstance(new, Call)
                yield replace(stmt, call=new)
            case _:
                raise AssertionError(stmt)

    def declare(self, stmt: Declare, sym: Sym, init: Expr | Initialiser | None) -> Iterator[Stmt]:
        if sym in self.inner:
            assert init is not None
            assert not isinstance(init, Initialiser)
            value = self.expr(init)
            self.inside[sym] = replace(sym, const=sym not in self.changed)
            yield Declare(self.inside[sym], value)
            return
        layout = self.layouts[sym]
        zero = isinstance(init, Initialiser) or (init is not None and is_const(init, 0.0))
        self.declared.append(Declare(layout.sym, Initialiser(()) if zero else None))
        if isinstance(init, Initialiser):
            for k, value in enumerate(init.values):
                if not is_const(value, 0.0):
                    at = Place(sym, _element(sym, k), scalar_type(value))
                    yield Assign(self.place(at), self.expr(value))
        elif init is not None and not zero:
            at = Place(sym, (), sym.type)
            yield Assign(self.place(at), self.expr(init))

    def place(self, place: Place) -> Place:
        if place.sym in self.inside:
            return replace(place, sym=self.inside[place.sym], spelling=None)
        return self.layouts[place.sym].place(place, self.by)

    def expr(self, expr: Expr, sure: bool = True) -> Expr:
        """An expression for one direction; `sure`: it is evaluated in any case."""
        if not self.moves(expr):
            same = rewrite(expr, lambda part: self.name(part) if part in self.coefficients else None)
            return self.name(same, slope=self.slopes.get(expr)) if self.worthwhile(same, sure) else same
        match expr:
            case Place():
                return self.place(expr)
            case AddressOf(place):
                return replace(expr, place=self.place(place), spelling=None)
            case Binary("/", left, right) if self.invertible(right, sure):
                return self.scaled(expr, left, right, sure)
            case Select(cond, then, other):
                parts = self.expr(cond, sure), self.expr(then, False), self.expr(other, False)
                return replace(expr, cond=parts[0], then=parts[1], other=parts[2], spelling=None, macro=None)
            case _:
                new = {part: self.expr(part, sure) for part in expr.operands}
                return _with_operands(expr, new)

    def invertible(self, divisor: Expr, sure: bool) -> bool:
        """Whether a divisor is the same along each direction, so that one division is enough."""
        if self.moves(divisor) or isinstance(unconverted(divisor), Const):
            return False
        known = isinstance(divisor.type, Scalar) and divisor.type.is_float and not divisor.type.is_half
        return known and (sure or not any(_may_fail(part) for part in walk(divisor)))

    def scaled(self, expr: Binary, left: Expr, right: Expr, sure: bool) -> Expr:
        """A quotient by a value that is the same along each direction, as a product."""
        match left:
            case Binary("*", factor, rest) if not self.moves(factor) and factor.type == right.type:
                if self.known_before(factor) and (sure or not any(_may_fail(part) for part in walk(factor))):
                    by = self.name(replace(expr, left=factor, spelling=None, macro=None))
                    return Binary("*", by, self.expr(rest, sure), expr.type)
        inverse = Binary("/", real(1.0, right.type), right, right.type)
        return Binary("*", self.expr(left, sure), self.name(inverse, "per_"), expr.type)

    def known_before(self, expr: Expr) -> bool:
        """Whether all that an expression reads is declared before the loop."""
        return True

    def name(self, expr: Expr, prefix: str = "", slope: tuple[str, str] | None = None) -> Expr:
        """A value by name, declared before the loop; `slope`: the names for the partial that it is."""
        if expr in self.known:
            return self.known[expr]
        short, long = slope or self.slopes.get(expr, ("", ""))
        expr = rewrite(expr, self.known.get)
        if expr not in self.named:
            longer = by_operation(expr, "")
            stem = product_name(expr) or short or longer
            if isinstance(expr, Place):
                stem = element_name(expr.sym.plain, expr)
            if prefix and isinstance(expr, Binary):
                inner = unconverted(expr.right)
                word = inner.sym.plain if isinstance(inner, Place) else product_name(inner)
                stem = longer = prefix + (word or by_operation(inner, ""))
            others = tuple(dict.fromkeys(name for name in (long, longer) if name and name != stem))
            self.named[expr] = Sym(stem or "value", scalar_type(expr), const=True, otherwise=others)
        sym = self.named[expr]
        return Place(sym, (), sym.type)

    def worthwhile(self, expr: Expr, sure: bool) -> bool:
        """Whether a value is computed before the loop: it is expensive, or a store could change it."""
        if not is_real(expr.type) or not isinstance(expr.type, Scalar) or expr.type.is_half:
            return False
        if isinstance(expr, Cast) and isinstance(expr.arg, Const):
            return False
        if not sure and any(_may_fail(part) for part in walk(expr)):
            return False
        if isinstance(expr, Place):
            far = expr.sym.storage in _FAR
            return self.stores and bool(expr.index) and far
        loads = self.stores and any(isinstance(part, Place) and part.index for part in walk(expr))
        return expensive(expr) or loads


def _slopes(stmts: Sequence[Stmt], layouts: Mapping[Sym, Layout]) -> dict[Expr, tuple[str, str]]:
    """The names of coefficients that are one partial derivative each: `d_scale_d_camera6`.

    Such a coefficient stands once, before one tangent in the sum that is another one. The second name has
    the whole index: `d_y_i_d_x_i`, for `d_y_d_x`.
    """
    found: dict[Expr, tuple[str, str]] = {}
    seen: Bag[Expr] = Bag()
    forms = Forms(layouts)
    for stmt in stmts:
        seen.update(part for expr in expressions(stmt) for part in walk(expr))
        match stmt:
            case Declare(sym, value) if value is not None and not isinstance(value, Initialiser):
                result = Place(sym, (), sym.type)
            case Assign(Place() as result, value, None):
                pass
            case _:
                continue
        for term in forms.form(value) or ():
            match term:
                case Amount(Place() as seed, negative=False):
                    pair = [_short_and_long(place) for place in (result, seed)]
                    if all(short and long for short, long in pair):
                        short, long = (f"d_{name}_d_{by}" for name, by in zip(*pair, strict=True))
                        found[replace(term, seed=None).magnitude()] = (short, long)
                case _:
                    pass
    return {factor: names for factor, names in found.items() if seen[factor] == 1}


def _short_and_long(tangent: Place) -> tuple[str, str]:
    """The name of what a tangent belongs to, without an index that isn't a number, and with it."""
    of = tangent.sym.of
    if of is None:
        return "", ""
    long = place_name(tangent, of)
    return (long if long[-1:].isdigit() else of.plain), long


def _with_operands(expr: Expr, new: Mapping[Expr, Expr]) -> Expr:
    match expr:
        case Call(args=args):
            return replace(expr, args=tuple(new[a] for a in args), spelling=None, macro=None)
        case Binary(_, left, right):
            return replace(expr, left=new[left], right=new[right], spelling=None, macro=None)
        case _:
            return rewrite(expr, new.get)


def _may_fail(part: Expr) -> bool:
    """Whether evaluating an expression where the primal doesn't may fault: a load, an integer quotient."""
    if isinstance(part, Place):
        return bool(part.index)
    return isinstance(part, Binary) and part.op in ("/", "%") and is_integer(part)


def _element(sym: Sym, number: int) -> tuple[Expr, ...]:
    """The index of an element of an array by its number in order."""
    assert isinstance(sym.type, Array)
    index: list[Expr] = []
    for extent in reversed(sym.type.extents):
        index.append(Const(number % extent, INT))
        number //= extent
    return tuple(reversed(index))
