"""Split the characters of a file into preprocessing tokens, each with its exact position.

Nothing is lost and nothing is moved: comments and white space are tokens too, and a
token's `start` and `end` are offsets into the author's text even where a backslash
joins two lines. Token types are the names that pcpp's evaluator knows, so that pcpp
(macro_expansion.py) works on these tokens and its own lexer is never used.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from ...source import Source, Span


def words(text: str) -> frozenset[str]:
    """Return the words of a line, for tables of names."""
    return frozenset(text.split())


@dataclass(frozen=True)
class Definition:
    """One `#define`: `parameters` is None for an object-like macro."""

    name: str
    text: str  # the whole directive, lines joined
    span: Span | None  # of the name; None if it isn't from a file
    parameters: tuple[str, ...] | None
    names: tuple[str, ...]  # identifiers in the body


class Use:
    """One use of a macro; the tokens of its expansion share the object."""

    __slots__ = ("definition", "span")

    def __init__(self, definition: Definition, span: Span) -> None:
        self.definition = definition
        self.span = span  # in the author's text, with the arguments

    @property
    def name(self) -> str:
        return self.definition.name


class Lexeme:
    """One token. `uses` lists the macro uses it came through, outermost first.

    A token of a macro's body has the position of the macro's use. `hidden` are macros that
    may no longer expand here.
    """

    __slots__ = ("body", "end", "hidden", "origin", "start", "type", "uses", "value")

    lineno = lexpos = 0  # pcpp reads these
    source = ""

    def __init__(
        self,
        type: str,
        value: str,
        origin: Source,
        start: int,
        end: int,
        uses: tuple[Use, ...] = (),
        hidden: frozenset[str] = frozenset(),
        body: bool = False,
    ) -> None:
        self.type = type
        self.value = value
        self.origin = origin
        self.start = start
        self.end = end
        self.uses = uses
        self.hidden = hidden
        self.body = body  # whether it is in a macro's body

    def __copy__(self) -> Lexeme:
        return Lexeme(
            self.type, self.value, self.origin, self.start, self.end, self.uses, self.hidden, self.body
        )

    @property
    def span(self) -> Span:
        return Span(self.origin, self.start, self.end)

    def __repr__(self) -> str:
        return f"Lexeme({self.type}, {self.value!r})"


ID, NUMBER, REAL, STRING, CHAR = "CPP_ID", "CPP_INTEGER", "CPP_FLOAT", "CPP_STRING", "CPP_CHAR"
SPACE, NEWLINE, CONTINUED = "CPP_WS", "CPP_NEWLINE", "CPP_LINECONT"
COMMENT, LINE_COMMENT = "CPP_COMMENT1", "CPP_COMMENT2"
PRAGMA = "PRAGMA"
OPEN_COMMENT, OPEN_QUOTE = "OPEN_COMMENT", "OPEN_QUOTE"  # no end was found
BLANK = frozenset({SPACE, NEWLINE, CONTINUED, COMMENT, LINE_COMMENT})

OPERATORS = {
    "#": "CPP_POUND", "##": "CPP_DPOUND", "+": "CPP_PLUS", "-": "CPP_MINUS", "*": "CPP_STAR",
    "/": "CPP_FSLASH", "%": "CPP_PERCENT", "|": "CPP_BAR", "&": "CPP_AMPERSAND", "~": "CPP_TILDE",
    "^": "CPP_HAT", "<": "CPP_LESS", ">": "CPP_GREATER", "=": "CPP_EQUAL", "!": "CPP_EXCLAMATION",
    "?": "CPP_QUESTION", "(": "CPP_LPAREN", ")": "CPP_RPAREN", "[": "CPP_LBRACKET",
    "]": "CPP_RBRACKET", "{": "CPP_LCURLY", "}": "CPP_RCURLY", ".": "CPP_DOT", ",": "CPP_COMMA",
    ";": "CPP_SEMICOLON", ":": "CPP_COLON", "\\": "CPP_BSLASH", "->": "CPP_DEREFERENCE",
    "-=": "CPP_MINUSEQUAL", "--": "CPP_MINUSMINUS", "<<": "CPP_LSHIFT", "<=": "CPP_LESSEQUAL",
    ">>": "CPP_RSHIFT", ">=": "CPP_GREATEREQUAL", "||": "CPP_LOGICALOR", "|=": "CPP_OREQUAL",
    "&&": "CPP_LOGICALAND", "&=": "CPP_ANDEQUAL", "==": "CPP_EQUALITY", "!=": "CPP_INEQUALITY",
    "^=": "CPP_XOREQUAL", "*=": "CPP_MULTIPLYEQUAL", "/=": "CPP_DIVIDEEQUAL",
    "+=": "CPP_PLUSEQUAL", "++": "CPP_PLUSPLUS", "%=": "CPP_PERCENTEQUAL",
    "<<=": "CPP_LSHIFTEQUAL", ">>=": "CPP_RSHIFTEQUAL", "...": "...", "::": "::",
}  # fmt: skip

_DIGRAPHS = {"<:": "[", ":>": "]", "<%": "{", "%>": "}", "%:": "#"}

_PREFIX = r"(?:u8|[uUL])?"
_MASTER = re.compile(
    "|".join(
        f"(?P<{name}>{pattern})"
        for name, pattern in (
            (SPACE, r"[ \t\f\v\r\ufeff\u00a0]+"),
            (NEWLINE, r"\n"),
            (COMMENT, r"/\*(?s:.*?)\*/"),
            (OPEN_COMMENT, r"/\*"),
            (LINE_COMMENT, r"//[^\n]*"),
            ("RAW", _PREFIX + r'R"(?P<delimiter>[^()\\\s"]{0,16})\((?s:.*?)\)(?P=delimiter)"'),
            (STRING, _PREFIX + r'"(?:[^"\\\n]|\\.)*"'),
            (CHAR, _PREFIX + r"'(?:[^'\\\n]|\\.)+'"),
            (NUMBER, r"\.?[0-9](?:[eEpP][+-]|'[0-9a-zA-Z_]|[0-9a-zA-Z_.])*"),
            (ID, r"(?:[^\W\d]|\$)[\w$]*"),
            (OPEN_QUOTE, r"[\"']"),
            ("DIGRAPH", r"<%|%>|:>|<:(?!:(?![:>]))|%:"),
            (
                "OPERATOR",
                "|".join(re.escape(op) for op in sorted(OPERATORS, key=len, reverse=True)),
            ),
            ("OTHER", r"(?s:.)"),
        )
    )
)
_INTEGER = re.compile(r"(?:0[xX][0-9a-fA-F']+|0[bB][01']+|[0-9']+)[uUlL]*")
_SPLICE = re.compile(r"\\[ \t]*\r?\n")


class _Offsets:
    """Maps offsets in the spliced text to offsets in the author's."""

    def __init__(self, text: str) -> None:
        parts, self._starts, self._shifts = [], [0], [0]
        length = last = 0
        for match in _SPLICE.finditer(text):
            parts.append(text[last : match.start()])
            length += match.start() - last
            last = match.end()
            self._starts.append(length)
            self._shifts.append(last - length)
        parts.append(text[last:])
        self.text = "".join(parts)

    def __call__(self, offset: int) -> int:
        return offset + self._shifts[bisect_right(self._starts, offset) - 1]


