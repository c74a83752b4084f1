"""Parameters of a function that is written into its caller: what each of them means there.

A parameter stands for its argument where that means the same and costs no more than a name, else it
is a variable; a reference is what it refers to.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pycparser import c_ast

from ... import ir
from ...diagnostics import Code
from ...fields import leaves
from ...ir import Const, Declare, Expr, Origin, Place, Scalar, Special, Struct, Sym, Type
from ..desugar import side_effects
from ..desugar.implicit_this import THIS
from ..sema import declarators, dispatch, evaluation, meanings, null_checks
from ..sema.meanings import Alias, Bound, Device, Referred
from ..sema.scope import Context
from ..syntax import ast_utils
from ..types import types
from . import callees
from .memory import glvalues, pointer_forms, pointers, struct_references, struct_values, struct_variables


@dataclass(frozen=True)
class Facts:
    """Of a function's body: what it writes, and how often it names each parameter and its fields."""

    written: frozenset[str]
    mentions: Counter[tuple[str, ...]]
    simple: bool  # statements one after the other: each is run once
    exposed: frozenset[tuple[str, str]]  # variables and fields that may be written under another name

    @staticmethod
    def of(body: c_ast.Node, through: side_effects.Through) -> Facts:
        written = set(side_effects.touched(body, through).writes)
        mentions: Counter[tuple[str, ...]] = Counter()

        def write(target: c_ast.Node) -> None:
            named = ast_utils.root(target)
            if named is not None:
                written.add(named.name)

        def visit(node: Any) -> None:
            match node:
                case c_ast.Assignment(lvalue=target):
                    write(target)
                case c_ast.UnaryOp(op="++" | "--" | "p++" | "p--" | "&", expr=target):
                    write(target)
                case c_ast.StructRef(name=c_ast.ID(name=name), field=field):
                    mentions[name, field.name] += 1
                    return
                case c_ast.ID(name=name):
                    mentions[(name,)] += 1
            for _, child in node.children():
                visit(child)

        visit(body)
        items = body.block_items or []
        simple = all(isinstance(item, c_ast.Return | c_ast.Assignment | c_ast.Decl) for item in items)
        return Facts(frozenset(written), mentions, simple, _exposed(body))

    def changes(self, name: str, type: Struct) -> bool:
        """Whether something may write to a parameter, or to what is in it."""
        arrays = {field for leaf in leaves(type) if leaf.extents for field in leaf.path}
        exposed = {field for of, field in self.exposed if of == name}
        return name in self.written or _ALL in exposed or bool(exposed & arrays)

    def uses(self, name: str, path: tuple[str, ...]) -> int:
        """How often a leaf of a parameter may be read; a whole that is passed on counts for two."""
        return self.mentions[(name, *path[:1])] + 2 * self.mentions[(name,)] * bool(path)


_ALL = "*"


def _exposed(body: c_ast.Node) -> frozenset[tuple[str, str]]:
    """Of which variables, and which of their fields, a pointer or a reference may be made."""
    found: set[tuple[str, str]] = set()

    def visit(node: c_ast.Node) -> None:
        match node:
            case c_ast.Decl(type=c_ast.PtrDecl() as type, init=init) if init is not None:
                if "const" not in (getattr(type.type, "quals", None) or ()):
                    reference = "&" in (type.quals or ()) or _has_address(init)
                    found.update((n, _ALL) for n in ast_utils.names(init) if reference)
                    found.update(_fields(init))
            case c_ast.Decl(type=c_ast.TypeDecl(type=c_ast.IdentifierType(names=["auto"])), init=init):
                found.update(_fields(init))
            case c_ast.Assignment(op="=", rvalue=value):
                found.update(_fields(value))
        for _, child in node.children():
            visit(child)

    visit(body)
    return frozenset(found)


def _has_address(node: c_ast.Node) -> bool:
    own = isinstance(node, c_ast.UnaryOp) and node.op == "&"
    return own or any(_has_address(child) for _, child in node.children())


def _fields(node: c_ast.Node | None) -> set[tuple[str, str]]:
    """The fields that are named as a whole, which may be arrays: `v.weights`, `v.weights + 1`."""
    match node:
        case c_ast.StructRef(field=field):
            at = ast_utils.root(node)
            return {(at.name, field.name)} if at is not None else set()
        case c_ast.BinaryOp(op="+" | "-", left=left, right=right):
            return _fields(left) | _fields(right)
        case c_ast.TernaryOp(iftrue=left, iffalse=right):
            return _fields(left) | _fields(right)
        case c_ast.Cast(expr=inner):
            return _fields(inner)
        case c_ast.ArrayRef(name=inner):  # a row
            return _fields(inner)
        case _:
            return set()


def steady(expr: Expr) -> bool:
    """Whether an expression costs no more than a name, and means the same all through a call."""
    match expr:
        case Const() | Special():
            return True
        case Place(sym=sym, index=index):
            return sym.storage in ("local", "parameter") and not index and isinstance(sym.type, Scalar)
        case ir.Unary(op="-", arg=arg):
            return steady(arg)
        case ir.Cast(arg=arg):
            return steady(arg)
        case _:
            return False


