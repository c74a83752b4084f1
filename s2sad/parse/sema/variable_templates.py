"""Instantiate variable templates: `template <typename T> __constant__ T filter[8];`, as `filter<float>[k]`.

The parser sees a use as one name, which records its template and arguments (`VariableName`). Each
set of arguments makes a variable of the file, or the constant that is its value.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Sequence

from pycparser import c_ast

from ...diagnostics import Code
from ...ir import Const, Pointer, Scalar, Struct, Type
from ..syntax.qualified_types import VariableName, VariableTemplate
from ..types import types
from . import declarators, device_globals, evaluation
from .meanings import Bindings, Named
from .scope import Context


class VariableTemplates:
    """The variable templates of a closure, and their instances."""

    def __init__(self, file: Context, found: Sequence[VariableTemplate]) -> None:
        self._file = file
        self._templates = {template.decl.name: template for template in found}
        self.spelled: dict[str, str] = {}
        """The author's name of each instance: `filter<float>`."""

        self._made: dict[tuple[str, tuple[Type | Const, ...]], Named] = {}

    def meant(self, ctx: Context, name: VariableName) -> Named | None:
        """Return the meaning of a use. Raises Rejected."""
        template = self._templates.get(name.of)
        if template is None:
            return None
        assert ctx.unit.generic is not None
        bound = ctx.unit.generic.given(ctx, name, template)
        key = (name.of, tuple(bound.values()))
        if key not in self._made:
            self._made[key] = self._instance(template, bound)
        return self._made[key]

    def _instance(self, template: VariableTemplate, bound: Bindings) -> Named:
        file, decl = self._file, template.decl
        inner = file.at_file(bound)
        type, _ = declarators.type_of(inner, decl.type)
        if isinstance(type, Struct | Pointer):
            raise file.reject(Code.NO_TEMPLATES, decl, name=decl.name)
        if decl.init is None:
            node = copy.copy(decl)
            node.name = self._title(decl.name, bound)
            file.unit.written.stands_for(node, decl)
            self.spelled[node.name] = f"{decl.name}<{', '.join(map(_spelled, bound.values()))}>"
            device_globals.declare(inner, node, type, fixed=True)
            file.variables.extend(inner.variables)
            file.aliases.update(inner.aliases)
            return file.scopes[0][node.name]
        if not isinstance(type, Scalar):
            raise file.reject(Code.NO_TEMPLATES, decl, name=decl.name)
        init = decl.init
        if isinstance(init, c_ast.InitList) and len(init.exprs or ()) == 1:
            init = init.exprs[0]
        with inner.full(init):
            value = evaluation.constant(inner, evaluation.converted(inner, init, type))
        if value is None:
            text, what = file.unit.written.text(init), f"the value of `{decl.name}`"
            raise file.reject(Code.NOT_CONSTANT, init, what=what, text=text, help="write a number")
        return Const(types.wrap(value, type), type)

    def _title(self, name: str, bound: Bindings) -> str:
        """Return the name of an instance: `filter_float`."""
        words = [_spelled(v) if isinstance(v, Const) else types.mangled(v) for v in bound.values()]
        title = re.sub(r"\W", "_", "_".join([name, *words]))
        while title in self._file.scopes[0] or title in self._file.unit.functions:
            title += "_"
        return title


def _spelled(value: Type | Const) -> str:
    """Return a template argument as written in the source."""
    if not isinstance(value, Const):
        return types.spell(value)
    return str(value.value).lower() if isinstance(value.value, bool) else str(value.value)
