"""Find which parts of an expression have side effects, and what these write.

Most full expressions have at most one side effect, at the top. If there are nested ones,
lowering must know three things in advance: which nodes have side effects, what they write
and what their neighbours read (to keep C++17's evaluation order, or to find that there is
none), and how often each variable is mentioned (a variable mentioned once may be changed
after the statement, which reads best).

Names identify variables here: an expression declares nothing, so a name has one meaning
within it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache

from pycparser import c_ast

from ...ir import COLLECTIVE, Pointer
from ..source.reduction_operators import REDUCTION
from ..syntax import ast_utils
from ..syntax.lexer import Qualified
from ..syntax.qualified_types import Member
from ..syntax.templates import TemplateId
from ..types.builtins import BUILTINS

_STEPS = frozenset({"++", "--", "p++", "p--"})


@dataclass(frozen=True)
class Survey:
    """Facts about one full expression.

    `effectful` holds the ids of nodes that contain a side effect, `mentions` counts
    the uses of each name. Both are empty for a pure expression.
    """

    effectful: frozenset[int] = frozenset()
    mentions: Counter[str] = field(default_factory=Counter)

    def __contains__(self, node: c_ast.Node) -> bool:
        return id(node) in self.effectful


PURE = Survey()

Through = Mapping[str, frozenset[int]]
"""The functions that take lvalues, and the arguments through which they write."""


def survey(root: c_ast.Node, emitted: bool = False, through: Through | None = None) -> Survey:
    """Survey the side effects of an expression; in emitted code, collectives don't count as side effects."""
    effectful: set[int] = set()
    mentions: Counter[str] = Counter()

    def visit(node: c_ast.Node) -> bool:
        found = _acts(node, through or {}) or (not emitted and together(node))
        if isinstance(node, c_ast.ID):
            mentions[node.name] += 1
        for child in ast_utils.parts(node):
            found = visit(child) or found
        if found:
            effectful.add(id(node))
        return found

    return Survey(frozenset(effectful), mentions) if visit(root) else PURE


def inside(place: c_ast.Node) -> Touched:
    """Return what naming an lvalue reads and writes, without the lvalue itself."""
    match place:
        case c_ast.ArrayRef():
            outer, index = inside(place.name), touched(place.subscript)
            return Touched(outer.reads | index.reads, outer.writes | index.writes)
        case c_ast.StructRef(type="."):
            return inside(place.name)
        case c_ast.ID():
            return Touched(frozenset(), frozenset())
        case _:
            return touched(place)


def _acts(node: c_ast.Node, through: Through) -> bool:
    match node:
        case c_ast.Assignment():
            return True
        case c_ast.UnaryOp():
            return node.op in _STEPS
        case c_ast.FuncCall(name=c_ast.ID(name=name) | TemplateId(name=name)) if name in through:
            return True
        case c_ast.FuncCall():
            return any(outputs(node)) or bool({OBJECT, HELD} & {*through.get(_method(node.name), ())})
        case _:
            return False


def together(call: c_ast.Node) -> bool:
    """Whether a call is collective or reads a clock: it must stay in place, as if it wrote something."""
    return (
        isinstance(call, c_ast.FuncCall)
        and isinstance(call.name, c_ast.ID)
        and (
            call.name.name.startswith(REDUCTION)
            or (call.name.name in BUILTINS and BUILTINS[call.name.name][0].rule in (*COLLECTIVE, "clock"))
        )
    )


def outputs(call: c_ast.FuncCall, through: Through | None = None) -> list[c_ast.Node]:
    """Return the arguments through which a call may write."""
    args = list(call.args.exprs) if call.args is not None else []
    if isinstance(call.name, c_ast.ID | TemplateId) and through and call.name.name in through:
        return [args[k] for k in sorted(through[call.name.name]) if k < len(args)]
    if through and (method := _method(call.name)) in through:
        places = [args[k] for k in sorted(through[method]) if 0 <= k < len(args)]
        free = isinstance(call.name, Member) or not {OBJECT, HELD} & through[method]
        own = [] if free else [call.name]
        addresses = [arg for arg in args if isinstance(arg, c_ast.UnaryOp) and arg.op == "&"]
        return [*own, *places, *(arg for arg in addresses if arg not in places)]
    if isinstance(call.name, c_ast.ID) and call.name.name == "swap":
        return args
    if isinstance(call.name, c_ast.ID) and call.name.name in ("memcpy", "memset"):
        return args[:1]
    if isinstance(call.name, c_ast.ID) and call.name.name in BUILTINS:
        return [args[k] for k in _written(call.name.name) if k < len(args)]
    return [arg for arg in args if isinstance(arg, c_ast.UnaryOp) and arg.op == "&"]


OBJECT, HELD = -1, -2
"""Positions of what a method may write besides arguments: its object, and what the object points to."""


def _method(callee: c_ast.Node) -> str:
    """Return the name under which `through` lists a called method; its class isn't known here."""
    match callee:
        case c_ast.StructRef(field=c_ast.ID(name=name)):
            return f".{name}"
        case Member(of=of):
            return f".{of.member}"
        case c_ast.ID(name=name) if name in BUILTINS:
            return ""
        case _:
            return ".operator()"


