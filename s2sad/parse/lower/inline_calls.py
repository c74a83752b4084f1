"""Inline device functions that take or return structs into their callers.

    __device__ float3 operator-(float3 a, float3 b)
    {                                                      d.x = p.x - q.x;
        return make_float3(a.x - b.x, …);          ->      d.y = p.y - q.y;
    }                                                      d.z = p.z - q.z;
    ...
    float3 d = p - q;

A function of numbers has an adjoint function of its own. A function of structs would need one
for each set of active fields, and most are one line long. A parameter is replaced by its argument
where that means the same and costs no more than a name; otherwise it becomes a variable. A
reference becomes an alias of its referent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pycparser import c_ast

from ... import ir
from ...diagnostics import Code, Rejected, diagnose
from ...fields import leaves
from ...ir import Assign, Const, Declare, Expr, Place, Scalar, Special, Struct, Sym, Type
from ..desugar import readonly_params, side_effects
from ..sema import declarators, dispatch, evaluation, meanings, null_checks
from ..sema.meanings import Alias, Bound, Device, Referred, Value
from ..sema.methods import THIS
from ..sema.scope import Context
from ..syntax import ast_utils
from ..syntax.templates import TemplateId
from ..types import types
from . import arguments, assignments, callees, inline_returns
from .memory import glvalues, pointer_forms, pointers, struct_references, struct_values, struct_variables


def operation(ctx: Context, node: c_ast.Node) -> Value | Expr:
    """Lower an operator that has a struct among its operands."""
    device = callees.operator(ctx, node)
    if device is None:
        raise callees.no_operator(ctx, node)
    result = written(ctx, node, device, ast_utils.operands(node))
    if result is None:
        return Const(0, ir.VOID)
    return result


def call(ctx: Context, node: c_ast.FuncCall) -> Value | Expr:
    """Lower a call of a function that is inlined."""
    args = list(node.args.exprs) if node.args is not None else []
    device = callees.chosen(ctx, node, args, callees.devices(ctx, node))
    if not meanings.takes(device, len(args)):
        raise callees.wrong(ctx, node, device.name, [callees.type_of(ctx, a) for a in args], [device.params])
    result = written(ctx, node, device, args)
    return Const(0, ir.VOID) if result is None else result


def called(ctx: Context, node: c_ast.FuncCall) -> Value | Expr:
    """Lower a call of a method."""
    found = callees.method(ctx, node)
    if found is None:
        raise callees.no_struct(ctx, node)
    target = node.name.name if isinstance(node.name, c_ast.StructRef) else node.name
    if (choice := glvalues.chosen(target)) is not None and glvalues.is_lvalue(ctx, choice):
        return _of_chosen(ctx, node, choice)
    device = callees.chosen(ctx, node, *found)
    result = written(ctx, node, device, found[0])
    return Const(0, ir.VOID) if result is None else result


def _of_chosen(ctx: Context, node: c_ast.FuncCall, choice: c_ast.TernaryOp) -> Value | Expr:
    """Lower `(c ? a : b).f(x)` as `c ? a.f(x) : b.f(x)`; a struct that it returns must be unused."""
    struct = dispatch.static(ctx, node)
    if struct is not None and node is not ctx.expression.discarded:
        what = f"the value of `{ctx.unit.written.text(node)}`, of one of two objects,"
        help = "make the call in both branches of an `if`"
        raise ctx.reject(Code.NOT_SUPPORTED, node, what=what, help=help)
    calls: list[c_ast.Node] = []
    for side in (choice.iftrue, choice.iffalse):
        called = side
        if isinstance(node.name, c_ast.StructRef):
            called = c_ast.StructRef(side, node.name.type, node.name.field, node.name.coord)
        calls.append(c_ast.FuncCall(called, node.args, node.coord))
        ctx.unit.written.stands_for(calls[-1], node)
    both = c_ast.TernaryOp(choice.cond, *calls, node.coord)
    ctx.unit.written.stands_for(both, node)
    if node is ctx.expression.discarded:
        ctx.expression.discarded = both
    result = assignments.branches(ctx, both)
    return result if struct is None else Value(struct, {})


@dispatch.constructed.otherwise
def constructed(ctx: Context, node: c_ast.Node, name: str, args: list[c_ast.Node]) -> Value | Expr | None:
    """Lower a call of a constructor with these arguments."""
    return written(ctx, node, callees.chosen(ctx, node, args, ctx.unit.functions[name]), args)


# ---- what a function does with its parameters ----------------------------------------


@dataclass(frozen=True)
class _Facts:
    """Facts about a function's body: what it writes, and how often it names each parameter and its fields."""

    written: frozenset[str]
    mentions: Counter[tuple[str, ...]]
    simple: bool  # straight-line code: each statement runs once
    exposed: frozenset[tuple[str, str]]  # variables and fields that may be written through an alias

    @staticmethod
    def of(body: c_ast.Node, through: side_effects.Through) -> _Facts:
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
        return _Facts(frozenset(written), mentions, simple, _exposed(body))

    def changes(self, name: str, type: Struct) -> bool:
        """Whether a parameter, or something in it, may be written."""
        arrays = {field for leaf in leaves(type) if leaf.extents for field in leaf.path}
        exposed = {field for of, field in self.exposed if of == name}
        return name in self.written or _ALL in exposed or bool(exposed & arrays)

    def uses(self, name: str, path: tuple[str, ...]) -> int:
        """Return how often a leaf of a parameter may be read; passing on the whole counts twice."""
        return self.mentions[(name, *path[:1])] + 2 * self.mentions[(name,)] * bool(path)


