"""Lower the parsed kernel and its closure to the typed IR.

The guarantees are documented in ir.py and checked by `ircheck.check`. All constructs that a
kernel may not contain yet are refused here by name, all at once.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Literal

from pycparser import c_ast

from ... import ir
from ...diagnostics import Code, Diagnostic, Rejected, diagnose
from ...ir import Const, Constant, Function, Parameter, Program, Scalar, Struct, Sym, TemplateArgument
from ..desugar import (
    cas_loops,
    nullable_lookups,
    pointer_holding_structs,
    readonly_params,
    row_casts,
    side_effects,
    two_target_pointers,
)
from ..sema import declarators, device_globals, dispatch, evaluation, function_templates
from ..sema.class_templates import Generic, definition, uses_generic
from ..sema.function_templates import Instances
from ..sema.meanings import Bindings, Device
from ..sema.scope import Context, Unit
from ..sema.variable_templates import VariableTemplates
from ..source.toplevel import DEVICE
from ..syntax import ast_utils
from ..syntax.classes import Class
from ..syntax.templates import Template, TemplateId
from ..syntax.translation_unit import Syntax
from ..types import types
from . import declarations, reference_args
from .features import ANSWERING as ANSWERING  # registers the handlers of all node classes

Dialect = Literal["primal", "adjoint", "emitted"]
"""primal: the code to differentiate. adjoint: the same in a file that s2sad wrote, with a tape and exchanges.
emitted: the code that s2sad writes, a larger language, to be read but not differentiated."""


def lower(syntax: Syntax, dialect: Dialect = "primal") -> Program:
    """Return the typed program. Raises Rejected with every reason."""
    if dialect != "emitted":
        syntax = nullable_lookups.settle(syntax)
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
    """Split pointers into one of two arrays into two pointers each; return whether there were any."""
    functions = [getattr(node, "function", node) for node in (syntax.kernel, *syntax.functions)]
    return (
        sum(
            two_target_pointers.settle(function, syntax.stands_for) for function in functions if function.body
        )
        > 0
    )


def _lowered(syntax: Syntax, dialect: Dialect) -> Program:
    problems: list[Diagnostic] = []
    ctx = Context(Unit(syntax, emitted=dialect == "emitted", adjoint=dialect == "adjoint"))
    ctx.unit.generic = generic = Generic(ctx)
    for template in syntax.classes:
        generic.add(template)
    ctx.unit.variable_templates = variable_templates = VariableTemplates(ctx, syntax.variables)
    declared_ = (node for nodes, _ in syntax.declarations for node in nodes)
    generic.aliases = [node for node in declared_ if isinstance(node, c_ast.Typedef)]
    ctx.unit.assigned = _assigned(syntax)
    functions = ctx.unit.bodies
    calls: dict[str, set[str]] = {}
    templates = [n for n in syntax.functions if isinstance(n, Template)]
    ctx.unit.instances = made = Instances(ctx, templates, functions, calls, problems)
    file_constants = _file_scope(ctx, syntax, generic.texts)
    problems.extend(ctx.problems)
    devices = _devices(ctx, [n for n in syntax.functions if not isinstance(n, Template)])
    if not ctx.unit.emitted:
        parsed = [*syntax.types, *syntax.classes, *syntax.functions, syntax.kernel]
        classes = [c for node in parsed for c in _classes(node)]
        ctx.function.reading = readonly_params.known(syntax.functions, generic.aliases, _acting(classes))
        ctx.function.through = reference_args.through(syntax.functions, classes, ctx.function.reading)
        known = pointer_holding_structs.holders(parsed, generic.aliases)
        more = pointer_holding_structs.through(syntax.functions, classes, known, ctx.function.reading)
        ctx.function.through = {
            name: ctx.function.through.get(name, frozenset()) | more.get(name, frozenset())
            for name in ctx.function.through.keys() | more.keys()
        }
    problems.extend(d for d in ctx.problems if d not in problems)
    overloads: dict[str, list[Diagnostic]] = {}  # problems of each overload, reported if a call means it
    for node in syntax.functions:
        device = devices.get(id(node))
        if device is not None and device.inline is None and not device.atomic:
            one_of_several = len(ctx.unit.functions[device.name]) > 1 or made.known(device.name)
            found = overloads.setdefault(device.key, []) if one_of_several else problems
            functions[device.key], calls[device.key] = dispatch.function(ctx, node, found, is_kernel=False)
    bound: Bindings = {}
    if syntax.template is not None:
        bound = function_templates.of_kernel(ctx, syntax.template, syntax.arguments, problems)
    kernel, called = dispatch.function(ctx, syntax.kernel, problems, is_kernel=True, bound=bound)
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
        tuple(generic.texts),
        dict(syntax.pragma),
        tuple(syntax.choices),
        tuple(TemplateArgument(a.name, a.text, a.origin, a.choices, a.is_free) for a in syntax.arguments),
        tuple(sorted(_each_once([*syntax.remarks, *ctx.function.remarks]), key=_place)),
        syntax.one_dimensional,
        tuple(ctx.variables),
        variable_templates.spelled,
        frozenset(ctx.lone),
        bool(ctx.unit.carried),
        frozenset(sym.name for sym in ctx.function.begun_by),
        tuple(ctx.unit.rows),
        ctx.unit.adjoint,
        tuple(ctx.unit.vectors),
        frozenset(ctx.unit.multiplied),
    )


def _classes(node: c_ast.Node) -> Iterator[Class]:
    """Yield every class that is defined in a node."""
    if isinstance(node, Class):
        yield node
    for _, child in node.children():
        yield from _classes(child)


def _each_once(remarks: Sequence[Diagnostic]) -> list[Diagnostic]:
    return [remark for k, remark in enumerate(remarks) if remark not in remarks[:k]]


def _place(problem: Diagnostic) -> tuple[str, int]:
    return (problem.span.source.name, problem.span.start) if problem.span else ("", 0)


def _reached(called: set[str], calls: dict[str, set[str]]) -> set[str]:
    """Return the functions that are reachable from these through calls."""
    reached: set[str] = set()
    todo = list(called)
    while todo:
        key = todo.pop()
        if key not in reached:
            reached.add(key)
            todo.extend(calls.get(key, ()))
    return reached


def _recursion(functions: dict[str, Function], calls: dict[str, set[str]]) -> list[Diagnostic]:
    """Diagnose functions that call themselves through an overload; the parser sees names only."""
    done: set[str] = set()
    while ready := [key for key in functions if key not in done and calls[key] <= done]:
        done.update(ready)
    return [
        diagnose(Code.RECURSION, function.span, name=function.name)
        for key, function in functions.items()
        if key not in done
    ]


# ---- file scope -------------------------------------------------------------


def _file_scope(ctx: Context, syntax: Syntax, texts: list[str]) -> list[Constant]:
    """Declare the file's typedefs, enumerators and constants in order, as each may use earlier ones.

    `texts` receives the type definitions for the emitted file.
    """
    found: list[Constant] = []
    early: set[str] = set()
    enums: set[str] = set()
    for nodes, text in syntax.declarations:
        for node in nodes:
            early |= _constexpr(ctx, syntax, node)
            _declare(ctx, node, found)
            enums |= {name for name in _names(node) if _is_enumeration(node.type, enums)}
        if text:
            texts.extend(_text(ctx, nodes, text, enums))
    for name in early:
        del ctx.unit.functions[name]
    return found


def _constexpr(ctx: Context, syntax: Syntax, node: c_ast.Node) -> set[str]:
    """Lower the `constexpr` functions that a declaration of the file calls; return their names.

    All functions are lowered after the file's constants, which they may use. These are needed
    before the constants that they compute.
    """
    wanted = _called(node)
    plain = [f for f in syntax.functions if not isinstance(f, Template) and "constexpr" in _words(f)]
    for function in reversed(plain):  # callees come before their callers
        if function.decl.name in wanted:
            wanted |= _called(function.body)
    ready = [f for f in plain if f.decl.name in wanted - ctx.unit.functions.keys()]
    devices = _devices(ctx, ready)
    for function in ready:
        device = devices.get(id(function))
        if device is not None and device.inline is None:
            problems: list[Diagnostic] = []
            ctx.unit.bodies[device.key], _ = dispatch.function(ctx, function, problems, is_kernel=False)
    return {device.name for device in devices.values()}


def _called(node: c_ast.Node | None) -> set[str]:
    """Return the names that are called in a node."""
    calls = (part for part in ast_utils.walk(node) if isinstance(part, c_ast.FuncCall))
    return {name.name for call in calls if isinstance(name := call.name, c_ast.ID | TemplateId)}


def _words(node: c_ast.FuncDef) -> set[str]:
    return {*(node.decl.storage or ()), *(node.decl.funcspec or ())}


def _declare(ctx: Context, node: c_ast.Node, found: list[Constant]) -> None:
    try:
        match node:
            case c_ast.Typedef():
                declarations.typedef(ctx, node)
            case c_ast.Decl(name=None):
                declarators.type_of(ctx, node.type)
            case c_ast.Decl():
                made = _constant(ctx, node)
                found += [made] if made is not None else []
    except Rejected as rejected:
        ctx.note(rejected)


def _names(node: c_ast.Node) -> set[str]:
    """Return the names that a declaration of a type gives it."""
    return {name for name in (node.name, getattr(node.type, "name", None)) if isinstance(name, str)}


def _is_enumeration(type: c_ast.Node | None, enums: Collection[str]) -> bool:
    """Whether a declarator is of an enumeration, by one of these names or defined in it."""
    match type:
        case c_ast.TypeDecl() | c_ast.ArrayDecl() | c_ast.PtrDecl():
            return _is_enumeration(type.type, enums)
        case c_ast.IdentifierType(names=[name]):
            return name in enums
        case _:
            return isinstance(type, c_ast.Enum)


def _text(ctx: Context, nodes: Sequence[c_ast.Node], text: str, enums: Collection[str]) -> list[str]:
    """Return a definition for the emitted file: as written, unless that uses names the file lacks.

    A field of an enumeration is an integer there, as values of it are everywhere: C++ doesn't convert these
    to the enumeration, and those of a scoped one not to an integer.
    """
    classes = (found for node in nodes for found in _classes(node))
    integers = any(
        _is_enumeration(getattr(field, "type", None), enums) for found in classes for field in found.decls
    )
    if not integers and not any(uses_generic(node) or _has_made_extent(node) for node in nodes):
        return [text]
    named = [getattr(node.type, "name", None) or getattr(node, "name", None) for node in nodes]
    known = [found[0] for name in named if name is not None and (found := ctx.typedef(name)) is not None]
    return [definition(type) for type in known if isinstance(type, Struct) and type.name in named]


def _has_made_extent(node: c_ast.Node) -> bool:
    """Whether a function computes the extent of an array in a definition."""
    extents = (part.dim for part in ast_utils.walk(node) if isinstance(part, c_ast.ArrayDecl))
    return any(_called(extent) for extent in extents)


def _constant(ctx: Context, node: c_ast.Decl) -> Constant | None:
    """Lower a constant of the file: a scalar is folded wherever it is named, an array is read as an array.

    Return None for a variable that gets its values from outside.
    """
    words = {*(node.storage or ()), *(node.funcspec or ()), *(node.quals or ())}
    ctx.poison(node.name)
    type, const = declarators.type_of(ctx, node.type)
    type = declarations.complete(ctx, node, type)
    const = const or "constexpr" in words
    fixed = const or "__constant__" in words
    outside = node.init is None or not fixed or isinstance(type, Struct)
    if words & DEVICE and outside:
        device_globals.declare(ctx, node, type, fixed or node.name not in ctx.unit.assigned)
        return None
    sym = Sym(
        node.name,
        type,
        "global",
        span=ctx.span(node),
        const=const or "__constant__" in words,
        origin="author",
    )
    if not const and "__constant__" not in words:
        raise ctx.reject(Code.FILE_VARIABLE, node, name=node.name, why="the host or a kernel can change it")
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
        value = evaluation.constant(ctx, declare.init)
        if value is not None:
            ctx.scopes[0][node.name] = Const(value, type, spelling=node.name)
    return Constant(sym, _constant_text(ctx, node, sym, declare.init), declare.init)


def _statement_text(ctx: Context, node: c_ast.Node) -> str:
    text = ctx.unit.written.text(node)
    return text if text.endswith(";") else f"{text};"


def _constant_text(ctx: Context, node: c_ast.Decl, sym: Sym, init: ir.Expr | ir.Initialiser | None) -> str:
    """Return the definition as written; a later name in a declaration list gets one of its own.

    A value computed by a function is written as a number: the adjoint's file may lack the function.
    """
    text = _statement_text(ctx, node)
    value = ctx.scopes[0][sym.name]
    if isinstance(value, Const) and isinstance(init, ir.Expr) and _is_made(init):
        written = f"constexpr {types.spell(sym.type)} {sym.name} = {types.spelled(value.value, value.type)};"
        return f"{written}  // {ctx.unit.written.text(node.init)}"
    if not text.startswith(sym.name):
        return text
    element = sym.type.element if isinstance(sym.type, ir.Array) else sym.type
    return f"const {types.spell(element)} {text}"


def _is_made(value: ir.Expr) -> bool:
    """Whether a function of the file computes a value."""
    return any(isinstance(part, ir.Call) and part.callee is not None for part in ir.walk(value))


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
    """Return the names that something in the closure may write to."""
    functions = [getattr(node, "function", node) for node in (syntax.kernel, *syntax.functions)]
    through = reference_args.through(syntax.functions)
    bodies = [side_effects.touched(f.body, through) for f in functions if f.body is not None]
    return frozenset(name for found in bodies for name in found.writes)


def _hidden(found: Sequence[Sym], functions: Sequence[Function]) -> Iterator[Diagnostic]:
    """Diagnose variables of a function that hide a variable of the file."""
    names = {sym.variable for sym in found}
    for function in functions if names else ():
        own = [*function.syms, *(s.sym for s in ir.statements(function.body) if isinstance(s, ir.Declare))]
        for sym in own:
            if sym.variable in names:
                what = f"`{sym.variable}` in `{function.name}`, which hides a global variable"
                yield diagnose(Code.NOT_SUPPORTED, sym.span, what=what, help="rename one of them")


# ---- functions --------------------------------------------------------------


def _devices(ctx: Context, nodes: Sequence[c_ast.FuncDef]) -> dict[int, Device]:
    """Return the signatures of the device functions by the id of their definition; overload keys differ."""
    found: dict[int, Device] = {}
    keys: set[str] = set()
    for node in nodes:
        try:
            params = tuple(declarators.decayed(ctx, p) for p in declarators.parameters(node))
            result = declarators.result_of(ctx, node)
        except Rejected as rejected:
            ctx.note(rejected)
            continue
        name = node.decl.name
        key = name if name not in keys else "_".join([name, *(types.mangled(t) for t in params)])
        keys.add(key)
        defaults = tuple(getattr(p, "init", None) for p in declarators.parameters(node))
        atomic = "" if ctx.unit.emitted else cas_loops.atomic(node)
        device = Device(key, name, params, result, defaults, atomic=atomic)
        found[id(node)] = declarators.with_structs(device, node)
        ctx.unit.add(found[id(node)])
    return found
