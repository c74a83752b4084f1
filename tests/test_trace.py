"""Traces: recorded values are those of the plain kernels; rows, tables and pages say what a thread did."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, partial
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from golden_kit import file, fresh
from test_cli import Shell, s2sad  # noqa: F401

import s2sad as api
from s2sad import checking, tracing
from s2sad.options import Mode, Options
from s2sad.run.isolated import Isolated
from s2sad.run.recording import Recording, Value
from s2sad.run.values import Extent
from s2sad.signature import Argument, Signature
from s2sad.source import Source
from s2sad.trace.model import Line, Ran
from s2sad.trace.rows import rows
from s2sad.trace.values import Element
from s2sad.trace.words import limited
from s2sad.validate.check import draw_seeds
from s2sad.validate.launching import Launcher
from s2sad.validate.recipe import Launch
from s2sad.validate.recorded import At

FIRST = (0, 0, 0)
QUICK = ("saxpy", "early_returns")
KINDS: Mapping[str, Mode] = {
    "saxpy": "joint",  # several blocks, a sum over them
    "early_returns": "joint",
    "relax_tile": "joint",  # barriers, shared memory
    "block_sum": "joint",  # shuffles
    "butterflies": "joint",
    "cub_softmax": "joint",  # classes of a library
    "device_functions": "joint",
    "device_loop": "joint",  # a loop left by return, in a function
    "bounded_while": "joint",  # a tape in global memory
    "atomic_dot": "joint",
    "class_members": "joint",  # structs
    "accessors": "joint",
    "carved_shared": "joint",  # dynamic shared memory
    "bfloat16_layer": "joint",
    "diffusion3d": "joint",  # three dimensions
    "attention_row": "split",
    "compound": "split",
    "forever": "joint",  # a loop whose trips are measured first
}


# ---- recorded values --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[] if n in QUICK else [pytest.mark.thorough]) for n in KINDS]
)
def test_the_last_value_recorded_of_an_element_is_what_the_plain_kernel_leaves(name: str) -> None:
    """Of each element that a launch changes, one thread's last value is the final one."""
    job = checking.jobs(fresh(name, KINDS[name]), file(name).with_suffix(".toml"))[0]
    pair, setting = job.pair, job.case.setting()
    with Isolated("cpu") as backend, np.errstate(all="ignore"):
        launcher = Launcher(pair, backend, "float", few="all")
        launch, args = setting.launch, setting.args
        outputs = launcher.primal(launch, args)
        primal = backend.record(pair.primal_text, [pair.primal])
        compared(recordings(primal, pair.primal, launch, lambda: copied(args)), outputs, args)
        seeds = {n: draw_seeds(n, outputs[n]).astype(outputs[n].dtype) for n in pair.dependents}
        adjoint = backend.record(pair.adjoint_text, pair.kernels)
        if pair.forward is not None:
            ready_forward = partial(launcher.ready_forward, launch, args)
            compared(recordings(adjoint, pair.forward, launch, ready_forward), outputs, args)
        buffers = launcher.buffers(args, seeds)
        plain = launcher.adjoint(launch, setting.backward, args, buffers)
        ready = launcher.ready(launch, setting.backward, args, buffers)
        found = recordings(adjoint, launcher._returning, ready.launch, lambda: copied(ready.passed))
        before = {a.name: ready.passed[a.name].copy() for a in pair.adjoints}
        compared(found, {a.name: plain.buffers[a.of] for a in pair.adjoints}, before)


def recordings(
    module: Any, kernel: Signature, launch: Launch, given: Callable[[], dict[str, Any]]
) -> Iterator[tuple[Recording, Mapping[str, Any]]]:
    """Launch a kernel for each of its threads: yield what the thread did, and the arrays after the launch."""
    for at in every(launch.grid, launch.block):
        args = given()
        yield module.record(kernel, launch.grid, launch.block, args, launch.shared_bytes, at=at), args


