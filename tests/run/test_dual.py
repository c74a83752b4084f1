"""Numbers with tangents: every function's derivative, C's conversions, and ties with their lines."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from run_kit import signature

import s2sad
from s2sad.run.backend import CompileFailed
from s2sad.run.cpu import CpuBackend
from s2sad.run.cpu.dual import DualModule
from s2sad.run.isolated import Isolated
from s2sad.run.values import HYPER

# Where each is smooth: values of x; of y for those of two.
UNARY = {
    "acos asin atanh erfinv": (-0.8, -0.1, 0.3, 0.9),
    "acosh": (1.1, 2.0, 7.5),
    "erfcinv normcdfinv": (0.05, 0.4, 0.8),
    "log log10 log1p log2 lgamma tgamma y0 y1 sqrt rsqrt cbrt rcbrt": (0.3, 1.7, 6.5),
    "asinh atan cos cosh erf erfc exp exp10 exp2 expm1 fabs sin sinh tan tanh": (-1.3, -0.2, 0.4, 1.2),
    "j0 j1 cospi sinpi normcdf erfcx cyl_bessel_i0 cyl_bessel_i1": (-1.3, -0.2, 0.4, 1.2),
    "ceil floor rint round trunc nearbyint logb": (-1.3, 0.2, 2.7),
}
BINARY = {
    "pow": ((0.7, 1.3), (2.5, -1.5), (1.2, 3.0)),
    "atan2 hypot copysign": ((0.7, 1.3), (-2.5, 1.5), (1.2, -3.0)),
    "fmod remainder fmax fmin fdim": ((7.3, 2.1), (-5.2, 1.7), (1.1, 3.9)),
    "rhypot": ((0.7, 1.3), (-2.5, 1.5)),
}
FUNCTIONS = [(name, 1, points) for names, points in UNARY.items() for name in names.split()]
FUNCTIONS += [(name, 2, points) for names, points in BINARY.items() for name in names.split()]  # type: ignore[misc]


@cache
def compiled(body: str, parameters: str, twice: bool = False) -> tuple[DualModule, object]:
    text = f'extern "C" __global__ void k({parameters})\n{{\n{body}\n}}\n'
    kernel = signature(f"k({parameters})")
    return CpuBackend().differentiate(text, [kernel], name="k.cu", twice=twice), kernel


@cache
def functions(twice: bool = False) -> tuple[DualModule, object]:
    """All of them, called in their float form: out[k] is the k-th of (x, y)."""
    lines = []
    for k, (name, count, _) in enumerate(FUNCTIONS):
        lines.append(f"if (which == {k}) out[0] = {name}f({'x[0], x[1]' if count == 2 else 'x[0]'});")
    return compiled("\n".join(lines), "const float *x, float *out, int which", twice)


def value(which: int, x: complex, y: complex) -> complex:
    module, kernel = functions()
    out = np.zeros(1, complex)
    args = {"x": np.array([x, y]), "out": out, "which": which}
    module.push(kernel, (1, 1, 1), (1, 1, 1), args)  # type: ignore[arg-type]
    return complex(out[0])


@pytest.mark.parametrize("which", range(len(FUNCTIONS)), ids=[name for name, *_ in FUNCTIONS])
def test_a_tangent_is_the_limit_of_differences(which: int) -> None:
    _, count, points = FUNCTIONS[which]
    for point in points:
        x, y = point if isinstance(point, tuple) else (point, 0.0)
        for along in ((1.0, 0.0), (0.0, 1.0), (0.6, -1.2))[: 1 if count == 1 else 3]:
            h = 1e-5

            def at(t: float, x: float = x, y: float = y, along: tuple[float, float] = along) -> float:
                return value(which, x + t * along[0] + 0j, y + t * along[1] + 0j).real

            wide = (at(h) - at(-h)) / (2 * h)
            narrow = (at(h / 2) - at(-h / 2)) / h
            expected = (4 * narrow - wide) / 3
            found = value(which, complex(x, along[0]), complex(y, along[1])).imag
            assert found == pytest.approx(expected, rel=2e-9, abs=2e-9), (x, y, along)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("y[0] = n < 2 ? x[0] : 0;", 1.0),
        ("y[0] = x[0] * n + 3; y[0] /= 2u;", 0.5),
        ("float t = n; t += x[0]; t -= 1; y[0] = -t;", -1.0),
        ("int i = (int)(x[0] * 10); y[0] = x[0] * i;", 5.0),
        ("n += x[0] * 4; y[0] = n * x[0];", 3.0),
        ("double d = x[0]; float2 v = make_float2(d, 1.0f); y[0] = v.x * v.x;", 1.1),
        ("float a[2] = {x[0], 2}; y[0] = a[0] * a[1];", 2.0),
        ("if (x[0]) y[0] = !x[0] ? 1.0f : x[0] * x[0];", 1.1),
        ("y[0] = max(x[0], 0.0f) + min(1, x[0]) + abs(-x[0]);", 3.0),
        ("float s, c; sincosf(x[0], &s, &c); y[0] = s * s + c * c;", 0.0),
        ("int e; float f = frexpf(x[0], &e); y[0] = ldexpf(f, e);", 1.0),
        ("float w; y[0] = modff(3.0f * x[0], &w) + w;", 3.0),
        ("atomicAdd(&y[0], 2 * x[0]); atomicAdd(&y[0], 1.0f);", 2.0),
        ("y[0] = __fmaf_rn(x[0], x[0], 1.0f) + __fmul_rn(2.0f, x[0]);", 3.1),
        ("y[0] = norm3df(x[0], 0.0f, 0.0f) + __expf(0.0f * x[0]);", 1.0),
        ("const float two = 2; constexpr float three = 3.0f; y[0] = two * three * x[0];", 6.0),
        ("y[0] = sqrtf(x[0] - x[0]);", 0.0),
    ],
)
def test_c_means_what_it_means_without_tangents(body: str, expected: float) -> None:
    module, kernel = compiled(body, "const float *x, float *y, int n")
    y = np.zeros(1, complex)
    args = {"x": np.array([0.55 + 1j]), "y": y, "n": 1}
    module.push(kernel, (1, 1, 1), (1, 1, 1), args)  # type: ignore[arg-type]
    assert y[0].imag == pytest.approx(expected, rel=1e-12, abs=1e-15)


def test_a_text_where_reals_become_integers_silently_compiles_too() -> None:
    module, kernel = compiled("int i = x[0] * 10; y[i] = x[0];", "const float *x, float *y")
    y = np.zeros(8, complex)
    module.push(kernel, (1, 1, 1), (1, 1, 1), {"x": np.array([0.55 + 1j]), "y": y})  # type: ignore[arg-type]
    assert y[5] == 0.55 + 1j


def test_a_text_that_looks_at_bits_is_refused() -> None:
    with pytest.raises(CompileFailed, match=r"k\.cu:3"):
        compiled("y[0] = __int_as_float(__float_as_int(x[0]) + 1);", "const float *x, float *y")


def test_shuffles_and_shared_memory_carry_tangents() -> None:
    module, kernel = compiled(
        "__shared__ float s[32]; int t = threadIdx.x; s[t] = x[t] * x[t]; __syncthreads();\n"
        "y[t] = s[31 - t] + __shfl_xor_sync(0xffffffff, x[t], 1);",
        "const float *x, float *y",
    )
    x = np.arange(32) + 1j * np.arange(32)[::-1]
    y = np.zeros(32, complex)
    module.push(kernel, (1, 1, 1), (32, 1, 1), {"x": x, "y": y})  # type: ignore[arg-type]
    other = x[np.arange(32) ^ 1].imag
    assert np.allclose(y.imag, (2 * x.real * x.imag)[::-1] + other)


TIES = """\
float v = x[0];
if (v > 1.0f)
    y[0] = v;
