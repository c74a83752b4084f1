"""Parse templates: heads, `f<float, 4>(x)`, and the meaning of `>` between angle brackets.

pycparser has no nodes for them, so they are defined here. A template's function is parsed
once, with its type parameters as type names; these are bound where it is instantiated
(function_templates.py).
"""

from __future__ import annotations

import copy
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Any

from pycparser import c_ast

from ...diagnostics import Code
from ..source.pp_tokens import words
from .expressions import Values
from .lexer import Fed
from .qualified_types import ClassTemplate, VariableName, VariableTemplate


class TemplateParameter(c_ast.Node):  # type: ignore[misc]  # pycparser is untyped to us
    """One parameter of a template. `type` is None for a type parameter or a class template."""

    __slots__ = ("__weakref__", "coord", "default", "generic", "name", "type")
    attr_names = ("name",)

    def __init__(
        self,
        name: str,
        type: c_ast.Node | None,
        default: c_ast.Node | None,
        coord: Any,
        generic: bool = False,
    ) -> None:
        self.generic = generic
        self.name = name
        self.type = type
        self.default = default
        self.coord = coord

    def children(self) -> tuple[tuple[str, c_ast.Node], ...]:
        return _children(type=self.type, default=self.default)


class Template(c_ast.Node):  # type: ignore[misc]  # pycparser is untyped to us
    """A function template: its head and its definition. An explicit specialisation has no head."""

    __slots__ = ("__weakref__", "arguments", "conditions", "coord", "function", "lifted", "params")
    attr_names = ()

    def __init__(
        self,
        params: list[TemplateParameter],
        function: c_ast.FuncDef,
        arguments: list[c_ast.Node],
        coord: Any,
        lifted: bool = False,
    ) -> None:
        self.params = params
        self.lifted = lifted  # whether it was a lambda
        self.conditions: list[c_ast.Node] = []  # of its `enable_if`
        self.function = function
        self.arguments = arguments  # of a specialisation: `template <> float f<float>(…)`
        self.coord = coord

    @property
    def decl(self) -> c_ast.Decl:
        return self.function.decl

    def children(self) -> tuple[tuple[str, c_ast.Node], ...]:
        listed = {f"params[{i}]": p for i, p in enumerate(self.params)}
        listed |= {f"arguments[{i}]": a for i, a in enumerate(self.arguments)}
        listed |= {f"conditions[{i}]": c for i, c in enumerate(self.conditions)}
        return _children(**listed, function=self.function)


class TemplateId(c_ast.Node):  # type: ignore[misc]  # pycparser is untyped to us
    """`f<float, 4>`: the name of a function template with some of its arguments."""

    __slots__ = ("__weakref__", "args", "coord", "name")
    attr_names = ("name",)

    def __init__(self, name: str, args: list[c_ast.Node], coord: Any) -> None:
        self.name = name
        self.args = args
        self.coord = coord

    def children(self) -> tuple[tuple[str, c_ast.Node], ...]:
        return _children(**{f"args[{i}]": arg for i, arg in enumerate(self.args)})


class Trait(c_ast.Node):  # type: ignore[misc]  # pycparser is untyped to us
    """`numeric_limits<T>::max()`, `is_same<T, float>::value`: a constant property of types."""

    __slots__ = ("__weakref__", "args", "coord", "member", "name")
    attr_names = ("name", "member")

    def __init__(self, name: str, member: str, args: list[c_ast.Node], coord: Any) -> None:
        self.name = name
        self.member = member
        self.args = args
        self.coord = coord

    def children(self) -> tuple[tuple[str, c_ast.Node], ...]:
        return _children(**{f"args[{i}]": arg for i, arg in enumerate(self.args)})


TRAITS = words(
    "numeric_limits is_same is_same_v is_floating_point is_floating_point_v is_integral is_integral_v "
    "is_signed is_signed_v"
)


_ENABLE = ("enable_if", "enable_if_t")


class ConstantIf(c_ast.If):  # type: ignore[misc]  # pycparser is untyped to us
    """`if constexpr`: only the selected branch has to be valid."""

    __slots__ = ()


