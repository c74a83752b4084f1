"""Reassemble fields into struct variables, as the author declared them.

    float me.x = bodies.x[i];
    float me.y = bodies.y[i];        ->      float3 me = bodies[i];
    float me.z = bodies.z[i];

Before this every field is a variable of its own, and may have been moved, dropped or
recorded alone. A variable of a struct type gives room to one field of each name; the symbols
that were declared in one place share one. The adjoints of fields are the fields of an
adjoint (`adj_me.x`). Any other symbol that is named after a field loses the dot.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import product

from ..fields import leaves
from ..ir import (
    INT,
    Accumulate,
    Array,
    Assign,
    Block,
    Body,
    Cast,
    Const,
    Declare,
    Expr,
    For,
    Function,
    Initialiser,
    Parameter,
    Place,
    Pointer,
    Quote,
    Record,
    Restore,
    Scalar,
    Stmt,
    Struct,
    Sym,
    bodies,
    expressions,
    rebuilt,
    statements,
    walk,
)
from ..transform.common.algebra import rewrite
from ..transform.common.guard_splitting import with_declared
from ..transform.common.symbol_uses import begun, mapped
from .adjacent_statements import clears, counting, guarded_once, head_of, said_once, told
from .struct_members import (
    Member,
    as_one_value,
    containers,
    copied_with_more,
    elements,
    makes_zeros,
    member_of,
    number_in_struct,
    of_one_assignment,
    parameter_of,
    paths_written,
    whole_of,
    without_dot,
)


def reassemble_structs(function: Function) -> Function:
    """Replace fields by variables of struct types in a function."""
    if not any("." in sym.name or sym.within is not None for sym in _named(function)):
        return function
    gather = _Gather()
    params = tuple(gather.parameters(function.params))
    body = gather.body(function.body)
    body = (*gather.counted(body), *body)
    return replace(function, params=params, body=with_declared(body, gather.fixed))


def _named(function: Function) -> Iterator[Sym]:
    yield from function.syms
    for stmt in statements(function.body):
        if isinstance(stmt, Declare):
            yield stmt.sym
        for expr in expressions(stmt):
            for e in walk(expr):
                if isinstance(e, Place):
                    yield e.sym


@dataclass
class _Group:
    """The fields that share one variable."""

    whole: Sym
    struct: Struct
    members: dict[tuple[str, ...], Sym] = field(default_factory=dict)
    begun: bool = False


@dataclass(frozen=True)
class _Home:
    """The new location of a symbol."""

    whole: Sym
    path: tuple[str, ...] = ()


class _Gather:
    def __init__(self) -> None:
        self.homes: dict[Sym, _Home] = {}
        self.groups: dict[Sym, _Group] = {}  # by declared symbol, of the enclosing bodies
        self.fixed: dict[Sym, Sym] = {}  # const versions of variables fully initialised where declared
        self.numbers: dict[Sym, Sym] = {}  # pointers to the numbers in arrays of structs, and the arrays

    # ---- parameters ----------------------------------------------------------------

    def parameters(self, params: Sequence[Parameter]) -> Iterator[Parameter]:
        wholes: dict[tuple[Sym, str], Sym] = {}
        written = paths_written(param.sym for param in params)
        for param in params:
            sym = param.sym
            member = member_of(sym)
            if member is None:
                self.homes[sym] = _Home(without_dot(sym))
                yield replace(param, sym=self.homes[sym].whole)
                continue
            key = member.author, member.name
            if key not in wholes:
                wholes[key] = parameter_of(member, sym, written.get(key, ()))
                yield Parameter(wholes[key], param.span)
            if member.path:
                self.homes[sym] = _Home(wholes[key], member.path)
                continue
            assert isinstance(sym.type, Pointer)
            numbers = Sym(f"{member.name}_numbers", replace(sym.type, restrict=False), of=wholes[key])
            self.numbers[numbers] = wholes[key]
            self.homes[sym] = _Home(numbers)

    def counted(self, body: Body) -> Iterator[Stmt]:
        """Yield `float *p_numbers = (float *)p;` for arrays of structs accessed as numbers in the body."""
        used = {
            e.sym for s in statements(body) for x in expressions(s) for e in walk(x) if isinstance(e, Place)
        }
        for numbers, whole in self.numbers.items():
            if numbers in used:
                yield Declare(numbers, Cast(Place(whole, (), whole.type), numbers.type))

    # ---- expressions ---------------------------------------------------------------

    def home(self, sym: Sym) -> _Home:
        if sym not in self.homes:
            self.homes[sym] = _Home(without_dot(sym))
        return self.homes[sym]

    def expr(self, expr: Expr) -> Expr:
        return rewrite(expr, self.change)

    def change(self, e: Expr) -> Expr | None:
        if not isinstance(e, Place):
            return None
        home = self.home(e.sym)
        if home.whole is e.sym:
            return None
        return self.place(e, home)

    def place(self, place: Place, home: _Home) -> Place:
        index = tuple(self.expr(i) for i in place.index)
        if isinstance(place.sym.type, Array) and place.sym.type.single and home.path:
            index = ()
        author = place.sym.of.within if place.sym.of is not None else None
        of_value = author is not None and isinstance(author.type, Struct)
        if home.path and of_value and isinstance(home.whole.type, Pointer) and len(index) > 0:
            # `adj_p->w[k]`: the pointer of a by-value parameter's adjoint points to one struct
            own = place.sym.of is not None and isinstance(place.sym.of.type, Pointer)
            index = (Const(0, INT), *index) if own else index
        spelled = place.spelling if home.whole.name == place.sym.name else None
        return replace(
            place,
            sym=home.whole,
            index=index,
            path=home.path,
            spelling=spelled,
            macro=place.macro if spelled else None,
        )

    # ---- statements ----------------------------------------------------------------

    def body(self, stmts: Body) -> Body:
        outer = dict(self.homes), dict(self.groups)
        self._open(stmts)
        stmts = self._together(guarded_once(said_once(stmts)))
        out: list[Stmt] = []
        at = 0
        while at < len(stmts):
            stmt = stmts[at]
            taken, new = (
                self._declared(stmts, at)
                or self._stored(stmts, at)
                or self._assigned(stmts, at)
                or self._added(stmts, at)
                or self._cleared(stmts, at)
                or (1, self.statement(stmt))
            )
            out.extend(new)
            at += taken
        self.homes, self.groups = outer
        return tuple(out)

    def _open(self, stmts: Body) -> None:
        """Make groups for the fields that a body declares."""
        groups: dict[tuple[Sym, str], _Group] = {}
        for stmt in stmts:
            sym = begun(stmt)
            member = member_of(sym) if sym is not None else None
            if sym is None or member is None:
                if sym is not None:
                    self.homes[sym] = _Home(without_dot(sym))
                continue
            key = member.author, member.name
            group = groups.get(key)
            if group is None or member.path in group.members:
                own = sym.within is not None
                of = None if own else self._counterpart(sym, member)
                whole = whole_of(member, sym, of)
                group = groups[key] = _Group(whole, member.struct)
            group.members[member.path] = sym
            self.groups[sym] = group
            self.homes[sym] = _Home(group.whole, member.path)

    def _counterpart(self, sym: Sym, member: Member) -> Sym:
        """Return the variable whose number an adjoint's name gets."""
        home = self.homes.get(sym.of) if sym.of is not None else None
        return home.whole if home is not None else member.author

    def statement(self, stmt: Stmt) -> list[Stmt]:
        """Rewrite any statement with its expressions and bodies."""
        if isinstance(stmt, For) and any(isinstance(s, Declare) and member_of(s.sym) for s in stmt.init):
            # a head can't declare a struct and initialise its fields
            outside = Block((*stmt.init, replace(stmt, init=())), stmt.span)
            return [Block(self.body(outside.body), stmt.span)]
        if isinstance(stmt, For):
            outer = dict(self.homes)
            for s in stmt.init:
                if isinstance(s, Declare):
                    self.homes[s.sym] = _Home(without_dot(s.sym))
            init = tuple(new for s in stmt.init for new in self.statement(s))
            step = tuple(new for s in stmt.step for new in self.statement(s))
            cond = None if stmt.cond is None else self.expr(stmt.cond)
            made: Stmt = replace(stmt, init=init, cond=cond, step=step, body=self.body(stmt.body))
            self.homes = outer
            return [made]
        if isinstance(stmt, Quote):
            return [stmt]
        inner = iter([self.body(b) for b in bodies(stmt)])
        new = mapped(rebuilt(stmt, lambda _: ()), self.change)
        new = rebuilt(new, lambda _: next(inner))
        match new:
            case Declare(sym):
                return [replace(new, sym=self.home(sym).whole)]
            case Restore(target, _, True):
                return [replace(new, target=replace(target, sym=self.home(target.sym).whole))]
            case _:
                return [new]

    # ---- declarations --------------------------------------------------------------

    def _together(self, stmts: Body) -> Body:
        """Group consecutive zero declarations by the variables that they are fields of."""
        out: list[Stmt] = []
        rows: dict[int, list[Stmt]] = {}
        for stmt in stmts:
            if isinstance(stmt, Declare) and makes_zeros(stmt.init):
                group = self.groups.get(stmt.sym)
                rows.setdefault(id(stmt if group is None else group), []).append(stmt)
                continue
            out += [declare for row in rows.values() for declare in row]
            rows = {}
            out.append(stmt)
        return (*out, *(declare for row in rows.values() for declare in row))

    def _declared(self, stmts: Body, at: int) -> tuple[int, list[Stmt]] | None:
        """Merge the declarations of a group's fields from `at` on; return how many, and the result."""
        first = stmts[at]
        sym = begun(first)
        group = self.groups.get(sym) if sym is not None else None
        if sym is None or group is None:
            return None
        if isinstance(first, Record | Restore):
            opened = [] if group.begun else [Declare(group.whole, None)]
            group.begun = True
            return 1, [*opened, *self.statement(replace(first, declares=False))]
        run: list[Declare] = []
        for stmt in stmts[at:]:
            if not isinstance(stmt, Declare) or self.groups.get(stmt.sym) is not group:
                break
            run.append(stmt)
        span = run[0].span
        if not group.begun:
            group.begun = True
            if len(run) == len(group.members):
                if all(d.init is None for d in run):
                    return len(run), [Declare(group.whole, None, span)]
                init = self._whole(group, run)
                if init is not None:
                    author = sym.within
                    if author is not None and author.const:
                        self.fixed[group.whole] = replace(group.whole, const=True)
                    return len(run), [Declare(group.whole, init, span, told=told(run))]
            start: list[Stmt] = [
                Declare(group.whole, None, span if all(d.init is None for d in run) else None)
            ]
        else:
            start = []
        rows = [list(self._set(d)) for d in run]
        if len({len(row) for row in rows}) == 1:  # an array's elements, one after the other
            rows = [list(row) for row in zip(*rows, strict=True)]
        return len(run), [*start, *(s for row in rows for s in row)]

    def _set(self, declare: Declare) -> Iterator[Stmt]:
        """Yield the initialisation of a field as assignments."""
        sym, init = declare.sym, declare.init
        match init, sym.type:
            case Initialiser(values), Array(element, extents):
                indices = product(*(range(n) for n in extents))
                zero = Const(0.0 if element.is_float else 0, element)
                for k, index in enumerate(indices):
                    value = values[k] if k < len(values) else zero
                    at = Place(sym, tuple(Const(i, INT) for i in index), element)
                    yield Assign(self._target(at), self.expr(value), span=declare.span, told=told([declare]))
            case (None, _) | (Initialiser(), _):
                return
            case _:
                assert init is not None
                assert not isinstance(init, Initialiser)
                target = Place(sym, (), sym.type)
                yield Assign(self._target(target), self.expr(init), span=declare.span, told=told([declare]))

    def _target(self, place: Place) -> Place:
        return self.place(place, self.home(place.sym))

    def _whole(self, group: _Group, run: Sequence[Declare]) -> Expr | Initialiser | None:
        """Return the fields' initialisers as one; None if that can't be written."""
        own = {d.sym for d in run}
        if any(isinstance(e, Place) and e.sym in own for d in run for i in _values(d) for e in walk(i)):
            return None
        wanted = list(leaves(group.struct))
        place = {leaf.path: k for k, leaf in enumerate(wanted)}
        at = {sym: place[path] for path, sym in group.members.items()}
        run = sorted(run, key=lambda d: at[d.sym])
        inits = [d.init for d in run]
        if run[0].sym.ours and all(map(makes_zeros, inits)):
            return Initialiser(())
        if group.struct.extents or any(i is None for i in inits):
            return None
        values = [self.expr(i) for d in run for i in _values(d)]
        given = [wanted[at[d.sym]] for d in run]
        if len(values) < sum(len(elements(leaf)) for leaf in given):
            return None  # a brace list that omits something
        if len(run) < len(wanted):
            # the author's copy, whose other fields aren't needed; or an adjoint, whose others mean nothing
            missing = [leaf for leaf in wanted if leaf.path not in group.members]
            reals = any(isinstance(leaf.type, Scalar) and leaf.type.is_float for leaf in missing)
            return copied_with_more(group.struct, given, values) if not (run[0].sym.ours and reals) else None
        return as_one_value(group.struct, wanted, values)

    # ---- assignments ---------------------------------------------------------------

    def _assigned(self, stmts: Body, at: int) -> tuple[int, list[Stmt]] | None:
        """Merge assignments to all fields of one variable from `at` on; return how many, and the result."""
        first = stmts[at]
        if not isinstance(first, Assign) or first.op is not None or not self.home(first.target.sym).path:
            return None
        found = (self._at_once(stmts, at, *one) for one in containers(self._target(first.target)))
        return next((made for made in found if made is not None), None)

    def _at_once(
        self, stmts: Body, at: int, struct: Struct, path: tuple[str, ...], index: tuple[Expr, ...]
    ) -> tuple[int, list[Stmt]] | None:
        """Merge assignments to all fields of a struct from `at` on."""
        first = stmts[at]
        assert isinstance(first, Assign)
        target = self._target(first.target)
        wanted = list(leaves(struct))
        parts = [(leaf, k) for leaf in wanted for k in elements(leaf)]
        run = stmts[at : at + len(parts)]
        if len(run) < len(parts):
            return None
        index = index[: len(index) - len(parts[0][1])]
        written: set[Sym] = set()
        values: list[Expr] = []
        for (leaf, k), stmt in zip(parts, run, strict=True):
            if not isinstance(stmt, Assign) or stmt.op is not None or not of_one_assignment(first, stmt):
                return None
            place = self._target(stmt.target)
            if (
                place.sym is not target.sym
                or place.path != (*path, *leaf.path)
                or place.index != (*index, *k)
            ):
                return None
            if any(isinstance(e, Place) and e.sym in written for e in walk(stmt.value)):
                return None
            written.add(stmt.target.sym)
            values.append(self.expr(stmt.value))
        if any(isinstance(e, Place) and e.sym in written for i in first.target.index for e in walk(i)):
            return None
        made = as_one_value(struct, wanted, values)
        if made is None or isinstance(made, Initialiser):
            return None
        whole = replace(target, path=path, index=index, type=struct)
        return len(run), [Assign(whole, made, None, first.span, told=told(run))]

    def _stored(self, stmts: Body, at: int) -> tuple[int, list[Stmt]] | None:
        """Sort the tool's stores to fields from `at` on in field order, if the order doesn't matter."""
        run: list[Assign] = []
        for stmt in stmts[at:]:
            if not isinstance(stmt, Assign) or stmt.op is not None or not stmt.target.sym.ours:
                break
            if not self.home(stmt.target.sym).path:
                break
            if run and self.home(stmt.target.sym).whole is not self.home(run[0].target.sym).whole:
                break
            run.append(stmt)
        if len(run) < 2 or len({s.target.sym for s in run}) < len(run) or self._read_again(run):
            return None
        run.sort(key=lambda s: number_in_struct(s.target.sym))
        out: list[Stmt] = []
        k = 0
        while k < len(run):
            taken, new = self._assigned(tuple(run), k) or (1, self.statement(run[k]))
            out += new
            k += taken
        return len(run), out

    def _read_again(self, run: Sequence[Assign]) -> bool:
        """Whether one of the assignments reads a variable that another one writes."""
        targets = {s.target.sym for s in run}
        inside = (e for s in run for i in (s.value, *s.target.index) for e in walk(i))
        return any(isinstance(e, Place) and e.sym in targets for e in inside)

    def _added(self, stmts: Body, at: int) -> tuple[int, list[Stmt]] | None:
        """Sort additions to fields from `at` on in field order, if the order doesn't matter."""
        run: list[Accumulate] = []
        for stmt in stmts[at:]:
            if not isinstance(stmt, Accumulate) or not self.home(stmt.target.sym).path:
                break
            run.append(stmt)
        targets = {s.target.sym for s in run}
        read = {e.sym for s in run for e in walk(s.amount) if isinstance(e, Place)}
        if len(run) < 2 or len(targets) < len(run) or targets & read:
            return None
        wholes = list(dict.fromkeys(self.home(s.target.sym).whole for s in run))
        run.sort(key=lambda s: (wholes.index(self.home(s.target.sym).whole), number_in_struct(s.target.sym)))
        return len(run), [new for s in run for new in self.statement(s)]

    def _cleared(self, stmts: Body, at: int) -> tuple[int, list[Stmt]] | None:
        """Merge loops of the tool's that clear one field each."""
        first = clears(stmts[at])
        if first is None:
            return None
        loop, counter, target = first
        bodies = list(loop.body)
        count = 1
        for stmt in stmts[at + 1 :]:
            found = clears(stmt)
            if found is None or not self._one_variable(found[2].sym, target.sym):
                break
            again = counting(found[0], found[1], counter)
            if head_of(again) != head_of(loop):
                break
            bodies += again.body
            count += 1
        return None if count == 1 else (count, self.statement(replace(loop, body=tuple(bodies))))

    def _one_variable(self, a: Sym, b: Sym) -> bool:
        return self.home(a).whole is self.home(b).whole and bool(self.home(a).path)


def _values(declare: Declare) -> tuple[Expr, ...]:
    match declare.init:
        case None:
            return ()
        case Initialiser(values):
            return values
        case init:
            return (init,)
