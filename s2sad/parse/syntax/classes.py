"""Parse definitions of structs and small classes: fields, methods, constructors, operators.

pycparser parses those of C. C++ adds to the body: access specifiers, functions, default values
of fields. A class is a struct here, since the compiler has already checked access to its members.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator, Sequence
from typing import Any

from pycparser import c_ast

from ...diagnostics import Code
from . import enumerations
from .expressions import Values
from .positions import Place

_ACCESS = ("public", "private", "protected")
_ALIGNED = re.compile(
    r"(?:__align__|alignas)\s*\((.*)\)|__attribute__\s*\(.*\b_{0,2}aligned_{0,2}\s*\((.*?)\).*\)", re.S
)
_BEFORE_A_NAME = (
    "FLOAT",
    "DOUBLE",
    "INT",
    "UNSIGNED",
    "LONG",
    "SHORT",
    "CHAR",
    "_BOOL",
    "TIMES",
    "AND",
    "CONST",
)
_NUMBER = re.compile(r"\s*(\d+)[uUlL]*\s*")


class Class(c_ast.Struct):  # type: ignore[misc]  # pycparser is untyped to us
    """A struct with C++'s additions. A constructor is a method of the struct's own name."""

    def __init__(self, name: str | None, decls: list[Any] | None, coord: Any) -> None:
        super().__init__(name=name, decls=decls, coord=coord)
        self.methods: list[Any] = []
        self.inits: dict[int, list[tuple[Any, list[Any]]]] = {}  # `: a(x), b(y)`, by a constructor's id
        self.constant: set[int] = set()  # the ids of const methods,
        self.static: set[int] = set()  # of static methods,
        self.bodiless: set[int] = set()  # and of constructors that are only declared
        self.host: set[int] = set()  # the ids of functions that only the host can call
        self.types: list[Any] = []  # `using scalar = T;`
        self.statics: list[Any] = []  # `static constexpr int width = N;`
        self.friends: list[Any] = []  # functions outside the class that are defined in it
        self.templates: list[tuple[Any, bool]] = []  # operators that are templates; whether `const`
        self.union = False
        self.passed: set[str] = set()  # the words of members that were left out
        self.elsewhere: set[str] = set()  # methods whose bodies aren't found
        self.unnamed = False  # whether it has no name in the source
        self.mutable: set[str] = set()  # the fields that even a const method may change
        self.align = 0
        self.aligned: list[str] = []  # further alignments: `2 * sizeof(T)`

    def children(self) -> tuple[tuple[str, Any], ...]:
        """Return the fields, the methods and what else it contains."""
        inits = [arg for found in self.inits.values() for _, args in found for arg in args]
        return (
            *self._of_objects(),
            *((f"methods[{k}]", method) for k, method in enumerate(self.methods)),
            *((f"friends[{k}]", function) for k, function in enumerate(self.friends)),
            *((f"inits[{k}]", arg) for k, arg in enumerate(inits)),
        )

    @property
    def inside(self) -> frozenset[str]:
        """Return the names of the types that it defines."""
        named = [t.name if isinstance(t, c_ast.Typedef) else t.type.name for t in self.types]
        fields = [enumerations.innermost(d.type) for d in self.decls or () if isinstance(d, c_ast.Decl)]
        return frozenset(n for n in (*named, *(k.name for k in fields if isinstance(k, Class))) if n)

    def on_device(self) -> tuple[Any, ...]:
        """Return the fields, and the methods that a kernel can call."""
        lists = [found for key, found in self.inits.items() if key not in self.host]
        inits = [arg for found in lists for _, args in found for arg in args]
        methods = [method for method in self.methods if id(method) not in self.host]
        return *(child for _, child in self._of_objects()), *methods, *self.friends, *inits

    def _of_objects(self) -> tuple[tuple[str, Any], ...]:
        return (
            *super().children(),
            *((f"types[{k}]", type) for k, type in enumerate(self.types)),
            *((f"statics[{k}]", constant) for k, constant in enumerate(self.statics)),
        )

    def __iter__(self) -> Iterator[Any]:
        return iter(child for _, child in self.children())


def titled(node: Class, title: str) -> Class:
    """Return the class under another name, with its constructors renamed."""
    made = copy.copy(node)
    made.name = title
    made.align, made.aligned, made.union = node.align, node.aligned, node.union
    made.mutable, made.elsewhere, made.passed = node.mutable, node.elsewhere, node.passed
    made.methods, made.inits = [], {}
    made.constant, made.static, made.bodiless = set(), set(), set()
    for method in node.methods:
        own = method
        if method.decl.name == node.name:
            own = copy.copy(method)
            own.decl = copy.copy(method.decl)
            own.decl.name = title
        made.methods.append(own)
        if id(method) in node.inits:
            made.inits[id(own)] = node.inits[id(method)]
        sets = (node.constant, made.constant), (node.static, made.static), (node.bodiless, made.bodiless)
        for old, new in sets:
            if id(method) in old:
                new.add(id(own))
    return made


def nested(node: Class) -> bool:
    """Whether a struct is defined among the fields of this one."""
    fields = (decl for decl in node.decls if isinstance(decl, c_ast.Decl))
    return any(isinstance(enumerations.innermost(decl.type), Class) for decl in fields)


class Classes(Values):
    """Parser methods for definitions of structs."""

    def _add_identifier(self, name: str, coord: Any) -> None:
        """Allow a variable with the name of a struct in its scope, which is `struct name` from then on."""
        if self._scope_stack[-1].get(name) and name in self._tags:
            self._scope_stack[-1][name] = False
        super()._add_identifier(name, coord)

    def _parse_struct_or_union_specifier(self) -> c_ast.Node:
        keyword = self._advance()
        union = keyword.value == "union"
        align, aligned = 0, []
        while self._peek_type() == "INLINE":
            word = self._advance().value
            self._not_packed(word, -1)
            asked = _ALIGNED.fullmatch(word)
            text = (asked[1] or asked[2] or "") if asked else "0"
            if (number := _NUMBER.fullmatch(text)) is not None:
                align = max(align, int(number[1]))
            else:
                aligned.append(text)
        name = self._advance() if self._peek_type() in ("ID", "TYPEID") else None
        at = self._tok_coord(name or keyword)
        if name is not None and self._peek_type() == "ID" and self._said() == "final":
            self._advance()
        answer = self._true_or_false()
        if self._peek_type() == "COLON":
            self._skip(Code.NO_CLASSES, self._at(), what=f"`{_named(name)}`, which has a base class",
                       help="give it the fields of its base")  # fmt: skip
        if self._peek_type() != "LBRACE":
            if name is None:
                self._expected("expected the name of a struct")
            return c_ast.Struct(name=name.value, decls=None, coord=at)
        self._advance()
        made = Class(name.value if name is not None else None, [], at)
        made.align, made.aligned, made.union = align, aligned, union
        self._scope_stack.append({name.value: True} if name is not None else {})
        self._scope_stack[-1].update(dict.fromkeys(self._fields_ahead(), False))
        outer, self.in_class = self.in_class, True
        while self._peek_type() not in (None, "RBRACE"):
            self._member(made)
        if made.mutable:
            made.constant.clear()
        self.in_class = outer
        self._scope_stack.pop()
        if name is not None and len(self._scope_stack) > 1:  # local to a function
            self._scope_stack[-1][name.value] = True
            self._tags.add(name.value)
            self.members = {**self.members, name.value: made.inside}
        self._expect("RBRACE")
        behind = self._tokens.peek()
        if behind is not None and behind.type == "INLINE":
            self._not_packed(behind.value, 0)
        if answer:
            kind = c_ast.TypeDecl("value", ["const"], None, c_ast.IdentifierType(["bool"], at), at)
            value = c_ast.Constant("int", answer, at)
            made.statics.append(c_ast.Decl("value", ["const"], [], ["static"], [], kind, value, None, at))
        return made

    def _fields_ahead(self) -> list[str]:
        """Return the fields of the body ahead whose names are types elsewhere: `float half;`."""
        found: list[str] = []
        depth, k, typedef = 0, 1, False
        while (token := self._tokens.peek(k)) is not None and depth >= 0:
            depth += {"LBRACE": 1, "LPAREN": 1, "RBRACE": -1, "RPAREN": -1}.get(token.type, 0)
            before, after = self._tokens.peek(k - 1), self._tokens.peek(k + 1)
            if token.type in ("SEMI", "LBRACE", "RBRACE"):
                typedef = False
            typedef = typedef or token.type == "TYPEDEF"
            named = (
                depth == 0 and token.type in ("ID", "TYPEID") and not typedef and self._types.get(token.value)
            )
            if (
                (
                    named
                    and after is not None
                    and after.type in ("SEMI", "COMMA", "EQUALS", "LBRACKET", "LBRACE")
                )
                and before is not None
                and before.type in (*_BEFORE_A_NAME, "ID", "TYPEID", "COMMA")
            ):
                found.append(token.value)
            k += 1
        return found

    def _not_packed(self, word: str, at: int) -> None:
        if re.search(r"\b_{0,2}packed_{0,2}\b", word):
            help = "leave out `packed`"
            self._skip(Code.NOT_SUPPORTED, self._at(at), what="a packed struct", help=help)

    def _true_or_false(self) -> str:
        """Parse `: std::true_type`, which gives a class its one constant; return it as a number, or ""."""
        k = 2 + (self._word(2) == "public")
        answer = {"true_type": "1", "false_type": "0"}.get(self._word(k), "")
        if self._peek_type() != "COLON" or not answer or self._peek_type(k + 1) != "LBRACE":
            return ""
        for _ in range(k):
            self._advance()
        return answer

    def _member(self, made: Class) -> None:
        """Parse one member, or an access specifier."""
        if self._peek_type() in ("SEMI", "PPPRAGMA", "PPPRAGMASTR"):
            self._advance()
            return
        if self._said() in _ACCESS and self._peek_type(2) == "COLON":
            self._advance()
            self._advance()
            return
        words, mutable = self._specifiers_ahead()
        k = len(words) + 1
        word = self._word(k)
        if friend := word == "friend":
            self._forget(k)
            word, passed = self._word(k), self._is_declared_only()
        elif word == "typedef":
            made.types += self._parse_declaration()
            return
        elif word == "enum" and k == 1:
            types, fields = enumerations.split(self._parse_declaration())
            made.types, made.decls = [*made.types, *types], [*made.decls, *fields]
            self._scope_stack[-1] |= {d.type.name: True for d in types if d.type.name is not None}
            return
        else:
            passed = word in ("~", "using") or (word == "template" and k == 1)
        if passed or self._peek_type(k) == "_STATIC_ASSERT":  # which the compiler checks
            self._pass_over_member(made)
        elif word in ("virtual", "operator", "enum"):
            what = f"`{word}` in `{made.name}`"
            self._skip(Code.NO_CLASSES, self._at(k - 1), what=what, help="write a function outside the class")
        elif word == made.name and self._peek_type(k + 1) == "LPAREN":
            for _ in words:
                self._advance()
            self._constructor(made, on_device=not {"__device__", "constexpr"}.isdisjoint(words))
        elif self._is_of_the_host():
            self._pass_over_member(made)
        else:
            self._declared_member(made, static="static" in words, friend=friend, mutable=mutable)

    def _specifiers_ahead(self) -> tuple[list[str], bool]:
        """Return the words before a member's type, and whether `mutable`, which is removed, was there."""
        words: list[str] = []
        mutable = False
        while self._peek_type(k := len(words) + 1) in ("INLINE", "STATIC") or self._word(k) in (
            "explicit",
            "mutable",
        ):
            if self._word(k) == "mutable":
                mutable = True
                self._forget(k)
            else:
                words.append(self._word(k))
        return words, mutable

    def _declared_member(self, made: Class, *, static: bool, friend: bool, mutable: bool) -> None:
        """Parse a method, or fields."""
        first = self._first()
        spec, saw_type, _ = self._parse_specifiers(allow_storage_and_function=True)
        if not saw_type:
            self._expected("expected a field")
        inner = spec["type"][0] if spec["type"] else None
        if self._peek_type() == "SEMI" and isinstance(inner, Class) and inner.name is not None:
            self._advance()
            made.types.append(c_ast.Decl(None, [], [], [], [], inner, None, None, inner.coord))
            return
        if self._peek_type() == "SEMI":  # an anonymous struct in a struct
            what = "a struct without a name in a struct"
            self._skip(Code.NOT_SUPPORTED, self._at(-1), what=what, help="give the field a name")
        decl = self._parse_id_declarator()
        if isinstance(decl, c_ast.FuncDecl):
            self._method(made, spec, decl, first, static=static, friend=friend)
            return
        fixed = {"const", "constexpr"} & {*spec["qual"], *spec["storage"]}
        of_class = any("static" in word for word in spec["storage"])
        if of_class and not fixed:
            self._skip(Code.STATIC_LOCAL, self._lexemes[first].span, name=decl.declname)
        infos = [self._field(decl)]
        while self._accept("COMMA"):
            infos.append(self._field(self._parse_id_declarator()))
        for node in self._build_declarations(spec=spec, decls=infos, typedef_namespace=False):
            (made.statics if of_class else made.decls).append(self._noted(node, first))
            if mutable:
                made.mutable.add(node.name)
        self._expect("SEMI")

    def _forget(self, ahead: int) -> None:
        """Remove a token ahead."""
        at = self._tokens._index + ahead - 1
        self._put(at, at + 1)
        self._typedef_checked_token = None

    def _is_declared_only(self) -> bool:
        """Whether a `;` comes before the next brace."""
        k = 1
        while (token := self._tokens.peek(k)) is not None and token.type not in ("SEMI", "LBRACE"):
            k += 1
        return token is None or token.type == "SEMI"

    def _is_of_the_host(self) -> bool:
        """Whether a function follows that device code can't call, with a type that only the host knows."""
        k = 1
        while self._peek_type(k) in ("INLINE", "STATIC", "CONST"):
            if self._word(k) in ("__device__", "__forceinline__"):
                return False
            k += 1
        if self._peek_type(k) != "ID":
            return False
        while self._peek_type(k) not in (None, "SEMI", "EQUALS", "LBRACE", "RBRACE"):
            if self._peek_type(k) == "LPAREN":
                return True
            k += 1
        return False

    def _pass_over_member(self, made: Class) -> None:
        """Leave out a member; uses of it are refused."""
        depth = 0
        self._typedef_checked_token = None
        while (token := self._tokens.next()) is not None:
            depth += {"LBRACE": 1, "LPAREN": 1, "RBRACE": -1, "RPAREN": -1}.get(token.type, 0)
            made.passed.add(str(token.value))
            if depth == 0 and token.type in ("SEMI", "RBRACE"):
                return

    def _word(self, ahead: int) -> str:
        token = self._tokens.peek(ahead)
        return "" if token is None else str(token.value)

    def _field(self, decl: Any) -> dict[str, Any]:
        info: dict[str, Any] = {"decl": decl, "init": None, "bitsize": None}
        match self._peek_type():
            case "EQUALS":
                self._advance()
                info["init"] = self._parse_initializer()
            case "LBRACE":
                info["init"] = self._parse_initializer()
            case "COLON":
                self._skip(Code.NOT_SUPPORTED, self._at(), what="a bit field", help="use an int")
        return info

    def _method(
        self, made: Class, spec: Any, decl: Any, first: int, *, static: bool = False, friend: bool = False
    ) -> None:
        """Parse a function in a struct, its body as any function's."""
        constant = False
        while self._peek_type() in ("CONST", "AND") or self._said() in ("override", "final"):
            constant = self._advance().value == "const" or constant
        if self._peek_type() == "ARROW":
            self._type_of_parameters()
        if self._peek_type() == "EQUALS":
            self._default()
            return
        if self._accept("SEMI"):
            named = decl
            while not isinstance(named, c_ast.TypeDecl):
                named = named.type
            made.elsewhere.add(named.declname)
            return
        method = self._noted(self._parse_function_definition(spec, decl), first)
        (made.friends if friend else made.methods).append(method)
        if not {"__device__", "constexpr"} & {*spec["function"], *spec["storage"]}:
            made.host.add(id(method))
        if constant:
            made.constant.add(id(method))
        if static:
            made.static.add(id(method))

    def _default(self) -> None:
        """Skip `= default;`, which has no effect here, or `= delete;`, which is never called."""
        while self._peek_type() not in (None, "SEMI"):
            self._advance()
        self._expect("SEMI")

    def _constructor(self, made: Class, *, on_device: bool) -> None:
        first = self._first()
        name = self._advance()
        at = Place(self._lexemes[name.first].span, name.first)
        result = c_ast.TypeDecl(name.value, [], None, c_ast.IdentifierType(["void"], at), at)
        self._scope_stack.append({})
        self._expect("LPAREN")
        args = None if self._peek_type() == "RPAREN" else self._parse_parameter_type_list()
        self._expect("RPAREN")
        for param in args.params if args is not None else ():
            if isinstance(param, c_ast.Decl) and param.name:
                self._scope_stack[-1][param.name] = False
        inits: list[tuple[Any, list[Any]]] = []
        if self._accept("COLON"):
            inits.append(self._field_init())
            while self._accept("COMMA"):
                inits.append(self._field_init())
        if self._peek_type() == "EQUALS":
            self._scope_stack.pop()
            self._default()
            return
        declared_only = self._peek_type() == "SEMI"
        if declared_only:
            if _is_copy(args, name.value) and not self._is_defined_outside(name.value):
                self._scope_stack.pop()  # it can't be copied
                self._advance()
                return
            body: Any = c_ast.Compound([], at)
        else:
            body = self._parse_compound_statement()
        self._scope_stack.pop()
        declared = c_ast.FuncDecl(args, result, at)
        decl = c_ast.Decl(name.value, [], [], [], [], declared, None, None, at)
        node = self._noted(c_ast.FuncDef(decl, None, body, at), first)
        made.methods.append(node)
        made.inits[id(node)] = inits
        if not on_device:
            made.host.add(id(node))
        self._accept("SEMI")  # redundant after a body
        if declared_only:
            made.bodiless.add(id(node))
            if self._is_defined_outside(name.value):
                made.elsewhere.add(name.value)

    def _is_defined_outside(self, name: str) -> bool:
        """Whether `Name::Name(` or `Name<T>::Name(` appears in the file."""
        words = [token.value for token in self._lexemes]
        return any(words[i : i + 3] == ["::", name, "("] for i in range(len(words)))

    def _field_init(self) -> tuple[Any, list[Any]]:
        """Parse `a(x)` or `a{x}` before a constructor's body."""
        if self._peek_type() not in ("ID", "TYPEID"):
            self._expected("expected the name of a field")
        token = self._advance()
        name = self._noted(c_ast.ID(token.value, self._tok_coord(token)), token.first)
        closing = "RBRACE" if self._peek_type() == "LBRACE" else "RPAREN"
        if self._peek_type() not in ("LPAREN", "LBRACE"):
            self._expected("expected the value of the field")
        self._advance()
        args = []
        while self._peek_type() != closing:
            args.append(self._parse_assignment_expression())
            self._accept("COMMA")
        self._expect(closing)
        return name, args


def _is_copy(params: Any, name: str) -> bool:
    """Whether a constructor takes one object of its own class."""
    if params is None or len(params.params) != 1:
        return False
    kind = getattr(params.params[0], "type", None)
    while isinstance(kind, c_ast.PtrDecl):
        kind = kind.type
    named = getattr(getattr(kind, "type", None), "names", [])
    return len(named) == 1 and getattr(named[0], "of", named[0]) == name


def _named(token: Any) -> str:
    return token.value if token is not None else "struct"


def fields_text(node: Class, texts: Sequence[str]) -> str:
    """Return a definition of the struct with its fields only."""
    inner = "".join(f"    {text.rstrip(';')};\n" for text in dict.fromkeys(texts))
    align = f"__align__({node.align}) " if node.align else ""
    return f"struct {align}{node.name} {{\n{inner}}};"
