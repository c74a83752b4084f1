"""From the parsed kernel and its closure to the typed IR.

What this guarantees is written in ir.py and checked by `ircheck.check`. Everything
that a kernel may not contain yet is refused here by name, all of it at once.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Literal

from pycparser import c_ast

from .. import ir
from ..diagnostics import Code, Diagnostic, Rejected, diagnose
from ..ir import (
    Const,
    Constant,
    Function,
    Parameter,
    Pointer,
    Program,
    Scalar,
    Struct,
    Sym,
    TemplateArgument,
    Type,
)
from ..source import Span
from . import (
    aliases,
    casloop,
    constants,
    declarations,
    declared,
    effects,
    either,
    finders,
    holders,
    instances,
    lower_stmt,
    numbers,
    overlaid,
    passing,
    regions,
    row_casts,
    types,
    unwritten,
    variables,
    wholes,
)
from .angles import Template
from .classes import Class
from .context import Alias, Bindings, Context, Device
from .generic import Generic, definition, uses_generic
from .instances import Instances
from .items import DEVICE
from .syntax import Syntax
from .variable_templates import VariableTemplates

Dialect = Literal["primal", "emitted"]
"""primal: what is differentiated. emitted: what s2sad writes, which is more."""


def lower(syntax: Syntax, dialect: Dialect = "primal") -> Program:
    """The typed program. Raises Rejected with every reason."""
    if dialect == "primal":
        syntax = finders.settle(syntax)
        for node in (syntax.kernel, *syntax.functions):
            function = getattr(node, "function", node)
            if function.body is not None:
                row_casts.settle(function, syntax.stands_for)
    try:
        return _lowered(syntax, dialect)
    except Rejected as rejected:
        if all(d.code is not Code.POINTS_TO_TWO for d in rejected.diagnostics) or not _settled(syntax):
            raise
    return _lowered(syntax, dialect)


def _settled(syntax: Syntax) -> bool:
    """Whether there are pointers into one of two arrays that are two pointers from here on."""
    functions = [getattr(node, "function", node) for node in (syntax.kernel, *syntax.functions)]
    return sum(either.settle(function, syntax.stands_for) for function in functions if function.body) > 0


def _lowered(syntax: Syntax, dialect: Dialect) -> Program:
    problems: list[Diagnostic] = []
    ctx = Context(syntax, emitted=dialect == "emitted")
    ctx.generic = Generic(ctx)
    for template in syntax.classes:
        ctx.generic.add(template)
    ctx.variable_templates = VariableTemplates(ctx, syntax.variables)
    declared_ = (node for nodes, _ in syntax.declarations for node in nodes)
    ctx.generic.aliases = [node for node in declared_ if isinstance(node, c_ast.Typedef)]
    ctx.assigned = _assigned(syntax)
    file_constants = _file_scope(ctx, syntax)
    problems.extend(ctx.problems)
    devices = _devices(ctx, [n for n in syntax.functions if not isinstance(n, Template)])
    if not ctx.emitted:
        parsed = [*syntax.types, *syntax.classes, *syntax.functions, syntax.kernel]
        classes = [c for node in parsed for c in _classes(node)]
        ctx.reading = unwritten.known(syntax.functions, ctx.generic.aliases, _acting(classes))
        ctx.through = passing.through(syntax.functions, classes, ctx.reading)
        known = holders.holders(parsed, ctx.generic.aliases)
        more = holders.through(syntax.functions, classes, known, ctx.reading)
        ctx.through = {
            name: ctx.through.get(name, frozenset()) | more.get(name, frozenset())
            for name in ctx.through.keys() | more.keys()
        }
    problems.extend(d for d in ctx.problems if d not in problems)
    functions: dict[str, Function] = {}
    calls: dict[str, set[str]] = {}
    made = Instances(
        ctx, [n for n in syntax.functions if isinstance(n, Template)], functions, calls, problems
    )
    ctx.instances = made
    overloads: dict[str, list[Diagnostic]] = {}  # what is wrong with each, if it is what a call means
    for node in syntax.functions:
        device = devices.get(id(node))
        if device is not None and device.inline is None and not device.atomic:
            one_of_several = len(ctx.functions[device.name]) > 1 or made.known(device.name)
            found = overloads.setdefault(device.key, []) if one_of_several else problems
            functions[device.key], calls[device.key] = function(ctx, node, found, is_kernel=False)
    bound: Bindings = {}
    if syntax.template is not None:
        bound = instances.of_kernel(ctx, syntax.template, syntax.arguments, problems)
    kernel, called = function(ctx, syntax.kernel, problems, is_kernel=True, bound=bound)
    needed = _reached(called, calls)
    for key, found in overloads.items():
        if key in needed:
            problems.extend(found)
        elif found:
            del functions[key]
    if not problems:
        problems.extend(_recursion(functions, calls))
    problems.extend(_hidden(ctx.variables, (kernel, *functions.values())))
    if problems:
        raise Rejected(*sorted(problems, key=_place))
    kernel = replace(kernel, params=(*kernel.params, *(Parameter(sym, sym.span) for sym in ctx.variables)))
    return Program(
        kernel,
        functions,
        tuple(file_constants),
        dict(syntax.macros),
        tuple(ctx.generic.texts),
        dict(syntax.pragma),
        tuple(syntax.choices),
        tuple(TemplateArgument(a.name, a.text, a.origin) for a in syntax.arguments),
        tuple(sorted(_each_once([*syntax.remarks, *ctx.remarks]), key=_place)),
        syntax.one_dimensional,
        tuple(ctx.variables),
        ctx.variable_templates.spelled,
        frozenset(ctx.lone),
        bool(ctx.carried),
        frozenset(sym.name for sym in ctx.begun_by),
    )


def _classes(node: c_ast.Node) -> Iterator[Class]:
    """Every class that is defined in a node."""
    if isinstance(node, Class):
        yield node
    for _, child in node.children():
        yield from _classes(child)


def _each_once(remarks: Sequence[Diagnostic]) -> list[Diagnostic]:
    return [remark for k, remark in enumerate(remarks) if remark not in remarks[:k]]


def _place(problem: Diagnostic) -> tuple[str, int]:
    return (problem.span.source.name, problem.span.start) if problem.span else ("", 0)


def _reached(called: set[str], calls: dict[str, set[str]]) -> set[str]:
    """The functions that these call, and that those call, and so on."""
    reached: set[str] = set()
    todo = list(called)
    while todo:
        key = todo.pop()
        if key not in reached:
            reached.add(key)
            todo.extend(calls.get(key, ()))
    return reached


def _recursion(functions: dict[str, Function], calls: dict[str, set[str]]) -> list[Diagnostic]:
    """Functions that call themselves through an overload; the parser sees names only."""
    done: set[str] = set()
    while ready := [key for key in functions if key not in done and calls[key] <= done]:
        done.update(ready)
    return [
        diagnose(Code.RECURSION, function.span, name=function.name)
        for key, function in functions.items()
        if key not in done
    ]


# ---- file scope -------------------------------------------------------------


def _file_scope(ctx: Context, syntax: Syntax) -> list[Constant]:
    """Declare typedefs, enumerators and constants of the file, each of which may need those before it."""
    found: list[Constant] = []
    assert ctx.generic is not None
    for nodes, text in syntax.declarations:
        for node in nodes:
            _declare(ctx, node, found)
        if text:
            ctx.generic.texts.extend(_text(ctx, nodes, text))
    return found


def _declare(ctx: Context, node: c_ast.Node, found: list[Constant]) -> None:
    try:
        match node:
            case c_ast.Typedef():
                declarations.typedef(ctx, node)
            case c_ast.Decl(name=None):
                declared.type_of(ctx, node.type)
            case c_ast.Decl():
                made = _constant(ctx, node)
                found += [made] if made is not None else []
    except Rejected as rejected:
        ctx.note(rejected)


def _text(ctx: Context, nodes: Sequence[c_ast.Node], text: str) -> list[str]:
    """What the emitted file has of a definition: as written, unless that names what the file lacks."""
    if not any(uses_generic(node) for node in nodes):
        return [text]
    named = [getattr(node.type, "name", None) or getattr(node, "name", None) for node in nodes]
    known = [found[0] for name in named if name is not None and (found := ctx.typedef(name)) is not None]
    return [definition(type) for type in known if isinstance(type, Struct) and type.name in named]


def _constant(ctx: Context, node: c_ast.Decl) -> Constant | None:
    """A constant of the file: a scalar is folded wherever it is named, an array is read as one.

    None of a variable that gets its values from outside.
    """
    words = {*(node.storage or ()), *(node.funcspec or ()), *(node.quals or ())}
    ctx.poison(node.name)
    type, const = declared.type_of(ctx, node.type)
    type = declarations.complete(ctx, node, type)
    const = const or "constexpr" in words
    fixed = const or "__constant__" in words
    outside = node.init is None or not fixed or isinstance(type, Struct)
    if words & DEVICE and outside:
        variables.declare(ctx, node, type, fixed or node.name not in ctx.assigned)
        return None
    sym = Sym(node.name, type, "global", span=ctx.span(node), const=const or "__constant__" in words)
    if not const and "__constant__" not in words:
        raise ctx.reject(Code.FILE_VARIABLE, node, name=node.name, why="it can be changed from outside")
    if node.init is None:
        raise ctx.reject(Code.FILE_VARIABLE, node, name=node.name, why="it has no initialiser")
    if isinstance(type, ir.Pointer):
        raise ctx.reject(Code.POINTER_VARIABLE, node, name=node.name)
    with ctx.collecting():
        declarations.initialise(ctx, node, sym)
        declare = ctx.out[-1]
    assert isinstance(declare, ir.Declare)
    ctx.scopes[0][node.name] = sym
    if const and isinstance(type, Scalar) and isinstance(declare.init, ir.Expr):
        value = constants.evaluate(declare.init, ctx.values)
        if value is not None:
            ctx.scopes[0][node.name] = Const(value, type, spelling=node.name)
    return Constant(sym, _constant_text(ctx, node, sym), declare.init)


def _statement_text(ctx: Context, node: c_ast.Node) -> str:
    text = ctx.written.text(node)
    return text if text.endswith(";") else f"{text};"


def _constant_text(ctx: Context, node: c_ast.Decl, sym: Sym) -> str:
    """The definition as written; of a later name in a list of several, one of its own."""
    text = _statement_text(ctx, node)
    if not text.startswith(sym.name):
        return text
    element = sym.type.element if isinstance(sym.type, ir.Array) else sym.type
    return f"const {types.spell(element)} {text}"


def _acting(classes: Iterable[Class]) -> bool:
    """Whether some class has an operator that may change its object and isn't an assignment."""
    return any(
        re.fullmatch(r"operator(\W|<<|>>|->|\W=|&&|\|\|)", m.decl.name) is not None
        and m.decl.name not in ("operator=", "operator+=", "operator-=", "operator*=", "operator/=")
        and id(m) not in node.constant
        and id(m) not in node.static
        for node in classes
        for m in node.methods
    )


