"""What no value shows and what no difference sees: races, exact tangents, branches that a step crosses."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

import numpy as np
import pytest
from test_check_on_cpu import EXAMPLES, GATHER, SAXPY, Example, judged
from validate_kit import adjoint, array, number

import s2sad
from s2sad.run.backend import Backend, CompileFailed
from s2sad.run.registry import find
from s2sad.run.sanitizer_report import Fault
from s2sad.signature import Signature
from s2sad.validate import Case, Report, check_pair
from s2sad.validate.assumptions import verify
from s2sad.validate.recipe import Launch

ONE = Launch((1, 1, 1), (1, 1, 1))


@pytest.fixture(scope="module")
def cpu() -> Backend:
    return find("cpu")


def line_of(text: str, part: str) -> int:
    """The number of the only line that has it."""
    (number,) = [n for n, line in enumerate(text.splitlines(), 1) if part in line]
    return number


# ---- races ----------------------------------------------------------------------------------------------

PLAIN = ("atomicAdd(&adj_x[i - 1], 0.25f * g);", "adj_x[i - 1] += 0.25f * g;")


@pytest.mark.parametrize(
    ("example", "fault", "array"),
    [
        (SAXPY, ("atomicAdd(adj_a, x[i] * y[i] * g);", "*adj_a += x[i] * y[i] * g;"), "adj_a"),
        (GATHER, PLAIN, "adj_x"),
    ],
)
def test_a_missing_atomic_is_found_although_all_values_are_right(
    example: Example, fault: tuple[str, str], array: str, cpu: Backend
) -> None:
    report = judged(example, cpu, fault)
    assert not report.ok
    assert all(row.verdict == "ok" for row in report.rows)
    races = [f for f in report.faults if f.kind == "race"]
    assert {f.array for f in races} == {array}
    line = line_of(example.adjoint.replace(*fault), fault[1])
    assert all(line in [access.line for access in race.accesses] for race in races)
    assert f"race on {array}[" in report.text()


@pytest.mark.parametrize("name", EXAMPLES)
def test_right_adjoints_have_none_and_follow_exact_tangents(name: str, cpu: Backend) -> None:
    report = judged(EXAMPLES[name], cpu)
    assert report.faults == ()
    kernel = EXAMPLES[name].name
    assert {seen.kernel for seen in report.watched} >= {kernel, f"{kernel}_adj"}
    assert all(seen.accesses for seen in report.watched)
    assert report.exact
    assert {exact.verdict for exact in report.exact} == {"ok"}
    assert max(exact.residual for exact in report.exact) < 1e-14


def test_a_read_beyond_an_array_is_found(cpu: Backend) -> None:
    report = judged(SAXPY, cpu, ("if (i < n) {", "if (i <= n) {"))
    found = [(f.kind, f.array) for f in report.faults]
    assert ("out-of-bounds", "x") in found
    assert not report.ok


def test_a_primal_with_a_race_fails(cpu: Backend) -> None:
    primal = SAXPY.primal.replace("y[i] = a", "y[i / 2] = a")
    pair = SAXPY.pair()
    report = check_pair(type(pair)(primal, pair.adjoint_text, pair.primal, pair.adjoint), SAXPY.case(), cpu)
    assert any(f.kind == "race" and f.kernel == "saxpy" and f.array == "y" for f in report.faults)


MADE = """// s2sad: --of y --wrt x
struct P { float a; __device__ P() {} };
extern "C" __global__ void mirrored(const float *x, float *y)
{
    __shared__ P s[32];
    int t = threadIdx.x, i = blockIdx.x * 32 + t;
    s[t].a = x[i / 2];
    __syncthreads();
    y[i] = s[31 - t].a * s[t].a;
}
"""
MADE_CASE = """
launch = { grid = 3, block = 32 }
args = { x = { shape = 48, fill = "uniform(0.5, 1.5)" }, y = { shape = 96, fill = "zeros" } }
"""


def test_shared_arrays_of_a_class_with_a_constructor_are_watched(cpu: Backend) -> None:
    """A compiler guards what a constructor makes; the guard is no access of the text."""
    pair = s2sad.transform(MADE, name="mirrored.cu")._pair
    case = Case.parse(MADE_CASE, pair.primal)
    right = check_pair(pair, case, cpu)
    assert right.ok
    assert right.faults == ()
    assert all(seen.accesses for seen in right.watched)
    plain = re.sub(r"atomicAdd\(&(adj_x\[.*\]), (.*)\);", r"\1 += \2;", pair.adjoint_text)
    assert plain != pair.adjoint_text
    found = check_pair(replace(pair, adjoint_text=plain), case, cpu)
    assert {f.array for f in found.faults} == {"adj_x"}


def test_a_text_that_could_not_be_watched_is_not_called_ok(cpu: Backend) -> None:
    class Blind:
        name = "cpu"

        def __getattr__(self, what: str) -> object:
            return getattr(cpu, what)

        def watch(self, *args: object, **how: object) -> object:
            raise CompileFailed("no such symbol")

    report = judged(SAXPY, Blind())  # type: ignore[arg-type]
    assert report.unwatched == "no such symbol"
    assert report.covered is None
    assert "ok, accesses not watched" in report.text()


DRAWN = """// s2sad: --of kept --wrt x --mode split --assume injective:kept --assume launch:1d
extern "C" __global__ void keep(const float *x, float *kept, int *count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && x[i] > 0.0f) {
        int slot = atomicAdd(count, 1);
        kept[slot] = x[i] * x[i];
    }
}
"""
DRAWN_CASE = """
launch = { grid = "(n + 15) / 16", block = 16 }
[args]
n = 50
x = { shape = 50, fill = "normal" }
kept = { shape = 50, fill = "zeros" }
count = { shape = 1, fill = "zeros" }
"""


def test_slots_that_threads_draw_are_judged_in_the_order_of_the_outputs(cpu: Backend) -> None:
    """Another order of threads leaves other outputs, and no race: K_fwd records who got what."""
    pair = s2sad.transform(DRAWN, name="keep.cu")._pair
    case = Case.parse(DRAWN_CASE, pair.primal)
    report = check_pair(pair, case, cpu)
    assert report.ok, report.text()
    assert "gives a different kept in another order of threads" in report.text()
    assert pair.adjoint_text.count("adj_kept[*tape_slot]") == 1
    wrong = replace(pair, adjoint_text=pair.adjoint_text.replace("adj_kept[*tape_slot]", "adj_kept[i]"))
    assert not check_pair(wrong, case, cpu).ok


TIMED = """// s2sad: --of y --wrt x --assume launch:1d
extern "C" __global__ void timed(const float *x, float *y, clock_t *when, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        when[i] = clock();
        y[i] = x[i] * x[i];
    }
}
"""
TIMED_CASE = """
launch = { grid = "(n + 15) / 16", block = 16 }
[args]
n = 50
x = { shape = 50, fill = "normal" }
y = { shape = 50, fill = "zeros" }
when = { shape = 50, fill = "zeros" }
"""


@pytest.mark.parametrize("mode", ["joint", "split"])
def test_stored_times_differ_each_time_and_nothing_is_promised_of_them(mode: str, cpu: Backend) -> None:
    pair = s2sad.transform(TIMED.replace("launch:1d", f"launch:1d --mode {mode}"), name="timed.cu")._pair
    report = check_pair(pair, Case.parse(TIMED_CASE, pair.primal), cpu)
    assert report.ok, report.text()
    assert "timed gives a different when in each run, as clocks do" in report.text()


def test_what_was_watched_is_in_the_report(cpu: Backend) -> None:
    report = judged(SAXPY, cpu, PLAIN_ATOMIC)
    told = report.to_dict()
    assert told["watched"] == [
        {"kernel": "saxpy", "accesses": 3 * 90, "threads": 128, "active": 90, "ok": True},
        {"kernel": "saxpy_adj", "accesses": 10 * 90, "threads": 128, "active": 90, "ok": False},
    ]
    (fault,) = [f for f in told["faults"] if f["kind"] == "race"][:1]  # type: ignore[attr-defined]
    assert fault["array"] == "adj_a"
    assert {access["what"] for access in fault["accesses"]} <= {"read", "write"}
    stored = "accesses, 90 of 128 threads store"
    assert re.search(
        r"^races, barriers, memory of saxpy +270 accesses, 90 of 128 threads store +ok$",
        report.text(),
        re.MULTILINE,
    )
    assert re.search(
        rf"^races, barriers, memory of saxpy_adj +\d+ {stored} +\d wrong$", report.text(), re.MULTILINE
    )


PLAIN_ATOMIC = ("atomicAdd(adj_a, x[i] * y[i] * g);", "*adj_a += x[i] * y[i] * g;")


# ---- exact tangents -------------------------------------------------------------------------------------


@pytest.mark.parametrize("factor", ["1.00001", "(1 + 1e-9)", "(1 - 1e-10)"])
def test_a_factor_close_to_one_on_one_of_three_terms_is_found(factor: str, cpu: Backend) -> None:
    fault = ("0.25f * g", f"0.25f * {factor} * g")
    pair = GATHER.pair(fault)
    report = check_pair(pair, GATHER.case(), cpu, tolerance=1e-4)  # no difference would see it
    assert all(row.verdict == "ok" for row in report.rows)
    assert [exact.verdict for exact in report.exact] == ["wrong"] * len(report.exact)
    assert not report.ok
    assert "the exact tangent along x is " in report.text()


def test_each_independent_is_tried_alone(cpu: Backend) -> None:
    report = judged(SAXPY, cpu, ("adj_x[i] += a * y[i]", "adj_x[i] += 1.000001f * a * y[i]"))
    verdicts = {exact.name: exact.verdict for exact in report.exact}
    assert verdicts == {"a": "ok", "x": "wrong", "y": "ok", "": "wrong"}


@dataclass(frozen=True)
class Curve:
    """y[i] = f(x[i]) and its adjoint."""

    f: str
    slope: str
    x: str = 'fill = "normal"'
    more: str = ""
    example: Example = field(init=False)

    def __post_init__(self) -> None:
        body = "int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < n) {\n        float t = x[i];\n"
        primal = (
            f'extern "C" __global__ void curve(const float *x, float *y, int n)\n{{\n    {body}'
            f"        y[i] = {self.f};\n    }}\n}}\n"
        )
        backward = (
            'extern "C" __global__ void curve_adj(const float *x, float *adj_x, float *y, const float *adj_y,'
            f" int n)\n{{\n    {body}        adj_x[i] += {self.slope} * adj_y[i];\n    }}\n}}\n"
        )
        example = Example(
            "curve",
            primal,
            backward,
            (array("x"), array("y", written=True), number("n")),
            (adjoint("x", "accumulates"), adjoint("y", "seed")),
            ["y"],
            ["x"],
            f'n = 70\nx = {{ shape = "n", {self.x} }}\ny = {{ shape = "n", fill = "zeros" }}\n',
        )
        object.__setattr__(self, "example", example)

    def report(self, cpu: Backend) -> Report:
        return judged(self.example, cpu)


def test_a_near_tie_is_told_with_its_line(cpu: Backend) -> None:
    report = Curve("t > 0.0f ? t : 2.0f * t", "(t > 0.0f ? 1.0f : 2.0f)", 'fill = "zeros"').report(cpu)
    assert [(t.line, t.left, t.right) for exact in report.exact for t in exact.ties] == [(6, 0.0, 0.0)]
    assert any(
        note.startswith("line 6 of kernel.cu: 0 and 0 are compared, a near-tie") for note in report.notes
    )


def test_what_begins_at_infinity_is_near_nothing(cpu: Backend) -> None:
    report = Curve("fmaxf(-INFINITY, t) * t", "2.0f * t").report(cpu)
    assert report.ok
    assert not any("near-tie" in note for note in report.notes)


def test_a_difference_that_crosses_a_branch_is_told_from_a_wrong_one(cpu: Backend) -> None:
    """A piece so short that each step leaves it: differences agree with each other, and see another slope."""
    piece = "t > 1.0f - 1e-8f && t < 1.0f + 1e-8f"
    curve = Curve(f"{piece} ? 3.0f * t - 2.0f : t * t", f"({piece} ? 3.0f : 2.0f * t)", 'fill = "ones"')
    report = curve.report(cpu)
    assert report.rows[0].wrong == 0
    assert len(report.rows[0].kinks) == 70
    assert {exact.verdict for exact in report.exact} == {"ok"}
    wrong = Curve(curve.f, curve.slope.replace("3.0f", "3.01f"), 'fill = "ones"').report(cpu)
    assert wrong.rows[0].wrong == 70
    assert {exact.verdict for exact in wrong.exact} == {"wrong"}


def test_terms_that_cancel_to_nothing_lose_no_digits(cpu: Backend) -> None:
    """Of a gradient of zero the double run, too, has but rounding."""
    report = Curve("0.25f", "(((t * 0.7f) * 0.3f) - (t * (0.7f * 0.3f)))").report(cpu)
    assert {single.verdict for single in report.floats} <= {"not compared"}


def test_tangents_that_are_not_finite_are_not_compared(cpu: Backend) -> None:
    report = Curve("sqrtf(t)", "(0.5f / sqrtf(t))", 'fill = "zeros"').report(cpu)
    assert {exact.verdict for exact in report.exact} == {"not finite"}
    assert any("is not finite; not compared" in note for note in report.notes)


def test_a_text_that_looks_at_bits_has_no_oracle_and_says_so(cpu: Backend) -> None:
    report = Curve("t * (1 + 0 * __float_as_int(0.0f * (float)i + t))", "1.0f").report(cpu)
    assert report.exact == ()
    assert any(note.startswith("no exact tangents: ") for note in report.notes)


def test_backends_that_can_neither_watch_nor_carry_tangents_judge_by_values() -> None:
    """As a GPU does: what isn't checked is not in the report."""

    class Plain:
        name = "plain"

        def compile(self, text: str, signatures: list[Signature], **how: str) -> object:
            return find("cpu").compile(text, signatures, **how)  # type: ignore[arg-type]

    report = judged(SAXPY, Plain())  # type: ignore[arg-type]
    assert report.ok
    assert (report.watched, report.exact, report.faults) == ((), (), ())


