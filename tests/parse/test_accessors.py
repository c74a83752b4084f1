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


def test_what_a_method_does_before_it_returns_a_reference_comes_first() -> None:
    assert lowered("V v;\nv.counted(i) = a;", before=BEFORE).endswith("v.reads += 1;\nv.d[i] = a;")
    once = lowered("V v;\nv.at(m[i], j) = a;", before=BEFORE)  # what is mentioned twice is evaluated once
    assert once.count("m[i]") == 1


def test_a_method_that_returns_a_value_names_no_place() -> None:
    assert "type-error" in str(refusals("V v;\nv.value(i) = a;", before=BEFORE))


ROWS = """\
struct R {
    float m[3][4];
    float f[12];
    __device__ float *operator[](int r) { return m[r]; }
    __device__ float *flat(int r) { return f + 4 * r; }
    __device__ float *from(unsigned r) { return &f[r]; }
    __device__ float *begin() { return &f[0]; }
};
"""


def test_an_element_of_a_returned_row_is_a_place() -> None:
    text = lowered("R r;\nr[i][j + 1] = a;\nr.flat(i)[j] = r.begin()[2];\n*r.flat(1) = *r[i];", before=ROWS)
    assert text.endswith("r.m[i][j + 1] = a;\nr.f[4 * i + j] = r.f[2];\nr.f[4 * 1] = r.m[i][0];")


def test_an_index_behind_a_row_is_added_only_to_one_of_its_type() -> None:
    for body in ("r.from(u)[i] = a;", "r.flat(i)[u] = a;"):
        assert "not-supported" in str(refusals(f"R r;\n{body}", before=ROWS))


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
    ("call", "shown"),
    [
        ("M::odd(x, i + 1)", "x[(i + 1) * (i + 1)]"),
        ("M::at(x, i++, 1)", "x[<long long>(i * 3) + (long long)1]"),
        ("M::at(x + 1, i, 1)", "x[1 + (<long long>(i * 3) + (long long)1)]"),
    ],
)
def test_an_argument_stands_where_its_parameter_does(call: str, shown: str) -> None:
    assert f"{shown} = a;" in lowered(f"{call} = a;", before=STATIC)


def test_a_name_of_the_file_isnt_a_local_one_of_the_caller() -> None:
    text = lowered("{ int j = 2; M::named(x, i) = a; }", before=STATIC)
    assert "x[i * j] = a;" not in text


def test_a_function_beside_classes_says_which_element_is_meant() -> None:
    before = """\
__constant__ int wide = 3;
template <typename T> __device__ T &at(T *p, int r, int c) { int k = r * wide + c; return p[k]; }
__device__ float &first(float *p) { return *p; }
__device__ float &itself(float &p) { return p; }
__device__ float &chosen(float &a, float &b, bool c) { return c ? a : b; }
"""
    text = lowered("at(x, i, 2) *= a;\nfirst(x) = a;\nitself(x[i]) = a;", before=before)
    assert text == "x[i * wide + 2] *= a;\nx[0] = a;\nx[i] = a;"
    text = lowered("float r = a, v = a;\nchosen(r, v, i > 2) = 1.0f;", before=before)
    assert "if (i > 2) { r = 1.0f; } else { v = 1.0f; }" in " ".join(text.split())


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