def _assigned(syntax: Syntax) -> frozenset[str]:
    """The names that something in the closure may write to."""
    functions = [getattr(node, "function", node) for node in (syntax.kernel, *syntax.functions)]
    through = passing.through(syntax.functions)
    bodies = [effects.touched(f.body, through) for f in functions if f.body is not None]
    return frozenset(name for found in bodies for name in found.writes)


def _hidden(found: Sequence[Sym], functions: Sequence[Function]) -> Iterator[Diagnostic]:
    """Variables of the file that a function has another variable of the same name beside."""
    names = {sym.variable for sym in found}
    for function in functions if names else ():
        own = [*function.syms, *(s.sym for s in ir.statements(function.body) if isinstance(s, ir.Declare))]
        for sym in own:
            if sym.variable in names:
                what = f"`{sym.variable}` in `{function.name}`, which hides a variable of the file"
                yield diagnose(Code.NOT_SUPPORTED, sym.span, what=what, help="rename one of them")


# ---- functions --------------------------------------------------------------


def _devices(ctx: Context, nodes: Sequence[c_ast.FuncDef]) -> dict[int, Device]:
    """The signatures of the device functions, by the id of their definition; overloads differ in key."""
    found: dict[int, Device] = {}
    keys: set[str] = set()
    for node in nodes:
        try:
            params = tuple(decayed(ctx, p) for p in parameters(node))
            result, _ = declared.type_of(ctx, node.decl.type.type)
        except Rejected as rejected:
            ctx.note(rejected)
            continue
        name = node.decl.name
        key = name if name not in keys else "_".join([name, *(types.mangled(t) for t in params)])
        keys.add(key)
        defaults = tuple(getattr(p, "init", None) for p in parameters(node))
        atomic = "" if ctx.emitted else casloop.atomic(node)
        found[id(node)] = with_structs(Device(key, name, params, result, defaults, atomic=atomic), node)
        ctx.functions[name] = (*ctx.functions.get(name, ()), found[id(node)])
    return found


