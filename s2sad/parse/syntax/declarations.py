"""Parse declarations: initialisers in C++'s forms, references, parameters without names.

Added to C are `int i(0)`, `int i{0}`, `T &r = a`, and parameters with default values. A name
used as a type without a declaration is refused once, and treated as a type from then on.
"""

from __future__ import annotations

from typing import Any

from pycparser import c_ast, c_parser

from ...diagnostics import Code
from ..types import types
from .operator_templates import OperatorTemplates
from .positions import Range

NOT_TYPES = frozenset(c_parser._TYPE_QUALIFIER | c_parser._STORAGE_CLASS | c_parser._FUNCTION_SPEC)


class Declarations(OperatorTemplates):
    """Parser methods for declarations."""

    def _parse_external_declaration(self) -> list[Any]:
        first = self._first()
        if self._is_undeclared_type():
            self._undeclared_type()
        nodes = super()._parse_external_declaration()
        for node in nodes:
            self._noted(node, first)
        return list(nodes)

    def _parse_decl_body(self) -> list[Any]:
        first = self._first()
        nodes = super()._parse_decl_body()
        for i, node in enumerate(nodes):
            noted = self.ranges.get(id(getattr(node, "type", None)))
            if noted is None:
                self._noted(node, first)
            else:  # the range is the declarator's, for the first one with the type before it
                self.ranges[id(node)] = Range(node, first if i == 0 else noted.first, noted.last)
        return list(nodes)

    def _parse_init_declarator(self, id_only: bool = False) -> Any:
        first = self._first()
        self._reference()
        decl = self._parse_id_declarator() if id_only else self._parse_declarator()
        info: dict[str, Any] = {"decl": decl}
        match self._peek_type():
            case "EQUALS":
                self._advance()
                info["init"] = self._parse_initializer()
            case "LPAREN":  # `int i(0)`
                self._advance()
                init = self._parse_assignment_expression()
                values = [init]
                while self._accept("COMMA"):  # `V v(a, b)`
                    values.append(self._parse_assignment_expression())
                self._expect("RPAREN")
                info["init"] = init if len(values) == 1 else c_ast.InitList(values, init.coord)
            case "LBRACE":  # `int i{0}`
                init = self._parse_initializer()
                info["init"] = init
                info["single"] = isinstance(decl, c_ast.TypeDecl) and len(init.exprs) == 1
        self._noted(decl, first)
        return info

    def _build_declarations(self, spec: Any, decls: Any, typedef_namespace: bool = False) -> Any:
        """Build declarations of one type; `int i{0}` is `int i = 0`, but for a class it may list fields."""
        names = [word for kind in spec["type"] for word in getattr(kind, "names", [""])]
        number = names == ["auto"] or types.scalar(names) is not None
        for info in decls if number else ():
            if info.get("single"):
                info["init"] = info["init"].exprs[0]
        return super()._build_declarations(spec, decls, typedef_namespace)

    def _parse_decl_suffixes(self, decl: c_ast.Node) -> c_ast.Node:
        while True:
            match self._peek_type():
                case "LBRACKET":
                    decl = self._type_modify_decl(decl, self._parse_array_decl(decl))
                case "LPAREN" if not self._initialises():
                    decl = self._type_modify_decl(decl, self._parse_function_decl(decl))
                case _:
                    return decl

    def _initialises(self) -> bool:
        """Whether the parentheses after a declared name hold its value, not parameters."""
        token = self._peek(2)
        if (
            (len(self._scope_stack) == 1 and self._is_function)
            or token is None
            or token.type in ("RPAREN", "ELLIPSIS")
        ):
            return False
        return not self._starts_declaration(token)

    def _parse_function_decl(self, base_decl: c_ast.Node) -> c_ast.Node:
        """Parse parameters with types only, no lists of names as before C89."""
        self._expect("LPAREN")
        args = None if self._peek_type() == "RPAREN" else self._parse_parameter_type_list()
        self._expect("RPAREN")
        if self._peek_type() == "ARROW":
            self._type_of_parameters()
        return c_ast.FuncDecl(args=args, type=None, coord=base_decl.coord)

    def _parse_parameter_type_list(self) -> c_ast.Node:
        params = super()._parse_parameter_type_list()
        for param in params.params:
            if isinstance(param, c_ast.EllipsisParam):
                self._refuse(Code.NO_VARARGS, self._lexemes[param.coord.index].span)
        return params

    def _parse_parameter_declaration_body(self) -> c_ast.Node:
        first = self._first()
        if self._peek_type() == "ID" and self._peek_type(2) == "LT":
            self._no_accessor(self._at().text, 1)
            self._skip(Code.NO_TEMPLATES, self._at(), name=self._at().text)
        if self._peek_type() == "ID" and self._peek_type(2) != "COLONCOLON":
            self._undeclared_type()
        node = super()._parse_parameter_declaration_body()
        if self._accept("EQUALS"):
            default = self._parse_initializer()
            if isinstance(node, c_ast.Typename):
                node = self._named(node)
            if isinstance(node, c_ast.Decl):
                node.init = default
        elif isinstance(node, c_ast.Typename):
            names_ = getattr(getattr(node.type, "type", None), "names", None)
            if names_ != ["void"] or self._peek_type() == "COMMA":
                node = self._named(node)
        return self._noted(node, first)

    def _named(self, node: c_ast.Typename) -> c_ast.Decl:
        """Give an unnamed parameter a name that the file doesn't use."""
        written = {lexeme.value for lexeme in self._lexemes}
        name = next(n for n in self._unused if n not in written)
        kind = node.type
        while not isinstance(kind, c_ast.TypeDecl):
            kind = kind.type
        kind.declname = name
        return c_ast.Decl(name, node.quals, [], [], [], node.type, None, None, node.coord)

    def _parse_direct_declarator(self, kind: str, allow_paren: bool = True) -> c_ast.Node:
        if self._peek_type() == "LPAREN" and self._peek_type(2) == "TIMES":
            depth, k = 1, 1
            while depth and (token := self._tokens.peek(k := k + 1)) is not None:
                depth += {"LPAREN": 1, "RPAREN": -1}.get(token.type, 0)
            if self._peek_type(k + 1) == "LPAREN":
                self._refuse(Code.FUNCTION_POINTERS, self._at())
        token = self._tokens.peek()
        if kind == "id" and token is not None and token.type == "TYPEID":
            token.type = "ID"  # a name follows a type: `float half;`
            self._typedef_checked_token = token
        return super()._parse_direct_declarator(kind, allow_paren)

    def _parse_specifiers(self, *, allow_storage_and_function: bool) -> Any:
        word = self._tokens.peek()
        if word is not None and word.type == "CLASS" and word.value == "class":
            word.type = "STRUCT"
        if self._peek_type() in ("CLASS", "TEMPLATE"):
            self._class()
        k = self._after_words()
        if self._peek_type(k) in ("ID", "TYPEID") and self._peek_type(k + 1) == "COLONCOLON":
            self._no_namespace(k)
        if k > 1 and self._peek_type(k) == "ID" and self._peek_type(k + 1) == "LT":
            self._no_accessor(self._at(k - 1).text, k)
            self._skip(Code.NO_TEMPLATES, self._at(k - 1), name=self._at(k - 1).text)
        if self._is_undeclared_type():
            self._undeclared_type()
        result = super()._parse_specifiers(allow_storage_and_function=allow_storage_and_function)
        if self._peek_type() in ("ID", "TYPEID") and self._peek_type(2) == "COLONCOLON":
            self._no_namespace(1)
        if result[0] is not None and not result[1]:
            self._expected("expected a type")
        self._reference()
        return result

    def _reference(self) -> None:
        """Read the `&` of a declarator as `*`; `_parse_pointer` distinguishes them again."""
        k = 1
        while self._peek_type(k) in ("TIMES", "CONST", "RESTRICT", "VOLATILE"):
            k += 1
        token = self._tokens.peek(k)
        if k == 1 and self._peek_type() == "LPAREN" and self._peek_type(2) == "AND":  # `float (&a)[4]`
            token = self._tokens.peek(2)
        elif token is not None and token.type == "LAND" and k == 1:
            self._rvalue_reference(token)
        elif token is not None and (token.type == "LAND" or (token.type == "AND" and k > 1)):
            name = self._tokens.peek(k + 1)
            named = f": `{name.value}`" if name is not None and name.type in ("ID", "TYPEID") else ""
            self._skip(Code.NO_REFERENCES, self._at(k - 1), name=named)
        if token is not None and token.type == "AND":
            token.type = "TIMES"

    def _rvalue_reference(self, token: Any) -> None:
        """Parse `T &&t = value;` as `T t = value;`, `auto &&r = place;` as `auto &r = place;`."""
        name = self._tokens.peek(2)
        named = f"`{name.value}`, " if name is not None and name.type in ("ID", "TYPEID") else ""
        if self._peek_type(3) not in ("EQUALS", "LBRACE", "COLON"):
            what = f"{named}an rvalue reference"
            self._skip(Code.NOT_SUPPORTED, self._at(), what=what, help="use a value or a `const` reference")
        k = 5 if self._peek_type(4) == "ID" else 4
        depth = 0
        while self._peek_type(3) != "COLON" and (after := self._tokens.peek(k)) is not None:
            depth += {"LBRACKET": 1, "RBRACKET": -1}.get(after.type, 0)
            if depth == 0 and after.type not in ("RBRACKET", "PERIOD", "ARROW", "ID"):
                break
            k += 1
        at_end = self._peek_type(k) in ("SEMI", "COMMA")
        auto = self._said(-1) == "auto"
        of_place = self._peek_type(3) == "COLON" or (k > 4 and at_end)
        if of_place and not auto:
            self._skip(Code.NO_REFERENCES, self._at(), name=f": {named.rstrip(', ')}")
        if of_place or (auto and self._peek_type(4) != "LBRACKET"):
            token.type = "TIMES"  # lowering decides between an lvalue and a value
        else:
            self._forget(1)

    def _parse_pointer(self) -> Any:
        pointer = super()._parse_pointer()
        part = pointer
        while part is not None:
            word = self._lexemes[part.coord.index].value
            if word in ("&", "&&"):
                part.quals = [*(part.quals or ()), *dict.fromkeys(("&", word))]
            part = part.type
        return pointer

    # ---- undeclared names, and classes -----------------------------------------

    def _is_undeclared_type(self) -> bool:
        """Whether `Name name` or `Name *name =` follows; after a qualifier also `Name *` and `Name &`."""
        k = self._after_words()
        if self._peek_type(k) != "ID":
            return False
        if self._peek_type(k + 1) == "ID":
            return True
        if k > 1:
            return self._peek_type(k + 1) in ("TIMES", "AND", "TYPEID")
        return self._peek_type(2) == "TIMES" and self._peek_type(3) == "ID" and self._peek_type(4) == "EQUALS"

    def _after_words(self) -> int:
        """Return how far ahead the first token is that isn't `const`, `static`, `__device__` or similar."""
        k = 1
        while self._peek_type(k) in NOT_TYPES:
            k += 1
        return k

    def _undeclared_type(self) -> None:
        """Report the name once, and treat it as a type from then on."""
        k = self._after_words()
        token = self._tokens.peek(k)
        assert token is not None
        name = token.value
        if name not in self._types:
            self._refuse(Code.UNKNOWN_TYPE, self._at(k - 1), name=name, nearest="")
            self._types[name] = True
        self._scope_stack[0][name] = True
        for scope in self._scope_stack[1:]:
            scope.pop(name, None)
        self._typedef_checked_token = None
