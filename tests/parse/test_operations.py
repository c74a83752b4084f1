"""Operations that a file writes out: by what they do, and not by their names."""

from __future__ import annotations

import pytest
from front import unit

from s2sad.parse.source import reduction_operators

SHAPE = """struct Max {{
    template <{given}> __device__ {result} operator()({params}) const {{ return {value}; }}
}};"""
PLAIN = {"given": "typename T", "result": "T", "params": "const T &a, const T &b", "value": "a > b ? a : b"}
COMMON = {
    "given": "typename T, typename U",
    "result": "typename std::common_type<T, U>::type",
    "params": "T &&a, U &&b",
    "value": "((a) > (b)) ? (a) : (b)",
}


def found(**parts: str) -> dict[str, str]:
    return reduction_operators.own(unit(SHAPE.format(**(PLAIN | parts))).tokens)


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        (PLAIN, "max"),
        (COMMON, "max"),
        ({"value": "a < b ? b : a"}, "max"),
        ({"value": "a < b ? a : b"}, "min"),
        ({"value": "(b >= a) ? a : b"}, "min"),
        ({"value": "a + b"}, "sum"),
        ({"value": "a > b ? a : a"}, ""),
        ({"value": "a > (b ? a : b)"}, ""),
        ({"value": "a - b"}, ""),
        ({"value": "a + b + 1"}, ""),
        ({"value": "a + c"}, ""),
        ({"result": "int"}, ""),
        ({"params": "int a, int b"}, ""),
        ({"params": "const T &a, int b"}, ""),
        ({"params": "T a, T b, T c"}, ""),
        ({"given": "int T"}, ""),
    ],
)
def test_what_an_operation_does_is_read_from_its_body(parts: dict[str, str], said: str) -> None:
    assert found(**parts) == {"Max": said}


def test_names_that_the_file_does_not_declare_are_the_library_s() -> None:
    assert reduction_operators.own(unit("using cub::Sum; float f(float x);").tokens) == {}
    assert reduction_operators.own(unit("struct Sum; struct Max { float v; };").tokens) == {
        "Max": "",
        "Sum": "",
    }


PAIR = "struct Pair { float x, y; int n; };"
SUMS = "{a.x + b.x, a.y + b.y, a.n + b.n}"
JOIN = "struct Join {{ __device__ Pair operator()(const Pair &a, const Pair &b) const {{ return {}; }} }};"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (PAIR + JOIN.format("{a.x + b.x, a.y * b.y, b.n + a.n}"), True),
        (PAIR + JOIN.format("Pair{a.x + b.x, a.y * b.y, a.n + b.n}"), True),
        ("struct Pair { float x; float y; int n; };" + JOIN.format(SUMS), True),
        (PAIR + JOIN.format("{a.x + b.x, a.y * b.y}"), False),
        (PAIR + JOIN.format("{a.y + b.y, a.x + b.x, a.n + b.n}"), False),
        (PAIR + JOIN.format("{a.x + b.y, a.y + b.y, a.n + b.n}"), False),
        (PAIR + JOIN.format("{a.x - b.x, a.y + b.y, a.n + b.n}"), False),
        (PAIR + JOIN.format("{a.x + a.x, a.y + b.y, a.n + b.n}"), False),
        (PAIR + JOIN.format("{a.x + 0.5f * b.x, a.y + b.y, a.n + b.n}"), False),
        (PAIR + JOIN.format("Other{a.x + b.x, a.y + b.y, a.n + b.n}"), False),
        ("struct Pair { Big x, y; int n; };" + JOIN.format(SUMS), False),
        ("struct Pair { float x, y; int n; Pair(); };" + JOIN.format(SUMS), False),
        (PAIR + PAIR + JOIN.format(SUMS), False),
        (PAIR + "struct Join;" + JOIN.format(SUMS), False),
    ],
)
def test_fields_that_are_added_or_multiplied_apart_may_be_joined_in_any_order(text: str, said: bool) -> None:
    assert reduction_operators.by_field(unit(text).tokens, "Join") is said