def with_structs(device: Device, node: c_ast.FuncDef, *, always: bool = False) -> Device:
    """The function; one of structs is written into its callers, and a reference is what it refers to.

    One of numbers is, too, if it returns a reference, or with `always`.
    """
    params = [_referred(p) for p in device.params]
    refers = isinstance(device.result, Pointer) and device.result.reference
    if not (always or refers) and not any(wholes.is_struct(t) for t in (*params, _referred(device.result))):
        return device
    references = frozenset(k for k, p in enumerate(device.params) if isinstance(p, Pointer) and p.reference)
    fixed = frozenset(k for k in references if getattr(device.params[k], "const", False))
    return replace(
        device,
        params=tuple(params),
        result=_referred(device.result),
        inline=node,
        references=references,
        fixed=fixed,
    )


def result_of(ctx: Context, node: c_ast.FuncDef) -> Type:
    """The type of what a function returns."""
    return declared.type_of(ctx, node.decl.type.type)[0]


def _referred(type: Type) -> Type:
    return type.target if isinstance(type, Pointer) and type.reference else type


def parameters(node: c_ast.FuncDef) -> list[c_ast.Decl]:
    args = node.decl.type.args
    params = list(args.params) if args is not None else []
    if len(params) == 1 and isinstance(params[0], c_ast.Typename):
        only = params[0].type
        if isinstance(only, c_ast.TypeDecl) and getattr(only.type, "names", None) == ["void"]:
            return []
    return params


