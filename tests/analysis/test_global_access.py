"""Who owns an element: kernels as people write them, and what must be said of each."""

from __future__ import annotations

import time
from collections.abc import Sequence

import pytest

import s2sad
from s2sad import parse
from s2sad.analysis.access import global_access
from s2sad.analysis.access.assumptions import Assumptions
from s2sad.analysis.access.global_access import Access, Site
from s2sad.ir import Assign, Function, Scalar, Sym, walk
from s2sad.source import Source
from s2sad.transform.normalise.structure_exits import structure

X = "int i = blockIdx.x * blockDim.x + threadIdx.x;"
XY = X + " int j = blockIdx.y * blockDim.y + threadIdx.y;"
PARAMETERS = "const float *x, const float *v, const int *idx, float *y, int n, int w, int h"


def kernel(body: str, parameters: str = PARAMETERS, before: str = "") -> Function:
    text = f'{before}\nextern "C" __global__ void k({parameters})\n{{\n{body}\n}}\n'
    return parse.program(Source("k.cu", text)).kernel


def surveyed(body: str, *assume: str, tail: bool = True, parameters: str = PARAMETERS) -> Access:
    function = kernel(body, parameters)
    return global_access.survey(structure(function) if tail else function, Assumptions.of(assume))


def symbol(found: Access, name: str) -> Sym:
    return next(s for s in found.kernel.syms if s.name == name)


def sites(found: Access, name: str) -> Sequence[Site]:
    """Every read and every store of an array, as the reverse sweep would touch its adjoint."""
    out: list[Site] = []
    for stmt, place in found.facts_.order:
        if place.sym.name != name or not isinstance(place.type, Scalar):
            continue
        stored = isinstance(stmt, Assign) and place == stmt.target
        if stored:
            out.append(Site(stmt, place, "store"))
        if not stored or (isinstance(stmt, Assign) and (stmt.op or place in walk(stmt.value))):
            out.append(Site(stmt, place, "read"))
    return out


def ownership(body: str, *assume: str, array: str = "x", tail: bool = True) -> global_access.Ownership:
    found = surveyed(body, *assume, tail=tail)
    return found.ownership(symbol(found, array), sites(found, array))


WINDOW = "for (int c = max(i - h, 0); c < END; ++c) y[i * n + c] += x[i * n + c];"

DIAGONAL = (
    "int i = threadIdx.x; for (int p = 0; p < 2 * w - 1; ++p) { int j = p - i; "
    "if (i < w && %s) { y[i * w + j] += x[i * w + j]; } __syncthreads(); }"
)

TRIANGLE = X + (
    "if (i >= n) return; float s = 0; for (int r = 0; r < w; ++r) for (int c = 0; c FROM r; ++c) s += x[%s];"
    "y[i] = s;"
)
LOWER, UNDER = TRIANGLE.replace("FROM", "<="), TRIANGLE.replace("FROM", "<")

