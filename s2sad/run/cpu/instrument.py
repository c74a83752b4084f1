"""Insert calls into a text that record what it reads and writes (include/record.h).

    y[i] += a * x[i];   ->   s2sad_hit(4); s2sad_to(7, y[s2sad_index(7, 0, s2sad_see(6, i))])
                                 += s2sad_value(7, s2sad_see(8, a) * …); s2sad_done();

The marks of statements and conditions are those of `marking`. An operand is a variable that the function
declares, with its subscripts and fields; names that aren't variables (types, functions, template arguments)
stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ..recording import Operand, Program, Statement
from . import declarations, functions
from .counting import is_own
from .functions import Function
from .lexemes import Words, read
from .marking import ASSIGNS, CLASSES, Marker

_CUTS = frozenset({",", ";", "?", ":", *ASSIGNS})
_UNEVALUATED = frozenset({"sizeof", "decltype", "alignof", "alignas", "typeid", "noexcept", "asm", "__asm__"})
_STARTS = frozenset({"return", "else", "case", "do", "throw", "co_return"})
_JUMPS = frozenset({"return", "break", "continue", "goto", "throw"})
_OF_THE_ENGINE = ("s2sad_lodged", "s2sad_dynamic")


@dataclass
class Instrument(Marker):
    """Emits statements with marks and recorded operands; `reads` is off for a text that compiles only so."""

    reads: bool = True
    names: set[str] = field(default_factory=set)  # the variables in scope, of the function and the file
    noted: list[Operand] = field(default_factory=list)
    current: int = -1  # the statement, by its point
    chosen: int = -1  # the switch
    owners: dict[int, int] = field(default_factory=dict)  # the statement of each side
    nest: tuple[int, ...] = ()  # the loops around it
    loops: dict[int, tuple[int, ...]] = field(default_factory=dict)  # the same, of each statement
    ends: dict[int, int] = field(default_factory=dict)  # the last line of each statement

    # ---- statements -------------------------------------------------------------------------------------

    def line(self, at: int, end: int) -> str:
        mark = super().line(at, end)
        self.current = len(self.points) - 1
        self.loops[self.current] = self.nest
        self.ends[self.current] = self.words.words[end - 1].line
        return mark

    def inside(self, side: int, at: int, high: int, first: str = "") -> tuple[str, int]:
        before, nest = self.current, self.nest
        text = self.points[before].text
        if text.startswith(("for (", "while (")) or text == "do":
            self.nest = (*nest, before)
        found = super().inside(side, at, high, first)
        self.current, self.nest = before, nest
        return found

    def switch(self, at: int, high: int) -> tuple[str, int]:
        before, self.chosen = self.chosen, len(self.points)
        found = super().switch(at, high)
        self.chosen = before
        return found

    def label(self, at: int, high: int) -> tuple[str, int]:
        before, self.current = self.current, self.chosen
        found = super().label(at, high)
        self.current = before
        return found

    def point(self, at: int, side: str, text: str) -> int:
        number = super().point(at, side, text)
        if side:
            self.owners[number] = self.current
        return number

    def block(self, at: int, first: str = "") -> tuple[str, int]:
        before, names = self.current, set(self.names)
        found = super().block(at, first)
        self.current, self.names = before, names
        return found

    def loop(self, at: int, high: int) -> tuple[str, int]:
        close = self.words.ends[at + 1]
        declared = declarations.find(self.words, at + 2, self.after_first(at + 2, close) - 1)
        before = set(self.names)
        self.names |= {one.name for one in declared}
        found = super().loop(at, high)
        self.names = before
        return found

    def simple(self, at: int, high: int) -> tuple[str, int]:
        end = at
        while end < high and self.text(end) != ";":
            end = self.words.ends.get(end, end) + 1
        end = min(end, high - 1)
        if not self.runs(at, end) or self.is_of_the_engine(at, end) or self.defines_a_type(at, end):
            self.names |= {one.name for one in declarations.find(self.words, at, end)}
            return self.written(at, end + 1), end + 1
        mark = f" {self.line(at, end)} "
        declared = declarations.find(self.words, at, end)
        if declared:
            body, after = self.declared(at, end, declared)
        elif self.text(at) in _JUMPS:
            body, after = self.jump(at, end), ""
        else:
            body, after = self.sequence(at, end), " s2sad_done();"
        space, body = self.apart(at, body)
        return f"{space}{mark}{body}{self.written(end, end + 1)}{after}", end + 1

    def defines_a_type(self, at: int, end: int) -> bool:
        """Whether a declaration defines the type of its variables."""
        texts = self.words.texts(at, end)
        return "{" in texts and not CLASSES.isdisjoint(texts[: texts.index("{")])

    def is_of_the_engine(self, at: int, end: int) -> bool:
        """Whether a declaration was rewritten to use memory of the engine (shared.py)."""
        return any(word.text.startswith(_OF_THE_ENGINE) for word in self.words.words[at:end])

    def jump(self, at: int, end: int) -> str:
        if self.text(at) != "return" or at + 1 == end or self.text(at + 1) == "{":
            return self.written(at, end)
        number = self.operand(("return",), "return")
        return f"{self.written(at, at + 1)} s2sad_value({number}, {self.sequence(at + 1, end)})"

    def declared(self, at: int, end: int, found: Sequence[declarations.Declared]) -> tuple[str, str]:
        """Return a declaration, and what records its variables after it."""
        self.names |= {one.name for one in found}
        constant = "constexpr" in self.words.texts(at, end)
        parts, start, after = [], at, ""
        for one in found:
            if one.low < one.high and not constant:
                parts += [self.written(start, one.low), self.sequence(one.low, one.high)]
                start = one.high
            if one.low < one.high:
                after += f" s2sad_holds({self.operand((one.name,), '=', one.name)}, {one.name});"
        return "".join(parts) + self.written(start, end), f"{after} s2sad_done();"

    # ---- expressions ------------------------------------------------------------------------------------

    def expression(self, low: int, high: int) -> str:
        last = high - 1 if high > low and self.text(high - 1) == ";" else high
        found = declarations.find(self.words, low, last)
        if not found:
            return self.sequence(low, high)
        return self.declared(low, last, found)[0] + self.written(last, high)

    def decided(self, sides: int, low: int, high: int, *, whole: bool = True) -> str:
        space, inner = self.apart(low, self.sequence(low, high))
        return f"{space}s2sad_side<{sides}, false>(({inner}) ? true : false)"

    def constant(self, low: int, high: int) -> str:
        return "false"

    def first_test(self, starts: int, begin: int, end: int) -> str:
        return ""

    def sequence(self, low: int, high: int) -> str:
        """Return operands between commas, with what they assign."""
        parts, at = [], low
        while at < high:
            cut = next((k for k in self.outer(at, high) if self.is_cut(k)), high)
            sign = self.text(cut) if cut < high else ""
            if sign not in ASSIGNS or cut == at:
                parts.append(self.reading(at, cut) + (self.written(cut, cut + 1) if cut < high else ""))
                at = cut + 1
                continue
            number, text = self.target(at, cut, sign)
            parts.append(text + self.written(cut, cut + 1))
            at = cut + 1
            if sign != "=" and at < high and self.text(at) != "{":
                end = next((k for k in self.outer(at, high) if self.text(k) in (",", ";")), high)
                parts.append(f" s2sad_value({number}, {self.sequence(at, end)})")
                at = end
        return "".join(parts)

    def outer(self, at: int, high: int) -> Iterator[int]:
        """Yield the words outside of brackets and of template arguments."""
        while at < high:
            yield at
            at = declarations.template_end(self.words, at, high) or self.words.ends.get(at, at) + 1

    def is_cut(self, at: int) -> bool:
        return self.words.words[at].kind == "other" and self.text(at) in _CUTS

    def target(self, low: int, high: int, op: str) -> tuple[int, str]:
        """Return the operand that is written there, with its number."""
        if self.is_variable(low) and self.chain_end(low, high) == high:
            return self.chain(low, high, op)
        space, inner = self.apart(low, self.reading(low, high))
        number = self.operand((self.plain(low, high),), op)
        return number, f"{space}s2sad_to({number}, {inner})"

    def reading(self, low: int, high: int) -> str:
        """Return an expression without assignments; its variables are recorded as they are read."""
        parts, at = [], low
        while at < high:
            text, at = self.piece(at, low, high)
            parts.append(text)
        return "".join(parts)

    def piece(self, at: int, low: int, high: int) -> tuple[str, int]:
        word = self.words.words[at]
        if word.kind == "name" and word.text in _UNEVALUATED:
            end = at + 1
            if end < high and self.text(end) == "(":
                end = self.words.ends[end] + 1
            return self.written(at, end), end
        if word.kind == "name" and _is_atomic(word.text) and at + 1 < high and self.text(at + 1) == "(":
            return self.atomic(at)
        if word.kind == "name" and (end := declarations.template_end(self.words, at, high)):
            return self.written(at, end), end
        if self.is_variable(at):
            end = self.chain_end(at, high)
            return self.operand_of(at, end, low, high), end
        if word.text == "*" and self.is_unary(at, low) and at + 1 < high and self.is_variable(at + 1):
            end = self.chain_end(at + 1, high)
            if end < high and self.text(end) in ("++", "--"):
                return self.written(at, at + 1), at + 1
            return self.seen(at, end), end
        if at in self.words.ends and self.words.ends[at] < high:
            return self.group(at, high)
        return self.written(at, at + 1), at + 1

    def operand_of(self, at: int, end: int, low: int, high: int) -> str:
        """Return a variable with its subscripts: read, stepped, or passed by address."""
        before = self.text(at - 1) if at > low else ""
        after = self.text(end) if end < high else ""
        if before in ("++", "--") or after in ("++", "--"):
            return self.chain(at, end, before if before in ("++", "--") else after)[1]
        if before == "&" and self.is_unary(at - 1, low):
            return self.chain(at, end, "&")[1]
        return self.seen(at, end)

    def seen(self, at: int, end: int) -> str:
        """Return an operand that is recorded as it is read; `at` may be at a star before the variable."""
        if not self.reads:
            return self.written(at, end)
        starred = self.text(at) == "*"
        first = at + 1 if starred else at
        number = self.reserved()
        parts, inner = self.subscripted(first, end, number)
        parts = (f"*{parts[0]}", *parts[1:]) if starred else parts
        self.noted[number] = Operand(self.current, parts, "", self.text(first))
        space, rest = self.apart(at, self.written(at, first) + inner)
        return f"{space} s2sad_see({number}, {rest})"

    def chain(self, at: int, end: int, op: str) -> tuple[int, str]:
        """Return a variable with its subscripts as an operand that is written."""
        number = self.reserved()
        parts, inner = self.subscripted(at, end, number)
        self.noted[number] = Operand(self.current, parts, op, self.text(at))
        space, rest = self.apart(at, inner)
        return number, f"{space} s2sad_to({number}, {rest})"

    def subscripted(self, at: int, end: int, number: int) -> tuple[tuple[str, ...], str]:
        """Return a variable's text around its subscripts, and the text that records these."""
        texts, parts, which = [], [""], 0
        while at < end:
            if self.text(at) == "[" and at in self.words.ends:
                close = self.words.ends[at]
                inner = self.sequence(at + 1, close)
                inner = f"s2sad_index({number}, {which}, {inner})"
                texts.append(f"{self.written(at, at + 1)}{inner}{self.written(close, close + 1)}")
                parts[-1] += "["
                parts.append("]")
                which, at = which + 1, close + 1
            else:
                texts.append(self.written(at, at + 1))
                parts[-1] += self.text(at)
                at += 1
        return tuple(parts), "".join(texts)

    def operand(self, parts: tuple[str, ...], op: str, name: str = "") -> int:
        self.noted.append(Operand(self.current, parts, op, name))
        return len(self.noted) - 1

    def reserved(self) -> int:
        """Return the number of an operand whose subscripts, with operands of their own, come first."""
        return self.operand(("",), "")

    def atomic(self, at: int) -> tuple[str, int]:
        """Return a call of an atomic operation: the place, and what is combined with it."""
        close = self.words.ends[at + 1]
        args = list(self.parts(at + 2, close))
        (low, high), rest = args[0], args[1:]
        if self.text(low) == "&" and self.is_variable(low + 1) and self.chain_end(low + 1, high) == high:
            number, place = self.chain(low + 1, high, self.text(at))
        else:
            inner = self.reading(low, high)
            number = self.operand((f"*({self.plain(low, high)})",), self.text(at))
            place = f"s2sad_to({number}, *({inner}))"
        text = f"{self.written(at, at + 2)}&{place}"
        for low, high in rest:
            text += f", s2sad_value({number}, {self.sequence(low, high)})"
        return f"{text}{self.written(close, close + 1)}", close + 1

    def group(self, at: int, high: int) -> tuple[str, int]:
        """Return what is in brackets; a lambda and an attribute stay as they are."""
        end = self.words.ends[at]
        before = self.words.words[at - 1] if at else None
        value_before = before is not None and (before.kind in ("name", "number") or before.text in (")", "]"))
        if self.text(at) == "[" and not value_before:
            last = end
            while last + 1 < high and self.text(last) != "}":
                last = self.words.ends.get(last + 1, last + 1)
            return self.written(at, last + 1), last + 1
        if self.text(at) == "{" and before is not None and before.text == ")":  # ({ … })
            return self.written(at, end + 1), end + 1
        return self.written(at, at + 1) + self.sequence(at + 1, end) + self.written(end, end + 1), end + 1

    # ---- words ------------------------------------------------------------------------------------------

    def is_variable(self, at: int) -> bool:
        """Whether a variable begins there, and isn't called, qualified or a field of another."""
        word = self.words.words[at]
        if word.kind != "name" or word.text not in self.names:
            return False
        before = self.text(at - 1) if at else ""
        after = self.text(at + 1) if at + 1 < len(self.words.words) else ""
        return before not in (".", "->", "::") and after not in ("(", "::")

    def chain_end(self, at: int, high: int) -> int:
        """Return the index after a variable, its subscripts and its fields; a method isn't a field."""
        at += 1
        while at < high:
            text = self.text(at)
            if text == "[" and at in self.words.ends:
                at = self.words.ends[at] + 1
            elif text in (".", "->") and at + 2 <= high and self.words.words[at + 1].kind == "name":
                if at + 2 < len(self.words.words) and self.text(at + 2) == "(":
                    return at
                at += 2
            else:
                return at
        return at

    def is_unary(self, at: int, low: int) -> bool:
        """Whether the sign there has no left operand."""
        if at <= low:
            return True
        before = self.words.words[at - 1]
        if before.kind == "name":
            return before.text in _STARTS
        return before.kind == "other" and before.text not in (")", "]", "}")


