"""The author's line and text of a statement, quoted above its adjoint."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..ir import Assign, Barrier, Declare, DoWhile, Evaluate, For, If, Quote, Return, Stmt, Switch, While
from ..source import Span
from .c_printer import Printer


@dataclass(frozen=True)
class Words:
    """`line` is 0 for a statement without source; `file` is the source's name."""

    line: int
    start: int
    text: str
    file: str = ""


def words(stmt: Stmt, printer: Printer) -> Words:
    """Return line and text of a primal statement; for a loop or a branch, the head only."""
    span: Span | None = getattr(stmt, "span", None)
    if span is None:
        return Words(0, 0, _printed(stmt, printer))
    text = span.words
    match stmt:
        case If() | For() | While() | Switch():
            text = _head(text)
        case DoWhile():
            at = text.rfind("while")
            text = text[at:] if at >= 0 else "do"
        case _:
            pass
    return Words(span.line, span.start, text.rstrip("; "), span.source.name)


def of_call(quotes: Sequence[Quote]) -> Quote | None:
    """Quote the call through which all these statements are reached, instead of them, if it is one."""
    calls = {span.call for quote in quotes if (span := getattr(quote.primal, "span", None)) is not None}
    call = calls.pop() if len(calls) == 1 else None
    first = quotes[0].primal
    if call is None or not isinstance(first, Assign | Declare | Evaluate):
        return None
    notes = " ".join(dict.fromkeys(quote.note for quote in quotes if quote.note))
    return Quote(replace(first, span=call), notes, quotes[-1].merged)


def _head(text: str) -> str:
    depth = 0
    for i, c in enumerate(text):
        depth += (c == "(") - (c == ")")
        if c == ")" and depth == 0:
            return text[: i + 1]
    return text


def _printed(stmt: Stmt, printer: Printer) -> str:
    match stmt:
        case Declare() | Assign() | Evaluate():
            return printer.clause((stmt,))
        case Barrier():
            return "__syncwarp()" if stmt.warp else "__syncthreads()"
        case Return(value=None):
            return "return"
        case Return(value=value) if value is not None:
            return f"return {printer.expr(value)}"
        case _:
            return ""


def merged(quotes: list[Words]) -> Words:
    """Merge several statements of one line in source order."""
    ordered = sorted(dict.fromkeys(quotes), key=lambda w: w.start)
    texts: list[str] = []
    for w in ordered:
        if not any(w.text in text for text in texts):
            texts = [text for text in texts if text not in w.text]
            texts.append(w.text)
    return replace(ordered[0], text="; ".join(texts))
