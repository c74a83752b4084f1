"""Bring together the statements that do to each component of a vector what one does to a vector.

float g = s * adj_f.x;              float g.x = s * adj_f.x;
adj_s += u.x * g;                   float g.y = s * adj_f.y;
adj_u.x += s * g;                   float g.z = s * adj_f.z;
float g = s * adj_f.y;              adj_s += u.x * g.x;         ->  float3 g = s * adj_f;
adj_s += u.y * g;           ->      adj_s += u.y * g.y;             adj_s += dot(u, g);
adj_u.y += s * g;                   adj_s += u.z * g.z;             adj_u += s * g;
float g = s * adj_f.z;              adj_u.x += s * g.x;
...                                 ...

The reverse sweep goes through a component before it begins with the next. Here the statements of all
components become neighbours, as far as what they read and write allows, and the tool's variables become
components of a vector; `vector_operators` says each group as one statement, once structs are whole again.
Only vectors are meant that the kernel's own text adds and scales by operators, or gives to functions of two
vectors.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from ...ir import (
    Accumulate,
    Assign,
    Body,
    Clear,
    Declare,
    Evaluate,
    Expr,
    Place,
    Quote,
    Scalar,
    Stmt,
    Struct,
    Sym,
    Unary,
    expressions,
    rebuilt,
    statements,
)
from ...transform.common.guard_splitting import with_declared
from ...transform.optimise.scalar.simplify import merged
from ...transform.states import same
from ..quote import of_call
from .lane_terms import Term, aligned, grouped, terms_of, total
from .lanes import PLAIN, Apart, Lanes
from .statement_order import Pack, dependences, groups, is_simple, order, sets

_COMPONENTS = 4
"""The most that a vector has."""


def pack_lanes(body: Body, vectors: Collection[Struct]) -> Body:
    """Bring the statements of components together in a body and those inside it."""
    declared = frozenset(stmt.sym for stmt in statements(body) if isinstance(stmt, Declare))
    packer = _Packer(Lanes(vectors, body), declared)
    made = packer.body(body)
    return body if same(made, body) else with_declared(made, packer.components)


@dataclass
class _Packer:
    lanes: Lanes
    declared: frozenset[Sym]
    components: dict[Sym, Sym] = field(default_factory=dict)

    def body(self, stmts: Body) -> Body:
        out: list[Stmt] = []
        clusters = list(groups([rebuilt(stmt, self.body) for stmt in stmts]))
        at = 0
        while at < len(clusters):
            taken, made = self._quoted_apart(clusters, at) or (1, clusters[at])
            out += made if taken > 1 or len(made) < 2 else self.group(made)
            at += taken
        out = self._quoted_once(out)
        return tuple(out) if not same(tuple(out), stmts) else stmts

    def _quoted_apart(self, clusters: Sequence[list[Stmt]], at: int) -> tuple[int, list[Stmt]] | None:
        """Bring the quotes together where a function has a statement for each component."""
        quotes: list[Quote] = []
        stmts: list[Stmt] = []
        for quote, group in zip(clusters[at::2], clusters[at + 1 :: 2], strict=False):
            if len(group) > 1 or not isinstance(first := quote[0], Quote) or not is_simple(group[0]):
                return None
            quotes.append(first)
            stmts += group
            pack = self._of_lanes(stmts[0], stmts[1:])
            if pack is not None:
                ordered = order(stmts, dependences(stmts), [pack])
                return None if ordered is None else (2 * len(quotes), [*quotes, *ordered])
            if len(quotes) == _COMPONENTS:
                return None
        return None

    def _quoted_once(self, stmts: Sequence[Stmt]) -> list[Stmt]:
        """Quote a call instead of the statements for each component in the function that it inlines."""
        out: list[Stmt] = []
        for is_quotes, group in groupby(stmts, key=lambda stmt: isinstance(stmt, Quote)):
            run = list(group)
            quotes = [stmt for stmt in run if isinstance(stmt, Quote)]
            out += (self._of_call(quotes) or run) if is_quotes and len(quotes) > 1 else run
        return out

    def _of_call(self, quotes: Sequence[Quote]) -> list[Stmt] | None:
        """Return the quote of the call that makes the statements for all components, if there is one."""
        first = quotes[0].primal
        apart = [self._apart(first, quote.primal) for quote in quotes[1:]]
        pairs = [next(iter(found)) for found in apart if found is not None and len(found) == 1]
        if len(pairs) < len(apart) or len({pairs[0].first, *(p.other for p in pairs)}) < len(quotes):
            return None
        quote = of_call(quotes) if len(quotes) == len(pairs[0].vector.fields) else None
        return None if quote is None else [quote]

    def group(self, stmts: list[Stmt]) -> list[Stmt]:
        """Order a group of statements without control flow."""
        if not any(map(self.lanes.of, (sym for s in stmts for e in expressions(s) for sym in e.symbols))):
            return stmts
        packs: list[Pack] = []
        taken: set[int] = set()
        edges = dependences(stmts)
        temporaries = [s for s in stmts if isinstance(s, Declare) and self._is_fresh(s.sym)]
        for first in (*temporaries, *stmts):  # contributions are read as the components of vectors then
            if id(first) in taken:
                continue
            at = next(k for k, s in enumerate(stmts) if s is first)
            for pack in self._packs(first, [s for s in stmts[at + 1 :] if id(s) not in taken]):
                if order(stmts, edges, [*packs, pack]) is not None:
                    packs.append(pack)
                    taken |= {id(s) for s in pack.members}
                    self._settle(pack)
                    break
        ordered = order(stmts, edges, packs)
        assert ordered is not None
        return ordered

    def _packs(self, first: Stmt, later: Sequence[Stmt]) -> Iterator[Pack]:
        """Yield the packs that begin with a statement."""
        for find in (self._of_vector, self._of_lanes, self._of_sum):
            pack = find(first, later)
            if pack is not None:
                yield pack

    def _of_lanes(self, first: Stmt, later: Sequence[Stmt]) -> Pack | None:
        """Find the statements that do the same to the other components."""
        vector: Struct | None = None
        members: dict[int, Stmt] = {}
        for stmt in later:
            apart = self._apart(first, stmt)
            if not apart or len(apart) > 1:
                continue
            (pair,) = apart
            if vector not in (None, pair.vector) or pair.other in members:
                continue
            if members and pair.first not in members:
                continue
            vector = pair.vector
            members |= {pair.first: first, pair.other: stmt}
            if len(members) == len(vector.fields):
                return Pack([members[k] for k in sorted(members)])
        return None

    def _apart(self, first: Stmt, other: Stmt) -> frozenset[Apart] | None:
        """Return in which components two statements differ that do the same."""
        match first, other:
            case Declare(a, x), Declare(b, y) if (
                a.type == b.type and isinstance(x, Expr) and isinstance(y, Expr)
            ):
                found = self.lanes.apart(x, y)
                if found is None or not isinstance(a.type, Scalar):
                    return None
                own = self.lanes.pair(a, b)
                if own is not None:
                    return found | {own}
                places = Place(a, (), a.type), Place(b, (), b.type)
                return found if self._are_fresh(*places, found) else None
            case Assign(a, x, op), Assign(b, y, other_op) if op == other_op:
                values = self.lanes.apart(x, y)
                if values and op is None and self._are_fresh(a, b, values):
                    return values
                return _both(self.lanes.apart(a, b), values)
            case Accumulate(a, x), Accumulate(b, y):
                if (first.how, first.negative) != (other.how, other.negative) or first.how not in PLAIN:
                    return None
                values = self.lanes.apart(x, y)
                if values and self._are_fresh(a, b, values):
                    return values
                target = self.lanes.apart(a, b)
                return _both(target, values) if target else None
            case (Clear(a), Clear(b)) | (Evaluate(a), Evaluate(b)):
                return self.lanes.apart(a, b)
            case _:
                return None

    def _of_vector(self, first: Stmt, later: Sequence[Stmt]) -> Pack | None:
        """Find all contributions to one vector's components, and align their terms."""
        begun = _contributed(first)
        lane = self.lanes.of(begun.sym) if begun is not None else None
        if begun is None or lane is None:
            return None
        rows: list[list[Stmt]] = [[] for _ in lane.vector.fields]
        members: list[Stmt] = []
        for stmt in (first, *later):
            target = _contributed(stmt)
            other = self.lanes.of(target.sym) if target is not None else None
            if target is None or other is None or (other.of, target.index) != (lane.of, begun.index):
                continue
            if isinstance(first, Accumulate) and isinstance(stmt, Accumulate) and stmt.how != first.how:
                continue
            members.append(stmt)
            rows[other.number].append(stmt)
        if not all(rows) or len({type(row[0]) for row in rows}) > 1:
            return None
        sums = [[term for stmt in row for term in _terms(stmt)] for row in rows]
        amounts = aligned(self.lanes, lane.vector, sums)
        if amounts is None:
            return None
        return Pack(members, [_with_amount(row, amount) for row, amount in zip(rows, amounts, strict=True)])

    def _is_fresh(self, sym: Sym) -> bool:
        """Whether a variable is the tool's own, and no component yet."""
        fresh = sym in self.declared and isinstance(sym.type, Scalar) and self.lanes.of(sym) is None
        return fresh and _is_temporary(sym)

    def _are_fresh(self, a: Place, b: Place, values: frozenset[Apart]) -> bool:
        """Whether places are variables of the tool's that may become components, as those of their values."""
        if a.sym is b.sym or not (self._is_fresh(a.sym) and self._is_fresh(b.sym)):
            return False
        return all(
            a.type == b.type == pair.vector.fields[0].type
            and self._belongs(a.sym, pair.first)
            and self._belongs(b.sym, pair.other)
            for pair in values
        )

    def _belongs(self, sym: Sym, number: int) -> bool:
        """Whether a variable may be this component: one that belongs to another component mayn't."""
        lane = self.lanes.of(sym.of) if sym.of is not None else None
        return lane is None or lane.number == number

    def _of_sum(self, first: Stmt, later: Sequence[Stmt]) -> Pack | None:
        """Find all contributions to one sum, and bring the terms of scalar products together."""
        target = _summed(first)
        if target is None or self.lanes.of(target.sym) is not None:
            return None
        members = [first]
        for stmt in later:
            if not isinstance(stmt, Accumulate) or stmt.target != target:
                continue
            if not isinstance(first, Accumulate) or stmt.how == first.how:
                members.append(stmt)
        terms = [term for stmt in members for term in _terms(stmt)]
        in_order = grouped(self.lanes, terms)
        if in_order is None or not isinstance(target.type, Scalar):
            return None
        return Pack(members, [_with_amount(members, total(in_order, target.type))])

    def _settle(self, pack: Pack) -> None:
        """Make the tool's variables that a pack declares, or adds to, components of one vector."""
        syms = [sets(s) for s in pack.members if isinstance(s, Declare | Assign | Accumulate)]
        if pack.made or len(set(syms)) < len(pack.members) or any(map(self.lanes.of, syms)):
            return
        vector = next(
            lane.vector
            for stmt in pack.stmts
            for expr in expressions(stmt)
            for sym in expr.symbols
            if (lane := self.lanes.of(sym)) is not None
        )
        first = syms[0]
        names = tuple(field.name for field in vector.fields)
        whole = replace(
            first,
            name=_without(first.name, names),
            type=vector,
            otherwise=tuple(dict.fromkeys(_without(name, names) for name in first.otherwise)),
        )
        for k, name in enumerate(names):
            part = replace(syms[k], name=f"{whole.name}.{name}", within=whole, path=(name,), otherwise=())
            self.components[syms[k]] = part
            self.lanes.found[syms[k]] = self.lanes.of(part)


