"""A check passes what is right and finds what is wrong, on kernels that are Python functions."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest
from rich.console import Console
from validate_kit import adjoint, array, number, pair

from s2sad.signature import Argument
from s2sad.validate import page
from s2sad.validate.assumptions import Repeat, verify_injective
from s2sad.validate.case import Case
from s2sad.validate.check import check_pair
from s2sad.validate.report import Report

HEAD = '[launch]\ngrid = "(n + 3) / 4"\nblock = 4\n[args]\nn = 10\n'
XY = HEAD + 'x = { shape = "n", fill = "normal" }\ny = { shape = "n", fill = "normal" }\n'

Kernel = Callable[..., None]


def judged(
    primal: Kernel,
    backward: Kernel,
    adjoints: Sequence[Argument],
    *,
    text: str = XY,
    parameters: Sequence[Argument] = (array("x"), array("y", written=True), number("n")),
    wrt: Sequence[str] = ("x",),
    tolerance: float = 1e-8,
    **more: Any,
) -> Report:
    judging, backend = pair(primal, backward, parameters, adjoints, of=["y"], wrt=wrt, **more)
    case = Case.parse(text, judging.primal)
    return check_pair(judging, case, backend, tolerance=tolerance)


def broken(report: Report) -> list[str]:
    return [finding.what for finding in report.findings if not finding.ok]


def wave(x: Any, y: Any, n: int) -> None:
    y[:] = np.sin(x) * x[0]


def wave_adj(x: Any, adj_x: Any, y: Any, adj_y: Any, n: int) -> None:
    adj_x += np.cos(x) * x[0] * adj_y
    adj_x[0] += np.sum(np.sin(x) * adj_y)


WAVE = (adjoint("x", "accumulates"), adjoint("y", "seed"))


def test_a_right_adjoint_passes_at_1e_8() -> None:
    report = judged(wave, wave_adj, WAVE)
    assert report.ok, report.text()
    assert report.worst < 1e-9
    assert [(row.name, row.checked, row.elements) for row in report.rows] == [("x", 10, 10)]


def test_a_wrong_sign_fails() -> None:
    def wrong(x: Any, adj_x: Any, y: Any, adj_y: Any, n: int) -> None:
        adj_x -= np.cos(x) * x[0] * adj_y
        adj_x[0] += np.sum(np.sin(x) * adj_y)

    report = judged(wave, wrong, WAVE)
    assert not report.ok
    assert report.worst > 0.1


def test_a_missing_term_is_found_at_its_element() -> None:
    def wrong(x: Any, adj_x: Any, y: Any, adj_y: Any, n: int) -> None:
        adj_x += np.cos(x) * x[0] * adj_y

    row = judged(wave, wrong, WAVE).rows[0]
    assert (row.verdict, row.wrong, row.element) == ("wrong", 1, 0)


def test_a_factor_of_one_and_a_millionth_is_found() -> None:
    def wrong(x: Any, adj_x: Any, y: Any, adj_y: Any, n: int) -> None:
        wave_adj(x, adj_x, y, adj_y, n)
        adj_x *= 1 + 1e-6

    assert not judged(wave, wrong, WAVE).ok


def test_storing_where_adding_is_owed_fails() -> None:
    def wrong(x: Any, adj_x: Any, y: Any, adj_y: Any, n: int) -> None:
        adj_x[:] = np.cos(x) * x[0] * adj_y
        adj_x[0] += np.sum(np.sin(x) * adj_y)

    report = judged(wave, wrong, WAVE)
    assert report.worst < 1e-8
    assert broken(report) == ["the gradient is added to adj_x"]


def test_a_seed_that_is_cleared_fails() -> None:
    def wrong(x: Any, adj_x: Any, y: Any, adj_y: Any, n: int) -> None:
        wave_adj(x, adj_x, y, adj_y, n)
        adj_y[:] = 0

    report = judged(wave, wrong, WAVE)
    assert broken(report) == ["adj_y is not modified"]


def test_an_array_that_is_not_the_adjoints_to_write_must_stay() -> None:
    def wrong(x: Any, adj_x: Any, y: Any, adj_y: Any, n: int) -> None:
        wave_adj(x, adj_x, y, adj_y, n)
        x[3] = 0

    report = judged(wave, wrong, WAVE)
    assert broken(report) == ["x is not written"]


def test_what_is_said_not_to_be_read_is_poisoned() -> None:
    def wrong(x: Any, adj_x: Any, y: Any, adj_y: Any, n: int) -> None:
        wave_adj(x, adj_x, y, adj_y, n)
        adj_x += 0 * y

    unread = Argument("y", "float", pointer=True, written=True, use="unused")
    parameters = (array("x"), unread, number("n"))
    assert judged(wave, wave_adj, WAVE, parameters=parameters).ok
    assert not judged(wave, wrong, WAVE, parameters=parameters).ok


def test_nan_in_an_adjoint_is_wrong_where_the_difference_is_finite() -> None:
    def wrong(x: Any, adj_x: Any, y: Any, adj_y: Any, n: int) -> None:
        wave_adj(x, adj_x, y, adj_y, n)
        adj_x[2] = np.nan

    report = judged(wave, wrong, WAVE)
    assert report.rows[0].element == 2
    assert report.to_dict()["worst"] is None


# ---- arrays that are written ----------------------------------------------------


def square_half(y: Any, n: int) -> None:
    y[: n // 2] = y[: n // 2] ** 2


def square_half_adj(y: Any, adj_y: Any, n: int) -> None:
    adj_y[: n // 2] *= 2 * y[: n // 2]


IN_PLACE: dict[str, Any] = {
    "text": HEAD + 'y = { shape = "n", fill = "normal" }\n',
    "parameters": (array("y", written=True), number("n")),
    "wrt": ("y",),
}


def test_the_gradient_of_an_array_in_place_is_that_of_its_entry_value() -> None:
    report = judged(square_half, square_half_adj, [adjoint("y", "replaced")], **IN_PLACE)
    assert report.ok, report.text()


def test_an_element_that_is_not_written_keeps_its_seed() -> None:
    def wrong(y: Any, adj_y: Any, n: int) -> None:
        square_half_adj(y, adj_y, n)
        adj_y[n // 2 :] = 0

    report = judged(square_half, wrong, [adjoint("y", "replaced")], **IN_PLACE)
    assert report.rows[0].wrong == 5


def test_a_dependent_whose_seed_is_replaced_is_compared_without_being_an_independent() -> None:
    def primal(x: Any, y: Any, n: int) -> None:
        y[1:] = x[1:]

    def right(x: Any, adj_x: Any, y: Any, adj_y: Any, n: int) -> None:
        adj_x[1:] += adj_y[1:]
        adj_y[1:] = 0

    def wrong(x: Any, adj_x: Any, y: Any, adj_y: Any, n: int) -> None:
        adj_x[1:] += adj_y[1:]

    adjoints = (adjoint("x", "accumulates"), adjoint("y", "replaced"))
    assert judged(primal, right, adjoints).ok
    assert {row.name: row.wrong for row in judged(primal, wrong, adjoints).rows} == {"x": 0, "y": 9}


def test_a_scalar_has_an_adjoint_of_one_element() -> None:
    def primal(a: float, x: Any, y: Any, n: int) -> None:
        y[:] = a * a * x

    def backward(a: float, adj_a: Any, x: Any, y: Any, adj_y: Any, n: int) -> None:
        adj_a += np.sum(2 * a * x * adj_y)

    parameters = (number("a", "float"), array("x"), array("y", written=True), number("n"))
    adjoints = (adjoint("a", "accumulates"), adjoint("y", "seed"))
    report = judged(primal, backward, adjoints, parameters=parameters, wrt=("a",), text=XY + "a = 0.7\n")
    assert report.ok, report.text()


# ---- split ------------------------------------------------------------------------


def cube(y: Any, n: int) -> None:
    y[:] = y**3


def cube_fwd(y: Any, n: int, tape: Any) -> None:
    tape[: 8 * n].view("f8")[:] = y
    y[:] = y**3


def cube_adj(y: Any, adj_y: Any, n: int, tape: Any) -> None:
    adj_y *= 3 * tape[: 8 * n].view("f8") ** 2


def test_the_split_shape_finds_its_tape_and_the_arrays_as_forward_left_them() -> None:
    def from_exit(y: Any, adj_y: Any, n: int, tape: Any) -> None:
        adj_y *= 3 * np.cbrt(y) ** 2

    replaced = [adjoint("y", "replaced")]
    assert judged(cube, cube_adj, replaced, forward=cube_fwd, tape=80, **IN_PLACE).ok
    assert judged(cube, from_exit, replaced, forward=cube_fwd, tape=80, **IN_PLACE).ok


def test_a_forward_kernel_that_computes_something_else_fails() -> None:
    def other(y: Any, n: int, tape: Any) -> None:
        cube_fwd(y, n, tape)
        y[0] = 0

    report = judged(cube, cube_adj, [adjoint("y", "replaced")], forward=other, tape=80, **IN_PLACE)
    assert broken(report) == ["k_fwd computes the same y as k"]


def test_a_tape_that_is_read_before_it_is_written_holds_garbage() -> None:
    def forgets(y: Any, n: int, tape: Any) -> None:
        y[:] = y**3

    report = judged(cube, cube_adj, [adjoint("y", "replaced")], forward=forgets, tape=80, **IN_PLACE)
    assert not report.ok


def test_a_tape_that_overflows_is_said() -> None:
    def overflows(y: Any, adj_y: Any, n: int, tape: Any) -> None:
        tape[:4] = [1, 0, 0, 0]
        adj_y[:] = np.nan

    report = judged(cube, overflows, [adjoint("y", "replaced")], tape=80, **IN_PLACE)
    assert "the tape of 80 bytes is long enough" in [f.what for f in report.findings if not f.ok]


# ---- kinks and values that aren't finite ----------------------------------------------


def relu(x: Any, y: Any, n: int) -> None:
    y[:] = np.maximum(x, 0) + x


def relu_adj(x: Any, adj_x: Any, y: Any, adj_y: Any, n: int) -> None:
    adj_x += ((x > 0) + 1.0) * adj_y


ARANGE = XY.replace('"normal"', '"arange"', 1)


def test_a_kink_at_the_point_itself_is_not_compared() -> None:
    row = judged(relu, relu_adj, WAVE, text=ARANGE).rows[0]
    assert (row.verdict, row.kinks) == ("ok", (0,))


def test_a_kink_excuses_no_other_mistake() -> None:
    def wrong(x: Any, adj_x: Any, y: Any, adj_y: Any, n: int) -> None:
        relu_adj(x, adj_x, y, adj_y, n)
        adj_x[0] *= -3

    assert not judged(relu, wrong, WAVE, text=ARANGE).ok


def test_a_kink_beside_the_point_is_avoided_by_a_smaller_step() -> None:
    def near(x: Any, y: Any, n: int) -> None:
        y[:] = np.abs(x - 1 + 4e-6)

    def near_adj(x: Any, adj_x: Any, y: Any, adj_y: Any, n: int) -> None:
        adj_x += np.sign(x - 1 + 4e-6) * adj_y

    report = judged(near, near_adj, WAVE, text=XY.replace('"normal"', '"ones"', 1), tolerance=1e-6)
    assert report.ok, report.text()
    assert report.rows[0].kinks == ()


def test_where_nothing_can_be_compared_the_check_is_not_ok() -> None:
    report = judged(relu, relu_adj, WAVE, text=XY.replace('"normal"', '"zeros"', 1))
    assert report.rows[0].verdict == "not compared"
    assert not report.ok


def test_outputs_that_are_not_finite_take_no_part() -> None:
    def primal(x: Any, y: Any, n: int) -> None:
        with np.errstate(all="ignore"):
            y[:] = np.log(x)

    def backward(x: Any, adj_x: Any, y: Any, adj_y: Any, n: int) -> None:
        with np.errstate(all="ignore"):
            adj_x += np.where(adj_y == 0, 0, adj_y / x)

    report = judged(primal, backward, WAVE, text=ARANGE)
    assert report.ok, report.text()
    assert "1 of 10 values are not finite" in " ".join(report.notes)


def test_a_primal_without_finite_outputs_leaves_nothing_to_compare() -> None:
    def primal(x: Any, y: Any, n: int) -> None:
        y[:] = np.nan * x

    def backward(x: Any, adj_x: Any, y: Any, adj_y: Any, n: int) -> None:
        adj_x += np.nan * adj_y

    report = judged(primal, backward, WAVE)
    assert report.rows[0].verdict == "not compared"
    assert not report.ok


@pytest.mark.parametrize("slope", [1e-8, 1e-9, 1e-10, 1e-12, 1e-14])
def test_without_tangents_what_differences_cannot_resolve_is_counted_and_not_judged(slope: float) -> None:
    """1 + slope * x moves by about an ulp in a step, or not at all."""

    def primal(x: Any, y: Any, n: int) -> None:
        y[:] = 1 + slope * x

    def backward(x: Any, adj_x: Any, y: Any, adj_y: Any, n: int) -> None:
        adj_x += slope * adj_y

    report = judged(primal, backward, WAVE, tolerance=1e-7)
    (row,) = report.rows
    assert row.wrong == 0
    assert row.kinks == () or slope == 1e-14  # a single step of an output is a kink
    assert row.unresolved
    assert row.to_dict()["unresolved"] == list(row.unresolved)
    assert any("are below what a difference resolves; not compared" in note for note in report.notes)
    assert report.ok == (row.verdict == "ok")


@pytest.mark.parametrize("slope", [1e-6, 1e-8, 1e-10])
def test_an_error_that_differences_resolve_is_found_however_small_the_gradient(slope: float) -> None:
    def primal(x: Any, y: Any, n: int) -> None:
        y[:] = 1 + slope * x

    for factor in (2.0, 0.0, -1.0):

        def backward(x: Any, adj_x: Any, y: Any, adj_y: Any, n: int, seen: float = factor * slope) -> None:
            adj_x += seen * adj_y

        assert judged(primal, backward, WAVE).rows[0].verdict == "wrong"


def test_a_large_output_beside_a_small_one_hides_no_error() -> None:
    """The difference of an output that x doesn't move is exactly zero."""

    def primal(x: Any, y: Any, n: int) -> None:
        y[:] = 1e9
        y[0] = x[0] * x[0]

    def backward(x: Any, adj_x: Any, y: Any, adj_y: Any, n: int) -> None:
        adj_x[0] += 2.00001 * x[0] * adj_y[0]

    assert judged(primal, backward, WAVE).rows[0].verdict == "wrong"