OWNED = {
    "a packed triangle's rows": LOWER % "i * (w * (w + 1) / 2) + r * (r + 1) / 2 + c",
    "a packed triangle, its size in one product": LOWER % "i * w * (w + 1) / 2 + r * (r + 1) / 2 + c",
    "a packed triangle without its diagonal": UNDER % "i * (w * (w - 1) / 2) + r * (r - 1) / 2 + c",
    "a packed triangle in tetrahedra": LOWER % "i * (w * (w + 1) * (w + 2) / 6) + r * (r + 1) / 2 + c",
    "an anti-diagonal": DIAGONAL % "j >= 0 && j < w",
    "an anti-diagonal of a constant width": DIAGONAL.replace("w", "32") % "j >= 0 && j < 32",
    "a diagonal": DIAGONAL.replace("p - i", "p + i") % "j >= 0 && j < w",
    "saxpy": X + "if (i < n) y[i] = 2 * x[i] + y[i];",
    "a macro for the block size": "int i = blockIdx.x * 64 + threadIdx.x; if (i < n) y[i] = x[i];",
    "a window in the thread's row": X + WINDOW.replace("END", "min(i + h, n)"),
    "a window whose end is a choice": X + WINDOW.replace("END", "(i + h < n ? i + h : n)"),
    "an early return": X + "if (i >= n) return; y[i] = x[i];",
    "unsigned": "unsigned i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = x[i];",
    "64 bits": "size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = x[i];",
    "signed 64 bits": "long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; y[i] = x[i];",
    "in steps": "int b = blockIdx.x; int i = b; i *= blockDim.x; i += threadIdx.x; y[i] = x[i];",
    "one read shifted": X + "if (i < n) y[i] = x[i + 1];",
    "reversed": X + "if (i < n) y[i] = x[n - 1 - i];",
    "2-D": XY + "if (i < w && j < h) y[j * w + i] = x[j * w + i];",
    "2-D without a guard": XY + "y[j * w + i] = x[j * w + i];",
    "2-D by unsigned coordinates": "unsigned i = blockIdx.x * 16 + threadIdx.x,"
    "j = blockIdx.y * 16 + threadIdx.y;"
    "if (i >= w || j >= h) return; y[j * w + i] = x[j * w + i] * x[j * w + i];",
    "2-D, early return": XY + "if (i >= w || j >= h) return; y[j * w + i] = x[j * w + i];",
    "2-D, a flag": XY + "bool in = i < w && j < h; float t = in ? x[j * w + i] : 0;if (in) y[j * w + i] = t;",
    "3-D": XY + "int k = blockIdx.z * blockDim.z + threadIdx.z; if (i >= w || j >= h || k >= n) return;"
    "y[(k * h + j) * w + i] = x[(k * h + j) * w + i];",
    "channels": XY + "int b = blockIdx.z; if (i >= w || j >= h) return; float s = 0;"
    "for (int c = 0; c < n; ++c) s += x[((b * n + c) * h + j) * w + i]; y[(b * h + j) * w + i] = s;",
    "all threads": "int t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);"
    "int b = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);"
    "int i = b * (blockDim.x * blockDim.y * blockDim.z) + t; if (i < n) y[i] = x[i];",
    "grid stride": "for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)"
    " y[i] = x[i] * x[i];",
    "grid stride by while": X + "int s = blockDim.x * gridDim.x; while (i < n) { y[i] = x[i]; i += s; }",
    "grid stride by size_t": "for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;"
    " i += (size_t)gridDim.x * blockDim.x) y[i] = x[i];",
    "two grid strides": X + "float s = 0; for (int k = i; k < n; k += blockDim.x * gridDim.x) s += x[k];"
    "for (int q = i; q < n; q += gridDim.x * blockDim.x) y[q] = s * x[q];",
    "a row per thread": X + "if (i >= n) return; float s = 0; for (int c = 0; c < w;"
    "++c) s += x[i * w + c];"
    "y[i] = s;",
    "a row per thread by while": X + "int c = 0; float s = 0; while (c < w) { s += x[i * w + c];"
    "c++; } y[i] = s;",
    "a row backwards": X + "for (int c = w - 1; c >= 0; --c) y[i * w + c] = x[i * w + c];",
    "a row in twos": X + "float s = 0; for (int c = 0; c + 1 < w;"
    "c += 2) s += x[i * w + c] * x[i * w + c + 1];"
    "y[i] = s;",
    "a row by pieces": X + "float s = 0; for (int k = 0; k < w; k += 4) for (int q = 0; q < 4; ++q)"
    "{ int c = k + q; if (c < w) s += x[i * w + c]; } y[i] = s;",
    "structures of three": X + "if (i < n) y[i] = x[3 * i] * x[3 * i + 1] * x[3 * i + 2];",
    "samples of a ray": X + "if (i >= n) return; float s = 0; for (int k = 0; k < w;"
    "++k) { int q = i * w + k;"
    "s += x[3 * q] + x[3 * q + 1] * x[3 * q + 2]; if (s > 9) break; } y[i] = s;",
    "a column per thread": X + "if (i >= n) return; float s = 0; for (int k = 0; k < w;"
    "++k) s += x[k * n + i];"
    "y[i] = s;",
    "a row per block": "for (int c = threadIdx.x; c < w; c += blockDim.x)"
    " y[blockIdx.x * w + c] = x[blockIdx.x * w + c];",
    "four per thread": X + "for (int k = 0; k < 4; ++k) { int q = i * 4 + k; if (q < n) y[q] = x[q]; }",
    "four per thread, coalesced": "int b = blockIdx.x * blockDim.x * 4 + threadIdx.x;"
    "for (int k = 0; k < 4; ++k) { int q = b + k * blockDim.x; if (q < n) y[q] = x[q]; }",
    "row and column of an index": X + "int r = i / w, c = i % w; if (i < n) y[i] = x[r * w + c];",
    "four coordinates of an index": X + "int c = i % w, r = (i / w) % h, b = i / (w * h);"
    "if (b < n) y[i] = x[(b * h + r) * w + c];",
    "three coordinates of an index, each taken off": X
    + "int p = i, c = p % w; p = (p - c) / w; int r = p % h;"
    "int b = (p - r) / h; if (b < n) y[(b * h + r) * w + c] = x[(b * h + r) * w + c];",
    "periodic": X + "if (i < n) { int e = i < n - 1 ? i + 1 : 0; y[i] = x[e]; }",
    "periodic by if": X + "if (i >= n) return; int e = i + 1; if (e == n) e = 0; y[i] = x[e];",
    "periodic by remainder": X + "if (i < n) y[i] = x[(i + n - 1) % n];",
    "the leader of a block": "if (threadIdx.x == 0) y[blockIdx.x] = x[blockIdx.x];",
    "the first row of threads": X + "if (threadIdx.y == 0) y[i] = x[i];",
    "the first thread": X + "if (i == 0) y[0] = x[0] * x[1];",
    "one thread": "y[0] = x[0] * x[1];",
    "who comes to the last": X + "for (; i < n; i += blockDim.x * gridDim.x) y[i] = x[i];"
    "if (i == n) y[n] = x[n];",
    "only where it is positive": X + "float t = x[i]; if (t > 0) y[i] = t;",
    "where a store is its own": XY + "if (i < w && j < h) y[j * n + i] = x[j * n + i];",
    "a bound test by one comparison": X + "if ((unsigned)i < n) y[i] = x[i];",
    "a softmax, its first element apart": X + "if (i >= n) return; float m = x[i * w];"
    "for (int c = 1; c < w; ++c) m = fmaxf(m, x[i * w + c]);"
    "for (int c = 0; c < w; ++c) y[i * w + c] = x[i * w + c] - m;",
    "the ends of a rod": X + "if (i < n) y[i * w + w - 1] = x[i * w] + x[i * w + w - 1];",
    "a row, periodic": X + "for (int c = 0; c < w; ++c)"
    " y[i * w + c] = x[i * w + c] + x[i * w + (c + 1) % w];",
    "strides in two dimensions": "for (int j = blockIdx.y * blockDim.y + threadIdx.y; j < h; j += gridDim.y"
    " * blockDim.y) for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < w; i += gridDim.x * blockDim.x)"
    " y[j * w + i] = x[j * w + i];",
    "gates of a cell": X + "if (i >= n * w) return; int b = i / w, j = i % w, g = 3 * b * w + j;"
    " y[i] = x[g] * x[g + w] + x[g + 2 * w];",
    "transposed": X + "if (i >= w * h) return; int r = i / w, c = i % w; if (r < h) y[i] = x[c * h + r];",
    "transposed by unsigned sizes": "unsigned i = blockIdx.x * blockDim.x + threadIdx.x, W = w, H = h;"
    "if (i >= W * H) return; unsigned r = i / W, c = i % W; y[i] = x[c * H + r];",
    "a 24-bit product": "int i = __mul24(blockIdx.x, blockDim.x) + threadIdx.x; if (i < n) y[i] = x[i];",
    "lattice": XY + "if (i >= w || j >= h) return; int p = i > 0 ? i - 1 : w - 1,"
    "q = (j < h - 1 ? j + 1 : 0) * w;"
    "y[j * w + i] = x[j * w + i] + x[w * h + j * w + p] + x[2 * w * h + q + p] + x[3 * w * h + q + i];",
}