_ALL = "*"


def _exposed(body: c_ast.Node) -> frozenset[tuple[str, str]]:
    """Return the variables and fields that a non-const pointer or reference may be made to."""
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
    """Return the fields that are named as a whole, which may be arrays: `v.weights`, `v.weights + 1`."""
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


def _steady(expr: Expr) -> bool:
    """Whether an expression costs no more than a name, and has the same value throughout a call."""
    match expr:
        case Const() | Special():
            return True
        case Place(sym=sym, index=index):
            return sym.storage in ("local", "parameter") and not index and isinstance(sym.type, Scalar)
        case ir.Unary(op="-", arg=arg):
            return _steady(arg)
        case ir.Cast(arg=arg):
            return _steady(arg)
        case _:
            return False


# ---- writing it in -------------------------------------------------------------------


def written(
    ctx: Context, node: c_ast.Node, device: Device, args: Sequence[c_ast.Node], *, place: bool = False
) -> Value | Expr | None:
    """Inline a function for these arguments; return its value, or with `place` the lvalue it refers to."""
    assert device.inline is not None
    if device.key in ctx.inside:
        raise Rejected(diagnose(Code.RECURSION, ctx.span(node), name=device.name))
    facts = _Facts.of(device.inline.body, ctx.function.through)
    decls = device.inline.decl.type.args.params if device.inline.decl.type.args is not None else []
    args = [*args, *(default for default in device.defaults[len(args) :] if default is not None)]
    inner = Context(
        ctx.unit,
        ctx.function,
        taken=ctx.taken,
        result=device.result,
        out=ctx.out,
        root=device.inline.body,
        inside=(*ctx.inside, device.key),
    )
    inner.bind(device.bindings or {})
    inner.scopes.append({})
    inner.typedefs.append({})
    open_ = device.references - device.fixed
    pointers_ = {k for k, p in enumerate(device.params) if isinstance(p, ir.Pointer) and not p.const}
    open_ |= pointers_ & readonly_params.writes(device.inline, ctx.function.reading) if pointers_ else set()
    changed = {
        k for k, d in enumerate(decls) if k in open_ and facts.mentions[(d.name,)] + (d.name in facts.written)
    }
    whole = (
        ctx.expression.discarded,
        ctx.alone,
        ctx.expression.direct[0] if ctx.expression.direct is not None else None,
        _stored(ctx),
    )
    if changed and node not in whole and not changed <= _seen(ctx, node, device):
        what = f"`{ctx.unit.written.text(node)}`, which changes an argument, inside an expression"
        raise ctx.reject(Code.NOT_SUPPORTED, node, what=what, help="keep its value in a variable first")
    bundles = (d.name for d, t in zip(decls, device.params, strict=False) if not isinstance(t, ir.Scalar))
    views = {k for k, p in enumerate(device.params) if _holds_places(p)}
    stores = bool(views and views & readonly_params.writes(device.inline, ctx.function.reading))
    writes = bool(changed) or stores or not facts.written.isdisjoint(bundles)
    binding = _Binding(
        ctx, inner, facts, bool(changed) or stores, writes, ast_utils.moved(device.inline.body)
    )
    places = [k for k in device.references if isinstance(device.params[k], Struct)]
    method = isinstance(node, c_ast.FuncCall) and isinstance(node.name, c_ast.StructRef)
    arguments.in_any_order(ctx, node, args, places, object_first=method and 0 in open_)
    order = sorted(range(len(args)), key=lambda k: k not in open_)  # bind what the call changes first
    for k in order:
        named = getattr(decls[k], "name", None) or f"unused{k}"
        binding.bind(decls[k], named, device.params[k], args[k], k in device.references, k in open_)
    begin = len(ctx.out)
    items = device.inline.body.block_items or []
    result: Value | Expr | None
    if place:
        result = inline_returns.referred(inner, device, items, node)
    else:
        result = inline_returns.body(inner, device, items, ctx.function.begun.pop(node, None))
    if device.name.startswith("operator"):  # show the operator's use, not the lines of its body
        for k, stmt in enumerate(ctx.out[begin:], begin):
            if isinstance(stmt, Assign | Declare):
                ctx.out[k] = replace(stmt, span=ctx.span(node))
    if inner.problems:
        raise Rejected(*inner.problems)
    return result


