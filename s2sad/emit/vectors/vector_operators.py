"""Say what is done to all components of a vector as one operation on the vector.

float3 g = make_float3(s * f.x, s * f.y, s * f.z);          float3 g = s * f;
adj_s += u.x * g.x;                                   ->    adj_s += dot(u, g);
adj_s += u.y * g.y;                                         adj_u += s * g;
adj_s += u.z * g.z;
adj_u.x += s * g.x;
...

It runs when structs are whole again, on neighbours: `pack_lanes` makes them neighbours before. Each
operation does to every component what the statements did, in the order of their text, so that the author's
values keep their bits; of an adjoint, the terms are added in another order, and numbers are multiplied with
each other before a vector. Conventional names are used:
the operators, `dot`, `cross`; the file gets their definitions (`vector_helpers`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import TypeGuard

from ...fields import has_coordinates, leaves, maker
from ...ir import (
    Accumulate,
    Assign,
    Binary,
    Body,
    Call,
    Clear,
    Const,
    Declare,
    Expr,
    Initialiser,
    Place,
    Scalar,
    Select,
    Site,
    Stmt,
    Struct,
    Unary,
    holding,
    rebuilt,
    statements,
    walk,
)
from ...transform.common.algebra import factors_of, is_const, multiply, real, rewrite
from ...transform.common.symbol_uses import mapped
from ...transform.optimise.scalar.fold_literals import fold_literals
from ...transform.optimise.scalar.inline_single_use import inlined
from ...transform.optimise.scalar.simplify import merged
from ...transform.states import same
from ..struct_members import containers, copied_place
from .lane_terms import Term, terms_of, total
from .lanes import PLAIN

DOT, CROSS, ATOMIC_ADD = "dot", "cross", "atomic_add"


_FEWEST = 2
"""Additions of a vector by atomics from which on a function of its own makes them."""


def vector_operators(
    body: Body,
    vectors: Sequence[Struct],
    multiplied: Collection[Struct] = (),
    called: Collection[str] = (DOT, CROSS, ATOMIC_ADD),
) -> Body:
    """Use operators on vectors in a body and those inside it, and the functions that may be `called`.

    Those of `multiplied` have a product by component.
    """
    made = _Writer(tuple(vectors), frozenset(multiplied), frozenset(called)).body(body)
    if 0 < sum(isinstance(s, Accumulate) and _is_atomic(s) for s in statements(made)) < _FEWEST:
        made = _Writer(tuple(vectors), frozenset(multiplied), frozenset(called) - {ATOMIC_ADD}).body(body)
    if same(made, body):
        return body
    adjoints = {s.sym for s in statements(made) if isinstance(s, Declare) and s.sym.of is not None}
    made = fold_literals(tuple(inlined(list(made), adjoints)))  # what scaled each component is used once now
    return tuple(_of_additions(made))


def _of_additions(body: Body) -> Iterator[Stmt]:
    """Yield the statements, the signs of what is added taken out: it is subtracted then."""
    for stmt in body:
        if isinstance(stmt, Accumulate):
            yield mapped(stmt, _signed)
        else:
            yield rebuilt(stmt, lambda inner: tuple(_of_additions(inner)))


def _signed(expr: Expr) -> Expr | None:
    """Return a vector scaled by a negative product as the negative of one scaled by a positive."""
    match expr:
        case Binary("*", scale, vector, Struct()) if isinstance(scale.type, Scalar):
            parts = [_magnitude(factor) for factor in factors_of(scale)]
            if not any(negative for _, negative in parts):
                return None
            rest = [part for part, _ in parts if not is_const(part, 1.0)]
            made: Expr = rewrite(vector, _signed)
            if rest:
                made = Binary("*", reduce(multiply, rest), made, expr.type)
            return Unary("-", made, expr.type) if sum(negative for _, negative in parts) % 2 else made
        case _:
            return None


def _magnitude(factor: Expr) -> tuple[Expr, bool]:
    """Return a factor of the tool's without its sign, and whether that is negative."""
    match factor:
        case Unary("-", arg) if factor.origin == "tool":
            return arg, True
        case Const(value, Scalar(is_float=True) as type, spelling=None) if value < 0:
            return real(-value, type), True
        case _:
            return factor, False


def _is_atomic(stmt: Accumulate) -> bool:
    return stmt.how == "atomic" and isinstance(stmt.target.type, Struct)


