"""CUDA's C on top of pycparser: what it takes beyond C, and what it refuses by name.

One small method for each construct. Beyond C are casts as calls (`float(x)`,
`static_cast<T>(x)`) and initialisers in C++'s forms (`int i(0)`, `int i{0}`). What
isn't differentiated is refused where it stands, and parsing goes on at the next
statement, so that all of it is reported at once. A mistake in the syntax ends the
parse: what follows it would be guesswork.

Every node's first and last token are noted while parsing (`ranges`), because
pycparser's nodes know one place each. The private parts of pycparser that this
overrides are those of version 3.12, which is pinned.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NoReturn, TypeVar

from pycparser import c_ast, c_parser
from pycparser.c_parser import Coord, CParser

from ..diagnostics import Code, Diagnostic, Rejected, diagnose
from ..source import Span
from .lexer import Fed, NoLexer, Stream, classify
from .scan import Lexeme

DEEPEST = 4000
"""How deep parentheses and statements may nest."""
LONGEST = 10_000
"""How long a chain such as `a + b + c` may be: each operation holds the one before."""

_SIMPLE_TYPES = frozenset(c_parser._TYPE_SPEC_SIMPLE)
_NOT_TYPES = frozenset(c_parser._TYPE_QUALIFIER | c_parser._STORAGE_CLASS | c_parser._FUNCTION_SPEC)
_PREFIX = frozenset({"PLUSPLUS", "MINUSMINUS", "AND", "TIMES", "PLUS", "MINUS", "NOT", "LNOT", "SIZEOF"})
_STARTS_EXPRESSION = frozenset({"STATIC_CAST", "OTHER_CAST", "HEAP", "CLASS", "EXCEPTION", "COLONCOLON"})
_NAMES = {
    "SEMI": "';'", "LPAREN": "'('", "RPAREN": "')'", "LBRACE": "'{'", "RBRACE": "'}'",
    "LBRACKET": "'['", "RBRACKET": "']'", "COMMA": "','", "COLON": "':'", "EQUALS": "'='",
    "ID": "a name", "TYPEID": "a type", "WHILE": "'while'", "LT": "'<'", "GT": "'>'",
}  # fmt: skip

# What a message of pycparser's means, by how it begins.
_EXPECTED = {
    "Invalid expression": "expected an expression",
    "Missing type": "expected a type",
    "Invalid declaration": "expected a declaration",
    "Invalid declarator": "expected a name",
    "Invalid struct reference": "expected the name of a field",
    "Invalid function definition": "expected '{' or ';'",
    "Invalid specifier list": "expected a type",
    "Invalid multiple types": "two types in one declaration",
    "Expected identifier": "expected a name",
    "Non-typedef": "a type is declared again as a variable",
    "Typedef": "a variable is declared again as a type",
    "Invalid storage class": "a storage class has no place here",
    "Invalid typedef": "a typedef with a body",
}

_HERE = {"label": "here", "help": ""}

Node = TypeVar("Node")


class Range:
    """The tokens of a node: `first` to `last`, and with the parentheses around it."""

    __slots__ = ("first", "last", "node", "outer_first", "outer_last")

    def __init__(self, node: object, first: int, last: int) -> None:
        self.node = node  # held, so that its id stays its own
        self.first = self.outer_first = first
        self.last = self.outer_last = last


class _Skip(Exception):
    """The rest of this statement can't be parsed; why is on record."""


class Place(Coord):  # type: ignore[misc]  # pycparser is untyped to us
    """A coordinate that also has the index of its token."""

    __slots__ = ("index",)

    def __init__(self, span: Span, index: int) -> None:
        super().__init__(span.source.name, span.line, span.column)
        self.index = index


