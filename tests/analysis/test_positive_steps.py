"""Lower bounds of launch sizes: compared with the sizes of random launches."""

from __future__ import annotations

import random

import pytest

from s2sad.analysis.constants import computed
from s2sad.analysis.loops.counted_loops import Positive
from s2sad.ir import INT, UINT, Binary, Call, Cast, Const, Expr, Place, Select, Special, Sym

WIDTH, HEIGHT = Special("blockDim", "x", UINT), Special("gridDim", "y", UINT)
LANE, KEPT = Special("threadIdx", "x", UINT), Sym("kept", INT)
ANY = Sym("any", INT)


def _leaf(rng: random.Random) -> Expr:
    leaves = (WIDTH, HEIGHT, LANE, Place(KEPT, (), INT), Place(ANY, (), INT), Const(rng.randrange(40), INT))
    return rng.choice(leaves)


def _made(rng: random.Random, depth: int) -> Expr:
    if depth == 0:
        return _leaf(rng)
    left, right = _made(rng, depth - 1), _made(rng, depth - 1)
    op = rng.choice(("+", "-", "*", "/", "%", ">>", "|", "&", "max", "min", "?", "cast"))
    if op in ("max", "min"):
        return Call(op, (left, right), INT, "integer")
    if op == "?":
        return Select(Binary("<", left, right, INT), left, right, INT)
    if op == "cast":
        return Cast(left, INT)
    if op in ("/", "%", ">>"):
        right = Const(rng.choice((1, 2, 3, 5, 16, 32)), INT)
    return Binary(op, left, right, INT)


def _value(expr: Expr, at: dict[object, int]) -> int:
    match expr:
        case Const(value):
            return int(value)
        case Special(name, axis):
            return at[name, axis]
        case Place(sym, ()):
            return at[sym]
        case Cast(arg):
            return _value(arg, at)
        case Call(name, (left, right)):
            return (max if name == "max" else min)(_value(left, at), _value(right, at))
        case Select(_, then, other):
            return _value(then, at) if _value(then, at) < _value(other, at) else _value(other, at)
        case Binary(op, left, right):
            found = computed(op, _value(left, at), _value(right, at))
            assert found is not None
            return found
        case _:
            raise AssertionError(expr)


@pytest.mark.parametrize("seed", range(8))
def test_no_launch_has_less_than_the_least(seed: int) -> None:
    rng, positive, bounded = random.Random(seed), Positive(frozenset({KEPT})), 0
    for _ in range(400):
        expr = _made(rng, rng.choice((1, 2, 3)))
        least = positive.least(expr)
        bounded += least > 0
        for _ in range(20 if least >= 0 else 0):
            at: dict[object, int] = {KEPT: rng.randrange(1, 9), ANY: rng.randrange(-9, 9)}
            for name, axis in (("blockDim", "x"), ("gridDim", "y")):
                at[name, axis] = rng.choice((1, 2, 31, 32, 33, 200))
            at["threadIdx", "x"] = rng.randrange(5)
            assert _value(expr, at) >= least, (expr, at)
    assert bounded >= 40


def test_blocks_rounded_up_to_warps_are_at_least_one() -> None:
    rounded = Binary("/", Binary("+", WIDTH, Const(31, INT), UINT), Const(32, INT), UINT)
    down = Binary("/", WIDTH, Const(32, INT), UINT)
    assert Positive().holds(Binary("*", HEIGHT, rounded, UINT))
    assert not Positive().holds(down)
    assert Positive(warps=True).holds(down)
    assert not Positive(warps=True).holds(Binary("/", WIDTH, Const(64, INT), UINT))