@dataclass(frozen=True)
class _Writer:
    vectors: tuple[Struct, ...]
    multiplied: frozenset[Struct]
    called: frozenset[str]  # the functions that may be

    def has_dot(self, vector: Struct) -> bool:
        """Whether `dot` says a sum of products of components; of complex numbers it means another one."""
        return DOT in self.called and has_coordinates(vector)

    # ---- statements ----------------------------------------------------------------

    def body(self, stmts: Body) -> Body:
        out: list[Stmt] = []
        at = 0
        while at < len(stmts):
            taken, stmt = self._of_components(stmts, at) or (1, self._whole(stmts[at]))
            stmt = mapped(stmt, self.change) if taken > 1 else self._inside(stmt)
            before = out[-1] if out else None
            if isinstance(before, Declare) and (declared := _declared_with(before, stmt)) is not None:
                out[-1] = declared
            else:
                out.append(stmt)
            at += taken
        return stmts if same(tuple(out), stmts) else tuple(out)

    def _inside(self, stmt: Stmt) -> Stmt:
        """Rewrite a statement's own expressions, and its bodies."""
        inner: list[Body] = []

        def taken_out(body: Body) -> Body:
            inner.append(self.body(body))
            return ()

        emptied = rebuilt(stmt, taken_out)
        own = mapped(emptied, self.change)
        return holding(stmt if own is emptied else own, *inner)

    def _whole(self, stmt: Stmt) -> Stmt:
        """Make the value of a whole vector one expression, if it is given by component."""
        match stmt:
            case Declare(sym, Call() | Initialiser() as init) if sym.type in self.vectors:
                assert isinstance(sym.type, Struct)
                value = self._value(sym.type, init)
                return stmt if value is None else replace(stmt, init=value)
            case Assign(Place(type=Struct() as type), value, None) if type in self.vectors:
                packed = self._value(type, value)
                return stmt if packed is None else replace(stmt, value=packed)
            case _:
                return stmt

    def _value(self, vector: Struct, init: Expr | Initialiser) -> Expr | None:
        match init:
            case Initialiser(values) if len(values) == len(vector.fields):
                return self.pack(vector, values)
            case Call(name, args) if vector.built_in and name == maker(vector):
                return self.pack(vector, args)
            case _:
                return None

    def _of_components(self, stmts: Body, at: int) -> tuple[int, Stmt] | None:
        """Merge the statements for all components from `at` on; return how many, and the statement."""
        first = stmts[at]
        if not isinstance(first, Assign | Accumulate | Clear) or not first.target.path:
            return None
        for struct, path, _ in containers(first.target):
            if struct not in self.vectors or len(path) + 1 != len(first.target.path):
                continue
            run = stmts[at : at + len(struct.fields)]
            if len(run) < len(struct.fields):
                return None
            merged = self._merged(struct, run)
            return None if merged is None else (len(run), merged)
        return None

    def _merged(self, vector: Struct, run: Sequence[Stmt]) -> Stmt | None:
        first = run[0]
        targets = [s.target for s in run if isinstance(s, Assign | Accumulate | Clear)]
        if len(targets) < len(run) or any(type(s) is not type(first) for s in run):
            return None
        target = copied_place(vector, list(leaves(vector)), targets)
        if target is None or any(_reads(index, one) for index in target.index for one in targets):
            return None
        if _are_accumulates(run):
            head = run[0]
            if head.how not in PLAIN or (head.how == "atomic" and ATOMIC_ADD not in self.called):
                return None
            if any((s.how, s.negative) != (head.how, head.negative) or s.exists != head.exists for s in run):
                return None
            if any(_reads(s.amount, other.target) for k, s in enumerate(run) for other in run[:k]):
                return None
            amount = self.pack(vector, [s.amount for s in run])
            if amount is None:
                return None
            sites, told = _sites(run)
            why = next((s.why for s in run if s.why), "")
            return replace(head, target=target, amount=amount, sites=sites, told=told, why=why)
        if _are_assigns(run):
            if len({s.op for s in run}) > 1 or run[0].op not in (None, "+=", "-="):
                return None
            if any(_reads(s.value, other.target) for k, s in enumerate(run) for other in run[:k]):
                return None
            value = self.pack(vector, [s.value for s in run])
            if value is None:
                return None
            sites, told = _sites(run)
            return replace(run[0], target=target, value=value, sites=sites, told=told)
        clears = [s for s in run if isinstance(s, Clear)]
        sites, told = _sites(clears)
        return Clear(target, sites, told)

    # ---- expressions ---------------------------------------------------------------

    def change(self, expr: Expr) -> Expr | None:
        """Return a sum in which terms are scalar products."""
        if not isinstance(expr, Binary) or expr.op not in "+-" or expr.spelling is not None:
            return None
        return self._of_tool(expr) if expr.origin == "tool" else self._of_author(expr)

    def _of_author(self, expr: Binary) -> Expr | None:
        """The same for a sum of the author's, whose terms keep their order: the product comes first."""
        spine = [expr]
        while isinstance(left := spine[-1].left, Binary) and left.op in "+-" and left.spelling is None:
            spine.append(left)
        for vector in filter(self.has_dot, self.vectors):
            count = len(vector.fields) - 1
            if len(spine) < count or any(part.op != "+" for part in spine[-count:]):
                continue
            terms = [spine[-1].left, *(part.right for part in reversed(spine[-count:]))]
            found = self._dot(vector, terms)
            if found is None:
                continue
            for part in reversed(spine[:-count]):
                found = replace(part, left=found, right=rewrite(part.right, self.change), macro=None)
            return found
        return None

    def _of_tool(self, expr: Binary) -> Expr | None:
        """The same for a sum of the tool's."""
        terms = list(terms_of(expr))
        out: list[Term] = []
        at = 0
        while at < len(terms):
            taken, term = self._product(terms, at) or (1, terms[at])
            out.append(term)
            at += taken
        if len(out) == len(terms):
            return None
        values = [Term(rewrite(term.value, self.change), term.negative) for term in out]
        return total(values, expr.type)

    def _product(self, terms: Sequence[Term], at: int) -> tuple[int, Term] | None:
        """Return how many terms from `at` on are one scalar product, and that."""
        for vector in filter(self.has_dot, self.vectors):
            run = terms[at : at + len(vector.fields)]
            if len(run) < len(vector.fields) or len({term.negative for term in run}) > 1:
                continue
            if any(term.value.type != vector.fields[0].type for term in run):
                continue
            found = self._scaled_dot(vector, [term.value for term in run])
            if found is not None:
                return len(run), Term(found, run[0].negative)
        return None

    def _dot(self, vector: Struct, terms: Sequence[Expr]) -> Expr | None:
        """Return `dot(a, b)` for the sum of the components' products."""
        products = [t for t in terms if isinstance(t, Binary) and t.op == "*" and t.spelling is None]
        if len(products) < len(terms) or any(t.type != vector.fields[0].type for t in products):
            return None
        left = self.pack(vector, [t.left for t in products])
        right = self.pack(vector, [t.right for t in products])
        if left is None or right is None:
            return None
        args = (rewrite(left, self.change), rewrite(right, self.change))
        return Call(DOT, args, products[0].type, callee=DOT)

    def _scaled_dot(self, vector: Struct, terms: Sequence[Expr]) -> Expr | None:
        """Return `s * dot(a, b)`, if each term is that number and the components of two vectors."""
        plain = self._dot(vector, terms)
        if plain is not None:
            return plain
        rows = [factors_of(term) for term in terms]
        if len({len(row) for row in rows}) > 1:
            return None
        columns = list(zip(*rows, strict=True))
        moving = [column for column in columns if any(e != column[0] for e in column)]
        steady = [column[0] for column in columns if all(e == column[0] for e in column)]
        if len(moving) != 2:
            return None
        a, b = (self.pack(vector, column) for column in moving)
        type = vector.fields[0].type
        if a is None or b is None or not isinstance(type, Scalar):
            return None
        value: Expr = Call(DOT, (a, b), type, callee=DOT)
        scale: Expr | None = None
        for factor in steady:
            scale = factor if scale is None else Binary("*", scale, factor, type)
        return value if scale is None else Binary("*", scale, value, type)

    def pack(self, vector: Struct, parts: Sequence[Expr]) -> Expr | None:
        """Return the vector whose components the values are; None if no operators make it."""
        copied = copied_place(vector, list(leaves(vector)), parts)
        if copied is not None:
            return copied
        first = parts[0]
        if any(part.spelling is not None for part in parts):
            return None
        unary = [p for p in parts if isinstance(p, Unary) and p.op == "-"]
        if len(unary) == len(parts):
            arg = self.pack(vector, [p.arg for p in unary])
            return None if arg is None else Unary("-", arg, vector)
        chosen = [p for p in parts if isinstance(p, Select)]
        if len(chosen) == len(parts) and all(p.cond == chosen[0].cond for p in chosen):
            then = self.pack(vector, [p.then for p in chosen])
            other = self.pack(vector, [p.other for p in chosen])
            return None if then is None or other is None else Select(chosen[0].cond, then, other, vector)
        pairs = [p for p in parts if isinstance(p, Binary) and isinstance(first, Binary) and p.op == first.op]
        if len(pairs) == len(parts) and all(p.type == vector.fields[0].type for p in pairs):
            return self._pack_pairs(vector, pairs)
        return None

    def _pack_pairs(self, vector: Struct, parts: Sequence[Binary]) -> Expr | None:
        op = parts[0].op
        lefts, rights = [p.left for p in parts], [p.right for p in parts]
        left, right = self.pack(vector, lefts), self.pack(vector, rights)
        match op:
            case "+" | "-" if left is not None and right is not None:
                return Binary(op, left, right, vector)
            case "-" if CROSS in self.called and has_coordinates(vector):
                return self._cross(vector, parts)
            case "*" if left is not None and right is not None and vector in self.multiplied:
                return Binary(op, left, right, vector)
            case "*" if left is not None and right is None and _is_one(rights):
                scale, whole = rights[0], left
                if any(part.origin != "tool" for part in parts):
                    return Binary(op, whole, scale, vector)
                if isinstance(left, Binary) and left.op == "*" and isinstance(left.left.type, Scalar):
                    scale, whole = Binary("*", left.left, scale, left.left.type), left.right
                return Binary(op, scale, whole, vector)
            case "*" if right is not None and left is None and _is_one(lefts):
                return Binary(op, lefts[0], right, vector)
            case "/" if left is not None and _is_one(rights):
                return Binary(op, left, rights[0], vector)
            case _:
                return None

    def _cross(self, vector: Struct, parts: Sequence[Binary]) -> Expr | None:
        """Return `cross(a, b)` for `a.y * b.z - a.z * b.y` and what follows from it by turning x, y and z."""
        products = [(p.left, p.right) for p in parts]
        if len(parts) != 3:
            return None
        a: list[Expr] = []
        b: list[Expr] = []
        for k in range(3):  # component k of a is the left factor of the first product one component before
            plus, minus = products[(k - 1) % 3][0], products[(k + 1) % 3][0]
            if not (isinstance(plus, Binary) and isinstance(minus, Binary) and plus.op == minus.op == "*"):
                return None
            a.append(plus.left)
            b.append(minus.right)
        for k in range(3):
            minus = products[k][1]
            wanted = {(a[(k + 2) % 3], b[(k + 1) % 3]), (b[(k + 1) % 3], a[(k + 2) % 3])}
            if not (isinstance(minus, Binary) and minus.op == "*" and (minus.left, minus.right) in wanted):
                return None
        left, right = self.pack(vector, a), self.pack(vector, b)
        if left is None or right is None:
            return None
        return Call(CROSS, (left, right), vector, callee=CROSS)


