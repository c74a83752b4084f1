"""Lift lambdas to functions: a variable of a function that is only called there.

    auto at = [=](int r) { return r * pitch + c; };        __device__ int at(int r, int pitch, int c);
    y[at(0)] = x[at(1)];                            ->     y[at(0, pitch, c)] = x[at(1, pitch, c)];

The captured variables become parameters after the lambda's own. The meaning is the same if a name
denotes at every call what it denoted at the lambda: it is declared once in the function. A variable
captured by reference that the lambda may write is passed by reference; one captured by value must
not be written after the lambda. Anything else is refused, also a lambda that is passed on.
"""

from __future__ import annotations

import copy
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from pycparser import c_ast

from ...diagnostics import Code, Rejected, diagnose
from ..syntax.ast_utils import parts
from ..syntax.free_names import free
from ..syntax.lambdas import Lambda
from ..syntax.positions import Noting
from ..syntax.templates import Template, TemplateId, TemplateParameter
from ..types.builtins import BUILTINS

_STEPS = ("++", "--", "p++", "p--", "&")


def lifted(parser: Noting, node: Any, known: Collection[str]) -> list[Template]:
    """Return the functions that the lambdas of a parsed function become; rewrite it to call these.

    `known` are names that are in use. Raises Rejected for a lambda that can't be lifted.
    """
    function = getattr(node, "function", node)
    if not isinstance(function, c_ast.FuncDef) or function.body is None or not _lambdas(function):
        return []
    found: list[Template] = []
    todo = [(function, list(getattr(node, "params", ())))]
    while todo:
        function, params = todo.pop(0)
        lift = _Lift(parser, function, params, {*known, *(t.decl.name for t in found)})
        made = lift.templates()
        found += made
        todo += [(template.function, template.params) for template in made if _lambdas(template.function)]
    return found


