"""Insert marks into a text, at each statement and at each side of each condition.

    if (i < n)          ->    s2sad_hit(6); if (s2sad_side<7, …>((i < n) ? true : false))
        y[i] = 0;                 { s2sad_hit(9); y[i] = 0; }

No line moves.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from ..coverage import Point
from .lexemes import Words

ASSIGNS = frozenset(["=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="])
_STEPS = ("++", "--")
_ENDS = frozenset({",", ";", "?", ":", *ASSIGNS})  # end an operand of && and ||
_BEGINS = frozenset({"return", "case", "throw", "else", "do", "goto"})
_NOT_RUN = frozenset(
    {"typedef", "using", "static_assert", "struct", "class", "union", "enum", "extern", "friend"}
)
CLASSES = frozenset({"struct", "union", "class", "enum"})
_LONGEST = 28
_PLAIN_START = re.compile(r"[\w\s+*/()-]+")


@dataclass
class Marker:
    """Emits statements with marks. Points are numbered in the order in which they are created."""

    words: Words
    within_expressions: bool
    points: list[Point] = field(default_factory=list)
    side: int = -1  # the enclosing side

    # ---- statements -------------------------------------------------------------------------------------

    def statements(self, low: int, high: int) -> str:
        parts = []
        at = low
        while at < high:
            text, at = self.statement(at, high)
            parts.append(text)
        return "".join(parts)

    def statement(self, at: int, high: int) -> tuple[str, int]:
        """Return a statement with its marks, and the index after it."""
        word = self.words.words[at]
        match word.text:
            case "{":
                return self.block(at)
            case "if":
                return self.choice(at, high)
            case "for" | "while":
                return self.loop(at, high)
            case "do":
                return self.repeated(at, high)
            case "switch":
                return self.switch(at, high)
            case "case" | "default":
                return self.label(at, high)
            case ";":
                return self.written(at, at + 1), at + 1
            case _ if word.kind == "name" and at + 1 < high and self.text(at + 1) == ":":
                return self.written(at, at + 2), at + 2
        return self.simple(at, high)

    def block(self, at: int, first: str = "") -> tuple[str, int]:
        end = self.words.ends[at]
        inner = self.statements(at + 1, end)
        return f"{self.written(at, at + 1)}{first}{inner}{self.written(end, end + 1)}", end + 1

    def simple(self, at: int, high: int) -> tuple[str, int]:
        """Mark a statement that ends with a semicolon: an expression, a declaration, a jump."""
        end = at
        while end < high and self.text(end) != ";":
            end = self.words.ends.get(end, end) + 1
        end = min(end, high - 1)
        mark = f" {self.line(at, end)} " if self.runs(at, end) else ""
        space, body = self.apart(at, self.expression(at, end + 1))
        return f"{space}{mark}{body}", end + 1

    def runs(self, at: int, end: int) -> bool:
        """Whether a statement is executed, rather than being only a declaration."""
        texts = self.words.texts(at, end)
        if not texts or texts[0] in _NOT_RUN or texts[:2] == ["[", "["]:
            return False
        names = all(
            word.kind == "name" or word.text in "*&,<>[]::" or word.kind == "number"
            for word in self.words.words[at:end]
        )
        jumps = texts[0] in ("return", "break", "continue", "goto", "throw")
        return jumps or not names or any(t in ("++", "--") for t in texts)

    def choice(self, at: int, high: int) -> tuple[str, int]:
        """Mark `if (c) … else …`."""
        opening = at + 1
        while self.text(opening) != "(":
            opening += 1
        close = self.words.ends[opening]
        mark = self.line(at, close + 1)
        static = opening > at + 1
        begin = self.after_first(opening + 1, close)
        sides = self.sides(at, "then", "else", begin, close)
        declares = self.declares(begin, close)
        before = self.expression(opening + 1, begin)
        if static or declares:
            head = self.written(opening, opening + 1) + before + self.written(begin, close)
        else:
            condition = self.decided(sides, begin, close)
            head = self.written(opening, opening + 1) + before + condition
        after = close + 2 if self.text(close + 1) == "{" else close + 1
        idle = ("else", " false") if _ADDED.fullmatch(self.text(after)) else ()
        if self.text(after) == "return" and _EMPTY.fullmatch(self.plain(opening + 1, close)):
            idle = ("then", " true")
        for number in range(sides, len(self.points)):
            if self.points[number].side.endswith(idle):
                self.points[number] = replace(self.points[number], why=_NOTHING)
        text = self.started(at, mark, f"s2sad_fixed<{sides}>(); " if static else "")
        text += self.written(at + 1, opening) + head + self.written(close, close + 1)
        taken = f" s2sad_hit({sides});" if static or declares else ""
        missed = f" s2sad_hit({sides + 1});" if static or declares else ""
        body, at = self.inside(sides, close + 1, high, taken)
        text += body
        if at < high and self.text(at) == "else":
            text += self.written(at, at + 1)
            body, at = self.inside(sides + 1, at + 1, high, missed)
            text += body
        elif missed:
            text += f" else {{{missed} }}"
        return text, at

    def loop(self, at: int, high: int) -> tuple[str, int]:
        """Mark `for` and `while`."""
        close = self.words.ends[at + 1]
        mark = self.line(at, close + 1)
        is_for = self.text(at) == "for"
        starts, begin, end = at + 2, at + 2, close
        if is_for:
            begin = self.after_first(at + 2, close)
            end = begin
            while end < close and self.text(end) != ";":
                end = self.words.ends.get(end, end) + 1
        if (is_for and begin == at + 2) or self.declares(begin, end):  # range-based; declares a variable
            head = self.written(at + 1, close + 1)
            body, after = self.inside(self.side, close + 1, high)
            return f"{self.started(at, mark)}{head}{body}", after
        trips = self.sides(at, "no trip", "second trip", begin, end)
        if (
            is_for
            and _FEW.fullmatch(self.plain(begin, end))
            and _STRIDED.fullmatch(self.plain(end + 1, close))
        ):
            self.points[trips + 1] = replace(self.points[trips + 1], why=_ENOUGH)
        first = self.first_test(starts, begin, end) if is_for else self.plain(begin, end)
        constant = _constant(first) if first else "true"
        if any(self.text(at) in ASSIGNS for at in range(begin, end)):
            constant = "false"
        condition = self.expression(begin, end) if end > begin else " true"
        test = f"s2sad_trip<{trips}, {constant}>(s2sad_t{trips}++, ({condition}) ? true : false)"
        body, after = self.inside(self.side, close + 1, high)
        text = self.started(at, mark, f"{{ unsigned s2sad_t{trips} = 0; ")
        text += self.written(at + 1, at + 2) + self.expression(starts, begin) + test
        text += self.expression(end, close) + self.written(close, close + 1) + body
        return text + " }", after

    def repeated(self, at: int, high: int) -> tuple[str, int]:
        """Mark `do … while (c);`."""
        mark = self.line(at, at + 1)
        trips = self.side_of(at, "second trip", "")
        body, after = self.inside(self.side, at + 1, high)
        close = self.words.ends[after + 1]
        self.points[trips] = replace(self.points[trips], text=self.plain(after + 2, close))
        condition = self.expression(after + 2, close)
        constant = self.constant(after + 2, close)
        test = f"s2sad_again<{trips}, {constant}>(s2sad_t{trips}++, ({condition}) ? true : false)"
        text = self.started(at, mark, f"{{ unsigned s2sad_t{trips} = 0; ") + body
        text += self.written(after, after + 2) + test + self.written(close, min(close + 2, high))
        return text + " }", min(close + 2, high)

    def switch(self, at: int, high: int) -> tuple[str, int]:
        close = self.words.ends[at + 1]
        mark = self.line(at, close + 1)
        head = self.written(at + 1, at + 2) + self.expression(at + 2, close) + self.written(close, close + 1)
        first = ""
        if self.text(close + 1) == "{":
            end = self.words.ends[close + 1]
            if not self.has_default(close + 2, end):
                first = (
                    f" default: s2sad_hit({self.side_of(at, 'no case', self.plain(at + 2, close))}); break;"
                )
            body, after = self.block(close + 1, first)
        else:
            body, after = self.statement(close + 1, high)
        return f"{self.started(at, mark)}{head}{body}", after

    def has_default(self, low: int, high: int) -> bool:
        """Whether a switch contains a `default`, possibly that of a nested switch."""
        return any(self.text(at) == "default" for at in range(low, high))

    def label(self, at: int, high: int) -> tuple[str, int]:
        """Mark `case 3:` and `default:`."""
        end = at + 1
        while self.text(end) != ":":
            end = self.words.ends.get(end, end) + 1
        side = self.side_of(at, self.plain(at, end), "")
        return f"{self.written(at, end + 1)} s2sad_hit({side});", end + 1

    def inside(self, side: int, at: int, high: int, first: str = "") -> tuple[str, int]:
        """Return the statement that a condition guards, in braces; its points lie in that side."""
        before, self.side = self.side, side
        if self.text(at) == "{":
            text, after = self.block(at, first)
        else:
            inner, after = self.statement(at, high)
            text = f" {{{first} {inner} }}"
        self.side = before
        return text, after

    # ---- expressions ------------------------------------------------------------------------------------

    def expression(self, low: int, high: int) -> str:
        """Mark the sides of `?:` and the operands of `&&` and `||`."""
        if not self.within_expressions:
            return self.written(low, high)
        parts, start = [], low
        outside = self.side
        open_: list[tuple[int, bool]] = []  # for each open `?`: its sides; whether in the second
        for at, end in self.pieces(low, high):
            parts.append(self.written(start, at))
            first = len(self.points)
            parts.append(self.conditional(at, end))
            start = end
            sign = self.text(end) if end < high else ";"
            if sign == "?" and len(self.points) > first:
                open_.append((first, False))
            elif sign == ":":
                while open_ and open_[-1][1]:
                    open_.pop()
                if open_:
                    open_[-1] = open_[-1][0], True
            elif sign in (",", ";"):
                open_.clear()
            self.side = open_[-1][0] + open_[-1][1] if open_ else outside
        self.side = outside
        return "".join(parts) + self.written(start, high)

    def pieces(self, low: int, high: int) -> Iterator[tuple[int, int]]:
        """Yield the parts between tokens that end an operand of `?`: assignments, commas, colons."""
        start = at = low
        while at < high:
            word = self.words.words[at]
            if (word.kind == "other" and word.text in _ENDS) or (
                word.kind == "name" and word.text in _BEGINS
            ):
                if at > start:
                    yield start, at
                start = at + 1
            at = self.words.ends.get(at, at) + 1
        if at > start:
            yield start, high

    def conditional(self, low: int, high: int) -> str:
        """Mark one part, as the condition of a `?` if one follows."""
        asked = high < len(self.words.words) and self.text(high) == "?"
        if asked and not self.is_reference(low, high):
            sides = self.sides(low, "true", "false", low, high, named=True)
            return self.decided(sides, low, high)
        return self.operands(low, high)

    def operands(self, low: int, high: int) -> str:
        """Mark the operands of `&&` and `||` in a part, if there are any."""
        cuts = [at for at in self.top(low, high) if self.text(at) in ("&&", "||")]
        bounds = [low, *(cut + 1 for cut in cuts)], [*cuts, high]
        spans = list(zip(*bounds, strict=True))
        if not cuts or any(a == b for a, b in spans) or self.is_reference(low, high):
            return self.groups(low, high)
        parts, outside, before = [], self.side, ""
        for number, (a, b) in enumerate(spans):
            sides = self.sides(a, "true", "false", a, b, named=True)
            parts.append(self.decided(sides, a, b, whole=False))
            if number < len(cuts):
                parts.append(self.written(b, b + 1))
                sign = self.text(b)
                # the side that evaluates the next operand; for c in `a && b || c` no single side does
                self.side = sides if sign == "&&" else outside if before == "&&" else sides + 1
                before = sign
        self.side = outside
        return "".join(parts)

    def is_reference(self, low: int, high: int) -> bool:
        """Whether `&&` belongs to a declaration: `auto &&x = …`."""
        return high < len(self.words.words) and self.text(high) == "=" and "&&" in self.words.texts(low, high)

    def groups(self, low: int, high: int) -> str:
        """Mark the contents of brackets, as statements in bodies of lambdas; keep other words."""
        parts = []
        at, captures = low, False
        while at < high:
            if at not in self.words.ends or self.words.ends[at] >= high:
                captures = captures and self.text(at) not in ("=", ";", ",")
                parts.append(self.written(at, at + 1))
                at += 1
                continue
            end, kind = self.words.ends[at], self.text(at)
            before = self.words.words[at - 1] if at > 0 else None
            if kind == "[" and (before is None or (before.kind == "other" and before.text not in (")", "]"))):
                captures = True
                inner = self.written(at + 1, end)
            elif kind == "{" and captures:
                captures = False
                inner = self.statements(at + 1, end)
            elif captures or (kind == "{" and not CLASSES.isdisjoint(self.words.texts(low, at))):
                inner = self.written(at + 1, end)
            else:
                inner = self.expression(at + 1, end)
            parts.append(self.written(at, at + 1) + inner + self.written(end, end + 1))
            at = end + 1
        return "".join(parts)

    def decided(self, sides: int, low: int, high: int, *, whole: bool = True) -> str:
        """Mark the sides of a condition and, with `whole`, its operands."""
        inner = (
            self.expression(low, high)
            if whole and self.is_wide(low, high)
            else self.operands(low, high)
            if whole
            else self.groups(low, high)
        )
        if not self.within_expressions:
            inner = self.written(low, high)
        space, inner = self.apart(low, inner)
        return f"{space}s2sad_side<{sides}, {self.constant(low, high)}>(({inner}) ? true : false)"

    def is_wide(self, low: int, high: int) -> bool:
        """Whether a condition has operators of lower precedence than `||` at top level."""
        return any(self.text(at) in _ENDS for at in self.top(low, high))

    def constant(self, low: int, high: int) -> str:
        """Return a template argument that tells whether the compiler knows the condition."""
        text = self.plain(low, high)
        return _constant(text)

    def first_test(self, starts: int, begin: int, end: int) -> str:
        """Return a loop's condition with plain initial values substituted for its variables."""
        given: dict[str, str] = {}
        for low, high in self.parts(starts, begin - 1):
            texts = self.words.texts(low, high)
            if "=" in texts:
                at = low + texts.index("=")
                value = self.plain(at + 1, high)
                if self.words.words[at - 1].kind == "name" and _PLAIN_START.fullmatch(value):
                    given[self.text(at - 1)] = f"({value})"
        out: list[str] = []
        for at in range(begin, end):
            word = self.words.words[at]
            member = at > begin and self.text(at - 1) in (".", "->", "::")
            replaced = given.get(word.text) if word.kind == "name" and not member else None
            if replaced is not None and out and out[-1].strip() in _STEPS:
                replaced = f"({replaced} {out.pop().strip()[0]} 1)"
            if word.text in _STEPS and at > begin and self.text(at - 1) in given:
                continue  # `k-- > 0` compares the initial value
            space = " " if word.before else ""  # `>>` is two words without one between them
            out.append(space + (replaced or word.text))
        return "".join(out).strip()

    # ---- words ------------------------------------------------------------------------------------------

    def text(self, at: int) -> str:
        return self.words.words[at].text

    def written(self, low: int, high: int) -> str:
        """Return words as in the text, without pragmas, which a mark on the same line would break."""
        return "".join(_plain_space(w.before) + w.text for w in self.words.words[low:high])

    def plain(self, low: int, high: int) -> str:
        return self.words.plain(low, high).strip()

    def apart(self, at: int, written: str) -> tuple[str, str]:
        """Split off the space before the first word of a marked text."""
        space = _plain_space(self.words.words[at].before)
        return space, written[len(space) :]

    def started(self, at: int, mark: str, more: str = "") -> str:
        """Return the first word of a statement with marks before it."""
        word = self.words.words[at]
        return f"{_plain_space(word.before)} {mark} {more}{word.text}"

    def top(self, low: int, high: int) -> Iterator[int]:
        at = low
        while at < high:
            yield at
            at = self.words.ends.get(at, at) + 1

    def parts(self, low: int, high: int) -> Iterator[tuple[int, int]]:
        """Yield the parts between top-level commas."""
        start = low
        for at in self.top(low, high):
            if self.text(at) == ",":
                yield start, at
                start = at + 1
        yield start, high

    def after_first(self, low: int, high: int) -> int:
        """Return the index after the first semicolon; `low` if there is none."""
        return next((at + 1 for at in self.top(low, high) if self.text(at) == ";"), low)

    def declares(self, low: int, high: int) -> bool:
        """Whether a condition is a declaration: `float *p = next()`."""
        top = list(self.top(low, high))
        texts = [self.text(at) for at in top]
        if "=" not in texts:
            return False
        before = top[: texts.index("=")]
        return (
            len(before) > 1
            and self.words.words[before[-1]].kind == "name"
            and (
                self.words.words[before[-2]].kind == "name" or self.text(before[-2]) in ("*", "&", "&&", ">")
            )
        )

    # ---- points -----------------------------------------------------------------------------------------

    def line(self, at: int, end: int) -> str:
        """Return the mark of a statement that begins here."""
        return f"s2sad_hit({self.point(at, '', self.plain(at, end))});"

    def side_of(self, at: int, side: str, condition: str) -> int:
        return self.point(at, side, condition)

    def sides(self, at: int, yes: str, no: str, low: int, high: int, named: bool = False) -> int:
        """Create two sides with consecutive numbers; return the first."""
        condition = self.plain(low, high)
        name = f"{_short(condition)} " if named else ""
        first = self.point(at, f"{name}{yes}", condition)
        self.point(at, f"{name}{no}", condition)
        return first

    def point(self, at: int, side: str, text: str) -> int:
        word = self.words.words[at]
        number = len(self.points)
        file = word.file.rsplit("/", 1)[-1]
        around = self.points[self.side].why if self.side >= 0 else ""
        why = _WHOLE if _PARTIAL.fullmatch(f"{text} {side}") else around
        self.points.append(Point(number, file, word.line, side, self.side, text, why))
        return number


