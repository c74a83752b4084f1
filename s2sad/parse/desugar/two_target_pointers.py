"""Split pointers into one of two arrays: two pointers, and a flag that says which one is meant.

    const float *p = c ? a : b;        const bool p_in_a = c;
    s += p[i];                  ->     s += p_in_a ? a[i] : b[i];
    p[i] = s;                          if (p_in_a) a[i] = s; else b[i] = s;

Every use of such a pointer is moved into the branch of its array, so nothing is read or written
that the author's code doesn't. A pointer may get its array in both branches of an `if`, or in one
if it had another one before; a pointer derived from it, as in `row = p + i * n`, is split too.
Anything else stays as it is, and is refused in lowering.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pycparser import c_ast

from ...fixpoint import rounds
from ..syntax import ast_utils
from ..syntax.ast_utils import walk
from . import side_effects

StandsFor = Callable[[Any, Any], None]

_STEPS = frozenset({"++", "--", "p++", "p--"})
_STATEMENTS = (
    c_ast.Compound,
    c_ast.If,
    c_ast.For,
    c_ast.While,
    c_ast.DoWhile,
    c_ast.DeclList,
    c_ast.Break,
    c_ast.Continue,
    c_ast.EmptyStatement,
    c_ast.Pragma,
)


class _Stuck(Exception):
    """Raised where the pointer is used in an unsupported way; nothing is changed then."""


def settle(function: c_ast.FuncDef, stands_for: StandsFor) -> bool:
    """Split the pointers of a function that point into one of two arrays; return whether there are any.

    Each round replaces a pointer by two of one array each, which aren't split again.
    """
    flags: set[str] = set()
    pointers = sum(isinstance(n, c_ast.Decl) and _is_pointer(n) for n in walk(function.body))
    for _ in rounds(2 * pointers, "pointers into one of two arrays"):
        if not _settle_one(function, stands_for, flags):
            break
    return bool(flags)


def _settle_one(function: c_ast.FuncDef, stands_for: StandsFor, flags: set[str]) -> bool:
    for block in [n for n in walk(function.body) if isinstance(n, c_ast.Compound)]:
        for k, item in enumerate(block.block_items or []):
            if isinstance(item, c_ast.Decl) and _is_pointer(item):
                split = _Split(function, stands_for, flags)
                try:
                    block.block_items = split.items(block.block_items, k)
                except _Stuck:
                    continue
                flags.add(split.flag)
                return True
    return False


def _is_pointer(node: c_ast.Decl) -> bool:
    quals = getattr(node.type, "quals", None) or ()
    return (
        isinstance(node.type, c_ast.PtrDecl)
        and isinstance(node.type.type, c_ast.TypeDecl)
        and not {"&", "volatile"} & {*quals, *(node.type.type.quals or ())}
        and not node.storage
    )


def _is_null(node: Any) -> bool:
    return node is None or (isinstance(node, c_ast.Constant) and node.value in ("0", "nullptr"))


def _mentions(node: Any, names: Mapping[str, str] | Sequence[str]) -> bool:
    return any(isinstance(n, c_ast.ID) and n.name in names for n in walk(node))


def _sent(node: Any, name: str) -> list[c_ast.Assignment]:
    """Return the assignments that make a pointer point elsewhere."""
    return [
        n
        for n in walk(node)
        if isinstance(n, c_ast.Assignment)
        and n.op == "="
        and isinstance(n.lvalue, c_ast.ID)
        and n.lvalue.name == name
    ]


def _items(node: Any) -> list[Any]:
    return (
        [] if node is None else list(node.block_items or []) if isinstance(node, c_ast.Compound) else [node]
    )


def _plain(node: Any) -> bool:
    """Whether evaluating a pointer reads no memory and can't fail."""
    match node:
        case c_ast.ID() | c_ast.Constant():
            return True
        case c_ast.Cast(expr=inner):
            return _plain(inner)
        case c_ast.UnaryOp(op="&", expr=c_ast.ArrayRef(name=c_ast.ID(), subscript=index)):
            return _plain(index)
        case c_ast.UnaryOp(op="-", expr=inner):
            return _plain(inner)
        case c_ast.BinaryOp(op="+" | "-" | "*", left=left, right=right):
            return _plain(left) and _plain(right)
        case c_ast.StructRef(type=".", name=inner):
            return _plain(inner)
        case _:
            return False


