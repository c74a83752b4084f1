"""Parse qualified names of types: `Vec<float>`, `Pair<T>::type`, `Config::scalar`.

To pycparser such a name is one token, the name of a type, which records its parts
(`ClassName`); its meaning is resolved together with types (class_templates.py).
`Config::width`, which is a value, is a `Member`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pycparser import c_ast

from ...diagnostics import Code
from ..source.pp_tokens import Lexeme
from .lexer import Fed
from .positions import Noting

DECLTYPE, TYPEOF = "decltype", "typeof"
TYPE_OF = ("__typeof__", "typeof", "__typeof")

OF_TYPES = frozenset(
    f"{name}{short}"
    for name in (
        "remove_cv",
        "remove_const",
        "remove_reference",
        "remove_cvref",
        "decay",
        "conditional",
        "make_signed",
        "make_unsigned",
    )
    for short in ("", "_t")
)
"""The standard library's type transformations; those without `_t` have the result as member `type`."""


class ClassName(str):
    """The text of a type's name, and its parts. `args` is None if no `<` follows."""

    __slots__ = ("args", "coord", "member", "of")

    of: str
    args: list[c_ast.Node] | None
    member: str
    coord: Any

    @staticmethod
    def made(
        text: str, of: str, args: list[c_ast.Node] | None, member: str = "", coord: Any = None
    ) -> ClassName:
        name = ClassName(text)
        name.of, name.args, name.member, name.coord = of, args, member, coord
        return name


class Member(c_ast.Node):  # type: ignore[misc]  # pycparser is untyped to us
    """`Config::width`, `Vec<T, 4>::of(x)`: a constant or a function of a class."""

    __slots__ = ("__weakref__", "coord", "of")
    attr_names = ()

    def __init__(self, of: ClassName, coord: Any) -> None:
        self.of = of
        self.coord = coord

    def children(self) -> tuple[tuple[str, c_ast.Node], ...]:
        return tuple((f"args[{i}]", arg) for i, arg in enumerate(self.of.args or ()))


class ClassTemplate(c_ast.Node):  # type: ignore[misc]  # pycparser is untyped to us
    """A class template or an alias template: its head and its definition.

    `arguments` are those of a specialisation: `template <> struct Pair<float> {…}`.
    """

    __slots__ = ("__weakref__", "arguments", "coord", "name", "node", "params")
    attr_names = ("name",)

    def __init__(
        self, name: str, params: list[Any], node: c_ast.Node, arguments: list[c_ast.Node] | None, coord: Any
    ) -> None:
        self.name = name
        self.params = params
        self.node = node  # a Class, or a Typedef
        self.arguments = arguments
        self.coord = coord

    def children(self) -> tuple[tuple[str, c_ast.Node], ...]:
        found = [*self.params, *(self.arguments or ()), self.node]
        return tuple((f"parts[{i}]", part) for i, part in enumerate(found))


def member_types(tokens: Sequence[Lexeme], first: int, end: int) -> frozenset[str]:
    """Return the types that the body of a class names: `using scalar = T;`, `typedef T scalar;`."""
    found: set[str] = set()
    depth = 0
    for i in range(first, end - 2):
        depth += {"{": 1, "}": -1}.get(tokens[i].value, 0)
        match tokens[i].value:
            case "struct" | "class" | "union" if depth and tokens[i + 2].value in ("{", "final"):
                found.add(tokens[i + 1].value)
            case "using" if tokens[i + 2].value == "=":
                found.add(tokens[i + 1].value)
            case "enum":
                named = tokens[i + 2 if tokens[i + 1].value in ("class", "struct") else i + 1]
                found |= {named.value} - {"{"}
            case "typedef":
                semicolon = next((k for k in range(i, end) if tokens[k].value == ";"), end)
                found.add(tokens[semicolon - 1].value)
    return frozenset(found)