# A variable that a loop of four iterations sets, and a row of four per thread.
CHOOSES = X + "if (i >= n) return; int e = START; for (int k = 0; k < 4; ++k) SETS y[i] = x[INDEX];"


def chosen(sets: str, start: str = "0", index: str = "i * 4 + e") -> str:
    return CHOOSES.replace("SETS", sets).replace("START", start).replace("INDEX", index)


OWNED |= {
    "an element that a loop chooses": chosen("if (v[i] > k) e = k;"),
    "one that two loops choose": chosen("for (int j = 0; j < w; ++j) if (v[j] > i) e = k;"),
    "one counted from the end": chosen("if (v[i] > k) e = 3 - k;"),
    "one that a condition bounds": chosen("if (v[i] > k && h < 2 && h >= 0) e = k + h;", index="i * 5 + e"),
}

SHARED = {
    "a packed triangle without room for its diagonal": (
        LOWER % "i * (w * (w - 1) / 2) + r * (r + 1) / 2 + c",
        "could not prove",
    ),
    "a packed triangle's rows, one too long": (
        LOWER % "i * (w * (w + 1) / 2) + r * (r + 1) / 2 + c + 1",
        "could not prove",
    ),
    "a triangle by a quotient that leaves a remainder": (
        LOWER % "i * (w * w / 2) + r * (r + 1) / 2 + c",
        "could not prove",
    ),
    "half of a product": (
        X + "if (i < n) y[i] = x[i * (i + 3) / 4];",
        "could not prove",
    ),
    "an anti-diagonal without an end": (DIAGONAL % "j >= 0", "could not prove"),
    "an anti-diagonal without a start": (DIAGONAL % "j < w", "could not prove"),
    "an anti-diagonal that is too long": (DIAGONAL % "j >= 0 && j <= w", "could not prove"),
    "neighbours": (
        X + "if (i > 0 && i < n - 1) y[i] = x[i - 1] + x[i] + x[i + 1];",
        "neighbouring threads share",
    ),
    "two neighbours": (
        X + "if (i > 0) y[i] = x[i - 1] * x[i];",
        "neighbouring threads share x[i - 1] and x[i]",
    ),
    "overlapping structures": (X + "y[i] = x[3 * i] + x[3 * i + 3];", "neighbouring threads share"),
    "a window": (
        X + "float s = 0; for (int k = 0; k < w; ++k) s += x[i + k]; y[i] = s;",
        "uses a different x[i + k]",
    ),
    "one weight": (X + "y[i] = x[0] * i;", "every thread reads x[0]"),
    "weights": (X + "for (int k = 0; k < w; ++k) y[i] += x[k];", "every thread reads the same x[k]"),
    "gamma": (X + "y[i] = x[threadIdx.x];", "every block reads the same x[threadIdx.x]"),
    "a row of 2-D threads": (XY + "if (i < w && j < h) y[j * w + i] = x[i];", "read the same x[i]"),
    "read before one row of threads is left": (
        X + "float t = x[i]; if (threadIdx.y == 0) y[i] = t;",
        "threads that differ only in threadIdx.y",
    ),
    "a gather": (X + "if (i < n) y[i] = x[idx[i]];", "values of idx may repeat"),
    "rows of a sparse matrix": (
        X + "float s = 0; for (int k = idx[i]; k < idx[i + 1]; ++k) s += x[k]; y[i] = s;",
        "ranges given by idx may overlap",
    ),
    "a remainder": (X + "int k = i % 4; y[i] = x[k];", "could not prove"),
    "a variable changed by a remainder": (X + "int k = i; k %= 4; y[i] = x[k];", "could not prove"),
    "a truncating division": (X + "y[i] = x[(i - 2) / 3];", "could not prove"),
    "a narrowing conversion": (X + "unsigned char k = i; y[i] = x[k];", "could not prove"),
    "another narrowing conversion": (X + "y[i] = x[(short)i];", "could not prove"),
    "an unsigned difference": (
        "unsigned i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) y[i] = x[i - 1u];",
        "could not prove",
    ),
    "a halo": (
        XY + "if (i < w && j < h) { int c = i - 1; y[j * w + i] = x[j * w + i] + x[j * w + c]; }",
        "neighbouring threads share",
    ),
    "a halo that leaves the row": (
        XY + "int c = i - 1;if (c < w && j < h) y[j * w + i] = x[j * w + c + i];",
        "",
    ),
    "a pitch of its own": (XY + "if (i < w && j < h) y[j * w + i] = x[j * n + i];", "could not prove"),
    "rows without a bound": (
        X + "int c = 0; do { y[i] += x[i * w + c]; c++; } while (c < w);",
        "could not prove",
    ),
    "a column without a bound": (
        X + "float s = 0; for (int k = 0; k < w; ++k) s += x[k * n + i];y[i] = s;",
        "",
    ),
    "the stride of a block in a grid": (
        X + "for (int k = i; k < n; k += blockDim.x) y[i] += x[k];",
        "could not prove",
    ),
    "a start that isn't the thread's": (
        "for (int k = threadIdx.x; k < n; k += blockDim.x * gridDim.x) y[blockIdx.x * n + k] = x[k];",
        "",
    ),
    "a counter changed in its loop": (
        X + "float s = 0; for (int k = i; k < n; k += blockDim.x * gridDim.x) { s += x[k];"
        "if (s > 2) k += 1; }"
        "y[i] = s;",
        "",
    ),
    "who comes to the last in strides of a block": (
        X + "for (; i < n; i += blockDim.x) ; if (i == n) y[i] = x[n];",
        "",
    ),
    "clamped": (X + "if (i < n) { int p = i == 0 ? 0 : i - 1; y[i] = x[p]; }", "could not prove"),
    "a window that leaves the row": (X + WINDOW.replace("END", "min(i + h, n + 1)"), ""),
    "a window that doesn't end by the row": (X + WINDOW.replace("END", "max(i + h, n)"), ""),
    "clamped by min": (X + "y[i] = x[min(i, n - 1)];", "could not prove"),
    "both periodic neighbours": (X + "if (i < n) y[i] = x[(i + 1) % n] + x[(i + n - 1) % n];", ""),
    "stride zero": (X + "if (i < n) y[i] = x[i * w];", "could not prove"),
    "a triangle that overlaps": (
        X + "float s = 0; for (int k = 0; k <= i; ++k) s += x[i * w + k]; y[i] = s;",
        "could not prove",
    ),
}

