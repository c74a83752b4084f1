"""Compute the spans of statement heads: the part of a line that an adjoint quotes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pycparser import c_ast

from ...ir import Assign, Evaluate
from ...source import Span
from .scope import Context


def closing(ctx: Context, node: c_ast.DoWhile) -> Span | None:
    """Return the span of `while (c)` at the end of a do loop."""
    whole, cond = ctx.span(node), ctx.span(node.cond)
    if whole is None or cond is None or cond.source is not whole.source:
        return whole
    start = whole.source.text.rfind("while", whole.start, cond.start)
    end = _closing(whole, cond.end, 1)
    return whole if start < 0 or end is None else Span(whole.source, start, end)


def label(ctx: Context, labels: Sequence[c_ast.Node]) -> Span | None:
    """Return the span of `case 1: case 2:`."""
    first = ctx.span(labels[0])
    if first is None:
        return None
    last = labels[-1]
    at = ctx.span(last)
    if at is None or at.source is not first.source:
        return first
    expr = getattr(last, "expr", None)
    inner = ctx.span(expr) if expr is not None else None
    begin = inner.end if inner is not None and inner.source is first.source else at.start
    colon = first.source.text.find(":", begin)
    return first if colon < 0 else Span(first.source, first.start, colon + 1)


def widen(ctx: Context, node: c_ast.Node, before: int) -> None:
    """Extend the span of the single statement lowered from an expression statement to its semicolon."""
    if len(ctx.out) != before + 1:
        return
    stmt = ctx.out[before]
    if isinstance(stmt, Assign | Evaluate) and stmt.span is not None:
        ctx.out[before] = replace(stmt, span=through_semicolon(stmt.span))


def through_semicolon(span: Span) -> Span:
    """Return the span up to and including the semicolon that follows it, if one does."""
    text = span.source.text
    end = span.end
    while end < len(text) and text[end].isspace():
        end += 1
    return replace(span, end=end + 1) if end < len(text) and text[end] == ";" else span


def pragma(node: c_ast.Pragma) -> str:
    """Return the text of a `#pragma` line."""
    said = node.string
    return str(getattr(said, "value", said)).strip()


def _closing(whole: Span, start: int, depth: int) -> int | None:
    """Return the position after the parenthesis that closes the head, skipping comments and literals."""
    text, at = whole.source.text, start
    while at < whole.end:
        if text.startswith("//", at):
            at = text.find("\n", at)
        elif text.startswith("/*", at):
            at = text.find("*/", at) + 1
        elif text[at] in "'\"":
            at = _quoted(text, at)
        elif text[at] == "(":
            depth += 1
        elif text[at] == ")":
            depth -= 1
            if depth == 0:
                return at + 1
        if at < start:
            return None
        at += 1
    return None


def _quoted(text: str, at: int) -> int:
    """Return the position of the quote that closes the literal; a digit separator is no quote."""
    if text[at] == "'" and at > 0 and text[at - 1].isalnum():
        return at
    end = at + 1
    while end < len(text) and text[end] not in (text[at], "\n"):
        end += 2 if text[end] == "\\" else 1
    return end
