"""Which loops over `atomicCAS` are additions: one shape, whatever the names."""

from __future__ import annotations

from pathlib import Path

import pytest
from lowering_kit import lowered, refusals

import s2sad

PLAIN = """__device__ double plus(double *at, double v)
{
    unsigned long long *bits = (unsigned long long *)at;
    unsigned long long old = *bits, assumed;
    do {
        assumed = old;
        old = atomicCAS(bits, assumed, __double_as_longlong(v + __longlong_as_double(assumed)));
    } while (assumed != old);
    return __longlong_as_double(old);
}
"""
FLOATS = """__device__ void plus(float *at, float v)
{
    int *where = (int *)at;
    int was, old = __float_as_int(*at);
    do {
        was = old;
        old = atomicCAS((int *)at, was, __float_as_int(__int_as_float(was) + v));
    } while (old != was);
}
"""
ALIKE = [
    ("v + __longlong", "v * __longlong"),
    ("v + __longlong", "v - __longlong"),
    ("v + __longlong_as_double(assumed)", "fmax(v, __longlong_as_double(assumed))"),
    ("v + __longlong_as_double(assumed)", "v + __longlong_as_double(old)"),
    ("v + __longlong_as_double(assumed)", "v + v"),
    ("bits, assumed,", "bits, old,"),
    ("bits, assumed,", "bits + 1, assumed,"),
    ("assumed = old;", "assumed = old + 1;"),
    ("assumed != old", "assumed == old"),
    ("assumed != old", "__longlong_as_double(assumed) != __longlong_as_double(old)"),
    ("*)at;", "*)(at + 1);"),
    ("double v)", "double v, int n)"),
    ("return __", "v = 0; return __"),
]


def test_an_addition_by_a_loop_is_atomic_addition() -> None:
    assert lowered("plus(&d[i], d[j]);", before=PLAIN) == "atomicAdd(&d[i], d[j]);"
    assert lowered("plus(x + i, a);", before=FLOATS) == "atomicAdd(&x[i], a);"


def test_its_value_differs_from_run_to_run() -> None:
    assert [code for code, *_ in refusals("d[i] = plus(&d[j], a);", before=PLAIN)] == ["atomic-value"]


@pytest.mark.parametrize(("good", "other"), ALIKE)
def test_what_only_looks_like_it_is_refused(good: str, other: str) -> None:
    assert PLAIN.count(good) == 1
    call = "plus(&d[i], a, n);" if "int n" in other else "plus(&d[i], a);"
    assert {code for code, *_ in refusals(call, before=PLAIN.replace(good, other))} & {
        "atomic",
        "bit-reinterpretation",
    }


def test_other_overloads_of_its_name_are_what_they_are() -> None:
    before = PLAIN + "__device__ void plus(float *at, float v) { *at += v; }\n"
    text = lowered("plus(&d[i], d[j]); plus(&x[i], a);", before=before)
    assert text.startswith("atomicAdd(&d[i], d[j]);")
    assert text.count("atomicAdd") == 1


def test_its_adjoint_is_that_of_an_addition(tmp_path: Path) -> None:
    """No golden kernel: dual numbers have no bits, so that there are no exact tangents."""
    file = tmp_path / "summed.cu"
    file.write_text(
        PLAIN
        + "__global__ void summed(const double *x, const int *bin, double *sums, int n)\n"
        + "{\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        + "    if (i < n)\n        plus(&sums[bin[i]], x[i] * x[i]);\n}\n"
    )
    file.with_suffix(".toml").write_text(
        '[launch]\ngrid = "(n + 15) / 16"\nblock = 16\n[args]\nn = 45\n'
        'x = { shape = "n", fill = "normal" }\nbin = { shape = "n", fill = "permutation" }\n'
        'sums = { shape = "n", fill = "normal" }\n'
    )
    emitted = s2sad.transform(str(file), of="sums", wrt="x").source
    assert "atomicAdd(&adj_x[i], 2.0 * x[i] * adj_sums[bin[i]]);" in emitted
    assert s2sad.check(str(file), case=str(file.with_suffix(".toml"))).ok