def _holds_places(type: Type) -> bool:
    """Whether a struct holds pointers to writable memory, whatever its own constness: `view.at[i] = x`."""
    match type:
        case Struct():
            return any(isinstance(leaf.type, ir.Pointer) and not leaf.type.const for leaf in leaves(type))
        case ir.Pointer(target=Struct() as struct):
            return _holds_places(struct)
        case _:
            return False


@dispatch.referred.when(c_ast.FuncCall)
def referred(ctx: Context, node: c_ast.FuncCall) -> Place | None:
    """Return the lvalue that a call refers to; None if the function returns a value."""
    found = callees.reference(ctx, node)
    if found is None:
        return None
    result = written(ctx, node, *found, place=True)
    assert isinstance(result, Place)
    index = tuple(i if _steady(i) else ctx.keep(i, "at") for i in result.index)
    return replace(result, index=index, spelling=None, macro=None)


def _stored(ctx: Context) -> c_ast.Node | None:
    """Return the value that a statement stores, `r = st.pop();`, or a call that it stores to."""
    match ctx.expression.discarded:
        case c_ast.Assignment(lvalue=c_ast.FuncCall() as target):
            return target
        case c_ast.Assignment(op="=", lvalue=c_ast.ID(), rvalue=value):
            return value
        case _:
            return None


def _seen(ctx: Context, node: c_ast.Node, device: Device) -> frozenset[int]:
    """Return the arguments that the ordering of side effects already knows to be changed by a call."""
    match node:
        case c_ast.FuncCall(name=c_ast.ID(name=name) | TemplateId(name=name)) if name in ctx.function.through:
            return ctx.function.through[name]
        case c_ast.FuncCall(name=c_ast.StructRef(type=".", field=c_ast.ID(name=name))):
            known = ctx.function.through.get(f".{name}", frozenset())
            if (
                side_effects.OBJECT not in known
                or node not in ctx.expression.survey
                or _holds_places(device.params[0])
            ):
                return frozenset()
            return frozenset({0, *(k + 1 for k in known if k >= 0)})
        case _:
            return frozenset()


