"""What the tests of the front half of the parser share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from pycparser import c_ast

from s2sad.diagnostics import Diagnostic, Rejected
from s2sad.parse import reading
from s2sad.parse.source.preprocess import Preprocessed, preprocess
from s2sad.parse.syntax.translation_unit import Syntax
from s2sad.source import Source

HEAD = "__global__ void k(const float *x, float *y, int n)\n{\n"


def kernel(body: str, before: str = "") -> str:
    """A file with one kernel; its body begins on the third line after `before`."""
    return f"{before}{HEAD}{body}\n}}\n"


def source(text: str, name: str = "k.cu") -> Source:
    return Source(name, text)


def parsed(text: str, name: str | None = None, **defines: str) -> Syntax:
    return reading.parse(source(text), name, defines)


def refusals(text: str, name: str | None = None) -> list[tuple[int, int, str]]:
    """Line, column and code of everything that is wrong."""
    with pytest.raises(Rejected) as caught:
        reading.parse(source(text), name)
    return [place(d) for d in caught.value.diagnostics]


def place(d: Diagnostic) -> tuple[int, int, str]:
    assert d.span is not None
    assert d.title
    assert d.label
    d.note, d.help  # noqa: B018  # every field has its value
    return d.span.line, d.span.column, d.code.slug


def refusal(text: str, name: str | None = None) -> Diagnostic:
    """The one thing that is wrong."""
    with pytest.raises(Rejected) as caught:
        reading.parse(source(text), name)
    (only,) = caught.value.diagnostics
    return only


def tokens(text: str, defines: Mapping[str, str] | None = None, includes: Sequence[Path] = ()) -> str:
    """The text after preprocessing, a space between tokens."""
    return " ".join(t.value for t in preprocess(source(text), defines, includes).tokens)


def unit(text: str) -> Preprocessed:
    return preprocess(source(text))


def nodes(root: Any, kind: type) -> list[Any]:
    """Every node of a class, in order."""
    found = [root] if isinstance(root, kind) else []
    for _, child in root.children():
        found += nodes(child, kind)
    return found


def shape(node: Any) -> str:
    """A tree as one line: `Cast(float, ID i)`."""
    match node:
        case c_ast.ID():
            return str(node.name)
        case c_ast.Constant():
            return str(node.value)
        case c_ast.IdentifierType():
            return " ".join(node.names)
        case c_ast.TypeDecl():
            return shape(node.type)
        case c_ast.BinaryOp() | c_ast.UnaryOp() | c_ast.Assignment():
            return f"({' '.join([node.op, *(shape(c) for _, c in node.children())])})"
        case _:
            return f"{type(node).__name__}({', '.join(shape(c) for _, c in node.children())})"