def every(grid: Extent, block: Extent) -> Iterator[At]:
    """Yield each thread of a launch."""
    for z, y, x in np.ndindex(*reversed(grid)):
        for k, j, i in np.ndindex(*reversed(block)):
            yield (x, y, z), (i, j, k)


def copied(args: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value.copy() if isinstance(value, np.ndarray) else value for name, value in args.items()}


def compared(
    found: Iterable[tuple[Recording, Mapping[str, Any]]], plain: Mapping[str, Any], before: Mapping[str, Any]
) -> None:
    """Compare each thread's recording, and the arrays that its launch left, with those of a plain launch."""
    last: dict[tuple[str, int], list[float]] = {}
    for recording, left in found:
        assert recording.missed == 0
        for name, array in plain.items():
            assert np.asarray(left[name]).tobytes() == np.asarray(array).astype(left[name].dtype).tobytes()
        own: dict[tuple[str, int], float] = {}
        for row in rows(recording):
            for one in row.writes:
                if one.element is not None and one.value is not None and one.element.array in whole(plain):
                    own |= dict(leaves(one.element, one.value, recording, plain))
        for place, value in own.items():
            last.setdefault(place, []).append(value)
    for (name, number), values in last.items():
        final = float(plain[name].reshape(-1)[number])
        assert any(value == final or (value != value and final != final) for value in values), (name, number)
    changed = {
        (name, int(number))
        for name, array in plain.items()
        for number in np.flatnonzero(array.reshape(-1) != np.asarray(before[name]).reshape(-1))
    }
    assert changed <= last.keys()


def whole(plain: Mapping[str, Any]) -> set[str]:
    """Return the names of arrays, of structs too: `p` of `p.x`."""
    return {*plain, *(name.partition(".")[0] for name in plain)}


def leaves(
    at: Element, value: Value, recording: Recording, plain: Mapping[str, Any]
) -> Iterator[tuple[tuple[str, int], float]]:
    """Yield the numbers of a written value, each with its array and place."""
    if value.form == "bytes":
        kind = next(a.type for a in recording.arrays if a.name == at.array)
        if kind.names and kind.itemsize == len(value.bytes):
            one = np.frombuffer(value.bytes, kind)[0]
            for name in kind.names:
                if f"{at.array}.{name}" in plain and np.ndim(one[name]) == 0:
                    yield (f"{at.array}.{name}", at.number), float(one[name])
        return
    name = ".".join((at.array, *(part for part in at.path if isinstance(part, str))))
    inner = [part for part in at.path if isinstance(part, int)]
    if name in plain:
        array = plain[name]
        width = array.size // len(array) if inner else 1
        yield (name, at.number * width + (inner[-1] if inner else 0)), float(value.number)


ODD = """
#define TWICE(v) ((v) + (v))
template <class T, int N> __device__ T power(T v)
{
    T r = (T)1;
    for (int k = 0; k < N; ++k) r *= v;
    return r;
}
struct Pair { float a, b; __device__ float sum() const { return a + b; } };
__device__ void both(float v, float *one, float &other) { *one = v; other = TWICE(v); }
extern "C" __global__ void odd(const float *x, float *y, int n)
{
    const int width = 3;
    float kept[width] = {1.0f, 2.0f};
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = 0, m;
    if (i >= n) return;
    auto grow = [=](float v) { return v * 2.0f + kept[1]; };
    Pair p = {x[i], kept[j++]};
    float one, other = sizeof(other) > 2 ? 0.5f : x[i];
    both(p.sum(), &one, other);
    const float *at = x + i;
    kept[j++] = *at, m = j;
    kept[j] = m = (int)TWICE(1.25f);
    do { one += kept[--j] * (j & 1 ? -1.0f : (float)+m); } while (j > 0);
    switch (i % 3) {
    case 0: one -= 1.0f;
    case 1: other *= 2.0f; break;
    default: one = -one;
    }
    for (;;) { if (one < 1e3f && m-- > 0) { one += power<float, width>(1.5f); continue; } break; }
    (i & 1 ? one : other) += 1.0f;
    *(y + i) = grow(one) + other * (p.a > 0 ? p.a : -p.b) + kept[m < 0 ? 0 : m];
}
"""
ODD_CASE = """
[launch]
grid = 2
block = 8
[args]
n = 13
x = { shape = "n", fill = "normal" }
y = { shape = "n", fill = "zeros" }
"""


