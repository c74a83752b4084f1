"""Pointers into one of two arrays: a flag, and two pointers."""

from __future__ import annotations

import pytest
from lowering_kit import lowered, refusals

Y = "float y[64];\n"

CASES = [
    (
        "const float *p = n > 1 ? c : x;\na = p[i] + *p;",
        "const bool p_in_c = n > 1;\na = (p_in_c ? c[i] : x[i]) + (p_in_c ? c[0] : x[0]);",
    ),
    (
        "float *p;\nif (n) p = x + i; else { b = a; p = y; }\np[1] += b;\np++;\n*p = a;",
        "const bool p_in_x = <bool>n;\nif (p_in_x) {\n} else {\n    b = a;\n}\nif (p_in_x) {\n"
        "    x[i + 1] += b;\n} else {\n    y[1] += b;\n}\nif (p_in_x) {\n    x[i + 1] = a;\n",
    ),
    (
        "float *p = x, *q;\np[i] = a;\nif (n > 2) { p = y; q = x; } else q = y;\np[i] = q[i];",
        "x[i] = a;\nconst bool p_in_y = n > 2;\nif (p_in_y) {\n}\nif (p_in_y) {\n    y[i] = x[i];\n"
        "} else {\n    x[i] = y[i];\n}",
    ),
    (
        "const float *p = n > 1 ? c : x;\nfor (int k = 0; k < n; ++k, ++p)\n    a += *p;",
        "    a += p_in_c ? c[p_c_at] : x[p_x_at];\n    p_c_at += 1;\n    p_x_at += 1;\n",
    ),
    (
        "float *p;\nif (n > 1) { j = j + 1; p = x + j; } else p = y + j;\np[0] = a;",
        "if (p_in_x) {\n    j = j + 1;\n    p_x_at = <long>j;\n} else {\n    p_y_at = <long>j;\n}\n",
    ),
]


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_such_a_pointer_is_two_pointers_and_a_flag(text: str, expected: str) -> None:
    found = lowered(Y + text)
    assert expected in found


REFUSED = [
    "float *p = x;\nfor (int k = 0; k < n; ++k) { p[k] = a; p = n > k ? x : y; }",
    "float *p = x;\nif (n > 1) { a = p[0]; p = y; }\np[0] = a;",
    "float *p = x;\nif (n > 1) p = y + (p - x);\np[0] = a;",
    "float *p = x;\nif (n > 1) { if (n > 2) p = y; }\np[0] = a;",
    "float *p = x;\nif (n > 1) p = y;\nif (n > 2) p = x;\np[0] = a;",
    "float *p = n > 1 ? x : y;\n{ float *p = x; p[0] = a; }\np[0] = a;",
    "const float *p = n > 1 ? c : x;\nfloat t = *p++;",
]


@pytest.mark.parametrize("text", REFUSED)
def test_any_other_is_refused_as_before(text: str) -> None:
    assert any(code == "points-to-two" for code, *_ in refusals(Y + text))
