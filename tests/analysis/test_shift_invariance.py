"""Which values cancel out of every result, and the algebra of the laws by which that is proved."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import product

import pytest

from s2sad.analysis.shift_invariance import FREE, LAWLESS, ZERO, Law, Line, Power, joined, multiplied, summed
from s2sad.options import Options
from s2sad.pipeline import transform
from s2sad.source import Source

# ---- the algebra -----------------------------------------------------------------

Value = Callable[[float], float]


def _power(k: int, scale: float, base: float = math.e) -> Value:
    return lambda c: scale * base ** (k * c)


def _line(k: int) -> Value:
    return lambda c: 0.6 + k * c


def _both(f: Value, g: Value, sign: int, times: int) -> Value:
    """f ± g, or f · g or f / g."""
    return lambda c: f(c) * g(c) ** sign if times else f(c) + sign * g(c)


LAWS: list[tuple[Law, Value]] = [
    (ZERO, lambda c: 0.0),
    (FREE, lambda c: 1.7),
    (FREE, lambda c: -0.4),
    *((Power(Fraction(k)), _power(k, scale)) for k in (-1, 2, 1) for scale in (0.8, -1.3)),
    (Power(Fraction(-1), "exp2"), _power(-1, 1.1, 2.0)),
    *((Line(Fraction(k)), _line(k)) for k in (-1, 1, 2)),
]


def obeys(law: Law, value: Value) -> bool:
    """Whether a value's derivative at some points is what its law says."""
    for c in (-0.3, 0.7):
        h = 1e-6
        slope = (value(c + h) - value(c - h)) / (2 * h)
        match law:
            case Power(k, base):
                unit = {"exp": 1.0, "exp2": math.log(2)}[base]
                wanted = float(k) * unit * value(c)
            case Line(k):
                wanted = float(k)
            case _:
                wanted = 0.0
        if law != LAWLESS and abs(slope - wanted) > 1e-6 * (1 + abs(wanted)):
            return False
        if law == ZERO and value(c) != 0:
            return False
    return True


@pytest.mark.parametrize("sign", [1, -1])
def test_the_law_of_a_sum_or_a_product_is_what_it_obeys(sign: int) -> None:
    followed = 0
    for (a, f), (b, g) in product(LAWS, LAWS):
        law = summed(a, b, sign)
        assert obeys(law, _both(f, g, sign, 0)), (a, b, law)
        followed += law != LAWLESS
        if isinstance(a, Line) or isinstance(b, Line) or (sign < 0 and b == ZERO):
            continue
        law = multiplied(a, b, sign)
        assert obeys(law, _both(f, g, sign, 1)), (a, b, law)
        followed += law != LAWLESS
    assert followed > 100


def test_a_value_that_may_be_either_obeys_the_law_of_both() -> None:
    for (a, f), (b, g) in product(LAWS, LAWS):
        law = joined(a, b)
        assert law is not None
        assert obeys(law, f), (a, b, law)
        assert obeys(law, g), (a, b, law)


# ---- kernels ---------------------------------------------------------------------

ROW = """
extern "C" __global__ void k(const float *x, const float *w, float *y, float *z, int rows, int cols)
{{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows)
        return;
    float m = -1e30f;
    for (int k = 0; k < cols; ++k)
        m = fmaxf(m, x[row * cols + k]);
    float s = 0.0f;
    for (int k = 0; k < cols; ++k)
        s += expf(x[row * cols + k] - m);
    {rest}
}}
"""

