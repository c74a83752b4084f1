"""Move exits to tail position: the form of a body that the analyses and the reverse sweep read.

    if (c) break;        ->   if (c) { break; }
    rest                      else { rest }

After `structure`, a `Break` or `Return` is the last statement of its body, and the
statement that holds it is the last of the enclosing body. So the code after a branch that
leaves is always inside the other branch, and each can be reversed without the other.
`Continue` is removed: in tail position it does nothing. Where a branch leaves on some paths
only, a flag records whether it did. Brace blocks are dissolved (symbols have identity), and
so are loops that run at most once (`do { … } while (0)`). Switches have no fall-through, and
nothing inside one leaves the enclosing body (see `fallthrough`).

`Return e` of a function becomes an assignment to its result.
"""

from __future__ import annotations

from dataclasses import replace

from ...analysis.loops.counted_loops import Positive, is_variable, own_counter, positive, scale
from ...analysis.ssa import Loop
from ...analysis.traversal import ends
from ...ir import (
    BOOL,
    VOID,
    Assign,
    Binary,
    Block,
    Body,
    Break,
    Case,
    Cast,
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
    Stmt,
    Switch,
    Sym,
    While,
    unconverted,
)
from ..common.jumps import FALSE, TRUE, Exit, any_has, ended, exits, flagged, once, replaced
from .fallthrough import Selector, fallen, groups, lone, passes, simple
from .loop_headers import counting

# Code after a switch moves into the only case that continues, if it has at most this many statements.
SUNK = 6

KINDS: tuple[type[Exit], ...] = (Break, Continue, Return)


def structure(function: Function, result: Sym | None = None) -> Function:
    """The function with its exits in tail position; `result` receives the returned value."""
    body = _Structure(result, positive(function)).body(counting(function.body, positive(function)))
    if result is None:
        return replace(function, body=body)
    return replace(function, body=(Declare(result), *body), result=VOID)