@pytest.mark.parametrize("real", ["float", pytest.param("double", marks=pytest.mark.thorough)])
def test_recording_changes_no_value_of_an_odd_kernel(real: Any) -> None:
    arguments = (
        Argument("x", "float", True, const=True),
        Argument("y", "float", True, written=True),
        Argument("n", "int", False),
    )
    kernel = Signature("odd", arguments)
    kind = np.float32 if real == "float" else np.float64
    x = np.random.default_rng(1).normal(size=13).astype(kind)
    given = [{"x": x, "y": np.zeros(13, kind), "n": 13} for _ in range(2)]
    with Isolated("cpu") as backend:
        backend.compile(ODD, [kernel], real=real, quick=True).launch(kernel, (2, 1, 1), (8, 1, 1), given[0])
        module = backend.record(ODD, [kernel], real=real)
        at = (1, 0, 0), (3, 0, 0)
        recording = module.record(kernel, (2, 1, 1), (8, 1, 1), given[1], at=at)
    assert given[0]["y"].tobytes() == given[1]["y"].tobytes()
    assert not recording.program.coarse
    found = rows(recording)
    y = next(one for row in found for one in row.writes if one.element and one.element.array == "y")
    assert (y.element, y.value and y.value.number) == (("y", 11, ()), float(given[0]["y"][11]))
    kept = [one.text for row in found for one in row.writes if one.name == "kept"]
    assert kept == ["kept", "kept[1]", "kept[2]"]
    trips = [row.outcome for row in found if row.statement.text == "do"]
    assert trips == ["trip 1", "trip 2", "ends after 2 trips"]
    (case,) = [row.outcome for row in found if row.statement.text.startswith("switch")]
    assert case == "default"  # 11 % 3 is 2


def test_of_too_many_values_the_first_and_the_last_are_kept() -> None:
    text = """
extern "C" __global__ void sum(const float *x, float *y, int n)
{
    float s = 0.0f;
    for (int k = 0; k < n; ++k)
        s += x[k % 8];
    y[threadIdx.x] = s;
}
"""
    arguments = (
        Argument("x", "float", True, const=True),
        Argument("y", "float", True, written=True),
        Argument("n", "int", False),
    )
    kernel = Signature("sum", arguments)
    args = {"x": np.arange(8, dtype=np.float32), "y": np.zeros(2, np.float32), "n": 9000}
    with Isolated("cpu") as backend:
        module = backend.record(text, [kernel])
        recording = module.record(kernel, (1, 1, 1), (2, 1, 1), args, at=(FIRST, FIRST))
    assert len(recording.events) == 2 * recording.gap
    assert recording.missed > 0
    found = rows(recording)
    written = [one.value.number for row in found for one in row.writes if one.name == "s" and one.value]
    sums = [0.0, *np.cumsum(np.arange(9000) % 8)]
    first = next(k for k in range(len(written)) if written[k] != sums[k])
    assert first > 1000
    assert written[first + 1 :] == sums[first + 1 - len(written) :]
    assert found[-1].writes[0].value == Value("real", sums[-1], 4)
    assert found[-3].trips == ((5, 9000),)


# ---- rows -------------------------------------------------------------------------------------------------


@cache
def traced(name: str, mode: Mode | None = None, at: At = (FIRST, FIRST)) -> tracing.Trace:
    options = Options() if mode is None else Options(mode=mode)
    source = Source(str(file(name)), file(name).read_text(encoding="utf-8"))
    return tracing.made(source, options, file(name).with_suffix(".toml"), at).trace


