"""What the texts of algorithms are written in: C++ with a few words that are drawn.

    @up(j, lo, hi) { … }      for j = lo … hi - 1, with any head and any type of counter
    @upi(j, lo, hi) { … }     the same, with a signed counter
    @down, @downi (j, hi, lo) for j = hi - 1 … lo
    @while(cond; step) { … }  while cond: the body, then the step
    @if(cond) { … } @else { … }
    @swap(a, b)  @min(a, b)  @max(a, b)
    [[a ~ b ~ c]]             one of the texts

Words: T the type of values, V[e] an element of the data, K how many it has, N how many of these count
(2 to K), ACC a running sum, A a parameter with a derivative, Q an integer from 0 to 999.
"""

from __future__ import annotations

import re

from . import heads
from .drawing import Draw

_MACRO = re.compile(r"@(\w+)\s*\(")
_CHOICE = re.compile(r"\[\[((?:(?!\[\[|\]\]).)*)\]\]", re.S)
_CLOSING = {"(": ")", "{": "}", "[": "]"}

SWAPS = {
    "swap_values": "__device__ void swap_values(T &one, T &other)\n{\nT held = one;\none = other;\n"
    "other = held;\n}",
    "swap_at": "__device__ void swap_at(T *one, T *other)\n{\nT held = *one;\n*one = *other;\n"
    "*other = held;\n}",
}


def closing(text: str, at: int) -> int:
    """Where the bracket that opens at a place closes."""
    opening, depth = text[at], 0
    for place in range(at, len(text)):
        depth += (text[place] == opening) - (text[place] == _CLOSING[opening])
        if not depth:
            return place
    raise ValueError(f"not closed: {text[at : at + 60]}")


def split(text: str, by: str = ",") -> list[str]:
    """Arguments, of which some may have brackets."""
    parts, depth, last = [], 0, 0
    for place, letter in enumerate(text):
        depth += (letter in "([{") - (letter in ")]}")
        if letter == by and not depth:
            parts.append(text[last:place].strip())
            last = place + 1
    return [*parts, text[last:].strip()]


def expand(draw: Draw, text: str) -> str:
    """The text with its choices and macros drawn; single words are left."""
    while choice := _CHOICE.search(text):
        chosen = draw.pick([one.strip() for one in choice[1].split("~")])
        text = text[: choice.start()] + chosen + text[choice.end() :]
    return _macros(draw, text)


def _macros(draw: Draw, text: str) -> str:
    out = ""
    while found := _MACRO.search(text):
        out += text[: found.start()]
        end = closing(text, found.end() - 1)
        inside, rest = text[found.end() : end], text[end + 1 :]
        made, text = _macro(draw, found[1], inside, rest)
        out += made
    return out + text


def _block(draw: Draw, text: str) -> tuple[str, str]:
    """A block in braces at the start, and what follows it."""
    start = len(text) - len(text.lstrip())
    end = closing(text, start)
    return _macros(draw, text[start + 1 : end]).strip(), text[end + 1 :]


def _macro(draw: Draw, name: str, inside: str, rest: str) -> tuple[str, str]:
    match name:
        case "up" | "upi":
            j, lo, hi = split(inside)
            body, rest = _block(draw, rest)
            return heads.up(draw, j, lo, hi, body, name == "upi"), rest
        case "down" | "downi":
            j, hi, lo = split(inside)
            body, rest = _block(draw, rest)
            return heads.down(draw, j, hi, lo, body, name == "downi"), rest
        case "while":
            condition, step = split(inside, ";")
            body, rest = _block(draw, rest)
            return heads.whilst(draw, _macros(draw, condition), step, body), rest
        case "if":
            first, rest = _block(draw, rest)
            second = ""
            if rest.lstrip().startswith("@else"):
                second, rest = _block(draw, rest.lstrip().removeprefix("@else"))
            return heads.either(draw, _macros(draw, inside), first, second), rest
        case "swap":
            one, other = split(_macros(draw, inside))
            return _swap(draw, one, other), rest
        case "min" | "max":
            one, other = split(_macros(draw, inside))
            sign = "<" if name == "min" else ">"
            forms = (
                f"f{name}f({one}, {other})",
                f"({one} {sign} {other} ? {one} : {other})",
                f"({other} {sign} {one} ? {other} : {one})",
            )
            return draw.pick(forms), rest
    raise ValueError(f"no macro @{name}")


