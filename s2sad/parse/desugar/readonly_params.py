"""Find parameters that a function only reads through, although their types allow writing.

    __device__ float curved(float *u, int i) { return u[i - 1] - 2.0f * u[i] + u[i + 1]; }

    y[i] = u[i] + h * curved(u, i);        has one meaning, whichever operand goes first

A parameter counts as written if it is assigned through, if a non-const alias is made of
what it points to, or if it is passed to something that isn't known here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pycparser import c_ast

from ..syntax.qualified_types import Member
from ..syntax.templates import Template, TemplateId
from ..types import types
from ..types.builtins import BUILTINS
from . import side_effects

Written = Mapping[str, frozenset[int]]
"""The positions of the parameters that functions may write through, by the name of the function."""

_STEPS = frozenset({"++", "--", "p++", "p--"})
_TRUTHS = frozenset({"<", ">", "<=", ">=", "==", "!=", "&&", "||"})


@dataclass(frozen=True)
class Known:
    """The file's functions, by name, and the meanings of its type names."""

    functions: Mapping[str, Sequence[c_ast.FuncDef]] = field(default_factory=dict)
    typedefs: Mapping[str, c_ast.Node | None] = field(default_factory=dict)
    written: Written = field(default_factory=dict)
    acting: bool = False  # whether operators of classes may change their object

    def depth(self, node: c_ast.Node | None, free: frozenset[str] = frozenset()) -> int | None:
        """Return how many indices lead from a declarator to a number; None if that isn't known.

        The names in `free` are type parameters of a template; they count as numbers.
        """
        match node:
            case c_ast.PtrDecl() | c_ast.ArrayDecl():
                inner = self.depth(node.type, free)
                return None if inner is None else inner + (not _is_reference(node))
            case c_ast.Typename() | c_ast.TypeDecl():
                return self.depth(node.type, free)
            case c_ast.IdentifierType(names=names) if types.scalar(names) is not None:
                return 0
            case c_ast.IdentifierType(names=[name]) if name in free:
                return 0
            case c_ast.IdentifierType(names=[name]) if (meant := self.typedefs.get(name)) is not None:
                return self.depth(meant.type, free)
            case _:
                return None


def known(functions: Sequence[c_ast.Node], typedefs: Iterable[c_ast.Node], acting: bool = False) -> Known:
    """Analyse these functions and type names, and find what each function may write through."""
    by_name: dict[str, list[c_ast.FuncDef]] = {}
    for node in functions:
        by_name.setdefault(node.decl.name, []).append(node)
    meant: dict[str, c_ast.Node | None] = {}
    for typedef in typedefs:
        meant[typedef.name] = None if typedef.name in meant else typedef
    found = Known(by_name, meant, acting=acting)
    every = {name: frozenset().union(*(_places(n, found) for n in nodes)) for name, nodes in by_name.items()}
    found = Known(by_name, meant, every, acting)
    for _ in range(8):  # each round follows one call further
        fewer = {
            name: frozenset().union(*(writes(node, found) for node in nodes))
            for name, nodes in by_name.items()
        }
        if fewer == found.written:
            break
        found = Known(by_name, meant, fewer, acting)
    return found


def writes(node: c_ast.Node, known: Known) -> frozenset[int]:
    """Return the positions of the parameters that a function may write through."""
    function = getattr(node, "function", node)
    params = _params(node)
    every = _places(node, known)
    heads = node.params if isinstance(node, Template) else ()
    own = frozenset(p.name for p in heads if getattr(p, "name", None))
    names = [getattr(p, "name", None) for p in params]
    if function.body is None or len(set(names)) < len(names):
        return every
    result = function.decl.type.type
    if own & known.typedefs.keys() or isinstance(result, c_ast.PtrDecl):
        return every
    own = frozenset() if _opens(function.body) else own
    reader = _Reader(known, own, known.depth(result, own) == 0)
    for param in params:
        reader.declare(param)
    reader.visit(function.body)
    if reader.lost:
        return every
    return frozenset(k for k in every if names[k] in reader.hit)


def acting(methods: Sequence[c_ast.Node], known: Known) -> frozenset[int]:
    """Return the ids of a class's methods that may write to more than their own variables."""
    left = {id(m): m for m in methods}
    while True:
        quiet = {m.decl.name for m in methods} - {m.decl.name for m in left.values()}
        more = [m for m in left.values() if not acts(m, known, frozenset(quiet))]
        for method in more:
            del left[id(method)]
        if not more:
            return frozenset(left)