CANCELS = [
    "y[row] = m + logf(s);",
    "y[row] = logf(s) + m - x[row * cols];",
    "float r = 1.0f / s; for (int k = 0; k < cols; ++k) y[row * cols + k] = expf(x[row * cols + k] - m) * r;",
    "for (int k = 0; k < cols; ++k) y[row * cols + k] = (x[row * cols + k] - m) - logf(s);",
    # powers of two, squares, roots, fma
    "float q = 0.0f; for (int k = 0; k < cols; ++k) { float e = expf(x[row * cols + k] - m);"
    " q = fmaf(e, e, q); } y[row] = sqrtf(q) / s;",
    "float q = 0.0f; for (int k = 0; k < cols; ++k) q += exp2f(1.5f * x[row * cols + k] - 1.5f * m);"
    " y[row] = 1.5f * m + log2f(q);",
    # weighted sums, a branch, a local array, a value that isn't asked for
    "float a = 0.0f; for (int k = 0; k < cols; ++k) a += w[k] * expf(x[row * cols + k] - m); y[row] = a / s;",
    "float a = 0.0f; if (w[0] > 0.0f) a = expf(x[row * cols] - m); y[row] = a / s;",
    "float e[4]; for (int k = 0; k < 4; ++k) e[k] = expf(x[row * cols + k] - m); y[row] = (e[0] - e[3]) / s;",
    "y[row] = m + logf(s); z[row] = m;",
]
STAYS = [
    "y[row] = 2.0f * m + logf(s);",
    "y[row] = m;",
    "y[row] = logf(s);",
    "y[row] = m + logf(s + 1e-6f);",
    "y[row] = m + log2f(s);",
    "y[row] = s;",
    "y[row] = expf(2.0f * (x[row * cols] - m)) / s;",
    "y[row] = expf(w[0] * (x[row * cols] - m)) / s;",  # a factor of which nothing is known
    "y[row] = expf(x[row * cols] - m) / fmaxf(s, 1e-6f);",
    "y[row] = sinf(m) + logf(s);",
    "y[row] = expf(x[row * cols] - m) / s; y[row] += m;",
    "float e[4]; for (int k = 0; k < 4; ++k) e[k] = w[k]; e[1] = s; y[row] = e[1] / s;",  # one law an array
    "y[row] = expf(x[row * cols] - m); y[row] /= s;",  # and none for what lies in global memory
    "float a = 0.0f; for (int k = 0; k < cols; ++k) { a = a + s; a = a * s; } y[row] = m + logf(s) + a;",
]


def cancelling(text: str) -> list[str]:
    """The variables that a kernel's plan has no adjoints for, as they cancel."""
    made = transform(Source("k.cu", text), Options(of=("y",), wrt=("x",))).adjoint
    return [row.target for row in made.plan.accumulations if row.how == "none"]


@pytest.mark.parametrize("rest", CANCELS)
def test_a_maximum_that_cancels_has_no_adjoint(rest: str) -> None:
    assert cancelling(ROW.format(rest=rest)) == ["adj_m"]


@pytest.mark.parametrize("rest", STAYS)
def test_a_maximum_that_a_result_depends_on_keeps_its_adjoint(rest: str) -> None:
    assert cancelling(ROW.format(rest=rest)) == []


# Sums over threads: `start` is what each thread's search for the block's maximum starts with, `s` their sum.
BLOCK = """
extern "C" __global__ void k(const float *x, float *y, int cols)
{{
    __shared__ float tops[32], sums[32];
    int t = threadIdx.x;
    float m = -1e30f;
    for (int k = t; k < cols; k += 32)
        m = fmaxf(m, x[blockIdx.x * cols + k]);
    tops[t] = m;
    __syncthreads();
    {top}
    float s = 0.0f;
    for (int k = t; k < cols; k += 32)
        s += expf(x[blockIdx.x * cols + k] - m);
    {total}
    y[blockIdx.x * 32 + t] = m + logf(s);
}}
"""
SAME = "m = -1e30f; for (int k = 0; k < 32; ++k) m = fmaxf(m, tops[k]);"
LANES = "for (int d = 16; d > 0; d /= 2) m = fmaxf(m, __shfl_xor_sync(0xffffffffu, m, d));"
HALF = "for (int d = 8; d > 0; d /= 2) m = fmaxf(m, __shfl_xor_sync(0xffffffffu, m, d));"
OWN = "m = fmaxf(m, tops[31 - t]);"
ADDED = "sums[t] = s; __syncthreads(); s = 0.0f; for (int k = 0; k < 32; ++k) s += sums[k];"
SHUFFLED = "for (int d = 16; d > 0; d /= 2) s += __shfl_xor_sync(0xffffffffu, s, d);"


