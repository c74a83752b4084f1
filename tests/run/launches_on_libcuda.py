"""Launch a kernel through cuda-bindings on the libcuda of libcuda.c; test_nvrtc.py knows what it says."""

from __future__ import annotations

import numpy as np

from s2sad.run.backend import BackendUnavailable, LaunchFailed
from s2sad.run.registry import find
from s2sad.signature import Argument, Layout, Signature

TEXT = """\
struct Factor { float by; long long more; };
__global__ void scale(const float *x, float *y, Factor factor, bool twice, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = (twice ? 2 : 1) * factor.by * x[i] + factor.more;
}
"""
KERNEL = Signature(
    "scale",
    (
        Argument("x", "float", True, const=True),
        Argument("y", "float", True, written=True),
        Argument(
            "factor",
            "Factor",
            False,
            layout=Layout("Factor", (("by", "float", ()), ("more", "long long", ()))),
        ),
        Argument("twice", "bool", False),
        Argument("n", "int", False),
    ),
).leaves


def main() -> None:
    try:
        backend = find("cuda")
    except BackendUnavailable as error:
        print("BackendUnavailable", error)
        return
    print(getattr(backend, "about", ""))
    module = backend.compile(TEXT, [KERNEL])
    x, y = np.arange(5, dtype=np.float32), np.zeros(5, np.float32)
    args = {"x": x, "y": y, "factor.by": 3.0, "factor.more": 10, "twice": True, "n": 5}
    for shared in (0, 100_000):
        module.launch(KERNEL, (2, 1, 1), (4, 1, 1), args, shared)
        print(y.tolist())
    for n, shared in ((-1, 0), (5, 300_000)):
        try:
            module.launch(KERNEL, (2, 1, 1), (4, 1, 1), {**args, "n": n}, shared)
        except LaunchFailed as error:
            print("LaunchFailed", error)


main()
