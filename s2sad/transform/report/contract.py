"""The contract of an adjoint: what each array holds on entry and on exit, for the file's header."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence

from ...signature import HALVES, Argument, Signature, told
from ..common.wording import in_rows, is_, listed
from ..unit import Contract

_NAMES = 28  # characters of names in a row, if it has several names


def contract(
    signature: Signature, primal: str, stored: Container[str], summed: Container[str], split: bool = False
) -> Contract:
    """Return the contract of an adjoint kernel.

    `stored` are the primal's arrays that the adjoint stores to, `summed` those that the primal
    only adds to.
    """
    arguments = list(told(signature.arguments))
    roles: dict[tuple[str, str], list[str]] = {}
    for a in arguments:
        if a.role == "value" and a.pointer:
            roles.setdefault(_value(a, primal, stored), []).append(a.name)
    rows = [(part, role, text) for (role, text), names in roles.items() for part in in_rows(names, _NAMES)]
    adjoints = [a for a in arguments if a.role == "adjoint"]
    for a in (a for a in adjoints if a.use == "seed"):
        once = f"{a.of} has at most one store per element"
        why = f"{primal} only adds to {a.of}" if a.of in summed else once
        rows.append((a.name, "in", f"dJ/d{a.of}; not modified ({why})"))
    for a in (a for a in adjoints if a.use == "replaced"):
        text = f"dJ/d({a.of} after {primal}) -> dJ/d({a.of} before {primal}), per element"
        rows.append((a.name, "in/out, overwritten", text))
    scratch = [a.name for a in adjoints if a.use == "scratch"]
    rows += [(part, "scratch", "zero on entry; unspecified on exit") for part in in_rows(scratch, _NAMES)]
    of = {a.name: f"dJ/d{a.of}" for a in adjoints if a.use == "accumulates"}
    for part in in_rows(of, _NAMES):
        added = [of[name] for name in part.split(", ")]
        rows.append((part, "in/out", f"{', '.join(added)} {is_(added)} added"))
    if signature.tape:
        tape = ("in", f"as left by {primal}_fwd") if split else ("scratch", "see Extra memory")
        rows.append(("tape", *tape))
    return Contract(tuple(rows), _launch(primal, signature.tape) if split else "", tuple(_rounding(adjoints)))


def _value(a: Argument, primal: str, stored: Container[str]) -> tuple[str, str]:
    """Return role and content of an array of the primal."""
    if a.use == "unused":
        return "unused", ""
    values = f"values after {primal}_fwd" if a.use == "exit" else f"values before {primal}"
    if a.name in stored:
        return "in, overwritten", f"{values}; unspecified on exit"
    return "in", f"{values}; not modified" if a.written and a.use == "entry" else values


def _launch(primal: str, tape: bool) -> str:
    """Return the sentence on the forward kernel."""
    same, records = ("grid, block and tape", " and fills the tape") if tape else ("grid and block", "")
    return f"First launch {primal}_fwd with the same {same}; it does what {primal} does{records}."


def _rounding(adjoints: Sequence[Argument]) -> Iterator[str]:
    """Yield a sentence for each narrow type to which additions are rounded."""
    narrow = [a for a in adjoints if a.use != "seed" and a.type.startswith(HALVES)]
    for type, precision in zip(HALVES, ("half precision", "bfloat16"), strict=True):
        if names := [a.name for a in narrow if a.type.startswith(type)]:
            yield f"Each addition to {listed(names)} rounds to {precision}."
