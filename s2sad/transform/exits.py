"""Exits in tail position: the form of a body that the analyses and the reverse sweep read.

    if (c) break;        ->   if (c) { break; }
    rest                      else { rest }

After `structure`, a `Break` or `Return` is the last statement of its body, and
whatever holds it is the last of the body around it. So "what comes after" a
branch that leaves is always inside the other branch, and the reverse sweep of
one needs no knowledge of the other. `Continue` has become nothing: in tail
position it does nothing. Where a branch may leave or not, a flag says which, as
by hand. Brace blocks are dissolved (symbols have identity), and a switch has no
fall-through left: one that had becomes guards in the order of its segments.

`Return e` of a function becomes an assignment to its result.
"""

from __future__ import annotations

from dataclasses import replace

from ..analysis.loops import counter
from ..analysis.versions import targets
from ..ir import (
    BOOL,
    INT,
    Assign,
    Binary,
    Block,
    Body,
    Break,
    Case,
    Const,
    Continue,
    Declare,
    DoWhile,
    Evaluate,
    Expr,
    For,
    Function,
    If,
    Place,
    Return,
    Scalar,
    Select,
    Stmt,
    Switch,
    Sym,
    Unary,
    While,
    statements,
)

TRUE = Const(True, BOOL)
FALSE = Const(False, BOOL)

Exit = Break | Continue | Return


def structure(function: Function, result: Sym | None = None) -> Function:
    """The function with its exits in tail position; `result` takes what it returns."""
    body = _Structure(result).root(function.body)
    return replace(function, body=body if result is None else (Declare(result), *body))


def leaves(body: Body) -> bool:
    """Whether every path through a body in tail form ends in an exit."""
    if not body:
        return False
    match body[-1]:
        case Break() | Continue() | Return():
            return True
        case If(_, then, other):
            return leaves(then) and leaves(other)
        case Switch(_, cases):
            return any(None in c.labels for c in cases) and all(leaves(c.body) for c in cases)
        case _:
            return False