# Each of these leaves the row, or isn't known to stay in it.
SHARED |= {
    f"a choice {name}": (body, "could not prove")
    for name, body in {
        "that begins elsewhere": chosen("if (v[i] > k) e = k;", start="4"),
        "in two places": chosen("{ if (v[i] > k) e = k + 1; if (v[i] > 2 * k) e = k; }"),
        "set by a call as well": chosen("{ frexpf(v[i], &e); if (v[i] > k) e = k; }"),
        "that is updated": chosen("if (v[i] > k) e += k;"),
        "that is doubled": chosen("if (v[i] > k) e = 2 * e + 1;"),
        "one behind the row": chosen("if (v[i] > k) e = k + 1;"),
        "of what is loaded": chosen("if (v[i] > k) e = idx[k];"),
        "of what was loaded": chosen("{ int q = idx[k]; if (v[i] > q) e = q; }"),
        "of what may be negative": chosen("if (v[i] > k) e = idx[k];").replace("y[i]", "if (e < 4) y[i]"),
        "of one size": chosen("if (v[i] > k) e = w * k;", index="i + e"),
        "of another variable": chosen("{ if (v[i] > k) e = h; h = k + 1; }"),
        "of an inner counter": chosen("for (int j = k; j < 4; ++j) if (v[i] > j) e = j + k;"),
        "of two variables": (
            X + "if (i >= n) return; int e = 0, f = 0; for (int k = 0; k < 4; ++k) {"
            "if (v[i] > k) e = k; if (v[i] > 2 * k) f = 3 - k; } y[i] = x[i * 4 + e + f];"
        ),
    }.items()
}


