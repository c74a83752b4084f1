"""Find the free names of a parsed item: what it uses from outside."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pycparser import c_ast

from ..source.pp_tokens import words
from .ast_utils import parts
from .classes import Class
from .lexer import Qualified
from .qualified_types import ClassName, ClassTemplate, Member, VariableName, VariableTemplate
from .templates import Template, TemplateId

_BASIC = words("auto void bool _Bool char short int long float double signed unsigned")

Role = Literal["value", "call", "type", "operator"]


@dataclass(frozen=True)
class Use:
    """A name that a parsed item uses and doesn't declare, with the first use."""

    name: str
    node: Any
    role: Role


def uses(root: Any, several: Collection[str] = ()) -> tuple[Use, ...]:
    """Return the names that an item uses from outside, in order, each once; but every use of `a::f`.

    Of names in `several`, whose meaning depends on where they are used, every use is returned.
    """
    found: dict[tuple[str, int], Use] = {}
    scopes: list[set[str]] = [set()]
    todo: list[Any] = [root]
    while todo:
        match todo.pop():
            case Use(name, node) as use:
                if isinstance(name, Qualified) or not any(name in scope for scope in scopes):
                    each = node.coord.qualified or name in several
                    found.setdefault((name, node.coord.index * each), use)
            case str() as name:
                scopes[-1].add(name)
            case set() as names:
                scopes.append(names)
            case None:
                scopes.pop()
            case node:
                todo.extend(reversed(_read(node)))
    return tuple(found.values())


def free(function: c_ast.FuncDef) -> set[str]:
    """Return the names of values that a function uses from outside."""
    return {use.name for use in uses(function) if use.role in ("value", "call")}


def _read(node: Any) -> Sequence[Any]:
    """Return the contents of a node, in order: nodes, uses, names declared from there on, and scopes.

    A scope begins with the set of the names that it has from the start, and ends with None.
    """
    match node:
        case c_ast.ID(name=VariableName() as name):
            return Use(name.of, node, "value"), *(name.args or ())
        case c_ast.ID():
            return (Use(node.name, node, "value"),)
        case c_ast.IdentifierType(names=[ClassName() as name]) | Member(of=name):
            return Use(name.of, node, "type"), *(name.args or ())
        case c_ast.IdentifierType(names=[name]) if name not in _BASIC:
            return (Use(name, node, "type"),)
        case c_ast.FuncCall(name=c_ast.ID() | TemplateId() as callee):
            own = callee.args if isinstance(callee, TemplateId) else ()
            return Use(callee.name, callee, "call"), *own, *([node.args] if node.args is not None else ())
        case ClassTemplate():
            return {node.name}, *_heads(node), *(node.arguments or ()), node.node, None
        case VariableTemplate():
            return set(), *_heads(node), node.decl, None
        case Template():
            return set(), *_heads(node), *node.arguments, *node.conditions, node.function, None
        case Class():
            inner = [*node.decls, *node.types, *node.statics, *(m.decl for m in node.methods)]
            names = {part.name for part in inner} | _enumerators(node) | node.inside
            return *([node.name] if node.name is not None else ()), names, *node.on_device(), None
        case c_ast.BinaryOp(op=op) | c_ast.UnaryOp(op=op) | c_ast.Assignment(op=op):
            return Use(f"operator{op.removeprefix('p')}", node, "operator"), *parts(node)
        case c_ast.FuncDef(decl=decl):
            params = decl.type.args.params if decl.type.args else ()
            return set(), decl.type.type, *params, node.body, None
        case c_ast.FuncDecl():
            return (node.type,)
        case c_ast.Compound() | c_ast.For():
            return set(), *parts(node), None
        case c_ast.Decl() | c_ast.Typedef():
            every = node.type, node.name, getattr(node, "init", None)
            return [part for part in every if part is not None]
        case c_ast.Struct(decls=None) | c_ast.Enum(values=None) if node.name is not None:
            return Use(node.name, node, "type"), *parts(node)
        case c_ast.Enumerator():
            return *parts(node), node.name
        case _:
            return parts(node)


def _heads(template: Any) -> list[Any]:
    """Return the parameters of a template, and their names."""
    return [part for parameter in template.params for part in (parameter, parameter.name)]


def _enumerators(node: Class) -> set[str]:
    """Return the names of the enumerators in a class."""
    enums = [t.type for t in node.types if isinstance(t.type, c_ast.Enum) and t.type.values is not None]
    return {entry.name for enum in enums for entry in enum.values.enumerators}
