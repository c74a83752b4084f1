"""A union of a number and its bits: what is read and written by each name, and what is refused."""

from __future__ import annotations

import pytest

from s2sad import irtext, parse
from s2sad.diagnostics import Rejected
from s2sad.source import Source

UNION = "union B { float f; unsigned u; int s; };"


def shown(body: str, before: str = UNION, parameters: str = "") -> str:
    text = f"{before}\n__global__ void k(const float *x, float *y{parameters})\n{{\n    {body}\n}}\n"
    return irtext.show(parse.program(Source("k.cu", text)).kernel)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("B b; b.f = x[0]; y[0] = b.u >> 31;", "__float_as_uint(b.f) >> 31"),
        ("B b; b.f = x[0]; y[0] = b.s;", "__float_as_int(b.f)"),
        ("B b; b.u = 5u; y[0] = b.f;", "b.f = __uint_as_float(5u)"),
        ("B b; b.f = 1.0f; b.u |= 1u; y[0] = b.f;", "b.f = __uint_as_float(__float_as_uint(b.f) | 1u)"),
        ("B b[2]; b[1].s = -3; y[0] = b[1].f;", "b[1].f = __int_as_float(-3)"),
        ("B b = {x[0]}, c = b; y[0] = c.u & 1u;", "__float_as_uint(c.f) & 1u"),
        ("__shared__ B b[32]; b[3].u = 1u; y[0] = b[3].f;", "b[3].f = __uint_as_float(1u)"),
    ],
)
def test_bits_are_a_call_that_reads_or_makes_the_number(body: str, expected: str) -> None:
    assert expected in shown(body)


@pytest.mark.parametrize(
    ("body", "before", "parameters"),
    [
        ("B b; b.u = 1u; b.u++; y[0] = b.f;", UNION, ""),
        ("B b; y[0] = (b.u = 1u);", UNION, ""),
        ("B b; b.u = x[0]; y[0] = b.f;", UNION, ""),
        ("B b; int i = 0; b.u = i++; y[0] = b.f;", UNION, ""),
        ("B b; int *p = &b.s; *p = 1; y[0] = b.f;", UNION, ""),
        ("B b; b.f = x[0]; y[0] = BITS;", f"{UNION}\n#define BITS b.u", ""),
        ("y[0] = b->f;", UNION, ", const B *b"),
        ("y[0] = b.f;", UNION, ", B b"),
        ("S s; s.b.f = x[0]; y[0] = s.b.f;", f"{UNION} struct S {{ B b; float c; }};", ""),
        ("B b; b.f = x[0]; y[0] = b.f;", "union B { unsigned u; float f; };", ""),
        ("B b; b.f = x[0]; y[0] = b.f;", "union B { float f; unsigned short u; };", ""),
        ("B b; b.f = x[0]; y[0] = b.f;", "union B { float f; unsigned char bytes[4]; };", ""),
        ("B b; b.f = x[0]; y[0] = b.f;", "union B { float f; double u; };", ""),
        ("B b; b.f = x[0]; y[0] = b.f;", "union B { float f; };", ""),
        ("union { float f; short s[2]; } b; b.f = x[0]; y[0] = b.s[1];", "", ""),
    ],
)
def test_what_would_need_their_place_or_another_layout_is_refused(
    body: str, before: str, parameters: str
) -> None:
    with pytest.raises(Rejected) as caught:
        shown(body, before, parameters)
    assert "union" in {d.code.slug for d in caught.value.diagnostics}


def test_two_functions_may_mean_different_bits_by_one_name() -> None:
    before = """
__device__ float g(float x) { union B { float f; int i; } b; b.f = x; return b.i >> 31 ? x : -x; }"""
    body = "union B { float f; unsigned i; } b; b.f = x[0]; y[0] = g(x[1]) + (b.i >> 31);"
    text = shown(body, before)
    assert "__float_as_uint(" in text