@cache
def _written(name: str) -> tuple[int, ...]:
    """Return the positions of a built-in's output arguments."""
    return tuple(
        sorted(
            {
                k
                for builtin in BUILTINS[name]
                for k, param in enumerate(builtin.params)
                if isinstance(param, Pointer) and not param.const
            }
        )
    )


@dataclass(frozen=True)
class Touched:
    """The names of the variables and arrays that an expression reads and writes.

    A write `within` a name is to an element, or to what a pointer points to.
    """

    reads: frozenset[str]
    writes: frozenset[str]
    within: frozenset[str] = frozenset()

    def clashes(self, other: Touched) -> frozenset[str]:
        """Return names whose value depends on which of the two expressions is evaluated first."""
        return (self.writes & (other.reads | other.writes)) | (other.writes & self.reads)


def _object(call: c_ast.FuncCall, through: Through | None) -> list[c_ast.Node]:
    """Return the object of `v.at(i)` or `v(i)`; a name that isn't known to be a function's may be one."""
    match call.name:
        case c_ast.StructRef(name=inner):
            return [inner]
        case c_ast.ID(name=name) if (
            isinstance(name, Qualified) or name in BUILTINS or name in (through or {})
        ):
            return []
        case TemplateId() | Member():
            return []
        case callee:
            return [callee]


def _referable(call: c_ast.FuncCall, through: Through | None) -> list[c_ast.Node]:
    """Return what a call may return a reference to: its object, and its arguments."""
    return [*_object(call, through), *(call.args.exprs if call.args is not None else ())]


def touched(
    root: c_ast.Node | None,
    through: Through | None = None,
    number: Callable[[str], bool] = lambda name: False,
) -> Touched:
    """Return what an expression reads and writes; an array counts as a whole.

    `number` tells which names can't be pointers.
    """
    reads: set[str] = set()
    writes: set[str] = set()
    within: set[str] = set()

    def target(node: c_ast.Node, whole: bool = False) -> None:
        match node:
            case c_ast.ID():
                writes.add(node.name)
                if not whole:
                    within.add(node.name)
            case c_ast.ArrayRef():
                target(node.name)
                visit(node.subscript)
            case c_ast.UnaryOp(op="&") | c_ast.Cast():
                target(node.expr)
            case c_ast.UnaryOp(op="++" | "--"):
                target(node.expr, whole=True)
                visit(node.expr)
            case c_ast.UnaryOp(op="*") | c_ast.BinaryOp(op="+" | "-"):  # any name in it may be the pointer
                every = ast_utils.names(node)
                every = {name for name in every if not number(name)} or every
                writes.update(every)
                within.update(every)
                visit(node)
            case c_ast.Assignment():
                visit(node)
                target(node.lvalue, whole=True)
            case c_ast.StructRef():
                target(node.name)
            case c_ast.ExprList():
                for part in node.exprs[:-1]:
                    visit(part)
                target(node.exprs[-1])
            case c_ast.TernaryOp():
                visit(node.cond)
                target(node.iftrue, whole)
                target(node.iffalse, whole)
            case c_ast.FuncCall():
                visit(node)
                for place in _referable(node, through):
                    target(place)
            case _:
                visit(node)

    def visit(node: c_ast.Node) -> None:
        match node:
            case c_ast.ID():
                reads.add(node.name)
            case c_ast.Assignment():
                target(node.lvalue, whole=True)
                if node.op != "=":
                    visit(node.lvalue)
                visit(node.rvalue)
            case c_ast.UnaryOp() if node.op in _STEPS:
                target(node.expr, whole=True)
                visit(node.expr)
            case c_ast.FuncCall():
                written = outputs(node, through)
                both = isinstance(node.name, c_ast.ID | TemplateId) and node.name.name in (through or {})
                both = both or _method(node.name) in (through or {})
                for of in _object(node, through):
                    visit(of)
                for out in written:
                    target(out)
                if node.args is not None:
                    for arg in node.args.exprs:
                        if both or not any(arg is out for out in written):
                            visit(arg)
            case c_ast.BinaryOp() if _is_arithmetic(node, number):  # no overloaded operator
                for child in ast_utils.parts(node):
                    visit(child)
            case c_ast.BinaryOp(op=op) if changed := (through or {}).get(f"operator{op}"):
                for k, operand in enumerate((node.left, node.right)):
                    visit(operand)
                    if k in changed:
                        target(operand)
            case _:
                for child in ast_utils.parts(node):
                    visit(child)

    if root is not None:
        visit(root)
    return Touched(frozenset(reads), frozenset(writes), frozenset(within))


def _is_arithmetic(node: c_ast.Node, number: Callable[[str], bool]) -> bool:
    """Whether an expression consists of numbers only."""
    match node:
        case c_ast.ID(name=name):
            return number(name)
        case c_ast.Constant():
            return True
        case c_ast.BinaryOp() | c_ast.UnaryOp():
            return all(_is_arithmetic(part, number) for part in ast_utils.parts(node))
        case _:
            return False
