"""Move shared memory that is declared outside the kernel into it, and pass it on to functions.

    extern __shared__ float part[];            __device__ float left(float part[], int t)
                                               {
    __device__ float left(int t)                   return part[t - 1];
    {                                    ->    }
        return part[t - 1];                    __global__ void k(…)
    }                                          {
    __global__ void k(…)                           extern __shared__ float part[];
    {                                              … left(part, t) …
        … left(t) …                            }
    }

Dynamic shared memory is one memory for all of its names, whether the file declares them, the
kernel, or a function that it calls. The kernel has one name for it; a function whose own name
has another type gets the kernel's name converted.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from pycparser import c_ast

from ...diagnostics import Code, Rejected, diagnose
from ...source import Span
from ..syntax import ast_utils
from ..syntax.positions import Range
from ..syntax.templates import TemplateId

Written = Callable[[Any], Span]
"""Returns the span of a node."""


def is_shared(decl: Any) -> bool:
    """Whether a declaration is of shared memory."""
    return "__shared__" in _words(decl)


def is_launched(decl: Any) -> bool:
    """Whether a declaration is of dynamic shared memory, whose extent the launch gives."""
    return is_shared(decl) and "extern" in _words(decl)


def declare(
    bodies: Sequence[Any],
    others: Sequence[Any],
    used: Mapping[int, Sequence[Any]],
    ranges: dict[int, Range],
    span: Written,
) -> None:
    """Declare such arrays in the kernel, and make them the first parameters of functions.

    `bodies` are the kernel and the functions that it reaches, `others` the classes, `used` the file's
    declarations that each of them uses, by its id. Raises Rejected.
    """
    kernel, *functions = bodies
    bodies = [function for function in functions if function.body is not None]
    needs: dict[str, dict[str, Any]] = {}
    for function in bodies:
        for decl in (*used[id(function)], *_taken_out(function)):
            needs.setdefault(function.decl.name, {})[decl.name] = decl
    if not needs and not used[id(kernel)]:
        return
    _through_calls(bodies, needs)
    _refuse(bodies, others, used, needs, span)
    calls = [call for call in _calls(kernel.body) if _name(call) in needs]
    wanted = {decl.name: decl for decl in used[id(kernel)]}
    own = {item.name: item for item in _declared(kernel.body) if is_launched(item)}
    for call in calls:
        for name, decl in needs[_name(call)].items():
            wanted.setdefault(name, decl)
    names = [*own.values(), *(decl for decl in wanted.values() if is_launched(decl))]
    launched: Any = names[0] if names else None
    for decl in used[id(kernel)]:
        if launched is not None and is_launched(decl) and decl.name != launched.name:
            what = f"`{decl.name}`, a second name for the shared memory `{launched.name}`"
            raise Rejected(diagnose(Code.NOT_SUPPORTED, span(decl), what=what, help="use one name"))
    added = [d for d in wanted.values() if not is_launched(d) or (d is launched and d.name not in own)]
    _refuse_hidden(kernel, [*added, *own.values()], span)
    kernel.body.block_items = [*added, *(kernel.body.block_items or ())]
    for call in calls:
        _pass(call, [_meant(decl, launched, call) for decl in needs[_name(call)].values()], ranges)
    for function in bodies:
        for call in list(_calls(function.body)):
            named = needs.get(_name(call), {})
            _pass(call, [c_ast.ID(name, call.coord) for name in named], ranges)
    for function in bodies:
        if function.decl.name in needs:
            _take(function, list(needs[function.decl.name].values()))


def _refuse(
    functions: Sequence[Any],
    others: Sequence[Any],
    used: Mapping[int, Sequence[Any]],
    needs: Mapping[str, Mapping[str, Any]],
    span: Written,
) -> None:
    """Refuse variables that can't be passed on, and methods that use them."""
    help = "pass the kernel's array as a pointer"
    for node in others:
        found = [*used[id(node)], *(call for call in _calls(node) if _name(call) in needs)]
        for part in found[:1]:
            what = "a method that uses shared memory declared outside the kernel"
            raise Rejected(diagnose(Code.NOT_SUPPORTED, span(part), what=what, help=help))
    for decl in (decl for found in needs.values() for decl in found.values()):
        if not isinstance(decl.type, c_ast.ArrayDecl):
            what = f"`{decl.name}`, a variable other than an array that a function shares with the kernel"
            raise Rejected(diagnose(Code.NOT_SUPPORTED, span(decl), what=what, help=help))
    for function in functions:
        _refuse_hidden(function, list(needs.get(function.decl.name, {}).values()), span)