class Dialect(CParser):  # type: ignore[misc]  # pycparser is untyped to us
    """Parses top-level items out of one list of preprocessed tokens."""

    def __init__(self, tokens: Sequence[Lexeme], types: Iterable[str]) -> None:
        super().__init__(lexer=NoLexer, dialect="c23")
        self._lexemes = tokens
        self._types = dict.fromkeys(types, True)
        self.ranges: dict[int, Range] = {}
        self.problems: list[Diagnostic] = []
        self._depth = 0
        self._fed: list[Fed] = []

    # ---- entry ---------------------------------------------------------------

    def item(self, first: int, end: int, is_function: bool, alias: bool = False) -> list[Any]:
        """Parse one top-level item; what is wrong with it goes to `problems`."""
        self._fed = classify(self._lexemes, first, end)
        if alias:  # `using T = float;` is `typedef float T;`
            using, name, _, *rest = self._fed
            self._fed = [Fed("TYPEDEF", "typedef", using.first, using.last), *rest[:-1], name, *rest[-1:]]
        self._scope_stack = [dict(self._types)]
        self._typedef_checked_token = None
        self._depth = 0
        self._tokens = Stream(self._fed)
        try:
            nodes = self._parse_external_declaration() if is_function else self._parse_declaration()
            if self._peek() is not None:
                self._expected("the end of the declaration")
        except _Skip:
            return []
        return list(nodes)

    # ---- places --------------------------------------------------------------

    def _at(self, ahead: int = 0) -> Span:
        """The place of the next token, or of one beside it."""
        i = min(max(self._tokens._index + ahead, 0), len(self._fed) - 1)
        span: Span = self._lexemes[self._fed[i].first].span
        return span

    def _tok_coord(self, tok: Fed) -> Coord:
        return Place(self._lexemes[tok.first].span, tok.first)

    def _first(self) -> int:
        """The index of the next token among the lexemes."""
        index: int = self._fed[min(self._tokens._index, len(self._fed) - 1)].first
        return index

    def _noted(self, node: Node, first: int) -> Node:
        """The node, which began at `first` and ends before the next token."""
        if id(node) not in self.ranges:
            self.ranges[id(node)] = Range(node, first, self._fed[self._tokens._index - 1].last)
        return node

    def _peek_type(self, k: int = 1) -> str | None:
        token: Fed | None = self._tokens.peek(k)
        if token is None:
            return None
        if token.type in ("ID", "TYPEID"):
            self._classify_identifier(token)
        kind: str = token.type
        return kind

    # ---- problems ------------------------------------------------------------

    def _refuse(self, code: Code, span: Span, **values: str) -> None:
        self.problems.append(diagnose(code, span, **values))

    def _skip(self, code: Code, span: Span, **values: str) -> NoReturn:
        self._refuse(code, span, **values)
        raise _Skip

    def _expected(self, what: str, help: str = "") -> NoReturn:
        """A mistake at the next token."""
        token = self._tokens.peek()
        if token is None:
            self._wrong(f"{what}, and the text ends here", self._at(), help)
        shown = "the pragma" if token.type.startswith("PPPRAGMA") else f"'{token.value}'"
        self._wrong(f"{what} before {shown}", self._at(), help)

    def _parse_error(self, msg: str, coord: Any) -> NoReturn:
        what = next((text for start, text in _EXPECTED.items() if msg.startswith(start)), None)
        if isinstance(coord, Place) and what is not None:
            self._wrong(what, self._lexemes[coord.index].span)
        self._expected(what or "expected something else")

    def _wrong(self, what: str, span: Span, help: str = "") -> NoReturn:
        """A mistake, which ends the parse; after a refusal it is taken for its consequence."""
        if not self.problems:
            values = {"what": what, "label": "here", "help": help}
            self.problems.append(Diagnostic(Code.SYNTAX_ERROR, span, values, self._macro_here()))
        raise Rejected(*self.problems)

    def _macro_here(self) -> tuple[tuple[Span, str], ...]:
        """Where the macro is defined that the next token or the one before came of."""
        i = self._first()
        for token in (self._lexemes[i], self._lexemes[max(i - 1, 0)]):
            for use in token.uses[:1]:
                if use.definition.span is not None:
                    return ((use.definition.span, f"the macro {use.name} is defined here"),)
        return ()

    def _expect(self, token_type: str) -> Fed:
        token = self._peek()
        if token is None or token.type != token_type:
            self._expected(f"expected {_NAMES.get(token_type, token_type.lower())}")
        return self._advance()  # type: ignore[no-any-return]  # pycparser is untyped to us

    def _not_taken(self, what: str, help: str) -> NoReturn:
        """A mistake that ends this statement only."""
        self._skip(Code.SYNTAX_ERROR, self._at(), what=what, label="not taken", help=help)

    def _deeper(self) -> int:
        """Count one more level, of which parentheses and statements are two each; the depth before."""
        depth = self._depth
        self._depth += 1
        if self._depth > 2 * DEEPEST + 20:  # with some for the body around it
            self._refuse(Code.TOO_DEEP, self._at(), limit=str(DEEPEST))
            raise Rejected(self.problems[-1])
        return depth

    # ---- expressions, noted --------------------------------------------------

    def _parse_expression(self) -> c_ast.Node:
        first = self._first()
        return self._noted(super()._parse_expression(), first)

    def _parse_assignment_expression(self) -> c_ast.Node:
        first, depth = self._first(), self._deeper()
        node = self._noted(super()._parse_assignment_expression(), first)
        self._depth = depth
        return node

    def _parse_conditional_expression(self) -> c_ast.Node:
        first, depth = self._first(), self._deeper()
        node = self._noted(super()._parse_conditional_expression(), first)
        self._depth = depth
        return node

    def _parse_cast_expression(self) -> c_ast.Node:
        first, depth = self._first(), self._depth
        node = self._noted(super()._parse_cast_expression(), first)
        self._depth = depth
        return node

    def _parse_unary_expression(self) -> c_ast.Node:
        if self._peek_type() not in _PREFIX:
            return self._parse_postfix_expression()
        first, depth = self._first(), self._deeper()
        node = self._noted(super()._parse_unary_expression(), first)
        self._depth = depth
        return node

    def _parse_argument_expression_list(self) -> c_ast.Node:
        first = self._first()
        return self._noted(super()._parse_argument_expression_list(), first)

    def _parse_type_name(self) -> c_ast.Node:
        first = self._first()
        return self._noted(super()._parse_type_name(), first)

    def _parse_initializer(self) -> c_ast.Node:
        first, depth = self._first(), self._deeper()
        node = self._noted(super()._parse_initializer(), first)
        self._depth = depth
        return node

    def _parse_binary_expression(self, min_prec: int = 0, lhs: c_ast.Node | None = None) -> c_ast.Node:
        """As pycparser's, with every operation on the way noted."""
        if lhs is None:
            first = self._first()
            lhs = self._parse_cast_expression()
        else:
            first = self.ranges[id(lhs)].outer_first
        precedence = c_parser._BINARY_PRECEDENCE
        length = 0
        while True:
            length += 1
            if length > LONGEST:
                self._refuse(Code.TOO_DEEP, self._at(), limit=str(LONGEST))
                raise Rejected(self.problems[-1])
            token = self._peek()
            if token is None or precedence.get(token.type, -1) < min_prec:
                return lhs
            level = precedence[token.type]
            self._advance()
            self._check_operator(token)
            rhs = self._parse_cast_expression()
            while (after := self._peek()) is not None and precedence.get(after.type, -1) > level:
                rhs = self._parse_binary_expression(precedence[after.type], rhs)
            lhs = self._noted(c_ast.BinaryOp(token.value, lhs, rhs, lhs.coord), first)

    def _check_operator(self, token: Fed) -> None:
        """`k<<<…>>>` and `f<float>` look like operators to C."""
        if token.type == "LSHIFT" and self._peek_type() == "LT":
            self._skip(Code.DYNAMIC_PARALLELISM, self._at(-1))
        is_type = self._peek_type() in _SIMPLE_TYPES or self._peek_type() in ("TYPEID", "CONST")
        name = self._fed[self._tokens._index - 2]
        if token.type == "LT" and name.type == "ID" and is_type and self._peek_type(2) != "LPAREN":
            self._skip(Code.NO_TEMPLATES, self._at(-2), name=name.value)

    def _parse_postfix_expression(self) -> c_ast.Node:
        """As pycparser's without compound literals, with every step noted."""
        first = self._first()
        node = self._parse_primary_expression()
        while True:
            match self._peek_type():
                case "LBRACKET":
                    self._advance()
                    index = self._parse_expression()
                    self._expect("RBRACKET")
                    node = c_ast.ArrayRef(node, index, node.coord)
                case "LPAREN":
                    self._advance()
                    args = None if self._peek_type() == "RPAREN" else self._parse_argument_expression_list()
                    self._expect("RPAREN")
                    node = c_ast.FuncCall(node, args, node.coord)
                case "PERIOD" | "ARROW":
                    op = self._advance().value
                    if self._peek_type() not in ("ID", "TYPEID"):
                        self._expected("expected the name of a field")
                    field = self._advance()
                    name = self._noted(c_ast.ID(field.value, self._tok_coord(field)), field.first)
                    node = c_ast.StructRef(node, op, name, node.coord)
                case "PLUSPLUS" | "MINUSMINUS":
                    node = c_ast.UnaryOp("p" + self._advance().value, node, node.coord)
                case _:
                    return node
            self._noted(node, first)

    def _parse_primary_expression(self) -> c_ast.Node:
        first, kind = self._first(), self._peek_type()
        match kind:
            case "LPAREN":
                self._advance()
                if self._peek_type() == "LBRACE":
                    self._not_taken("a statement where a value is expected", "use a variable")
                node = self._parse_expression()
                self._expect("RPAREN")
                noted = self.ranges[id(node)]
                noted.outer_first, noted.outer_last = first, self._fed[self._tokens._index - 1].last
                return node
            case "STATIC_CAST":
                self._advance()
                self._expect("LT")
                target = self._parse_type_name()
                self._expect("GT")
                self._expect("LPAREN")
                return self._cast_call(target, first)
            case "ID" if self._peek_type(2) == "COLONCOLON":
                self._skip(Code.NO_NAMESPACES, self._at())
            case "LBRACKET":
                self._skip(Code.NO_LAMBDAS, self._at())
            case "OTHER_CAST":
                self._skip(Code.NO_CAST, self._at(), word=self._advance().value)
            case "HEAP":
                self._skip(Code.NO_HEAP, self._at(), word=self._advance().value)
            case "EXCEPTION":
                self._skip(Code.NO_EXCEPTIONS, self._at(), word=self._advance().value)
            case "CLASS":
                self._class()
            case "COLONCOLON":
                self._skip(Code.NO_NAMESPACES, self._at())
            case "BAD_NUMBER":
                self._skip(
                    Code.SYNTAX_ERROR, self._at(), what=f"'{self._at().text}' is not a number", **_HERE
                )
            case _ if self._is_functional_cast():
                return self._functional_cast(first)
        return self._noted(super()._parse_primary_expression(), first)

    # ---- casts as calls ------------------------------------------------------

    def _is_functional_cast(self, ahead: int = 1) -> bool:
        """`float(x)`, `T{x}`: one type and what it is made of, where a value is expected."""
        return (
            self._peek_type(ahead) in _SIMPLE_TYPES or self._peek_type(ahead) == "TYPEID"
        ) and self._peek_type(ahead + 1) in ("LPAREN", "LBRACE")

    def _functional_cast(self, first: int) -> c_ast.Node:
        token = self._advance()
        place = self._tok_coord(token)
        kind = c_ast.IdentifierType([token.value], place)
        declared = c_ast.TypeDecl(None, [], None, kind, place)
        target = self._noted(c_ast.Typename(None, [], None, declared, place), first)
        opening = self._advance()
        return self._cast_call(target, first, "RBRACE" if opening.type == "LBRACE" else "RPAREN")

    def _cast_call(self, target: c_ast.Node, first: int, closing: str = "RPAREN") -> c_ast.Node:
        """The operand and the end of a cast in the form of a call; none is zero."""
        place = Place(self._lexemes[first].span, first)
        if self._peek_type() == closing:
            value: c_ast.Node = self._noted(c_ast.Constant("int", "0", place), first)
        else:
            value = self._parse_assignment_expression()
        self._expect(closing)
        return self._noted(c_ast.Cast(target, value, place), first)

    def _try_parse_paren_type_name(self) -> Any:
        """`(float(x))` is a value in parentheses, `(float)` a type; compound literals aren't taken."""
        if self._peek_type() != "LPAREN":
            return None
        if self._is_functional_cast(2) and self._peek_type(4) != "TIMES":
            return None
        result = super()._try_parse_paren_type_name()
        if result is not None:
            self._deeper()
        if result is not None and self._peek_type() == "LBRACE":
            self._not_taken("a value written as (type){…}", "declare a variable")
        return result

    def _starts_expression(self, tok: Fed | None = None) -> bool:
        token = tok or self._peek()
        return bool(super()._starts_expression(tok)) or (
            token is not None and (token.type in _STARTS_EXPRESSION or token.type in _SIMPLE_TYPES)
        )

    # ---- statements ----------------------------------------------------------

    def _parse_statement(self) -> c_ast.Node:
        first, depth = self._first(), self._deeper()
        self._deeper()
        match self._peek_type():
            case "ASM":
                self._skip(Code.INLINE_ASSEMBLY, self._at())
            case "EXCEPTION":
                self._skip(Code.NO_EXCEPTIONS, self._at(), word=self._advance().value)
            case "ELSE":
                self._wrong("'else' without an 'if'", self._at())
            case _ if self._starts_declaration() and not self._is_functional_cast():
                self._expected("expected a statement", "a declaration needs braces around it here")
        node = self._noted(super()._parse_statement(), first)
        self._depth = depth
        return node

    def _parse_block_item(self) -> Any:
        """Parse a statement or declaration; after a refusal, go on behind it."""
        start, scopes, depth = self._tokens.mark(), len(self._scope_stack), self._depth
        try:
            match self._peek_type():
                case "CLASS" | "TEMPLATE":
                    self._class()
                case "ID" if self._peek_type(2) == "COLONCOLON":
                    self._skip(Code.NO_NAMESPACES, self._at())
                case "ID" if self._is_undeclared_type():
                    self._undeclared_type()
            return super()._parse_block_item()
        except _Skip:
            self._reset(start)
            del self._scope_stack[scopes:]
            self._typedef_checked_token = None
            self._depth = depth
            self._pass_over_statement()
            return []

    def _pass_over_statement(self) -> None:
        depth = 0
        while (token := self._tokens.peek()) is not None:
            if token.type == "RBRACE" and depth == 0:
                return
            self._tokens.next()
            match token.type:
                case "LPAREN" | "LBRACE" | "LBRACKET":
                    depth += 1
                case "RPAREN" | "RBRACKET":
                    depth -= 1
                case "RBRACE":
                    depth -= 1
                    follows = self._tokens.peek()
                    after = follows.type if follows is not None else ""
                    if follows is not None and follows.value == "catch":
                        continue
                    goes_on = after in (
                        "SEMI",
                        "COMMA",
                        "LPAREN",
                        "RPAREN",
                        "ELSE",
                        "PERIOD",
                        "WHILE",
                    )
                    if depth == 0 and not goes_on:
                        return
                case "SEMI" if depth == 0:
                    if self._peek_type() != "ELSE":
                        return

    def _parse_compound_statement(self, *, new_scope: bool = True) -> c_ast.Node:
        first = self._first()
        return self._noted(super()._parse_compound_statement(new_scope=new_scope), first)

    def _parse_selection_statement(self) -> c_ast.Node:
        self._no_declaration_in_condition()
        return super()._parse_selection_statement()

    def _parse_iteration_statement(self) -> c_ast.Node:
        if self._peek_type() == "FOR":
            self._no_range_for()
        else:
            self._no_declaration_in_condition()
        return super()._parse_iteration_statement()

    def _no_declaration_in_condition(self) -> None:
        third = self._tokens.peek(3)
        if self._peek_type(2) == "LPAREN" and third is not None:
            self._peek(3)  # classifies the name
            if self._starts_declaration(third) and not self._is_functional_cast(3):
                self._skip(Code.DECLARATION_IN_CONDITION, self._at(2), word=self._peek().value)

    def _no_range_for(self) -> None:
        depth, k, choices = 0, 2, 0
        while (token := self._tokens.peek(k)) is not None:
            match token.type:
                case "LPAREN" | "LBRACE" | "LBRACKET":
                    depth += 1
                case "RPAREN" | "RBRACE" | "RBRACKET":
                    depth -= 1
                case "CONDOP":
                    choices += 1
                case "COLON" if choices:
                    choices -= 1
                case "COLON" if depth == 1:
                    self._skip(Code.NO_RANGE_FOR, self._at())
            if depth == 0 or token.type == "SEMI":
                return
            k += 1

    def _parse_jump_statement(self) -> c_ast.Node:
        if self._peek_type() == "GOTO":
            self._refuse(Code.GOTO, self._at())
        return super()._parse_jump_statement()

    # ---- declarations --------------------------------------------------------

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
            else:  # its declarator; the first one with the type before it
                self.ranges[id(node)] = Range(node, first if i == 0 else noted.first, noted.last)
        return list(nodes)

    def _parse_init_declarator(self, id_only: bool = False) -> Any:
        first = self._first()
        decl = self._parse_id_declarator() if id_only else self._parse_declarator()
        info: dict[str, Any] = {"decl": decl}
        match self._peek_type():
            case "EQUALS":
                self._advance()
                info["init"] = self._parse_initializer()
            case "LPAREN":  # `int i(0)`
                self._advance()
                info["init"] = self._parse_assignment_expression()
                self._expect("RPAREN")
            case "LBRACE":  # `int i{0}`
                init = self._parse_initializer()
                scalar = isinstance(decl, c_ast.TypeDecl) and len(init.exprs) == 1
                info["init"] = init.exprs[0] if scalar else init
        self._noted(decl, first)
        return info

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
        if len(self._scope_stack) == 1 or token is None or token.type in ("RPAREN", "ELLIPSIS"):
            return False
        return not self._starts_declaration(token)

    def _parse_function_decl(self, base_decl: c_ast.Node) -> c_ast.Node:
        """Parameters with types only, no lists of names as before C89."""
        self._expect("LPAREN")
        args = None if self._peek_type() == "RPAREN" else self._parse_parameter_type_list()
        self._expect("RPAREN")
        return c_ast.FuncDecl(args=args, type=None, coord=base_decl.coord)

    def _parse_parameter_type_list(self) -> c_ast.Node:
        params = super()._parse_parameter_type_list()
        for param in params.params:
            if isinstance(param, c_ast.EllipsisParam):
                self._refuse(Code.NO_VARARGS, self._lexemes[param.coord.index].span)
        return params

    def _parse_parameter_declaration_body(self) -> c_ast.Node:
        first = self._first()
        if not self._starts_declaration() and self._peek_type() == "ID":
            self._undeclared_type()
        node = super()._parse_parameter_declaration_body()
        if self._peek_type() == "EQUALS":
            self._refuse(Code.DEFAULT_ARGUMENT, self._at())
            self._advance()
            self._parse_initializer()
        return self._noted(node, first)

    def _parse_direct_declarator(self, kind: str, allow_paren: bool = True) -> c_ast.Node:
        if self._peek_type() == "LPAREN" and self._peek_type(2) == "TIMES":
            depth, k = 0, 1
            while (token := self._tokens.peek(k)) is not None:
                depth += {"LPAREN": 1, "RPAREN": -1}.get(token.type, 0)
                k += 1
                if depth == 0:
                    break
            if self._peek_type(k) == "LPAREN":
                self._refuse(Code.FUNCTION_POINTERS, self._at())
        return super()._parse_direct_declarator(kind, allow_paren)

    def _parse_specifiers(self, *, allow_storage_and_function: bool) -> Any:
        start = self._tokens._index
        if self._peek_type() in ("CLASS", "TEMPLATE"):
            self._class()
        if self._is_undeclared_type():
            self._undeclared_type()
        result = super()._parse_specifiers(allow_storage_and_function=allow_storage_and_function)
        for token in self._fed[start : self._tokens._index]:
            span = self._lexemes[token.first].span
            if token.type == "AUTO":
                self._refuse(Code.NO_AUTO, span)
                raise _Skip
            if token.type in ("STRUCT", "UNION"):
                self._struct(token, span)
        if result[0] is not None and not result[1]:
            self._expected("expected a type")
        while self._peek_type() in ("AND", "LAND"):
            name = self._tokens.peek(2)
            named = f": `{name.value}`" if name is not None and name.type in ("ID", "TYPEID") else ""
            self._refuse(Code.NO_REFERENCES, self._at(), name=named)
            self._advance()
        return result

    def _struct(self, token: Fed, span: Span) -> None:
        if token.type == "UNION":
            self._refuse(Code.UNION, span)
        else:
            i = self._fed.index(token) + 1
            named = i < len(self._fed) and self._fed[i].type in ("ID", "TYPEID")
            self._refuse(Code.STRUCT, span, name=self._fed[i].value if named else "struct")

    # ---- names that aren't there, and classes --------------------------------

    def _is_undeclared_type(self) -> bool:
        """`Name name`; `Name *name =`; after a qualifier also `Name *` and `Name &`."""
        k = self._after_words()
        if self._peek_type(k) != "ID":
            return False
        if self._peek_type(k + 1) == "ID":
            return True
        if k > 1:
            return self._peek_type(k + 1) in ("TIMES", "AND", "TYPEID")
        return self._peek_type(2) == "TIMES" and self._peek_type(3) == "ID" and self._peek_type(4) == "EQUALS"

    def _after_words(self) -> int:
        """How far ahead the first token is that is no `const`, `static` or `__device__`."""
        k = 1
        while self._peek_type(k) in _NOT_TYPES:
            k += 1
        return k

    def _undeclared_type(self) -> None:
        """Say so once, and take the name for a type from here on."""
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

    def _class(self) -> NoReturn:
        token = self._peek()
        if token.type == "TEMPLATE" or token.value == "typename":
            self._skip(Code.NO_TEMPLATES, self._at(), name=token.value)
        help = "write a typedef before the kernel" if token.value == "using" else "write it in C"
        self._skip(Code.NO_CLASSES, self._at(), what=f"`{token.value}`", help=help)