@pytest.mark.parametrize(
    ("top", "total", "cancels"),
    [
        (SAME, ADDED, True),
        (SAME, SHUFFLED, True),
        (LANES, SHUFFLED, True),
        (OWN, "", True),
        (HALF, SHUFFLED, False),  # two maxima in one sum
        (OWN, SHUFFLED, False),
        (OWN, ADDED, False),
        (LANES, ADDED, False),  # one for each warp, of which the sum may have several
    ],
)
def test_threads_that_sum_up_together_have_one_shift(top: str, total: str, cancels: bool) -> None:
    assert (cancelling(BLOCK.format(top=top, total=total)) != []) == cancels


def test_a_sum_of_the_row_before_has_another_shift() -> None:
    text = """
    extern "C" __global__ void k(const float *x, float *y, int rows)
    {
        float s = 0.0f;
        for (int row = 0; row < rows; ++row) {
            START
            float m = fmaxf(x[2 * row], x[2 * row + 1]);
            s += expf(x[2 * row] - m) + expf(x[2 * row + 1] - m);
            if (threadIdx.x == 0)
                y[row] = m + logf(s);
        }
    }
    """
    assert cancelling(text.replace("START", "")) == []
    assert cancelling(text.replace("START", "s = 0.0f;")) == ["adj_m"]


# The maximum and the sum of a block in a word of shared memory each, which its first thread stores.
WORD = """
extern "C" __global__ void k(const float *x, float *y, int cols)
{{
    __shared__ float part[32], top, total;
    int t = threadIdx.x;
    float m = -1e30f;
    for (int k = t; k < cols; k += 32)
        m = fmaxf(m, x[blockIdx.x * cols + k]);
    part[t] = m;
    __syncthreads();
    if (t == 0) {{
        for (int k = 1; k < 32; ++k)
            m = fmaxf(m, part[k]);
        {store}
    }}
    __syncthreads();
    float s = 0.0f;
    for (int k = t; k < cols; k += 32)
        s += expf(x[blockIdx.x * cols + k] - top);
    for (int d = 16; d > 0; d /= 2)
        s += __shfl_down_sync(0xffffffffu, s, d);
    if (t == 0)
        total = {total};
    __syncthreads();
    {result}
}}
"""
STORE = "top = m;"
EACH = """
    for (int k = t; k < cols; k += 32)
        y[blockIdx.x * cols + k] = expf(x[blockIdx.x * cols + k] - top) / total;
"""


@pytest.mark.parametrize(
    ("store", "total", "result", "found"),
    [
        (STORE, "s", EACH, ["adj_top"]),
        (STORE, "logf(s)", "if (t == 0) y[blockIdx.x] = top + total;", ["adj_top"]),
        (STORE, "top + logf(s)", "if (t == 0) y[blockIdx.x] = total;", ["adj_top"]),
        (STORE, "s + 1e-6f", EACH, []),
        (STORE, "logf(s)", "if (t == 0) y[blockIdx.x] = m + total;", []),  # what it came from stays
        (STORE, "s", EACH + " if (t == 0) y[0] += top;", []),
        ("top = m; top *= 1.5f;", "s", EACH, []),  # one store, then another
        ("for (int k = 0; k < cols; ++k) top = m;", "s", EACH, ["adj_top"]),  # each iteration stores the same
        ("for (int k = 0; k < cols; ++k) top = k < 3 ? m : 0.0f;", "s", EACH, []),  # one for each iteration
    ],
)
def test_a_word_that_one_statement_stores_is_one_shift_of_the_block(
    store: str, total: str, result: str, found: list[str]
) -> None:
    assert cancelling(WORD.format(store=store, total=total, result=result)) == found