def _refuse_hidden(function: Any, decls: Sequence[Any], span: Written) -> None:
    """Refuse a function whose own variable hides an array that it uses."""
    args = function.decl.type.args
    params = [
        param.name for param in (args.params if args is not None else ()) if getattr(param, "name", None)
    ]
    every = [*params, *(item.name for item in _declared(function.body) if item not in decls)]
    for decl in decls:
        if decl.name in every:
            what = f"`{decl.name}` in `{function.decl.name}`, which hides shared memory of that name"
            raise Rejected(diagnose(Code.NOT_SUPPORTED, span(decl), what=what, help="rename one of them"))


def _through_calls(functions: Sequence[Any], needs: dict[str, dict[str, Any]]) -> None:
    """Propagate to each function the arrays that its callees need."""
    for _ in functions:
        for function in functions:
            for call in _calls(function.body):
                for name, decl in needs.get(_name(call), {}).items():
                    needs.setdefault(function.decl.name, {}).setdefault(name, decl)


def _taken_out(function: Any) -> list[Any]:
    """Remove a function's declarations of dynamic shared memory, and return them."""
    found = [item for item in _declared(function.body) if is_launched(item)]
    for block in _blocks(function.body):
        block.block_items = [item for item in block.block_items or () if item not in found]
    return found


def _take(function: Any, decls: Sequence[Any]) -> None:
    """Make arrays the first parameters of a function."""
    args = function.decl.type.args
    params = list(args.params) if args is not None else []
    if len(params) == 1 and isinstance(params[0], c_ast.Typename):  # f(void)
        params = []
    made = []
    for decl in decls:
        param = copy.copy(decl)
        param.storage, param.funcspec, param.init = [], [], None
        param.type = copy.deepcopy(decl.type)
        made.append(param)
    function.decl.type.args = c_ast.ParamList([*made, *params], function.decl.coord)


def _meant(decl: Any, launched: Any, call: Any) -> Any:
    """Return the kernel's name for an array, converted if its type differs."""
    if not is_launched(decl):
        return c_ast.ID(decl.name, call.coord)
    name = c_ast.ID(launched.name, call.coord)
    one, other = decl.type.type, launched.type.type
    if getattr(one.type, "names", None) == getattr(other.type, "names", 0):
        return name
    element = copy.deepcopy(one)
    element.declname = None
    pointer = c_ast.PtrDecl([], element, call.coord)
    return c_ast.Cast(c_ast.Typename(None, [], None, pointer, call.coord), name, call.coord)


def _pass(call: Any, given: Sequence[Any], ranges: dict[int, Range]) -> None:
    """Insert arguments into a call, before its own."""
    noted = ranges.get(id(call))
    for part in given:
        for node in (part, getattr(part, "expr", None)):
            if node is not None and noted is not None:
                ranges[id(node)] = noted.of(node)
    if given:
        args = call.args.exprs if call.args is not None else []
        call.args = c_ast.ExprList([*given, *args], call.coord)


def _name(call: Any) -> str:
    match call:
        case c_ast.FuncCall(name=c_ast.ID(name=name) | TemplateId(name=name)):
            return str(name)
        case _:
            return ""


def _calls(node: Any) -> Iterator[Any]:
    return (part for part in ast_utils.walk(node) if isinstance(part, c_ast.FuncCall))


def _declared(node: Any) -> Iterator[Any]:
    return (part for part in ast_utils.walk(node) if isinstance(part, c_ast.Decl))


def _blocks(node: Any) -> Iterator[Any]:
    return (part for part in ast_utils.walk(node) if isinstance(part, c_ast.Compound))


def _words(decl: Any) -> set[str]:
    return {*(decl.storage or ()), *(decl.funcspec or ()), *(decl.quals or ())}
