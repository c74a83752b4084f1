"""Enumerations, scoped or not, as fields of structs, as parameters and in classes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from gradient_kit import made, right

from s2sad.diagnostics import Code, Rejected
from s2sad.run.backend import Backend
from s2sad.run.isolated import Isolated

OF_FILE = "ENUM { A, B }; struct P { float v; Kind k; Kind both[2]; };"
KERNEL = """\
extern "C" __global__ void k(PARAMS const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    BODY
}
"""
CASE = """\
[launch]
grid = 2
block = 8
[args]
n = 13
x = { shape = "n", fill = "uniform(-1, 1)" }
y = { shape = "n", fill = "zeros" }
"""
WHICH = {
    "scoped": ("enum class Kind", "Kind::"),
    "of bytes": ("enum class Kind : unsigned char", "Kind::"),
    "plain": ("enum Kind", ""),
}
USES = {
    "compared": "P p{2.0f, i % 2 ? CA : CB}; y[i] = p.k == CA ? p.v * x[i] : x[i] * x[i];",
    "assigned": "P p; p.v = x[i]; p.k = CA; if (x[i] > 0.0f) p.k = CB; Kind own = p.k; P q = p; q.k = own;"
    " y[i] = q.k == CB ? q.v * q.v : 3.0f * q.v;",
    "in an array": "P p; p.both[0] = CA; p.both[1] = CB; y[i] = p.both[i % 2] == CA ? x[i] * x[i] : x[i];",
    "switched on": "P p; p.k = i % 2 ? CA : CB; switch (p.k) { case CA: y[i] = x[i] * x[i]; break;"
    " default: y[i] = 2.0f * x[i]; }",
    "recorded": "P p; p.k = CA; float s = 0.0f; for (int j = 0; j < 4; ++j) {"
    " s = p.k == CA ? s * s + x[i] : sinf(s); p.k = s > 0.3f ? CB : CA; } y[i] = s;",
}
IN_CLASS = """\
struct P {
    enum class Kind : unsigned char { A, B };
    enum { TIMES = 3 };
    enum Mode { X, Y } mode;
    float v;
    Kind k;
    __device__ float of(float a) const { return k == Kind::A && mode == Y ? a * TIMES : a * a; }
};
"""
OF_CLASS = (
    "P p; p.v = x[i]; p.k = i % 2 ? P::Kind::A : P::Kind::B; p.mode = P::Y;"
    " P::Kind own = P::Kind::B; y[i] = p.of(x[i]) + (p.k == own ? x[i] * P::TIMES : p.v);"
)


@pytest.fixture(scope="module")
def backend() -> Iterator[Backend]:
    with Isolated("cpu", timeout=60.0) as isolated:
        yield isolated


def text(head: str, body: str, params: str = "") -> str:
    return head + "\n" + KERNEL.replace("PARAMS", params).replace("BODY", body)


def of_file(which: str, body: str, params: str = "") -> str:
    declared, prefix = WHICH[which]
    for name in "AB":
        body = body.replace(f"C{name}", f"{prefix}{name}")
    return text(OF_FILE.replace("ENUM", declared), body, params)


@pytest.mark.parametrize("which", WHICH)
@pytest.mark.parametrize("use", USES)
def test_a_field_may_be_an_enumeration(use: str, which: str, backend: Backend) -> None:
    right(made(of_file(which, USES[use]), "y", "x"), CASE, backend)


@pytest.mark.parametrize("which", WHICH)
def test_a_parameter_may_be_one(which: str, backend: Backend) -> None:
    body = "y[i] = e == CA || each[i] == CB || p.k == CB ? p.v * x[i] * x[i] : x[i];"
    more = 'e = 1\np = { v = 0.5, k = 0, both = [0, 0] }\neach = { shape = "n", fill = "randint(0, 2)" }\n'
    done = made(of_file(which, body, "Kind e, const Kind *each, P p,"), "y", "x")
    right(done, CASE + more, backend)


def test_an_alias_of_one_is_one(backend: Backend) -> None:
    head = (
        "enum class Kind { A, B }; using Alias = Kind; typedef Alias Other; struct P { Other k; float v; };"
    )
    body = "P p; p.k = i % 2 ? Other::A : Kind::B; y[i] = p.k == Alias::A ? x[i] * x[i] : x[i];"
    right(made(text(head, body), "y", "x"), CASE, backend)


def test_a_class_may_have_its_own(backend: Backend) -> None:
    right(made(text(IN_CLASS, OF_CLASS), "y", "x"), CASE, backend)


@pytest.mark.parametrize("use", USES)
def test_a_companion_is_refused_where_the_file_has_no_integer(use: str) -> None:
    with pytest.raises(Rejected) as rejected:
        made(of_file("scoped", USES[use]), "y", "x", companion=True)
    assert rejected.value.diagnostics[0].code is Code.COMPANION
    assert "a field of an enumeration" in rejected.value.diagnostics[0].title


def test_a_companion_may_name_a_struct_whose_enumeration_it_leaves_alone() -> None:
    unused = "P p; p.v = x[i]; y[i] = p.v * p.v;"
    made(of_file("scoped", unused), "y", "x", companion=True)