def _is_one(parts: Sequence[Expr]) -> bool:
    """Whether all components have the same number as a factor."""
    return isinstance(parts[0].type, Scalar) and all(part == parts[0] for part in parts[1:])


def _declared_with(declare: Declare, stmt: Stmt) -> Declare | None:
    """Return a declaration without a value with the value that the next statement gives to the vector."""
    match declare, stmt:
        case Declare(sym, None), Assign(Place(target, (), path=()), value, None) if (
            target is sym and isinstance(sym.type, Struct) and sym not in value.symbols
        ):
            return replace(declare, init=value, span=stmt.span, sites=stmt.sites, told=stmt.told)
        case _:
            return None


def _are_accumulates(run: Sequence[Stmt]) -> TypeGuard[Sequence[Accumulate]]:
    return all(isinstance(stmt, Accumulate) for stmt in run)


def _are_assigns(run: Sequence[Stmt]) -> TypeGuard[Sequence[Assign]]:
    return all(isinstance(stmt, Assign) for stmt in run)


def _sites(run: Sequence[Assign | Accumulate | Clear]) -> tuple[tuple[Site, ...], tuple[Site, ...]]:
    """Return the contributions of several statements, each once."""
    return merged(*(s.sites for s in run)), merged(*(s.told for s in run))


def _reads(value: Expr, place: Place) -> bool:
    """Whether a value reads a component, any element of the array that it is in, or all of one."""
    places = (e.path for e in walk(value) if isinstance(e, Place) and e.sym is place.sym)
    return any(path[: len(place.path)] == place.path[: len(path)] for path in places)
