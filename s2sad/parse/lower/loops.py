"""Lower loops, also those whose condition or step has side effects.

    while (i-- > 0) body            while (i > 0) { i -= 1; body }  i -= 1;

if nothing in the body leaves the loop. A vote in the condition is evaluated before the loop
and at the end of its body, so that the loop runs as often as its body does:

    while (__any_sync(m, p)) body   any = __any_sync(m, p);  while (any) { body  any = __any_sync(m, p); }

Conditions of any other form become

    while (true) { effects; if (!c) break; body }

A `for` keeps its header wherever the header can express the loop.
"""

from __future__ import annotations

from dataclasses import replace

from pycparser import c_ast

from ... import ir
from ...diagnostics import Rejected
from ...ir import Assign, Body, Const, Declare, Evaluate, Expr, If, Place, Stmt, Sym, Unary
from ...source import Span
from ..sema import evaluation, headers
from ..sema.meanings import Alias
from ..sema.scope import Context
from ..syntax import ast_utils
from . import statements
from .memory import pointer_moves

_TRUE = Const(True, ir.BOOL, spelling="true")


def _unrolling(ctx: Context) -> tuple[str, ...]:
    pragmas = tuple(ctx.pragmas)
    ctx.pragmas.clear()
    return pragmas


class _Condition:
    """A loop's condition: statements before it, its value, and statements to run whatever its value."""

    def __init__(self, before: list[Stmt], value: Expr, after: list[Stmt]) -> None:
        self.before, self.value, self.after = before, value, after


def _body(ctx: Context, node: c_ast.Node) -> Body:
    with ctx.within("loop"):
        return statements.body(ctx, node)


def _condition(ctx: Context, node: c_ast.Node, *, delay: bool) -> _Condition:
    taken = set(ctx.taken)
    with ctx.collecting() as before, ctx.full(node, delay=delay):
        value = evaluation.condition(ctx, node)
        after = list(ctx.expression.after or ())
        if ctx.expression.after:
            ctx.expression.after.clear()
    if delay and before:  # this form can't have statements before it: lower it again
        ctx.taken.intersection_update(taken)
        return _condition(ctx, node, delay=False)
    return _Condition(before, value, after)


def _noted_condition(ctx: Context, node: c_ast.Node, *, delay: bool) -> _Condition:
    try:
        return _condition(ctx, node, delay=delay)
    except Rejected as rejected:
        ctx.note(rejected)
        return _Condition([], Const(False, ir.BOOL), [])


def _leave(value: Expr, span: Span | None) -> If:
    return If(
        Unary("!", value, ir.BOOL, span=value.span, origin="lowering"), (ir.Break(span=span),), span=span
    )


def while_loop(ctx: Context, node: c_ast.While) -> None:
    """Lower `while (c) body`."""
    pragmas = _unrolling(ctx)
    span = ctx.unit.written.head(node)
    test = _noted_condition(ctx, node.cond, delay=bool(ctx.surveyed(node.cond).effectful))
    if not test.before and not test.after:
        ctx.out.append(ir.While(test.value, _body(ctx, node.stmt), span, pragmas))
        return
    body = _body(ctx, node.stmt)
    if not test.before and not statements.breaks(body):
        ctx.out.append(ir.While(test.value, (*test.after, *body), span, pragmas))
        ctx.out.extend(_again(test.after))
        return
    if not test.after and _votes(test.before) and not _continues(body):
        ctx.out.extend(test.before)
        ctx.out.append(ir.While(test.value, (*body, *_again(_hoisted(test.before)[1])), span, pragmas))
        return
    if test.after:  # they must run before a `break` as well
        test = _noted_condition(ctx, node.cond, delay=False)
    ctx.out.append(ir.While(_TRUE, (*test.before, _leave(test.value, span), *body), span, pragmas))


def _votes(stmts: list[Stmt]) -> bool:
    """Whether the statements are only votes and barriers."""
    return all(
        isinstance(s, ir.Barrier)
        or (isinstance(s, Declare) and isinstance(s.init, ir.Call) and s.init.rule == "vote")
        for s in stmts
    )


def _again(stmts: list[Stmt]) -> list[Stmt]:
    """Copy the statements: a statement object must appear in one position only."""
    return [replace(s) for s in stmts]


def do_loop(ctx: Context, node: c_ast.DoWhile) -> None:
    """Lower `do body while (c);`."""
    pragmas = _unrolling(ctx)
    span = headers.closing(ctx, node)
    body = _body(ctx, node.stmt)
    test = _noted_condition(ctx, node.cond, delay=False)
    if not test.before:
        ctx.out.append(ir.DoWhile(body, test.value, span, pragmas))
    elif not _continues(body):
        outside, inside = _hoisted(test.before)
        ctx.out.extend(outside)
        ctx.out.append(ir.DoWhile((*body, *inside), test.value, span, pragmas))
    else:
        ctx.out.extend(_with_flag(ctx, (*test.before, _leave(test.value, span)), body, span, pragmas))