def _swap(draw: Draw, one: str, other: str) -> str:
    forms = (
        f"{{\nT held = {one};\n{one} = {other};\n{other} = held;\n}}",
        f"swap_values({one}, {other});",
        f"swap_at(&{one}, &{other});",
        f"{{\nT &left = {one};\nT &right = {other};\nconst T held = left;\nleft = right;\nright = held;\n}}",
        f"{{\nT held_one = {one}, held_other = {other};\n{other} = held_one;\n{one} = held_other;\n}}",
    )
    return draw.pick(forms)


_MATHS = "sin|cos|tanh|exp|log|sqrt|fabs|fmin|fmax|floor|atan|pow|rint|ceil|fmod|hypot|copysign|trunc"


def typed(text: str, real: str) -> str:
    """Literals and functions of the type of values."""
    if real == "float":
        return re.sub(r"(?<![\w.])(\d+\.\d*(?:e[+-]?\d+)?)(?![\w.])", r"\1f", text)
    return re.sub(rf"\b({_MATHS})f\(", r"\1(", text)


def words(text: str, meaning: dict[str, str]) -> str:
    """The text with single words replaced."""
    return re.sub(r"\b(" + "|".join(meaning) + r")\b", lambda m: meaning[m[1]], text)


def elements(text: str, spelled: str) -> str:
    """Each V[e] as the storage spells it; `spelled` has a hole for the index."""
    out = ""
    while found := re.search(r"\bV\[", text):
        end = closing(text, found.end() - 1)
        index = elements(text[found.end() : end], spelled)
        hole = (
            index if re.fullmatch(r"\w+", index) or "({})" in spelled or "[{}]" in spelled else f"({index})"
        )
        out += text[: found.start()] + spelled.replace("{}", hole)
        text = text[end + 1 :]
    return out + text


def laid_out(text: str) -> str:
    """The text, a statement a line, indented by its braces."""
    pieces, depth, last = [], 0, 0
    for place, letter in enumerate(text):
        depth += (letter in "([") - (letter in ")]")
        if letter in "{;}\n" and not depth:
            piece = text[last:place].strip()
            end = {"\n": "", "{": " {" if piece else "{"}.get(letter, letter)
            pieces.append(piece + end)
            last = place + 1
    lines: list[str] = []
    depth = 0
    for piece in (piece for piece in pieces if piece):
        if (
            piece.startswith(("else", "while", ";", ")"))
            and lines
            and lines[-1].endswith("}")
            and _joins(piece)
        ):
            lines[-1] += piece if piece == ";" else f" {piece}"
        elif piece == "}":
            depth -= 1
            lines.append("    " * depth + piece)
            continue
        else:
            lines.append("    " * depth + piece)
        depth += piece.endswith("{")
    return "\n".join(lines) + "\n"


def _joins(piece: str) -> bool:
    return piece.startswith((";", "else")) or piece.endswith(";")


def helpers(texts: list[str]) -> list[str]:
    """The functions that texts call and don't define."""
    return [text for name, text in SWAPS.items() if any(name in one for one in texts)]


def finished(texts: list[str], real: str, size: str, value: int, spelled: str) -> str:
    """The file, the type of values and a size in it; the size is a number, a macro or a constant."""
    meaning = {"T": real}
    before = {"define": f"#define SIZE {value}", "constexpr": f"static constexpr int {size} = {value};"}
    if spelled != "constexpr":  # a macro has another name: it reaches the next text of a unit
        meaning[size] = str(value) if spelled == "literal" else "SIZE"
    return "\n".join(
        [before.get(spelled, ""), *(laid_out(words(typed(t, real), meaning)) for t in texts if t)]
    )
