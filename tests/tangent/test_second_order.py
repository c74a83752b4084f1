"""Second order: the tangent of the adjoint of golden kernels.

The check compares it with exact tangents of the adjoint's text, with differences of gradients, with second
derivatives of the primal's text, and with itself: the Hessian is symmetric.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Golden
from golden_kit import KERNELS, file, fresh, made
from tangent_kit import building, isolated
from tiers import sampled

from s2sad.diagnostics import Rejected
from s2sad.run.backend import Backend
from s2sad.validate import Case, Twice, check_second_order

HERE = Path(__file__).parent
TEXTS = tuple(sorted(p.name.removesuffix("_adj_tan.cu") for p in (HERE / "golden").glob("*_adj_tan.cu")))

backend = pytest.fixture(scope="session")(isolated)
compiled = pytest.fixture(scope="session")(building)

BITS = "the bits of a value are read as another type"
COMPANION = "--companion with --mode second-order"
# What has no second-order kernel yet: how its adjoint is written can't be differentiated again.
REFUSED = {
    "butterflies": [BITS],
    "companion": [COMPANION],
    "companion_template": [COMPANION],
    "functor_parameter": ["the struct `Smooth_float`, which has no fields"],
    "held_arrays": ["second derivatives with adj_in, a pointer to a struct of numbers and pointers"],
    "launched_extent": ["inline assembly"],
    "optional_fields": ["second derivatives with adj_p, a pointer to a struct of numbers and pointers"],
    "packed_accessors_companion": [COMPANION],
    "regions_of_the_launch": [BITS],
    "stream_compact": ["the adjoint needs the return value of this call"],
    "struct_of_pointers": [
        "the target of the pointer `whole.in` is not known here",
        "the target of the pointer `in` is not known here",
        "the target of the pointer `in` is not known here",
    ],
}
GIVEN = tuple(name for name in KERNELS if name not in REFUSED)
# The square root of a negative number in some rows: the sums over the rows have no second derivatives.
UNDEFINED = {"warp_rows_shift": {"adj_w"}}
# In a further launch: a race of the primal itself; a value that is infinite times a tangent that is zero.
FAULTY = {"same_flag", "intrinsics"}
# Offsets in bytes that leave too little room for numbers with second derivatives, which a note says.
LAID_OUT = {"regions_of_types"}
SEVERAL = tuple(name for name in GIVEN if "[[also]]" in file(name).with_suffix(".toml").read_text())


def twice(name: str) -> Twice:
    done = made(name, "second-order")
    assert done.first is not None
    return Twice(done.first.pair, done.pair)


@pytest.mark.parametrize("name", sampled(GIVEN, 20, TEXTS))
def test_second_derivatives_are_right(
    name: str, backend: Backend, compiled: Callable[[str, str], None]
) -> None:
    compiled("test_second_order", name)
    both = twice(name)
    report = check_second_order(both, Case.read(file(name).with_suffix(".toml"), both.first.primal), backend)
    if name in UNDEFINED:
        assert {row.name for row in report.rows if row.verdict == "not compared"} == UNDEFINED[name]
        assert not report.wrong, report.text()
        return
    assert report.ok, report.text()
    assert {exact.verdict for exact in report.exact} <= {"ok", "tied"}, report.text()
    for order in (1, 2) if name not in LAID_OUT else (1,):
        assert any(exact.verdict == "ok" for exact in report.exact if exact.order == order), report.text()
    assert len(report.watched) == 2, report.text()
    assert any("symmetric" in finding.what for finding in report.findings), report.text()


@pytest.mark.parametrize("name", TEXTS)
def test_the_second_order_kernel_says_this(name: str, golden: Golden) -> None:
    golden(HERE / "golden" / f"{name}_adj_tan.cu", made(name, "second-order").text)


@pytest.mark.derivatives
@pytest.mark.parametrize("name", SEVERAL)
def test_second_derivatives_are_right_on_further_launches(name: str, backend: Backend) -> None:
    """Nothing is wrong; what is a kink or isn't finite isn't compared."""
    both = twice(name)
    for case in Case.read(file(name).with_suffix(".toml"), both.first.primal).also:
        report = check_second_order(both, case, backend)
        assert not report.wrong or name in FAULTY, report.text()


@pytest.mark.parametrize("name", REFUSED)
def test_what_has_no_second_order_is_refused_for_this_reason(name: str) -> None:
    with pytest.raises(Rejected) as refused:
        fresh(name, "second-order")
    assert [d.title for d in refused.value.diagnostics] == REFUSED[name]
