"""Inline functions that return the address of an element or null: the test, and the element.

    __device__ float *at(float *a, int i, int n) { return i < n ? &a[i] : nullptr; }

    float *p;
    if (i > 0 && (p = at(a, i + 1, n)))   is for lowering   if (i > 0 && i + 1 < n) {
        s += *p;                                                float *p = &a[i + 1];
                                                                s += *p;
                                                            }

A pointer that may be null is kept only where it was tested: one that is assigned in conditions, and
is used only in their branches, is declared in each of those branches. Nothing may happen between
the test and the branch, so the function's expressions appear in both places. Any other pointer
stays as it is, and is refused in lowering.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pycparser import c_ast

from ..syntax import ast_utils
from ..syntax.ast_utils import is_null, walk
from ..syntax.translation_unit import Syntax
from . import side_effects

_DEPTH = 8  # how deeply nested calls are analysed
_FUNCTIONS = frozenset({"min", "max", "abs", "__ldg"})


@dataclass(frozen=True)
class _Finder:
    """A function of the form `return cond ? place : nullptr;`."""

    function: c_ast.FuncDef
    cond: Any
    place: Any
    params: tuple[c_ast.Decl, ...]


class _Stuck(Exception):
    """Raised where the pointer is used in an unsupported way; nothing is changed then."""


def settle(syntax: Syntax) -> Syntax:
    """Inline calls of such functions, and drop the functions that are no longer called."""
    named = Counter(f.decl.name for f in map(_function, syntax.functions))
    own = {f.decl.name: f for f in syntax.functions if isinstance(f, c_ast.FuncDef)}
    own = {name: f for name, f in own.items() if named[name] == 1}
    several = frozenset(named.keys() - own.keys())
    found = {name: finder for name, f in own.items() if (finder := _finder(f)) is not None}
    if not found:
        return syntax
    for node in (syntax.template or syntax.kernel, *syntax.functions):
        if _function(node).body is not None:
            taken = frozenset(p.name for p in getattr(node, "params", ()))
            _Settling(syntax, own, several, found, _function(node), taken).pointers()
    every = [*map(_function, (syntax.kernel, *syntax.functions)), *syntax.types, *syntax.classes]
    used = {n.name for node in every for n in walk(node) if isinstance(n, c_ast.ID)}
    gone = found.keys() - used
    return replace(syntax, functions=tuple(f for f in syntax.functions if _function(f).decl.name not in gone))


def _function(node: Any) -> Any:
    return getattr(node, "function", node)


def _finder(function: c_ast.FuncDef) -> _Finder | None:
    result = function.decl.type.type
    if not isinstance(result, c_ast.PtrDecl) or "&" in (result.quals or []):
        return None
    match function.body.block_items if isinstance(function.body, c_ast.Compound) else None:
        case [c_ast.Return(expr=c_ast.TernaryOp(cond=cond, iftrue=place, iffalse=none))]:
            pass
        case [c_ast.If(cond=cond, iftrue=first, iffalse=None), c_ast.Return(expr=none)]:
            place = _returned(first)
        case _:
            return None
    if place is not None and is_null(place) and not is_null(none):
        cond, place, none = c_ast.UnaryOp("!", cond, cond.coord), none, place
    if place is None or is_null(place) or not is_null(none):
        return None
    args = function.decl.type.args
    params = tuple(args.params) if args is not None else ()
    if not all(isinstance(p, c_ast.Decl) and p.name and _plain(p.type) for p in params):
        return None
    return _Finder(function, cond, place, params)


def _returned(node: Any) -> Any:
    match node:
        case c_ast.Return(expr=expr) | c_ast.Compound(block_items=[c_ast.Return(expr=expr)]):
            return expr
        case _:
            return None


def _plain(type: Any) -> bool:
    """Whether a type is a number or a pointer to numbers, passed by value."""
    if isinstance(type, c_ast.PtrDecl):
        return "&" not in (type.quals or []) and isinstance(type.type, c_ast.TypeDecl)
    return isinstance(type, c_ast.TypeDecl)


@dataclass
class _Settling:
    """Rewrites the pointers of one function."""

    syntax: Syntax
    own: Mapping[str, c_ast.FuncDef]
    several: frozenset[str]  # names of functions that are templates, or overloaded
    found: Mapping[str, _Finder]
    function: c_ast.FuncDef
    taken: frozenset[str]  # the parameters of its template

    def pointers(self) -> None:
        while self.one():
            pass

    def one(self) -> bool:
        """Rewrite one pointer; return whether there was one."""
        for block in [n for n in walk(self.function.body) if isinstance(n, c_ast.Compound)]:
            for decl in [d for d in block.block_items or [] if isinstance(d, c_ast.Decl)]:
                if isinstance(decl.type, c_ast.PtrDecl) and _plain(decl.type) and not decl.storage:
                    try:
                        block.block_items = self.settled(block.block_items, decl)
                    except _Stuck:
                        continue
                    return True
        return False

    def settled(self, items: Sequence[Any], decl: c_ast.Decl) -> list[Any]:
        """Return the statements of the block that declares the pointer, without the declaration."""
        rest = items[next(k for k, item in enumerate(items) if item is decl) + 1 :]
        if decl.init is not None and not is_null(decl.init):
            name = c_ast.ID(decl.name, decl.coord)
            rest = [self.like(c_ast.Assignment("=", name, decl.init, decl.coord), decl), *rest]
            if not _is_gift(rest[0], self.found):
                raise _Stuck
        if not any(_gives(n, decl.name, self.found) for item in rest for n in walk(item)):
            raise _Stuck
        before = [item for item in items if all(item is not each for each in (decl, *rest))]
        return [*before, *(self.statement(item, decl) for item in self.joined(rest, decl.name))]

    def joined(self, items: Sequence[Any], name: str) -> list[Any]:
        """Merge `p = at(a, i, n); if (p) …` into `if ((p = at(a, i, n))) …`."""
        made: list[Any] = []
        for item in items:
            test = _terms(item.cond)[0] if type(item) is c_ast.If else None
            if test is not None and made and _gives(made[-1], name, self.found) and _is_test(test, name):
                item = self.rebuilt(item, cond=self.replaced(item.cond, test, made.pop()))
            made.append(item)
        return made

    def statement(self, node: Any, decl: c_ast.Decl) -> Any:
        """Return a statement without the assignments to the pointer."""
        if not _mentions(node, decl.name):
            return node
        match node:
            case c_ast.If():
                return self.branch(node, decl)
            case c_ast.Compound():
                inner = node.block_items or []
                first = next(i for i in inner if _mentions(i, decl.name))
                if isinstance(first, c_ast.Decl) and first.name == decl.name:
                    return node  # another pointer of that name
                return self.rebuilt(
                    node, block_items=[self.statement(i, decl) for i in self.joined(inner, decl.name)]
                )
            case c_ast.For() if not any(_mentions(n, decl.name) for n in (node.init, node.cond, node.next)):
                return self.rebuilt(node, stmt=self.statement(node.stmt, decl))
            case c_ast.While() | c_ast.DoWhile() if not _mentions(node.cond, decl.name):
                return self.rebuilt(node, stmt=self.statement(node.stmt, decl))
            case _:  # a declaration of that name, too
                raise _Stuck

    def branch(self, node: c_ast.If, decl: c_ast.Decl) -> c_ast.If:
        """Rewrite `if (… && (p = at(a, i, n)) && …) { … }`."""
        terms = _terms(node.cond)
        at = [k for k, term in enumerate(terms) if _gives(term, decl.name, self.found)]
        iffalse = None if node.iffalse is None else self.statement(node.iffalse, decl)
        if not at:  # the condition doesn't assign it, but the branches may
            if _mentions(node.cond, decl.name):
                raise _Stuck
            return self.rebuilt(node, iftrue=self.statement(node.iftrue, decl), iffalse=iffalse)
        if len(at) != 1 or type(node) is not c_ast.If:
            raise _Stuck
        others = [term for k, term in enumerate(terms) if k != at[0]]
        if any(_mentions(term, decl.name) for term in others) or any(
            isinstance(n, c_ast.Assignment | c_ast.Decl)
            and getattr(getattr(n, "lvalue", n), "name", None) == decl.name
            for n in walk(node.iftrue)
        ):
            raise _Stuck
        call = terms[at[0]].rvalue
        if not _same(decl.type, self.found[call.name.name].function.decl.type.type):
            raise _Stuck
        cond, place = self.said(call)
        later = terms[at[0] + 1 :]
        if not all(self.quiet(self.said(t.rvalue)[0] if _is_gift(t, self.found) else t) for t in later):
            raise _Stuck
        new = self.replaced(node.cond, terms[at[0]], cond)
        made = copy.copy(decl)
        made.init, made.type = place, copy.copy(decl.type)
        self.syntax.stands_for(made, terms[at[0]])
        inner = node.iftrue
        items = list(inner.block_items or []) if isinstance(inner, c_ast.Compound) else [inner]
        block = c_ast.Compound([made, *items], node.coord)
        self.syntax.stands_for(block, inner)
        return self.rebuilt(node, cond=new, iftrue=block, iffalse=iffalse)

    def said(self, call: c_ast.FuncCall) -> tuple[Any, Any]:
        """Return a function's condition and its element, with the call's arguments substituted."""
        finder = self.found[call.name.name]
        args = list(call.args.exprs) if call.args is not None else []
        if len(args) != len(finder.params) or not all(map(self.quiet, [*args, finder.cond, finder.place])):
            raise _Stuck
        own = {param.name for param in finder.params}
        free = (ast_utils.names(finder.cond) | ast_utils.names(finder.place)) - own
        if free & (self.taken | {d.name for d in self.declarations()}):
            raise _Stuck  # another variable of that name
        given = {p.name: self.given(p, arg) for p, arg in zip(finder.params, args, strict=True)}
        parts = tuple(self.put(part, given) for part in (finder.cond, finder.place))
        for part in parts:
            self.syntax.stands_for(part, call)
        return parts[0], parts[1]

    def declarations(self) -> list[c_ast.Decl]:
        every = [*walk(self.function.decl.type.args), *walk(self.function.body)]
        return [n for n in every if isinstance(n, c_ast.Decl)]

    def declared(self, name: str) -> Any:
        """Return the type of a variable, if exactly one has that name."""
        found = [d.type for d in self.declarations() if d.name == name]
        return found[0] if len(found) == 1 else None

    def given(self, param: c_ast.Decl, arg: Any) -> Any:
        """Convert an argument to the parameter's type."""
        if isinstance(param.type, c_ast.PtrDecl):
            to = self.declared(arg.name) if isinstance(arg, c_ast.ID) else None
            if not isinstance(to, c_ast.PtrDecl | c_ast.ArrayDecl) or not _same(to, param.type):
                raise _Stuck
            return arg
        words = _words(param.type)
        if words is None:
            raise _Stuck
        if self.words(arg) == words:
            return arg
        type = c_ast.Typename(
            None, [], None, c_ast.TypeDecl(None, [], None, param.type.type, arg.coord), arg.coord
        )
        cast = c_ast.Cast(type, arg, arg.coord)
        self.syntax.stands_for(cast, arg)
        return cast

    def words(self, node: Any) -> list[str] | None:
        """Return the words of an expression's type, if they are obvious: mostly `int`."""
        match node:
            case c_ast.Constant(type="int"):
                return ["int"] if node.value.isdigit() else None
            case c_ast.BinaryOp(op="+" | "-" | "*", left=left, right=right):
                return ["int"] if self.words(left) == self.words(right) == ["int"] else None
            case c_ast.ID(name=name):
                return _words(self.declared(name))
            case _:
                return None

    def put(self, node: Any, given: Mapping[str, Any]) -> Any:
        """Copy an expression of a function, with arguments for its parameters."""
        if isinstance(node, c_ast.ID) and node.name in given:
            return given[node.name]
        return self.mapped(node, lambda part: self.put(part, given))

    def replaced(self, node: Any, old: Any, new: Any) -> Any:
        if node is old:
            return new
        return self.mapped(node, lambda part: self.replaced(part, old, new))

    def mapped(self, node: Any, change: Callable[[Any], Any]) -> Any:
        made = copy.copy(node)
        for slot in node.__slots__:
            if slot == "field" and isinstance(node, c_ast.StructRef):
                continue
            inner = getattr(node, slot, None)
            if isinstance(inner, list):
                setattr(made, slot, [change(p) if isinstance(p, c_ast.Node) else p for p in inner])
            elif isinstance(inner, c_ast.Node):
                setattr(made, slot, change(inner))
        self.syntax.stands_for(made, node)
        return made

    def like(self, made: Any, node: Any) -> Any:
        self.syntax.stands_for(made, node)
        return made

    def rebuilt(self, node: Any, **parts: Any) -> Any:
        made = copy.copy(node)
        for slot, part in parts.items():
            setattr(made, slot, part)
        self.syntax.stands_for(made, node)
        return made

    def quiet(self, node: Any, depth: int = 0) -> bool:
        """Whether evaluating an expression changes nothing, however often it is done."""
        if side_effects.survey(node) is not side_effects.PURE:
            return False
        return all(self.harmless(n, depth) for n in walk(node) if isinstance(n, c_ast.FuncCall))

    def harmless(self, call: c_ast.FuncCall, depth: int) -> bool:
        if not isinstance(call.name, c_ast.ID) or depth == _DEPTH:
            return False
        name = call.name.name
        if name not in self.own:  # a built-in
            return name in _FUNCTIONS and name not in self.several
        function = self.own[name]
        params = function.decl.type.args
        own = {n.name for n in [*walk(function.body), *walk(params)] if isinstance(n, c_ast.Decl)}
        for node in walk(function.body):
            match node:
                case (
                    c_ast.Assignment(lvalue=place) | c_ast.UnaryOp(op="++" | "--" | "p++" | "p--", expr=place)
                ):
                    if not (isinstance(place, c_ast.ID) and place.name in own):
                        return False
                case c_ast.UnaryOp(op="&") | c_ast.PtrDecl():
                    return False  # what it points to may be written
                case c_ast.FuncCall() if not self.harmless(node, depth + 1):
                    return False
        return not any(isinstance(n, c_ast.PtrDecl) and "&" in (n.quals or []) for n in walk(params))


