"""Whether a Hessian is diagonal: each element of a gradient depends on no element but its own.

    adj_x[i] += 3.0f * x[i] * x[i] * adj_y[i];       of x[i] alone: diagonal
    adj_x[i] += w * x[i + 1];                        of another element: refused

Then its product with ones is the diagonal. The adjoint's statements are followed in order, and each value
knows the elements of the independents that it is made of: as an array and an index, whose variables have
since kept their values. In a loop they may change, so what an iteration takes over from the one before is of
unknown elements, and so is what is read from other arrays that depend on an independent.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ...analysis.activity import is_real
from ...analysis.atomics import is_atomic, update
from ...diagnostics import Code, Diagnostic, diagnose
from ...ir import (
    AddressOf,
    Assign,
    Binary,
    Block,
    Body,
    Call,
    Cast,
    Declare,
    Evaluate,
    Expr,
    For,
    Function,
    If,
    Initialiser,
    Place,
    Pointer,
    Select,
    Stmt,
    Sym,
    Unary,
    bodies,
    collective,
    expressions,
    is_integer,
    statements,
    walk,
)
from ...options import NAMES
from .dependence import base

_COMPARES = ("==", "!=", "<", "<=", ">", ">=", "&&", "||")

Element = tuple[Sym, tuple[Expr, ...], frozenset[tuple[Sym, int]]]
"""An independent, an index, and which values the index's variables have."""

UNKNOWN = "unknown"
Elements = frozenset[Element | str]
NONE: Elements = frozenset()
ANY: Elements = frozenset({UNKNOWN})