@dataclass
class _Split:
    """Splits one pointer, and the pointers derived from it."""

    function: c_ast.FuncDef
    stands_for: StandsFor
    flags: set[str]
    flag: str = ""
    both: bool = False  # whether both pointers are set from the start
    taken: set[str] = field(default_factory=set)
    arrays: set[str] = field(default_factory=set)
    then: dict[str, str] = field(default_factory=dict)
    other: dict[str, str] = field(default_factory=dict)

    def items(self, items: Sequence[Any], k: int) -> list[Any]:
        """Return the statements of the block, with item k and all that follows it rewritten."""
        decl, rest = items[k], list(items[k + 1 :])
        params = self.function.decl.type.args
        every = [*walk(self.function.body), *(params.params if params is not None else ())]
        self.taken = {n.name for n in every if isinstance(n, c_ast.ID | c_ast.Decl) and n.name}
        if sum(isinstance(n, c_ast.Decl) and n.name == decl.name for n in every) != 1:
            raise _Stuck
        self.arrays = {
            n.name
            for n in every
            if isinstance(n, c_ast.Decl)
            and (isinstance(n.type, c_ast.ArrayDecl) or (params and n in params.params and _is_pointer(n)))
        }
        sent = _sent(self.function.body, decl.name)
        if not sent:
            return _flat([*items[:k], *self._chosen(decl), *map(self._statement, rest)])
        at = next((j for j, item in enumerate(rest) if _mentions(item, [decl.name])), len(rest))
        if not _is_null(decl.init):  # statements before the branch use the first array
            at = next((j for j, item in enumerate(rest) if _sent(item, decl.name)), len(rest))
        if at == len(rest) or type(rest[at]) is not c_ast.If or _mentions(rest[at].cond, [decl.name]):
            raise _Stuck
        declared, branch = self._branched(decl, rest[at], sent)
        before = [self._renamed(item, self.other, known=False) for item in rest[:at]]
        after = map(self._statement, rest[at + 1 :])
        return _flat([*items[:k], *declared, *before, *branch, *after])

    # ---- targets -----------------------------------------------------------------

    def _root(self, node: Any) -> str | None:
        """Return the array that a pointer points into, by its form."""
        match node:
            case c_ast.ID(name=name) if name in self.arrays:
                return str(name)
            case c_ast.ID(name=name):  # a pointer that is never reassigned
                found = [n for n in walk(self.function.body) if isinstance(n, c_ast.Decl) and n.name == name]
                one = len(found) == 1 and _is_pointer(found[0]) and not _sent(self.function.body, name)
                return self._root(found[0].init) if one else None
            case c_ast.StructRef(name=c_ast.ID(name=name), field=c_ast.ID(name=part)):
                return f"{name}.{part}"
            case c_ast.Cast(expr=inner) | c_ast.ArrayRef(name=inner) | c_ast.UnaryOp(op="&", expr=inner):
                return self._root(inner)
            case c_ast.BinaryOp(op="+" | "-", left=left, right=right):
                return self._root(left) or self._root(right)
            case _:
                return None

    def _begin(self, decl: c_ast.Decl, cond: Any, first: Any, second: Any) -> list[Any]:
        """Choose names for both pointers; return the declaration of the flag, unless there is one."""
        one, two = self._root(first), self._root(second)
        if one is None or two is None or one == two:
            raise _Stuck
        one, two = one.rpartition(".")[2], two.rpartition(".")[2]
        self.then[decl.name] = self._free(f"{decl.name}_{one}")
        self.other[decl.name] = self._free(f"{decl.name}_{two}")
        if isinstance(cond, c_ast.ID) and cond.name in self.flags:
            self.flag = cond.name
            return []
        if isinstance(cond, c_ast.ID | c_ast.UnaryOp) and self._root(getattr(cond, "expr", cond)) is not None:
            raise _Stuck  # a null check is handled elsewhere
        self.flag = self._free(f"{decl.name}_in_{one}")
        kind = c_ast.TypeDecl(
            self.flag, ["const"], None, c_ast.IdentifierType(["bool"], cond.coord), cond.coord
        )
        made = c_ast.Decl(self.flag, ["const"], [], [], [], kind, cond, None, cond.coord)
        self.stands_for(made, cond)
        return [made]

    def _chosen(self, decl: c_ast.Decl) -> list[Any]:
        """Split `T *p = c ? a : b;`."""
        init, casts = decl.init, []
        while isinstance(init, c_ast.Cast):
            casts.append(init)
            init = init.expr
        if not isinstance(init, c_ast.TernaryOp):
            raise _Stuck
        places = [init.iftrue, init.iffalse]
        if not all(map(_plain, places)):
            raise _Stuck
        for cast in reversed(casts):
            places = [self._like(c_ast.Cast(cast.to_type, each, cast.coord), cast) for each in places]
        made = self._begin(decl, init.cond, *places)
        self.both = True
        pairs = zip((self.then, self.other), places, strict=True)
        return [*made, *(self._declared(decl, names[decl.name], place) for names, place in pairs)]

    def _branched(
        self, decl: c_ast.Decl, branch: c_ast.If, sent: Sequence[c_ast.Assignment]
    ) -> tuple[list[Any], list[Any]]:
        """Split `if (c) p = a; else p = b;`, or `T *p = b; … if (c) p = a;`."""
        given = [[i for i in _items(each) if i in sent] for each in (branch.iftrue, branch.iffalse)]
        second = decl.init if not given[1] else given[1][0].rvalue
        if len(given[0]) != 1 or len(sent) != len(given[0]) + len(given[1]) or _is_null(second):
            raise _Stuck
        if given[1] and not _is_null(decl.init):
            raise _Stuck
        if any(_mentions(each.rvalue, [decl.name]) for each in sent):
            raise _Stuck
        made = self._begin(decl, branch.cond, given[0][0].rvalue, second)
        for each in (branch.iftrue, branch.iffalse):
            items = _items(each)
            at = next((j for j, item in enumerate(items) if item in sent), 0)
            if any(_mentions(item, [decl.name]) for item in items[:at]):
                raise _Stuck
        places = [given[0][0].rvalue, second]
        self.both = all(map(_plain, places[: 1 + len(given[1])])) and not any(
            side_effects.touched(item).writes & ast_utils.names(place)
            for each, place in zip((branch.iftrue, branch.iffalse), places, strict=True)
            for item in _items(each)
        )
        parts = [
            None if each is None else self._renamed(self._without(each, sent), names)
            for each, names in ((branch.iftrue, self.then), (branch.iffalse, self.other))
        ]
        cond = self._like(c_ast.ID(self.flag, branch.coord), branch.cond)
        new = self._like(c_ast.If(cond, *parts, branch.coord), branch)
        first = self._declared(decl, self.then[decl.name], places[0] if self.both else None)
        if not given[1]:
            return [self._declared(decl, self.other[decl.name], second)], [*made, first, new]
        last = self._declared(decl, self.other[decl.name], second if self.both else None)
        return [], [*made, first, last, new]

    def _without(self, branch: Any, sent: Sequence[Any]) -> Any:
        """Drop the assignments to the pointer from a branch, if both pointers are set from the start."""
        if not self.both:
            return branch
        rest = [item for item in _items(branch) if item not in sent]
        return self._like(c_ast.Compound(rest, branch.coord), branch)

    def _free(self, name: str) -> str:
        made, k = name, 1
        while made in self.taken:
            k += 1
            made = f"{name}_{k}"
        self.taken.add(made)
        return made

    def _declared(self, decl: c_ast.Decl, name: str, init: Any) -> c_ast.Decl:
        made = copy.copy(decl)
        made.name, made.init, made.type = name, init, copy.copy(decl.type)
        made.type.type = copy.copy(decl.type.type)
        made.type.type.declname = name
        return self._like(made, decl)

    # ---- uses --------------------------------------------------------------------

    def _like(self, made: Any, node: Any) -> Any:
        self.stands_for(made, node)
        return made

    def _renamed(self, node: Any, names: Mapping[str, str], *, known: bool = True) -> Any:
        """Copy the node with the pointers renamed; if `known`, choices by the flag are resolved."""
        if known and isinstance(node, c_ast.TernaryOp) and getattr(node.cond, "name", "") == self.flag != "":
            return self._renamed(node.iftrue if names is self.then else node.iffalse, names)
        made = copy.copy(node)
        if isinstance(node, c_ast.ID):
            made.name = names.get(node.name, node.name)
        for slot in node.__slots__:
            inner = getattr(node, slot, None)
            if isinstance(inner, list):
                parts = [
                    self._renamed(p, names, known=known) if isinstance(p, c_ast.Node) else p for p in inner
                ]
                setattr(made, slot, parts)
            elif isinstance(inner, c_ast.Node):
                setattr(made, slot, self._renamed(inner, names, known=known))
        return self._like(made, node)

    def _statement(self, node: Any) -> Any:
        if not _mentions(node, self.then):
            return node
        match node:
            case c_ast.Decl():
                return self._declaration(node)
            case _ if self._shifts(node):
                return [self._renamed(node, names) for names in (self.then, self.other)]
            case c_ast.Assignment() | c_ast.UnaryOp() | c_ast.FuncCall():
                try:
                    return self._either(node) if self._acts(node) else self._expression(node)
                except _Stuck:
                    return self._either(node)
            case c_ast.Return():
                return self._with(node, expr=self._expression(node.expr))
            case c_ast.If(cond=c_ast.ID(name=self.flag)):  # made for another pointer
                pairs = ((node.iftrue, self.then), (node.iffalse, self.other))
                parts = [None if each is None else self._renamed(each, names) for each, names in pairs]
                return self._like(c_ast.If(node.cond, *parts, node.coord), node)
            case c_ast.For():
                listed = isinstance(node.next, c_ast.ExprList)
                steps = [] if node.next is None else list(node.next.exprs) if listed else [node.next]
                if any(map(self._shifts, steps)):
                    made = [self._statement(s) if self._shifts(s) else self._expression(s) for s in steps]
                    next = self._like(c_ast.ExprList(_flat(made), node.coord), node.next)
                    node = self._with(node, next=None)
                    return self._with(self._parts(node), next=next)
                return self._parts(node)
            case _ if isinstance(node, _STATEMENTS):
                return self._parts(node)
            case _:
                raise _Stuck

    def _parts(self, node: Any) -> Any:
        """Rewrite a statement that consists of statements and conditions."""
        made = copy.copy(node)
        for slot in node.__slots__:
            inner = getattr(node, slot, None)
            if isinstance(inner, list):
                parts = [self._statement(p) if isinstance(p, c_ast.Node) else p for p in inner]
                setattr(made, slot, _flat(parts))
            elif isinstance(inner, c_ast.Node):
                whole = slot in ("cond", "next") or (slot == "init" and not isinstance(inner, c_ast.DeclList))
                new = self._expression(inner) if whole else self._statement(inner)
                if isinstance(new, list):
                    new = self._like(c_ast.Compound(new, inner.coord), inner)
                setattr(made, slot, new)
        return self._like(made, node)

    def _shifts(self, node: Any) -> bool:
        """Whether a statement only moves the pointer, which may be done to both."""
        match node:
            case c_ast.Assignment(op="+=" | "-=", lvalue=c_ast.ID(name=name), rvalue=by):
                return self.both and name in self.then and _plain(by)
            case c_ast.UnaryOp(op="++" | "--" | "p++" | "p--", expr=c_ast.ID(name=name)):
                return self.both and name in self.then
            case _:
                return False

    def _declaration(self, node: c_ast.Decl) -> Any:
        match node.type:
            case c_ast.PtrDecl() if _is_pointer(node):
                names = {n.name for n in walk(self.function.body) if isinstance(n, c_ast.Decl)}
                if _sent(self.function.body, node.name) or node.name not in names or not _plain(node.init):
                    raise _Stuck
                if sum(isinstance(n, c_ast.Decl) and n.name == node.name for n in walk(self.function)) != 1:
                    raise _Stuck
                made = []
                for names_ in (self.then, self.other):
                    init = self._renamed(node.init, names_)
                    base = next(n for n in names_ if _mentions(node.init, [n]))
                    names_[node.name] = self._free(f"{node.name}{names_[base][len(base) :]}")
                    made.append(self._declared(node, names_[node.name], init))
                return made
            case c_ast.TypeDecl():
                return self._with(node, init=self._expression(node.init))
            case c_ast.ArrayDecl() if isinstance(node.init, c_ast.InitList):
                return self._with(node, init=self._expression(node.init))
            case _:
                raise _Stuck

    def _with(self, node: Any, **parts: Any) -> Any:
        made = copy.copy(node)
        for slot, part in parts.items():
            setattr(made, slot, part)
        return self._like(made, node)

    def _either(self, node: Any) -> c_ast.If:
        """Copy the statement into the branch of each array."""
        cond = self._like(c_ast.ID(self.flag, node.coord), node)
        parts = [self._renamed(node, names) for names in (self.then, self.other)]
        return self._like(c_ast.If(cond, *parts, node.coord), node)

    def _choice(self, node: Any) -> c_ast.TernaryOp:
        cond = self._like(c_ast.ID(self.flag, node.coord), node)
        parts = [self._renamed(node, names) for names in (self.then, self.other)]
        return self._like(c_ast.TernaryOp(cond, *parts, node.coord), node)

    def _acts(self, node: Any) -> bool:
        """Whether a statement changes the pointer or its target, or passes it on."""
        match node:
            case c_ast.Assignment():
                return self._in(node.lvalue)
            case c_ast.UnaryOp() if node.op in _STEPS:
                return self._in(node.expr)
            case c_ast.FuncCall():
                return any(self._hands(arg) for arg in (node.args.exprs if node.args else ()))
            case _:
                return False

    def _in(self, node: Any) -> bool:
        """Whether an lvalue is the pointer, or in its target."""
        match node:
            case c_ast.ID(name=name):
                return name in self.then
            case c_ast.ArrayRef() | c_ast.StructRef():
                return self._in(node.name)
            case c_ast.UnaryOp(op="*" | "&" | "++" | "--" | "p++" | "p--"):
                return self._in(node.expr)
            case c_ast.BinaryOp(op="+" | "-"):
                return self._in(node.left) or self._in(node.right)
            case c_ast.Cast(to_type=c_ast.Typename(type=c_ast.PtrDecl()), expr=inner):
                return self._in(inner)
            case _:
                return False

    def _is_access(self, node: Any) -> bool:
        """Whether an expression is an element of the pointer's target, or a part of one."""
        match node:
            case c_ast.ArrayRef(name=inner) | c_ast.UnaryOp(op="*", expr=inner):
                return self._in(inner)
            case c_ast.StructRef(name=inner, type="->"):
                return self._in(inner)
            case c_ast.StructRef(name=inner):
                return self._is_access(inner)
            case _:
                return False

    def _hands(self, arg: Any) -> bool:
        """Whether an argument is derived from the pointer itself."""
        return self._in(arg) and not self._is_access(arg)

    def _expression(self, node: Any) -> Any:
        """Rewrite an expression that only reads, with a choice at each access."""
        if node is None or not _mentions(node, self.then):
            return node
        match node:
            case c_ast.ID():
                raise _Stuck
            case c_ast.Assignment() | c_ast.UnaryOp() if self._acts(node):
                raise _Stuck
            case c_ast.UnaryOp(op="&"):
                raise _Stuck
            case c_ast.FuncCall() if self._acts(node):
                return self._choice(node)
            case _ if self._is_access(node):
                if any(isinstance(n, c_ast.UnaryOp) and n.op in _STEPS for n in walk(node)):
                    raise _Stuck
                return self._choice(node)
        made = copy.copy(node)
        for slot in node.__slots__:
            inner = getattr(node, slot, None)
            if isinstance(inner, list):
                parts = [self._expression(p) if isinstance(p, c_ast.Node) else p for p in inner]
                setattr(made, slot, parts)
            elif isinstance(inner, c_ast.Node):
                setattr(made, slot, self._expression(inner))
        return self._like(made, node)


def _flat(parts: Sequence[Any]) -> list[Any]:
    return [one for part in parts for one in (part if isinstance(part, list) else [part])]
