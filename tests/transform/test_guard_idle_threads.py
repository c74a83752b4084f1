"""What threads without a result of their own may not add, since it needn't be finite."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from gradient_kit import made, right

from s2sad.run.backend import Backend
from s2sad.run.isolated import Isolated

KERNEL = """\
#define T 8
__device__ float ratio(float a, float b) { float r = a / b; return r * r + logf(1.0f + a * a); }
extern "C" __global__ void k(const float *x, const float *w, float *y, int n, int m)
{
    __shared__ float ws[T];
    int t = threadIdx.x;
    int i = blockIdx.x * T + t;
    float here = i < n ? x[i] : 0.0f;
    float far = i < n ? x[i] : INFINITY;
    float sum = 0.0f;
    for (int first = 0; first < m; first += T) {
        int j = first + t;
        ws[t] = j < m ? w[j] : 0.0f;
        __syncthreads();
        BODY
        __syncthreads();
    }
    AFTER
    if (i < n)
        y[i] = sum;
}
"""
CASE = """\
[launch]
grid = 4
block = 8
[args]
n = 21
m = 13
x = { shape = 32, fill = "uniform(0.2, 1)" }
w = { shape = 32, fill = "uniform(0.4, 1.2)" }
y = { shape = 32, fill = "zeros" }
"""
ALL = "for (int q = 0; q < T; ++q) "
GUARDED = {
    "a quotient": (ALL + "sum += ws[q] / here;", ""),
    "a logarithm": (ALL + "sum += ws[q] * logf(here);", ""),
    "a value made before": (ALL + "{ float ratio = ws[q] / here; sum += ratio * ratio; }", ""),
    "a reciprocal": ("float per = 1.0f / here; " + ALL + "sum += ws[q] * per;", ""),
    "once for a tile": ("sum += ws[(t + 1) % T] / here;", ""),
    "a neighbour": ("sum += ws[t] / here; if (t > 0) sum += ws[t - 1] / here;", ""),
    "a sum in a variable": (ALL + "{ float part = 0.0f; part += ws[q] / here; sum -= part; }", ""),
    "scaled later": (ALL + "sum += ws[q] / here;", "sum *= 0.5f; sum += here;"),
    "under another condition": (ALL + "if (q != t) sum += ws[q] / here;", ""),
    "by an inner loop": ("for (int r = 0; r < 2; ++r) " + ALL + "sum += ws[q] * (r + 1) / here;", ""),
    "in a nested sweep": (
        "for (int r = 0; r < 2; ++r) { " + ALL + "sum += ws[q] / here; __syncthreads(); }",
        "",
    ),
    "a break": (ALL + "{ if (ws[q] < 0.5f) break; sum += ws[q] / here; }", ""),
    "a break from a loop in it": (
        ALL
        + "{ float a = ws[q]; for (int r = 0; r < 4; ++r) { a = a / here; if (a > 3.0f) break; } sum += a; }",
        "",
    ),
    "a switch": (
        ALL + "switch (q & 1) { case 0: sum += ws[q] / here; break; default: sum += ws[q]; }",
        "",
    ),
    "elements of a local array": (
        "float part[2] = {0.0f, 0.0f}; " + ALL + "part[q & 1] += ws[q] / here; sum += part[0] * part[1];",
        "",
    ),
    "a device function": (ALL + "sum += ratio(ws[q], here);", ""),
    "an infinite padding": (ALL + "sum += ws[q] * far;", ""),
}
PLAIN = {
    "finite": (ALL + "sum += ws[q] * here;", ""),
    "of the launch": (ALL + "sum += ws[q] / n;", ""),
    "bounded": (ALL + "sum += ws[q] * tanhf(here);", ""),
    "the author's guard": ("if (i < n) " + ALL + "sum += ws[q] / here;", ""),
}


@pytest.fixture(scope="module")
def backend() -> Iterator[Backend]:
    with Isolated() as one:
        yield one


def kernel(body: str, after: str) -> str:
    return KERNEL.replace("BODY", body).replace("AFTER", after)


@pytest.mark.parametrize("name", GUARDED)
def test_shares_of_idle_threads(name: str, backend: Backend) -> None:
    right(made(kernel(*GUARDED[name]), "y", "x,w"), CASE, backend)


@pytest.mark.parametrize("name", PLAIN)
def test_no_second_guard(name: str, backend: Backend) -> None:
    done = made(kernel(*PLAIN[name]), "y", "x,w")
    assert ("T + q) < n" in done.text) == (name == "the author's guard")
    right(done, CASE, backend)


def test_a_shuffle_stays_for_all(backend: Backend) -> None:
    """Only what is added is under the guard, not what threads exchange."""
    body = "for (int q = 0; q < T; ++q) sum += ws[q] * __shfl_sync(0xffffffffu, here, q) / here;"
    done = made(kernel(body, "").replace("#define T 8", "#define T 32"), "y", "x,w")
    right(done, CASE.replace("block = 8", "block = 32").replace("grid = 4", "grid = 1"), backend)


def test_a_guard_with_arithmetic_is_asked_once(backend: Backend) -> None:
    text = kernel(ALL + "sum += ws[q] / (here + 1.0f);", "float k = here * 2.0f;")
    done = made(text.replace("if (i < n)", "if (here * here - 0.2f > 0.0f)"), "y", "x,w")
    assert done.text.count("here * here - 0.2f > 0.0f") == 1
    right(done, CASE, backend)


def test_a_guard_of_a_value(backend: Backend) -> None:
    text = kernel(ALL + "sum += ws[q] / here;", "").replace("if (i < n)", "if (here > 0.5f)")
    right(made(text, "y", "x,w"), CASE, backend)


def test_a_guard_by_a_value_that_the_reverse_sweep_restores(backend: Backend) -> None:
    """A thread whose last value is over the limit may have had earlier ones below it, and the reverse."""
    text = kernel(ALL + "sum += ws[q] / here; here = 0.4f + 0.9f / here;", "")
    text = text.replace("x[i] : 0.0f", "x[i] : 0.5f").replace("if (i < n)", "if (here > 1.4f)")
    right(made(text, "y", "x,w"), CASE, backend)


def test_a_guard_that_changes_stays_behind(backend: Backend) -> None:
    """What is zero under a condition needn't be when the condition's variable has changed."""
    text = kernel(ALL + "sum += ws[q] * here / (2.0f + here);", "int k = i;")
    text = text.replace("if (i < n)", "if (k < n)").replace("int k = i;", "int k = i; if (k == 3) k += 1;")
    right(made(text, "y", "x,w"), CASE, backend)


def test_threads_that_add_to_what_others_read(backend: Backend) -> None:
    """An idle thread's adjoint isn't zero if its value is read by others."""
    text = kernel(
        ALL + "sum += ws[q] / (here + 1.0f);", "ws[t] = sum; __syncthreads(); sum += ws[(t + 1) % T];"
    )
    right(made(text, "y", "x,w"), CASE, backend)


@pytest.mark.parametrize("other", ["n > i", "i < m", "i < n && t > 2"])
def test_two_guards(other: str, backend: Backend) -> None:
    """A thread is idle for which neither guard holds."""
    text = kernel(ALL + "sum += ws[q] / here;", "").replace("float *y", "float *y, float *z")
    text = text.replace("y[i] = sum;", f"y[i] = sum; if ({other}) z[i] = sum * sum;")
    right(made(text, "y,z", "x,w"), CASE + 'z = { shape = 32, fill = "zeros" }\n', backend)


def test_threads_that_only_shuffle(backend: Backend) -> None:
    text = """
    extern "C" __global__ void k(const float *x, const float *w, float *y, int n, int m)
    {
        int lane = threadIdx.x % 32, row = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
        float v = row < n && lane < m ? x[row * m + lane] : 0.0f;
        float s = lane < m ? v : 0.0f;
        for (int o = 16; o > 0; o /= 2)
            s += __shfl_xor_sync(0xffffffffu, s, o);
        float r = v / s;
        float u = __shfl_sync(0xffffffffu, r, 3) * w[lane];
        if (row < n && lane < m)
            y[row * m + lane] = r + u;
    }
    """
    case = (
        CASE.replace("block = 8", "block = 64").replace("n = 21", "n = 5").replace("shape = 32", "shape = 96")
    )
    right(made(text, "y", "x,w"), case, backend)
