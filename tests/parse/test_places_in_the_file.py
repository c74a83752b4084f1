"""Where statements and expressions stand: what an adjoint quotes and a message underlines."""

from __future__ import annotations

import pytest
from lowering_kit import program

from s2sad import ir

SPANS = [
    ("a = b;", "a = b;"),
    ("x[i]  =  a * b ;", "x[i]  =  a * b ;"),
    ("float q = a;", "float q = a;"),
    ("++n;", "++n;"),
    ("sincosf(a, &b, &a);", "sincosf(a, &b, &a);"),
    ("if (i < n) a = b;", "if (i < n)"),
    ("if (i < (n + 1)) a = b; else b = a;", "if (i < (n + 1))"),
    ("for (int k = 0; k < (n); ++k) a = b;", "for (int k = 0; k < (n); ++k)"),
    ("for (;;) break;", "for (;;)"),
    ("while (n > 0 /* ) */ ) --n;", "while (n > 0 /* ) */ )"),
    ("do { --n; } while (n > 0);", "while (n > 0)"),
    ("switch (n) { case 1: a = b; }", "switch (n)"),
    ("return;", "return;"),
    ("{ a = b; }", "{ a = b; }"),
    ("if ((a = b) > 0) b = a;", "a = b"),
    ("x[i++] = a;", "x[i++] = a;"),
    ("for (\n    int k = 0;\n    k < n; ++k)\n  a = b;", "for (\n    int k = 0;\n    k < n; ++k)"),
]


@pytest.mark.parametrize(("source", "text"), SPANS)
def test_a_statement_spans(source: str, text: str) -> None:
    stmt = program(source).kernel.body[0]
    span = getattr(stmt, "span", None)
    assert span is not None
    assert span.text == text


def test_every_statement_and_expression_has_a_place() -> None:
    body = (
        "for (int k = 0; k < n; ++k) { if (k > 2 && a > 0) x[k] += sinf(c[k]) * 2 - (float)k; else a = -b; }"
    )
    for stmt in ir.statements(program(body).kernel.body):
        assert getattr(stmt, "span", None) is not None
        for expr in _expressions(stmt):
            for part in ir.walk(expr):
                assert part.span is not None or isinstance(part, ir.Const), part


def _expressions(stmt: ir.Stmt) -> list[ir.Expr]:
    match stmt:
        case ir.Assign():
            return [stmt.target, stmt.value]
        case ir.Declare(init=init) if init is not None and not isinstance(init, ir.Initialiser):
            return [init]
        case ir.If() | ir.For() | ir.While():
            return [stmt.cond] if stmt.cond is not None else []
        case _:
            return []


def test_several_names_in_one_declaration_have_each_its_own_place() -> None:
    body = program("float p = a, q = b;").kernel.body
    assert [s.span.text for s in body if isinstance(s, ir.Declare) and s.span] == ["float p = a", "q = b;"]


def test_an_increment_keeps_its_spelling() -> None:
    body = program("++n;\nn++;\n--d[i];").kernel.body
    assert [s.spelling for s in body if isinstance(s, ir.Assign)] == ["++n", "n++", "--d[i]"]


def test_a_case_spans_its_labels() -> None:
    switch = program("switch (n) { case 1: case 2: a = b; break; default: ; }").kernel.body[0]
    assert isinstance(switch, ir.Switch)
    assert [c.span.text for c in switch.cases if c.span] == ["case 1: case 2:", "default:"]


def test_a_macro_is_kept_where_it_is_a_value() -> None:
    before = "#define STEPS 8\n#define HALF (0.5f)\n#define TWICE (2 * STEPS)\n"
    body = program("a = HALF * STEPS;\nfloat q[TWICE];\nn = TWICE;", before=before).kernel.body
    first, array, last = body
    assert isinstance(first, ir.Assign)
    assert isinstance(first.value, ir.Binary)
    assert (first.value.left.spelling, first.value.left.macro) == ("HALF", "HALF")
    assert isinstance(array, ir.Declare)
    assert isinstance(array.sym.type, ir.Array)
    assert (array.sym.type.extents, array.sym.type.spelled) == ((16,), ("TWICE",))
    assert isinstance(last, ir.Assign)
    assert (last.value.spelling, last.value.macro) == ("TWICE", "TWICE")


def test_a_function_spans_its_name() -> None:
    kernel = program("a = b;").kernel
    assert kernel.span is not None
    assert (kernel.span.text, kernel.span.line) == ("k", 1)
