"""Pointers that are null or not, `float *p = c ? x + k : nullptr`: asked for later, and made into others."""

from __future__ import annotations

import pytest

from s2sad.diagnostics import Rejected
from s2sad.options import Options
from s2sad.pipeline import transform
from s2sad.source import Source

KERNEL = """
struct View { const float *at; int n; };
struct Pair { float a, b; };
__device__ float through(View v) { return v.at ? v.at[0] : 1.0f; }
__device__ Pair apart(const float *p) { Pair r; r.a = p ? p[0] : 1.0f; r.b = 2.0f; return r; }
__device__ Pair again(const float *p) { const float *q = p; Pair r; r.b = 2; r.a = q ? q[0] : 1; return r; }
__global__ void kernel(const float *x, const float *b, const int *s, float *y, int k, int use)
{
    const float *p = %s;
    int i = threadIdx.x;
    float v = x[i];
    %s
    y[i] = v;
}
"""
USE = "use > 2 ? b + k : nullptr"


def made(init: str, body: str) -> str:
    options = Options(kernel="kernel", of=("y",), wrt=("x", "b"))
    try:
        return transform(Source("kernel.cu", KERNEL % (init, body)), options).text
    except Rejected as rejected:
        return ", ".join(dict.fromkeys(d.code.slug for d in rejected.diagnostics))


@pytest.mark.parametrize(
    ("init", "body", "said"),
    [
        (USE, "if (p) v *= p[1];", "if (has_p)"),
        ("use > 2 ? nullptr : b", "if (p != nullptr) v *= p[1];", "if (!no_p)"),
        ("b == nullptr ? nullptr : b + k", "if (p) v *= p[1];", "if (b != nullptr)"),
        ("b ? b + k : nullptr", "if (!p) v *= 2.0f; else v *= p[1];", "if (b == nullptr)"),
        (USE, "const float *q = p; if (q) v *= q[1];", "if (has_p)"),
        (USE, "const float *q = p + 1; if (q) v *= q[1];", "if (has_p)"),
        (USE, "Pair r = apart(p); v *= r.a;", "has_p ?"),
        (USE, "Pair r = again(p); v *= r.a;", "has_p ?"),
    ],
)
def test_whether_a_pointer_is_there_is_known_where_it_is_asked(init: str, body: str, said: str) -> None:
    assert said in made(init, body)


@pytest.mark.parametrize(
    ("init", "body"),
    [
        (USE, "const float *q = use ? p : x; if (q) v *= q[1];"),
        (USE, "const float *q = x; q = p; if (q) v *= q[1];"),
        (USE, "p = x; if (p) v *= p[1];"),
        (USE, "++p; if (p) v *= p[1];"),
        (USE, "p += 2; if (p) v *= p[1];"),
        (USE, "View w = {p, 2}; v *= through(w);"),
        ("use > 2 ? b + s[k] : nullptr", "if (p) v *= p[1];"),
    ],
)
def test_elsewhere_it_is_refused(init: str, body: str) -> None:
    codes = {"not-supported", "pointer-arithmetic", "pointer-to-element", "pointer-value", "points-to-two"}
    assert made(init, body) in codes