def _children(**nodes: c_ast.Node | None) -> tuple[tuple[str, c_ast.Node], ...]:
    return tuple((name, node) for name, node in nodes.items() if node is not None)


class Angles(Values):
    """Parser methods for what is between angle brackets."""

    function_templates: Collection[str] = ()
    """The names after which `<` is a bracket, where no variable hides them."""

    variable_templates: Collection[str] = ()
    """The names of variable templates."""

    @contextmanager
    def _angles(self, within: bool) -> Iterator[None]:
        """Set whether a `>` ends what is parsed now: between angle brackets, outside parentheses."""
        outer, self._within_angles = self._within_angles, within
        try:
            yield
        finally:
            self._within_angles = outer

    def _parse_expression(self) -> c_ast.Node:
        with self._angles(False):
            return super()._parse_expression()

    def _parse_argument_expression_list(self) -> c_ast.Node:
        with self._angles(False):
            return super()._parse_argument_expression_list()

    def _parse_primary_expression(self) -> c_ast.Node:
        if self._peek_type() == "ID" and self._peek_type(2) == "LT":
            token = self._peek()
            assert token is not None
            if token.value in TRAITS and token.value not in self.function_templates:
                return self._parse_trait()
        return self._parse_template_id() if self._is_template_id() else super()._parse_primary_expression()

    def _parse_trait(self) -> c_ast.Node:
        first = self._first()
        name, member = self._advance(), "value"
        args = self._parse_template_arguments()
        if not name.value.endswith("_v"):
            self._expect("COLONCOLON")
            member = self._advance().value
            if self._accept("LPAREN"):
                self._expect("RPAREN")
        return self._noted(Trait(name.value, member, args, self._tok_coord(name)), first)

    def _parse_external_declaration(self) -> list[Any]:
        if self._peek_type() == "TEMPLATE":
            return self._parse_template()
        return list(super()._parse_external_declaration())

    def _parse_selection_statement(self) -> c_ast.Node:
        constant = self._peek_type() == "IF" and self._said(1) == "constexpr"
        if constant:
            at = self._tokens._index + 1
            self._put(at, at + 1)
        node = super()._parse_selection_statement()
        if constant:
            node = ConstantIf(node.cond, node.iftrue, node.iffalse, node.coord)
        return node

    def _close_angle(self) -> None:
        """Consume a `>`, or the first half of a `>>`."""
        token = self._peek()
        if token is not None and token.type == "RSHIFT":
            at = self._tokens._index
            half = Fed("GT", ">", token.first, token.last)
            self._put(at, at + 1, half, half)
        self._expect("GT")

    # ---- heads ---------------------------------------------------------------

    def _parse_template(self) -> list[c_ast.Node]:
        """Parse `template <typename T, int N = 4> __device__ …`."""
        first = self._first()
        coord = self._tok_coord(self._advance())
        params, conditions = self._parse_template_head()
        token = self._tokens.peek()
        if token is not None and token.value in ("struct", "class", "typedef"):
            if conditions:
                self._skip(Code.NO_TEMPLATES, self._at(), name="enable_if")
            return [self._noted(self._class_template(params, coord), first)]
        arguments: list[c_ast.Node] = []
        if not params:
            arguments = self._specialised()
        conditions += self._enabled_result()
        (function,) = self._parse_external_declaration()
        if isinstance(function, c_ast.Decl) and not isinstance(function.type, c_ast.FuncDecl):
            if not params or conditions:
                self._skip(Code.NO_TEMPLATES, self._at(-1), name=function.name)
            return [self._noted(VariableTemplate(params, function, coord), first)]
        if not isinstance(function, c_ast.FuncDef):  # only declared: specialisations may follow
            function = c_ast.FuncDef(function, None, None, function.coord)
        template = Template(params, function, arguments, coord)
        template.conditions = conditions
        return [self._noted(template, first)]

    def _parse_template_head(self) -> tuple[list[TemplateParameter], list[c_ast.Node]]:
        """Parse `<typename T, int N = 4>`; return the parameters, and the conditions among them."""
        self._expect("LT")
        params = []
        self.open_types = frozenset()
        conditions: list[c_ast.Node] = []
        while self._peek_type() != "GT":
            if (condition := self._parse_condition_parameter()) is not None:
                conditions.append(condition)
            elif conditions:  # arguments would be matched to the wrong parameters
                self._skip(Code.NO_TEMPLATES, self._at(), name=self._at().text)
            else:
                params.append(self._parse_template_parameter())
            if not self._accept("COMMA"):
                break
        self._close_angle()
        return params, conditions

    # ---- `enable_if`, which selects among templates ------------------------------

    def _parse_condition_parameter(self) -> c_ast.Node | None:
        """Parse `typename = enable_if_t<C>`, `enable_if_t<C> * = nullptr`, `enable_if<C, int>::type = 0`."""
        k = 1
        while (token := self._tokens.peek(k)) is not None and token.value in ("typename", "class", "="):
            k += 1
        if token is None or token.value not in _ENABLE or self._peek_type(k + 1) != "LT":
            return None
        for _ in range(k - 1):
            self._advance()
        condition, _, _ = self._parse_enabled()
        while self._peek_type() in ("TIMES", "CONST"):
            self._advance()
        if self._accept("EQUALS"):
            self._parse_template_argument()
        return condition

    def _parse_enabled(self) -> tuple[c_ast.Node, int, int]:
        """Parse an `enable_if`; return its condition, and where the tokens of its type begin and end."""
        word = self._advance()
        self._expect("LT")
        condition = self._parse_template_argument()
        begin = end = self._tokens._index
        if self._accept("COMMA"):
            begin = self._tokens._index
            self._parse_template_argument()
            end = self._tokens._index
        self._close_angle()
        if not word.value.endswith("_t"):
            self._expect("COLONCOLON")
            self._advance()
        return condition, begin, end

    def _enabled_result(self) -> list[c_ast.Node]:
        """Remove the condition from a function's result type, leaving the type alone; return it."""
        k = 1
        while (token := self._tokens.peek(k)) is not None and token.type not in ("LPAREN", "LBRACE", "SEMI"):
            if token.value in _ENABLE and self._peek_type(k + 1) == "LT":
                break
            k += 1
        if token is None or token.value not in _ENABLE:
            return []
        start = self._tokens.mark()
        for _ in range(k - 1):
            self._advance()
        at = self._tokens._index
        condition, begin, end = self._parse_enabled()
        type = self._fed[begin:end]
        if not type:
            void = copy.copy(self._fed[at])
            void.type, void.value = "VOID", "void"
            type = [void]
        self._put(at, self._tokens._index, *type)
        self._reset(start)
        self._typedef_checked_token = None
        return [condition]

    def _class_template(self, params: list[TemplateParameter], coord: Any) -> c_ast.Node:
        """Parse `template <…> struct Vec {…};`, `template <…> using Row = Vec<…>;`, and specialisations."""
        word = self._tokens.peek()
        assert word is not None
        if word.value == "class":
            word.type = "STRUCT"
        k = 2
        while (token := self._tokens.peek(k)) is not None and token.type == "INLINE":
            k += 1
        angle = self._tokens.peek(k + 1)
        arguments: list[c_ast.Node] | None = None
        if word.value != "typedef" and angle is not None and angle.type == "LT":
            start = self._tokens._index
            at = self._tokens._index = start + k
            arguments = self._parse_template_arguments()
            self._put(at, self._tokens._index)
            self._tokens._index, self._typedef_checked_token = start, None
        (node,) = self._parse_external_declaration()
        name = node.name if isinstance(node, c_ast.Typedef) else token.value if token is not None else ""
        if isinstance(node, c_ast.Decl):
            node = node.type
        return ClassTemplate(name, params, node, arguments, coord)

    def _specialised(self) -> list[c_ast.Node]:
        """Remove the arguments in `template <> __device__ float f<float>(float x)`, and return them."""
        start = self._tokens.mark()
        while (token := self._peek()) is not None and token.type not in ("LPAREN", "LBRACE", "SEMI"):
            self._advance()
            if token.type == "ID" and self._peek_type() == "LT":
                at = self._tokens._index
                arguments = self._parse_template_arguments()
                self._put(at, self._tokens._index)
                self._reset(start)
                return arguments
        self._reset(start)
        return []

    def _parse_template_parameter(self) -> TemplateParameter:
        first = self._first()
        token = self._peek()
        assert token is not None
        type: c_ast.Node | None = None
        default: c_ast.Node | None = None
        coord = self._tok_coord(token)
        if token.type == "TEMPLATE":
            return self._parse_template_of_template(first)
        if token.value in ("typename", "class"):
            self._advance()
            if self._peek_type() == "ELLIPSIS":
                self._skip(Code.NO_VARARGS, self._at())
            name = self._advance().value if self._peek_type() in ("ID", "TYPEID") else ""
            if name:
                self._scope_stack[-1][name] = True
                self.open_types |= {name}
        else:
            if self._peek_type() == "ID":  # `enable_if_t<…> = 0`, which chooses among templates
                self._skip(Code.NO_TEMPLATES, self._at(), name=self._at().text)
            spec, _, _ = self._parse_specifiers(allow_storage_and_function=False)
            if self._peek_type() == "ELLIPSIS":
                self._skip(Code.NO_VARARGS, self._at())
            if self._peek_type() == "TIMES":
                self._skip(Code.NO_TEMPLATES, self._at(), name="a pointer")
            words = [word for each in spec["type"] for word in getattr(each, "names", ("?",))]
            type = c_ast.TypeDecl(None, spec["qual"], None, c_ast.IdentifierType(words, coord), coord)
            name = self._advance().value if self._peek_type() in ("ID", "TYPEID") else ""
            if name:
                self._scope_stack[-1][name] = False
        if self._accept("EQUALS"):
            default = self._parse_template_argument()
        return self._noted(TemplateParameter(name, type, default, coord), first)

    def _parse_template_of_template(self, first: int) -> TemplateParameter:
        """Parse `template <typename> class Op`: a parameter that is a class template."""
        coord = self._tok_coord(self._advance())
        self._expect("LT")
        while self._peek_type() not in (None, "GT"):
            if self._peek_type() in ("TEMPLATE", "ELLIPSIS"):
                self._skip(Code.NO_TEMPLATES, self._at(), name=self._at().text)
            self._advance()
        self._expect("GT")
        self._advance()  # `class` or `typename`
        if self._peek_type() not in ("ID", "TYPEID"):
            self._skip(Code.NO_TEMPLATES, self._at(-1), name="template")
        name = self._advance().value
        default = None
        if self._accept("EQUALS"):
            default = self._parse_template_argument()
        self.members = {**self.members, name: frozenset()}
        self.generic = self.generic | {name}
        return self._noted(TemplateParameter(name, None, default, coord, generic=True), first)

    # ---- uses ----------------------------------------------------------------

    def _is_template_id(self) -> bool:
        """Whether a name and `<` begin `f<…>` here rather than a comparison."""
        token = self._peek()
        if token is None or token.type != "ID" or self._peek_type(2) != "LT":
            return False
        hidden = any(token.value in scope for scope in self._scope_stack[1:])
        named = token.value in self.function_templates or token.value in self.variable_templates
        return named and not hidden

    def _parse_template_id(self) -> c_ast.Node:
        first = self._first()
        name = self._advance()
        args = self._parse_template_arguments()
        coord = self._tok_coord(name)
        if name.value in self.variable_templates:
            last = self._fed[self._tokens._index - 1].last
            text = "".join(self._lexemes[i].value for i in range(name.first, last + 1))
            return self._noted(c_ast.ID(VariableName.written(name.value, text, args, coord), coord), first)
        return self._noted(TemplateId(name.value, args, coord), first)

    def _parse_template_arguments(self) -> list[c_ast.Node]:
        self._expect("LT")
        args: list[c_ast.Node] = []
        while self._peek_type() not in ("GT", "RSHIFT"):
            args.append(self._parse_template_argument())
            if not self._accept("COMMA"):
                break
        self._close_angle()
        return args

    def _parse_template_argument(self) -> c_ast.Node:
        """Parse a type, or a constant expression up to a comma or a `>`."""
        self._peek()
        with self._angles(True):
            if self._starts_declaration() and not self._is_functional_cast():
                return self._parse_type_name()
            return self._parse_conditional_expression()
