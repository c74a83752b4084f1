"""Who adds to which element of shared memory, and what a store to it says of the thread."""

from __future__ import annotations

import pytest

import s2sad

HEAD = """\
#define BLOCK 32
extern "C" __global__ void k(const float *x, const int *c, float *y, int n)
{
    __shared__ float s[BLOCK];
    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
"""
FILLED = "s[t] = i < n ? x[i] : 0.0f; __syncthreads();"


def how(body: str, array: str) -> set[str]:
    """How the adjoint of an array is added up."""
    made = s2sad.transform(f"{HEAD}{body}\n}}\n", name="k.cu", of="y", wrt="x")
    return {a.how for a in made.plan.accumulations if a.target.startswith(f"adj_{array}[")}


# A tree whose stride nobody knows to be other than zero: two threads that read one
# element would store one, too.
TREE = """
for (int d = 1; d < BLOCK; d *= 2) {{
    __syncthreads();
    int k = (t + 1) * d * 2 - 1;
    if (k < BLOCK) {{ {} }}
}}
__syncthreads();
if (i < n) y[i] = s[t];
"""


@pytest.mark.parametrize(
    ("statements", "plain"),
    [
        ("s[k] += s[k - d];", True),
        ("float v = s[k - d]; s[k] = v * s[k];", True),
        ("float v = s[k - d]; if (c[i] > 0) s[k] += v;", False),  # not every reader stores
        ("float v = s[k - d]; __syncwarp(); s[k] += v;", True),
        ("s[k] += s[(k - d) * c[0] % BLOCK];", False),  # what is read has another stride
        ("s[k] += s[(k - d + c[t]) % BLOCK];", False),
    ],
)
def test_readers_that_would_store_one_element_if_they_read_one(statements: str, plain: bool) -> None:
    assert ("atomic" not in how(FILLED + TREE.format(statements), "s")) == plain


def test_a_barrier_between_the_read_and_the_store_lets_them_meet() -> None:
    parted = "float v = 0.0f; if (k < BLOCK) v = s[k - d]; __syncthreads(); if (k < BLOCK) s[k] += v;"
    tree = TREE.replace("if (k < BLOCK) {{ {} }}", "{}")
    assert "atomic" in how(FILLED + tree.format(parted), "s")


READ = "float v[4]; for (int d = 0; d < 4; ++d) v[d] = i < n ? x[i * 4 + d] : 0.0f;"
USE = "if (i < n) for (int d = 0; d < 4; ++d) y[i + d * n] = v[d] * v[d] * s[t];"
LOOP = "for (int j = 0; j < n; j += BLOCK) {{ {} }}"


@pytest.mark.parametrize(
    ("filled", "plain"),
    [
        ("s[t] = 1.0f; __syncthreads();", True),
        ("if (n > 0) s[t] = 1.0f; __syncthreads();", True),  # n > i >= 0 wherever x is read
        ("if (n > 40) s[t] = 1.0f; __syncthreads();", False),
        (LOOP.format("s[t] = j; __syncthreads();"), True),
        (LOOP.format("if (j + t < n) s[t] = j; __syncthreads();"), True),  # in the first round
        (LOOP.format("if (j > 0) s[t] = j; __syncthreads();"), False),
        (LOOP.format("if (c[j] > 0) continue; s[t] = j;"), False),
        ("for (int j = 3; j < n; ++j) s[t] = j; __syncthreads();", False),
        ("for (int j = 0; j < 4; ++j) s[t] = j; __syncthreads();", True),
    ],
)
def test_a_store_to_shared_memory_bounds_the_block_for_those_who_make_it(filled: str, plain: bool) -> None:
    """With more than BLOCK threads in a block, two of them would have the same i."""
    assert ("atomic" not in how(filled + READ + USE, "x")) == plain


@pytest.mark.parametrize(
    ("stored", "plain"),
    [
        ("for (int k = 0; k < 4; ++k) y[i * 4 + k] = v[k] * v[k];", True),
        ("for (int k = 0; k < 5; ++k) y[i * 4 + k] = v[k % 4];", True),  # more than are read
        ("for (int k = 0; k < 3; ++k) y[i * 4 + k] = v[k] * v[k + 1];", False),  # not x[4 * i + 3]
        ("for (int k = 0; k < 4; ++k) if (c[k] > 0) y[i * 4 + k] = v[k] * v[k];", False),
        ("for (int k = 0; k < 4; ++k) { if (c[k] > 0) break; y[i * 4 + k] = v[k] * v[k]; }", False),
        ("for (int k = 0; k < 4; ++k) y[i + k * n] = v[k] * v[k];", False),
        ("for (int k = 3; k >= 0; --k) y[i * 4 + k] = v[k] * v[k];", False),  # true, but not found
    ],
)
def test_each_element_of_a_row_is_read_by_who_stores_its_like(stored: str, plain: bool) -> None:
    """In a block of any size two threads may have one i, but for the race that this would be."""
    read = "float v[4]; for (int d = 0; d < 4; ++d) v[d] = i < n ? c[t] * x[i * 4 + d] : 0.0f;"
    assert ("atomic" not in how(f"{read} if (i < n) {stored}", "x")) == plain


STRETCH = """
float sum = 0.0f;
for (int first = 0; first < n; first += BLOCK) {{
    {}
    __syncthreads();
    {}
    __syncthreads();
}}
if (i < n) y[i] = sum;
"""
STORED = "if (first + t < n) s[t] = x[first + t];"
SUMMED = "for (int k = 0; k < BLOCK && first + k < n; ++k) sum += s[k] * s[k];"


@pytest.mark.parametrize(
    ("store", "read", "anew"),
    [
        (STORED, SUMMED, True),
        (STORED, "for (int k = 0; k < BLOCK; ++k) if (first + k < n) sum += s[k] * s[k];", True),
        (STORED, "if (first + t < n) sum += s[t] * s[t];", True),
        (STORED, "if (first + t + 1 < n && t + 1 < BLOCK) sum += s[t + 1] * s[t];", True),
        # what the last stretch doesn't store is there from the one before
        (STORED, "for (int k = 0; k < BLOCK; ++k) sum += s[k] * s[k];", False),
        (STORED, "if (first + t < n && t + 1 < BLOCK) sum += s[t + 1] * s[t];", False),
        ("if (first + t < n - 1) s[t] = x[first + t];", SUMMED, False),
        ("if (c[first + t] > 0) s[t] = x[first + t];", SUMMED, False),
        ("if (first + t < n && t > 3) s[t] = x[first + t];", SUMMED, False),
    ],
)
def test_a_stretch_that_may_be_short_is_filled_anew_if_no_more_is_read(
    store: str, read: str, anew: bool
) -> None:
    text = f"{HEAD}{STRETCH.format(store, read)}}}\n"
    made = s2sad.transform(text, name="k.cu", of="y", wrt="x")
    assert ("tape_s" not in made.source) == anew
