"""An adjoint's parameter promises no more and no less about overlap than its array's parameter."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from s2sad import transform

KERNEL = """
extern "C" __global__ void scale(const %(type)s *%(mark)sv, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = v[i]%(field)s * v[i]%(field)s;
}
"""


@pytest.mark.parametrize("mark", ["", "__restrict__ "])
@pytest.mark.parametrize(("type_", "field"), [("float", ""), ("float3", ".y"), ("double2", ".x")])
def test_an_adjoint_is_restrict_where_its_array_is(tmp_path: Path, mark: str, type_: str, field: str) -> None:
    file = tmp_path / "scale.cu"
    file.write_text(KERNEL % {"type": type_, "mark": mark, "field": field}, encoding="utf-8")
    text = transform(file, of=["y"], wrt=["v"]).source
    assert re.search(rf"[ (]{type_} \*{mark}adj_v\b", text)
