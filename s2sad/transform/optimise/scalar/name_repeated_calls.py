"""Name the result of a call that the tool's statements make more than once.

    adj_w += expf(-d * d) * g;                        float exp_d = expf(-d * d);
    adj_x -= 2.0f * d * w * expf(-d * d) * g;   ->    adj_w += exp_d * g;
                                                      adj_x -= 2.0f * d * w * exp_d * g;

A compiler would make it once as well; a reader sees that it is one value. Calls that cost no more than an
addition, and those in one alternative of a `?:`, stay where they are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from ....analysis.atomics import is_drawn
from ....analysis.ssa import outputs
from ....ir import (
    Accumulate,
    Assign,
    Body,
    Call,
    Comment,
    Declare,
    Expr,
    Initialiser,
    Place,
    Quote,
    Scalar,
    Select,
    Stmt,
    Sym,
    children,
    rebuilt,
    remembered,
)
from ...common.adjoint_names import by_operation
from ...common.mod_ref import changes
from .call_cse import is_own, with_name
from .restore_collectives import made_together

CHEAP = frozenset({"fabs", "fmax", "fmin", "floor", "ceil", "trunc", "rint", "round", "copysign", "fma"})


def name_repeated_calls(body: Body) -> Body:
    """The body with such calls named before the first statement that makes them."""
    out = [rebuilt(stmt, name_repeated_calls) for stmt in body]
    times = Counter(call for stmt in out for call in _made_by(stmt).elements())
    for call in [call for call, number in times.items() if number > 1]:
        first = next((k for k, stmt in enumerate(out) if call in _made_by(stmt)), None)
        if first is None:
            continue  # it was in another one
        end = next((k for k in range(first, len(out)) if changes(out[k], call)), len(out) - 1)
        users = [k for k in range(first, end + 1) if call in _made_by(out[k])]
        if sum(_made_by(out[k])[call] for k in users) < 2:
            continue
        assert isinstance(call.type, Scalar)
        sym = Sym(by_operation(call, ""), call.type)
        for k in users:
            out[k] = with_name(out[k], sym, call)
        while first and isinstance(out[first - 1], Quote | Comment):
            first -= 1
        out.insert(first, Declare(sym, call))
    return tuple(out)


@remembered
def _made_by(stmt: Stmt) -> Counter[Call]:
    """The calls that a statement of the tool's makes in any case."""
    match stmt:
        case Accumulate(_, value) | Declare(_, value) | Assign(_, value) if is_own(stmt):
            return Counter(_calls(value))
        case _:
            return Counter()


def _calls(value: Expr | Initialiser | None) -> Iterator[Call]:
    if value is None or isinstance(value, Initialiser | Select):
        return
    if isinstance(value, Call) and _is_worth(value):
        yield value
    for part in children(value):
        yield from _calls(part)


def _is_worth(call: Call) -> bool:
    floating = isinstance(call.type, Scalar) and call.type.is_float
    known = call.callee is None and call.rule is not None and call.rule not in CHEAP
    if not floating or not known or is_drawn(call) or made_together(call) or outputs(call):
        return False
    return any(isinstance(arg, Place) or arg.symbols for arg in call.args)
