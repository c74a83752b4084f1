"""Whether a pointer is there: all that is known of it as a value."""

from __future__ import annotations

import pytest
from lowering_kit import lowered, refusals

CASES = [
    ("if (c) a = b;", "if (c != nullptr) {\n    a = b;\n}"),
    ("if (c == nullptr || !x) a = b;", "if (!c != nullptr || !x != nullptr) {\n    a = b;\n}"),
    ("const float *p = c;\nif (NULL != p) a = p[i];", "if (c != nullptr) {\n    a = c[i];\n}"),
    ("const float *p = c + n;\nif (p) a = b;", "if (c != nullptr) {\n    a = b;\n}"),
    ("float own[4];\nif (own) a = b;", "float own[4];\nif (true) {\n    a = b;\n}"),
]


@pytest.mark.parametrize(("body", "shown"), CASES)
def test_a_pointer_is_there_or_not(body: str, shown: str) -> None:
    assert lowered(body) == shown


def test_of_a_pointer_that_moves_it_is_that_of_where_it_began() -> None:
    assert "if (c != nullptr)" in lowered("const float *p = c;\np += n;\nif (p != nullptr) a = p[i];")


def test_pointers_are_in_no_order_with_null() -> None:
    assert "pointer-value" in [code for code, *_ in refusals("a = c > nullptr;")]


STRUCT = """struct V { float x, y; };
__device__ void put(V *v, V *w, float s) { if (v != nullptr) { v->x = s; } if (w) w->y = s; }
__device__ void pass(V *v, V *w, float s) { put(v, w, s); }
"""


@pytest.mark.parametrize(
    ("body", "shown"),
    [
        ("V own;\nput(&own, nullptr, a);", "if (true) {\n    own.x = a;\n}"),
        ("V own;\npass(nullptr, n > 1 ? &own : nullptr, a);", "if (has_w) {\n    own.y = a;\n}"),
    ],
)
def test_a_struct_that_is_passed_may_be_a_null_pointer(body: str, shown: str) -> None:
    assert shown in lowered(body, before=STRUCT)


def test_what_a_null_pointer_points_to_is_not_read() -> None:
    before = "struct V { float x; };\n__device__ float get(V *v) { return v->x; }\n"
    assert "pointer-value" in [code for code, *_ in refusals("a = get(nullptr);", before=before)]


def test_a_number_in_shared_memory_is_no_array_that_is_there() -> None:
    before = "__shared__ int flag; flag = i; __syncthreads(); "
    for test, shown in (
        ("flag", "<bool>flag[0]"),
        ("flag == 0", "flag[0] == 0"),
        ("!flag", "!<bool>flag[0]"),
    ):
        assert f"if ({shown})" in lowered(f"{before}if ({test}) x[i] = a;")
