"""Parse expressions: operators as pycparser does, casts in C++'s forms, and refusals.

Added to C are `float(x)` and `static_cast<T>(x)`. A C++ construct where a value is
expected is refused by name, which ends the statement and not the parse.
"""

from __future__ import annotations

import re
from typing import Any, NoReturn

from pycparser import c_ast, c_parser

from ...diagnostics import Code, Rejected
from .lambdas import Lambdas
from .lexer import Fed
from .positions import HERE, Place

LONGEST = 10_000
"""How long a chain such as `a + b + c` may be: each operation nests the one before."""

_SIMPLE_TYPES = frozenset(c_parser._TYPE_SPEC_SIMPLE)
_STARTS_EXPRESSION = frozenset(
    {"STATIC_CAST", "OTHER_CAST", "HEAP", "CLASS", "EXCEPTION", "COLONCOLON", "MEMBER"}
)
_REFUSED = {"OTHER_CAST": Code.NO_CAST, "HEAP": Code.NO_HEAP, "EXCEPTION": Code.NO_EXCEPTIONS}
_ARGUMENTS = frozenset({"TYPEID", "INT_CONST_DEC", "BOOL_CONST", "COMMA", "CONST"})
_LIBRARIES = frozenset({"cg", "cooperative_groups", "cub", "cuda", "nvcuda", "thrust", "wmma"})


class Nothing(c_ast.Constant):  # type: ignore[misc]  # pycparser is untyped to us
    """The operand of `T()`: zero for a number, no argument for a class."""

    __slots__ = ()


