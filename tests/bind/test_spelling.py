"""Expressions in Python have the values that they have in C."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from s2sad.bind.spelling import Names, cpp, divides, python
from s2sad.validate.expressions import PRECEDENCE, ExpressionError, parse, quotient

NAMES = Names({}, {})
LEAVES = st.sampled_from(["n", "m", "0", "1", "3", "255"])
OPERATORS = st.sampled_from([*PRECEDENCE])
EXPRESSIONS = st.recursive(
    LEAVES,
    lambda inner: (
        st.tuples(inner, OPERATORS, inner).map(" ".join)
        | st.tuples(inner, OPERATORS, inner).map(lambda parts: f"({' '.join(parts)})")
        | st.tuples(st.sampled_from("-~!"), inner).map(lambda parts: f"{parts[0]}({parts[1]})")
        | st.tuples(inner, inner, inner).map(lambda parts: f"({parts[0]} ? {parts[1]} : {parts[2]})")
    ),
    max_leaves=12,
)


def remainder(a: int, b: int) -> int:
    return a - b * quotient(a, b)


@settings(max_examples=400, deadline=None)
@given(EXPRESSIONS, st.sampled_from([0, 1, 5, 300]), st.sampled_from([0, 2, 9]))
def test_python_computes_what_c_computes(text: str, n: int, m: int) -> None:
    if len(text) > 390:
        return
    expression = parse(text)
    try:
        value = expression.value({"n": n, "m": m})
    except ExpressionError:
        return
    spelled = python(expression.tree, NAMES)
    functions = {"quotient": quotient, "remainder": remainder}
    assert int(eval(spelled, functions, {"n": n, "m": m})) == value, spelled


def test_a_rounded_up_quotient_needs_no_helper() -> None:
    assert python(parse("(n + 256 - 1) / 256").tree, NAMES) == "(n + 256 - 1) // 256"
    assert python(parse("1 + (n - 1) / 256").tree, NAMES) == "1 + quotient(n - 1, 256)"
    assert divides(parse("(n - 1) / 256").tree)
    assert not divides(parse("(n + 255) / 256").tree)


def test_names_are_spelled_for_the_target() -> None:
    tree = parse("(x.size + 255) / 256 * (1 + n)").tree
    assert python(tree, Names({"x.size": "x.numel()"}, {})) == "(x.numel() + 255) // 256 * (1 + n)"
    assert cpp(tree, Names({"x.size": "x_size"}, {})) == "(x_size + 255) / 256 * (1 + n)"