# A loop of a block's threads over a literal number of elements: `for (k = t; k < 8; k += blockDim.x)`.
_FEW = re.compile(r"\w+ ?< ?[\d\s+*()]+")
_STRIDED = re.compile(r"\w+ ?\+= ?(threads|blockDim ?\. ?[xyz]( ?\* ?blockDim ?\. ?[xyz])*)")
_ENOUGH = "a block has at least as many threads"

# A sum that the block adds only if the launch has work: `if (n > 0) block_add(&adj_w[0], adj_w0);`.
# Or the return of such a launch or block: `if (n <= 0) return;`.
_ADDED = re.compile(r"(\w+_)?(block|warp)_add(_\w+)?")
_EMPTY = re.compile(r"[\w.\s]+<= ?0|(?!.*threadIdx)[^&|?]*\bblockIdx\b[^&|?]*>= ?[\w.]+")
_NOTHING = "a launch or a block that has nothing to do, and whose arrays may be empty"

# What the threads of a partial warp do in sums of several values.
_PARTIAL = re.compile(r"(thread|threadIdx ?\. ?x) ?/ ?32 ?== ?warps then|warp ?< ?warps no trip")
_WHOLE = "the block is whole warps"


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _constant(condition: str) -> str:
    """Return an expression that tells whether the compiler knows a condition.

    It is "false" for conditions with statements, of a lambda or `({ … })`.
    """
    if re.search(r"\]\s*[({]|\(\s*\{", condition):
        return "false"
    return f"__builtin_constant_p(({condition}) ? true : false)"


def _plain_space(before: str) -> str:
    """Remove pragmas from white space; keep line markers."""
    if "#" not in before:
        return before
    return re.sub(r"^[ \t]*#[ \t]*pragma[^\n]*", "", before, flags=re.MULTILINE)
