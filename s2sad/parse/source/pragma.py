"""Parse the author's requests to s2sad in the source: `#pragma s2sad …` and `// s2sad: …`.

    #pragma s2sad adjoint of(y) wrt(x, a)
    // s2sad: --of y --wrt x,a

Both give {"of": ("y",), "wrt": ("x", "a")}. The command line overrides.

    // s2sad: launch grid=(n+255)/256 block=256

says how the kernel is launched, for `s2sad bind`: {"launch": ("grid=(n+255)/256 block=256",)}.
"""

from __future__ import annotations

import re

from ...diagnostics import Code, Rejected, diagnose
from ...source import Span

KEYS = (
    "of", "wrt", "mode", "directions", "seeds", "names", "skin", "accumulate", "rules", "store", "recompute",
    "bound", "tape-budget", "assume", "template", "companion", "keep-template", "separate",
)  # fmt: skip
LAUNCH = "launch"
FLAGS = ("companion", "keep-template", "separate")
"""The keys that have no value."""


def of_pragma(text: str, span: Span) -> dict[str, tuple[str, ...]]:
    """Return the keys of `s2sad adjoint of(y) wrt(x, a)`."""
    rest = re.sub(r"^\s*s2sad\b\s*(?:adjoint\b)?", "", text).strip()
    words: dict[str, tuple[str, ...]] = {}
    while rest:
        match = re.match(r"([A-Za-z_-]+)\s*\(", rest)
        close = _closing(rest, match.end() - 1) if match else None
        if match is None or close is None:
            raise Rejected(diagnose(Code.BAD_PRAGMA, span, what=f"`{rest}` is not understood"))
        _add(words, match[1], rest[match.end() : close], span)
        rest = rest[close + 1 :].lstrip(" ,")
    return words


def of_remark(text: str, span: Span) -> dict[str, tuple[str, ...]]:
    """Return the keys of `--of y --wrt x,a`."""
    words: dict[str, tuple[str, ...]] = {}
    first, *rest = text.split(None, 1) or [""]
    if first == LAUNCH:
        return {LAUNCH: (rest[0].strip() if rest else "",)}
    parts = re.split(r"(?:^|\s)--(?=[a-z])", " " + text.strip())
    if parts[0].strip():
        raise Rejected(diagnose(Code.BAD_PRAGMA, span, what=f"`{parts[0].strip()}` is not an option"))
    for part in parts[1:]:
        key, _, values = part.strip().replace("=", " ", "=" in part.split(" ")[0]).partition(" ")
        _add(words, key, values, span)
    return words


def _add(words: dict[str, tuple[str, ...]], key: str, values: str, span: Span) -> None:
    if key not in KEYS:
        raise Rejected(
            diagnose(Code.BAD_PRAGMA, span, what=f"unknown option `{key}`; valid: {', '.join(KEYS)}")
        )
    found = tuple(value.strip() for value in _commas(values))
    if key in FLAGS and any(found):
        raise Rejected(diagnose(Code.BAD_PRAGMA, span, what=f"`{key}` takes no argument"))
    if key not in FLAGS and not all(found):
        raise Rejected(diagnose(Code.BAD_PRAGMA, span, what=f"`{key}` has no argument"))
    words[key] = words.get(key, ()) + found


def _commas(text: str) -> list[str]:
    """Split a text at the commas outside parentheses."""
    parts, depth = [""], 0
    for c in text:
        depth += {"(": 1, ")": -1}.get(c, 0)
        if c == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += c
    return parts


def _closing(text: str, start: int) -> int | None:
    depth = 0
    for i in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[i], 0)
        if depth == 0:
            return i
    return None