class _Structure:
    def __init__(self, result: Sym | None, positive: Positive) -> None:
        self.result = result
        self.positive = positive

    def body(self, stmts: Body) -> Body:
        """The statements of a body in tail form; nothing may follow them."""
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
                    if not exits(stmt):
                        out.append(replace(stmt, then=self.body(stmt.then), other=self.body(stmt.other)))
                        continue
                    return (*out, *self.branch(stmt, rest))
                case Switch():
                    if rest and exits(stmt):
                        return (*out, *self.leaving(stmt, rest))
                    out.extend(self.switch(stmt, Selector.of(stmt)))
                case For() | While() | DoWhile() if (unlooped := self.unlooped(stmt)) is not None:
                    return (*out, *self.body((*unlooped, *rest)))
                case For() if any(_compound(s) is not s for s in stmt.step):
                    stepping = replace(stmt, step=tuple(map(_compound, stmt.step)))
                    return (*out, *self.body((stepping, *rest)))
                case For() if stmt.init and not self.counts(stmt):
                    return (*out, *self.body((*stmt.init, replace(stmt, init=()), *rest)))
                case For() if _left(stmt.body) and _computes(stmt.step):
                    return (*out, *self.body((*self.unroll_header(stmt), *rest)))
                case For() | While() | DoWhile():
                    if not any_has(stmt.body, Return):
                        out.append(self.loop(stmt))
                        continue
                    flag = Sym("returned", BOOL)
                    body = replaced(stmt.body, Return, flag, self.result)
                    out.append(Declare(flag, FALSE))
                    out.append(self.loop(replace(stmt, body=body)))
                    after = self.body(rest)
                    out.append(If(Place(flag, (), BOOL), (Return(),), after))
                    return tuple(out)
                case _:
                    out.append(stmt)
        return tuple(out)

    def loop(self, stmt: Loop) -> Stmt:
        return replace(stmt, body=ended(self.body(stmt.body), Continue))

    def counts(self, stmt: For) -> bool:
        """Whether a loop counts; the variables of other loops are declared outside the header."""
        return own_counter(stmt, self.positive) is not None or scale(stmt) is not None

    def unlooped(self, stmt: Loop) -> Body | None:
        """The statements of a loop that runs at most once; None if it may run again."""
        init = stmt.init if isinstance(stmt, For) else ()
        truth = _truth(stmt.cond)
        if truth is False:
            if not isinstance(stmt, DoWhile):
                return init
        elif not once(stmt.body):
            return None
        body = stmt.body
        if any_has(body, Return):
            flag = Sym("left", BOOL)
            if any_has(body, Break) or any_has(body, Continue):
                init = (*init, Declare(flag, FALSE))
            body = flagged(flagged(body, Break, flag, None), Continue, flag, None)
        elif any_has(body, Break) or any_has(body, Continue):
            body = ended(self.body(body), Break, Continue)
        if stmt.cond is None or truth or isinstance(stmt, DoWhile):
            return (*init, *body)
        return (*init, If(stmt.cond, body, span=stmt.span))

    def unroll_header(self, stmt: For) -> Body:
        """A `for` whose step is more than counting, and is skipped by a break, as a `while`."""
        body = stmt.body
        flags: list[Stmt] = []
        if any_has(body, Continue):
            flag = Sym("skipped", BOOL)
            flags.append(Declare(flag, FALSE))
            body = flagged(body, Continue, flag, self.result)
        loop = While(stmt.cond or TRUE, (*flags, *body, *stmt.step), stmt.span, stmt.pragmas, stmt.id)
        return (*stmt.init, loop)

    def branch(self, stmt: If, rest: Body) -> Body:
        """An `if` with an exit inside, and the statements after it."""
        then, other = self.body(stmt.then), self.body(stmt.other)
        if not rest or (ends(then) and ends(other)):
            return (replace(stmt, then=then, other=other),)
        if ends(then):
            return (replace(stmt, then=then, other=self.body((*stmt.other, *rest))),)
        if ends(other):
            return (replace(stmt, then=self.body((*stmt.then, *rest)), other=other),)
        return self.flagged(stmt, rest)

    def flagged(self, stmt: If | Switch, rest: Body) -> Body:
        """A statement that leaves on some paths only: set a flag, and leave after it."""
        out: list[Stmt] = []
        guarded: Body = (stmt,)
        after = self.body(rest)
        for kind in KINDS:
            if any_has(guarded, kind):
                flag = Sym("left", BOOL)
                out.append(Declare(flag, FALSE))
                guarded = flagged(guarded, kind, flag, self.result)
                after = (If(Place(flag, (), BOOL), (kind(),), after),)
        return (*out, *self.body(guarded), *after)

    # ---- switches ----------------------------------------------------------------

    def switch(self, stmt: Switch, selector: Selector) -> Body:
        """A switch at the tail: fall-through removed, exits dropped because they only mark its end."""
        cases: list[Case] = []
        guarding: Body = ()
        for group in groups(stmt.cases):
            apart = fallen(group, selector)
            if apart.guarded:
                guarding = selector.declared
            cases += [replace(c, body=ended(self.body(c.body), *KINDS)) for c in apart.cases]
        asked = selector.value if guarding else stmt.selector
        return (*guarding, replace(stmt, selector=asked, cases=tuple(cases)))

    def leaving(self, stmt: Switch, rest: Body) -> Body:
        """A switch with an exit inside, and the statements after it."""
        on = [group for group in groups(stmt.cases) if passes(group)]
        complete = any(None in c.labels for c in stmt.cases)
        if complete and not on:
            return self.body((stmt,))
        if simple(rest) <= SUNK and not any_has(rest, Break):
            if not complete and not on:
                default = Case((None,), rest, ("default",))
                return self.body((replace(stmt, cases=(*stmt.cases, default)),))
            if complete and len(on) == 1 and lone(on[0]):
                last = on[0][-1]
                kept = last.body[:-1] if ends(last.body) else last.body
                cases = tuple(replace(c, body=(*kept, *rest)) if c is last else c for c in stmt.cases)
                return self.body((replace(stmt, cases=cases),))
        return self.flagged(stmt, rest)


def _truth(cond: Expr | None) -> bool | None:
    """The value of a literal condition; None if it isn't one."""
    match cond:
        case None:
            return True
        case Const(value):
            return bool(value)
        case Cast(arg, _, True):
            return _truth(arg)
        case _:
            return None


def _compound(stmt: Stmt) -> Stmt:
    """`k = k + 2` and `k = 2 + k` as `k += 2`."""
    match stmt:
        case Assign(Place(sym, (), Scalar(kind="signed" | "unsigned")), value, None):
            pass
        case _:
            return stmt
    match unconverted(value):
        case Binary("+" | "-" as op, left, right):
            if op == "+" and is_variable(right, sym):
                left, right = right, left
            if is_variable(left, sym) and sym not in right.symbols:
                return replace(stmt, value=right, op=f"{op}=")
            return stmt
        case _:
            return stmt


def _left(body: Body) -> bool:
    """Whether a break or return in its body leaves a loop."""
    return any_has(body, Break) or any_has(body, Return)


def _computes(step: Body) -> bool:
    """Whether a step does more than assign integer variables."""
    for stmt in step:
        if not isinstance(stmt, Assign) or stmt.target.index:
            return True
        if not isinstance(stmt.target.type, Scalar) or not stmt.target.type.is_integer:
            return True
    return False


def check_tail_form(body: Body, tail: bool = True) -> None:
    """Assert that exits are in tail position only."""
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
                    check_tail_form(case.body, False)
            case For() | While() | DoWhile():
                check_tail_form(stmt.body)
            case Block():
                raise AssertionError("block left")
            case Declare() | Assign() | Evaluate():
                pass
            case _:
                pass
