"""The header of the emitted file: the adjoint's contract and plan."""

from __future__ import annotations

from collections.abc import Container

from ...signature import HALVES, Signature, told
from ..common.wording import is_, listed, them, they, was


def contract(
    signature: Signature, primal: str, stored: Container[str], summed: Container[str], split: bool = False
) -> tuple[str, ...]:
    """The header's first sentences: the arguments to pass, what is added to, what isn't modified.

    `stored` are the primal's arrays that the adjoint stores to, `summed` those that the primal
    only adds to.
    """
    arguments = list(told(signature.arguments))
    values = [a for a in arguments if a.role == "value" and a.pointer]
    entry = [a.name for a in values if a.use == "entry"]
    exits = [a.name for a in values if a.use == "exit"]
    unused = [a.name for a in values if a.use == "unused"]
    clobbered = [a.name for a in values if a.name in stored]
    kept = [a.name for a in values if a.written and a.use == "entry" and a.name not in stored]
    adjoints = [a for a in arguments if a.role == "adjoint"]
    out: list[str] = []
    if split:
        tape = "grid, block and tape" if signature.tape else "grid and block"
        records = ", and records" if signature.tape else ""
        out.append(f"First launch {primal}_fwd, with the same {tape}: it does what {primal} does{records}.")
    if entry:
        out.append(f"Call with {listed(entry)} as {they(entry)} {was(entry)} before {primal}.")
    if exits:
        out.append(f"Call with {listed(exits)} as {primal}_fwd left {them(exits)}.")
    seeds = [a for a in adjoints if a.use == "seed"]
    for a in seeds:
        once = f"stores each element of {a.of} at most once"
        why = f"only adds to {a.of}" if a.of in summed else once
        out.append(f"Seed {a.name} with dJ/d{a.of}: it is left alone, because {primal} {why}.")
    replaced = [a for a in adjoints if a.use == "replaced"]
    for a in replaced:
        out.append(
            f"{a.name} comes in as dJ/d{a.of} after {primal} and goes out as dJ/d{a.of} before it, "
            "element by element."
        )
    scratch = [a for a in adjoints if a.use == "scratch"]
    for a in scratch:
        out.append(f"{a.name} must come in zero; its content afterwards is unspecified.")
    added = [a for a in adjoints if a.use == "accumulates"]
    if added:
        out.append("; ".join(f"dJ/d{a.of} is added to {a.name}" for a in added) + ".")
    narrow = [a.name for a in adjoints if a.use != "seed" and a.type.startswith(HALVES)]
    if narrow:
        out.append(f"Each addition to {listed(narrow)} rounds to half precision.")
    if unused:
        out.append(f"{listed(unused)} {is_(unused)} neither read nor written.")
    if kept:
        out.append(f"{listed(kept)} {is_(kept)} only read.")
    if clobbered:
        out.append(f"The content of {listed(clobbered)} afterwards is unspecified.")
    return tuple(out)