class _Lift:
    def __init__(
        self,
        parser: Noting,
        function: c_ast.FuncDef,
        params: list[TemplateParameter],
        known: set[str],
    ) -> None:
        self.parser = parser
        self.function = function
        self.params = [p for p in params if p.name]
        self.known = known
        self.types = {n.name for n in _walk(function.body) if isinstance(n, c_ast.Typedef)}
        self.types |= {n.name for n in _walk(function.body) if isinstance(n, c_ast.Struct) and n.decls}
        self.made: dict[str, Template] = {}

    def templates(self) -> list[Template]:
        """Return a function for each lambda, in order; rewrite the calls of the lambdas."""
        for block in [n for n in _outside(self.function.body) if isinstance(n, c_ast.Compound)]:
            while block.block_items is not None:
                every = enumerate(block.block_items)
                k = next((k for k, n in every if isinstance(getattr(n, "init", None), Lambda)), None)
                if k is None:
                    break
                self._variable(block.block_items[k], block.block_items[k + 1 :])
                del block.block_items[k]
        for call in [n for n in _outside(self.function.body) if isinstance(n, c_ast.FuncCall)]:
            if isinstance(call.name, Lambda):  # `[&] { … }()`
                self._call(call, *self._template(call.name, self._name("inner"), call, ()))
        for left in _outside(self.function.body):
            if isinstance(left, Lambda):
                raise self._refused(left, "it is used other than by a call")
        return list(self.made.values())

    def _variable(self, item: c_ast.Decl, rest: Sequence[Any]) -> None:
        """Lift the lambda that a variable holds and the statements after it call."""
        found, own = item.init, item.name
        if not isinstance(item.type, c_ast.TypeDecl) or getattr(item.type.type, "names", None) != ["auto"]:
            raise self._refused(found, "its variable isn't `auto`")
        every = [n for each in rest for n in _walk(each)]
        if any(isinstance(n, c_ast.Decl) and n.name == own for n in every):
            raise self._refused(found, f"another variable is also named `{own}`")
        calls = [n for n in every if _callee(n) == own]
        if sum(isinstance(n, c_ast.ID) and n.name == own for n in every) != len(calls):
            raise self._refused(found, "it is used other than by a call")
        made = self._template(found, self._name(own), item, rest)
        for call in calls:
            self._no_second_name(found, call, made[1])
            self._call(call, *made)

    def _no_second_name(self, found: Lambda, call: c_ast.FuncCall, captured: Sequence[str]) -> None:
        """Refuse a call that passes a captured variable by reference: the two would be aliases."""
        args = found.function.decl.type.args
        for parameter, arg in zip(
            args.params if args else (), call.args.exprs if call.args else (), strict=False
        ):
            quals = getattr(getattr(parameter, "type", None), "quals", None)
            if "&" in (quals or ()) or isinstance(arg, c_ast.UnaryOp):
                both = [n.name for n in _walk(arg) if isinstance(n, c_ast.ID) and n.name in captured]
                if both and ("&" in (quals or ()) or arg.op == "&"):
                    raise self._refused(found, f"`{both[0]}` is both captured and passed to it")

    def _name(self, name: str) -> str:
        """Return an unused name."""
        made, k = name, 1
        own = {n.name for n in _walk(self.function) if isinstance(n, c_ast.Decl)} - {name}
        while made in self.known or made in BUILTINS or made in own:
            k += 1
            made = f"{name}_{k}"
        self.known.add(made)
        return made

    def _call(self, call: c_ast.FuncCall, template: Template, captured: list[str]) -> None:
        """Add the captured variables and template arguments to a call."""
        at = call.name.coord
        name = template.decl.name
        given = [_argument(p, at) for p in self.params]
        old = call.name
        call.name = TemplateId(name, given, at) if given else c_ast.ID(name, at)
        self._stands_for(call.name, old)
        if captured:
            args = list(call.args.exprs) if call.args is not None else []
            more = [c_ast.ID(each, at) for each in captured]
            for each in more:
                self._stands_for(each, old)
            call.args = c_ast.ExprList([*args, *more], at)

    def _stands_for(self, made: c_ast.Node, node: c_ast.Node) -> None:
        noted = self.parser.ranges.get(id(node))
        if noted is not None:
            self.parser.ranges[id(made)] = noted.of(made)

    # ---- the function ------------------------------------------------------------

    def _template(self, found: Lambda, name: str, at: Any, rest: Sequence[Any]) -> tuple[Template, list[str]]:
        """Return a lambda's function and the names that it captures; it is in `at`, before `rest`."""
        function = found.function
        declared = _visible(self.function, at)
        used = free(function) & declared.keys()
        for later in (n for each in rest for n in _walk(each)):
            if isinstance(later, c_ast.Decl) and later.name in used:
                raise self._refused(found, f"another variable is also named `{later.name}`")
        names = {w for n in _walk(function) if isinstance(n, c_ast.IdentifierType) for w in n.names}
        if local := sorted(names & self.types):
            raise self._refused(found, f"it uses the type `{local[0]}` of the enclosing function")
        if any(p.generic for p in self.params):
            raise self._refused(found, "it is in a function with class-template parameters")
        captured = [each for each in declared if each in used]
        params = [copy.copy(p) for p in self.params]
        args = list(function.decl.type.args.params) if function.decl.type.args is not None else []
        for k, arg in enumerate(args):
            self._open(arg, f"{name}_t{k}", params)
        touched = [each for each in captured if any(self._touched(function.body, each))]
        second = [each for each in captured if "&" in (getattr(declared[each].type, "quals", None) or ())]
        if touched and second:
            raise self._refused(found, f"it captures the reference `{second[0]}` and may modify captures")
        for each in captured:
            made = self._parameter(found, each, declared[each])
            self._open(made, f"{name}_{each}_t", params)
            args.append(made)
        decl = function.decl
        decl.name = name
        decl.type.args = c_ast.ParamList(args, found.coord) if args else None
        result = decl.type.type
        while not isinstance(result, c_ast.TypeDecl):
            result = result.type
        result.declname = name
        template = Template(params, function, [], found.coord, lifted=True)
        self._stands_for(template, found)
        self.made[name] = template
        return template, captured

    def _open(self, decl: Any, name: str, params: list[TemplateParameter]) -> None:
        """Make the type of an `auto` parameter a parameter of the template."""
        inner = getattr(decl, "type", None)
        while inner is not None and not isinstance(inner, c_ast.TypeDecl):
            inner = getattr(inner, "type", None)
        if inner is not None and getattr(inner.type, "names", None) == ["auto"]:
            inner.type = c_ast.IdentifierType([name], inner.type.coord)
            params.append(TemplateParameter(name, None, None, inner.type.coord))

    def _parameter(self, found: Lambda, name: str, decl: c_ast.Decl) -> c_ast.Decl:
        """Return the parameter that passes a captured variable."""
        reference = found.captures.by_reference(name)
        shared = any("__shared__" in word for word in (*(decl.storage or ()), *(decl.funcspec or ())))
        fixed = bool({"const", "constexpr"} & {*(decl.quals or ()), *(decl.storage or ())})
        whole = isinstance(decl.type, c_ast.TypeDecl)
        pointer = isinstance(decl.type, c_ast.PtrDecl) and "&" not in (decl.type.quals or ())
        fixed = fixed and not pointer
        if reference is None and not shared and not fixed:
            raise self._refused(found, f"`{name}` isn't captured")
        inside = {how for how, _ in self._touched(found.function.body, name)}
        if pointer and "itself" in inside:
            raise self._refused(found, f"it may modify the pointer `{name}`")
        if reference is False and not shared and not fixed:
            last = self.parser.ranges[id(found)].last
            behind = {how for how, at in self._touched(self.function.body, name) if at > last}
            array = isinstance(decl.type, c_ast.ArrayDecl) and not _is_only_indexed(self.function, name)
            named = _has_another_name(self.function, name) or array
            if named or behind & ({"itself"} if pointer else {"itself", "passed", "element"}):
                raise self._refused(found, f"`{name}` is captured by value and may change afterwards")
        type = copy.deepcopy(decl.type)
        inner = type
        while not isinstance(inner, c_ast.TypeDecl):
            inner = inner.type
        if whole and inside and reference and not fixed:
            type = c_ast.PtrDecl(["&"], type, found.coord)
        elif not whole and not inside:  # its elements are only read
            inner.quals = list(dict.fromkeys([*(inner.quals or ()), "const"]))
        made = c_ast.Decl(name, list(inner.quals or ()), [], [], [], type, None, None, found.coord)
        self._stands_for(made, found)
        return made

    def _touched(self, root: Any, name: str) -> Iterator[tuple[str, int]]:
        """Yield how a variable may change, and at which token: itself, an element, or by being passed."""
        for node in _walk(root):
            at = getattr(getattr(node, "coord", None), "index", 0)
            match node:
                case c_ast.Assignment(lvalue=target):
                    yield from ((how, at) for how in _changed(target, name))
                case c_ast.UnaryOp(op=op, expr=target) if op in _STEPS:
                    yield from ((how, at) for how in _changed(target, name))
                case c_ast.FuncCall(name=callee, args=args) if _callee(node) not in BUILTINS:
                    made = self.made.get(str(getattr(callee, "name", "")))
                    given = args.exprs if args is not None else []
                    if made is not None:
                        params = made.function.decl.type.args.params
                        given = [arg for arg, p in zip(given, params, strict=False) if _may_write(p)]
                    if isinstance(callee, c_ast.StructRef):
                        given = [*given, callee.name]
                    if any(_changed(arg, name) for arg in given):
                        yield "passed", at

    def _refused(self, found: Lambda, why: str) -> Rejected:
        noted = self.parser.ranges[id(found)]
        lexemes = self.parser._lexemes
        return Rejected(diagnose(Code.NO_LAMBDAS, lexemes[noted.first].span, why=why))


