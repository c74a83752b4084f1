"""The exact output of s2sad, and its correctness.

A golden adjoint is a file that a reviewer has read. It must also be correct, so the
same test compares it with central differences: a wrong text can't be accepted. Both
shapes are judged; the one that the kernel's first line doesn't specify is kept as a
file if there is a NAME_split.cu.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache

import golden_builds
import numpy as np
import pytest
from conftest import Golden
from golden_kit import FOLDER, KERNELS, asked, batch, file, fresh, made, other, text
from tiers import half_thorough

from s2sad.diagnostics import Rejected
from s2sad.emit import explain
from s2sad.options import Mode, Options
from s2sad.pipeline import Transformed, transform
from s2sad.run.backend import Backend
from s2sad.run.isolated import Isolated
from s2sad.source import Source
from s2sad.validate import Case, Report, check_pair
from s2sad.validate.check import draw_seeds
from s2sad.validate.launching import Launcher, Pair

# Central differences in double precision are accurate to about 1e-10 of the largest entry.
TOLERANCE = 1e-8

# Both shapes compute the same sums in double precision, possibly in another order.
AGREEMENT = 1e-10

# Up to so many pairs are compiled one by one.
FEW = 8

OTHER = "test_the_other_shape_is_right_and_agrees"


@pytest.fixture(scope="session")
def backend() -> Iterator[Backend]:
    """The CPU backend in a separate process: a crash of a kernel only fails its test."""
    with Isolated("cpu", timeout=60.0) as isolated:
        yield isolated


@pytest.fixture(scope="session")
def compiled(request: pytest.FixtureRequest) -> Callable[[int], None]:
    """compiled(number): compile the selected kernels of a batch together."""
    asked_for: dict[str, set[str]] = {}
    for item in request.session.items:
        if isinstance(item, pytest.Function) and item.path.samefile(__file__) and hasattr(item, "callspec"):
            asked_for.setdefault(item.callspec.params["name"], set()).add(item.originalname)

    def shapes(name: str) -> Iterator[Mode]:
        yield asked(name)
        if OTHER in asked_for[name] and other(name) != asked(name):
            yield other(name)

    @cache
    def build(number: int) -> None:
        pairs: list[Pair] = []
        for name in (name for name in KERNELS if name in asked_for and batch(name) == number):
            with suppress(Rejected):  # reported by the kernel's own test
                pairs += [made(name, mode).pair for mode in shapes(name)]
        if len(pairs) > FEW:
            golden_builds.build(pairs)

    return build


@pytest.mark.parametrize("name", KERNELS)
def test_the_adjoint_says_this_and_is_right(
    name: str, golden: Golden, backend: Backend, compiled: Callable[[int], None]
) -> None:
    compiled(batch(name))
    done = made(name, asked(name))
    golden(FOLDER / f"{name}_adj.cu", done.text)
    golden(
        FOLDER / f"{name}.plan.md",
        explain.page(done.adjoint.kernel.name, done.adjoint.command, done.adjoint.plan),
    )
    judge(name, done, backend)


@pytest.mark.parametrize("name", half_thorough(KERNELS))
def test_the_other_shape_is_right_and_agrees(name: str, golden: Golden, backend: Backend) -> None:
    done = made(name, other(name))
    kept = FOLDER / f"{name}_split.cu"
    if kept.exists():
        golden(kept, done.text)
    judge(name, done, backend)
    here, there = gradients(name, made(name, asked(name)), backend), gradients(name, done, backend)
    assert list(here) == list(there)
    for argument, found in here.items():
        scale = float(np.max(np.abs(found), initial=0.0)) or 1.0
        assert np.allclose(there[argument], found, rtol=0, atol=AGREEMENT * scale, equal_nan=True), argument


@pytest.mark.parametrize("name", KERNELS)
def test_it_is_the_same_bytes_again(name: str) -> None:
    """The specified shape is in a file written by another process; a few of the others are made here."""
    if not (FOLDER / f"{name}_split.cu").exists() and KERNELS.index(name) % 8 == 0:
        assert fresh(name, other(name)).text == made(name, other(name)).text


def test_every_golden_file_belongs_to_a_kernel() -> None:
    kept = {f"{name}{end}" for name in KERNELS for end in (".cu", ".toml", ".plan.md", "_adj.cu")}
    kept |= {f"{name}{end}" for name in KERNELS for end in ("_split.cu", ".npy")}
    assert [path.name for path in sorted(FOLDER.iterdir()) if path.name not in kept] == []


def judge(name: str, done: Transformed, backend: Backend) -> None:
    """Check the whole contract on the case, and that the case tests every independent."""
    case = Case.read(file(name).with_suffix(".toml"), done.pair.primal)
    report = check_pair(
        done.pair,
        case,
        backend,
        tolerance=case.tolerance or TOLERANCE,
        assume=[str(a) for a in done.options.assume],
    )
    assert report.ok, report.text()
    assert len(report.watched) == 1 + len(done.pair.kernels), report.text()
    assert {exact.verdict for exact in report.exact} == {"ok"}, report.text()
    assert silent(report, done.pair.independents) == [], report.text()


def silent(report: Report, wrt: tuple[str, ...]) -> list[str]:
    """Return independents that the case doesn't test: zero gradients, or mostly kinks."""
    rows = {row.name: row for row in report.rows}
    return [
        name
        for name in wrt
        if name not in rows or rows[name].zero or 2 * len(rows[name].kinks) > rows[name].elements
    ]


