"""Where the strings of a Python script go: through names and calls, without running anything.

A name is one for the whole script, whichever scope or object it belongs to. So more is found than
there is, and a string that might be changed on its way counts as changed.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

_CHANGING = frozenset(
    {"format", "format_map", "replace", "translate", "substitute", "safe_substitute", "render", "split"}
    | {"rsplit", "splitlines", "partition", "rpartition", "removeprefix", "removesuffix", "expandtabs"}
    | {"upper", "lower", "title", "swapcase", "casefold", "sub", "subn"}
)
_KEEPING = frozenset(
    {"strip", "lstrip", "rstrip", "encode", "items", "values", "get", "copy", "dedent", "cleandoc", "str"}
)
_CHANGING_CALLS = frozenset({"Template", "sub", "subn", "from_string", "format", "replace"})
_LOOKING = frozenset({"print", "len", "hash", "isinstance", "repr", "type", "id"})
_PASSES = (ast.IfExp, ast.BoolOp, ast.Tuple, ast.List, ast.Set, ast.Dict, ast.Starred, ast.Lambda)
_NAMES = (ast.Name, ast.Attribute)


def name_of(node: ast.AST) -> str:
    """Return the last name of a variable, an attribute or a function, "" if it is something else."""
    if isinstance(node, ast.Name):
        return node.id
    return node.attr if isinstance(node, ast.Attribute) else ""


@dataclass
class Ends:
    """Where a value ends: calls that take it, texts that are put together with it, and what changes it."""

    calls: list[ast.Call] = field(default_factory=list)
    joined: list[ast.expr] = field(default_factory=list)
    changes: list[tuple[ast.expr | ast.stmt, str]] = field(default_factory=list)
    direct: bool = False  # whether a call takes it by itself


@dataclass(frozen=True)
class Flow:
    """The values of a script."""

    tree: ast.Module

    @cached_property
    def _above(self) -> dict[ast.AST, ast.AST]:
        return {child: node for node in ast.walk(self.tree) for child in ast.iter_child_nodes(node)}

    @cached_property
    def _uses(self) -> dict[str, list[ast.Name | ast.Attribute]]:
        found: dict[str, list[ast.Name | ast.Attribute]] = {}
        for node in ast.walk(self.tree):
            if isinstance(node, _NAMES) and isinstance(node.ctx, ast.Load):
                found.setdefault(name_of(node), []).append(node)
        return found

    @cached_property
    def _values(self) -> dict[str, list[ast.expr | None]]:
        """Return what is bound to each name; None where that isn't written as an expression."""
        found: dict[str, list[ast.expr | None]] = {}
        for node in ast.walk(self.tree):
            for name, value in _bound(node):
                found.setdefault(name, []).append(value)
            if isinstance(node, _NAMES) and isinstance(node.ctx, ast.Store) and not self._is_plain(node):
                found.setdefault(name_of(node), []).append(None)
        return found

    def _is_plain(self, node: ast.AST) -> bool:
        """Whether a name is the whole target of an assignment."""
        return isinstance(self._above[node], ast.Assign | ast.AnnAssign | ast.NamedExpr)

    def value(self, node: ast.expr) -> ast.expr | None:
        """Return the expression that a name of the script stands for everywhere; None if it has several."""
        if isinstance(node, ast.Attribute) and name_of(node.value) not in self._own:
            return None
        found = self._values.get(name_of(node), [])
        return found[0] if len(found) == 1 else None

    @cached_property
    def _own(self) -> frozenset[str]:
        """Return the names of objects whose attributes this script assigns."""
        classes = (node.name for node in ast.walk(self.tree) if isinstance(node, ast.ClassDef))
        return frozenset({"self", "cls", *classes})

    @cached_property
    def _functions(self) -> dict[str, ast.FunctionDef | ast.AsyncFunctionDef]:
        found = (n for n in ast.walk(self.tree) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef))
        return {node.name: node for node in found}

    def ends(self, start: ast.expr) -> Ends:
        """Follow a value through all names that it may have; of parts that are put together only this one."""
        found, names, waiting = Ends(), set[str](), list[ast.AST]([start])
        while waiting:
            for name in self._climbed(waiting.pop(), start, found):
                if name and name not in names:
                    names.add(name)
                    waiting += self._uses.get(name, [])
        for node in ast.walk(self.tree):
            if isinstance(node, ast.AugAssign) and name_of(node.target) in names:
                found.changes.append((node, "it is put together in several statements"))
        return found

    def _climbed(self, node: ast.AST, start: ast.expr, found: Ends) -> Iterator[str]:
        """Note what the expressions around a value do with it; yield the names that it gets."""
        above: ast.AST | None = node
        while above is not None:
            node, above = above, self._above[above]
            if self._is_together(node) and node is not start:
                assert isinstance(node, ast.expr)
                found.joined.append(node)
                return
            if isinstance(above, ast.stmt | ast.arguments | ast.comprehension | ast.NamedExpr):
                yield from self._assigned(above, found)
                if not isinstance(above, ast.NamedExpr):
                    return
            elif isinstance(above, ast.Call) and above.func is not node:
                yield from self._parameter(above, node)
                above = self._taken(above, found)
            else:
                above = self._around(above, node, start, found)

    def _is_together(self, node: ast.AST) -> bool:
        """Whether an expression gives all parts of a text that `load_inline` puts together."""
        above = self._above[node]
        match above:
            case ast.Call(func=function, args=[_, _, third, *_]) if third is node:
                given = name_of(function) == "load_inline"
            case ast.keyword(arg="cuda_sources"):
                given = True
            case _:
                given = False
        if not given:
            return False
        value = self.value(node) if isinstance(node, _NAMES) else node
        return isinstance(value, ast.List | ast.Tuple)

    def _around(self, above: ast.AST, node: ast.AST, start: ast.expr, found: Ends) -> ast.AST | None:
        """Return the expression around a value that still has it, None if there is none."""
        match above:
            case ast.BinOp(op=ast.Add()):
                whole = self._whole(above)
                if whole is start:
                    return whole
                found.joined.append(whole)
            case ast.BinOp():
                found.changes.append((above, "an operator changes it"))
            case ast.FormattedValue():
                string = self._above[above]
                assert isinstance(string, ast.expr)
                found.changes.append((string, "it is put into an f-string"))
            case ast.Attribute(attr=method):
                call = self._above[above]
                if method in _CHANGING:
                    found.changes.append((above, f"`.{method}` changes it"))
                elif method in _KEEPING and isinstance(call, ast.Call):
                    return call
            case ast.Call() | ast.keyword():
                return above
            case ast.Subscript(value=value, slice=ast.Slice()) if value is node:
                found.changes.append((above, "a slice of it is taken"))
            case ast.Subscript(value=value) if value is node:
                return above
            case _ if isinstance(above, _PASSES):
                return above
        return None

    def _taken(self, call: ast.Call, found: Ends) -> ast.AST | None:
        """Note a call that takes a value; return it if its result still has the value."""
        name = name_of(call.func)
        if name == "join":
            found.joined.append(call)
        elif name in _CHANGING_CALLS:
            found.changes.append((call, f"`{name}` changes it"))
        elif name in _KEEPING:
            return call
        elif name not in _LOOKING:
            found.direct = True
            found.calls.append(call)
        return None

    def _assigned(self, above: ast.AST, found: Ends) -> Iterator[str]:
        """Yield the names that a value gets by a statement."""
        match above:
            case ast.AugAssign():
                found.changes.append((above, "it is put together in several statements"))
            case ast.Assign(targets=targets):
                yield from (name_of(n) for each in targets for n in ast.walk(each) if isinstance(n, _NAMES))
            case ast.AnnAssign(target=target) | ast.NamedExpr(target=target):
                yield name_of(target)
            case ast.For(target=target) | ast.AsyncFor(target=target) | ast.comprehension(target=target):
                yield from (name_of(n) for n in ast.walk(target) if isinstance(n, _NAMES))
            case ast.arguments():
                yield from (a.arg for a in (*above.posonlyargs, *above.args, *above.kwonlyargs))
            case ast.Return():
                yield self._function_around(above)

    def _whole(self, node: ast.expr) -> ast.expr:
        while isinstance(above := self._above[node], ast.BinOp) and isinstance(above.op, ast.Add):
            node = above
        return node

    def _parameter(self, call: ast.Call, given: ast.AST) -> Iterator[str]:
        """Yield the names of a parameter to which a function of the script gets a value."""
        function = self._functions.get(name_of(call.func))
        if function is None:
            return
        if isinstance(given, ast.keyword) and given.arg:
            yield given.arg
            return
        parameters = [a.arg for a in (*function.args.posonlyargs, *function.args.args)]
        at = next((k for k, a in enumerate(call.args) if a is given), None)
        inside = isinstance(self._above[function], ast.ClassDef)
        yield from parameters if at is None else parameters[at + inside : at + inside + 1]
        if function.args.vararg:
            yield function.args.vararg.arg

    def _function_around(self, node: ast.AST) -> str:
        while node is not self.tree:
            node = self._above[node]
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                return node.name
        return ""

    def is_statement(self, node: ast.expr) -> bool:
        """Whether an expression is a statement, as a docstring is."""
        return isinstance(self._above[node], ast.Expr)


def _bound(node: ast.AST) -> Iterator[tuple[str, ast.expr | None]]:
    """Yield the names that a node binds, with their values where these are written."""
    match node:
        case ast.Assign():
            for target in node.targets:
                if isinstance(target, _NAMES):
                    yield name_of(target), node.value
        case ast.AnnAssign(target=target, value=value) | ast.NamedExpr(target=target, value=value):
            if value is not None:
                yield name_of(target), value
        case ast.arg(arg=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            yield name, None
        case ast.ClassDef(name=name) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            yield name, None
        case ast.ExceptHandler(name=str(name)):
            yield name, None
        case ast.alias(name=name, asname=other):
            yield other or name.partition(".")[0], None