def line(ran: Ran, number: int) -> Line:
    """Return the first row of a line of its file."""
    return next(one for one in ran.lines if one.line == number)


def test_rows_have_the_values_of_both_types_and_name_the_line_they_belong_to() -> None:
    trace = traced("saxpy", at=(FIRST, (1, 0, 0)))
    primal, adjoint = trace.kernels
    assert trace.ok
    assert trace.doubles
    assert [one.line for one in primal.lines] == [5, 6, 7]
    last = primal.lines[-1]
    assert last.text == "y[i] = a * x[i] + y[i]"
    (write,) = last.writes
    assert write.text == "y[1]"
    assert float(write.value.float) == pytest.approx(float(write.value.double), rel=1e-6)
    assert write.value.float != write.value.double
    assert {one.text for one in last.reads} == {"a", "i", "x[1]", "y[1]"}
    adds = next(one for one in adjoint.lines if "add" in one.kinds)
    assert adds.of == (("saxpy.cu", 7),)
    assert adds.sweep == "reverse"
    assert [one.text for one in trace.went] == ["adj_x[1]", "adj_a"]
    assert trace.went[0].final == adds.writes[0].value.float
    assert trace.went[1].through == "block_add"


def test_a_thread_that_returns_early_says_so() -> None:
    trace = traced("early_returns", at=((3, 0, 0), (15, 0, 0)))  # 63, of 61
    primal, _ = trace.kernels
    assert primal.left == "the thread returns in line 7, as (i >= n) is true (i = 63, n = 61)"
    assert not trace.doubles  # it has no float


def test_trips_are_numbered_and_what_was_taped_is_restored() -> None:
    trace = traced("early_returns")
    primal, adjoint = trace.kernels
    loop = [one for one in primal.lines if one.text.startswith("for")]
    assert loop[0].outcome.float == "trip 1"
    assert all(one.trips[0][0] == loop[0].line for one in primal.lines if one.line in (16, 17, 19))
    assert trace.taped
    for one in trace.taped:
        recorded = next(row for row in adjoint.lines if row.number == one.recorded[1])
        assert "record" in recorded.kinds
        for _, number in one.restored:
            assert "restore" in next(row for row in adjoint.lines if row.number == number).kinds
        assert one.same


def test_a_limit_keeps_the_first_and_the_last_rows_and_says_what_it_left_out() -> None:
    lines = traced("early_returns").kernels[1].lines
    shown = limited(lines, 7)
    assert [getattr(one, "number", "gap") for one in shown] == [
        1,
        2,
        3,
        4,
        "gap",
        len(lines) - 2,
        len(lines) - 1,
        len(lines),
    ]
    text = traced("early_returns").text(limit=7)
    assert f"… {len(lines) - 7} more executions of lines" in " ".join(text.split())
    assert "left out by --limit" not in traced("early_returns").text(limit=0)


def test_of_a_kernel_in_a_script_the_lines_are_those_of_the_script() -> None:
    script = Path(__file__).with_name("scripts") / "raw_kernel.py"
    lines = script.read_text(encoding="utf-8").split("\n")
    primal, adjoint = api.trace(script, thread=(0, 1)).kernels
    assert [one.text for one in primal.lines] == [lines[one.line - 1].strip(" ;{") for one in primal.lines]
    assert any("AMPLITUDE" in one.text for one in primal.lines)  # a macro
    assert {file for one in adjoint.lines for file, _ in one.of} == {"raw_kernel.py"}


APART = """
extern "C" __global__ void apart(const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float s = x[i];
        if (s + 1.0e8f - 1.0e8f > 0.25f)
            s = s * s;
        y[i] = 3.0f * s;
    }
}
"""


