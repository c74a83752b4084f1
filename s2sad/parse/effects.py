"""Which parts of a written expression have effects, and on what.

Most full expressions have one effect at most, at the top. Where effects stand
deeper, lowering has to know three things before it starts: which nodes have
effects, what they write and what their neighbours read (to keep the order of
C++17, or to find that there is none), and how often each variable is mentioned
(a variable mentioned once may be changed after the statement, which reads best).

Names stand for variables here: an expression declares nothing, so within one a
name means one thing.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from pycparser import c_ast

_STEPS = frozenset({"++", "--", "p++", "p--"})


@dataclass(frozen=True)
class Survey:
    """Facts about one full expression.

    `effectful` holds the ids of nodes with an effect in them, `mentions` counts
    the uses of each name. Both are empty for a pure expression.
    """

    effectful: frozenset[int] = frozenset()
    mentions: Counter[str] = field(default_factory=Counter)

    def __contains__(self, node: c_ast.Node) -> bool:
        return id(node) in self.effectful


PURE = Survey()


def survey(root: c_ast.Node) -> Survey:
    """Where effects are in the expression."""
    effectful: set[int] = set()
    mentions: Counter[str] = Counter()

    def visit(node: c_ast.Node) -> bool:
        found = _acts(node)
        if isinstance(node, c_ast.ID):
            mentions[node.name] += 1
        for _, child in node.children():
            found = visit(child) or found
        if found:
            effectful.add(id(node))
        return found

    return Survey(frozenset(effectful), mentions) if visit(root) else PURE


def _acts(node: c_ast.Node) -> bool:
    match node:
        case c_ast.Assignment():
            return True
        case c_ast.UnaryOp():
            return node.op in _STEPS
        case c_ast.FuncCall():
            return any(outputs(node))
        case _:
            return False


def outputs(call: c_ast.FuncCall) -> list[c_ast.Node]:
    """The operands of `&` among a call's arguments: what it may write."""
    if isinstance(call.name, c_ast.ID) and call.name.name.startswith("__ld"):
        return []  # __ldg(&x[i]) reads
    args = call.args.exprs if call.args is not None else []
    return [a.expr for a in args if isinstance(a, c_ast.UnaryOp) and a.op == "&"]


@dataclass(frozen=True)
class Touched:
    """The names of the variables and arrays that an expression reads and writes."""

    reads: frozenset[str]
    writes: frozenset[str]

    def clashes(self, other: Touched) -> frozenset[str]:
        """Names whose value depends on which of the two expressions runs first."""
        return (self.writes & (other.reads | other.writes)) | (other.writes & self.reads)


def touched(root: c_ast.Node | None) -> Touched:
    """What the expression reads and writes; an array counts as a whole."""
    reads: set[str] = set()
    writes: set[str] = set()

    def target(node: c_ast.Node) -> None:
        match node:
            case c_ast.ID():
                writes.add(node.name)
            case c_ast.ArrayRef():
                target(node.name)
                visit(node.subscript)
            case c_ast.UnaryOp(op="*" | "++" | "--"):
                target(node.expr)
                visit(node.expr)
            case c_ast.Assignment():
                visit(node)
                target(node.lvalue)
            case c_ast.StructRef():
                target(node.name)
            case c_ast.ExprList():
                for part in node.exprs[:-1]:
                    visit(part)
                target(node.exprs[-1])
            case _:
                visit(node)

    def visit(node: c_ast.Node) -> None:
        match node:
            case c_ast.ID():
                reads.add(node.name)
            case c_ast.Assignment():
                target(node.lvalue)
                if node.op != "=":
                    visit(node.lvalue)
                visit(node.rvalue)
            case c_ast.UnaryOp() if node.op in _STEPS:
                target(node.expr)
                visit(node.expr)
            case c_ast.FuncCall():
                addressed = outputs(node)
                for out in addressed:
                    target(out)
                if node.args is not None:
                    for arg in node.args.exprs:
                        if not (isinstance(arg, c_ast.UnaryOp) and arg.op == "&" and addressed):
                            visit(arg)
            case _:
                for _, child in node.children():
                    visit(child)

    if root is not None:
        visit(root)
    return Touched(frozenset(reads), frozenset(writes))
