"""Find functions that may write through a struct of pointers that they take by value.

    struct View { float *at; };
    __device__ float doubled(View v, int i) { return v.at[i] *= 2; }

    y[i] = x[i] + doubled(view, i);        has one meaning only if view.at isn't x

What such functions and methods write is recorded by name, as for pointers (reference_args.py). If
the types are only known when a call is lowered, this is what they may write.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pycparser import c_ast

from ...fixpoint import fixpoint
from ..syntax.classes import Class
from ..syntax.qualified_types import ClassName
from ..syntax.templates import Template
from . import readonly_params
from .side_effects import HELD


def holders(nodes: Iterable[c_ast.Node], typedefs: Iterable[c_ast.Node]) -> frozenset[str]:
    """Return the names of the types that hold a pointer which can be written through."""
    structs = [(s.name, s.decls or ()) for node in nodes for s in _structs(node)]
    names = {typedef.name: typedef.type for typedef in typedefs}

    def more(found: frozenset[str]) -> frozenset[str]:
        aliases = {name for name, type in names.items() if _holds(type, found)}
        return found.union(
            aliases, (name for name, decls in structs if name and any(_holds(d.type, found) for d in decls))
        )

    return fixpoint(more, frozenset[str](), len(names) + len(structs), "which types hold pointers")


def _structs(node: c_ast.Node) -> Iterator[c_ast.Struct]:
    if isinstance(node, c_ast.Struct):
        yield node
    for _, child in node.children():
        yield from _structs(child)


def _holds(type: c_ast.Node | None, known: Iterable[str]) -> bool:
    """Whether a declarator is of a pointer that can be written through, or of something that holds one."""
    match type:
        case c_ast.PtrDecl(type=c_ast.TypeDecl(quals=quals)) if "const" in (quals or ()):
            return False
        case c_ast.PtrDecl():
            return True
        case c_ast.ArrayDecl(type=inner) | c_ast.TypeDecl(type=inner) | c_ast.Typename(type=inner):
            return _holds(inner, known)
        case c_ast.Struct(name=name, decls=decls):
            return name in known or any(_holds(d.type, known) for d in decls or ())
        case c_ast.IdentifierType(names=[name]):
            return (name.of if isinstance(name, ClassName) else name) in known
        case _:
            return False


def through(
    functions: Iterable[c_ast.Node],
    classes: Iterable[Class],
    known: frozenset[str],
    reading: readonly_params.Known,
) -> dict[str, frozenset[int]]:
    """Map functions to the structs that they may write through; methods are listed as `.name`."""
    found: dict[str, frozenset[int]] = {}
    if not known:
        return found
    for node in functions:
        name, args = node.decl.name, node.decl.type.args
        heads = node.params if isinstance(node, Template) else ()
        free = frozenset(p.name for p in heads if getattr(p, "name", None))
        params = args.params if args is not None else ()
        held = {k for k, p in enumerate(params) if _takes(getattr(p, "type", None), known | free)}
        if written := held & reading.written.get(name, frozenset()):
            found[name] = found.get(name, frozenset()) | written
    for of in classes:
        if of.name not in known:
            continue
        for method in of.methods:
            if id(method) in of.constant and readonly_params.acts(method, reading):
                found[f".{method.decl.name}"] = frozenset({HELD})
    return found


def _takes(type: c_ast.Node | None, names: Iterable[str]) -> bool:
    """Whether a parameter is such a struct, or a reference to one."""
    while isinstance(type, c_ast.PtrDecl) and "&" in (type.quals or ()):
        type = type.type
    return isinstance(type, c_ast.TypeDecl) and _holds(type, names)