# ---- looking at trees ------------------------------------------------------------


def _walk(node: Any) -> Iterator[Any]:
    """Yield a node and all nodes in it, except names of fields."""
    waiting = [node]
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(reversed(parts(node)))


def _outside(node: Any) -> Iterator[Any]:
    """Do the same without the nodes inside lambdas; the lambdas themselves are yielded."""
    yield node
    for child in parts(node) if not isinstance(node, Lambda) else ():
        yield from _outside(child)


def _lambdas(node: Any) -> bool:
    return any(isinstance(n, Lambda) for n in _walk(node))


def _visible(function: c_ast.FuncDef, target: Any) -> dict[str, c_ast.Decl]:
    """Return the parameters and variables of a function that are visible at a node."""
    args = function.decl.type.args
    found = {p.name: p for p in (args.params if args is not None else ()) if isinstance(p, c_ast.Decl)}
    node: Any = function.body
    while node is not target:
        for _, child in node.children():
            if any(each is target for each in _walk(child)):
                node = child
                break
            if isinstance(node, c_ast.Compound | c_ast.For | c_ast.DeclList):
                own = child.decls if isinstance(child, c_ast.DeclList) else [child]
                for each in own:
                    if isinstance(each, c_ast.Decl) and each.name:
                        found.pop(each.name, None)
                        found[each.name] = each
        else:
            raise AssertionError("the node is in the function")
    return found