def _with_flag(
    ctx: Context, between: Body, body: Body, span: Span | None, pragmas: tuple[str, ...]
) -> list[Stmt]:
    """Build a loop that runs `between` before every iteration but the first, also after a `continue`."""
    sym = Sym(ctx.fresh("first"), ir.BOOL, span=span, origin="lowering")
    first = Place(sym, (), ir.BOOL, span=span)
    no = Const(False, ir.BOOL, spelling="false")
    again = If(Unary("!", first, ir.BOOL), between, span=span)
    return [
        Declare(sym, Const(True, ir.BOOL, spelling="true"), span=span),
        ir.While(_TRUE, (again, Assign(first, no, span=span), *body), span, pragmas),
    ]


def _hoisted(stmts: list[Stmt]) -> tuple[list[Stmt], list[Stmt]]:
    """Split declarations of temporaries: declared before the loop, assigned in it."""
    outside: list[Stmt] = []
    inside: list[Stmt] = []
    for stmt in stmts:
        if isinstance(stmt, Declare):
            outside.append(Declare(stmt.sym, span=stmt.span))
            if stmt.init is not None and not isinstance(stmt.init, ir.Initialiser):
                target = Place(stmt.sym, (), stmt.sym.type, span=stmt.span)
                inside.append(Assign(target, stmt.init, span=stmt.span, part_of=stmt.sym.within))
        else:
            inside.append(stmt)
    return outside, inside


def _continues(stmts: Body) -> bool:
    """Whether a `continue` in these statements belongs to the loop around them."""
    for stmt in stmts:
        match stmt:
            case ir.Continue():
                return True
            case ir.If() | ir.Block() | ir.Switch():
                if any(_continues(inner) for inner in ir.bodies(stmt)):
                    return True
            case _:
                pass
    return False


def for_loop(ctx: Context, node: c_ast.For) -> None:
    """Lower `for (init; cond; step) body`."""
    pragmas = _unrolling(ctx)
    outer = ctx.out
    with ctx.scope(), ctx.collecting() as out:
        init = _init(ctx, node)
        ctx.out = outer
        pointer_moves.moved_by_loop(ctx, node, out=1)
        ctx.out = out
        loop = _for(ctx, node, init, pragmas)
        out.extend(loop)
    _into_head(ctx, out)
    if len(out) == 1:
        ctx.out.extend(out)
    elif any(isinstance(s, Declare) for s in out):
        ctx.out.append(ir.Block(tuple(out), span=ctx.unit.written.head(node)))
    else:
        ctx.out.extend(out)


def _into_head(ctx: Context, out: list[Stmt]) -> None:
    """Move an offset's declaration into the head, as in `long p_at = 0; for (; p_at < n; ++p_at)`."""
    for before, last in ((out, -2), (ctx.out, -1)):
        if len(before) < -last:
            continue
        match before[last], out[-1]:
            case Declare(sym, init) as declare, ir.For(init=(), step=(Assign(Place(moved, ())),)) as loop if (
                moved is sym and sym in ctx.offsets and init is not None and not _used_later(ctx, sym)
            ):
                out[-1] = replace(loop, init=(declare,))
                del before[last]
                return


def _used_later(ctx: Context, offset: Sym) -> bool:
    """Whether a pointer that depends on this offset is named after the loop."""
    names = {
        n for scope in ctx.scopes for n, it in scope.items() if isinstance(it, Alias) and _made(it, offset)
    }
    return any(names & ast_utils.names(node) for node in ctx.later)


def _made(alias: Alias, offset: Sym) -> bool:
    """Whether an alias depends on an offset."""
    index = alias.at.index if alias.at is not None else ()
    return any(isinstance(e, Place) and e.sym is offset for i in index for e in ir.walk(i))


def _single_step(ctx: Context, cond: Expr | None, step: Body, body: Body) -> tuple[Body, Body]:
    """Move the pointer in `++k, p += n` at the end of the body, so that one induction variable is left."""
    moves = [s for s in step if isinstance(s, Assign) and s.target.sym in ctx.offsets]
    asked = {e.sym for e in ir.walk(cond) if isinstance(e, Place)} if cond is not None else set()
    moves = [s for s in moves if s.target.sym not in asked]
    rest = tuple(s for s in step if s not in moves)
    if not moves or len(rest) != 1 or _continues(body) or not isinstance(rest[0], Assign):
        return step, body
    counter, touched = rest[0].target.sym, {s.target.sym for s in moves}
    for stmt, others in ((rest[0], touched), *((m, {counter}) for m in moves)):
        if any(isinstance(e, Place) and e.sym in others for e in ir.walk(stmt.value)):
            return step, body
    return rest, (*body, *moves)


