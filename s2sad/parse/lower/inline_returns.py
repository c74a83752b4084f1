"""Lower the `return` statements of an inlined function.

    float3 f = …;                            float3 f = …;
    if (c)                                   if (c)
        return f;                  ->            result = f;
    while (go(f))                            else {
        if (g(f))                                bool returned = false;
            return f + h;                        while (go(f))
    return h;                                        if (g(f)) {
                                                         result = f + h;
                                                         returned = true;
                                                         break;
                                                     }
                                                 if (!returned)
                                                     result = h;
                                             }

A single `return` at the end is a value, and needs no variable.
"""

from __future__ import annotations

from collections.abc import Sequence

from pycparser import c_ast

from ... import ir
from ...diagnostics import Code
from ...ir import Assign, Const, Declare, Expr, If, Place, Stmt, Struct, Sym, Unary
from ..sema import constant_conditions, dispatch, evaluation
from ..sema.meanings import Access, Device, Leaving, Value
from ..sema.scope import Context
from . import accessor_methods, parameter_binding, statements
from .memory import pointer_forms, struct_values


def body(ctx: Context, device: Device, items: Sequence[c_ast.Node], begun: Sym | None) -> Value | Expr | None:
    """Lower the statements of a function's body, and return its value.

    `begun` is the caller's variable that the value initialises, if there is one. If the body builds
    the value in a local variable, `begun` replaces that variable: C++ elides that copy, too.
    """
    if begun is not None and begun.type != device.result:
        begun = None
    with ctx.scope():
        items = constant_conditions.taken(ctx, items)
        last = items[-1] if items else None
        if isinstance(last, c_ast.Return) and not any(map(_returns, items[:-1])):
            named = _declared(items, last.expr)
            with ctx.beginning(named, begun):
                statements.statements(ctx, items[:-1])
            return (
                None
                if last.expr is None or ctx.problems
                else _result(ctx, device, accessor_methods.opened(ctx, last))
            )
        if not any(map(_returns, items)):
            statements.statements(ctx, items)
            return None
        whole: Sym | None = None
        if device.result != ir.VOID:
            plain = device.name.rpartition("::")[2]
            plain = plain if plain.isidentifier() else "op"  # of `operator*`
            whole = begun or Sym(ctx.fresh(f"{plain}_result"), device.result)
            _declare(ctx, whole)
        _tail(ctx, items, device, whole)
        return None if whole is None else _read(ctx, device, whole)


def referred(ctx: Context, device: Device, items: Sequence[c_ast.Node], call: c_ast.Node) -> Place:
    """Lower a function that returns a reference at its end; return the lvalue that it refers to."""
    last = items[-1] if items else None
    if not isinstance(last, c_ast.Return) or last.expr is None or any(map(_returns, items[:-1])):
        what = f"the reference returned by `{device.name}` at one of several places"
        raise ctx.reject(Code.NOT_SUPPORTED, call, what=what, help="return the index")
    with ctx.scope():
        statements.statements(ctx, items[:-1])
        last = accessor_methods.opened(ctx, last)
        if not pointer_forms.is_place(ctx, last.expr):
            what = f"the reference returned by `{device.name}`"
            help = "return the index"
            if isinstance(last.expr, c_ast.ID):
                help = "make the call a separate statement, and use the object itself afterwards"
            raise ctx.reject(Code.NOT_SUPPORTED, call, what=what, help=help)
        with ctx.full(last.expr):
            return dispatch.place(ctx, last.expr)


def _declared(items: Sequence[c_ast.Node], value: c_ast.Node | None) -> c_ast.Decl | None:
    """Return the declaration of the variable that a function returns, if there is one."""
    if not isinstance(value, c_ast.ID):
        return None
    declared = (s for s in items if isinstance(s, c_ast.Decl) and s.name == value.name)
    return next(declared, None)


def _declare(ctx: Context, whole: Sym) -> None:
    if isinstance(whole.type, Struct):
        struct_values.declare(ctx, whole, None, None)
    else:
        ctx.out.append(Declare(whole))


def _read(ctx: Context, device: Device, whole: Sym) -> Value | Expr:
    assert device.inline is not None
    if isinstance(whole.type, Struct):
        return struct_values.loaded(ctx, device.inline, Access(whole, (), (), whole.type))
    return Place(whole, (), whole.type)


def _returns(node: c_ast.Node | None) -> bool:
    """Whether a statement contains a `return`."""
    if node is None:
        return False
    return isinstance(node, c_ast.Return) or any(_returns(child) for _, child in node.children())


