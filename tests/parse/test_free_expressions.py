"""Single expressions over given symbols, as rules and options have them."""

from __future__ import annotations

import pytest

from s2sad import ir, irtext, parse
from s2sad.diagnostics import Rejected
from s2sad.ir import DOUBLE, FLOAT, INT, Const, Sym

NAMES = {
    "x": Sym("x", FLOAT),
    "y": Sym("y", DOUBLE),
    "n": Sym("n", INT),
    "p": Sym("p", ir.Pointer(FLOAT)),
}


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("x * x", "x * x"),
        ("y * pow(x, y - 1)", "y * pow(<double>x, y - <double>1)"),
        ("x >= y ? 1 : 0", "<double>x >= y ? 1 : 0"),
        ("(n + 63) / 64", "(n + 63) / 64"),
        ("p[n + 1]", "p[n + 1]"),
        ("-cosf(x)", "-cosf(x)"),
        ("(float)n", "(float)n"),
        ("n == 0 && x > 0", "n == 0 && x > <float>0"),
        ("sizeof(float) * n", "sizeof(float) * <size_t>n"),
    ],
)
def test_an_expression_is_typed(text: str, shown: str) -> None:
    assert irtext.show(parse.expression(text, NAMES)) == shown


def test_symbols_are_the_given_ones() -> None:
    assert parse.expression("x", NAMES) == ir.Place(NAMES["x"], (), FLOAT)
    assert parse.expression("2.0f", NAMES) == Const(2.0, FLOAT)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("x +", "syntax-error"),
        ("", "syntax-error"),
        ("x; x", "syntax-error"),
        ("x; } void g(void) { return", "syntax-error"),
        ("z * x", "unknown-name"),
        ("foo(x)", "unknown-function"),
        ("n = 3", "syntax-error"),
        ("n++", "syntax-error"),
        ("x % 2", "type-error"),
    ],
)
def test_what_is_no_value_is_refused(text: str, code: str) -> None:
    with pytest.raises(Rejected) as caught:
        parse.expression(text, NAMES)
    assert caught.value.diagnostics[0].code.slug == code


def test_a_chain_of_two_thousand_terms_is_read() -> None:
    expr = parse.expression(" + ".join(["x"] * 2000), NAMES)
    assert sum(1 for _ in ir.walk(expr)) == 3999
