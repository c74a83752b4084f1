"""Calls of device functions that take pointers and references: statements of their own."""

from __future__ import annotations

import pytest
from lowering_kit import lowered, refusals

BEFORE = """\
__device__ float dot(const float *u, const float *v, int n)
{
    float s = 0.0f;
    while (n-- > 0)
        s += *u++ * *v++;
    return s;
}
__device__ void turn(float &u, float &v) { float t = u; u = -v; v = t; }
__device__ float trace(const float (&m)[3][3]) { return m[0][0] + m[1][1] + m[2][2]; }
__device__ void fill(float m[][3], const float &w) { for (int r = 0; r < 3; ++r) m[r][r] = w; }
"""

CASES = [
    ("x[i] = dot(c, c + n, n);", "x[i] = dot(&c[0], &c[n], n);"),
    (
        "x[i] = a * dot(c + i * n, &c[j], 4);",
        "float dot_value = dot(&c[i * n], &c[j], 4);\nx[i] = a * dot_value;",
    ),
    (
        "if (n > 0 && dot(c, x, n) > a)\n    turn(a, x[i]);",
        "if (n > 0) {\n    float dot_value = dot(&c[0], &x[0], n);\n    if (dot_value > a) {\n"
        "        turn(&a, &x[i]);\n    }\n}",
    ),
    ("turn(x[m[i]], x[j]);", "const int x_at = m[i];\nturn(&x[x_at], &x[j]);"),
    (
        "float t[3][3];\nfill(t, a);\nfill(t, d[0]);\na = trace(t);",
        "float t[3][3];\nfill(&t[0], &a);\nfloat passed = <float>d[0];\nfill(&t[0], &passed);\n"
        "a = trace(&t[0]);",
    ),
    ("while (dot(c, x, n) > b)\n    b += 1.0f;", None),
]


@pytest.mark.parametrize(("body", "shown"), CASES)
def test_a_call_with_places_is_a_statement(body: str, shown: str | None) -> None:
    text = lowered(body, before=BEFORE)
    if shown is not None:
        assert text == shown


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("turn(a, c[0]);", "type-error"),
        ("turn(a, 1.0f);", "type-error"),
        ("a = dot(d, c, n);", "wrong-arguments"),
        ("a = trace(x);", "wrong-arguments"),
        ("turn(x[i], x[i++]);", "unsequenced-effects"),
        ("a = dot(n ? x : c, c, n);", "points-to-two"),
    ],
)
def test_places_that_do_not_fit_are_refused(body: str, code: str) -> None:
    assert [found for found, _, _ in refusals(body, before=BEFORE)] == [code]


def test_a_pointer_that_moves_does_not_change_what_it_points_to() -> None:
    body = "const float *p = x;\nfor (int k = 0; k < n; ++k)\n    a += x[i] * *p++;\n*(x + i) += a;"
    assert "a += x[i] * x[p_at];" in lowered(body)


def test_what_is_written_through_a_pointer_is_read_before_under_any_name() -> None:
    body = "float *p = x;\nx[j] = x[i] + (p[i] = a);"
    assert [code for code, _, _ in refusals(body)] == ["unsequenced-effects"]
    body = "float &r = a;\nx[j] = a + (r = 2.0f);"
    assert [code for code, _, _ in refusals(body)] == ["unsequenced-effects"]


@pytest.mark.parametrize(
    "body",
    [
        "float *p = (float *)c; p[0] = a;",
        "float *p; p = (float *)c; while (n--) ++p; *p += a;",
        "((float *)c)[i] = a;",
        "float *p = (float *)c; __stcs(p + 1, a);",
        "float *p = (float *)c; atomicAdd(p, a);",
        "float *p = (float *)c; sincosf(a, p, p + 1);",
        "*(float4 *)c = make_float4(a, a, a, a);",
    ],
)
def test_what_a_cast_takes_const_from_is_still_only_read(body: str) -> None:
    assert {code for code, *_ in refusals(body)} <= {"assignment-to-const", "wrong-arguments", "type-error"}
    assert refusals(body)


def test_an_array_of_structs_is_the_numbers_in_it_only_where_all_threads_share_it() -> None:
    body = "float4 rows[8]; float *flat = (float *)rows; flat[i] = a;"
    assert refusals(body)[0] == ("bit-reinterpretation", body.index("(float") + 1, "(float *)rows")
    assert refusals("__shared__ float4 rows[8]; float *flat = (float *)rows; flat[i] = rows[i].x;") == []
    mixed = "struct S { float a; int n; }; __shared__ S rows[8]; float *flat = (float *)rows; flat[i] = a;"
    assert refusals(mixed)[0][0] == "bit-reinterpretation"