def test_the_sentence_of_a_race_names_both() -> None:
    from s2sad.run.sanitizer_report import Access

    later, earlier = Access("write", (1, 0, 0), (3, 0, 0), 7), Access("atomic", (0, 0, 0), (2, 0, 0), None)
    assert Fault("race", "k", "y", 4, (later, earlier)).text() == (
        "k: race on y[4]: writes in line 7 by block (1, 0, 0), thread (3, 0, 0); "
        "atomically updates by block (0, 0, 0), thread (2, 0, 0)"
    )


def test_a_case_that_draws_numbers_is_the_same_each_time(cpu: Backend) -> None:
    once, twice = judged(SAXPY, cpu), judged(SAXPY, cpu)
    assert once == twice
    assert np.isfinite(once.worst)
    assert isinstance(SAXPY.case(), Case)


# ---- who wrote what is wrong ----------------------------------------------------------------------------


def test_a_wrong_element_is_told_with_the_thread_that_wrote_it_last(cpu: Backend) -> None:
    fault = ("adj_x[i] += a * y[i]", "adj_x[i] += (i == 70 ? 2.0f : 1.0f) * a * y[i]")
    report = judged(SAXPY, cpu, fault)
    row = next(row for row in report.rows if row.name == "x")
    assert (row.element, row.wrong) == (70, 1)
    line = line_of(SAXPY.adjoint.replace(*fault), "i == 70")
    assert (
        f"adj_x[70] was last written by block (1, 0, 0), thread (6, 0, 0) of saxpy_adj "
        f"at kernel_adj.cu:{line}" in report.text()
    )
    told = {argument["name"]: argument["last_write"] for argument in report.to_dict()["arguments"]}  # type: ignore[attr-defined]
    assert told["x"]["access"] == {"what": "write", "block": [1, 0, 0], "thread": [6, 0, 0], "line": line}
    assert (told["a"], told["y"]) == (None, None)


