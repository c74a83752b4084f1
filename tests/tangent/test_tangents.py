"""Tangent kernels of the golden kernels, checked, and the dot product of our own two texts.

`check_tangent` compares tangents with exact ones of the primal's text and with differences. The adjoint's
text is another one of ours: <ybar, J v> = <J^T ybar, v>, whatever the primal's derivative is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import pytest
from conftest import Golden
from golden_kit import KERNELS, asked, file, fresh, made
from tangent_kit import building, isolated
from tiers import sampled

from s2sad.diagnostics import Rejected
from s2sad.pipeline import Transformed
from s2sad.run.backend import Backend
from s2sad.validate import Case, check_tangent
from s2sad.validate.check import draw_seeds
from s2sad.validate.forward_check import Runner
from s2sad.validate.launching import Launcher
from s2sad.validate.recipe import Setting
from s2sad.validate.tangent_check import drawn

HERE = Path(__file__).parent
TEXTS = tuple(sorted(p.name.removesuffix("_tan.cu") for p in (HERE / "golden").glob("*_tan.cu")))
TEXTS = tuple(name for name in TEXTS if name in KERNELS)

# What has no tangent, and the exact reason.
REFUSED = {
    "regions_of_the_launch": "a tangent of weights in dynamic shared memory of half precision",
}
# The square root of a negative number in some rows: no direction has finite tangents everywhere.
UNDEFINED = {"warp_rows_shift"}
# The primal itself is at fault in a further launch of its case.
FAULTY = {"same_flag"}
# The sums of a dot product are exact up to rounding; relative to the sum of magnitudes.
DOT = 1e-12

GIVEN = tuple(name for name in KERNELS if name not in REFUSED)

SEVERAL = tuple(name for name in GIVEN if "[[also]]" in file(name).with_suffix(".toml").read_text())

backend = pytest.fixture(scope="session")(isolated)
compiled = pytest.fixture(scope="session")(building)


@pytest.mark.parametrize("name", sampled(GIVEN, 8, TEXTS))
def test_the_tangent_is_right(name: str, backend: Backend, compiled: Callable[[str, str], None]) -> None:
    compiled("test_tangents", name)
    done = made(name, "tangent")
    case = Case.read(file(name).with_suffix(".toml"), done.pair.primal)
    assume = [str(a) for a in done.options.assume]
    report = check_tangent(done.pair, case, backend, assume=assume)
    assert report.ok, report.text()
    verdicts = {exact.verdict for exact in report.exact}
    assert verdicts <= {"ok", "tied", "not finite"}, report.text()
    assert "ok" in verdicts or name in UNDEFINED, report.text()
    assert len(report.watched) == 2, report.text()
    assert {row.name for row in report.rows} >= set(done.pair.dependents), report.text()
    assert not all(row.zero for row in report.rows), report.text()


@pytest.mark.derivatives
@pytest.mark.parametrize("name", SEVERAL)
def test_the_tangent_is_right_on_further_launches(name: str, backend: Backend) -> None:
    """Nothing is wrong; what is a kink or isn't finite isn't compared."""
    done = made(name, "tangent")
    for case in Case.read(file(name).with_suffix(".toml"), done.pair.primal).also:
        report = check_tangent(done.pair, case, backend, assume=[str(a) for a in done.options.assume])
        assert report.watched[0].ok or name in FAULTY, report.text()
        assert not report.wrong or not report.watched[0].ok, report.text()


@pytest.mark.parametrize("name", sampled(GIVEN, 8, TEXTS))
def test_the_adjoint_and_the_tangent_are_transposed(
    name: str, backend: Backend, compiled: Callable[[str, str], None]
) -> None:
    compiled("test_tangents", name)
    forward, reverse = made(name, "tangent"), made(name, asked(name))
    left, right, size = products(name, forward, reverse, backend)
    assert size > 0
    assert abs(left - right) <= DOT * size, (left, right, size)


@pytest.mark.parametrize("name", TEXTS)
def test_the_tangent_says_this(name: str, golden: Golden) -> None:
    golden(HERE / "golden" / f"{name}_tan.cu", made(name, "tangent").text)


@pytest.mark.parametrize("name", TEXTS[:3])
def test_it_is_the_same_bytes_again(name: str) -> None:
    assert fresh(name, "tangent").text == made(name, "tangent").text


# ---- refusals ------------------------------------------------------------------


@pytest.mark.parametrize("name", REFUSED)
def test_a_golden_kernel_without_a_tangent_is_refused_for_this_reason(name: str) -> None:
    with pytest.raises(Rejected) as refused:
        fresh(name, "tangent")
    assert [d.title for d in refused.value.diagnostics] == [REFUSED[name]]


def products(
    name: str, forward: Transformed, reverse: Transformed, backend: Backend
) -> tuple[float, float, float]:
    """Return <ybar, J v>, <J^T ybar, v> and the sum of the magnitudes of their finite terms."""
    setting = setting_of(name, reverse)
    launcher = Launcher(reverse.pair, backend, "double", few="all")
    outputs = launcher.primal(setting.launch, setting.args)
    seeds = {of: draw_seeds(of, outputs[of]) for of in reverse.pair.dependents}
    random = np.random.default_rng(3)
    along = {of: drawn(setting.args[of], random) for of in reverse.pair.independents}
    pulled = launcher.adjoint(
        setting.launch, setting.backward, setting.args, launcher.buffers(setting.args, seeds)
    ).buffers
    pushed = Runner(forward.pair, backend).run(setting.launch, setting.args, along).tangents
    left, one = inner(seeds, pushed)
    right, two = inner(along, pulled)
    return left, right, max(one, two)


def setting_of(name: str, done: Transformed) -> Setting:
    case = Case.read(file(name).with_suffix(".toml"), done.pair.primal)
    return case.setting("double", least_blocks=2)


def inner(one: Mapping[str, np.ndarray], two: Mapping[str, np.ndarray]) -> tuple[float, float]:
    """Return the sum of products and that of their magnitudes."""
    terms = [np.asarray(one[k], "f8").reshape(-1) * np.asarray(two[k], "f8").reshape(-1) for k in one]
    finite = [term[np.isfinite(term)] for term in terms]
    return float(sum(term.sum() for term in finite)), float(sum(np.abs(term).sum() for term in finite))
