"""`float` read as `double`, token by token."""

from __future__ import annotations

import pytest

from s2sad.run.doubles import double_name
from s2sad.run.float_widening import to_double, tokens


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("const float *x", "const double *x"),
        ("1.0f + .5F + 2.f + 1e-3f + 1.5e+10f", "1.0 + .5 + 2. + 1e-3 + 1.5e+10"),
        ("0x1f + 0xFF + 15u + 1.0 + 3.0L + 1e5", "0x1f + 0xFF + 15u + 1.0 + 3.0L + 1e5"),
        ("0x1.8p3f", "0x1.8p3"),
        ("1'000.0f", "1'000.0"),
        ("floater float_t afloat", "floater float_t afloat"),
        ("// float 1.0f\n/* float */ float", "// float 1.0f\n/* float */ double"),
        ('"float 1.0f \\" float" float', '"float 1.0f \\" float" double'),
        ("'f' float", "'f' double"),
        ("#define HALF 0.5f\n#include <float.h>\n", "#define HALF 0.5\n#include <float.h>\n"),
        ("float4 v = make_float4(1.f, 2.f, 3.f, 4.f);", "double4 v = make_double4(1., 2., 3., 4.);"),
        ("sizeof(float) * (float)1", "sizeof(double) * (double)1"),
        ("x.f + v->f + a1f", "x.f + v->f + a1f"),
        ('R"(float)" float', 'R"(float)" double'),
        ('static_assert(sizeof(float) == 4, "(");\nfloat a;', "static_assert(true);\ndouble a;"),
        ("static_assert(f(1.0f)\n  > 0.0f); // x", "static_assert\n(true); // x"),
    ],
)
def test_only_types_and_literals_change(text: str, expected: str) -> None:
    assert to_double(text) == expected


def test_tokens_joined_are_the_text() -> None:
    text = 'a+++b; // x\n"s\\"t" \'\\\'\' 1e+5f /* */ #include <x>\n  # include "y" $ @ \\\n'
    assert "".join(token.text for token in tokens(text)) == text


@pytest.mark.parametrize(
    ("single", "double"),
    [
        ("sinf", "sin"),
        ("__expf", "exp"),
        ("rsqrtf", "rsqrt"),
        ("erff", "erf"),
        ("__fmaf_rn", "__fma_rn"),
        ("__fadd_rz", "__dadd_rz"),
        ("__float2int_rn", "__double2int_rn"),
        ("__int2float_rz", "__int2double_rn"),
        ("__ll2float_rz", "__ll2double_rz"),
        ("__fdividef", "s2sad_divide"),
        ("erf", "erf"),
        ("myf", "myf"),
    ],
)
def test_double_names(single: str, double: str) -> None:
    assert double_name(single) == double
