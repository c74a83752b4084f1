"""What an account of contributions finds: each statement that is lost, and each that is made twice."""

from __future__ import annotations

from dataclasses import replace

import golden_kit
import pytest

from s2sad.ir import (
    BOOL,
    FLOAT,
    Accumulate,
    Assign,
    Body,
    Clear,
    Const,
    If,
    Place,
    Stmt,
    Sym,
    rebuilt,
    statements,
)
from s2sad.transform.optimise.contribution_audit import Unaccounted, accounted, stored, sum_of_sites

KERNELS = (
    "bounded_pairs",
    "nbody_tile",
    "matmul_tile",
    "blur_covered",
    "dense_rows",
    "heat_inplace",
    "conv2d",
)


def adjoint(name: str) -> Body:
    return golden_kit.made(name, "joint").adjoint.kernel.body


def contributions(body: Body) -> list[Accumulate | Assign | Clear]:
    return [s for s in statements(body) if isinstance(s, Accumulate | Assign | Clear) and s.sites]


def changed(body: Body, wanted: Stmt, new: tuple[Stmt, ...]) -> Body:
    def inner(part: Body) -> Body:
        return tuple(made for s in part for made in (new if s is wanted else (rebuilt(s, inner),)))

    return inner(body)


@pytest.mark.parametrize("name", KERNELS)
def test_a_contribution_that_is_lost_is_named(name: str) -> None:
    body = adjoint(name)
    found = contributions(body)
    assert found
    for stmt in found:
        with pytest.raises(Unaccounted, match="it loses"):
            accounted("it", body, changed(body, stmt, ()))


@pytest.mark.parametrize("name", KERNELS)
def test_a_contribution_that_is_made_twice_is_named(name: str) -> None:
    body = adjoint(name)
    for stmt in contributions(body):
        with pytest.raises(Unaccounted, match=r"it makes .* twice"):
            accounted("it", body, changed(body, stmt, (stmt, replace(stmt))))


def test_the_message_says_the_line_and_the_operand() -> None:
    body = adjoint("bounded_pairs")
    (stmt,) = (s for s in contributions(body) if s.target.sym.name == "adj_mine")
    said = r"^it loses line 17, mine \(bounded_pairs.cu:17\), a contribution to adj_p$"
    with pytest.raises(Unaccounted, match=said):
        accounted("it", body, changed(body, stmt, ()))


def test_what_two_alternatives_hold_is_there_once() -> None:
    body = adjoint("bounded_pairs")
    for stmt in contributions(body):
        branch = If(Const(True, BOOL), (stmt,), (replace(stmt),))
        accounted("it", body, changed(body, stmt, (branch,)))


def test_a_sum_that_goes_nowhere_any_more_is_lost() -> None:
    """The addition to a local is still there, and what added the local to the caller's array isn't."""
    body = adjoint("bounded_pairs")
    (last,) = (s for s in contributions(body) if s.target.sym.name == "adj_q")
    assert isinstance(last, Accumulate)
    nowhere = replace(last, target=Place(Sym("nobody", FLOAT), (), FLOAT))
    with pytest.raises(Unaccounted, match="it loses"):
        accounted("it", body, changed(body, last, (nowhere,)))


def test_where_locals_may_be_merged_only_the_callers_arrays_count() -> None:
    body = adjoint("bounded_pairs")
    for stmt in contributions(body):
        without = changed(body, stmt, ())
        if stmt.target.sym.storage == "parameter":
            with pytest.raises(Unaccounted, match="it loses"):
                stored("it", body, without)
        else:
            stored("it", body, without)


def test_a_sum_that_a_rewriting_names_as_merged_is_accounted_for() -> None:
    body = adjoint("bounded_pairs")
    (stmt,) = (s for s in contributions(body) if s.target.sym.name == "adj_mine")
    without = changed(body, stmt, ())
    assert accounted("it", body, without, gone=stmt.sites) is without


def test_a_sum_that_a_rewriting_makes_is_added_once() -> None:
    body = adjoint("bounded_pairs")
    (stmt,) = (s for s in contributions(body) if s.target.sym.name == "adj_q")
    new = replace(stmt, sites=sum_of_sites(stmt.target))
    accounted("it", body, changed(body, stmt, (stmt, new)))
    with pytest.raises(Unaccounted, match=r"it makes .* twice"):
        accounted("it", body, changed(body, stmt, (stmt, new, replace(new))))