def decayed(ctx: Context, node: c_ast.Node) -> Type:
    """The type of a parameter; an array's is a pointer."""
    type, _ = _parameter_type(ctx, node)
    return type


def _parameter_type(ctx: Context, node: c_ast.Node) -> tuple[Type, bool]:
    if isinstance(node.type, c_ast.ArrayDecl):
        element, const = declared.type_of(ctx, node.type.type)
        return Pointer(element, const=const), False
    type, const = declared.type_of(ctx, node.type)
    if isinstance(type, Pointer) and type.reference and isinstance(type.target, ir.Array):
        rows = type.target.extents[1:]  # a reference to an array is used as a pointer to its elements is
        target = replace(type.target, extents=rows, spelled=type.target.spelled[1:]) if rows else None
        return Pointer(target or type.target.element, const=type.const), False
    return type, const


def function(
    ctx: Context,
    node: c_ast.FuncDef,
    problems: list[Diagnostic],
    *,
    is_kernel: bool,
    bound: Bindings | None = None,
    name: str = "",
    result: Type | None = None,
    returned: list[Type] | None = None,
) -> tuple[Function, set[str]]:
    """Lower one function in a context of its own; also the keys of what it calls.

    `bound` are the parameters of its template, `name` what it is called if not as written,
    `result` what it returns where that is `auto`; to find that out, `returned` collects types.
    """
    inner = Context(
        ctx.written,
        emitted=ctx.emitted,
        scopes=[ctx.scopes[0]],
        typedefs=[ctx.typedefs[0]],
        functions=ctx.functions,
        instances=ctx.instances,
        pairs=ctx.pairs,
        overlaid=ctx.overlaid,
        carried=ctx.carried,
        begun_by=ctx.begun_by,
        generic=ctx.generic,
        variable_templates=ctx.variable_templates,
        remarks=ctx.remarks,
        aliases={name for name, named in ctx.scopes[0].items() if isinstance(named, Alias)},
        parts=dict(ctx.parts),
        variables=ctx.variables,
        classes=ctx.classes,
        values=dict(ctx.values),
        through=ctx.through,
        reading=ctx.reading,
        taken=_identifiers(ctx.written.text(node)) | set(ctx.scopes[0]) | set(ctx.functions),
    )
    inner.bind(bound or {})
    inner.returned = returned
    name = name or node.decl.name
    params: list[Parameter] = []
    body: ir.Body = ()
    with inner.scope():
        try:
            if result is None:
                result, _ = declared.type_of(inner, node.decl.type.type)
            if isinstance(result, Pointer) and not inner.emitted:
                raise inner.reject(Code.POINTER_PARAMETER, node.decl, function=name, name="its result")
        except Rejected as rejected:
            inner.note(rejected)
        result = result or ir.VOID
        inner.result = result
        for decl in parameters(node):
            try:
                params.extend(_parameter(inner, decl, name, node.body, is_kernel=is_kernel))
            except Rejected as rejected:
                inner.note(rejected)
        if is_kernel and result != ir.VOID:
            inner.note(
                inner.type_error(node.decl, f"the kernel `{name}` returns a value", "a kernel is void")
            )
        inner.root = node.body
        inner.moved = aliases.moved(node.body)
        inner.later = tuple(node.body.block_items or ())
        with inner.collecting() as out:  # a parameter's scope is that of the body
            decls = {decl.name: decl for decl in parameters(node)}
            for parameter in params:
                if parameter.sym.name in decls:
                    aliases.parameter(inner, parameter.sym, decls[parameter.sym.name])
            lower_stmt.statements(inner, node.body.block_items or ())
        body = tuple(out)
        for unwritten in regions.unwritten(inner, body):
            inner.note(unwritten)
        if result != ir.VOID and not lower_stmt.ends(body) and not inner.problems:
            inner.note(inner.reject(Code.MISSING_RETURN, node.decl, name=name, type=types.spell(result)))
    problems.extend(d for d in inner.problems if d not in problems)
    attributes = tuple(inner.substituted(word) for word in _attributes(ctx, node))
    span = _name_span(ctx, node)
    return Function(name, tuple(params), result, body, is_kernel, attributes, span), inner.called