y[0] += fmaxf(v, 1.0f);
y[0] += fabsf(v - 1);
y[0] += floorf(v);
y[0] += (int)v;
if (x[1] == 0.25f)
    y[0] += 1;
y[0] = v == v;"""


def test_what_is_nearly_decided_otherwise_is_told_with_its_line() -> None:
    module, kernel = compiled(TIES, "const float *x, float *y")
    args = {"x": np.array([1 + 1j, 0.25]), "y": np.zeros(1, complex)}
    decisions = module.push(kernel, (1, 1, 1), (1, 1, 1), args)  # type: ignore[arg-type]
    assert [tie.line for tie in decisions.ties] == [4, 6, 7, 8, 9]
    args["x"] = np.array([1.4 + 1j, 0.25])
    assert module.push(kernel, (1, 1, 1), (1, 1, 1), args).ties == ()  # type: ignore[arg-type]


def test_another_branch_leaves_another_mark() -> None:
    module, kernel = compiled(TIES, "const float *x, float *y")

    def mark(x: float) -> int:
        args = {"x": np.array([x, 0.25], complex), "y": np.zeros(1, complex)}
        return module.push(kernel, (1, 1, 1), (1, 1, 1), args).mark  # type: ignore[arg-type]

    assert mark(1.4) == mark(1.5)
    assert len({mark(0.5), mark(1.4), mark(2.4)}) == 3


def test_tangents_cross_to_another_process() -> None:
    text = 'extern "C" __global__ void k(const float *x, float *y, float a) { y[0] = a * x[0]; }'
    kernel = signature("k(const float *x, float *y, float a)")
    with Isolated("cpu") as backend:
        module = backend.differentiate(text, [kernel])
        y = np.zeros(1, complex)
        args = {"x": np.array([3 + 1j]), "y": y, "a": np.complex128(2 + 5j)}
        assert module.push(kernel, (1, 1, 1), (1, 1, 1), args).ties == ()
    assert y[0] == 6 + 17j


MORE = """\
float s, c, w; int e, q;
sincospif(x[0], &s, &c);
y[0] = s * s + c * c + jnf(2, x[0]) + ynf(2, x[0]) + __frcp_rn(x[0]) + __saturatef(x[0]);
y[0] += norm4df(x[0], 1, 2, 3) + rnorm3df(x[0], 1, 2) + rnorm4df(x[0], 1, 2, 3) + normf(2, x) + rnormf(2, x);
y[0] += remquof(x[0], 0.3f, &q) + scalbnf(x[0], 2) + scalblnf(x[0], 1l);
y[0] += nextafterf(x[0], 1.0f) + nanf("") * 0 + norm3df(x[0], 1, 2);
y[0] += lrintf(x[0]) + llrintf(x[0]) + lroundf(x[0]) + llroundf(x[0]) + ilogbf(x[0]) + __float2int_rn(x[0]);
y[0] += isnan(x[0]) + isinf(x[0]) + isfinite(x[0]) + signbit(x[0]);
y[0] += __int2float_rn(2) + __double2float_rn(x[0]);
y[0] = modff(x[0], &w) + frexpf(x[0], &e) + fdividef(x[0], 2.0f);
y[0] += __powf(x[0], 2.0f) + __ddiv_rn(x[0], 2.0);"""


def test_every_other_function_has_one_too() -> None:
    module, kernel = compiled(MORE, "const float *x, float *y")
    y = np.zeros(1, complex)
    module.push(kernel, (1, 1, 1), (1, 1, 1), {"x": np.array([0.6 + 1j, 1]), "y": y})  # type: ignore[arg-type]
    assert y[0].imag == pytest.approx(1 + 1 + 0.5 + 1.2 + 0.5)


def test_no_rule_is_without_its_tangent() -> None:
    """What s2sad differentiates is called above, under its own name or that of its float form."""
    rules = (Path(__file__).parents[2] / "s2sad" / "rules.toml").read_text()
    tested = {name for name, *_ in FUNCTIONS} | set(re.findall(r"\w+", MORE)) | set(re.findall(r"\w+", TIES))
    tested |= {
        "fma",
        "modf",
        "sincos",
        "ldexp",
        "atomicAdd",
        "shuffle",
        "barrier",
        "machine",
        "rcp",
        "saturate",
    }
    without = {"neg", "convert", "to_integer", "from_integer", "integer", "bits", "atomic", "vote", "cache"}
    without |= {"fence", "cluster", "sum", "clock"}
    names = set(re.findall(r"^\[(\w+)\]", rules, re.MULTILINE)) - without
    assert {name for name in names if not {name, f"{name}f", f"__{name}f"} & tested} == set()


def test_a_shaken_launch_rounds_values_that_are_not_exact_and_all_terms_of_tangents() -> None:
    module, kernel = compiled(
        "y[0] = x[0] * x[1] + 3.0f; y[1] = 0.5f * x[0] - 1.0f; y[2] = sinf(x[1]); y[3] = fabsf(x[0]) / 3.0f;",
        "const float *x, float *y",
    )

    def pushed(shake: int) -> np.ndarray[tuple[int], np.dtype[np.complex128]]:
        y = np.zeros(4, complex)
        args = {"x": np.array([0.5 + 1j, 0.7 + 0.3j]), "y": y}
        module.push(kernel, (1, 1, 1), (1, 1, 1), args, shake=shake)  # type: ignore[arg-type]
        return y

    plain, others = pushed(0), np.array([pushed(seed) for seed in range(1, 20)])
    assert np.array_equal(pushed(0), plain)
    assert np.array_equal(pushed(7), others[6])
    assert np.allclose(others, plain, rtol=1e-15)
    varies = [[len({*part[:, k]}) > 1 for k in range(4)] for part in (others.real, others.imag)]
    assert varies == [[True, False, True, True], [True] * 4]


# ---- numbers with second derivatives ---------------------------------------------------------------------


PAIRS = (((1.0, 0.0), (0.7, 0.0)), ((0.0, 1.0), (0.4, 0.3)), ((0.6, -1.2), (0.3, 0.8)))  # of directions


@pytest.mark.parametrize("which", range(len(FUNCTIONS)), ids=[name for name, *_ in FUNCTIONS])
@pytest.mark.parametrize(("one", "two"), PAIRS)
def test_a_second_derivative_is_the_limit_of_differences_of_tangents(
    which: int, one: tuple[float, float], two: tuple[float, float]
) -> None:
    module, kernel = functions(twice=True)
    for point in FUNCTIONS[which][2]:
        x, y = point if isinstance(point, tuple) else (point, 0.0)

        def along(first: tuple[float, float], t: float = 0.0, x: float = x, y: float = y) -> complex:
            return value(which, complex(x + t * two[0], first[0]), complex(y + t * two[1], first[1]))

        h = 1e-4
        wide = (along(one, h) - along(one, -h)).imag / (2 * h)
        narrow = (along(one, h / 2) - along(one, -h / 2)).imag / h
        out = np.zeros(1, HYPER)
        given = np.array([(x, one[0], two[0], 0.0), (y, one[1], two[1], 0.0)], HYPER)
        module.push(kernel, (1, 1, 1), (1, 1, 1), {"x": given, "out": out, "which": which})  # type: ignore[arg-type]
        found = out[0]
        known = [along(one).real, along(one).imag, along(two).imag]
        assert [found["value"], found["first"], found["second"]] == pytest.approx(known, rel=1e-14)
        assert found["both"] == pytest.approx((4 * narrow - wide) / 3, rel=2e-8, abs=2e-8), (x, y)


def test_texts_with_second_derivatives_may_have_shuffles_atomics_vectors_and_shared_memory() -> None:
    module, kernel = compiled(
        "__shared__ float2 s[32]; int t = threadIdx.x; s[t] = make_float2(x[t] * x[t], 1); __syncthreads();\n"
        "atomicAdd(&y[t], s[31 - t].x * __shfl_xor_sync(0xffffffff, a * x[t], 1));",
        "const float *x, float a, float *y",
        twice=True,
    )
    x, y = np.zeros(32, HYPER), np.zeros(32, HYPER)
    x["value"], x["first"], x["second"] = np.arange(32), 1, np.arange(32)[::-1]
    a = np.array((2.0, 0.5, 0.0, 0.0), HYPER)[()]
    module.push(kernel, (1, 1, 1), (32, 1, 1), {"x": x, "a": a, "y": y})  # type: ignore[arg-type]
    p, q = x[::-1], x[np.arange(32) ^ 1]  # y = a p p q
    one, two = (2 * p[d] * p["value"] * q["value"] + p["value"] ** 2 * q[d] for d in ("first", "second"))
    assert np.allclose(y["first"], 2 * one + 0.5 * p["value"] ** 2 * q["value"])
    assert np.allclose(y["second"], 2 * two)
    both = 2 * p["first"] * p["second"] * q["value"]
    both = both + 2 * p["value"] * (p["first"] * q["second"] + p["second"] * q["first"])
    assert np.allclose(y["both"], 2 * both + 0.5 * two)


def test_second_derivatives_cross_to_another_process_with_structs() -> None:
    text = (
        "struct P { float4 a; float2 b; float c; };\n"
        'extern "C" __global__ void k(const P *p, P by, float *y) { y[0] = p[1].a.z * p[1].b.y * by.c; }'
    )
    kernel = s2sad.transform(text, of="y", wrt="p")._pair.primal
    names = [argument.name for argument in kernel.arguments if argument.name != "y"]
    args: dict[str, object] = {name: np.zeros(2 if name[1] == "." else (), HYPER) for name in names}
    assert set(args) > {"p.a.z", "p.b.y", "by.c"}
    args["p.a.z"] = np.array([(0, 0, 0, 0), (3, 1, 0, 0)], HYPER)
    args["p.b.y"] = np.array([(0, 0, 0, 0), (5, 0, 1, 0)], HYPER)
    args["by.c"] = np.array((2, 0, 0, 0), HYPER)
    args["y"] = np.zeros(1, HYPER)
    with Isolated("cpu") as backend:
        module = backend.differentiate(text, [kernel], twice=True)
        module.push(kernel, (1, 1, 1), (1, 1, 1), args)  # type: ignore[arg-type]
    assert tuple(args["y"][0]) == (30, 10, 6, 2)  # type: ignore[index]


def test_a_near_tie_along_either_direction_is_told() -> None:
    module, kernel = compiled(TIES, "const float *x, float *y", twice=True)
    for first, second in ((1, 0), (0, 1)):
        x = np.array([(1, first, second, 0), (0.25, 0, 0, 0)], HYPER)
        args = {"x": x, "y": np.zeros(1, HYPER)}
        decisions = module.push(kernel, (1, 1, 1), (1, 1, 1), args)  # type: ignore[arg-type]
        assert [tie.line for tie in decisions.ties] == [4, 6, 7, 8, 9]