def acts(method: c_ast.Node, known: Known, quiet: frozenset[str] = frozenset()) -> bool:
    """Whether a method may write to more than its own variables, whatever its object's fields are.

    The methods of its class that are in `quiet` don't.
    """
    if method.body is None:
        return True
    # returning writes nothing: what a caller writes through the result counts as writing the object, as
    # in `m(i, j) = v` (side_effects.touched), so the result may be anything
    reader = _Reader(known, frozenset(), number=True, quiet=quiet)
    for param in _params(method):
        reader.declare(param)
    reader.visit(method.body)
    return reader.lost or not reader.hit <= reader.declared.keys()


def _places(node: c_ast.Node, known: Known) -> frozenset[int]:
    """Return the positions of parameters that may be more than numbers."""
    params = enumerate(_params(node))
    return frozenset(k for k, p in params if _is_reference(p.type) or known.depth(p.type) != 0)


def _params(node: c_ast.Node) -> list[c_ast.Node]:
    args = node.decl.type.args
    return list(args.params) if args is not None else []


def _is_reference(node: c_ast.Node) -> bool:
    return isinstance(node, c_ast.PtrDecl) and "&" in (node.quals or ())


def _of_constants(node: c_ast.Node | None) -> bool:
    while isinstance(node, c_ast.PtrDecl | c_ast.ArrayDecl):
        node = node.type
    return "const" in (getattr(node, "quals", None) or ())


def _opens(node: c_ast.Node) -> bool:
    """Whether a node accesses a field; then a type that a template leaves open may be a struct."""
    return isinstance(node, c_ast.StructRef) or any(_opens(child) for _, child in node.children())


def _base(node: Any) -> frozenset[str]:
    """Return the names of the variables that an lvalue is part of, or a pointer points into."""
    match node:
        case None | c_ast.Constant():
            return frozenset()
        case c_ast.ID(name=name):
            return frozenset({name})
        case c_ast.ArrayRef() | c_ast.StructRef():
            return _base(node.name)
        case c_ast.Cast():
            return _base(node.expr)
        case _:
            return frozenset().union(*(_base(child) for _, child in node.children()))


