"""Keep specialisations for `float` from being taken for `double`, where one is compiled as the other.

    template <typename T> struct Gain { static __device__ T of(T v) { return v; } };
    template <> struct Gain<float> { static __device__ float of(float v) { return v * v; } };
    y[i] = Gain<double>::of(x[i]);            the general one, although there is one for Gain<double> then

The compiler is asked whether the author's text uses an instance: without a definition of it, that text
doesn't compile. If only the one for double is used, the one for float is left out; if both are, and they
aren't the same, the text can't be compiled with float as double.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from ..backend import CompileFailed
from ..float_widening import doubled, tokens
from ..overload_twins import definitions
from . import compiler

_CLASSES = frozenset({"struct", "class"})


@dataclass(frozen=True)
class Special:
    """A specialisation: its tokens, the brace of its body, and its head as written and widened."""

    begin: int
    head: int
    end: int
    place: tuple[object, ...]
    words: tuple[str, ...]
    after: tuple[str, ...]
    body: tuple[str, ...]


def settled(text: str, written: Callable[[str], str], name: str) -> str:
    """Return the text without specialisations for float if it only uses double. Raises CompileFailed."""
    found = list(tokens(text))
    before = [token.text for token in found]
    every = _specials(before, [doubled(token) for token in found])
    asked = [one for one in every if one.words != one.after]
    if not asked or not _compiles(written(text)):
        return text
    for one in asked:
        others = [o for o in every if (o.place, o.after) == (one.place, one.after) and o.words != one.words]
        if any(o.body == one.body for o in others):
            continue
        twin = others[0] if others else None
        if twin is None and not _compiles(written(_with_another(before, one))):
            continue  # there is none for double: `template <> Pair made(float a)`
        if _compiles(written(_without(before, one, twin))):
            continue  # the one for double isn't used
        if not _compiles(written(_without(before, one, one))):
            raise CompileFailed(
                f"{name}: `{' '.join(one.words)}` is used beside another for double, so the text can't be "
                "compiled with float as double; use a type of its own for one of them"
            )
        gone = range(one.begin, one.end)
        before[one.begin : one.end] = ["\n" * before[k].count("\n") for k in gone]
    return "".join(before)


def _specials(before: Sequence[str], after: Sequence[str]) -> list[Special]:
    """Return the specialisations with bodies."""
    found = []
    for scope, branch, begin, head, end in definitions(after):
        words = tuple(t for t in before[begin:head] if t.strip() and not t.startswith(("//", "/*")))
        named = next((k for k, word in enumerate(words) if word in _CLASSES), 0)
        explicit = words[:3] == ("template", "<", ">")
        partial = words[:1] == ("template",) and bool(named) and words[named + 2 : named + 3] == ("<",)
        if before[head] == "{" and (explicit or partial):
            widened = tuple(t for t in after[begin:head] if t.strip() and not t.startswith(("//", "/*")))
            body = tuple(t for t in after[head:end] if t.strip())
            found.append(Special(begin, head, end, (scope, branch), words, widened, body))
    return found


def _with_another(before: Sequence[str], one: Special) -> str:
    """Return the text with the same specialisation for double after the one for float."""
    body = " ".join(one.body) if _is_class(one) else ";"
    return "".join((*before[: one.end], " ", " ".join(one.after), body, *before[one.end :]))


def _is_class(one: Special) -> bool:
    return not _CLASSES.isdisjoint(one.words) and "(" not in one.words


def _without(before: Sequence[str], one: Special, other: Special | None) -> str:
    """Return the text with a specialisation that has no body; without one, with a declaration after `one`."""
    missing = ";" if _is_class(one) else "= delete;"
    it = other or one
    head = it.after if other is None else it.words
    bases = head.index(":") if _is_class(it) and ":" in head else len(head)
    declared = f" {' '.join(head[:bases])} {missing} "
    first, last = (one.end, one.end) if other is None else (it.begin, it.end)
    return "".join((*before[:first], declared, *before[last:]))


@lru_cache(maxsize=256)
def _compiles(unit: str) -> bool:
    try:
        compiler.deprecated(unit, "s2sad_without")
    except CompileFailed:
        return False
    return True
