"""Operations that a file writes out: by what they do, and not by their names."""

from __future__ import annotations

import pytest
from front import unit

from s2sad.parse import operations

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
    return operations.own(unit(SHAPE.format(**(PLAIN | parts))).tokens, ("Max", "Sum"))


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
    assert operations.own(unit("using cub::Sum; float f(float x);").tokens, ("Max", "Sum")) == {}
    assert operations.own(unit("struct Sum; struct Max { float v; };").tokens, ("Max", "Sum")) == {
        "Max": "",
        "Sum": "",
    }
