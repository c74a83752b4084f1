"""Fixed-point iterations that converge, and one that doesn't: it is reported with its name and place."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import s2sad
from s2sad.fixpoint import Unsettled, fixpoint, rounds
from s2sad.source import Source, Span


def test_a_set_grows_until_nothing_is_added() -> None:
    edges = {1: {2}, 2: {3}, 3: {1}, 4: {5}}
    grown = fixpoint(
        lambda found: found.union(*(edges.get(n, ()) for n in found)), frozenset({1}), 5, "reach"
    )
    assert grown == {1, 2, 3}


def test_as_many_rounds_as_the_lattice_is_high_are_enough() -> None:
    assert fixpoint(lambda n: min(n + 1, 7), 0, 7, "counting") == 7
    with pytest.raises(Unsettled):
        fixpoint(lambda n: min(n + 1, 8), 0, 7, "counting")


def test_a_step_that_goes_to_and_fro_is_an_error_with_its_place() -> None:
    source = Source("kernel.cu", "first\nsecond\n")
    with pytest.raises(Unsettled, match=r"who meets doesn't settle after 4 rounds at kernel\.cu:2"):
        fixpoint(lambda flag: not flag, False, 4, "who meets", Span(source, 6, 12))


def test_rounds_may_be_left() -> None:
    assert sum(1 for _ in zip(rounds(3, "anything"), range(2), strict=False)) == 2
    with pytest.raises(Unsettled, match="anything doesn't settle after 3 rounds"):
        list(rounds(3, "anything"))


TO_DO = {"todo", "work", "rest", "left", "waiting"}  # worklists that shrink in each round


@pytest.mark.parametrize("folder", ["analysis", "transform"])
def test_every_iteration_of_the_analyses_and_the_transformation_counts_its_rounds(folder: str) -> None:
    """`while` is allowed for worklists and for walks along something finite."""
    found = [
        f"{path.name}:{node.lineno}"
        for path in sorted((Path(s2sad.__file__).parent / folder).rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.While) and _until_nothing_changes(node.test)
    ]
    assert found == []


def _until_nothing_changes(test: ast.expr) -> bool:
    match test:
        case ast.Name(name):
            return name not in TO_DO
        case ast.Call(ast.Name("isinstance")) | ast.Call(ast.Name("any")):
            return False
        case ast.Constant() | ast.Call() | ast.UnaryOp() | ast.Compare(ops=[ast.NotEq()]):
            return True
        case _:
            return False