def _callee(node: Any) -> str:
    if isinstance(node, c_ast.FuncCall) and isinstance(node.name, c_ast.ID):
        return str(node.name.name)
    return ""


def _changed(target: Any, name: str) -> set[str]:
    """Return how a write to this lvalue changes a variable: itself, an element of it, or not at all."""
    element = False
    while not isinstance(target, c_ast.ID):
        match target:
            case c_ast.StructRef(type=".", name=inner):
                target = inner
            case c_ast.ArrayRef(name=inner) | c_ast.Cast(expr=inner):
                target, element = inner, True
            case _:  # through a pointer: it may be any name in it
                return (
                    {"element"}
                    if any(isinstance(n, c_ast.ID) and n.name == name for n in _walk(target))
                    else set()
                )
    return {"element" if element else "itself"} if target.name == name else set()


def _has_another_name(function: c_ast.FuncDef, name: str) -> bool:
    """Whether a reference or a pointer to a variable may exist."""
    for node in _walk(function.body):
        match node:
            case c_ast.UnaryOp(op="&", expr=target) if _changed(target, name):
                return True
            case c_ast.Decl(type=c_ast.PtrDecl(quals=quals), init=init) if init is not None and "&" in (
                quals or ()
            ):
                if _changed(init, name):
                    return True
    return False


def _is_only_indexed(function: c_ast.FuncDef, name: str) -> bool:
    """Whether an array is never used as a pointer."""
    every = [n for n in _walk(function.body) if isinstance(n, c_ast.ID) and n.name == name]
    bases = [n.name for n in _walk(function.body) if isinstance(n, c_ast.ArrayRef)]
    return all(any(each is base for base in bases) for each in every)


def _may_write(parameter: Any) -> bool:
    """Whether the argument for a parameter may be changed."""
    declarator = getattr(parameter, "type", None)
    return isinstance(declarator, c_ast.PtrDecl | c_ast.ArrayDecl) and "const" not in (parameter.quals or ())


def _argument(parameter: TemplateParameter, at: Any) -> c_ast.Node:
    """Return a parameter of the template around a lambda, as an argument of the lambda's template."""
    if parameter.type is not None:
        return c_ast.ID(parameter.name, at)
    inner = c_ast.TypeDecl(None, [], None, c_ast.IdentifierType([parameter.name], at), at)
    return c_ast.Typename(None, [], None, inner, at)
