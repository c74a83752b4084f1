"""Bind a reference, or the object of a method, to an existing object or to a copy of a value.

    (l = m).push(x);                            l = m;
                                                l.push(x);
    (c ? l : m).push(x);            ->          if (c)
                                                    l.push(x);
                                                else
                                                    m.push(x);

C++17 [basic.lval] distinguishes lvalues, whose object a reference aliases, from values, which it
copies. A choice of two objects has no single lvalue. A reader may get a copy as long as neither
changes (`may_change`); anything else is refused.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable

from pycparser import c_ast

from .... import ir
from ....diagnostics import Code, Rejected
from ....ir import Expr, Place, Sym
from ...sema import dispatch, evaluation
from ...sema.scope import Context
from ...syntax import ast_utils
from ...syntax.lexer import Qualified

_STEPS = ("++", "--")


def is_lvalue(ctx: Context, node: c_ast.Node) -> bool:
    """Whether an expression names an object and isn't a mere value."""
    match node:
        case c_ast.ID() | c_ast.ArrayRef() | c_ast.Assignment():
            return True
        case c_ast.UnaryOp(op=op):
            return op == "*" or op in _STEPS
        case c_ast.StructRef(name=inner, type=how):
            return how == "->" or is_lvalue(ctx, inner)
        case c_ast.ExprList(exprs=parts):
            return is_lvalue(ctx, parts[-1])
        case c_ast.TernaryOp(iftrue=one, iffalse=two):
            both = is_lvalue(ctx, one) and is_lvalue(ctx, two)
            return both and dispatch.type_of(ctx, one) == dispatch.type_of(ctx, two)
        case c_ast.FuncCall(name=c_ast.ID(name=Qualified() as name)) if name in ("max", "min"):
            return True
        case c_ast.FuncCall():
            return dispatch.refers(ctx, node)
        case _:
            return False


def named(node: c_ast.Node) -> c_ast.Node:
    """Return the lvalue that an assignment, a step or a comma denotes after its side effects."""
    match node:
        case c_ast.Assignment(lvalue=inner) | c_ast.UnaryOp(op="++" | "--", expr=inner):
            return named(inner)
        case c_ast.ExprList(exprs=parts):
            return named(parts[-1])
        case _:
            return node


def settled(ctx: Context, node: c_ast.Node) -> c_ast.Node:
    """Return what an lvalue names; its side effects are appended to `ctx.out` first."""
    match node:
        case c_ast.ExprList(exprs=parts) if is_lvalue(ctx, node):
            for part in parts[:-1]:
                evaluation.discard(ctx, part)
            return settled(ctx, parts[-1])
        case c_ast.Assignment(lvalue=inner) | c_ast.UnaryOp(op="++" | "--", expr=inner):
            if inner in ctx.expression.survey:
                what = f"a reference to `{ctx.unit.written.text(node)}`"
                help = "make the assignment a separate statement"
                raise ctx.reject(Code.NOT_SUPPORTED, node, what=what, help=help)
            evaluation.discard(ctx, node)
            return named(inner)
        case _:
            return node


def is_choice(ctx: Context, node: c_ast.Node) -> bool:
    """Whether an expression is one of several objects; a copy may replace it as long as none changes."""
    match node:
        case c_ast.TernaryOp() | c_ast.FuncCall():
            return is_lvalue(ctx, node)
        case c_ast.StructRef(name=inner, type=".") | c_ast.ArrayRef(name=c_ast.StructRef() as inner):
            return is_choice(ctx, inner)
        case _:
            return False


def chosen(node: c_ast.Node) -> c_ast.TernaryOp | None:
    """Distribute an access over both sides of a choice: `(c ? l : m).v` as `c ? l.v : m.v`."""
    match node:
        case c_ast.TernaryOp():
            return node
        case c_ast.StructRef(name=inner, type=".") | c_ast.ArrayRef(name=c_ast.StructRef() as inner):
            choice = chosen(inner)
            if choice is None:
                return None
            sides = []
            for side in (choice.iftrue, choice.iffalse):
                part = copy.copy(node)
                part.name = side
                sides.append(part)
            return c_ast.TernaryOp(choice.cond, *sides, node.coord)
        case _:
            return None


def may_change(exprs: Iterable[Expr], changed: Iterable[Sym], *, writes: bool) -> bool:
    """Whether a value reads a variable in `changed`; with `writes`, any element may change too."""
    changed = frozenset(changed)
    places = (part for expr in exprs for part in ir.walk(expr) if isinstance(part, Place))
    return any((at.sym.within or at.sym) in changed or bool(at.index and writes) for at in places)


def changes_later(ctx: Context, node: c_ast.Node) -> bool:
    """Whether the statements after this one may change what an expression reads, under whatever name."""
    names = ctx.touched(node).reads | ctx.touched(node).writes
    return any(ctx.touched(stmt).writes & names or names & set(_pointed_to(stmt)) for stmt in ctx.later)


def _pointed_to(node: c_ast.Node) -> Iterable[str]:
    """Yield the variables that a statement takes the address of, or makes non-const references to."""
    for part in ast_utils.walk(node):
        match part:
            case c_ast.UnaryOp(op="&", expr=inner):
                yield from ast_utils.names(inner)
            case c_ast.Decl(type=c_ast.PtrDecl(type=target), init=inner) if inner is not None:
                if "const" not in (getattr(target, "quals", None) or ()):
                    yield from ast_utils.names(inner)


def refused(ctx: Context, node: c_ast.Node, *, name: str = "") -> Rejected:
    """Return the refusal of a reference to one of two objects that change while it is in use."""
    what = "a reference to one of two variables, which change while it is in use"
    if name:
        what = f"`{name}`, a reference to one of two variables that change while it is in use"
    return ctx.reject(Code.NOT_SUPPORTED, node, what=what, help="select the value by an `if`")
