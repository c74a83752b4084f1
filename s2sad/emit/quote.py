"""The author's line and text of a statement, quoted above its adjoint."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice, takewhile

from ..ir import (
    Accumulate,
    Assign,
    Banner,
    Barrier,
    Const,
    Declare,
    DoWhile,
    Evaluate,
    For,
    If,
    Place,
    Quote,
    Return,
    Select,
    Stmt,
    Switch,
    While,
)
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


def says_itself(stmts: Sequence[Stmt], at: int) -> bool:
    """Whether what follows a quote is clear without it: a load's adjoint, added to where it was loaded."""
    quote = stmts[at]
    assert isinstance(quote, Quote)
    group = list(takewhile(lambda s: not isinstance(s, Quote | Banner), islice(stmts, at + 1, None)))
    if not group and at + 1 < len(stmts) and isinstance(stmts[at + 1], Quote):
        return not quote.note and _loads(quote.primal)  # on one line with the next one
    return not quote.note and _loads(quote.primal) and len(group) == 1 and _adds_once(group[0])


def _loads(primal: Stmt) -> bool:
    """Whether a statement takes an element of memory as it is, or zero where there is none."""
    match primal:
        case Declare(_, value) | Assign(_, value, None):
            pass
        case _:
            return False
    match value:
        case Select(_, Place() as value, Const()) | Select(_, Const(), Place() as value):
            return bool(value.index)
        case Place(_, index):
            return bool(index)
        case _:
            return False


def _adds_once(stmt: Stmt) -> bool:
    match stmt:
        case Accumulate(Place(_, index), how=how):
            return bool(index) and how in ("owner", "phase", "atomic")
        case If(_, (inner,), ()):
            return _adds_once(inner)
        case _:
            return False


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
