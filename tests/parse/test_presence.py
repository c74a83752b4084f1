"""Whether a pointer is there: all that is known of it as a value."""

from __future__ import annotations

import pytest
from lowering_kit import lowered, refusals

CASES = [
    ("if (c) a = b;", "if (c != nullptr) {\n    a = b;\n}"),
    ("if (c == nullptr || !x) a = b;", "if (!c != nullptr || !x != nullptr) {\n    a = b;\n}"),
    ("const float *p = c;\nif (NULL != p) a = p[i];", "if (c != nullptr) {\n    a = c[i];\n}"),
    ("float own[4];\nif (own) a = b;", "float own[4];\nif (true) {\n    a = b;\n}"),
]


@pytest.mark.parametrize(("body", "shown"), CASES)
def test_a_pointer_is_there_or_not(body: str, shown: str) -> None:
    assert lowered(body) == shown


@pytest.mark.parametrize(
    "body",
    [
        "const float *p = c + n;\nif (p) a = b;",
        "const float *p = c;\np += n;\nif (p != nullptr) a = b;",
        "a = c > nullptr;",
    ],
)
def test_of_a_part_of_an_array_it_is_not_asked(body: str) -> None:
    assert "pointer-value" in [code for code, *_ in refusals(body)]


def test_a_number_in_shared_memory_is_no_array_that_is_there() -> None:
    before = "__shared__ int flag; flag = i; __syncthreads(); "
    for test, shown in (
        ("flag", "<bool>flag[0]"),
        ("flag == 0", "flag[0] == 0"),
        ("!flag", "!<bool>flag[0]"),
    ):
        assert f"if ({shown})" in lowered(f"{before}if ({test}) x[i] = a;")
