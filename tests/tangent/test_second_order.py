"""Second order: the tangent of the adjoint of golden kernels.

The check compares it with exact tangents of the adjoint's text, with differences of gradients, and with
itself: the Hessian is symmetric.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Golden
from golden_kit import KERNELS, file, made
from tangent_kit import building, isolated
from tiers import sampled

from s2sad.run.backend import Backend
from s2sad.validate import Case, Twice, check_second_order

HERE = Path(__file__).parent
TEXTS = tuple(sorted(p.name.removesuffix("_adj_tan.cu") for p in (HERE / "golden").glob("*_adj_tan.cu")))

backend = pytest.fixture(scope="session")(isolated)
compiled = pytest.fixture(scope="session")(building)


def twice(name: str) -> Twice:
    done = made(name, "second-order")
    assert done.first is not None
    return Twice(done.first.pair, done.pair)


@pytest.mark.parametrize("name", sampled(KERNELS, 20, TEXTS))
def test_second_derivatives_are_right(
    name: str, backend: Backend, compiled: Callable[[str, str], None]
) -> None:
    compiled("test_second_order", name)
    both = twice(name)
    report = check_second_order(both, Case.read(file(name).with_suffix(".toml"), both.first.primal), backend)
    assert report.ok, report.text()
    assert {exact.verdict for exact in report.exact} == {"ok"}, report.text()
    assert len(report.watched) == 2, report.text()
    assert any("symmetric" in finding.what for finding in report.findings), report.text()


@pytest.mark.parametrize("name", TEXTS)
def test_the_second_order_kernel_says_this(name: str, golden: Golden) -> None:
    golden(HERE / "golden" / f"{name}_adj_tan.cu", made(name, "second-order").text)