def _init(ctx: Context, node: c_ast.For) -> Body:
    """Lower the init clause; what the header can't express is appended to `ctx.out`, before the loop."""
    with ctx.collecting() as init:
        later, ctx.later = ctx.later, ctx.later.after(node)  # declarations here are visible in all of it
        try:
            if node.init is not None:
                statements.statement(ctx, node.init)
            pointer_moves.moved_by_loop(ctx, node, out=0)
        except Rejected as rejected:
            ctx.note(rejected)
        ctx.later = later
    while init and isinstance(first := init[0], Declare) and first.sym in ctx.meant:
        ctx.out.append(init.pop(0))
    if _fits_header(init):
        return tuple(init)
    ctx.out.extend(init)
    return ()


def _fits_header(init: list[Stmt]) -> bool:
    declares = [s for s in init if isinstance(s, Declare)]
    if not declares:
        return all(isinstance(s, Assign | Evaluate) for s in init)
    first = declares[0].sym
    return len(declares) == len(init) and all(
        d.sym.type == first.type and isinstance(d.sym.type, ir.Scalar) and d.sym.const == first.const
        for d in declares
    )


def _for(ctx: Context, node: c_ast.For, init: Body, pragmas: tuple[str, ...]) -> list[Stmt]:
    span = ctx.unit.written.head(node)
    if (counted := _countdown(ctx, node, init, pragmas)) is not None:
        return [counted]
    cond: Expr | None = None
    test = _Condition([], _TRUE, [])
    if node.cond is not None:
        test = _noted_condition(ctx, node.cond, delay=True)
        cond = test.value
    step = _step(ctx, node)
    body = _body(ctx, node.stmt)
    before: list[Stmt] = []
    if not test.before and not test.after:
        every = {s.target.sym for s in step if isinstance(s, Assign)}
        step, body = _single_step(ctx, cond, step, body)
        gone = every - {s.target.sym for s in step if isinstance(s, Assign)}
        before = [s for s in init if isinstance(s, Declare) and s.sym in gone]
        init = tuple(s for s in init if s not in before)
    trailing: list[Stmt] = []
    if test.before or (test.after and statements.breaks(body)):
        if test.after and node.cond is not None:
            test = _noted_condition(ctx, node.cond, delay=False)
        body = (*test.before, _leave(test.value, span), *body)
        cond = None
    elif test.after:
        body = (*test.after, *body)
        own = {s.sym for s in init if isinstance(s, Declare)}
        trailing = [s for s in _again(test.after) if not (isinstance(s, Assign) and s.target.sym in own)]
    if all(isinstance(s, Assign | Evaluate) for s in step):
        return [*before, ir.For(init, cond, step, body, span, pragmas), *trailing]
    if not _continues(body):
        return [ir.For(init, cond, (), (*body, *step), span, pragmas), *trailing]
    guard: Body = () if cond is None else (_leave(cond, span),)
    flagged = _with_flag(ctx, step, (*guard, *body), span, pragmas)
    return [*init, *flagged, *trailing]


def _countdown(ctx: Context, node: c_ast.For, init: Body, pragmas: tuple[str, ...]) -> ir.For | None:
    """Lower `for (int i = n; i-- > 0;)` to `for (int i = n - 1; i >= 0; i -= 1)`, which can be reversed."""
    match node.cond:
        case c_ast.BinaryOp(
            op=">", left=c_ast.UnaryOp(op="p--", expr=c_ast.ID(name=name)), right=c_ast.Constant(value="0")
        ):
            pass
        case _:
            return None
    declare = init[0] if len(init) == 1 else None
    if not isinstance(declare, Declare) or declare.sym.name != name or node.next is not None:
        return None
    sym, start = declare.sym, declare.init
    if start is None or isinstance(start, ir.Initialiser) or sym.const:
        return None
    if sym.type not in (ir.INT, ir.LONG, ir.LLONG):
        return None
    assert isinstance(sym.type, ir.Scalar)
    counter = Place(sym, (), sym.type, span=ctx.span(node.cond.left.expr))
    none, one = Const(0, sym.type, spelling="0"), Const(1, sym.type, spelling="1")
    span = ctx.span(node.cond)
    return ir.For(
        (replace(declare, init=ir.Binary("-", start, one, sym.type, span=start.span, origin="lowering")),),
        ir.Binary(">=", counter, none, ir.BOOL, span=span, origin="lowering"),
        (Assign(counter, one, "-=", span=ctx.span(node.cond.left), spelling=f"--{sym.name}"),),
        _body(ctx, node.stmt),
        ctx.unit.written.head(node),
        pragmas,
    )


def _step(ctx: Context, node: c_ast.For) -> Body:
    with ctx.collecting() as step:
        if node.next is not None:
            try:
                statements.expression_statement(ctx, node.next)
            except Rejected as rejected:
                ctx.note(rejected)
    return tuple(step)
