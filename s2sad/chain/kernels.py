"""The kernels of a chain and their adjoints: each is transformed once for what it is differentiated by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from .. import pipeline
from ..diagnostics import Code, Diagnostic, Rejected
from ..options import Options
from ..validate.case_args import problem_at
from ..validate.launching import Pair
from ..validate.recipe import Problem
from .flow import Pattern
from .linking import Call, Linked


@dataclass(frozen=True, eq=False)
class Reverse:
    """An adjoint of a kernel: its texts and signatures, and what it is differentiated by."""

    pair: Pair
    pattern: Pattern
    bounded: bool  # its tape has a bound, and a flag that says whether it was too short

    def needs(self, call: Call) -> frozenset[str]:
        """Return the arrays whose values before the launch the adjoint needs.

        In the split shape, and if it takes values after the launch, the kernel itself runs first.
        """
        arguments = self.pair.adjoint.arguments
        values = [a for a in arguments if a.role == "value" and a.pointer]
        if self.forward_first or self.pair.measure is not None:
            return call.arrays(a.name for a in call.kernel.arguments)
        return call.arrays(a.name for a in values if a.use != "unused")

    def carries(self, call: Call) -> frozenset[str]:
        """Return the arrays whose adjoints it takes."""
        arguments = self.pair.adjoint.arguments
        return call.arrays(a.of for a in arguments if a.role == "adjoint" and a.use != "scratch")

    @property
    def forward_first(self) -> bool:
        """Whether the kernel, or K_fwd, runs before the adjoint."""
        return self.pair.forward is not None or any(a.use == "exit" for a in self.pair.adjoint.arguments)


@dataclass(frozen=True)
class Kernels:
    """The texts of a chain's kernels by launch; `reverse` has no entry for one without derivatives."""

    primal: Mapping[Call, str]
    reverse: Mapping[Call, Reverse]
    remarks: tuple[Diagnostic, ...]


def transformed(chain: Linked, patterns: Mapping[Call, Pattern]) -> Kernels:
    """Transform the kernels of a chain. Raises Rejected with all that prevents it."""
    primal: dict[Call, str] = {}
    reverse: dict[Call, Reverse] = {}
    made: dict[tuple[str, Options], tuple[Reverse, tuple[Diagnostic, ...]] | Rejected] = {}
    texts: dict[tuple[str, Options], str] = {}
    for call in chain.calls:
        pattern = patterns.get(call)
        if pattern is None:
            same = call.source.text, call.options
            if same not in texts:
                texts[same] = pipeline.primal_text(call.source, call.program, call.options)
            primal[call] = texts[same]
            continue
        asked = replace(call.options, of=pattern.of, wrt=pattern.wrt)
        key = call.source.text, asked
        if key not in made:
            made[key] = _transformed(call, asked, pattern)
        done = made[key]
        if not isinstance(done, Rejected):
            reverse[call] = done[0]
            primal[call] = done[0].pair.primal_text
    wrong = [one for one in made.values() if isinstance(one, Rejected)]
    if wrong:
        found: list[Diagnostic] = []
        for rejected in wrong:
            found += [d for d in rejected.diagnostics if d not in found]
        raise Rejected(*found)
    remarks: list[Diagnostic] = []
    for one in made.values():
        # that an array which is only overwritten depends on nothing is no surprise within a chain
        told = () if isinstance(one, Rejected) else one[1]
        remarks += [d for d in told if d not in remarks and d.code is not Code.NO_DEPENDENCE]
    return Kernels(primal, reverse, tuple(remarks))


def _transformed(
    call: Call, asked: Options, pattern: Pattern
) -> tuple[Reverse, tuple[Diagnostic, ...]] | Rejected:
    """Return the adjoint; in the split shape if it has no other."""
    asked = replace(asked, seeds=1)  # the source may say how many it has by itself
    try:
        done = pipeline.transform(call.source, asked)
    except Rejected as joint:
        try:
            done = pipeline.transform(call.source, replace(asked, mode="split"))
        except Rejected as split:
            order = all(d.code is Code.ORDER_DEPENDENT for d in joint.diagnostics)
            return split if order else joint
    lost = [name for name in pattern.of if done.pair.adjoint.adjoint_of(name) is None]
    if lost:  # what it overwrites would keep its adjoint
        what = f"the adjoint of {call.kernel.name} has no parameter for {', '.join(lost)}"
        return Rejected(problem_at(None, Problem((*call.path, "launch"), what)))
    stem = Path(call.source.name).stem
    pair = replace(done.pair, primal_file=Path(call.source.name).name, adjoint_file=f"{stem}_adj.cu")
    warnings = tuple(d for d in done.remarks if d.severity == "warning")
    return Reverse(pair, pattern, bool(done.options.bounds)), warnings