def test_an_element_that_many_threads_add_to_is_told_with_the_last(cpu: Backend) -> None:
    """Threads are watched in reverse order: the last one is the first."""
    report = judged(SAXPY, cpu, ("atomicAdd(adj_a, x[i]", "atomicAdd(adj_a, 2.0f * x[i]"))
    assert "adj_a[0] was last added to by block (0, 0, 0), thread (0, 0, 0) of saxpy_adj at " in report.text()


def test_that_no_thread_wrote_an_element_is_said(cpu: Backend) -> None:
    report = judged(SAXPY, cpu, ("adj_x[i] += a", "if (i != 70) adj_x[i] += a"))
    assert "; no thread of saxpy_adj writes adj_x[70]" in report.text()
    (told,) = [a for a in report.to_dict()["arguments"] if a["name"] == "x"]  # type: ignore[attr-defined]
    assert told["last_write"] == {"kernel": "saxpy_adj", "array": "adj_x", "access": None}


@pytest.mark.parametrize(
    ("values", "ok", "what"),
    [
        ([0, 2, 2, 5], True, "the values of start are in ascending order"),
        ([0, 3, 2, 5], False, "--assume sorted:start: start[2] is 2, below 3"),
    ],
)
def test_starts_that_are_said_never_to_fall_are_looked_at(values: list[int], ok: bool, what: str) -> None:
    findings, notes = verify(["sorted:start"], {"start": np.array(values, np.uint32)}, ONE)
    assert [(f.ok, f.what) for f in findings] == [(ok, what)]
    assert notes == []


@pytest.mark.parametrize(
    ("values", "ok", "what"),
    [
        ([-1, 0, 0, 2], True, "each value of parent is below its index"),
        ([-1, 0, 2, 1], False, "--assume earlier:parent: parent[2] is 2"),
    ],
)
def test_parents_that_are_said_to_come_first_are_looked_at(values: list[int], ok: bool, what: str) -> None:
    findings, notes = verify(["earlier:parent"], {"parent": np.array(values, np.int32)}, ONE)
    assert [(f.ok, f.what) for f in findings] == [(ok, what)]
    assert notes == []