def _parameter(
    ctx: Context, node: c_ast.Node, function: str, body: c_ast.Node, *, is_kernel: bool
) -> list[Parameter]:
    """A parameter; one of a struct type is several."""
    span = ctx.span(node)
    name = getattr(node, "name", None)
    if name is None:
        raise ctx.reject(Code.NOT_SUPPORTED, node, what="a parameter without a name", help="name it")
    written = node
    if is_kernel and _restricted(node):
        node = _steady(node)
    try:
        type, const = _parameter_type(ctx, node)
        flag = isinstance(type, Pointer) and isinstance(type.target, Scalar) and not type.target.is_float
        if "volatile" in (written.quals or () if flag else node.quals or ()):  # of flags, threads wait
            raise ctx.reject(Code.VOLATILE, node, name=name)
        if isinstance(type, Pointer) and not ctx.emitted:
            if type.reference and is_kernel:
                raise ctx.reject(Code.NO_REFERENCES, node, name=f": `{name}`")
            if not is_kernel:
                if not passing.is_place(type):
                    raise ctx.reject(Code.POINTER_PARAMETER, node, function=function, name=name)
            elif isinstance(type.target, Struct) and type.target.extents:
                what = f"`{name}`, a pointer to {types.spell(type.target)}"
                help = f"pass a pointer to {type.target.name} and compute the index"
                raise ctx.reject(Code.NOT_SUPPORTED, node, what=what, help=help)
            elif not isinstance(type.target, Scalar | Struct | ir.Array) or type.target == ir.VOID:
                what = f"`{name}`, a pointer to {types.spell(type.target)}"
                raise ctx.reject(Code.NOT_SUPPORTED, node, what=what, help="pass one pointer to numbers")
            if is_kernel and isinstance(type.target, Struct) and not type.target.fields:
                of = type.target.name
                if any(
                    known.startswith(f"{of}::") for known in ctx.functions
                ):  # else it is said what is wrong
                    what = f"`{name}`, a pointer to what has nothing in it"
                    help = f"make a {of} in the kernel"
                    raise ctx.reject(Code.NOT_SUPPORTED, node, what=what, help=help)
        if is_kernel:
            overlaid.refuse_inside(ctx, node, type)
    except Rejected:
        ctx.poison(name)
        raise
    sym = Sym(name, type, "parameter", span=span, const=const)
    ctx.declare(sym, node)
    if is_kernel and (counted := numbers.parameter(ctx, sym, body)) is not None:
        return [Parameter(counted, span=span)]
    if is_kernel and isinstance(type, Struct) and not type.fields:  # a functor: itself is all there is
        if ctx.generic is not None:
            ctx.generic.kept(type)
    elif wholes.is_struct(type):
        return [Parameter(part, span=span) for part in wholes.declare_parts(ctx, sym).values()]
    return [Parameter(sym, span=span)]