def scan(source: Source) -> Iterator[Lexeme]:
    """Yield every token of a file, including white space and comments."""
    if "\\" in source.text:
        offsets = _Offsets(source.text)
        yield from _scan(offsets.text, source, offsets)
    else:
        yield from _scan(source.text, source, None)


def _scan(text: str, source: Source, offsets: Callable[[int], int] | None) -> Iterator[Lexeme]:
    for match in _MASTER.finditer(text):
        kind, value = match.lastgroup, match.group()
        start, end = match.span()
        if offsets is not None:
            start, end = offsets(start), offsets(end - 1) + 1
        match kind:
            case "OPERATOR":
                yield Lexeme(OPERATORS[value], value, source, start, end)
            case "CPP_INTEGER":
                real = _INTEGER.fullmatch(value) is None
                yield Lexeme(REAL if real else NUMBER, value, source, start, end)
            case "DIGRAPH":
                yield Lexeme(OPERATORS[_DIGRAPHS[value]], _DIGRAPHS[value], source, start, end)
            case "RAW":
                yield Lexeme(STRING, value, source, start, end)
            case "OTHER" | None:
                yield Lexeme(value, value, source, start, end)
            case _:
                yield Lexeme(kind, value, source, start, end)


def last(tokens: Sequence[Lexeme]) -> str:
    """Return the last token that isn't blank, "" if there is none."""
    return next((t.value for t in reversed(tokens) if t.type not in BLANK), "")


class Rescanner:
    """Replaces pcpp's lexer: it scans pasted tokens and pcpp's probes."""

    lineno = 0

    def __init__(self) -> None:
        self._tokens: Iterator[Lexeme] = iter(())

    def input(self, text: str) -> None:
        if text == "\\     \n":  # pcpp's probe for a continuation; here lines have been joined
            self._tokens = iter([Lexeme(CONTINUED, "     ", _NOWHERE, 0, 0)])
        else:
            self._tokens = _scan(text, _NOWHERE, None)

    def token(self) -> Lexeme | None:
        return next(self._tokens, None)

    def clone(self) -> Rescanner:
        return Rescanner()


_NOWHERE = Source("<macro>", "")