class ClassIds(Noting):
    """Parser methods for such names."""

    members: Mapping[str, frozenset[str]] = {}
    """The known classes, and which of their members are types."""

    generic: frozenset[str] = frozenset()
    """The class templates among them, and the alias templates."""

    open_types: frozenset[str] = frozenset()
    """The type parameters of the template."""

    def _classify_identifier(self, tok: Any) -> None:
        if tok is not None and tok.value == "decltype" and tok.type == "CLASS":
            self._read_decltype(tok)
        elif tok is not None and tok.type == "ID" and tok.value in TYPE_OF:
            self._read_type_of(tok, TYPEOF)
        if (
            tok is not None
            and tok.type in ("ID", "TYPEID")
            and (tok.value in self.members or self._is_local_type(tok.value))
        ):
            self._read_class_name(tok)
            if tok.type == "MEMBER":
                self._typedef_checked_token = tok
                return
        super()._classify_identifier(tok)

    def _is_local_type(self, name: str) -> bool:
        """Whether a name is a type of a function or a template; its class is resolved later."""
        if name in self.open_types and self._scope_stack[0].get(name):
            return not any(scope.get(name) is False for scope in self._scope_stack[1:])
        scopes = self._scope_stack[1:]
        return next((bool(scope[name]) for scope in reversed(scopes) if name in scope), False)

    def _is_type_in_scope(self, name: str) -> bool:
        return isinstance(name, ClassName) or bool(super()._is_type_in_scope(name))

    def _read_class_name(self, tok: Fed) -> None:
        """Merge `Vec<float>::type` into one token; the parser's position stays where it is."""
        buffer: list[Any] = self._tokens._buffer
        at = next((i for i in range(len(buffer) - 1) if buffer[i] is tok), None)
        if isinstance(tok.value, ClassName) or at is None:
            return
        follows = buffer[at + 1].type if buffer[at + 1] is not None else ""
        angle = follows == "LT" and tok.value in self.generic
        hidden = any(scope.get(tok.value) is False for scope in self._scope_stack)
        if hidden or not (angle or follows == "COLONCOLON"):
            return
        name, start = tok.value, self._tokens._index
        checked = self._typedef_checked_token
        self._tokens._index = at + 1
        args = self._parse_template_arguments() if angle else None
        member, kind = "", "TYPEID"
        behind = self._tokens._index
        if buffer[behind] is not None and buffer[behind].type == "COLONCOLON":
            if buffer[behind + 1] is not None and buffer[behind + 1].type == "TEMPLATE":
                self._skip(Code.NO_TEMPLATES, self._at(1), name="template")
            after = buffer[behind + 1]
            if after is not None and after.type in ("ID", "TYPEID"):
                member = after.value
                said = self._lexemes[tok.first - 1].value == "typename" if tok.first else False
                known = self.members.get(name, frozenset())
                kind = "TYPEID" if said or member in known else "MEMBER"
                behind += 2
        self._tokens._index, self._typedef_checked_token = start, checked
        self._join(tok, at, behind, kind, name, args, member)

    def _join(
        self,
        tok: Fed,
        at: int,
        behind: int,
        kind: str,
        of: str,
        args: list[c_ast.Node] | None,
        member: str = "",
    ) -> None:
        """Merge the tokens from `at` to `behind` into one, a name."""
        last = self._fed[behind - 1].last
        text = "".join(self._lexemes[i].value for i in range(tok.first, last + 1))
        self._put(at + 1, behind)
        tok.value = ClassName.made(text, of, args, member, self._tok_coord(tok))
        tok.type, tok.last = kind, last

    def _read_decltype(self, tok: Fed) -> None:
        """Make a type name of `decltype(n)`, where n is a variable."""
        buffer: list[Any] = self._tokens._buffer
        at = next((i for i in range(len(buffer) - 3) if buffer[i] is tok), None)
        if at is None or any(each is None for each in buffer[at + 1 : at + 4]):
            return
        if [each.type for each in buffer[at + 1 : at + 4]] != ["LPAREN", "ID", "RPAREN"]:
            if buffer[at + 2].value != "auto":
                self._read_type_of(tok, DECLTYPE)
            return
        coord = self._tok_coord(tok)
        named = c_ast.ID(buffer[at + 2].value, coord)
        last = buffer[at + 3].last
        self._put(at + 1, at + 4)
        tok.value = ClassName.made(f"decltype({named.name})", DECLTYPE, [named], "", coord)
        tok.type, tok.last = "TYPEID", last

    def _read_type_of(self, tok: Fed, kind: str) -> None:
        """Make a type name of `decltype(a * b)` or `__typeof__(a)`."""
        buffer: list[Any] = self._tokens._buffer
        at = next((i for i in range(len(buffer) - 3) if buffer[i] is tok), None)
        if at is None or buffer[at + 1] is None or buffer[at + 1].type != "LPAREN":
            return
        start, checked, coord = self._tokens._index, self._typedef_checked_token, self._tok_coord(tok)
        self._tokens._index = at + 2
        self._typedef_checked_token = None
        within = buffer[at + 2]
        node = self._parse_type_name() if self._starts_declaration(within) else self._parse_expression()
        if (
            kind == DECLTYPE
            and within.type == "LPAREN"
            and self.ranges[id(node)].outer_last > self.ranges[id(node)].last
        ):
            node = c_ast.UnaryOp("*", node, coord)  # an lvalue, so the type is a reference
        self._expect("RPAREN")
        behind = self._tokens._index
        self._tokens._index, self._typedef_checked_token = start, checked
        self._join(tok, at, behind, "TYPEID", kind, [node])

    def _parse_template_arguments(self) -> list[c_ast.Node]:
        raise NotImplementedError  # defined in templates.py

    def _member_of_a_class(self) -> c_ast.Node:
        """Parse a constant or a function of a class where a value is expected."""
        first = self._first()
        token = self._advance()
        return self._noted(Member(token.value, self._tok_coord(token)), first)


class VariableName(ClassName):
    """The text of a use of a variable template, `filter<T>`, and its parts."""

    __slots__ = ()

    @staticmethod
    def written(name: str, text: str, args: list[c_ast.Node], coord: Any) -> VariableName:
        made = VariableName(text)
        made.of, made.args, made.member, made.coord = name, args, "", coord
        return made


class VariableTemplate(c_ast.Node):  # type: ignore[misc]  # pycparser is untyped to us
    """A variable template: its head and its declaration."""

    __slots__ = ("__weakref__", "coord", "decl", "params")
    attr_names = ()

    def __init__(self, params: list[Any], decl: c_ast.Decl, coord: Any) -> None:
        self.params = params
        self.decl = decl
        self.coord = coord

    def children(self) -> tuple[tuple[str, c_ast.Node], ...]:
        return (*((f"params[{i}]", p) for i, p in enumerate(self.params)), ("decl", self.decl))
