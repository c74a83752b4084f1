"""The cost of computing a value: "1 expf, 2 flops, 1 load"."""

from __future__ import annotations

from collections import Counter as Bag
from collections.abc import Iterable

from ...analysis.ssa import Version
from ...ir import Assign, Binary, Call, Declare, Evaluate, Expr, Initialiser, Place, Scalar, walk


def counted(calls: Iterable[Call]) -> str:
    """Describe calls: "2 expf, 1 logf"."""
    return ", ".join(f"{n} {name}" for name, n in Bag(call.name for call in calls).items())


def price(exprs: Iterable[Expr]) -> str:
    """Describe the operations of expressions: "1 expf, 2 flops, 1 load"."""
    calls: dict[str, int] = {}
    flops = loads = integers = 0
    for expr in exprs:
        for e in walk(expr):
            match e:
                case Call():
                    calls[e.name] = calls.get(e.name, 0) + 1
                case Place(_, index) if index:
                    loads += 1
                case Binary():
                    if isinstance(e.type, Scalar) and e.type.is_float:
                        flops += 1
                    else:
                        integers += 1
                case _:
                    pass
    words = [f"{n} {name}" for name, n in calls.items()]
    words += [f"{flops} flop{'s' * (flops > 1)}"] * (flops > 0)
    words += [f"{loads} load{'s' * (loads > 1)}"] * (loads > 0)
    words += [f"{integers} integer op{'s' * (integers > 1)}"] * (integers > 0)
    return ", ".join(words) or "no operations"


def recomputed(version: Version) -> str:
    """Describe the cost of recomputing a value, from the statement that defines it."""
    if version.kind in ("join", "exit"):
        return f"rerun of line {version.line}"
    match version.stmt:
        case Declare(_, init) if init is not None and not isinstance(init, Initialiser):
            return price([init])
        case Assign(target, value, str(op)):
            return price([Binary(op.removesuffix("="), target, value, value.type)])
        case Assign(_, value):
            return price([value])
        case Evaluate(call):
            return price([call])
        case _:
            return price([])
