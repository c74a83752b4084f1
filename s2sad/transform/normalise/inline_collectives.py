"""Inline device functions that synchronize threads or take pointers or references.

    __device__ float warp_sum(float v)
    {
        for (int d = 16; d > 0; d /= 2)             float v = x[i] * x[i];
            v += __shfl_down_sync(m, v, d);    ->   for (int d = 16; d > 0; d /= 2)
        return v;                                       v += __shfl_down_sync(m, v, d);
    }                                               y[i] = v;
    ...
    y[i] = warp_sum(x[i] * x[i]);

Whether all threads reach a collective depends on the call site, and its adjoint moves
values between threads: such a function has no adjoint on its own. Each call gets its own
copy of the statements and local variables; shared arrays are not duplicated.

What a pointer or reference parameter refers to is known only at the call:

    void spin(float &u, float &v, float c, float s)
    {                                                   float t = c * x[i] - s * y;
        float t = c * u - s * v;                   ->   y = s * x[i] + c * y;
        v = s * u + c * v;                              x[i] = t;
        u = t;
    }
    ...
    spin(x[i], y, c, s);
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, field, replace

from ...analysis.atomics import is_drawn
from ...analysis.ssa import targets
from ...diagnostics import Code, Diagnostic, Rejected, diagnose
from ...fields import is_nowhere, is_row
from ...ir import (
    BOOL,
    LOGICAL,
    VOID,
    AddressOf,
    Assign,
    Barrier,
    Binary,
    Block,
    Body,
    Break,
    Call,
    Const,
    Continue,
    Declare,
    DoWhile,
    Evaluate,
    Expr,
    For,
    Function,
    If,
    Initialiser,
    Place,
    Pointer,
    Program,
    Return,
    Scalar,
    Select,
    Special,
    Stmt,
    Struct,
    Switch,
    Sym,
    Unary,
    While,
    all_parts,
    collective,
    expressions,
    statements,
    walk,
)
from ...parse.lower.memory import pointer_offsets
from ...rules import Table
from ...source import Span
from ..common.algebra import rewrite
from ..common.jumps import FALSE, TRUE, any_has, ended, flagged, has
from ..common.symbol_uses import in_expr, mapped, symbols
from .fallthrough import with_breaks
from .structure_exits import structure


def with_meetings_inline(program: Program, table: Table) -> Program:
    """Inline device functions that synchronize threads or take pointers or references. Raises Rejected."""
    meeting: set[str] = set()
    for key, function in program.functions.items():  # callees first
        met = next((s for s in statements(function.body) if _meets(s)), None)
        takes = any(isinstance(s.type, Pointer) for s in function.syms)
        takes = takes or any(s in program.variables for s in symbols(statements(function.body)))
        if met is None and not takes and not _called(function.body) & meeting:
            continue
        if takes and function.name in table and table[function.name].user:
            what = f"a rule for `{function.name}`, which takes pointers or references"
            help = "leave the rule out: the function is inlined and differentiated"
            raise Rejected(diagnose(Code.NOT_SUPPORTED, function.span, what=what, help=help))
        if function.name in table and table[function.name].user:
            span = getattr(met, "span", None) or function.span
            raise Rejected(diagnose(Code.RULE_MEETING, span, name=function.name))
        meeting.add(key)
    if not meeting:
        if wrong := list(_nowhere(program.kernel.body)):
            raise Rejected(*wrong)
        return program
    return with_inlined(program, meeting)


def with_inlined(program: Program, chosen: Container[str]) -> Program:
    """Inline the device functions with these keys. Raises Rejected."""
    inliner = _Inliner({key: f for key, f in program.functions.items() if key in chosen})
    kernel = replace(program.kernel, body=inliner.whole(program.kernel.body))
    inliner.problems += _nowhere(kernel.body)
    if inliner.problems:
        raise Rejected(*inliner.problems)
    functions = {key: f for key, f in program.functions.items() if key not in chosen}
    return replace(program, kernel=kernel, functions=functions)


def _nowhere(body: Body) -> Iterator[Diagnostic]:
    """Accesses through a pointer that is null there."""
    for stmt in statements(body):
        for top in expressions(stmt):
            for e in walk(top):
                if isinstance(e, Place) and is_nowhere(e.sym):
                    span = e.span or getattr(stmt, "span", None)
                    yield diagnose(Code.POINTER_VALUE, span, name="nullptr")


def _meets(stmt: Stmt) -> bool:
    shared = isinstance(stmt, Declare) and stmt.sym.storage == "shared"
    drawn = any(is_drawn(e) for top in expressions(stmt) for e in walk(top))
    return shared or drawn or isinstance(stmt, Barrier) or collective(stmt) is not None


def _called(body: Body) -> set[str]:
    """The device functions that a body calls."""
    return {e.callee for e in all_parts(*body) if isinstance(e, Call) and e.callee is not None}


@dataclass
class _Inliner:
    functions: Mapping[str, Function]
    shared: dict[Sym, Declare] = field(default_factory=dict)
    problems: list[Diagnostic] = field(default_factory=list)

    def whole(self, body: Body) -> Body:
        inner = self.body(body)
        return (*self.shared.values(), *inner)

    def body(self, body: Body) -> Body:
        return tuple(new for stmt in body for new in self.statement(stmt))

    def statement(self, stmt: Stmt) -> Iterator[Stmt]:
        """A statement, preceded by the inlined bodies of its calls."""
        before: list[Stmt] = []
        match stmt:
            case If():
                cond = self.value(stmt.cond, before)
                new: Stmt = replace(stmt, cond=cond, then=self.body(stmt.then), other=self.body(stmt.other))
            case Switch():
                cases = tuple(replace(c, body=self.body(c.body)) for c in stmt.cases)
                new = replace(stmt, selector=self.value(stmt.selector, before), cases=cases)
            case For():
                for part in stmt.init:
                    self.refuse_in(part)
                if stmt.cond is not None:
                    self.refuse(stmt.cond)
                new = self.loop(stmt, tuple(s for part in stmt.step for s in self.stepped(part)))
            case While() | DoWhile():
                self.refuse(stmt.cond)
                new = replace(stmt, body=self.body(stmt.body))
            case Block():
                new = replace(stmt, body=self.body(stmt.body))
            case Declare(_, init) if isinstance(init, Initialiser):
                values = tuple(self.value(e, before) for e in init.values)
                new = replace(stmt, init=Initialiser(values))
            case Declare(sym, init) if isinstance(init, Expr):
                free = None if sym.const or _one_of(init, self.functions) is None else sym
                value = self.value(init, before, declared=free)
                if isinstance(value, Place) and value.sym is sym:
                    yield from before
                    return
                new = replace(stmt, init=value)
            case Assign():
                index = tuple(self.value(e, before) for e in stmt.target.index)
                call = _one_of(stmt.value, self.functions)
                own = stmt.target.sym if call is not None and not index and stmt.op is None else None
                value = self.value(stmt.value, before, own)
                if isinstance(value, Place) and own is value.sym and not value.index:
                    yield from before
                    return
                target = stmt.target if index == stmt.target.index else replace(stmt.target, index=index)
                new = replace(stmt, target=target, value=value)
            case Evaluate(call):
                value = self.value(call, before)
                yield from before
                if isinstance(value, Call):
                    yield replace(stmt, call=value)
                return
            case Return(value) if value is not None:
                new = replace(stmt, value=self.value(value, before))
            case _:
                new = stmt
        yield from before
        yield new

    def stepped(self, part: Stmt) -> Iterator[Stmt]:
        """A loop's step with its calls inlined; one that synchronizes threads is refused."""
        calls = [
            c for e in expressions(part) for p in walk(e) if (c := _one_of(p, self.functions)) is not None
        ]
        if any(_meets(s) for c in calls if c.callee for s in statements(self.functions[c.callee].body)):
            self.refuse_in(part)
            return
        yield from self.statement(part) if calls else (part,)

    def loop(self, stmt: For, step: Body) -> Stmt:
        """The loop with this step; at the end of the body if it is more than assignments."""
        if all(isinstance(s, Assign) for s in step):
            return replace(stmt, step=step, body=self.body(stmt.body))
        body = self.body(stmt.body)
        if any_has(body, Continue):
            flag = Sym("skipped", BOOL)
            body = (Declare(flag, FALSE), *flagged(body, Continue, flag, None))
        loop = While(stmt.cond or TRUE, (*body, *step), stmt.span, stmt.pragmas, stmt.id)
        return Block((*stmt.init, loop))

    # ---- calls -------------------------------------------------------------

    def value(
        self, expr: Expr, before: list[Stmt], own: Sym | None = None, declared: Sym | None = None
    ) -> Expr:
        """Replace each such call by its value; the inlined statements go to `before`.

        `own` is the variable that a call's result is assigned to; the body may work on it in place.
        `declared` is the variable that a call initialises; the body's result variable may become it.
        """
        match expr:
            case Select(cond, then, other):
                self.refuse(then)
                self.refuse(other)
                kept = self.value(cond, before)
                return expr if kept is cond else replace(expr, cond=kept, spelling=None, macro=None)
            case Binary(op, left, right) if op in LOGICAL:
                self.refuse(right)
                kept = self.value(left, before)
                return expr if kept is left else replace(expr, left=kept, spelling=None, macro=None)
            case Call(callee=str() as callee) if callee in self.functions:
                args = [self.value(a, before) for a in expr.args]
                return self.written(self.functions[callee], args, before, expr, own, declared)
            case _:
                return self.parts(expr, before)

    def parts(self, expr: Expr, before: list[Stmt]) -> Expr:
        """An expression with the calls in its operands inlined."""

        def change(e: Expr) -> Expr | None:
            if e is expr:
                return None
            if not any(_one_of(part, self.functions) for part in walk(e)):
                return e
            return self.value(e, before)

        if not any(_one_of(part, self.functions) for part in walk(expr)):
            return expr
        return rewrite(expr, change)

    def refuse(self, expr: Expr) -> None:
        for part in walk(expr):
            call = _one_of(part, self.functions)
            if call is not None:
                self.problems.append(diagnose(Code.CALL_TO_MEET, call.span or expr.span, name=call.name))

    def refuse_in(self, stmt: Stmt) -> None:
        for expr in expressions(stmt):
            self.refuse(expr)

    def written(
        self,
        function: Function,
        args: list[Expr],
        before: list[Stmt],
        call: Call,
        own: Sym | None,
        declared: Sym | None,
    ) -> Expr:
        """Inline a function for these arguments; returns its value."""
        changed = {t.sym for s in statements(function.body) for t in targets(s)}
        copy = _Copy(function.name, self.shared, self.problems, call.span)
        mentioned = [s for arg in args for s in in_expr(arg)]
        places = {arg.place.sym for arg in args if isinstance(arg, AddressOf)}
        for parameter, arg in zip(function.syms, args, strict=True):
            if isinstance(arg, AddressOf):
                copy.places[parameter] = arg.place
                continue
            free = isinstance(arg, Place) and arg.sym is own and mentioned.count(arg.sym) == 1
            alone = not (isinstance(arg, Place) and arg.sym in places)
            if _steady(arg) and alone and (parameter not in changed or free):
                copy.values[parameter] = arg
            else:
                before.append(Declare(copy.named(parameter), arg, span=call.span))
        body = function.body
        match body[-1] if body else None:
            case Return(value) if not any(has(s, Return) for s in body[:-1]):
                own_variable = isinstance(value, Place) and any(
                    isinstance(s, Declare) and s.sym is value.sym and not value.index for s in body[:-1]
                )
                if declared is not None and own_variable:
                    assert isinstance(value, Place)
                    copy.taken[value.sym] = declared
                before += self.body(tuple(copy.stmt(s) for s in body[:-1]))
                if value is None:
                    return Const(0, VOID)
                return self.value(copy.expr(value), before)
            case _:
                pass
        if function.result == VOID:
            whole = with_breaks(ended(structure(function).body, Return))
            before += self.body(tuple(copy.stmt(s) for s in whole))
            return Const(0, VOID)
        result = Sym(f"{function.name}_result", function.result, span=function.span, origin="lowering")
        if declared is not None:
            copy.taken[result] = declared
        whole = with_breaks(ended(structure(function, result).body, Return))
        before += self.body(tuple(copy.stmt(s) for s in whole))
        return copy.values[result]