@pytest.mark.parametrize("name", OWNED)
@pytest.mark.parametrize("tail", [True, False], ids=["structured", "as written"])
def test_one_thread_owns_each_element(name: str, tail: bool) -> None:
    found = ownership(OWNED[name], tail=tail)
    assert found.how == "owner", found.reason


@pytest.mark.parametrize("name", SHARED)
@pytest.mark.parametrize("tail", [True, False], ids=["structured", "as written"])
def test_several_threads_may_reach_an_element(name: str, tail: bool) -> None:
    body, reason = SHARED[name]
    found = ownership(body, tail=tail)
    assert found.how == "atomic"
    assert reason in found.reason


def test_an_array_that_is_read_and_stored_in_place_is_owned() -> None:
    assert ownership(X + "if (i < n) y[i] = y[i] * y[i];", array="y").how == "owner"


def test_stores_do_not_meet_reads_of_other_threads_but_reads_may_meet() -> None:
    body = X + "if (i > 0 && 2 * i + 1 < n) y[2 * i] = y[2 * i - 1] + y[2 * i + 1];"
    assert ownership(body, array="y").how == "atomic"


def test_an_array_that_is_only_stored_needs_no_increments() -> None:
    found = surveyed(X + "y[i] = x[i];")
    assert found.ownership(symbol(found, "y"), sites(found, "y")).reason == "one thread stores each element"


