"""CUDA's C on top of pycparser: what it takes beyond C, and what it refuses by name.

One small method for each construct. Beyond C are initialisers in C++'s forms
(`int i(0)`, `int i{0}`) and what expressions.py adds. What isn't differentiated is refused
where it stands, and parsing goes on at the next statement, so that all of it is
reported at once. A mistake in the syntax ends the parse: what follows it would be
guesswork.
"""

from __future__ import annotations

from typing import Any

from pycparser import c_ast, c_parser
from pycparser.ast_transforms import fix_switch_cases
from pycparser.c_parser import Coord

from ...diagnostics import Code
from ..types import types
from .ast_utils import CaseRange, RangeFor, Unpacked, Whole, names
from .classes import Classes
from .positions import LAUNCHED, Range, Skip
from .templates import Angles

_NOT_TYPES = frozenset(c_parser._TYPE_QUALIFIER | c_parser._STORAGE_CLASS | c_parser._FUNCTION_SPEC)


class Dialect(Classes, Angles):
    """The methods for statements and declarations."""

    # ---- statements ----------------------------------------------------------

    def _parse_statement(self) -> c_ast.Node:
        first, depth = self._first(), self._deeper()
        self._deeper()
        match self._peek_type():
            case "ASM" if (found := self._special_register()) is not None:
                self._depth = depth
                return self._noted(found, first)
            case "ASM" if self._orders_only():
                while not self._accept("SEMI"):
                    coord = self._tok_coord(self._advance())
                self._depth = depth
                return self._noted(c_ast.EmptyStatement(coord), first)
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

    def _orders_only(self) -> bool:
        """Whether `asm volatile("" ::: "memory");` follows, which computes nothing."""
        k = 2 + (self._peek_type(2) in ("VOLATILE", "INLINE"))
        text = self._tokens.peek(k + 1)
        if self._peek_type(k) != "LPAREN" or text is None or text.value != '""':
            return False
        k += 2
        while self._peek_type(k) in ("COLON", "COLONCOLON", "STRING_LITERAL"):
            k += 1
        return [self._peek_type(k), self._peek_type(k + 1)] == ["RPAREN", "SEMI"]

    def _special_register(self) -> c_ast.Node | None:
        """What the helper has that says how much shared memory the launch gives, as an assignment."""
        kinds = ["ASM", "LPAREN", "STRING_LITERAL", "COLON", "STRING_LITERAL", "LPAREN", "ID", "RPAREN"]
        kinds += ["RPAREN", "SEMI"]
        if [self._peek_type(k + 1) for k in range(len(kinds))] != kinds:
            return None
        instruction, form, name = (self._at(k).text for k in (2, 4, 6))
        if (instruction, form) != (f'"mov.u32 %0, %{LAUNCHED};"', '"=r"'):
            return None
        named = self._tokens.peek(7)
        assert named is not None
        coord = self._tok_coord(named)
        for _ in kinds:
            self._advance()
        read = c_ast.FuncCall(c_ast.ID(LAUNCHED, coord), None, coord)
        return c_ast.Assignment("=", c_ast.ID(name, coord), read, coord)

    def _parse_block_item(self) -> Any:
        """Parse a statement or declaration; after a refusal, go on behind it."""
        start, scopes, depth = self._tokens.mark(), len(self._scope_stack), self._depth
        try:
            match self._peek_type():
                case "CLASS" if self._said() in ("using", "namespace"):
                    raise Skip  # what it names is refused where it is used
                case "CLASS" if self._said() == "this" and self.in_class:
                    pass  # `this->x = x;`
                case "CLASS" | "TEMPLATE":
                    self._class()
                case "ID" if self._peek_type(2) == "COLONCOLON":
                    self._no_namespace(1)
                case "ID" if self._peek_type(2) == "LPAREN":
                    self._no_macro()
                case "ID" if self._is_undeclared_type():
                    self._undeclared_type()
                case "TYPEID" if self._is_call_of_an_object():
                    first = self._first()
                    node = self._parse_expression()
                    self._expect("SEMI")
                    return [self._noted(node, first)]
            return super()._parse_block_item()
        except Skip:
            self._reset(start)
            del self._scope_stack[scopes:]
            self._typedef_checked_token = None
            self._depth = depth
            self._pass_over_statement()
            return []

    def _is_call_of_an_object(self) -> bool:
        """Whether `Add<T>()(x, y);` follows, which makes an object and calls it."""
        return self._is_functional_cast() and [self._peek_type(k) for k in (2, 3, 4)] in (
            ["LPAREN", "RPAREN", "LPAREN"],
            ["LBRACE", "RBRACE", "LPAREN"],
        )

    def _no_macro(self) -> None:
        """`CUDA_KERNEL_LOOP(i, n) { … }`: a call that a block follows is a macro's use."""
        depth, k, parts = 0, 2, 1
        while (token := self._tokens.peek(k)) is not None:
            depth += {"LPAREN": 1, "RPAREN": -1}.get(token.type, 0)
            parts += token.type == "COMMA" and depth == 1
            k += 1
            if depth == 0:
                break
        after = self._tokens.peek(k)
        if after is not None and after.type in ("LBRACE", "FOR", "IF", "WHILE"):
            name = self._at().text
            parameters = ", ".join("inabcd"[:parts])
            self._skip(Code.UNKNOWN_MACRO, self._at(), name=name, parameters=parameters)

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

    def _parse_labeled_statement(self) -> c_ast.Node:
        """As pycparser's, with `case 1 ... 3:`, which compilers take beyond C++."""
        if self._peek_type() != "CASE":
            return super()._parse_labeled_statement()
        coord = self._tok_coord(self._advance())
        label = self._parse_constant_expression()
        if self._accept("ELLIPSIS"):
            label = CaseRange(label, self._parse_constant_expression(), label.coord)
        self._expect("COLON")
        stmt = self._parse_pragmacomp_or_statement() if self._starts_statement() else None
        return c_ast.Case(label, [stmt or c_ast.EmptyStatement(coord)], coord)

    def _parse_selection_statement(self) -> c_ast.Node:
        if self._declares_in_condition():
            return self._with_declaration()
        return super()._parse_selection_statement()

    def _parse_iteration_statement(self) -> c_ast.Node:
        if self._peek_type() == "FOR":
            return self._range_for() if self._is_range_for() else self._for()
        elif self._declares_in_condition():
            return self._with_declaration()
        return super()._parse_iteration_statement()

    def _declares_in_condition(self) -> bool:
        third = self._tokens.peek(3)
        if self._peek_type(2) != "LPAREN" or third is None:
            return False
        self._peek(3)  # classifies the name
        return bool(self._starts_declaration(third) and not self._is_functional_cast(3))

    def _with_declaration(self) -> c_ast.Node:
        """`if (T x = e) s` as `{ T x = e; if (x) s }`; of a `while` what its body begins with."""
        first, word = self._first(), self._peek().value
        begin = self._tok_coord(self._advance())
        self._expect("LPAREN")
        self._push_scope()
        at, place = self._first(), self._at()
        items = self._parse_decl_body()
        if word != "while" and self._accept("SEMI"):
            cond = self._parse_expression()
        else:
            if len(items) != 1 or not isinstance(items[0], c_ast.Decl):
                self._skip(Code.DECLARATION_IN_CONDITION, place, word=word)
            cond = self._noted(c_ast.ID(items[0].name, items[0].coord), at)
        self._expect("RPAREN")
        if word == "while":
            items += [self._leaving(cond, begin, at), self._parse_pragmacomp_or_statement()]
        elif word == "switch":
            chosen = c_ast.Switch(cond, self._parse_pragmacomp_or_statement(), begin)
            items.append(self._noted(fix_switch_cases(chosen), first))
        else:
            then = self._parse_pragmacomp_or_statement()
            other = self._parse_pragmacomp_or_statement() if self._accept("ELSE") else None
            items.append(self._noted(c_ast.If(cond, then, other, begin), first))
        self._pop_scope()
        made = self._noted(c_ast.Compound(items, begin), first)
        if word == "while":
            true = self._noted(c_ast.Constant("int", "1", begin), first)
            made = self._noted(c_ast.While(true, made, begin), first)
        return made

    def _leaving(self, cond: c_ast.Node, begin: Coord, at: int) -> c_ast.Node:
        """`if (!cond) break;`."""
        over = self._noted(c_ast.UnaryOp("!", cond, cond.coord), at)
        return self._noted(c_ast.If(over, self._noted(c_ast.Break(begin), at), None, begin), at)

    def _for(self) -> c_ast.Node:
        """`for (a; T x = e; c) s` as `for (a; ; c) { T x = e; if (!x) break; s }`."""
        first = self._first()
        made = super()._parse_iteration_statement()
        decl, place = self._conditions.pop(id(made.cond), (None, None))
        if decl is None or place is None:
            return made
        if decl.name in names(made.next):
            self._skip(Code.DECLARATION_IN_CONDITION, place, word="for")
        items = [decl, self._leaving(made.cond, made.coord, first), made.stmt]
        made.cond, made.stmt = None, self._noted(c_ast.Compound(items, made.coord), first)
        return made

    def _parse_expression_opt(self) -> c_ast.Node:
        """An expression, or the declaration that stands for the condition of a `for`."""
        first = self._tokens.peek(1)
        if first is None or not self._starts_declaration() or self._is_functional_cast(1):
            return super()._parse_expression_opt()
        at, place = self._first(), self._at()
        items = self._parse_decl_body()
        if len(items) != 1 or not isinstance(items[0], c_ast.Decl):
            self._skip(Code.DECLARATION_IN_CONDITION, place, word="for")
        cond = self._noted(c_ast.ID(items[0].name, items[0].coord), at)
        self._conditions[id(cond)] = items[0], place
        return cond

    def _is_range_for(self) -> bool:
        """Whether a colon that isn't that of `?:` stands in the head of a `for`."""
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
                    return True
            if depth == 0 or token.type == "SEMI":
                return False
            k += 1
        return False

    def _range_for(self) -> c_ast.Node:
        """`for (auto &r : q) s`."""
        first = self._first()
        begin = self._tok_coord(self._advance())
        self._expect("LPAREN")
        place = self._at()
        self._push_scope()
        decls = self._parse_decl_body()
        parts: list[Any] = []
        if isinstance(decls[0], Whole):
            decls, parts = decls[:1], decls[1:]
        if len(decls) != 1 or not isinstance(decls[0], c_ast.Decl) or decls[0].name is None:
            self._skip(Code.NO_RANGE_FOR, place, over="several names")
        self._expect("COLON")
        range_ = self._parse_initializer()
        self._expect("RPAREN")
        stmt = self._parse_pragmacomp_or_statement()
        if parts:
            stmt = self._noted(c_ast.Compound([*parts, stmt], begin), first)
        self._pop_scope()
        made = RangeFor(decls[0], range_, stmt, begin)
        self._noted(made.stmt, first)
        return self._noted(made, first)

    def _parse_jump_statement(self) -> c_ast.Node:
        if self._peek_type() == "GOTO":
            self._refuse(Code.GOTO, self._at())
        if self._peek_type() == "RETURN" and self._peek_type(2) == "LBRACE":  # `return {a, b};`
            token = self._advance()
            value = self._parse_initializer()
            self._expect("SEMI")
            return self._noted(c_ast.Return(value, self._tok_coord(token)), token.first)
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
        if (k := self._binds()) is not None:
            return self._binding(k)
        first = self._first()
        nodes = super()._parse_decl_body()
        for i, node in enumerate(nodes):
            noted = self.ranges.get(id(getattr(node, "type", None)))
            if noted is None:
                self._noted(node, first)
            else:  # its declarator; the first one with the type before it
                self.ranges[id(node)] = Range(node, first if i == 0 else noted.first, noted.last)
        return list(nodes)

    def _binds(self) -> int | None:
        """How far ahead the `[` of `const auto &[a, b] = e;` is; None if no such declaration follows."""
        k = self._after_words()
        token = self._tokens.peek(k)
        if token is None or token.value != "auto":
            return None
        k += 1
        while self._peek_type(k) in _NOT_TYPES:
            k += 1
        k += self._peek_type(k) in ("AND", "LAND")
        return k if self._peek_type(k) == "LBRACKET" and self._peek_type(k + 1) in ("ID", "TYPEID") else None

    def _binding(self, bracket: int) -> list[Any]:
        """Such a declaration: of the whole, under a name that the file hasn't, and of its parts."""
        first, coord = self._first(), self._tok_coord(self._peek())
        kinds = [self._peek_type(k) for k in range(1, bracket)]
        said = [self._advance().value for _ in kinds]
        const = ["const"] * (not {"const", "constexpr"}.isdisjoint(said))
        reference = "&" in said or "&&" in said
        if not {"static", "extern", "__shared__", "thread_local", "volatile"}.isdisjoint(said):
            self._skip(Code.NOT_SUPPORTED, self._lexemes[first].span, what=f"a binding that is {said[0]}",
                       help="declare a variable for each name")  # fmt: skip
        self._expect("LBRACKET")
        found: list[tuple[str, int, Any]] = []
        while True:
            if self._peek_type() not in ("ID", "TYPEID"):
                self._expected("expected a name")
            at, token = self._first(), self._advance()
            found.append((token.value, at, self._tok_coord(token)))
            if not self._accept("COMMA"):
                break
        self._expect("RBRACKET")
        names_ = [name for name, _, _ in found]
        title = "_".join(names_) if len(names_) > 1 else f"of_{names_[0]}"
        written = {lexeme.value for lexeme in self._lexemes}
        while title in written:
            title += "_"
        whole = Whole(
            title, const, [], [], [], self._of_auto(title, const, reference, coord), None, None, coord
        )
        whole.names = tuple(names_)
        if self._accept("EQUALS"):
            whole.init = self._parse_initializer()
        elif self._peek_type() in ("LPAREN", "LBRACE"):
            closing = "RPAREN" if self._advance().type == "LPAREN" else "RBRACE"
            whole.init = self._parse_assignment_expression()
            self._expect(closing)
        if "&&" in said and not isinstance(whole.init, c_ast.ID | c_ast.ArrayRef | c_ast.StructRef | None):
            whole.type = self._of_auto(title, const, False, coord)  # a value of its own, if it is one
            whole.forwarded = True
        nodes: list[Any] = [self._noted(whole, first)]
        for k, (name, at, place) in enumerate(found):
            index = c_ast.Constant("int", str(k), place)
            init = c_ast.ArrayRef(c_ast.ID(title, place), index, place)
            part = Unpacked(
                name, const, [], [], [], self._of_auto(name, const, True, place), init, None, place
            )
            part.at, part.count = k, len(found)
            for made in (part, part.type, init, init.name, index):
                self.ranges[id(made)] = Range(made, at, at)
            self._add_identifier(name, place)
            nodes.append(part)
        return nodes

    def _of_auto(self, name: str, const: list[str], reference: bool, coord: Any) -> c_ast.Node:
        """The declarator of `auto name`, or of `auto &name`."""
        kind = c_ast.TypeDecl(name, const, None, c_ast.IdentifierType(["auto"], coord), coord)
        return c_ast.PtrDecl(["&"], kind, coord) if reference else kind

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
                while self._peek_type() == "COMMA":  # `V v(a, b)`
                    self._advance()
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
        """Declarations of one type; `int i{0}` is `int i = 0`, of a class it may mean its fields."""
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
        """Parameters with types only, no lists of names as before C89."""
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
        if self._peek_type() == "EQUALS":
            self._advance()
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
        """A parameter without a name under one that the file hasn't."""
        written = {lexeme.value for lexeme in self._lexemes}
        name = next(n for n in self._unused if n not in written)
        kind = node.type
        while not isinstance(kind, c_ast.TypeDecl):
            kind = kind.type
        kind.declname = name
        return c_ast.Decl(name, node.quals, [], [], [], node.type, None, None, node.coord)

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
        token = self._tokens.peek()
        if kind == "id" and token is not None and token.type == "TYPEID":
            token.type = "ID"  # behind a type stands a name: `float half;`
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
        """Read the `&` of a declarator as `*`; `_parse_pointer` tells them apart again."""
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
        """`T &&t = value;` as `T t = value;`, `auto &&r = place;` as `auto &r = place;`."""
        name = self._tokens.peek(2)
        named = f"`{name.value}`, " if name is not None and name.type in ("ID", "TYPEID") else ""
        if self._peek_type(3) not in ("EQUALS", "LBRACE", "COLON"):
            what = f"{named}an rvalue reference"
            self._skip(
                Code.NOT_SUPPORTED, self._at(), what=what, help="take the value, or a `const` reference"
            )
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
            token.type = "TIMES"  # to a place or to a value, which lowering knows
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
