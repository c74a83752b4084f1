"""A chain's file is read as a whole or refused, with all errors at their keys."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import s2sad
from s2sad.chain import Chain
from s2sad.diagnostics import Rejected

KERNEL = """
extern "C" __global__ void step(const float *u, float *next, float rate, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        next[i] = u[i] * (1.0f - rate * u[i]);
}
"""
CHAIN = """
of = ["u"]
wrt = ["u", "rate"]

[args]
steps = 6
n = 10
rate = 0.1
u = { shape = "n", fill = "uniform(0.1, 0.9)" }
v = { shape = "n", fill = "zeros" }

[[step]]
repeat = "steps"
counter = "t"
checkpoints = 2

  [[step.do]]
  launch = "step.cu"
  grid = "(n + block - 1) / block"
  block = 4
  args = { next = "v" }

  [[step.do]]
  swap = ["u", "v"]
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "step.cu").write_text(KERNEL)
    return tmp_path


def written(folder: Path, *changes: tuple[str, str]) -> Path:
    text = CHAIN
    for before, after in changes:
        assert before in text
        text = text.replace(before, after)
    path = folder / "chain.toml"
    path.write_text(text)
    return path


def refused(folder: Path, *changes: tuple[str, str]) -> list[tuple[int, str]]:
    """Return the lines and the titles of what is wrong."""
    path = written(folder, *changes)
    with pytest.raises(Rejected) as caught:
        Chain.from_toml(path).gradient()
    found = caught.value.diagnostics
    return [(d.span.line if d.span else 0, d.title) for d in found]


def line(text: str) -> int:
    return CHAIN.split("\n").index(text) + 1


def test_a_chain_from_a_file_is_the_one_made_in_python(folder: Path) -> None:
    read = Chain.from_toml(written(folder))
    step = s2sad.Launch("step.cu", grid="(n + block - 1) / block", block=4, args={"next": "v"})
    made = Chain(
        [s2sad.Repeat("steps", [step, s2sad.Swap("u", "v")], "t", checkpoints=2)],
        of="u",
        wrt="u, rate",
        folder=folder,
    )
    args = {"u": np.linspace(0.1, 0.9, 10), "v": np.zeros(10), "n": 10, "steps": 6, "rate": 0.1}
    one, other = read.gradient({"u": args["u"]}), made.gradient(args)
    assert one.loops == other.loops
    assert one.gradients["rate"].shape == ()
    for name in ("u", "rate"):
        np.testing.assert_array_equal(one.gradients[name].astype(np.float32), other.gradients[name])


def test_an_argument_isnt_modified_and_its_type_is_kept(folder: Path) -> None:
    chain = Chain.from_toml(written(folder))
    u = np.linspace(0.1, 0.9, 10, dtype=np.float32)
    before = u.copy()
    found = chain.gradient({"u": u})
    np.testing.assert_array_equal(u, before)
    assert found.outputs["u"].dtype == found.gradients["u"].dtype == np.float32


def test_seeds_may_depend_on_the_outputs(folder: Path) -> None:
    chain = Chain.from_toml(written(folder))
    end = chain.run()["u"]
    one = chain.gradient(seeds=lambda outputs: {"u": 2.0 * outputs["u"]})
    other = chain.gradient(seeds={"u": 2.0 * end})
    np.testing.assert_array_equal(one.gradients["u"], other.gradients["u"])


def test_sizes_follow_the_numbers_that_are_given(folder: Path) -> None:
    assert Chain.from_toml(written(folder)).gradient({"n": 7}).outputs["u"].shape == (7,)


def test_a_number_of_bytes_is_a_number_of_checkpoints(folder: Path) -> None:
    chain = Chain.from_toml(written(folder, ("checkpoints = 2", 'bytes = "0.25 kB"')))
    (loop,) = chain.gradient().loops
    assert loop.checkpoint_bytes == 80
    assert loop.checkpoints == 3
    assert loop.forward_steps == loop.expected