class _Structure:
    def __init__(self, result: Sym | None) -> None:
        self.result = result

    def root(self, body: Body) -> Body:
        return self.body(body)

    def body(self, stmts: Body) -> Body:
        out: list[Stmt] = []
        for position, stmt in enumerate(stmts):
            rest = stmts[position + 1 :]
            match stmt:
                case Block(inner):
                    return (*out, *self.body((*inner, *rest)))
                case Return(value):
                    if value is not None and self.result is not None:
                        target = Place(self.result, (), self.result.type)
                        out.append(Assign(target, value, span=stmt.span))
                    return (*out, Return(span=stmt.span))
                case Break() | Continue():
                    return (*out, stmt)
                case If():
                    if not _exits(stmt):
                        out.append(replace(stmt, then=self.body(stmt.then), other=self.body(stmt.other)))
                        continue
                    return (*out, *self.branch(stmt, rest))
                case Switch():
                    if not _exits(stmt) and _clean(stmt):
                        out.append(self.switch(stmt))
                        continue
                    return (*out, *self.body((*self.unfall(stmt), *rest)))
                case For() if stmt.init and not _counts(stmt):
                    return (*out, *self.body((*stmt.init, replace(stmt, init=()), *rest)))
                case For() if _left(stmt.body) and _computes(stmt.step):
                    return (*out, *self.body((*self.unroll_header(stmt), *rest)))
                case For() | While() | DoWhile():
                    if not _returns(stmt.body):
                        out.append(self.loop(stmt))
                        continue
                    flag = Sym("returned", BOOL)
                    body = _replaced(stmt.body, Return, flag, self.result)
                    out.append(Declare(flag, FALSE))
                    out.append(self.loop(replace(stmt, body=body)))
                    after = self.body(rest)
                    out.append(If(Place(flag, (), BOOL), (Return(),), after))
                    return tuple(out)
                case _:
                    out.append(stmt)
        return tuple(out)

    def loop(self, stmt: For | While | DoWhile) -> Stmt:
        return replace(stmt, body=_without_continue(self.body(stmt.body)))

    def unroll_header(self, stmt: For) -> Body:
        """A `for` whose step a break skips and which does more than count: as a `while`."""
        body = stmt.body
        flags: list[Stmt] = []
        if any(_has(s, Continue) for s in body):
            flag = Sym("skipped", BOOL)
            flags.append(Declare(flag, FALSE))
            body = _flagged(body, Continue, flag, self.result)
        loop = While(stmt.cond or TRUE, (*flags, *body, *stmt.step), stmt.span, stmt.pragmas)
        return (*stmt.init, loop)

    def branch(self, stmt: If, rest: Body) -> Body:
        """An `if` with an exit somewhere inside, and what follows it."""
        if not rest:
            return (replace(stmt, then=self.body(stmt.then), other=self.body(stmt.other)),)
        then, other = self.body(stmt.then), self.body(stmt.other)
        if leaves(then) and leaves(other):
            return (replace(stmt, then=then, other=other),)
        if leaves(then):
            return (replace(stmt, then=then, other=self.body((*stmt.other, *rest))),)
        if leaves(other):
            return (replace(stmt, then=self.body((*stmt.then, *rest)), other=other),)
        # It may leave or not: remember which, and leave right behind it.
        kinds: tuple[type[Exit], ...] = (Break, Continue, Return)
        out: list[Stmt] = []
        guarded: Stmt = stmt
        after = self.body(rest)
        for kind in kinds:
            if not _has(guarded, kind):
                continue
            flag = Sym("left", BOOL)
            out.append(Declare(flag, FALSE))
            match guarded:
                case If():
                    guarded = replace(
                        guarded,
                        then=_flagged(guarded.then, kind, flag, self.result),
                        other=_flagged(guarded.other, kind, flag, self.result),
                    )
            after = (If(Place(flag, (), BOOL), (kind(),), after),)
        assert isinstance(guarded, If)
        guarded = replace(guarded, then=self.body(guarded.then), other=self.body(guarded.other))
        return (*out, guarded, *after)

    def switch(self, stmt: Switch) -> Switch:
        """A switch whose segments don't fall through; the breaks at their ends go."""
        cases = []
        for case in stmt.cases:
            body = self.body(case.body)
            if body and isinstance(body[-1], Break):
                body = body[:-1]
            cases.append(replace(case, body=body))
        return replace(stmt, cases=tuple(cases))

    def unfall(self, stmt: Switch) -> Body:
        """A switch with fall-through as guards: segment j runs iff entered at or before j."""
        entry = Sym("entry", INT)
        last = len(stmt.cases)
        default = next((j for j, c in enumerate(stmt.cases) if None in c.labels), last)
        chosen: Expr = Const(default, INT)
        selector = Sym("selector", stmt.selector.type)
        kind = selector.type
        assert isinstance(kind, Scalar)
        value = Place(selector, (), kind)
        for j, case in reversed(list(enumerate(stmt.cases))):
            for label in case.labels:
                if label is not None:
                    test = Binary("==", value, Const(label, kind), BOOL)
                    chosen = Select(test, Const(j, INT), chosen, INT)
        out: list[Stmt] = [Declare(selector, stmt.selector, span=stmt.span), Declare(entry, chosen)]
        broken: Sym | None = None
        if any(_has_own_break(c.body) for c in stmt.cases):
            broken = Sym("broken", BOOL)
            out.append(Declare(broken, FALSE))
        for j, case in enumerate(stmt.cases):
            cond: Expr = Binary("<=", Place(entry, (), INT), Const(j, INT), BOOL)
            body = case.body
            if broken is not None:
                cond = Binary("&&", cond, Unary("!", Place(broken, (), BOOL), BOOL), BOOL)
                body = _stopped(body, broken)
            out.append(If(cond, body, span=case.span))
        return tuple(out)


