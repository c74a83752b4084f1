"""The place, text and spelling of nodes."""

from __future__ import annotations

from typing import Any

import pytest
from front import kernel, nodes, parsed
from pycparser import c_ast

from s2sad.parse.syntax.translation_unit import Syntax

MACROS = """\
#define N 16
#define HALF 0.5f
#define NEG (-1)
#define TWICE (N * 2)
#define SQ(x) ((x) * (x))
#define SUM a + b
#define ALIAS N
"""


def value(expression: str) -> tuple[Syntax, Any]:
    """The right side of an assignment."""
    syntax = parsed(kernel(f"    y[0] =  {expression} ;", MACROS))
    return syntax, syntax.kernel.body.block_items[0].rvalue


@pytest.mark.parametrize(
    "expression",
    [
        "a", "1.5f", "a + b", "a + b * c", "a * b + c", "-a", "a++", "f(a, b)", "a[b][c]", "a . b",
        "n ? a : b", "(float) a", "float( a )", "static_cast<float>(a)", "sizeof (float)", "f(a)[b]",
        "N", "SQ(a + b)", "a\n        + b", "a /* c */ + b", "(a + b) * (c)", "!(a < b && b < c)",
    ],
)  # fmt: skip
def test_the_text_of_a_node_is_what_was_written(expression: str) -> None:
    syntax, node = value(expression)
    assert syntax.text(node) == expression
    assert syntax.span(node).text == expression


def test_parentheses_around_a_value_are_not_part_of_it() -> None:
    syntax, node = value("((a + b)) * (c)")
    assert [syntax.text(node), syntax.text(node.left), syntax.text(node.right)] == [
        "((a + b)) * (c)",
        "a + b",
        "c",
    ]


def test_every_operation_of_a_chain_has_its_place() -> None:
    syntax, node = value("a + b - c + d")
    assert [syntax.text(n) for n in nodes(node, c_ast.BinaryOp)] == ["a + b - c + d", "a + b - c", "a + b"]


@pytest.mark.parametrize(
    ("expression", "spelling"),
    [
        ("16", ("16", None)),
        ("0.25f", ("0.25f", None)),
        ("0x1p-3f", ("0x1p-3f", None)),
        ("true", ("true", None)),
        ("N", ("N", "N")),
        ("(N)", ("N", "N")),
        ("HALF", ("HALF", "HALF")),
        ("NEG", ("NEG", "NEG")),
        ("TWICE", ("TWICE", "TWICE")),
        ("ALIAS", ("ALIAS", "ALIAS")),
        ("SUM", ("SUM", "SUM")),
        ("SQ(2)", None),
        ("N + 1", None),
        ("a", None),
    ],
)
def test_a_value_is_spelled_as_it_was_written(
    expression: str, spelling: tuple[str, str | None] | None
) -> None:
    syntax, node = value(expression)
    assert syntax.spelling(node) == spelling


def test_a_part_of_a_macro_is_not_spelled_as_the_whole() -> None:
    syntax, node = value("SUM * c")
    assert syntax.spelling(node) is None
    assert [syntax.spelling(n) for n in (node.left, node.right, node.right.left)] == [None, None, None]
    syntax, node = value("NEG")
    assert syntax.spelling(node.expr) == ("1", None)


def test_a_macro_inside_an_argument_or_a_macro_is_spelled_by_its_own_name() -> None:
    syntax, node = value("SQ(N + 1)")
    assert [syntax.spelling(n.left) for n in (node.left, node.right)] == [("N", "N"), ("N", "N")]
    syntax, node = value("TWICE")
    assert syntax.spelling(node.left) == ("N", "N")


def test_declarations_have_places() -> None:
    syntax = parsed(kernel("    const float a = 1, *b, c[2] = {1, 2};\n    for (int i = 0, j = 1; ; ) ;"))
    decls = nodes(syntax.kernel.body, c_ast.Decl)
    assert [syntax.text(d) for d in decls] == [
        "const float a = 1",
        "*b",
        "c[2] = {1, 2}",
        "int i = 0",
        "j = 1",
    ]
    params = syntax.kernel.decl.type.args.params
    assert [syntax.text(p) for p in params] == ["const float *x", "float *y", "int n"]


@pytest.mark.parametrize(
    ("statement", "head"),
    [
        ("if (n > (1)) y[0] = 1; else y[0] = 2;", "if (n > (1))"),
        ("for (int i = 0; i < n; ++i) { }", "for (int i = 0; i < n; ++i)"),
        ("while (n) --n;", "while (n)"),
        ("switch (n) { case 1: break; }", "switch (n)"),
    ],
)
def test_statements_have_places_and_heads(statement: str, head: str) -> None:
    syntax = parsed(kernel("    " + statement))
    (node,) = syntax.kernel.body.block_items
    assert (syntax.text(node), syntax.head(node).text) == (statement, head)


def test_every_node_lies_inside_its_function() -> None:
    body = "    switch (n) { case N: default: y[SQ(N)] = TWICE; }\n    do { y[0] += NEG; } while (SUM > 0);"
    syntax = parsed(
        kernel(body, MACROS + "__device__ float a = 0, b;\n").replace("__device__ float a = 0, b;\n", "")
    )
    whole = syntax.span(syntax.kernel)
    for node in nodes(syntax.kernel, c_ast.Node):
        span = syntax.span(node)
        assert whole.start <= span.start < span.end <= whole.end, node


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("start", ["", "\ufeff", "\t", "/* \n */"])
def test_odd_formatting_changes_no_place(start: str, end: str) -> None:
    text = start + kernel("\ty[ 0 ]\t=\\\n  x [n]\n\n;").replace("\n", end).rstrip()
    syntax = parsed(text)
    (node,) = syntax.kernel.body.block_items
    assert syntax.text(node).replace("\r", "") == "y[ 0 ]\t=\\\n  x [n]"
    assert syntax.text(node.rvalue) == "x [n]"