def test_a_steep_function_is_compared_with_smaller_steps() -> None:
    def primal(x: Any, y: Any, n: int) -> None:
        y[:] = np.sin(3000 * x)

    def backward(x: Any, adj_x: Any, y: Any, adj_y: Any, n: int) -> None:
        adj_x += 3000 * np.cos(3000 * x) * adj_y

    report = judged(primal, backward, WAVE)
    assert report.ok, report.text()
    assert report.rows[0].kinks == ()


def test_a_large_offset_is_compared_with_larger_steps() -> None:
    def primal(x: Any, y: Any, n: int) -> None:
        y[:] = 1e6 + x * x

    def backward(x: Any, adj_x: Any, y: Any, adj_y: Any, n: int) -> None:
        adj_x += 2 * x * adj_y

    report = judged(primal, backward, WAVE, tolerance=1e-6)
    assert report.ok, report.text()
    assert report.rows[0].kinks == ()


def test_an_unrelated_output_however_large_disturbs_nothing() -> None:
    def primal(x: Any, y: Any, n: int) -> None:
        y[:] = x * x
        y[0] = 1e30

    def backward(x: Any, adj_x: Any, y: Any, adj_y: Any, n: int) -> None:
        adj_x[1:] += 2 * x[1:] * adj_y[1:]

    assert judged(primal, backward, WAVE).ok