@dataclass
class _Binding:
    """Binds the names of parameters to the arguments of a call."""

    ctx: Context
    inner: Context
    facts: _Facts
    changes: bool  # whether the function changes an argument, or what a struct's pointers point to
    writes: bool  # the same, or writes to what a pointer argument points to
    moved: frozenset[str]  # the pointers that it moves
    changed: set[Sym] = field(default_factory=set)  # the variables that it changes

    def bind(
        self, decl: c_ast.Node, name: str, type: Type, arg: c_ast.Node, reference: bool, open_: bool
    ) -> None:
        """Bind one parameter; if it is `open_`, the argument may be changed through it."""
        if isinstance(type, Struct):
            self._struct(decl, name, type, arg, reference, open_)
        elif isinstance(type, ir.Pointer):
            self._pointer(decl, name, type, arg, open_)
        else:
            self._number(decl, name, type, arg, reference, open_)

    def free(self, expr: Expr, uses: int) -> bool:
        """Whether the expression may replace the parameter wherever that is named."""
        read = {e.sym.within or e.sym for e in ir.walk(expr) if isinstance(e, Place)}
        if read & self.changed:
            return False
        return _steady(expr) or (self.facts.simple and uses <= 1 and not (self.changes and _loads(expr)))

    def _number(
        self, decl: c_ast.Node, name: str, type: Type, arg: c_ast.Node, reference: bool, open_: bool
    ) -> None:
        ctx, scope, span = self.ctx, self.inner.scopes[-1], self.ctx.span(decl)
        if reference:
            arg = glvalues.settled(ctx, arg)
        if open_ or (reference and self._may_change(arg, type)):
            at = dispatch.place(ctx, arg)
            at = replace(at, index=tuple(i if _steady(i) else ctx.keep(i, "at") for i in at.index))
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
        sym = Sym(name, type, span=span, origin="author")
        scope[name] = sym
        ctx.out.append(Declare(sym, expr, span=ctx.span(arg)))

    def _refuse_changing(self, arg: c_ast.Node, read: Sequence[Expr]) -> None:
        """Refuse a reference to one of two objects that this call may change: a copy would be stale."""
        if glvalues.may_change(read, self.changed, writes=self.writes):
            raise glvalues.refused(self.ctx, arg)

    def _may_change(self, arg: c_ast.Node, type: Type) -> bool:
        """Whether the referent of a `const` reference may be changed under another name: `v *= v.x`."""
        if not pointer_forms.is_place(self.ctx, arg):
            return False
        at = dispatch.place(self.ctx, arg)
        if not types.same(at.type, type):
            return False
        return (at.sym.within or at.sym) in self.changed or bool(at.index and self.writes)

    def _pointer(self, decl: c_ast.Node, name: str, type: ir.Pointer, arg: c_ast.Node, open_: bool) -> None:
        ctx, scope = self.ctx, self.inner.scopes[-1]
        if name in self.moved:
            what = f"the pointer `{name}`, which moves in a function that takes or returns a struct,"
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
            kept = tuple(i if _steady(i) else ctx.keep(i, f"{name}_at") for i in meant.index)
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
        at = replace(at, index=tuple(i if _steady(i) else ctx.keep(i, f"{name}_at") for i in at.index))
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
            what = f"`{ctx.unit.written.text(arg)}`, one of two objects, changed by a call"
            raise ctx.reject(
                Code.NOT_SUPPORTED, arg, what=what, help="make the call in both branches of an `if`"
            )
        if struct_variables.is_access(ctx, arg) and (not copied or self._stays(name, type, arg)):
            meant = struct_variables.access(ctx, arg)
            if meant.type != type:
                raise struct_values.mismatch(ctx, arg, meant.type, type)
            kept = tuple(i if _steady(i) else ctx.keep(i, "at") for i in meant.index)
            if open_:
                self.changed.add(meant.whole)
            scope[name] = Referred(replace(meant, index=kept))
            return
        if open_ and name != THIS:  # a method may change a temporary object
            raise ctx.type_error(arg, "a value is changed through a reference", "pass a variable")
        given = dispatch.initialised(ctx, arg, type)
        if reference and glvalues.is_choice(ctx, arg):
            self._refuse_changing(arg, list(given.leaves.values()))
        free = all(self.free(e, facts.uses(name, path)) for (path, _), e in given.leaves.items())
        if name not in facts.written and free and not arrays:
            scope[name] = Bound(type, given.leaves)
            return
        whole = Sym(name, type, span=ctx.span(decl), origin="author")
        scope[name] = whole
        struct_values.declare(ctx, whole, given, ctx.span(arg))

    def _stays(self, name: str, type: Struct, arg: c_ast.Node) -> bool:
        """Whether a struct of pointers stays unchanged throughout the call: nothing writes to its fields."""
        if self.facts.changes(name, type) or not any(
            isinstance(leaf.type, ir.Pointer) for leaf in leaves(type)
        ):
            return False
        whole = struct_variables.access(self.ctx, arg).whole
        return isinstance(whole.type, Struct) and whole not in self.changed


def handed_back(ctx: Context, node: c_ast.Node) -> c_ast.Node | None:
    """Return the variable that a call or an operator changes and returns by reference; None for a value."""
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
    what = f"`{ctx.unit.written.text(node)}`, which refers to an object that is changed through it"
    raise ctx.reject(
        Code.NOT_SUPPORTED, node, what=what, help="change the object itself, in the next statement"
    )


def _loads(expr: Expr) -> bool:
    """Whether an expression reads memory."""
    return any(isinstance(e, Place) and e.index for e in ir.walk(expr))