def _is_atomic(name: str) -> bool:
    return name.startswith("atomic") and name[6:7].isupper()


def instrument(text: str, kernels: Sequence[str], *, reads: bool = True) -> tuple[str, Program]:
    """Return the preprocessed text with calls that record, and what their numbers mean.

    Raises lexemes.Unbalanced if it can't be parsed.
    """
    words = read(text)
    found = [f for f in functions.find(words) if is_own(words.words[f.low - 1].file)]
    reach = functions.kernels_reach(kernels, found)
    reached = frozenset[int]().union(*reach.values())
    marker = Instrument(words, within_expressions=False, reads=reads)
    shared = set(declarations.of_file(words, [(f.low, f.high) for f in functions.find(words)]))
    parts, at, owners = [], 0, list[int]()
    for number in sorted(reached):
        function = found[number]
        marker.names = shared | set(declarations.parameters(words, function.low - 1))
        parts.append(words.written(at, function.low))
        if not _is_constant(words, function):
            parts.append(f" s2sad_frame s2sad_frame_{number}({number}); ")
        parts.append(marker.statements(function.low, function.high))
        owners += [number] * (len(marker.points) - len(owners))
        at = function.high
    parts += [words.written(at, len(words.words)), words.rest]
    names = tuple(function.name for function in found)
    told = Program(tuple(_statements(marker, owners)), tuple(marker.noted), names, not reads)
    return "".join(parts), told


def _statements(marker: Instrument, owners: Sequence[int]) -> Iterator[Statement]:
    for point, owner in zip(marker.points, owners, strict=True):
        within = marker.owners.get(point.number, point.number)
        loops = marker.loops.get(point.number, ())
        end = marker.ends.get(point.number, point.line)
        place = point.number, point.file, point.line, end
        yield Statement(*place, point.text, owner, point.side, within, loops)


def _is_constant(words: Words, function: Function) -> bool:
    """Whether a function is constexpr, which may have no variable with a destructor."""
    at = function.low - 2
    while at >= 0 and words.words[at].text not in (";", "}", "{"):
        if words.words[at].text == "constexpr":
            return True
        at -= 1
    return False