class Values(Lambdas):
    """Parser methods for expressions."""

    _within_angles = False  # a `>` ends the expression

    def _parse_binary_expression(self, min_prec: int = 0, lhs: c_ast.Node | None = None) -> c_ast.Node:
        """Parse as pycparser does, and record the range of each operation."""
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
            if self._within_angles and token.type in ("GT", "RSHIFT"):
                return lhs
            level = precedence[token.type]
            self._advance()
            self._check_operator(token)
            rhs = self._parse_cast_expression()
            while (
                (after := self._peek()) is not None
                and precedence.get(after.type, -1) > level
                and not (self._within_angles and after.type in ("GT", "RSHIFT"))
            ):
                rhs = self._parse_binary_expression(precedence[after.type], rhs)
            lhs = self._noted(c_ast.BinaryOp(token.value, lhs, rhs, lhs.coord), first)

    def _check_operator(self, token: Fed) -> None:
        """Refuse `k<<<…>>>` and `f<float>`, which look like operators to C."""
        if token.type == "LSHIFT" and self._peek_type() == "LT":
            self._skip(Code.DYNAMIC_PARALLELISM, self._at(-1))
        is_type = self._peek_type() in _SIMPLE_TYPES or self._peek_type() in ("TYPEID", "CONST")
        name = self._fed[self._tokens._index - 2]
        if token.type == "LT" and name.type == "ID" and is_type and self._peek_type(2) != "LPAREN":
            self._skip(Code.NO_TEMPLATES, self._at(-2), name=name.value)

    def _parse_postfix_expression(self) -> c_ast.Node:
        """Parse as pycparser does without compound literals, and record the range of each step."""
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
                    if self._peek_type() == "TEMPLATE" or self._is_method_template():
                        name = self._at(int(self._peek_type() == "TEMPLATE")).text
                        what = f"the method template `{name}`, called with arguments in `<>`"
                        help = "write a function template outside the class"
                        self._skip(Code.NOT_SUPPORTED, self._at(), what=what, help=help)
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

    def _is_method_template(self) -> bool:
        """Whether `name<…>(` follows, with only what may be template arguments between the angles."""
        if self._peek_type() != "ID" or self._peek_type(2) != "LT":
            return False
        k = 3
        while (self._peek_type(k) or "") in _ARGUMENTS | _SIMPLE_TYPES:
            k += 1
        return k > 3 and self._peek_type(k) == "GT" and self._peek_type(k + 1) == "LPAREN"

    def _parse_primary_expression(self) -> c_ast.Node:
        first, kind = self._first(), self._peek_type()
        match kind:
            case "LPAREN":
                self._no_cast_to_unknown()
                self._advance()
                if self._peek_type() == "LBRACE":
                    block = self._parse_block_as_value()
                    self._expect("RPAREN")
                    return self._noted(block, first)
                node = self._parse_expression()
                self._expect("RPAREN")
                noted = self.ranges[id(node)]
                noted.outer_first, noted.outer_last = first, self._fed[self._tokens._index - 1].last
                return node
            case "STATIC_CAST" | "OTHER_CAST" if self._said() != "dynamic_cast":
                self._advance()
                self._expect("LT")
                target = self._parse_type_name()
                self._expect("GT")
                self._expect("LPAREN")
                return self._cast_call(target, first)
            case "MEMBER":
                return self._member_of_a_class()
            case "ID" | "TYPEID" if self._peek_type(2) == "COLONCOLON":
                self._no_namespace(1)
            case "LBRACKET":
                return self._parse_lambda()
            case "OTHER_CAST" | "HEAP" | "EXCEPTION":
                self._skip(_REFUSED[kind], self._at(), word=self._advance().value)
            case "CLASS" if self._said() == "this" and self.in_class:
                token = self._advance()
                return self._noted(c_ast.ID("this", self._tok_coord(token)), first)
            case "CLASS" | "TEMPLATE":
                self._class()
            case "LBRACE":  # `a = {x, y};`; lowering refuses it where it is meaningless
                return self._parse_initializer()
            case "COLONCOLON":
                self._expected("expected a value")
            case "BAD_NUMBER" if re.search(r"[0-9.]_\w*$", self._at().text):
                what = f"`{self._at().text}`, a user-defined literal"
                self._skip(Code.NOT_SUPPORTED, self._at(), what=what, help="call a function on the number")
            case "BAD_NUMBER":
                self._skip(Code.SYNTAX_ERROR, self._at(), what=f"'{self._at().text}' is not a number", **HERE)
            case _ if self._is_functional_cast():
                return self._functional_cast(first)
        return self._noted(super()._parse_primary_expression(), first)

    # ---- casts as calls ------------------------------------------------------

    def _is_functional_cast(self, ahead: int = 1) -> bool:
        """Whether `float(x)` or `T{x}` follows: a type and its operand, where a value is expected."""
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
        """Parse the operand and the end of a cast in the form of a call; no operand means zero."""
        place = Place(self._lexemes[first].span, first)
        if self._peek_type() == closing:
            value: c_ast.Node = self._noted(Nothing("int", "0", place), first)
        else:
            value = self._parse_assignment_expression()
        if self._peek_type() == "COMMA":
            values = [value]
            while self._accept("COMMA"):
                values.append(self._parse_assignment_expression())
            value = c_ast.InitList(values, place)
        self._expect(closing)
        return self._noted(c_ast.Cast(target, value, place), first)

    def _no_cast_to_unknown(self) -> None:
        """Refuse `(Name)x` if there is no type of that name."""
        is_cast = self._peek_type(2) == "ID" and self._peek_type(3) == "RPAREN"
        if is_cast and (self._peek_type(4) == "ID" or "CONST" in (self._peek_type(4) or "")):
            token = self._tokens.peek(2)
            assert token is not None
            self._skip(Code.UNKNOWN_TYPE, self._at(1), name=token.value, nearest="")

    def _no_namespace(self, ahead: int) -> NoReturn:
        """Refuse `a::f` where `a` is no namespace; `ahead` is its position."""
        words: list[str] = []
        while (token := self._tokens.peek(ahead + len(words))) is not None:
            if words and (token.type == "COLONCOLON") == (words[-1] == "::"):
                break
            words.append(token.value)
        if words[-1] == "*":
            self._skip(Code.NOT_SUPPORTED, self._at(ahead - 1), what="a pointer to a member",
                       help="select the member where it is used")  # fmt: skip
        self._no_accessor(words[-1], ahead)
        code = Code.LIBRARY if words[0] in _LIBRARIES else Code.NO_NAMESPACES
        self._skip(code, self._at(ahead - 1), name="".join(words))

    def _no_accessor(self, name: str, ahead: int) -> None:
        """Refuse PyTorch's views of tensors, which kernels of its extensions take."""
        if name.endswith(("TensorAccessor", "TensorAccessor32", "TensorAccessor64")):
            help = "pass x.data_ptr<float>(), and the sizes and strides that the kernel needs"
            what = f"`{name}`, a view of a tensor"
            self._skip(Code.NOT_SUPPORTED, self._at(ahead - 1), what=what, help=help)

    def _type_of_parameters(self) -> NoReturn:
        """Refuse `-> decltype(a * b)`, which needs the parameters; other types were moved to the front."""
        what = "a result type given by `decltype`"
        self._skip(Code.NOT_SUPPORTED, self._at(), what=what, help="write the type: `-> float`")

    def _class(self) -> NoReturn:
        """Refuse a word that only C++ has."""
        token = self._tokens.peek()
        assert token is not None
        if token.type == "TEMPLATE" or token.value == "typename":
            self._skip(Code.NO_TEMPLATES, self._at(), name=token.value)
        self._skip(Code.NO_CLASSES, self._at(), what=f"`{token.value}`", help="write it in C")

    def _try_parse_paren_type_name(self) -> Any:
        """Distinguish `(float(x))`, a value in parentheses, from `(float)`, a type."""
        if self._peek_type() != "LPAREN":
            return None
        if self._is_functional_cast(2) and self._peek_type(4) != "TIMES":
            return None
        result = super()._try_parse_paren_type_name()
        if result is not None:
            self._deeper()
        return result

    def _parse_unary_expression(self) -> c_ast.Node:
        """Parse as pycparser does, and also `(float2){x, y}`, C's form of `float2{x, y}`."""
        first = self._first()
        found = self._try_parse_paren_type_name() if self._peek_type() == "LPAREN" else None
        if found is None:
            return super()._parse_unary_expression()
        self._expect("LBRACE")
        return self._cast_call(found[0], first, "RBRACE")

    def _starts_expression(self, tok: Fed | None = None) -> bool:
        token = tok or self._peek()
        return bool(super()._starts_expression(tok)) or (
            token is not None and (token.type in _STARTS_EXPRESSION or token.type in _SIMPLE_TYPES)
        )