def test_a_gather_is_owned_if_the_indices_are_said_not_to_repeat() -> None:
    found = ownership(X + "if (i < n) y[i] = x[idx[i] * 3 + 1];", "injective:idx")
    assert found == global_access.Verdict(
        "owner", "one thread per element: values of idx are distinct (assumed)"
    )


def test_a_gather_of_rows_is_owned_if_the_indices_are_said_not_to_repeat() -> None:
    body = X + "float s = 0; for (int c = 0; c < w; ++c) s += x[idx[i] * w + c]; y[i] = s;"
    assert ownership(body, "injective:idx").how == "owner"
    assert ownership(body, "injective:x").how == "atomic"


def test_a_launch_declared_to_be_one_dimensional_needs_no_proof() -> None:
    body = X + "float t = x[i]; if (threadIdx.y == 0) y[i] = t;"
    assert ownership(body, "launch:1d").how == "owner"


def test_a_device_function_that_looks_at_the_thread_is_looked_at() -> None:
    before = "__device__ int part() { return threadIdx.y; }"
    text = f'{before}\nextern "C" __global__ void k({PARAMETERS}) {{ {X} y[i] = x[i] + part(); }}'
    program = parse.program(Source("k.cu", text))
    found = global_access.survey(program.kernel, Assumptions(), program.functions)
    assert found.dimensions == 2
    assert found.ownership(symbol(found, "x"), sites(found, "x")).how == "atomic"


def test_two_threads_that_do_the_same_count_where_there_are_atomics() -> None:
    text = f'extern "C" __global__ void k({PARAMETERS}) {{ {X} atomicAdd(&y[0], x[i]); }}'
    function = parse.program(Source("k.cu", text), dialect="emitted").kernel
    found = global_access.survey(function)
    assert found.dimensions == 3
    assert found.ownership(symbol(found, "x"), sites(found, "x")).how == "atomic"


# ---- stores -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "index"),
    [
        (X + "y[idx[i]] = x[i];", "idx"),
        (X + "i %= 4; y[i] = x[i];", "y"),
        (X + "y[i / 2] = x[i];", "y"),
        (X + "y[0] = x[i];", "y"),
        (X + "y[blockIdx.x] = x[i];", "y"),
        (X + "y[min(i, n - 1)] = x[i];", "y"),
        (XY + "y[i] = x[j * w + i];", "y"),
        (X + "y[(short)i] = x[i];", "y"),
        # what it depends on may differ, and two threads still meet: that wouldn't help
        (X + "y[idx[i] + w * i] = x[i];", "y"),
        (X + "y[idx[i / 2]] = x[i];", "y"),
        (X + "y[idx[i]] = x[i]; y[idx[i] + 1] = x[i];", "idx"),
    ],
)
def test_a_store_that_may_meet_another_is_refused(body: str, index: str) -> None:
    found = surveyed(body)
    problem = found.store_problem(symbol(found, "y"))
    assert problem is not None
    assert problem.code.slug == "shared-writer"
    assert f"--assume injective:{index}" in problem.help
    assert problem.span is not None
    assert problem.span.text.startswith("y[")
    assert surveyed(body, f"injective:{index}").store_problem(symbol(found, "y")) is None