def test_where_float_and_double_take_different_ways_it_is_said(tmp_path: Path) -> None:
    (tmp_path / "apart.cu").write_text(APART)
    case = tmp_path / "apart.toml"
    case.write_text(ODD_CASE.replace('"normal"', '"uniform(0.5, 1)"'))
    trace = api.trace(tmp_path / "apart.cu", thread=(0, 2))
    primal, _ = trace.kernels
    assert primal.apart == "line 8"
    (alone,) = [one for one in primal.lines if one.only]
    assert (alone.text, alone.only, alone.writes[0].value.float) == ("s = s * s", "double", "")
    assert alone.writes[0].value.double
    test = next(one for one in primal.lines if one.line == 7)
    assert (test.outcome.float, test.outcome.double) == ("false", "true")
    assert "apart: float and double take different ways from line 8 on" in trace.text()


# ---- the command and the page ----------------------------------------------------------------------


def test_the_command_prints_tables_and_writes_a_page(s2sad: Shell, tmp_path: Path) -> None:  # noqa: F811
    ran = s2sad("trace", "scale.cu", "--thread", "1,3", "--ones", "--json")
    assert ran.status == 0
    assert "scale and scale_adj: block 1 of 2, thread 3 of 32; scale.cu on scale.toml" in ran.out
    assert "adj_y[35] = 1" in " ".join(ran.out.split())
    assert ran.json["trace"]["kernels"][0]["lines"][0]["writes"][0]["value"] == {
        "float": "35",
        "double": "35",
    }
    done = s2sad("trace", "scale.cu", "--thread", "1,3", "--html", "trace.html")
    assert (done.status, done.out) == (0, "")
    page = (tmp_path / "trace.html").read_text()
    assert s2sad("trace", "scale.cu", "--thread", "1,3", "--html", "-").out == page
    assert "http" not in page.replace("http-equiv", "")
    found = Page()
    found.feed(page)
    assert len(set(found.ids)) == len(found.ids)
    assert {link for link in found.links if link.startswith("#")} <= {f"#{id}" for id in found.ids}
    assert "adj_x[35]" in page
    listed = json.loads(s2sad("trace", "scale.cu", "--thread", "1,3", "--format", "json").out)
    assert listed["trace"]["thread"] == [3, 0, 0]


class Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.ids += [value for name, value in attrs if name == "id" and value]
        self.links += [value for name, value in attrs if name in ("href", "src") and value]


@pytest.mark.parametrize(
    ("words", "status", "says"),
    [
        ("", 3, "no --thread"),
        ("--thread 3", 3, "--thread 3: not a block and a thread"),
        ("--thread 0,-1", 3, "not a block and a thread"),
        ("--thread 0,0 --limit -1", 3, "--limit -1: not a number of rows"),
        ("--thread 0,0 --launch 0", 3, "launches count from 1"),
        ("--thread 0,0 --mode tangent", 3, "--mode tangent with trace"),
        ("--thread 0,0 --timeout 0", 3, "not a positive number"),
        ("--thread 2,0", 2, "error[no-such-thread]: scale isn't launched with a block 2\n"),
        ("--thread 0,0.1", 2, "scale isn't launched with a thread 0.1\n"),
        ("--thread 0,0 --launch 2", 2, "the case has 1 launch"),
        ("--thread 0,0 --case none.toml", 2, "error[unreadable]"),
        ("--thread 0,0 --html scale.cu", 2, "error[output-is-input]"),
        ("--thread 0,0 --html no/such/place.html", 2, "error[unwritable]"),
    ],
)
def test_what_cannot_be_traced_is_said_with_its_status(
    words: str,
    status: int,
    says: str,
    s2sad: Shell,  # noqa: F811
) -> None:
    ran = s2sad("trace", "scale.cu", *words.split())
    assert (ran.status, ran.out) == (status, "")
    assert says in ran.err


def test_a_kernel_without_a_case_is_refused(s2sad: Shell, tmp_path: Path) -> None:  # noqa: F811
    (tmp_path / "scale.toml").unlink()
    ran = s2sad("trace", "scale.cu", "--thread", "0,0")
    assert ran.status == 2
    assert "error[no-case]" in ran.err
    with pytest.raises(api.Rejected, match="isn't a block and a thread"):
        api.trace("scale.cu", thread="0")
