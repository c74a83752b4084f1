"""Small kernels around a loop, transformed and checked."""

from __future__ import annotations

from s2sad.options import Mode, Options
from s2sad.pipeline import transform
from s2sad.run.backend import Backend
from s2sad.source import Source
from s2sad.validate import Case, check_pair

KERNEL = """\
// s2sad: --of y --wrt x,c
extern "C" __global__ void k(const float *x, const float *c, float *y, int K, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    %s
}
"""
CASE = """\
[launch]
grid = "(n + 15) / 16"
block = 16
[args]
n = 37
K = 7
x = { shape = "n", fill = "normal" }
c = { shape = "K", fill = "normal" }
y = { shape = "n", fill = "zeros" }
"""
EMPTY = """\
[[also]]
args = { K = 0, c = { shape = 1, fill = "normal" } }
"""


def emitted(loop: str, mode: Mode = "joint") -> str:
    """Return the adjoint of a kernel with that text in its body."""
    return transform(Source("k.cu", KERNEL % loop), Options(mode=mode)).text


def judged(loop: str, backend: Backend, mode: Mode = "joint", empty: bool = True) -> str:
    """Return the adjoint, after checking it on a case; `empty`: also where K is zero."""
    done = transform(Source("k.cu", KERNEL % loop), Options(mode=mode))
    case = Case.parse(CASE + (EMPTY if empty else ""), done.pair.primal)
    report = check_pair(done.pair, case, backend, tolerance=1e-7)
    assert report.ok, report.text()
    return done.text


def entries(text: str) -> dict[str, str]:
    """Parse texts, each after a line with its name and a colon."""
    found: dict[str, str] = {}
    name = ""
    for line in text.strip("\n").splitlines():
        if line.endswith(":") and not line.startswith(" "):
            name = line[:-1]
            found[name] = ""
        else:
            found[name] += f"{line}\n"
    return found