def _one_of(expr: Expr, functions: Mapping[str, Function]) -> Call | None:
    return expr if isinstance(expr, Call) and expr.callee in functions else None


def _without_one(e: Expr) -> Expr | None:
    """Drop integer factors of 1."""
    match e:
        case Binary("*", left, Const(1, Scalar(is_integer=True))) if left.type == e.type:
            return rewrite(left, _without_one)
        case _:
            return None


def _asks(cond: Expr) -> bool:
    """Whether a condition tests whether a pointer is null."""
    return any(isinstance(e, Special) and e.name == "present" for e in walk(cond))


def _decided(cond: Expr) -> bool | None:
    """The value of a condition on null pointers; None if unknown."""
    match cond:
        case Const(value):
            return bool(value)
        case Unary("!", arg):
            known = _decided(arg)
            return None if known is None else not known
        case Binary("&&" | "||" as op, left, right):
            known = _decided(left)
            return known if known is (op == "||") else _decided(right) if known is not None else None
        case _:
            return None


def _steady(arg: Expr) -> bool:
    """Whether an argument is a literal, special register or unindexed variable: safe to substitute."""
    return isinstance(arg, Const | Special) or (isinstance(arg, Place) and not arg.index)


@dataclass
class _Copy:
    """Copy statements with fresh local variables; shared arrays are kept."""

    function: str
    shared: dict[Sym, Declare]
    problems: list[Diagnostic]
    call: Span | None = None
    values: dict[Sym, Expr] = field(default_factory=dict)
    places: dict[Sym, Place] = field(default_factory=dict)  # the arguments of pointer parameters
    taken: dict[Sym, Sym] = field(default_factory=dict)  # caller variables that replace the function's

    def named(self, sym: Sym) -> Sym:
        new = self.taken.get(sym) or replace(sym.again(), otherwise=(f"{self.function}_{sym.name}",))
        self.values[sym] = Place(new, (), sym.type)
        return new

    def expr(self, expr: Expr) -> Expr:
        new = rewrite(expr, self.change)
        return new if new is expr else rewrite(new, _without_one)

    def change(self, e: Expr) -> Expr | None:
        if isinstance(e, Special) and e.name == "present":
            return next(
                (self.present(e, at.sym) for sym, at in self.places.items() if sym.name == e.axis), None
            )
        if isinstance(e, Select) and _asks(e.cond):
            taken = _decided(self.expr(e.cond))
            return None if taken is None else self.expr(e.then if taken else e.other)
        if isinstance(e, Binary) and any(isinstance(self.values.get(s), Const) for s in e.symbols):
            left, right = self.expr(e.left), self.expr(e.right)
            return pointer_offsets.counted(replace(e, left=left, right=right, spelling=None, macro=None))
        if isinstance(e, Place) and e.sym in self.places:
            return self.further(e, self.places[e.sym])
        if not isinstance(e, Place) or e.sym not in self.values:
            return None
        new = self.values[e.sym]
        if not e.index:
            return new
        assert isinstance(new, Place)
        return replace(e, sym=new.sym, index=tuple(self.expr(i) for i in e.index))

    def present(self, e: Special, sym: Sym) -> Expr:
        """Whether an argument's pointer is non-null; only a parameter may be null."""
        if is_nowhere(sym):
            return Const(False, BOOL)
        if sym.within is not None and isinstance(sym.within.type, Struct):
            self.problems.append(diagnose(Code.POINTER_VALUE, e.span, name=sym.name))
        given = isinstance(sym.type, Pointer) and sym.storage == "parameter"
        return Special("present", sym.variable, BOOL) if given else Const(True, BOOL)

    def further(self, e: Place, at: Place) -> Place:
        """An element of a pointer parameter: the argument's place, offset by the index."""
        first, *rest = (self.expr(i) for i in e.index)
        span = None if e.span is None else e.span.through(self.call)
        if at.index and (at.sym.within is None or is_row(at.sym)):
            index = (*at.index[:-1], pointer_offsets.sum_of("+", at.index[-1], first), *rest)
            return Place(at.sym, index, e.type, span=span)
        if not (isinstance(first, Const) and first.value == 0):
            self.problems.append(diagnose(Code.POINTER_BEYOND, e.span, name=at.sym.name))
        return Place(at.sym, at.index, e.type, span=span)

    def stmt(self, stmt: Stmt) -> Stmt:
        """Return a copy of a statement, which knows the call."""
        copy = self._copy(stmt)
        if isinstance(copy, Declare | Assign | Evaluate | If | For | While | DoWhile | Switch | Return):
            return replace(copy, span=copy.span.through(self.call)) if copy.span is not None else copy
        return copy

    def _copy(self, stmt: Stmt) -> Stmt:
        match stmt:
            case Declare(sym) if sym.storage == "shared":
                self.shared.setdefault(sym, replace(stmt))
                return Block((), stmt.span)
            case Declare(sym, init):
                if isinstance(init, Initialiser):
                    init = Initialiser(tuple(self.expr(e) for e in init.values))
                elif init is not None:
                    init = self.expr(init)
                return replace(stmt, sym=self.named(sym), init=init)
            case If(cond=asked) if _asks(asked) and (known := _decided(self.expr(asked))) is not None:
                return Block(self.body(stmt.then if known else stmt.other), stmt.span)
            case If():
                then, other = self.body(stmt.then), self.body(stmt.other)
                return replace(stmt, cond=self.expr(stmt.cond), then=then, other=other)
            case For():
                first = self.body(stmt.init)
                cond = None if stmt.cond is None else self.expr(stmt.cond)
                step, inner = self.body(stmt.step), self.body(stmt.body)
                return replace(stmt, init=first, cond=cond, step=step, body=inner)
            case While() | DoWhile():
                return replace(stmt, cond=self.expr(stmt.cond), body=self.body(stmt.body))
            case Switch():
                cases = tuple(replace(c, body=self.body(c.body)) for c in stmt.cases)
                return replace(stmt, selector=self.expr(stmt.selector), cases=cases)
            case Block():
                return replace(stmt, body=self.body(stmt.body))
            case Break() | Continue():
                return replace(stmt)
            case _:
                return replace(mapped(stmt, self.change))

    def body(self, body: Body) -> Body:
        return tuple(self.stmt(s) for s in body)
