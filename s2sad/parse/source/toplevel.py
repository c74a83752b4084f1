"""Split the top level of a translation unit into items by balanced braces.

Host code may be any C++ and isn't analysed: only the kind and the names of an item are
determined. Only the items that a kernel reaches are parsed (reachability/).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NoReturn

from ...diagnostics import Code, Rejected, diagnose
from . import pp_tokens
from .pp_tokens import Lexeme, words

Kind = Literal[
    "kernel",
    "device",
    "host",
    "template",
    "prototype",
    "typedef",
    "alias",
    "enum",
    "struct",
    "variable",
    "other",
]


@dataclass(frozen=True, eq=False)
class Item:
    """One top-level declaration: tokens `first` to `end` (exclusive)."""

    kind: Kind
    names: tuple[str, ...]
    first: int
    end: int
    at: int  # the token of the (first) name
    words: frozenset[str]  # the words outside parentheses and braces
    body: int = 0  # the token that opens the body
    types: tuple[str, ...] = ()  # those of its names that are types
    scope: tuple[str, ...] = ()  # the namespaces around it, outermost first
    inner: Kind = "other"  # what a template is a template of

    @property
    def is_device(self) -> bool:
        """Whether it is a device function, or a template of one."""
        return "device" in (self.kind, self.inner)

    @property
    def is_shared(self) -> bool:
        """Whether it declares shared memory outside the kernels that use it."""
        return self.kind == "variable" and "__shared__" in self.words

    @property
    def is_generic(self) -> bool:
        """Whether it is a class template or an alias template."""
        return self.kind == "template" and self.inner in ("struct", "alias")

    @property
    def is_variable_template(self) -> bool:
        """Whether it is a template of variables."""
        return self.kind == "template" and self.inner == "variable"

    @property
    def is_function_template(self) -> bool:
        """Whether it is a template, but not of types or variables."""
        return self.kind == "template" and self.inner not in ("struct", "alias", "variable")

    @property
    def defines_types(self) -> bool:
        """Whether it defines a type, or a template of types."""
        return self.kind in ("typedef", "alias", "enum", "struct") or self.is_generic


_NOT_NAMES = words(
    "__launch_bounds__ __attribute__ __align__ __declspec __maxnreg__ __cluster_dims__ alignas decltype "
    "noexcept throw requires explicit if while for switch sizeof"
)
_BEFORE_TAG = words("class struct union enum __align__ alignas __attribute__ __declspec")
_PARAMETERS = words("void bool char short int long float double signed unsigned const struct size_t")
DEVICE = words("__constant__ __device__ __managed__")
"""The memory spaces of file variables that kernels use."""
_BRACKETS = {"(": ")", "[": "]", "{": "}"}


class Inline(str):
    """The name of an inline namespace, whose names are also visible in the enclosing one."""

    __slots__ = ()


def split(tokens: Sequence[Lexeme]) -> tuple[Item, ...]:
    """Return the items of a translation unit, in order, including those in namespaces."""
    return tuple(_Splitter(tokens).items())


class _Splitter:
    def __init__(self, tokens: Sequence[Lexeme]) -> None:
        self.tokens = tokens
        self.i = 0
        self.specialises = False  # inside `template <> …`
        self.open: list[tuple[int, tuple[str, ...]]] = []  # braces of namespaces and of extern "C"
        self.values: set[str] = set()  # the names of variables so far

    def value(self, i: int) -> str:
        return self.tokens[i].value if i < len(self.tokens) else ""

    def items(self) -> Iterator[Item]:
        while self.i < len(self.tokens):
            token = self.tokens[self.i]
            match token.value:
                case ";":
                    self.i += 1
                case _ if token.type == pp_tokens.PRAGMA:
                    self.i += 1
                case "}" if self.open:
                    self.open.pop()
                    self.i += 1
                case "}":
                    raise Rejected(
                        diagnose(Code.SYNTAX_ERROR, token.span, what="'}' without a '{'", label="here",
                                 help="a '{' is missing, or an extra '}' closed the previous function")
                    )  # fmt: skip
                case "extern" if self.value(self.i + 2) == "{":
                    self.open.append((self.i + 2, ()))
                    self.i += 3
                case "namespace" | "inline" if (brace := self._namespace()) is not None:
                    inside = self.tokens[self.i : brace]
                    names = (t.value for t in inside if t.type == pp_tokens.ID)
                    kept = [n for n in names if n not in ("namespace", "inline")]
                    if kept and inside[0].value == "inline":
                        kept[-1] = Inline(kept[-1])
                    self.open.append((brace, tuple(kept)))
                    self.i = brace + 1
                case "template":
                    yield self._scoped(self._template())
                case "using":
                    yield self._scoped(self._using())
                case _:
                    yield self._scoped(self._item())
        if self.open:
            self._unclosed(self.open[-1][0])

    def _scoped(self, item: Item) -> Item:
        scope = tuple(name for _, names in self.open for name in names)
        return replace(item, scope=(*scope, *item.scope)) if scope else item

    def _namespace(self) -> int | None:
        i = self.i + (self.value(self.i) == "inline")
        if self.value(i) != "namespace":
            return None
        while i < len(self.tokens) and self.value(i) not in "{;=":
            i += 1
        return i if self.value(i) == "{" else None

    def _template(self) -> Item:
        start = self.i
        self.i += 1
        instantiates = self.value(self.i) != "<"
        self.specialises = self.value(self.i + 1) == ">"
        if not instantiates:
            depth = 0
            while self.i < len(self.tokens):
                value = self.value(self.i)
                if value in _BRACKETS:
                    self.i = self._matching(self.i)
                depth += (value == "<") - value.count(">") * (value in (">", ">>", ">>>"))
                self.i += 1
                if depth <= 0:
                    break
        if self.i >= len(self.tokens):
            return Item("other", (), start, self.i, start, frozenset())
        inner = self._using() if self.value(self.i) == "using" else self._item()
        self.specialises = False
        if instantiates:  # `template __global__ void k<float>(…);`
            return Item("other", (), start, inner.end, inner.at, inner.words)
        return replace(inner, kind="template", first=start, inner=inner.kind, types=())

    def _using(self) -> Item:
        start = self.i
        while self.i < len(self.tokens) and self.value(self.i) != ";":
            self.i = self._matching(self.i) + 1 if self.value(self.i) in _BRACKETS else self.i + 1
        self.i += 1
        if self.value(start + 2) == "=":
            names = (self.value(start + 1),)
            return Item("alias", names, start, self.i, start + 1, frozenset(), types=names)
        return Item("other", (), start, self.i, start, frozenset())

    def _item(self) -> Item:
        """Read an item up to a `;`, or to the end of a function's body."""
        start = self.i
        found: list[str] = []
        called = -1  # the name before the last parameter list
        assigned = False
        while self.i < len(self.tokens):
            token = self.tokens[self.i]
            match token.value:
                case ";":
                    self.i += 1
                    return self._declaration(start, found, called)
                case "(":
                    before = self.tokens[self.i - 1] if self.i > start else None
                    named = before is not None and (before.type == pp_tokens.ID or "operator" in found)
                    if named and not assigned and self.value(self.i - 1) not in _NOT_NAMES:
                        called = self.i - 1
                    if self.specialises and self.value(self.i - 1) == ">":
                        called = next(k for k in range(self.i, start, -1) if self.value(k) == "<") - 1
                    self.i = self._matching(self.i) + 1
                case "[":
                    self.i = self._matching(self.i) + 1
                case "{":
                    brace = self.i
                    self.i = self._matching(brace) + 1
                    if called >= 0 and not assigned:
                        return self._function(start, called, brace, found)
                case "}":
                    return Item("other", (), start, self.i, start, frozenset(found))
                case "=":
                    assigned = True
                    self.i += 1
                case _:
                    if token.type == pp_tokens.ID:
                        found.append(token.value)
                    self.i += 1
        return Item("other", (), start, self.i, start, frozenset(found))

    def _function(self, start: int, called: int, brace: int, found: list[str]) -> Item:
        qualified = self.value(called - 1) == "::" and "__global__" not in found
        member = qualified or self.value(called - 1) == "~"
        name = self.value(called)
        if "operator" in found:
            at = next(k for k in range(called, start - 1, -1) if self.value(k) == "operator")
            member = self.value(at - 1) == "::"
            name, called = "".join(self.value(k) for k in range(at, called + 1)), at
        on_device = "__device__" in found or "constexpr" in found
        kind: Kind = "kernel" if "__global__" in found else "device" if on_device else "host"
        names = () if member else (name,)
        return Item("other" if member else kind, names, start, self.i, called, frozenset(found), brace)

    def _declaration(self, start: int, found: list[str], called: int) -> Item:
        end, words = self.i, frozenset(found)
        first = found[0] if found else ""
        if first == "typedef":
            return self._typedef(start, end, words)
        if "enum" in found[:2]:
            tag = self._tag(start)
            declared = self._declared(self._behind_body(start, end), end)
            names = (*tag, *self._enumerators(start, end), *declared)
            scope = tag if words & {"class", "struct"} else ()  # `Mode::fast`: as if it were a namespace
            return Item("enum", names, start, end, start, words, types=tag, scope=scope)
        if first in ("struct", "class", "union") and (self._has_body(start, end) or len(found) == 2):
            tag = self._tag(start)
            names = (*tag, *self._declared(self._behind_body(start, end), end))
            return Item("struct", names, start, end, start, words, types=tag)
        if called >= 0 and words & {"const", "constexpr"} and self._is_value(called + 2):
            self.values.add(self.value(called))
            return Item("variable", (self.value(called),), start, end, called, words)
        if called >= 0:
            return Item("prototype", (self.value(called),), start, end, called, words)
        names = self._declared(start, end)
        if first in ("static_assert", "friend", "asm", "goto") or not names:
            return Item("other", (), start, end, start, words)
        at = next(i for i in range(start, end) if self.value(i) == names[0])
        self.values.update(names)
        return Item("variable", names, start, end, at, words)

    def _is_value(self, at: int) -> bool:
        """Whether the parentheses after a declared name contain its value, not a parameter."""
        token, after = self.tokens[at], self.value(at + 1)
        if token.value in self.values:  # `constexpr int n(rows * columns);`
            return True
        if token.type == pp_tokens.ID:
            return token.value not in _PARAMETERS and after in (")", "+", "-", "/", "%", "<<", "(")
        return token.value not in (")", "...")

    def _typedef(self, start: int, end: int, words: frozenset[str]) -> Item:
        names = self._declared(start, end)
        for i in range(start, end - 3):  # `typedef float (*f)(float);`
            if self.value(i) == "(" and self.value(i + 1) == "*" and self.tokens[i + 2].type == pp_tokens.ID:
                names = (self.value(i + 2),)
                break
        if not words & {"struct", "union", "class", "enum"}:
            return Item("typedef", names, start, end, start, words, types=names)
        tag = self._tag(start + 1) if self._has_body(start, end) else ()
        kind: Kind = "typedef" if "enum" in words else "struct"
        members = self._enumerators(start, end) if "enum" in words else ()
        return Item(kind, (*names, *tag, *members), start, end, start, words, types=(*names, *tag))

    def _has_body(self, start: int, end: int) -> bool:
        return any(self.value(i) == "{" for i in range(start, end))

    def _behind_body(self, start: int, end: int) -> int:
        brace = next((i for i in range(start, end) if self.value(i) == "{"), None)
        return start if brace is None else self._matching(brace)

    def _tag(self, start: int) -> tuple[str, ...]:
        """Return the name in `struct __align__(8) Name {`, `enum class Name : int {`, if there is one."""
        i = start + 1
        while self.value(i) not in ("{", ":", ";", ""):
            if self.value(i) in _BRACKETS:
                i = self._matching(i)
            elif self.tokens[i].type == pp_tokens.ID and self.value(i) not in _BEFORE_TAG:
                return (self.value(i),)
            i += 1
        return ()

    def _enumerators(self, start: int, end: int) -> tuple[str, ...]:
        brace = next((i for i in range(start, end) if self.value(i) == "{"), None)
        if brace is None:
            return ()
        inside = range(brace + 1, self._matching(brace))
        return tuple(
            self.value(i)
            for i in inside
            if self.tokens[i].type == pp_tokens.ID and self.value(i - 1) in ("{", ",")
        )

    def _declared(self, start: int, end: int) -> tuple[str, ...]:
        """Return the names before `=`, `[`, `,`, `;`, `{` outside brackets."""
        names: list[str] = []
        i, value_follows = start, False
        while i < end:
            value = self.value(i)
            if value in _BRACKETS:
                i = self._matching(i)
            elif value == "<" and not value_follows:
                i = self._angle(i, end)
            elif value == ",":
                value_follows = False
            elif value == "=":
                value_follows = True
            elif (
                not value_follows
                and self.tokens[i].type == pp_tokens.ID
                and self.value(i + 1) in ("=", "[", ",", ";", "{")
                and i > start
                and value not in ("struct", "class", "enum", "union")
                and self.value(i - 1) not in ("struct", "class", "enum", "union")
            ):
                names.append(value)
            i += 1
        return tuple(names)

    def _angle(self, start: int, end: int) -> int:
        """Return the index of the `>` that closes the arguments of a type, or of the `<` if there is none."""
        depth = 0
        for i in range(start, end):
            value = self.value(i)
            depth += (value == "<") - value.count(">") * (value in (">", ">>", ">>>"))
            if depth <= 0:
                return i
        return start

    def _matching(self, start: int) -> int:
        """Return the index of the closing bracket. A brace closes any parentheses left open in it."""
        stack: list[str] = []
        for i in range(start, len(self.tokens)):
            value = self.tokens[i].value
            if value in _BRACKETS:
                stack.append(_BRACKETS[value])
            elif value in (")", "]") and stack[-1] == value:
                stack.pop()
            elif value == "}":
                while stack and stack[-1] != "}":
                    stack.pop()
                if stack:
                    stack.pop()
                else:
                    self._unclosed(start)
            if not stack:
                return i
        self._unclosed(start)

    def _unclosed(self, at: int) -> NoReturn:
        """Report that a bracket isn't closed: this one, or a list in it that is left open."""
        at = self._open_list(at)
        token = self.tokens[at]
        help = ""
        for later in self.tokens[at + 1 :]:
            if later.value == "__global__":
                help = f"perhaps one is missing before line {later.span.line}, where a kernel begins"
                break
        what = f"'{token.value}' without a '{_BRACKETS[token.value]}'"
        raise Rejected(diagnose(Code.SYNTAX_ERROR, token.span, what=what, label="not closed", help=help))

    def _open_list(self, at: int) -> int:
        """Return the index of the first `= {` from there on with a `;` before its `}`."""
        lists: list[int] = []
        for i in range(at, len(self.tokens)):
            match self.value(i):
                case "{" if lists or self.value(i - 1) == "=":
                    lists.append(i)
                case "}" if lists:
                    lists.pop()
                case ";" if lists:
                    return lists[0]
        return at