def test_rows_that_begin_where_data_say_are_refused_until_they_are_sorted() -> None:
    body = X + "for (int k = idx[i]; k < idx[i + 1]; ++k) y[k] = x[k];"
    found = surveyed(body)
    problem = found.store_problem(symbol(found, "y"))
    assert problem is not None
    assert problem.code.slug == "shared-writer"
    assert "--assume sorted:idx" in problem.help
    assert surveyed(body, "sorted:idx").store_problem(symbol(found, "y")) is None


def test_a_scatter_is_accepted_if_its_indices_are_said_not_to_repeat() -> None:
    found = surveyed(X + "if (i < n) y[idx[i]] = x[i];", "injective:idx")
    assert found.store_problem(symbol(found, "y")) is None
    assert found.stored_once(symbol(found, "y"))


def test_a_store_affine_in_the_position_is_its_threads_own_and_the_header_says_so() -> None:
    found = surveyed(XY + "if (i < w && j < h) y[j * n + i] = x[j * n + i];")
    assert found.store_problem(symbol(found, "y")) is None
    assert found.assumed() == ("the launch is 2-D", "no two threads store to the same y[j * n + i]")


def test_a_kernel_that_looks_at_one_axis_is_launched_along_it() -> None:
    assert surveyed(X + "y[i] = x[i];").dimensions == 1
    assert surveyed(XY + "y[j * w + i] = x[i];").dimensions == 2
    assert surveyed(XY + "y[(j * w + i) * h + threadIdx.z] = x[i];").dimensions == 3


ONCE = {
    "straight": X + "y[i] = x[i];",
    "in both branches": X + "if (x[i] > 0) y[i] = x[i]; else y[i] = -x[i];",
    "in the cases of a switch": X + "switch (idx[i]) { case 0: y[i] = x[i]; break; default: y[i] = 2; }",
    "parts of a structure": X + "y[2 * i] = x[i]; y[2 * i + 1] = -x[i];",
    "a row": X + "for (int c = 0; c < w; ++c) y[i * w + c] = x[i];",
    "a row unguarded": X + "for (int c = 0; c < w; ++c) y[i * n + c] = x[i];",
    "grid stride": "for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)"
    " y[i] = x[i];",
    "strides in two dimensions": OWNED["strides in two dimensions"],
    "a tile": X + "for (int r = 0; r < 4; ++r) for (int c = 0; c < 4; ++c) y[(i * 4 + r) * 4 + c] = x[i];",
}

TWICE = {
    "two stores": X + "y[i] = x[i]; y[i] = 2 * x[i];",
    "perhaps two stores": X + "y[i] = x[i]; if (x[i] > 0) y[i] = 0;",
    "in a loop": X + "for (int c = 0; c < w; ++c) y[i] = x[i + c];",
    "an outer loop": X + "for (int a = 0; a < h; ++a) for (int c = 0; c < w; ++c) y[i * w + c] = x[i];",
    "a while loop": X + "int c = 0; while (c < w) { y[i * w + c] = x[i]; if (x[c] > 0) c++; }",
    "a read": X + "y[i] = x[i]; y[i + n] = y[i];",
    "an increment": X + "y[i] += x[i];",
    "a read of its own": X + "y[i] = y[i] * x[i];",
    "rows and columns": X + "for (int r = 0; r < 2; ++r) for (int c = 0; c < w;++c) y[i * n + r + c] = x[i];",
    "a remainder": X + "for (int c = 0; c < w; ++c) y[i * 4 + c % 4] = x[i];",
    "two structures": X + "y[i] = x[i]; y[i + n] = -x[i]; y[i + w] = 0;",
}


@pytest.mark.parametrize("name", ONCE)
def test_each_element_is_stored_once(name: str) -> None:
    found = surveyed(ONCE[name])
    assert found.stored_once(symbol(found, "y"))


