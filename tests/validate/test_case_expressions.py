"""Sizes in case files have C's arithmetic."""

from __future__ import annotations

import pytest

from s2sad.validate.expressions import ExpressionError, parse

NAMES = {"n": 150, "m": -7, "block": 64, "block.x": 32}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("(n + 63) / 64", 3),
        ("m / 2", -3),
        ("m % 2", -1),
        ("7 % -2", 1),
        ("1 + 2 * 3", 7),
        ("10 - 4 - 3", 3),
        ("2 << 3 + 1", 32),
        ("1 | 2 ^ 3 & 6", 1 | (2 ^ (3 & 6))),
        ("n > 100 ? n : 100", 150),
        ("n == 0 || n / 2 > 3", 1),
        ("n == 150 || 1 / 0", 1),
        ("n < 150 && 1 / 0", 0),
        ("n ? 5 : 1 / 0", 5),
        ("0x10 + 010 + 10u", 16 + 8 + 10),
        ("-n + +1 - -1", -148),
        ("!n + ~0", -1),
        ("2 * block * sizeof(float)", 512),
        ("sizeof(unsigned int)", 4),
        ("sizeof(half)", 2),
        ("block.x", 32),
    ],
)
def test_an_expression_has_the_value_that_c_gives_it(text: str, value: int) -> None:
    assert parse(text).value(NAMES) == value


def test_sizeof_float_follows_when_float_is_double() -> None:
    expression = parse("3 * sizeof(float)")
    assert expression.sized
    assert expression.value({}, "double") == 24


def test_an_expression_knows_its_names() -> None:
    assert parse("n * m + n").names == ("n", "m")


@pytest.mark.parametrize(
    ("text", "message", "start"),
    [
        ("n +", "found 'the end'", 3),
        ("(n", "expected ')'", 2),
        ("n 63", "unexpected '63'", 2),
        ("n / (block - 64)", "division by zero", 2),
        ("k + 1", "'k' is not an integer argument", 0),
        ("n + 1.5", "only integers", 4),
        ("n + 1e3", "only integers", 4),
        ("n # 2", "'#' is not part", 2),
        ("", "found 'the end'", 0),
        ("n << 64", "cannot shift", 2),
        ("1 << 62 << 3", "does not fit 64 bits", 8),
        ("sizeof(half2)", "size of 'half2'", 0),
        ("089", "octal", 0),
        ("n = 3", "'=' is not part", 2),
    ],
)
def test_a_wrong_expression_says_what_and_where(text: str, message: str, start: int) -> None:
    with pytest.raises(ExpressionError, match=message.replace("(", r"\(").replace(")", r"\)")) as caught:
        parse(text).value(NAMES)
    assert caught.value.start == start


@pytest.mark.parametrize("text", ["(" * 300 + "n", "-" * 300 + "n", "n+" * 600 + "n"])
def test_an_absurd_expression_is_refused_and_not_a_crash(text: str) -> None:
    with pytest.raises(ExpressionError):
        parse(text)