@dataclass
class Binding:
    """Lets the names of parameters mean the arguments of a call."""

    ctx: Context
    inner: Context
    facts: Facts
    changes: bool  # whether the function changes an argument, or what is in a struct of pointers,
    writes: bool  # or writes to what one points to,
    moved: frozenset[str]  # which of its pointers it moves,
    changed: set[Sym] = field(default_factory=set)  # and which variables those are

    def bind(
        self, decl: c_ast.Node, name: str, type: Type, arg: c_ast.Node, reference: bool, open_: bool
    ) -> None:
        """One parameter; what is `open_` may be changed through it."""
        if isinstance(type, Struct):
            self._struct(decl, name, type, arg, reference, open_)
            if (reference and not open_) or "const" in (decl.quals or ()):
                self.inner.constants[name] = self.inner.scopes[-1][name]
        elif isinstance(type, ir.Pointer):
            self._pointer(decl, name, type, arg, open_)
        else:
            self._number(decl, name, type, arg, reference, open_)

    def free(self, expr: Expr, uses: int) -> bool:
        """Whether the expression may stand where the parameter is named."""
        read = {e.sym.within or e.sym for e in ir.walk(expr) if isinstance(e, Place)}
        if read & self.changed:
            return False
        return steady(expr) or (self.facts.simple and uses <= 1 and not (self.changes and _loads(expr)))

    def _number(
        self, decl: c_ast.Node, name: str, type: Type, arg: c_ast.Node, reference: bool, open_: bool
    ) -> None:
        ctx, scope, span = self.ctx, self.inner.scopes[-1], self.inner.span(decl)
        if reference:
            arg = glvalues.settled(ctx, arg)
        if open_ or (reference and self._may_change(arg, type)):
            at = dispatch.place(ctx, arg)
            at = replace(at, index=tuple(i if steady(i) else ctx.keep(i, "at") for i in at.index))
            if open_:
                self.changed.add(at.sym.within or at.sym)
            scope[name] = Alias(name, ir.Pointer(type, const=not open_), at, reference=True, span=span)
            return
        expr = evaluation.converted(ctx, arg, type)
        if reference and glvalues.is_choice(ctx, arg):
            self._refuse_changing(arg, [expr])
        if name not in self.facts.written and self.free(expr, self.facts.mentions[(name,)]):
            scope[name] = Bound(type, {((), ()): expr})
            return
        # of a library's operator, the author sees no parameter
        origin: Origin = "tool" if span is not None and span.source.name.startswith("thrust/") else "author"
        sym = Sym(name, type, span=span, origin=origin, otherwise=self.inner.otherwise(name))
        scope[name] = sym
        ctx.out.append(Declare(sym, expr, span=ctx.span(arg)))

    def _refuse_changing(self, arg: c_ast.Node, read: Sequence[Expr]) -> None:
        """Refuse a reference to one of two objects that this call may change: no copy can stand for it."""
        if glvalues.may_change(read, self.changed, writes=self.writes):
            raise glvalues.refused(self.ctx, arg)

    def _may_change(self, arg: c_ast.Node, type: Type) -> bool:
        """Whether what a `const` reference refers to may be changed under another name: `v *= v.x`."""
        if not pointer_forms.is_place(self.ctx, arg):
            return False
        at = dispatch.place(self.ctx, arg)
        if not types.same(at.type, type):
            return False
        return (at.sym.within or at.sym) in self.changed or bool(at.index and self.writes)

    def _pointer(self, decl: c_ast.Node, name: str, type: ir.Pointer, arg: c_ast.Node, open_: bool) -> None:
        ctx, scope = self.ctx, self.inner.scopes[-1]
        if name in self.moved:
            what = f"the pointer `{name}`, which is modified in a function that takes or returns a struct"
            raise ctx.reject(Code.NOT_SUPPORTED, arg, what=what, help="use an index")
        given: Expr | None = None
        match arg:
            case c_ast.TernaryOp(iftrue=there, iffalse=null) if ast_utils.is_null(null):
                given, arg = ctx.keep(evaluation.condition(ctx, arg.cond), f"has_{name}"), there
            case c_ast.TernaryOp(iftrue=null, iffalse=there) if ast_utils.is_null(null):
                given = ctx.keep(evaluation.condition(ctx, arg.cond), f"no_{name}")
                given, arg = ir.Unary("!", given, ir.BOOL), there
        if meanings.is_struct(type.target):
            if ast_utils.is_null(arg):
                scope[name] = null_checks.no_struct(type)
                return
            meant = struct_references.pointer_of(ctx, arg, type)
            kept = tuple(i if steady(i) else ctx.keep(i, f"{name}_at") for i in meant.index)
            if open_:
                self.changed.add(meant.whole)
            scope[name] = Referred(
                replace(meant, index=kept), type.const, given or null_checks.doubted(ctx, arg)
            )
            return
        if ast_utils.is_null(arg):
            scope[name] = Alias(name, type, null_checks.null(type).place, span=ctx.span(decl))
            return
        at = pointers.converted(ctx, arg, type)
        at = replace(at, index=tuple(i if steady(i) else ctx.keep(i, f"{name}_at") for i in at.index))
        if open_:
            self.changed.add(at.sym.within or at.sym)
        given = given or null_checks.doubted(ctx, arg)
        scope[name] = Alias(name, type, at, span=ctx.span(decl), given=given)

    def _struct(
        self, decl: c_ast.Node, name: str, type: Struct, arg: c_ast.Node, reference: bool, open_: bool
    ) -> None:
        ctx, scope, facts = self.ctx, self.inner.scopes[-1], self.facts
        arrays = any(leaf.extents for leaf in leaves(type))
        copied = not reference and (facts.changes(name, type) or self.changes or not arrays)
        if open_ and (same := handed_back(ctx, arg)) is not None:  # `a.add(x).add(y)`
            evaluation.discard(ctx, arg)
            arg = same
        elif reference or name == THIS:
            arg = glvalues.settled(ctx, arg)
        if open_ and glvalues.is_choice(ctx, arg):
            what = f"`{ctx.unit.written.text(arg)}`, one of two objects, modified by a call"
            raise ctx.reject(
                Code.NOT_SUPPORTED, arg, what=what, help="make the call in both branches of an `if`"
            )
        if struct_variables.is_access(ctx, arg) and (not copied or self._stays(name, type, arg)):
            meant = struct_variables.access(ctx, arg)
            if meant.type != type:
                raise struct_values.mismatch(ctx, arg, meant.type, type)
            kept = tuple(i if steady(i) else ctx.keep(i, "at") for i in meant.index)
            if open_:
                self.changed.add(meant.whole)
            scope[name] = Referred(replace(meant, index=kept))
            return
        if open_ and name != THIS:  # a method may change an object that nobody has
            raise ctx.type_error(arg, "an rvalue is modified through a reference", "pass a variable")
        given = dispatch.initialised(ctx, arg, type)
        if reference and glvalues.is_choice(ctx, arg):
            self._refuse_changing(arg, list(given.leaves.values()))
        free = all(self.free(e, facts.uses(name, path)) for (path, _), e in given.leaves.items())
        if name not in facts.written and free and not arrays:
            scope[name] = Bound(type, given.leaves)
            return
        otherwise = self.inner.otherwise(name)
        whole = Sym(name, type, span=self.inner.span(decl), origin="author", otherwise=otherwise)
        scope[name] = whole
        struct_values.declare(ctx, whole, given, ctx.span(arg))

    def _stays(self, name: str, type: Struct, arg: c_ast.Node) -> bool:
        """Whether a struct of pointers is the caller's all through the call: nobody writes to its fields."""
        if self.facts.changes(name, type) or not any(
            isinstance(leaf.type, ir.Pointer) for leaf in leaves(type)
        ):
            return False
        whole = struct_variables.access(self.ctx, arg).whole
        return isinstance(whole.type, Struct) and whole not in self.changed