def _result(ctx: Context, device: Device, node: c_ast.Return) -> Value | Expr:
    if isinstance(device.result, ir.Pointer):
        what = f"the pointer returned by `{device.name}`"
        raise ctx.reject(
            Code.NOT_SUPPORTED, node, what=what, help="return nothing, and use the object itself"
        )
    expr = node.expr
    if isinstance(device.result, Struct) and _changes(expr):
        with ctx.full(expr):
            same = parameter_binding.handed_back(ctx, expr)
        if same is not None:  # `return a += b;`: the object that the operator returns
            with ctx.full(expr):
                evaluation.discard(ctx, expr)
            expr = same
    with ctx.full(expr):
        if isinstance(device.result, Struct):
            return dispatch.initialised(ctx, expr, device.result)
        return evaluation.converted(ctx, expr, device.result)


def _changes(node: c_ast.Node | None) -> bool:
    return isinstance(node, c_ast.Assignment) and node.op != "="


def _tail(ctx: Context, items: Sequence[c_ast.Node], device: Device, whole: Sym | None) -> None:
    """Lower statements some of which return: what follows an `if` goes into the branches that don't."""
    for at, item in enumerate(items):
        if not _returns(item):
            statements.statements(ctx, [item])
            continue
        rest = items[at + 1 :]
        if isinstance(item, c_ast.Return | c_ast.If):
            item = accessor_methods.opened(ctx, item)
        match item:
            case c_ast.Return():
                _store(ctx, device, whole, item)
            case c_ast.Compound():
                with ctx.scope():
                    _tail(ctx, [*(item.block_items or []), *rest], device, whole)
            case c_ast.If() if (known := constant_conditions.decided(ctx, item.cond)) is not None:
                taken = item.iftrue if known else item.iffalse
                _tail(ctx, [*([] if taken is None else [taken]), *rest], device, whole)
            case c_ast.If():
                item = constant_conditions.undecided(ctx, item)
                with ctx.full(item.cond):
                    cond = evaluation.condition(ctx, item.cond)
                then = _branch(ctx, item.iftrue, rest, device, whole)
                other = _branch(ctx, item.iffalse, rest, device, whole)
                ctx.out.append(If(cond, then, other, span=ctx.unit.written.head(item)))
            case c_ast.For() | c_ast.While() | c_ast.DoWhile() | c_ast.Switch():
                _leave(ctx, item, rest, device, whole)
            case _:
                what = f"a return inside this statement in `{device.name}`, which takes or returns a struct"
                raise ctx.reject(Code.NOT_SUPPORTED, item, what=what, help="return after it")
        return


def _leave(
    ctx: Context, node: c_ast.Node, rest: Sequence[c_ast.Node], device: Device, whole: Sym | None
) -> None:
    """Lower a loop or a switch that a `return` may leave: what follows it runs if none did."""
    flag = Sym(ctx.fresh("returned"), ir.BOOL)
    returned = Place(flag, (), ir.BOOL)
    leaving = Leaving(returned, lambda found: _store(ctx, device, whole, found))
    outer, ctx.leaving = ctx.leaving, leaving
    with ctx.collecting() as out:
        statements.statements(ctx, [node])
    ctx.leaving = outer
    if not leaving.count:  # the returns are in discarded branches of `if constexpr`
        ctx.out.extend(out)
        _tail(ctx, rest, device, whole)
        return
    ctx.out += [Declare(flag, Const(False, ir.BOOL, spelling="false")), *out]
    with ctx.collecting() as behind:
        _tail(ctx, rest, device, whole)
    if behind:
        ctx.out.append(If(Unary("!", returned, ir.BOOL), tuple(behind)))


def _branch(
    ctx: Context, node: c_ast.Node | None, rest: Sequence[c_ast.Node], device: Device, whole: Sym | None
) -> tuple[Stmt, ...]:
    items = [] if node is None else (node.block_items or []) if isinstance(node, c_ast.Compound) else [node]
    with ctx.collecting() as out:
        if any(map(_ends, items)):
            with ctx.scope():
                _tail(ctx, items, device, whole)
        elif any(map(_returns, items)):
            with ctx.scope():
                _tail(ctx, [*items, *rest], device, whole)
        else:
            with ctx.scope():
                statements.statements(ctx, items)
            _tail(ctx, rest, device, whole)
    return tuple(out)


def _ends(node: c_ast.Node) -> bool:
    """Whether a statement returns on every path."""
    match node:
        case c_ast.Return():
            return True
        case c_ast.If(iftrue=then, iffalse=other):
            return other is not None and _ends(then) and _ends(other)
        case c_ast.Compound(block_items=items):
            return any(map(_ends, items or []))
        case _:
            return False


def _store(ctx: Context, device: Device, whole: Sym | None, node: c_ast.Return) -> None:
    if node.expr is None:
        return
    if whole is None:  # a void function may have `return f(x);`
        statements.expression_statement(ctx, node.expr)
        return
    span = ctx.span(node)
    result = _result(ctx, device, node)
    if isinstance(result, Value):
        struct_values.store(ctx, Access(whole, (), (), whole.type), result, span)
    else:
        ctx.out.append(Assign(Place(whole, (), whole.type), result, span=span))
