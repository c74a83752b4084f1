"""`--forward LINE` and `--reverse LINE`: the gradient is right both ways; what can't be done is an error."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from s2sad.diagnostics import Code, Rejected
from s2sad.options import Options, Unclear, command, line_of, of_command
from s2sad.pipeline import Transformed, explained, transform
from s2sad.run.backend import Backend
from s2sad.run.isolated import Isolated
from s2sad.source import Source
from s2sad.validate import Case, check_pair

HEAD = """\
__global__ void k(const float *a, const float *b, const float *c, float p, float q, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float s = a[i], u = b[i], v = c[i];
"""
CASE = """\
[launch]
grid = 2
block = 16

[args]
n = 29
a = { shape = 29, fill = "uniform(0.2, 0.6)" }
b = { shape = 29, fill = "uniform(0.1, 0.4)" }
c = { shape = 29, fill = "uniform(0.1, 0.4)" }
p = 0.3
q = 0.2
y = { shape = 29, fill = "zeros" }
"""
LINE = 6
# By itself: carried, if few tangents are enough. Each can be done both ways.
BOTH = {
    "one input": ("for (int t = 0; t < 9; ++t) s = sinf(s) * u;", True),
    "three inputs": ("for (int t = 0; t < 9; ++t) s = s * s * u + v * s + u;", False),
    "numbers": ("for (int t = 0; t < 9; ++t) s = cosf(s) * p + q * s * u + v;", False),
    "until a number": ("while (s > 0.05f) s = s * (0.5f + 0.1f * u * s + 0.1f * v * s * s);", False),
    "a number of iterations of its own": ("for (int t = 0; t < i % 7; ++t) s = s * s * u + v * s;", False),
}


@pytest.fixture(scope="module")
def backend() -> Iterator[Backend]:
    with Isolated("cpu", timeout=60.0) as isolated:
        yield isolated


def made(body: str, **how: tuple[int, ...]) -> Transformed:
    text = f"{HEAD}    {body}\n    y[i] = s;\n}}\n"
    return transform(Source("k.cu", text), Options(of=("y",), wrt=("a", "b", "c", "p", "q"), **how))  # type: ignore[arg-type]


def is_carried(done: Transformed) -> bool:
    return any(d.where == "tangents carried forward" for d in done.adjoint.plan.decisions)


@pytest.mark.parametrize("name", BOTH)
def test_the_gradient_is_right_both_ways(name: str, backend: Backend, tmp_path: Path) -> None:
    body, _ = BOTH[name]
    (tmp_path / "k.toml").write_text(CASE)
    for carried, done in ((True, made(body, forward=(LINE,))), (False, made(body, reverse=(LINE,)))):
        assert is_carried(done) is carried
        assert ("carried forward" in done.text) is carried
        report = check_pair(done.pair, Case.read(tmp_path / "k.toml", done.pair.primal), backend)
        assert report.ok, report.text()


@pytest.mark.parametrize("name", BOTH)
def test_by_itself_the_cheaper_way_is_taken_and_explain_shows_the_other(name: str) -> None:
    body, carried = BOTH[name]
    done = made(body)
    assert is_carried(done) is carried
    other = [d.other for d in done.adjoint.plan.decisions if d.line == LINE and d.value == "s"]
    assert any(f"--{'reverse' if carried else 'forward'} {LINE}" in text for text in other), other
    assert f"--{'reverse' if carried else 'forward'} {LINE}" in explained(done)


@pytest.mark.parametrize(
    ("body", "how", "said"),
    [
        ("for (int t = 0; t < 9; ++t) { s = s * u; u = u * s + v; }", "forward", "several states"),
        ("for (int t = 0; t < 9; ++t) s = s * s > 0.1f ? s * s * u : s * v;", "forward", "under a condition"),
        ("for (int t = 0; t < 9; ++t) s = s + u;", "forward", "it records nothing"),
    ],
)
def test_what_cannot_be_carried_is_an_error(body: str, how: str, said: str) -> None:
    with pytest.raises(Rejected) as refused:
        made(body, **{how: (LINE,)})
    (found,) = refused.value.diagnostics
    assert found.code is Code.OPTION_WITHOUT_EFFECT
    assert said in found.label


@pytest.mark.parametrize("how", ["forward", "reverse"])
def test_a_line_without_a_loop_is_an_error(how: str) -> None:
    with pytest.raises(Rejected) as refused:
        made(BOTH["one input"][0], **{how: (3,)})
    (found,) = refused.value.diagnostics
    assert found.code is Code.USAGE
    assert f"--{how} 3: no loop starts in line 3" in found.title


def test_what_is_done_anyway_may_be_asked_for() -> None:
    body, _ = BOTH["one input"]
    assert made(body, forward=(LINE,)).adjoint.kernel == made(body).adjoint.kernel or is_carried(made(body))
    assert not is_carried(made("for (int t = 0; t < 9; ++t) s = s + u;", reverse=(LINE,)))


def test_the_command_says_it() -> None:
    options = Options(of=("y",), wrt=("a",), forward=(7, 12), reverse=(9,))
    said = command("transform", "k.cu", options)
    assert said == "s2sad transform k.cu --of y --wrt a --forward 7 --forward 12 --reverse 9"
    assert of_command(said) == options


@pytest.mark.parametrize("text", ["", "0", "x", "-1", "1.5"])
def test_a_line_is_a_number(text: str) -> None:
    with pytest.raises(Unclear, match="isn't a line"):
        line_of(text)