def handed_back(ctx: Context, node: c_ast.Node) -> c_ast.Node | None:
    """The variable that a call or an operator changes and returns a reference to; None of a value."""
    args: Sequence[c_ast.Node] = ()
    device: Device | None = None
    if isinstance(node, c_ast.FuncCall):
        found = callees.reference(ctx, node)
        device, args = found if found is not None else (None, ())
    elif isinstance(node, c_ast.Assignment | c_ast.UnaryOp | c_ast.BinaryOp):
        device, args = callees.operator(ctx, node), ast_utils.operands(node)
    if device is None or device.inline is None or not declarators.returns_reference(device.inline):
        return None
    items = device.inline.body.block_items or []
    returns = [n for n in ast_utils.walk(device.inline.body) if isinstance(n, c_ast.Return)]
    params = device.inline.decl.type.args.params
    names = [p.name for p in params]
    if len(returns) == 1 and items and items[-1] is returns[0] and isinstance(returns[0].expr, c_ast.ID):
        name = returns[0].expr.name
        if name in names and name not in {n.name for n in items if isinstance(n, c_ast.Decl)}:
            arg = args[names.index(name)]
            if isinstance(arg, c_ast.ID) and struct_variables.is_access(ctx, arg):
                return arg
            if (inner := handed_back(ctx, arg)) is not None:
                return inner
    what = f"`{ctx.unit.written.text(node)}`, a reference through which an object is modified"
    raise ctx.reject(
        Code.NOT_SUPPORTED, node, what=what, help="modify the object itself, in the next statement"
    )


def _loads(expr: Expr) -> bool:
    """Whether an expression reads memory."""
    return any(isinstance(e, Place) and e.index for e in ir.walk(expr))