def _stopped(body: Body, flag: Sym) -> Body:
    """A segment whose breaks set a flag; what follows a break inside an `if` is guarded by it."""
    return _flagged(body, Break, flag, None)


def _counts(stmt: For) -> bool:
    """Whether a loop counts; the variables of any other live outside its head."""
    return (
        counter(stmt, {t.sym for s in statements((*stmt.body, *stmt.step)) for t in targets(s)}) is not None
    )


def _left(body: Body) -> bool:
    """Whether a loop is left from inside its body."""
    return any(_has(s, Break) or _has(s, Return) for s in body)


def _computes(step: Body) -> bool:
    """Whether a step does more than count with integers."""
    for stmt in step:
        if not isinstance(stmt, Assign) or stmt.target.index:
            return True
        if not isinstance(stmt.target.type, Scalar) or not stmt.target.type.is_integer:
            return True
    return False


def _exits(stmt: Stmt) -> bool:
    """Whether control may leave the body around a branching statement from inside it."""
    match stmt:
        case Break() | Continue() | Return():
            return True
        case If(_, then, other):
            return any(map(_exits, then)) or any(map(_exits, other))
        case Switch(_, cases):
            return any(_has(s, Continue) or _has(s, Return) for c in cases for s in c.body)
        case Block(body):
            return any(map(_exits, body))
        case For() | While() | DoWhile():
            return _returns(stmt.body)
        case _:
            return False


def _has(stmt: Stmt, kind: type[Exit]) -> bool:
    """Whether an exit of this kind inside the statement leaves what is around the statement."""
    match stmt:
        case Break() | Continue() | Return():
            return isinstance(stmt, kind)
        case If(_, then, other):
            return any(_has(s, kind) for s in (*then, *other))
        case Block(body):
            return any(_has(s, kind) for s in body)
        case Switch(_, cases):
            return kind is not Break and any(_has(s, kind) for c in cases for s in c.body)
        case For() | While() | DoWhile():
            return kind is Return and any(_has(s, kind) for s in stmt.body)
        case _:
            return False


def _returns(body: Body) -> bool:
    return any(_has(s, Return) for s in body)


def _has_own_break(body: Body) -> bool:
    return any(_has(s, Break) for s in body)


def _clean(stmt: Switch) -> bool:
    """No fall-through: each segment with statements ends in its only break, or is the last."""
    for j, case in enumerate(stmt.cases):
        body = case.body
        if body and isinstance(body[-1], Block) and len(body) == 1:
            body = body[0].body if isinstance(body[0], Block) else body
        ends = bool(body) and isinstance(body[-1], Break)
        inner = body[:-1] if ends else body
        if _has_own_break(inner):
            return False
        if not ends and j + 1 < len(stmt.cases):
            return False
    return True


def _flagged(body: Body, kind: type[Exit], flag: Sym, result: Sym | None) -> Body:
    """Each exit of a kind sets the flag; what follows it in an enclosing body is guarded."""
    out: list[Stmt] = []
    for position, stmt in enumerate(body):
        rest = body[position + 1 :]
        if not _has(stmt, kind):
            out.append(stmt)
            continue
        set_flag = Assign(Place(flag, (), BOOL), TRUE)
        match stmt:
            case Break() | Continue():
                return (*out, set_flag)
            case Return(value):
                if value is not None and result is not None:
                    out.append(Assign(Place(result, (), result.type), value, span=stmt.span))
                return (*out, set_flag)
            case If():
                out.append(
                    replace(
                        stmt,
                        then=_flagged(stmt.then, kind, flag, result),
                        other=_flagged(stmt.other, kind, flag, result),
                    )
                )
            case Block(inner):
                return (*out, *_flagged((*inner, *rest), kind, flag, result))
            case Switch():
                cases = tuple(replace(c, body=_flagged(c.body, kind, flag, result)) for c in stmt.cases)
                out.append(replace(stmt, cases=cases))
            case For() | While() | DoWhile():
                out.append(replace(stmt, body=_replaced(stmt.body, Return, flag, result)))
        if rest:
            test = Unary("!", Place(flag, (), BOOL), BOOL)
            out.append(If(test, _flagged(rest, kind, flag, result)))
        return tuple(out)
    return tuple(out)