def _words(type: Any) -> list[str] | None:
    """Return the words of a type that is no pointer."""
    return getattr(type.type, "names", None) if isinstance(type, c_ast.TypeDecl) else None


def _same(one: Any, other: Any) -> bool:
    """Whether two pointers or arrays have the same element type, as written."""
    return _words(one.type) is not None and _words(one.type) == _words(other.type)


def _mentions(node: Any, name: str) -> bool:
    return any(isinstance(n, c_ast.ID | c_ast.Decl) and n.name == name for n in walk(node))


def _terms(cond: Any) -> list[Any]:
    """Return the operands of `a && b && c`, in order."""
    if isinstance(cond, c_ast.BinaryOp) and cond.op == "&&":
        return [*_terms(cond.left), *_terms(cond.right)]
    return [cond]


def _is_gift(node: Any, found: Mapping[str, _Finder]) -> bool:
    match node:
        case c_ast.Assignment(op="=", lvalue=c_ast.ID(), rvalue=c_ast.FuncCall(name=c_ast.ID(name=name))):
            return name in found
        case _:
            return False


def _is_test(node: Any, name: str) -> bool:
    """Whether an expression tests the pointer: `p`, `p != nullptr`."""
    match node:
        case c_ast.ID():
            return bool(node.name == name)
        case c_ast.BinaryOp(op="!=", left=c_ast.ID(name=one), right=none):
            return bool(one == name) and is_null(none)
        case _:
            return False


def _gives(node: Any, name: str, found: Mapping[str, _Finder]) -> bool:
    """Whether a node is `name = at(a, i, n)`."""
    return _is_gift(node, found) and node.lvalue.name == name
