"""What the host's size functions say, by the names that they have for things."""

from __future__ import annotations

import s2sad

TURNS = """\
struct Dims { int n; int steps; };
extern "C" __global__ void turns(float *x, float *y, const Dims block)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= block.n) return;
    for (int j = 0; j < block.n; ++j)
        for (int s = 0; s < block.steps; ++s) {
            y[i * block.n + j] = x[i * block.n + j] * x[i * block.n + j];
            x[i * block.n + j] = sinf(y[i * block.n + j]);
        }
}
"""


def test_a_field_of_the_authors_isnt_the_launchs() -> None:
    made = s2sad.transform(TURNS, name="turns.cu", of=["x", "y"], wrt="x").source
    assert "turns_adj_tape_bytes(dim3 grid, dim3 block_, const Dims block)" in made
    assert "block.steps > 0 ? block.steps : 0" in made
    assert "grid.z * block_.x" in made
