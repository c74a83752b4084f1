"""Methods that return references to parts of their object: calls of them are places."""

from __future__ import annotations

import pytest
from lowering_kit import lowered, refusals

BEFORE = """\
struct V {
    float d[3];
    int reads;
    __device__ float &operator[](int k) { return d[k]; }
    __device__ const float &operator[](int k) const { return d[k]; }
    __device__ float &at(int r, int c) { return d[2 * r + c - r * c]; }
    __device__ float &counted(int k) { ++reads; return d[k]; }
    __device__ float value(int k) const { return d[k]; }
};
struct W { V row[2]; __device__ V &operator()(unsigned r) { return row[r]; } };
"""

CASES = [
    ("V v;\nv[i] = a;\nv[0] += v[1];", "v.d[i] = a;\nv.d[0] += v.d[1];"),
    ("V v;\nv.at(1, j) = a;", "v.d[2 * 1 + j - 1 * j] = a;"),
    ("W w;\nw(1)[j] = a;", "w.row.d[(unsigned int)1][j] = a;"),
    ("V v;\nfor (int q = 0; q < 3; ++q)\n    v[q] = v[2 - q];", "v.d[q] = v.d[2 - q];"),
]


@pytest.mark.parametrize(("body", "shown"), CASES)
def test_a_call_is_the_part_that_it_returns(body: str, shown: str) -> None:
    text = lowered(body, before=BEFORE)
    assert all(line in text for line in shown.split("\n")), text


@pytest.mark.parametrize(
    "body",
    [
        "V v;\nv.counted(i) = a;",  # does more
        "V v;\nv.value(i) = a;",  # returns a value
        "V v;\nv.at(m[i], j) = a;",  # what is mentioned twice would be evaluated twice
    ],
)
def test_any_other_method_names_no_place(body: str) -> None:
    assert "type-error" in str(refusals(body, before=BEFORE))


STATIC = """\
struct M {
    static __device__ float &at(float *p, int r, long long q) { return p[r * 3 + q]; }
    static __device__ float &odd(float *p, int r) { return p[r * r]; }
    static __device__ float &named(float *p, int r) { return p[r * j]; }
};
__constant__ int j = 3;
"""


def test_a_static_method_that_returns_an_element_of_an_array_is_it() -> None:
    text = lowered("M::at(x, i + 1, n) += a;\nM::odd(x, i) = M::at(x, 0, u);", before=STATIC)
    assert text == (
        "x[<long long>((i + 1) * 3) + (long long)n] += a;\nx[i * i] = x[<long long>(0 * 3) + (long long)u];"
    )


@pytest.mark.parametrize(
    "call", ["M::odd(x, i + 1)", "M::at(x, i++, n)", "M::at(x + 1, i, n)", "M::named(x, i)"]
)
def test_any_other_static_method_names_no_place(call: str) -> None:
    assert "type-error" in str(refusals(f"{call} = a;", before=STATIC))


PICKS = """\
struct P {
    float x, y, z;
    __device__ float &operator[](int k) { return k == 0 ? x : k == 1 ? y : z; }
};
struct R { P a, b; __device__ P &operator[](int r) { return r == 0 ? a : b; } };
__device__ R twice(R r) { r.a.x = 2.0f; return r; }
"""

PICKED = [
    ("P p;\np[1] = a;\np[0] += p[2];", "p.y = a;\np.x += p.z;"),
    ("P p;\na = p[i];", "i == 0 ? p.x : i == 1 ? p.y : p.z"),
    ("R r;\nr[1][2] = a;", "r.b.z = a;"),
    ("R r;\nr[i].y = a;", "if (i == 0) {\nr.a.y = a;\n} else {\nr.b.y = a;\n}"),
    ("R r;\na = r[i][0];", "i == 0 ? r.a.x : r.b.x"),
]


@pytest.mark.parametrize(("body", "shown"), PICKED)
def test_a_method_that_picks_a_field_is_that_field_or_a_choice(body: str, shown: str) -> None:
    text = "\n".join(line.strip() for line in lowered(body, before=PICKS).split("\n"))
    assert shown in text, text


def test_what_is_made_by_a_call_is_not_made_for_each_field() -> None:
    assert refusals("R r;\na = twice(r)[i].x;", before=PICKS)


def test_a_constructor_with_a_semicolon_behind_its_body_has_one() -> None:
    at = "struct At { int x, y; __device__ At(int r, int q) : x(r), y(q) { }; };\n"
    assert lowered("At at(i, j);", before=at) == "int at.x = i;\nint at.y = j;"
