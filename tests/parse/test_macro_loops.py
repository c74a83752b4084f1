"""Loops over the grid that a macro writes: from the file, from a header, from the command line."""

from __future__ import annotations

from pathlib import Path

import pytest
from front import refusal

from s2sad import options, parse
from s2sad.ir import For, Program
from s2sad.source import Source

KERNEL = """
__global__ void scale(const float *x, float *y, int n)
{
    CUDA_KERNEL_LOOP(i, n)
    {
        y[i] = 2.0f * x[i];
    }
}
"""
DEFINED = (
    "CUDA_KERNEL_LOOP(i, n)=for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < (n); "
    "i += blockDim.x * gridDim.x)"
)


def is_loop(program: Program) -> bool:
    (loop,) = program.kernel.body
    return isinstance(loop, For) and len(loop.body) == 1


def test_the_way_out_of_the_refusal_works() -> None:
    found = refusal(KERNEL)
    assert found.code.slug == "unknown-macro"
    assert "--define 'CUDA_KERNEL_LOOP(i, n)=…'" in found.help
    assert is_loop(parse.program(Source("k.cu", KERNEL), defines=dict([options.define(DEFINED)])))


@pytest.mark.parametrize("quote", ['"loops.h"', "<loops.h>"])
def test_a_header_that_is_found_defines_it(quote: str, tmp_path: Path) -> None:
    name, _, value = DEFINED.partition("=")
    (tmp_path / "loops.h").write_text(f"#pragma once\n#define {name} \\\n    {value}\n")
    text = f"#include {quote}\n{KERNEL}"
    assert is_loop(parse.program(Source(str(tmp_path / "k.cu"), text), includes=[tmp_path]))