def _is_temporary(sym: Sym) -> bool:
    """Whether a variable is the tool's own, and no other value or adjoint of one of the author's scalars."""
    if not sym.ours or sym.remade or sym.const or sym.within is not None:
        return False
    return sym.of is None or sym.of.storage == "parameter" or sym.of.within is not None


def _without(name: str, components: Sequence[str]) -> str:
    """Return a name without that of the component: `g_pos_j` of `g_pos_x_j`, `adj_c_at0` of `adj_c_at_x0`."""
    if "." in name:
        return name.rpartition(".")[0].replace(".", "_")
    words = name.split("_")
    for k in reversed(range(1, len(words))):
        number = words[k].removeprefix(components[0])
        if number != words[k] and (not number or number.isdecimal()):
            return "_".join([*words[: k - 1], words[k - 1] + number, *words[k + 1 :]])
    return name


def _both(a: frozenset[Apart] | None, b: frozenset[Apart] | None) -> frozenset[Apart] | None:
    return None if a is None or b is None else a | b


def _summed(stmt: Stmt) -> Place | None:
    """Return the tool's scalar sum that a statement begins or adds to."""
    match stmt:
        case Declare(sym, init) if sym.ours and isinstance(sym.type, Scalar) and isinstance(init, Expr):
            return Place(sym, (), sym.type)
        case Assign(Place(Sym(origin="tool"), _, Scalar()) as target, _, None):
            return target
        case Accumulate(target) if stmt.how in PLAIN:
            return target
        case _:
            return None