@dataclass
class Diagonal:
    """Follows an adjoint's statements. `gradients` has the independent of each of its arrays of gradients.

    `varied` are the variables that depend on an independent.
    """

    kernel: Function
    gradients: Mapping[Sym, Sym]
    varied: Container[Sym]
    elements: dict[Sym, Elements] = field(default_factory=dict)
    values: dict[Sym, int] = field(default_factory=dict)
    count: int = 0
    found: dict[object, Diagnostic] = field(default_factory=dict)
    stored: set[Sym] = field(default_factory=set)

    @property
    def independents(self) -> set[Sym]:
        return set(self.gradients.values())

    def problems(self, others: Iterable[Sym] = ()) -> list[Diagnostic]:
        """Report what depends on another element; `others` are results whose independents aren't known."""
        for sym in others:
            self._report(self.kernel.body[0], f"of what `{sym.name}` is the gradient isn't known")
        for stmt in statements(self.kernel.body):
            self.stored |= {sym for sym in _written(stmt) if isinstance(sym.type, Pointer)}
            for sym in _written(stmt) & self.independents:
                self._report(stmt, f"`{sym.name}` is overwritten")
        self._body(self.kernel.body)
        return list(self.found.values())

    def _report(self, stmt: Stmt, why: str) -> None:
        span = getattr(stmt, "span", None) or self.kernel.span
        help = "--hessian dense --directions N gives N columns in a launch"
        if len(self.independents) > 1:
            help = f"--wrt of one independent gives its own diagonal; {help}"
        self.found.setdefault(why, diagnose(Code.NOT_DIAGONAL, span, why=why, help=help))

    # ---- statements --------------------------------------------------------------

    def _body(self, body: Body) -> None:
        for stmt in body:
            self._stmt(stmt)

    def _stmt(self, stmt: Stmt) -> None:
        match stmt:
            case If(_, then, other):
                before = dict(self.elements)
                self._body(then)
                after, self.elements = self.elements, before
                self._body(other)
                for sym in {*after, *self.elements}:
                    self.elements[sym] = self.elements.get(sym, NONE) | after.get(sym, NONE)
            case Declare() | Assign() | Evaluate():
                self._simple(stmt)
            case Block(body):
                self._body(body)
            case _ if bodies(stmt):
                self._jumping(stmt)
            case _:
                pass

    def _jumping(self, stmt: Stmt) -> None:
        """A loop or a switch: any of its bodies may run next, and any number of times."""
        inside = bodies(stmt)
        if isinstance(stmt, For):
            self._body(stmt.init)
            inside = (stmt.body, stmt.step)
        every = [inner for body in inside for inner in statements(body)]
        own = {inner.sym for inner in every if isinstance(inner, Declare)}
        changed = {sym for inner in every for sym in _written(inner)}
        for body in (*inside, ()):
            for sym in changed:
                self._changed(sym)
                if sym not in own:
                    self.elements[sym] = ANY
            self._body(body)

    def _simple(self, stmt: Declare | Assign | Evaluate) -> None:
        for expr in expressions(stmt):
            self._calls(stmt, expr)
        added = update(stmt)
        if added is not None and added.place.sym in self.gradients:
            self._contributes(stmt, added.place, self._of(added.amount))
        shared = collective(stmt) is not None
        match stmt:
            case Declare(sym, init):
                given = [] if init is None else list(init.values) if isinstance(init, Initialiser) else [init]
                found = self._union(given)
                self.elements[sym] = ANY if shared and found else found
            case Assign(target, value, op):
                found = self._of(value)
                if target.sym in self.gradients:
                    self._contributes(stmt, target, found)
                elif shared and found:
                    self.elements[target.sym] = ANY
                else:
                    kept = NONE if op is None and not target.index else self.elements.get(target.sym, NONE)
                    self.elements[target.sym] = found | kept
        for sym in _written(stmt):
            self._changed(sym)

    def _calls(self, stmt: Stmt, expr: Expr) -> None:
        """What functions write by pointers is of unknown elements; they may add to a number's gradient."""
        for call in (part for part in walk(expr) if isinstance(part, Call) and not is_atomic(part)):
            into = {base(arg) for arg in call.args if isinstance(arg.type, Pointer) and not arg.type.const}
            given = self._union([arg for arg in call.args if base(arg) not in self.gradients])
            for sym in into:
                if sym is None or not given:
                    continue
                if sym in self.gradients:
                    if isinstance(self.gradients[sym].type, Pointer):
                        self._report(stmt, f"a function adds to `{sym.name}`")
                    self._contributes(stmt, Place(sym, (), sym.type), given)
                else:
                    self.elements[sym] = ANY

    def _contributes(self, stmt: Stmt, place: Place, found: Elements) -> None:
        own = self.gradients[place.sym]
        number = not isinstance(own.type, Pointer)
        for element in found:
            if isinstance(element, str):
                self._report(stmt, f"`{place.sym.name}` gets what is of unknown elements")
            elif element[0] is not own:
                self._report(stmt, f"`{place.sym.name}` depends on `{element[0].name}`")
            elif not number and element != self._element(own, place):
                self._report(stmt, f"`{place.sym.name}` depends on another element of `{own.name}`")

    # ---- values ------------------------------------------------------------------

    def _changed(self, sym: Sym) -> None:
        self.count += 1
        self.values[sym] = self.count

    def _element(self, sym: Sym, place: Place) -> Element | str:
        """The element of an independent at an index; unknown if the index is in memory that changes."""
        used = frozenset(s for index in place.index for s in index.symbols)
        if any(s.storage == "shared" or s in self.stored for s in used):
            return UNKNOWN
        if any(isinstance(part, Call) for index in place.index for part in walk(index)):
            return UNKNOWN
        return sym, place.index, frozenset((s, self.values.get(s, 0)) for s in used)

    def _union(self, exprs: list[Expr]) -> Elements:
        return frozenset(element for expr in exprs for element in self._of(expr))

    def _of(self, expr: Expr) -> Elements:
        """The elements that the derivative of an expression may depend on."""
        match expr:
            case Place(sym):
                if not is_real(expr.type) or sym not in self.varied:
                    return NONE
                if sym in self.independents:
                    return frozenset({self._element(sym, expr)})
                if isinstance(sym.type, Pointer) or sym.storage != "local":
                    return ANY
                return self.elements.get(sym, NONE)
            case AddressOf(place):
                return self._of(place)
            case Cast() if is_integer(expr):
                return NONE
            case Binary(op, _, _) if op in _COMPARES:
                return NONE
            case Unary("!", _):
                return NONE
            case Select(_, then, other):
                return self._of(then) | self._of(other)
            case Call(rule=None) as call if self._union(list(call.args)):
                return ANY
            case _:
                return self._union(list(expr.operands))


def _written(stmt: Stmt) -> set[Sym]:
    """The variables that a statement itself may change, through pointers too."""
    written: set[Sym] = set()
    if isinstance(stmt, Declare):
        written.add(stmt.sym)
    if isinstance(stmt, Assign):
        written.add(stmt.target.sym)
    for expr in expressions(stmt):
        written |= {place.sym for place in expr.outputs}
        for part in walk(expr):
            if isinstance(part, Call):
                found = (
                    base(arg) for arg in part.args if isinstance(arg.type, Pointer) and not arg.type.const
                )
                written |= {sym for sym in found if sym is not None}
    return written


def gradients(
    names: Mapping[str, list[Sym]], of: Sequence[str], wrt: Sequence[str]
) -> Iterator[tuple[Sym, Sym]]:
    """Yield each symbol of a gradient with that of its independent, by the names of their parameters."""
    for independent in wrt:
        own = {sym.path: sym for sym in names[independent]}
        for name in (f"{prefix}_{independent}" for prefix in NAMES.values()):
            if name in of:
                yield from ((sym, own[sym.path]) for sym in names[name] if sym.path in own)
