"""Chains are read from plain host code; what isn't plain is refused at its place."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from s2sad.chain import Chain, Launch, Repeat, Swap
from s2sad.chain.chain import from_host_code
from s2sad.diagnostics import Rejected

KERNELS = """
__global__ void step(const double *u, double *next, double rate, int width)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < width)
        next[i] = u[i] * (1.0 - rate * u[i]);
}
__global__ void scale(double *x, double a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] *= a;
}
"""
BODY = """
    double *buffer = 0;
    cudaMalloc((void **)&buffer, width * sizeof(double));
    const int side = 8;  // step<<<1, 1>>>(…) isn't code
    int half = width / 2;
    dim3 grid((width + side - 1) / side);
    for (int t = 0; t < steps; ++t) {
        int rest = half - t;
        step<<<grid, side>>>(u, v, rate, width);
        for (int s = 0; s < t; s++)
            scale<<<dim3(1), dim3(side, 1), 0>>>(v, 0.5, rest);
        std::swap(u, v);
        cudaDeviceSynchronize();
    }
    scale<<<1, 64>>>(u, -2.0, half);
    swap(u, v);
    cudaFree(buffer);
"""


def file(folder: Path, body: str = BODY) -> str:
    head = "void simulate(double *u, double *v, double rate, int width, int steps)"
    path = folder / "simulate.cu"
    path.write_text(f"{KERNELS}\n{head}\n{{{body}}}\nint main() {{ return 0; }}\n", encoding="utf-8")
    return str(path)


def test_a_chain_is_what_the_host_does(tmp_path: Path) -> None:
    text = from_host_code(file(tmp_path), ["v"], ["u", "rate"])
    assert 'of = ["v"]\nwrt = ["u", "rate"]\n' in text
    path = tmp_path / "simulate.toml"
    path.write_text(text, encoding="utf-8")
    chain = Chain.from_toml(path)
    loop, last, swap = chain.steps
    assert isinstance(loop, Repeat)
    assert isinstance(last, Launch)
    assert (loop.count, loop.counter, swap) == ("steps", "t", Swap("u", "v"))
    step, inner, exchange = loop.do
    assert exchange == Swap("u", "v")
    assert isinstance(step, Launch)
    assert (step.grid, step.block, dict(step.args)) == ("(width + 8 - 1) / 8", 8, {"next": "v"})
    assert isinstance(inner, Repeat)
    assert (inner.count, inner.counter) == ("t", "s")
    (scale,) = inner.do
    assert isinstance(scale, Launch)
    assert (scale.grid, scale.block) == (1, [8, 1])
    assert scale.args == {"x": "v", "a": 0.5, "n": "((width / 2) - t)"}
    assert last.args == {"x": "u", "a": -2.0, "n": "(width / 2)"}
    u = np.linspace(0.1, 0.9, 20)
    args = {"u": u, "v": 0.0 * u, "rate": 0.1, "width": 20, "steps": 3}
    expected = u.copy()
    for t in range(3):
        expected = expected * (1.0 - 0.1 * expected)
        expected[: min(8, 10 - t)] *= 0.5**t
    expected[:10] *= -2.0
    np.testing.assert_allclose(chain.run(args)["v"], expected)


def test_without_names_all_that_is_written_depends_on_all_that_is_read(tmp_path: Path) -> None:
    text = from_host_code(file(tmp_path))
    assert 'of = ["u", "v"]\nwrt = ["u", "v"]\n' in text
    assert '# u = { shape = 1, fill = "normal" }' in text
    assert "# steps = 1\n" in text


def test_a_number_that_changes_before_the_first_launch_is_taken_as_it_is_there(tmp_path: Path) -> None:
    text = from_host_code(file(tmp_path, BODY.replace("dim3 grid", "half += 1;\n    dim3 grid")))
    assert 'args = { x = "u", a = -2.0, n = "half" }' in text
    text = from_host_code(file(tmp_path, BODY.replace("dim3 grid", "width += 1;\n    dim3 grid")))
    assert 'args = { x = "u", a = -2.0, n = "half" }' in text


@pytest.mark.parametrize(
    ("before", "after", "title"),
    [
        (
            "std::swap(u, v);",
            "cudaMemcpy(u, v, 8, cudaMemcpyDeviceToDevice);",
            "this can't be part of a chain",
        ),
        ("std::swap(u, v);", "half = 3;", "this can't be part of a chain"),
        ("std::swap(u, v);", "if (t > 2) break;", "this can't be part of a chain"),
        ("++t", "t += 2", "this loop isn't one over steps from 0"),
        ("t < steps", "t <= steps", "this loop isn't one over steps from 0"),
        ("int t = 0", "int t = 1", "this loop isn't one over steps from 0"),
        ("(u, v, rate, width)", "(u + 1, v, rate, width)", "the end of this part of an array isn't known"),
        ("(u, v, rate, width)", "(u, v, rate)", "step takes 4 arguments, not 3"),
        ("scale<<<1, 64>>>", "if (steps) scale<<<1, 64>>>", "this launch isn't plain"),
        ("    swap(u, v);", "    for (int i = 0; i < 3; ++i) swap(u, v);", "this swap isn't plain"),
        ("(width + side - 1) / side", "ceil(width / 8.0)", "ceil(width / 8.0): "),
    ],
)
def test_what_isnt_plain_is_refused_at_its_place(tmp_path: Path, before: str, after: str, title: str) -> None:
    assert before in BODY
    path = file(tmp_path, BODY.replace(before, after, 1))
    with pytest.raises(Rejected) as caught:
        from_host_code(path)
    (found,) = caught.value.diagnostics
    assert found.title.startswith(title)
    assert found.span is not None
    assert found.span.source.name == path


def test_a_file_of_several_functions_needs_a_name(tmp_path: Path) -> None:
    path = Path(file(tmp_path))
    more = "void other(double *u) { scale<<<1, 4>>>(u, 1.5, 3); }\n"
    path.write_text(path.read_text(encoding="utf-8") + more, encoding="utf-8")
    with pytest.raises(Rejected, match="several functions launch kernels: simulate, other"):
        from_host_code(str(path))
    assert 'args = { x = "u", a = 1.5, n = 3 }' in from_host_code(str(path), function="other")
