"""Move operators that are templates out of their class.

    template <int N, int M> struct Mat {                       template <int K, int N, int M>
        template <int K> Mat<N, K> operator*(              ->  Mat<N, K> operator*(const Mat<N, M> &self,
            const Mat<M, K> &o) const { … v[i] … }                 const Mat<M, K> &o) { … self.v[i] … }
    };

An operator that names a type or a constant of its class stays, and is refused where it is used: outside,
such a name means nothing. All others mean the same as a function outside the class.
"""

from __future__ import annotations

import copy
from typing import Any

from pycparser import c_ast

from ..syntax import ast_utils
from ..syntax.classes import Class
from ..syntax.free_names import uses
from ..syntax.lambdas import Lambda
from ..syntax.positions import Noting
from ..syntax.qualified_types import ClassName, ClassTemplate
from ..syntax.templates import Template, TemplateParameter
from .implicit_this import THIS, Inside, declared


def moved(parser: Noting, node: Any) -> list[Template]:
    """Return the templates of operators in a parsed class, as functions outside it."""
    params: list[TemplateParameter] = []
    found = node.type if isinstance(node, c_ast.Decl) else node
    if isinstance(node, ClassTemplate):
        if node.arguments is not None or any(p.generic or not p.name for p in node.params):
            return []
        params, found = node.params, node.node
    if not isinstance(found, Class) or found.name is None:
        return []
    every = (_moved(parser, found, params, template, const) for template, const in found.templates)
    return [template for template in every if template is not None]


def _moved(
    parser: Noting, of: Class, params: list[TemplateParameter], template: Template, const: bool
) -> Template | None:
    """Return one of them; None if it names something that only its class knows, or has a lambda."""
    function = template.function
    within = {*of.inside, *(s.name for s in of.statics), *(t.name for t in of.types)}
    if within & {use.name for use in uses(template)} or _has_lambda(function) or of.name is None:
        return None
    coord = function.decl.coord

    def stands_for(made: Any, old: Any) -> None:
        if (noted := parser.ranges.get(id(old))) is not None:
            parser.ranges[id(made)] = noted.of(made)

    own_type = _named(of.name, params, coord)

    def typed(part: Any) -> Any:
        """Write out the arguments of the class where it is named without."""
        match part:
            case c_ast.IdentifierType(names=[str() as name]) if (
                getattr(name, "of", name) == of.name and getattr(name, "args", None) is None
            ):
                return own_type
            case c_ast.Node():
                made = ast_utils.rebuilt(copy.copy(part), typed)
                stands_for(made, part)
                return made
            case _:
                return part

    args = list(function.decl.type.args.params) if function.decl.type.args is not None else []
    own = {p.name for p in (*args, *template.params)} | declared(function.body)
    fields = frozenset(d.name for d in of.decls if isinstance(d, c_ast.Decl) and d.name) - own
    methods = frozenset(m.decl.name for m in of.methods) - own
    made = copy.copy(function)
    made.body = Inside(stands_for, fields, methods).rewritten(function.body)
    made.decl = copy.copy(function.decl)
    made.decl.type = copy.copy(function.decl.type)
    made.decl.type.args = c_ast.ParamList([_object(own_type, const, coord), *args], coord)
    if params:
        made = typed(made)
    outside = Template([*template.params, *params], made, [], template.coord)
    outside.conditions = template.conditions
    stands_for(made, function)
    stands_for(outside, template)
    return outside


def _named(name: str, params: list[TemplateParameter], coord: Any) -> c_ast.IdentifierType:
    """Return the type of the object: `Mat<N, M>` in the template of that class."""
    if not params:
        return c_ast.IdentifierType([name], coord)
    args: list[c_ast.Node] = []
    for parameter in params:
        kind = c_ast.TypeDecl(None, [], None, c_ast.IdentifierType([parameter.name], coord), coord)
        of_type = c_ast.Typename(None, [], None, kind, coord)
        args.append(of_type if parameter.type is None else c_ast.ID(parameter.name, coord))
    text = f"{name}<{', '.join(parameter.name for parameter in params)}>"
    return c_ast.IdentifierType([ClassName.made(text, name, args, coord=coord)], coord)


def _object(kind: c_ast.IdentifierType, const: bool, coord: Any) -> c_ast.Decl:
    """Return the parameter for the object, a reference."""
    quals = ["const"] if const else []
    inner = c_ast.TypeDecl(THIS, quals, None, kind, coord)
    return c_ast.Decl(THIS, quals, [], [], [], c_ast.PtrDecl(["&"], inner, coord), None, None, coord)


def _has_lambda(node: Any) -> bool:
    return isinstance(node, Lambda) or any(map(_has_lambda, ast_utils.parts(node)))
