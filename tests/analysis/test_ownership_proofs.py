"""Proofs of ownership as written out: they agree with the decisions, and name what these rest on."""

from __future__ import annotations

import pytest
from golden_kit import asked, fresh

from s2sad import pipeline
from s2sad.options import Options, assumption
from s2sad.pipeline import Transformed
from s2sad.source import Source
from s2sad.transform.report.fact_tables import LEMMAS, OWNERSHIP
from s2sad.transform.unit import FactTable


def kernel(body: str, parameters: str = "") -> str:
    return (
        f'extern "C" __global__ void k(const float *x, float *y, int n{parameters})\n{{\n'
        f"    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i >= n)\n        return;\n{body}\n}}\n"
    )


def made(text: str, *assume: str) -> Transformed:
    options = Options(of=("y",), wrt=("x",), assume=tuple(map(assumption, assume)))
    return pipeline.transform(Source("k.cu", text), options)


def table(done: Transformed, title: str = OWNERSHIP) -> FactTable:
    return next(t for t in done.adjoint.facts if t.title == title)


def rows(done: Transformed, adjoint: str) -> list[tuple[str, ...]]:
    return [row[1:] for row in table(done).rows if row[0] == adjoint]


def test_one_digit_determines_the_thread() -> None:
    (row,) = rows(made(kernel("    y[i] = sinf(x[i]);")), "adj_x[..]")
    assert row[0] == "x[i] (line 6)"
    assert row[2:4] == ("never meet", "blockIdx.x * blockDim.x + threadIdx.x determines the thread")


def test_what_all_accesses_share_is_one_step() -> None:
    (row,) = rows(made(kernel("    y[i] = x[2 * i] * x[2 * i + 1];")), "adj_x[..]")
    assert row[:3] == ("x[2 * i] and x[2 * i + 1] (line 6)", "", "never meet")
    assert row[4] == "L8"


def test_digits_of_an_index_are_named_with_the_lemma() -> None:
    (row,) = rows(
        made(kernel("    for (int d = 0; d < 4; ++d)\n        y[4 * i + d] = sinf(x[4 * i + d]);")),
        "adj_x[..]",
    )
    assert row[2] == "never meet"
    assert row[4] == "L6, L8"


def test_the_pair_that_may_meet_is_named() -> None:
    (row,) = rows(made(kernel("    y[i] = x[i] * (i + 1 < n ? x[i + 1] : 0.0f);")), "adj_x[..]")
    assert row[:3] == ("x[i] (line 6)", "x[i + 1] (line 6)", "may meet")
    assert row[3] == "neighbouring threads share x[i] and x[i + 1]"


def test_an_assumption_that_a_proof_needs_is_named() -> None:
    text = kernel("    y[i] = x[idx[i]];", ", const int *idx")
    (row,) = rows(made(text), "adj_x[..]")
    assert row[2:4] == ("may meet", "values of idx may repeat")
    (row,) = rows(made(text, "injective:idx"), "adj_x[..]")
    assert row[2] == "never meet"
    assert "injective:idx" in row[4]


def test_a_guard_that_lets_one_thread_pass_is_named() -> None:
    text = kernel("    if (threadIdx.x == 0)\n        y[blockIdx.x] = x[blockIdx.x];")
    for adjoint in ("adj_x[..]", "adj_y[..]"):
        (row,) = rows(made(text), adjoint)
        assert row[2:4] == ("never meet", "with the guard, blockIdx.x determines the thread")
        assert "the guard around it" in row[4]


def test_only_lemmas_that_were_used_are_said() -> None:
    assert table(made(kernel("    y[i] = sinf(x[i]);")), LEMMAS).rows == ()
    done = made(kernel("    y[i] = x[2 * i];"))
    used = {name for row in table(done).rows for name in row[5].split(", ") if name}
    assert {row[0] for row in table(done, LEMMAS).rows} == used == {"L6", "L8"}


@pytest.mark.parametrize(
    "name",
    [
        "conv2d",
        "block_softmax",
        "attention_row",
        "refilled_rows",
        "warp_parts",
        "carried_arrays",
        "own_element",
    ],
)
def test_a_proof_says_what_was_decided(name: str) -> None:
    """An adjoint that one thread adds to has no pair that may meet; one with atomics has such a pair."""
    done = fresh(name, asked(name))
    for accumulation in done.adjoint.plan.accumulations:
        found = rows(done, accumulation.target)
        meets = [row for row in found if row[2] == "may meet"]
        if accumulation.how == "owner":
            assert found
            others = [a for a in done.adjoint.plan.accumulations if a.target == accumulation.target]
            assert not meets or len(others) > 1
        elif accumulation.how in ("atomic", "reduce", "warp") and found:
            assert meets
    assert all(row[4] for row in table(done).rows), "a row without a reason"