# ---- large arrays, races, notes, output --------------------------------------------------

LARGE = XY.replace("n = 10", "n = 5000")


def test_of_a_large_array_a_sample_and_directions_are_compared() -> None:
    report = judged(wave, wave_adj, WAVE, text=LARGE)
    assert report.ok, report.text()
    row = report.rows[0]
    assert 80 < row.checked < 100
    assert row.directions == 4
    assert "random directions" in " ".join(report.notes)


def test_directions_find_what_the_sample_misses() -> None:
    def wrong(x: Any, adj_x: Any, y: Any, adj_y: Any, n: int) -> None:
        wave_adj(x, adj_x, y, adj_y, n)
        adj_x[3001] *= -1

    report = judged(wave, wrong, WAVE, text=LARGE)
    assert not report.ok


def test_a_zero_gradient_is_noted() -> None:
    def primal(x: Any, y: Any, n: int) -> None:
        y[:] = np.floor(x)

    report = judged(primal, lambda **_: None, WAVE)
    assert report.ok
    assert "says little" in " ".join(report.notes)


def test_a_primal_that_depends_on_the_order_of_threads_fails() -> None:
    calls = 0

    def primal(x: Any, y: Any, n: int) -> None:
        nonlocal calls
        calls += 1
        y[:] = x + (calls == 2)

    def backward(x: Any, adj_x: Any, y: Any, adj_y: Any, n: int) -> None:
        adj_x += adj_y

    report = judged(primal, backward, WAVE)
    assert broken(report) == ["k gives the same y in another order of threads"]