def _terms(stmt: Stmt) -> Iterator[Term]:
    """Yield the terms of what a statement contributes."""
    amount = _amount(stmt)
    if amount is not None:
        yield from terms_of(amount, isinstance(stmt, Accumulate) and stmt.negative)


def _contributed(stmt: Stmt) -> Place | None:
    """Return the adjoint that a statement declares with a contribution, or contributes to."""
    return _summed(stmt) if isinstance(stmt, Accumulate) or _declares_adjoint(stmt) else None


def _declares_adjoint(stmt: Stmt) -> bool:
    return isinstance(stmt, Declare) and stmt.sym.of is not None


def _amount(stmt: Stmt) -> Expr | None:
    match stmt:
        case Accumulate(_, value) | Assign(_, value) | Declare(_, value) if isinstance(value, Expr):
            return value
        case _:
            return None


def _with_amount(row: Sequence[Stmt], amount: Expr) -> Stmt:
    """Return the statements that contribute to one place as one, with this amount in all."""
    given = [s for s in row if isinstance(s, Declare | Assign | Accumulate)]
    sites, told = merged(*(s.sites for s in given)), merged(*(s.told for s in given))
    negative = isinstance(amount, Unary) and amount.op == "-"
    match given[0]:
        case Declare() as first:
            return replace(first, init=amount, sites=sites, told=told)
        case Assign() as first:
            return replace(first, value=amount, sites=sites, told=told)
        case first:
            why = next((s.why for s in given if isinstance(s, Accumulate) and s.why), "")
            plain = _unsigned(amount) if negative else amount
            return replace(first, amount=plain, negative=negative, sites=sites, told=told, why=why)


def _unsigned(expr: Expr) -> Expr:
    return expr.arg if isinstance(expr, Unary) and expr.op == "-" else expr