def gradients(name: str, done: Transformed, backend: Backend) -> dict[str, np.ndarray]:
    """Return every adjoint array after a launch on the case."""
    pair = done.pair
    setting = Case.read(file(name).with_suffix(".toml"), pair.primal).setting("double", least_blocks=2)
    launcher = Launcher(pair, backend, "double", few="all")  # as compiled by check
    outputs = launcher.primal(setting.launch, setting.args)
    seeds = {of: draw_seeds(of, outputs[of]) for of in pair.dependents}
    buffers = launcher.buffers(setting.args, seeds)
    run = launcher.adjoint(setting.launch, setting.backward, setting.args, buffers)
    return {a.of: run.buffers[a.of] for a in pair.adjoints}


def test_a_bound_that_is_too_low_never_gives_a_plausible_number(backend: Backend) -> None:
    """The kernel reaches its barriers, sets the flag in the tape's first bytes, and leaves NaN."""
    name = "bounded_while"
    source = Source(file(name).name, text(name).replace("--bound 11=limit", "--bound 11=limit / 3"))
    pair = transform(source, Options()).pair
    setting = Case.read(file(name).with_suffix(".toml"), pair.primal).setting("double")
    launcher = Launcher(pair, backend, "double")
    outputs = launcher.primal(setting.launch, setting.args)
    buffers = launcher.buffers(setting.args, {"y": np.ones_like(outputs["y"])})
    run = launcher.adjoint(setting.launch, setting.backward, setting.args, buffers)
    assert run.overrun
    assert not run.outside
    assert np.isnan(run.buffers["x"]).any()
    assert np.isnan(run.buffers["c"]).any()


@pytest.mark.parametrize("name", KERNELS)
def test_a_case_launches_more_than_one_block_and_more_threads_than_needed(name: str) -> None:
    """Guards are tested only if a block has excess threads, ownership only between blocks."""
    pair = made(name, asked(name)).pair
    setting = Case.read(file(name).with_suffix(".toml"), pair.primal).setting()
    threads = int(np.prod(setting.launch.block))
    assert np.prod(setting.launch.grid) > 1
    assert threads > 1
    sizes = [value for value in setting.args.values() if isinstance(value, int)]
    views = [value for name, value in setting.args.items() if name.endswith(".sizes_")]
    sizes += [int(extent) for value in views for extent in np.asarray(value)]
    assert any(size % threads for size in sizes)