@pytest.mark.parametrize(
    ("before", "after", "at", "title"),
    [
        ('of = ["u"]', 'of = ["w"]', 'of = ["u"]', "of: no launch uses an array w"),
        ('of = ["u"]', 'off = ["u"]', 'of = ["u"]', "unknown key off in a chain"),
        ('repeat = "steps"', 'repeat = "steps +"', 'repeat = "steps"', "step.0.repeat: expected a number or"),
        ("checkpoints = 2", 'checkpoints = 2\nbytes = "1 MB"', "", "step.0.bytes: checkpoints and bytes"),
        ("checkpoints = 2", 'bytes = "many"', "checkpoints = 2", "step.0.bytes: 'many' isn't a number of"),
        ("checkpoints = 2", "checkpoints = 0", "", "step.0.checkpoints: at least one checkpoint is needed"),
        ("checkpoints = 2", 'bytes = "8 B"', "", "step.0.bytes: one checkpoint takes 80 bytes, not 8"),
        ("checkpoints = 2", 'scratch = ["w"]', "checkpoints = 2", "step.0.scratch: w isn't an array of"),
        ('{ next = "v" }', '{ next = "v", m = 1 }', "", "step.0.do.0.args.m: step has no parameter m"),
        (
            '{ next = "v" }',
            '{ next = "u" }',
            "",
            "step.0.do.0.args.next: step gets u twice, as u and as next",
        ),
        ('{ next = "v" }', '{ next = "v[1 : n]" }', "", None),
        ('{ next = "v" }', '{ next = "v[1 : n + 1]" }', "", "step.0.do.0.args.next: elements 1 to 11 of v"),
        ('{ next = "v" }', '{ next = "u[0 : n]" }', "", "step.0.do.0.args.next: u[0 : n] overlaps with u,"),
        ('{ next = "v" }', '{ next = "v[n]" }', "", "step.0.do.0.args.next: a part of an array is written"),
        ('{ next = "v" }', "{ next = 1 }", "", "step.0.do.0.args.next: step takes an array of float here"),
        ('"step.cu"', '"stop.cu"', "", "cannot read "),
        ("  block = 4\n", "", "", "block is missing"),
        ('swap = ["u", "v"]', 'swap = ["u"]', '  swap = ["u", "v"]', "step.0.do.1.swap: expected the names"),
        ('swap = ["u", "v"]', 'swap = ["u", "n"]', "", "args.n: n is an array in one place and a number in"),
        ('v = { shape = "n"', 'v = { shape = "n + 1"', "", "args.u: it is swapped with v, but has shape"),
        ("rate = 0.1\n", "", "", "the number rate of float is missing"),
        ('  launch = "step.cu"', '  launch = "step.cu"\n  speed = 1', "", "unknown key speed beside launch"),
    ],
)
def test_what_is_wrong_is_said_at_its_key(
    folder: Path, before: str, after: str, at: str, title: str | None
) -> None:
    found = refused(folder, (before, after))
    if title is not None:
        assert [one for one in found if one[1].startswith(title)], found
        assert "\n" not in title
    if at:
        assert line(at) in {one[0] for one in found}


def test_a_gradient_in_a_process_of_its_own_is_the_same(folder: Path) -> None:
    chain = Chain.from_toml(written(folder))
    one, other = chain.gradient(), chain.gradient(isolated=True)
    np.testing.assert_array_equal(one.gradients["u"], other.gradients["u"])


def test_a_struct_is_refused_by_name(folder: Path) -> None:
    text = "struct P { float a; int n; };\n" + KERNEL.replace("float rate, int n", "P p")
    text = text.replace("rate *", "p.a *").replace("i < n", "i < p.n")
    (folder / "step.cu").write_text(text)
    (found,) = refused(folder)
    assert found == (
        line('  launch = "step.cu"'),
        "step.0.do.0.launch: step takes the struct p, which a chain can't pass yet",
    )


def test_all_errors_are_found_at_once_and_in_the_right_step(folder: Path) -> None:
    second = '\n[[step]]\nlaunch = "step.cu"\ngrid = 1\nblock = "m *"\nargs = { next = "v", x = 1 }\n'
    path = written(folder, ('swap = ["u", "v"]\n', 'swap = ["u", "v"]\n' + second))
    with pytest.raises(Rejected) as caught:
        Chain.from_toml(path)
    lines = path.read_text().split("\n")
    spans = {lines[d.span.line - 1] for d in caught.value.diagnostics if d.span}
    assert spans == {'block = "m *"', 'args = { next = "v", x = 1 }'}