def _replaced(body: Body, kind: type[Exit], flag: Sym, result: Sym | None) -> Body:
    """Each return inside a loop sets the flag and breaks."""
    out: list[Stmt] = []
    for stmt in body:
        match stmt:
            case Return(value):
                if value is not None and result is not None:
                    out.append(Assign(Place(result, (), result.type), value, span=stmt.span))
                out.append(Assign(Place(flag, (), BOOL), TRUE))
                out.append(Break(span=stmt.span))
                return tuple(out)
            case If():
                out.append(
                    replace(
                        stmt,
                        then=_replaced(stmt.then, kind, flag, result),
                        other=_replaced(stmt.other, kind, flag, result),
                    )
                )
            case Block(inner):
                out.append(Block(_replaced(inner, kind, flag, result)))
            case Switch() if any(_has(s, Return) for c in stmt.cases for s in c.body):
                cases = tuple(replace(c, body=_flagged(c.body, Return, flag, result)) for c in stmt.cases)
                out.append(replace(stmt, cases=_rebroken(cases)))
                out.append(If(Place(flag, (), BOOL), (Break(),)))
            case For() | While() | DoWhile() if _returns(stmt.body):
                out.append(replace(stmt, body=_replaced(stmt.body, kind, flag, result)))
                out.append(If(Place(flag, (), BOOL), (Break(),)))
            case _:
                out.append(stmt)
    return tuple(out)


def _rebroken(cases: tuple[Case, ...]) -> tuple[Case, ...]:
    """A segment that ended in a return, now a flag, still ends there."""
    out = []
    for case in cases:
        body = case.body
        if body and not isinstance(body[-1], Break):
            last = body[-1]
            if isinstance(last, Assign) and isinstance(last.value, Const) and last.value is TRUE:
                body = (*body, Break())
        out.append(replace(case, body=body))
    return tuple(out)


def _without_continue(body: Body) -> Body:
    """The body without the continues at its end, which do nothing there."""
    if not body:
        return body
    last = body[-1]
    match last:
        case Continue():
            return body[:-1]
        case If():
            then, other = _without_continue(last.then), _without_continue(last.other)
            if not then and not other:
                return body[:-1]
            return (*body[:-1], replace(last, then=then, other=other))
        case Switch():
            cases = tuple(replace(c, body=_without_continue(c.body)) for c in last.cases)
            return (*body[:-1], replace(last, cases=cases))
        case _:
            return body


def negation(cond: Expr) -> Expr:
    """`!(x < 0)`, never `x >= 0`: a NaN must not change sides."""
    match cond:
        case Unary("!", arg):
            return arg
        case Const(value):
            return Const(not value, BOOL)
        case _:
            return Unary("!", cond, BOOL)


def check_tail_form(body: Body, tail: bool = True) -> None:
    """Asserts that exits stand in tail position only."""
    for position, stmt in enumerate(body):
        last = tail and position == len(body) - 1
        match stmt:
            case Break() | Return():
                assert last, stmt
            case Continue():
                raise AssertionError("continue left")
            case If():
                check_tail_form(stmt.then, last)
                check_tail_form(stmt.other, last)
            case Switch():
                for case in stmt.cases:
                    check_tail_form(case.body, last)
            case For() | While() | DoWhile():
                check_tail_form(stmt.body)
            case Block():
                raise AssertionError("block left")
            case Declare() | Assign() | Evaluate():
                pass
            case _:
                pass