def _restricted(node: c_ast.Node) -> bool:
    """Whether a parameter is `volatile float *__restrict__ x`, which nothing is known to change but x.

    Then `volatile` is about the compiler only: what other threads do to x is no race, as anywhere.
    """
    return (
        isinstance(node.type, c_ast.PtrDecl)
        and "__restrict__" in (node.type.quals or ())
        and isinstance(node.type.type, c_ast.TypeDecl)
    )


def _steady(node: c_ast.Decl) -> c_ast.Decl:
    """The declaration of such a parameter without `volatile`."""
    made, pointer, target = copy.copy(node), copy.copy(node.type), copy.copy(node.type.type)
    for part in (made, target):
        part.quals = [word for word in part.quals or () if word != "volatile"]
    made.type, pointer.type = pointer, target
    return made


def _identifiers(text: str) -> set[str]:
    return set(re.findall(r"[A-Za-z_]\w*", text))


def _attributes(ctx: Context, node: c_ast.FuncDef) -> tuple[str, ...]:
    return tuple(str(word) for word in (*(node.decl.storage or ()), *(node.decl.funcspec or ())))


def _name_span(ctx: Context, node: c_ast.FuncDef) -> Span | None:
    """The span of the function's name."""
    whole = ctx.span(node)
    if whole is None:
        return None
    match = re.compile(rf"\b{re.escape(node.decl.name)}\b\s*[(<]").search(
        whole.source.text, whole.start, whole.end
    )
    if match is None:
        return ctx.span(node.decl)
    return Span(whole.source, match.start(), match.start() + len(node.decl.name))
