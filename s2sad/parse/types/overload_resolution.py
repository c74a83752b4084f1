"""Resolve overloads among functions of arithmetic parameters."""

from __future__ import annotations

from collections.abc import Sequence

from ... import ir
from ...ir import Scalar, Type
from . import types


def choose(choices: Sequence[Sequence[Type]], given: Sequence[Type]) -> list[int]:
    """Return the overloads that fit best: one, none, or several if the call is ambiguous."""
    costs: dict[int, tuple[int, ...]] = {}
    for k, params in enumerate(choices):
        if len(params) == len(given):
            ranks = [_rank(a, p) for a, p in zip(given, params, strict=True)]
            if None not in ranks:
                costs[k] = tuple(r for r in ranks if r is not None)
    return [
        k
        for k, cost in costs.items()
        if not any(_better(other, cost) for j, other in costs.items() if j != k)
    ]


def _better(a: tuple[int, ...], b: tuple[int, ...]) -> bool:
    return a != b and all(x <= y for x, y in zip(a, b, strict=True))


def _rank(given: Type, param: Type) -> int | None:
    """Rank a conversion: 0 for the same type, 1 a promotion, 2 any other, more by a class; None for none."""
    match given, param:
        case (_, Scalar(kind="void")) | (Scalar(kind="void"), _):
            return None
        case Scalar(), Scalar():
            if types.same(given, param):
                return 0
            if types.is_half(given) or types.is_half(param):
                return 3 if types.same(param, ir.FLOAT) else 4  # by a class's conversion, exact or not
            promoted = ir.DOUBLE if given == ir.FLOAT else types.promote(given)
            return 1 if types.same(promoted, param) else 2
        case ir.Pointer(target=ir.VOID, const=False), ir.Pointer(reference=False):  # a null pointer
            return 2
        case ir.Pointer(), ir.Pointer():
            if not types.same(given, param) or (given.const and not param.const):
                return None
            return 0 if given.const == param.const else 1
        case ir.Struct(), ir.Struct():
            return 0 if given == param else None
        case ir.Array(element=element), ir.Pointer(target=target):
            return 0 if types.same(element, target) else None
        case _:
            return None


def mathematical(choices: Sequence[Sequence[Type]], given: Sequence[Type]) -> int | None:
    """Return the overload of a <cmath> function; None if it has no float and double form.

    Its floating-point parameters are float if all their arguments are float, else double.
    """
    forms: dict[tuple[bool, ...], dict[Type, int]] = {}
    for k, params in enumerate(choices):
        floating = tuple(isinstance(p, Scalar) and p.is_float for p in params)
        kinds = {p for p, f in zip(params, floating, strict=True) if f}
        if len(params) == len(given) and len(kinds) == 1:
            forms.setdefault(floating, {})[kinds.pop()] = k
        elif kinds or len(params) == len(given):
            return None  # min, max and abs have integer forms and mixed ones, and are ordinary
    if len(forms) != 1:
        return None
    ((floating, by_type),) = forms.items()
    if len(by_type) < 2:
        return None
    wanted = [t for t, f in zip(given, floating, strict=True) if f]
    return by_type[ir.FLOAT if all(t == ir.FLOAT for t in wanted) else ir.DOUBLE]
