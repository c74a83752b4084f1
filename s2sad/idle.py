"""Options without effect: each is an error, with the plan's entry for the value it names.

An option has an effect if leaving it out changes the file, or makes it impossible. So no pass
must report which options it uses. An option that requests what is done anyway is no error:
`--store s` where `s` goes to the tape by itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from .analysis.plan import Decision, Recovery
from .diagnostics import Code, Diagnostic, diagnose
from .options import Options
from .transform.unit import Adjoint

_NAME = re.compile(r"[^\w.].*", re.DOTALL)
"""The text after the name of a value: `[k + 1]`."""


@dataclass(frozen=True)
class Asked:
    """One value of an option: `--store s`, `--bound 12=n`."""

    option: str
    what: str
    line: int = 0

    def left_out(self, options: Options) -> Options:
        """Return the options without this value."""
        match self.option:
            case "--store":
                return replace(options, store=tuple(n for n in options.store if n != self.what))
            case "--recompute":
                return replace(options, recompute=tuple(n for n in options.recompute if n != self.what))
            case "--separate":
                return replace(options, separate=False)
            case "--forward":
                return replace(options, forward=tuple(n for n in options.forward if n != self.line))
            case "--reverse":
                return replace(options, reverse=tuple(n for n in options.reverse if n != self.line))
            case _:
                return replace(options, bounds=tuple(b for b in options.bounds if b[0] != self.line))


def asked(options: Options) -> Iterator[Asked]:
    """Yield the values of options that select how something is done."""
    yield from (Asked("--store", name) for name in dict.fromkeys(options.store))
    yield from (Asked("--recompute", name) for name in dict.fromkeys(options.recompute))
    yield from (Asked("--bound", f"{line}={text}", line) for line, text in options.bounds)
    yield from (Asked("--forward", str(line), line) for line in dict.fromkeys(options.forward))
    yield from (Asked("--reverse", str(line), line) for line in dict.fromkeys(options.reverse))
    if options.separate:
        yield Asked("--separate", "")


def fulfilled(one: Asked, adjoint: Adjoint) -> bool:
    """Whether the request is fulfilled, with the option or without."""
    if one.option in ("--forward", "--reverse"):
        here = [d.how is Recovery.CARRY for d in adjoint.plan.decisions if d.line == one.line]
        return any(here) if one.option == "--forward" else not any(here)
    return any(d.how in _DONE.get(one.option, ()) for d in _decisions(one, adjoint))


def problem(one: Asked, adjoint: Adjoint) -> Diagnostic:
    """Return the error for an option that doesn't change the file."""
    values = {"option": f"{one.option} {one.what}".strip(), "why": _reason(one, adjoint)}
    return diagnose(Code.OPTION_WITHOUT_EFFECT, adjoint.program.kernel.span, **values)


def _decisions(one: Asked, adjoint: Adjoint) -> list[Decision]:
    """Return the plan's decisions on a variable, or on elements of an array."""
    return [d for d in adjoint.plan.decisions if _NAME.sub("", d.value) == one.what]


def _reason(one: Asked, adjoint: Adjoint) -> str:
    if one.option == "--bound":
        return f"the loop in line {one.line} needs none: its trip count is known or not recorded"
    if one.option == "--forward":
        return f"no tangents can be carried through the loop in line {one.line}: {_CARRIES}"
    if one.option == "--separate":
        return "no adjoint has fields: no parameter with a derivative is a struct or points to structs"
    if not (found := _decisions(one, adjoint)):
        return f"the reverse sweep needs no value of {one.what}"
    where = f" {found[0].tape}" if found[0].tape else ""
    return f"{found[0].value} of line {found[0].line} is {_WORDS[found[0].how]}{where}: {found[0].reason}"


_CARRIES = "it records nothing, or has several states, or a partial under a condition, or a store to an array"
_DONE = {"--store": (Recovery.TAPE,), "--recompute": (Recovery.RECOMPUTE, Recovery.CHECKPOINT)}
_WORDS = {
    Recovery.RELOAD: "reloaded",
    Recovery.RECOMPUTE: "recomputed",
    Recovery.INVERT: "computed from the later value",
    Recovery.TAPE: "on the tape",
    Recovery.CHECKPOINT: "recomputed from snapshots",
    Recovery.CARRY: "carried as a tangent",
    Recovery.SELECT: "given by one iteration",
}
