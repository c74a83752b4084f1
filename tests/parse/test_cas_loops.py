"""Which loops over `atomicCAS` are additions, or keep the larger: few shapes, whatever the names."""

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
TRIES = """__device__ double plus(double *at, double v)
{
    unsigned long long *bits = (unsigned long long *)at;
    unsigned long long was, sum, now = *bits;
    do {
        was = now;
        sum = __double_as_longlong(__longlong_as_double(was) + v);
    } while ((now = atomicCAS(bits, was, sum)) != was);
    return __longlong_as_double(now);
}
"""
LEAST = """__device__ float least(float *at, float v)
{
    unsigned *bits = (unsigned *)at;
    unsigned now = *bits;
    while (v < __uint_as_float(now)) {
        unsigned was = now;
        if ((now = atomicCAS(bits, was, __float_as_uint(v))) == was)
            break;
    }
    return __uint_as_float(now);
}
"""
ALIKE_TRIES = [
    ("was = now;", "sum = now;"),
    ("sum = __double", "was = __double"),
    ("as_double(was) + v", "as_double(now) + v"),
    ("was, sum)) !=", "was, was)) !="),
    ("was, sum)) !=", "now, sum)) !="),
    (")) != was", ")) != sum"),
    (")) != was", ")) == was"),
    ("(now = atomicCAS", "(sum = atomicCAS"),
]
ALIKE_LEAST = [
    ("v < __uint", "v <= __uint"),
    ("as_float(now)) {", "as_float(*bits)) {"),
    ("unsigned was = now;", "unsigned was = *bits;"),
    ("unsigned was = now;", "unsigned was = now + 1;"),
    ("__float_as_uint(v))", "__float_as_uint(v + v))"),
    ("__float_as_uint(v))", "now)"),
    (")) == was", ")) != was"),
    (")) == was)\n            break;", ")) == was)\n            v = 0.0f;"),
    ("            break;\n", "            break;\n        else v = 0.0f;\n"),
]
ALIKE = [
    ("v + __longlong", "v * __longlong"),
    ("v + __longlong", "v - __longlong"),
    ("v + __longlong_as_double(assumed)", "fmax(v, __longlong_as_double(old))"),
    ("v + __longlong_as_double(assumed)", "hypot(v, __longlong_as_double(assumed))"),
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


def test_the_sum_may_have_a_name() -> None:
    assert lowered("plus(&d[i], d[j]);", before=TRIES) == "atomicAdd(&d[i], d[j]);"


def test_the_larger_or_the_smaller_stays() -> None:
    assert lowered("least(&x[i], a);", before=LEAST) == "atomicMin(&x[i], a);"
    for larger in ("v > __uint_as_float(now)", "__uint_as_float(now) < v"):
        before = LEAST.replace("v < __uint_as_float(now)", larger)
        assert lowered("least(&x[i], a);", before=before) == "atomicMax(&x[i], a);"
    for name, other in (("fmax", "atomicMax"), ("min", "atomicMin")):
        before = PLAIN.replace(
            "v + __longlong_as_double(assumed)", f"{name}(__longlong_as_double(assumed), v)"
        )
        assert lowered("plus(&d[i], d[j]);", before=before) == f"{other}(&d[i], d[j]);"


def test_which_thread_s_value_stays_differs_from_run_to_run() -> None:
    assert [code for code, *_ in refusals("x[i] = least(&x[j], a);", before=LEAST)] == ["atomic"]
    shared = "__shared__ float s[2]; least(&s[0], a);"
    assert [code for code, *_ in refusals(shared, before=LEAST)] == ["atomic"]


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


@pytest.mark.parametrize(("good", "other"), ALIKE_TRIES)
def test_what_only_looks_like_one_with_a_name_is_refused(good: str, other: str) -> None:
    assert TRIES.count(good) == 1
    assert refusals("plus(&d[i], a);", before=TRIES.replace(good, other))


@pytest.mark.parametrize(("good", "other"), ALIKE_LEAST)
def test_what_only_looks_like_the_smaller_is_refused(good: str, other: str) -> None:
    assert LEAST.count(good) == 1
    assert refusals("least(&x[i], a);", before=LEAST.replace(good, other))


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


KEPT = (
    LEAST
    + "__global__ void squares(const float *x, float *y, float *record, int n)\n"
    + "{\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < n) {\n"
    + "        float v = x[i] * x[i];\n        y[i] = v * v;\n        least(record, v);\n    }\n}\n"
)


def test_what_stays_has_an_adjoint_only_where_nobody_asks_for_it(tmp_path: Path) -> None:
    file = tmp_path / "squares.cu"
    file.write_text(KEPT)
    for options in ({"of": "record"}, {"of": "y,record"}, {"of": "y", "mode": "split"}):
        with pytest.raises(s2sad.Rejected):
            s2sad.transform(str(file), wrt="x", **options)
    file.with_suffix(".toml").write_text(
        '[launch]\ngrid = "(n + 15) / 16"\nblock = 16\n[args]\nn = 45\n'
        'x = { shape = "n", fill = "normal" }\ny = { shape = "n", fill = "zeros" }\n'
        'record = { shape = "1", fill = "normal" }\n'
    )
    for wrt in ("x", "x,record"):
        emitted = s2sad.transform(str(file), of="y", wrt=wrt).source
        assert "atomic" not in emitted.split("__global__")[1]
    assert s2sad.check(str(file), case=str(file.with_suffix(".toml")), of="y", wrt="x").ok
