"""Functions that find an element or nothing: calls of them are a test, and a place behind it."""

from __future__ import annotations

import pytest
from lowering_kit import lowered, refusals

BEFORE = """\
__device__ int ok(int i, int n) { return i < n; }
__device__ float *at(float *p, int i, int n) { return ok(i, n) ? &p[2 * i] : nullptr; }
__device__ float *far(float *p, long long i, int n) { if (i < 0) return 0; return p + i; }
__device__ float *counted(float *p, int *m, int n) { return m[0]++ < n ? p : 0; }
"""

CASES = [
    (
        "float *p;\nif ((p = at(x, i + 1, n)))\n    a = *p;",
        "if (<bool>ok(i + 1, n)) {\n    a = x[2 * (i + 1)];\n}",
    ),
    (
        "float *p = at(x, i, n);\nif (p != nullptr && n > 3) { a = *p; } else a = b;",
        "if (<bool>ok(i, n) && n > 3) {\n    a = x[2 * i];\n} else {\n    a = b;\n}",
    ),
    (
        "float *p;\np = far(x, i, n);\nif (p) *p = a;",
        "if (!((long long)i < <long long>0)) {\n    x[(long long)i] = a;\n}",
    ),
    (
        "float *p;\nif ((p = at(x, i, n))) {\n    ++i;\n    a = *p;\n}",
        "if (<bool>ok(i, n)) {\n    const int p_at = 2 * i;\n    i += 1;\n    a = x[p_at];\n}",
    ),
    (
        "float *p, *q;\nif ((p = at(x, i, n)) && (q = at(x, j, n))) *p = *q;",
        "if (<bool>ok(i, n) && <bool>ok(j, n)) {\n",
    ),
    (
        "float *p;\n{ float *p = x; a = *p; }\nif (n && (p = at(x, i, n))) a = *p;",
        "if (<bool>n && <bool>ok(i, n)) {\n",
    ),
]


@pytest.mark.parametrize(("body", "expected"), CASES)
def test_the_pointer_is_one_of_the_branch_where_it_was_tested(body: str, expected: str) -> None:
    text = lowered(body, before=BEFORE)
    assert expected in text, text


REFUSED = [
    "float *p;\nif ((p = at(x, i, n)))\n    a = *p;\na += *p;",  # it may be nothing here
    "float *p;\nif ((p = at(x, i, n))) a = *p; else a = p[1];",
    "float *p;\nif ((p = at(x, i, n)) || n) a = *p;",
    "float *p;\nif (!(p = at(x, i, n))) a = *p;",
    "float *p;\nif ((p = at(x, i, n)) && *p > 0.0f) a = b;",
    "float *p;\nif ((p = at(x, i, n)) && i++ < n) a = *p;",  # it was found with another i
    "float *p;\nif ((p = at(x, i++, n))) a = *p;",
    "float *p;\nif ((p = counted(x, m, n))) a = *p;",
    "float *p;\nif ((p = at(x, i, n))) { a = *p; p = x; b = *p; }",
    "float *p = x;\nif ((p = at(x, i, n))) a = *p;",
    "float *p;\nwhile ((p = at(x, i, n))) { a = *p; ++i; }",
    "float *p = at(x, i, n);\n++i;\nif (p) a = *p;",
    "float *p;\nfloat ok = a;\nif ((p = at(x, i, n))) a = ok * *p;",  # another `ok`
    "float *p;\nif ((p = at(x + 1, i, n))) a = *p;",
    "float *p = at(x, i, n);\na = *p;",
]


@pytest.mark.parametrize("body", REFUSED)
def test_any_other_is_refused_as_before(body: str) -> None:
    assert "pointer-parameter" in {code for code, *_ in refusals(body, before=BEFORE)}