def test_a_report_is_plain_data_and_a_table() -> None:
    report = judged(wave, wave_adj, WAVE)
    data = json.loads(json.dumps(report.to_dict()))
    assert data["ok"] is True
    assert data["arguments"][0]["name"] == "x"
    text = report.text()
    assert text.startswith("k_adj: ok: worst relative error ")
    assert "10 of 10 elements" in text
    assert "\x1b" not in text
    terminal = Console(file=io.StringIO(), force_terminal=True, color_system="standard", width=120)
    terminal.print(page.drawn(report))
    drawn = terminal.file.getvalue()  # type: ignore[attr-defined]
    assert "\x1b" in drawn
    plain = [line.split() for line in re.sub(r"\x1b\[[\d;]*m", "", drawn).splitlines()]
    assert plain == [line.split() for line in text.splitlines()]


def test_progress_is_told() -> None:
    told: list[tuple[int, int, str]] = []
    judging, backend = pair(
        wave, wave_adj, (array("x"), array("y", written=True), number("n")), WAVE, of=["y"], wrt=["x"]
    )
    check_pair(judging, Case.parse(XY, judging.primal), backend, progress=lambda *what: told.append(what))
    assert told[0] == (0, 1, "compiling")
    assert told[-1] == (10, 10, "x")


def test_injectivity_is_verified_on_the_data() -> None:
    assert verify_injective(np.array([3, 1, 2])) is None
    assert verify_injective(np.array([3, 1, 2, 1, 3])) == Repeat(1, 1, 3)


@pytest.mark.parametrize(("fill", "ok"), [("permutation", True), ("ones", False)])
def test_an_assumption_is_held_against_the_case(fill: str, ok: bool) -> None:
    def primal(x: Any, y: Any, idx: Any, n: int) -> None:
        y[:] = x

    def backward(x: Any, adj_x: Any, y: Any, adj_y: Any, idx: Any, n: int) -> None:
        adj_x += adj_y

    parameters = (array("x"), array("y", written=True), array("idx", type="int"), number("n"))
    judging, backend = pair(primal, backward, parameters, WAVE, of=["y"], wrt=["x"])
    case = Case.parse(XY + f'idx = {{ shape = "n", fill = "{fill}" }}\n', judging.primal)
    assert check_pair(judging, case, backend, assume=["injective:idx"]).ok is ok
