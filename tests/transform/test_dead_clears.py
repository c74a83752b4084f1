"""Which zeros of local arrays are written: those that somebody comes back to."""

from __future__ import annotations

import re

import pytest

import s2sad

HEAD = """\
extern "C" __global__ void k(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double v[4];
"""


@pytest.mark.parametrize(
    ("body", "cleared"),
    [
        # each iteration keeps to its own element, and nothing is behind the loop
        (
            "for (int d = 0; d < 4; ++d) v[d] = x[4 * i + d];"
            " for (int d = 0; d < 4; ++d) y[4 * i + d] = v[d] * v[d];",
            0,
        ),
        # the next iteration comes back to the element of the one before
        ("v[0] = x[i]; for (int d = 1; d < 4; ++d) v[d] = v[d - 1] * x[i + d]; y[i] = v[3];", 1),
        # stored twice: the zero of the later store is what the earlier one begins with
        (
            "for (int d = 0; d < 4; ++d) v[d] = x[4 * i + d]; v[2] = x[i] * x[i]; y[i] = v[1] * v[2] * v[3];",
            1,
        ),
        # elements of other numbers
        ("v[0] = x[i]; v[1] = x[i] * v[0]; v[2] = sin(v[1]); y[i] = v[0] * v[1] * v[2];", 0),
        # pairs, each iteration's own
        (
            "double s = 0.0; for (int d = 0; d < 2; ++d) { v[2 * d] = x[i + d];"
            " v[2 * d + 1] = x[i] * x[i];"
            " s += v[2 * d] * v[2 * d + 1]; } y[i] = s;",
            0,
        ),
        # pairs that overlap: the next iteration stores the second element again
        (
            "double s = 0.0; for (int d = 0; d < 3; ++d) { v[d] = x[4 * i + d]; v[d + 1] = x[i] * x[i];"
            " s += v[d] * v[d + 1]; } y[i] = s;",
            2,
        ),
        # an element of the outer loop's number, which the inner loop comes back to
        (
            "double s = 0.0; for (int r = 0; r < 4; ++r) for (int d = 0; d < 3; ++d) { v[r] = x[4 * i + d];"
            " s += 2.0 * v[r]; } y[i] = s;",
            1,
        ),
        # all iterations of the outer loop use the same elements
        (
            "double s = 0.0; for (int r = 0; r < n; ++r) { for (int d = 0; d < 4; ++d) v[d] = x[4 * r + d];"
            " for (int d = 0; d < 4; ++d) s += v[d] * v[3 - d]; } y[i] = s;",
            1,
        ),
    ],
)
def test_a_zero_is_written_only_for_who_reads_it(body: str, cleared: int) -> None:
    made = s2sad.transform(f"{HEAD}{body}\n}}\n", name="k.cu", of="y", wrt="x")
    assert len(re.findall(r"adj_v\[.*\] = 0\.0;", made.source)) == cleared, made.source