@pytest.mark.parametrize("name", TWICE)
def test_an_element_may_be_stored_twice_or_read(name: str) -> None:
    found = surveyed(TWICE[name])
    assert not found.stored_once(symbol(found, "y"))


# ---- the rest ---------------------------------------------------------------


def test_facts_show_each_index_and_what_holds_there() -> None:
    (row, _) = surveyed("int i = threadIdx.x; if (i < n) y[i] = x[2 * i + 1];").facts()
    assert (row.line, row.place, row.index) == (4, "x[2 * i + 1]", "2 * threadIdx.x + 1")
    assert row.known == ("-threadIdx.x + n - 1 >= 0",)


def test_two_thousand_statements_take_less_than_a_second() -> None:
    lines = [X, "if (i >= n) return; float s = 0.0f;"]
    for k in range(1000):
        lines.append(f"s = s * x[{k % 40} * n + i] + v[{k % 7}];")
        lines.append(f"if (s > {k}.0f) {{ s = s + x[i]; }}")
    found = kernel("\n".join([*lines, "y[i] = s;"]))
    start = time.process_time()
    surveyed_ = global_access.survey(found)
    assert surveyed_.ownership(symbol(surveyed_, "x"), sites(surveyed_, "x")).how == "owner"
    assert surveyed_.ownership(symbol(surveyed_, "v"), sites(surveyed_, "v")).how == "atomic"
    assert surveyed_.stored_once(symbol(surveyed_, "y"))
    assert time.process_time() - start < 3  # under a second, but for machines that are busy otherwise


def test_a_thousand_outputs_per_thread_are_one_proof() -> None:
    stores = "\n".join(f"y[1000 * i + {c}] = x[1000 * i + {c}];" for c in range(1000))
    start = time.process_time()
    found = surveyed(f"{X} if (i >= n) return;\n{stores}")
    assert found.ownership(symbol(found, "x"), sites(found, "x")).how == "owner"
    assert found.stored_once(symbol(found, "y"))
    assert time.process_time() - start < 10  # parsing included


def test_a_variable_that_three_hundred_branches_change_stays_small() -> None:
    branches = "\n".join(f"if (x[i + {c}] > 0) k = k + {c};" for c in range(300))
    assert ownership(f"{X} int k = 0;\n{branches}\ny[i] = x[k];").how == "atomic"


ROWS = """
int r = blockIdx.x * blockDim.x + threadIdx.x;
if (r >= n) return;
float sum = 0.0f;
for (int k = {}; k < {}; ++k) sum += {};
y[r] = sum;
"""


@pytest.mark.parametrize(
    ("begin", "end", "read", "assume", "owned"),
    [
        ("idx[r]", "idx[r + 1]", "x[k]", "sorted:idx", True),
        ("idx[r]", "idx[r + 1]", "x[k]", "launch:1d", False),
        ("idx[r] + 2", "idx[r + 1]", "x[k]", "sorted:idx", True),
        ("idx[r] - 1", "idx[r + 1]", "x[k]", "sorted:idx", False),
        ("idx[r]", "idx[r + 1] + 1", "x[k]", "sorted:idx", False),
        ("idx[r]", "idx[r + 2]", "x[k]", "sorted:idx", False),
        ("idx[r]", "idx[r + 1]", "x[k] * x[k + 1]", "sorted:idx", False),
        ("idx[r]", "idx[r + 1]", "x[k / 2]", "sorted:idx", False),
        ("idx[r % 2]", "idx[r % 2 + 1]", "x[k]", "sorted:idx", False),
    ],
)
def test_stretches_between_starts_that_never_fall(
    begin: str, end: str, read: str, assume: str, owned: bool
) -> None:
    head = 'extern "C" __global__ void k(const float *x, const int *idx, float *y, int n)'
    text = f"{head}\n{{{ROWS.format(begin, end, read)}}}\n"
    made = s2sad.transform(text, name="k.cu", of="y", wrt="x", assume=[assume])
    (found,) = [a for a in made.plan.accumulations if a.target.startswith("adj_x[")]
    assert (found.how == "owner") == owned, found.reason
