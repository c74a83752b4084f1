"""Lower the compiler's bit-manipulation built-ins, which `constexpr` may need.

    constexpr unsigned shift = __builtin_ctz(TILE);     ->     const unsigned int shift = 4;
    n += __builtin_popcount(mask);                      ->     n += __popc(mask);

A constant argument is folded; any other becomes a call of the device function. Where the
built-in is undefined, at zero, nothing is folded.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from pycparser import c_ast

from ... import ir
from ...ir import Binary, Call, Const, Expr, Scalar
from ..sema import evaluation
from ..sema.scope import Context
from ..types import types
from ..types.builtins import BUILTINS

_NAME = re.compile(r"__builtin_(ctz|clz|ffs|popcount|parity)(l|ll)?")
_CALLS = {"ctz": "__ffs", "ffs": "__ffs", "clz": "__clz", "popcount": "__popc", "parity": "__popc"}
_OF: dict[str, Callable[[int, int], int]] = {  # from the bits as an unsigned number and the bit width
    "ctz": lambda x, n: (x & -x).bit_length() - 1,
    "ffs": lambda x, n: (x & -x).bit_length(),
    "clz": lambda x, n: n - x.bit_length(),
    "popcount": lambda x, n: x.bit_count(),
    "parity": lambda x, n: x.bit_count() % 2,
}


def known(name: str) -> bool:
    return _NAME.fullmatch(name) is not None


def counted(ctx: Context, node: c_ast.FuncCall, given: list[Expr]) -> Expr:
    """Return the value of such a call."""
    match = _NAME.fullmatch(node.name.name)
    assert match is not None
    if len(given) != 1:
        raise ctx.type_error(node, f"`{node.name.name}` takes one argument", f"{len(given)} are given")
    what = match[1]
    wide = match[2] is not None
    of = ir.ULLONG if wide else ir.UINT
    arg = types.convert(given[0], of)
    value = evaluation.constant_integer(ctx, arg)
    if value is not None and (value or what not in ("ctz", "clz")):
        return Const(_OF[what](value, 8 * of.size), ir.INT)
    (builtin,) = BUILTINS[_CALLS[what] + ("ll" if wide else "")]
    (param,) = builtin.params
    assert isinstance(param, Scalar)
    plain = isinstance(given[0].type, Scalar) and given[0].type.is_integer  # the bits stay as they are
    arg = types.convert(given[0] if plain else arg, param)
    found: Expr = Call(builtin.name, (arg,), ir.INT, rule=builtin.rule)
    if what == "ctz":
        return Binary("-", found, Const(1, ir.INT), ir.INT)
    return Binary("&", found, Const(1, ir.INT), ir.INT) if what == "parity" else found