@dataclass
class _Reader:
    """Walks a body; `hit` are the names that may be written, all of them if it is `lost`."""

    known: Known
    free: frozenset[str]
    number: bool  # whether the function returns a number
    quiet: frozenset[str] = frozenset()  # the methods of its class that only write their own variables
    declared: dict[str, c_ast.Node | None] = field(default_factory=dict)
    hit: set[str] = field(default_factory=set)
    lost: bool = False

    def declare(self, node: c_ast.Node) -> None:
        name = getattr(node, "name", None)
        if name is not None:
            self.declared[name] = None if name in self.declared else node.type

    def visit(self, node: c_ast.Node) -> None:
        match node:
            case c_ast.Decl():
                self._declaration(node)
            case c_ast.ArrayRef() if self._is_open(node.name):
                self._hit_open()
            case c_ast.Assignment():
                self.hit |= _base(node.lvalue)
                if 1 in self.known.written.get(f"operator{node.op}", ()):
                    self.hit |= _base(node.rvalue)
                if self.depth(node.lvalue) != 0:
                    self.hit |= self.meant(node.rvalue)
            case c_ast.UnaryOp() if node.op in _STEPS:
                self.hit |= _base(node.expr)
            case c_ast.BinaryOp():
                changed = self.known.written.get(f"operator{node.op}", ())
                for k, operand in enumerate((node.left, node.right)):
                    acts = k in changed or self._acts(operand)
                    self.hit |= _base(operand) if acts else frozenset()
            case c_ast.UnaryOp(op="*") if self._is_open(node.expr):
                self._hit_open()
            case c_ast.UnaryOp() if node.op not in ("&", "sizeof"):
                self.hit |= _base(node.expr) if self._acts(node.expr) else frozenset()
            case c_ast.FuncCall():
                self._call(node)
            case c_ast.Return() if not self.number:
                self.hit |= self.meant(node.expr)
            case c_ast.Cast():
                self.lost |= self.known.depth(node.to_type, self.free) != 0
            case c_ast.CompoundLiteral():
                self.lost |= bool(self.known.depth(node.type, self.free))
            case c_ast.Typedef():
                self.lost = True
            case TemplateId() | Member():
                pass
            case _ if type(node).__module__ != c_ast.__name__:
                self.lost = True
        for _, child in node.children():
            self.visit(child)

    def _is_open(self, node: c_ast.Node) -> bool:
        """Whether a variable has a type that a template leaves open."""
        return isinstance(node, c_ast.ID) and self._leaves_open(self.declared.get(node.name))

    def _leaves_open(self, type: c_ast.Node | None) -> bool:
        match type:
            case c_ast.PtrDecl() if _is_reference(type):
                return self._leaves_open(type.type)
            case c_ast.TypeDecl(type=c_ast.IdentifierType(names=[name])):
                return name in self.free
            case _:
                return False

    def _hit_open(self) -> None:
        """Mark all variables of open types: one holds pointers, and any may be a copy of another."""
        self.hit |= {name for name, type in self.declared.items() if self._leaves_open(type)}

    def depth(self, node: c_ast.Node) -> int | None:
        """Return how many indices lead from an expression to a number; None if that isn't known."""
        match node:
            case c_ast.ID(name=name):
                return self.known.depth(self.declared.get(name), self.free)
            case c_ast.Constant():
                return 0
            case c_ast.ArrayRef():
                outer = self.depth(node.name)
                return outer - 1 if outer else None
            case c_ast.UnaryOp(op="*"):
                outer = self.depth(node.expr)
                return outer - 1 if outer else None
            case c_ast.UnaryOp(op="&"):
                inner = self.depth(node.expr)
                return None if inner is None else inner + 1
            case c_ast.UnaryOp():
                return 0 if node.op in ("!", "sizeof") else self.depth(node.expr)
            case c_ast.BinaryOp():
                left, right = self.depth(node.left), self.depth(node.right)
                return 0 if node.op in _TRUTHS or (left == 0 and right == 0) else None
            case c_ast.TernaryOp():
                then, other = self.depth(node.iftrue), self.depth(node.iffalse)
                return then if then == other else None
            case c_ast.Cast():
                return self.known.depth(node.to_type, self.free)
            case c_ast.FuncCall(name=c_ast.ID(name=name)) if self._is_known(name):
                found = self.known.functions.get(name)
                depths = {self.known.depth(f.decl.type.type) for f in found or ()}
                return 0 if depths <= {0} else None
            case _:
                return None

    def meant(self, node: c_ast.Node | None) -> frozenset[str]:
        """Return the names that the value of an expression may point into."""
        if isinstance(node, c_ast.InitList):
            return frozenset().union(*map(self.meant, node.exprs))
        if node is None or (self.depth(node) == 0 and not self._is_open(node)):
            return frozenset()
        return _base(node)

    def _acts(self, operand: c_ast.Node) -> bool:
        """Whether an operator of a class may change the operand."""
        return self.known.acting and self.depth(operand) is None

    def _is_known(self, name: str) -> bool:
        return name not in self.declared and (name in self.known.functions or name in BUILTINS)

    def _declaration(self, node: c_ast.Decl) -> None:
        self.declare(node)
        depth = self.known.depth(node.type, self.free)
        if _is_reference(node.type):
            self.hit |= frozenset() if _of_constants(node.type) and depth is not None else _base(node.init)
        elif isinstance(node.type, c_ast.PtrDecl):
            self.hit |= frozenset() if _of_constants(node.type) and depth == 1 else self.meant(node.init)
        elif depth is None:
            self.hit |= self.meant(node.init)
        elif depth:  # an array of numbers, or of pointers; or a pointer by another name
            numbers = isinstance(node.type, c_ast.ArrayDecl) and not _holds_pointers(node.type)
            self.hit |= frozenset() if numbers else self.meant(node.init)

    def _call(self, node: c_ast.FuncCall) -> None:
        args = list(node.args.exprs) if node.args is not None else []
        name = node.name.name if isinstance(node.name, c_ast.ID | TemplateId) else None
        handed = self.known.written.get(name or "", ())
        if self._is_open(node.name) or any(self._is_open(a) for k, a in enumerate(args) if k in handed):
            self._hit_open()
        if name in self.quiet and name not in self.declared:
            self.hit |= frozenset().union(*map(self.meant, args))
        elif name is None or not self._is_known(name):
            for part in (node.name, *args):
                self.hit |= _base(part)
        elif name in self.known.functions:
            for k, arg in enumerate(args):
                self.hit |= _base(arg) if k in self.known.written[name] else frozenset()
        else:
            for out in side_effects.outputs(node):
                self.hit |= _base(out)


def _holds_pointers(node: c_ast.Node) -> bool:
    while isinstance(node, c_ast.ArrayDecl):
        node = node.type
    return not (
        isinstance(node, c_ast.TypeDecl) and types.scalar(getattr(node.type, "names", [])) is not None
    )
