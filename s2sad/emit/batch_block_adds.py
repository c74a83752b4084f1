"""Batch block-wide sums that follow each other: one call, and one pair of barriers, for all of them.

    block_add(&adj_gamma[c], adj_gamma_sum);           block_add_2(&adj_gamma[c], adj_gamma_sum,
    block_add(&adj_beta[c], g);                 ->                 &adj_beta[c], g);

    s = block_sum(s);                           ->    block_sum_2(&s, &sum_exp);
    sum_exp = block_sum(sum_exp);

Quotes and comments between two of them go before the call.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..analysis.ssa import Loop
from ..ir import Accumulate, Array, Assign, Body, Call, Comment, Place, Quote, Scalar, Stmt, bodies
from .words import SUM

LIMIT = 8  # values of one call
OWN_NAMES = frozenset({
    "where", "value", "sum", "sums", "total", "thread", "threads", "k", "m", "d",
    "above", "sent", "upper", "warp", "warps",
})  # fmt: skip
"""The variables of the functions that add up an array: a constant of that name stays a number there."""


@dataclass(frozen=True, order=True)
class BlockAdd:
    """What a function adds up over a block, or a warp: values of a type in memory.

    One value; the `count` elements of an array, whose `extent` the author's constants may give; or, if
    `batch`, so many values with an address each. If `total`, every thread gets the sums, in place of its
    values. If `alone`, thread 0 adds them all: it may go on to read what is in shared memory.
    """

    kind: str
    count: int = 1
    batch: bool = False
    warp: bool = False
    total: bool = False
    extent: str = ""
    alone: bool = False

    @property
    def number(self) -> str:
        """The count as it is written, as an operand of a difference or a comparison."""
        if self.extent and not SUM.fullmatch(self.extent):
            return f"({self.extent})"
        return self.extent or str(self.count)

    @property
    def last(self) -> str:
        """The index of the last element."""
        if not self.extent:
            return str(self.count - 1)
        return self.number.removesuffix(" + 1") if self.number.endswith(" + 1") else f"{self.number} - 1"

    @property
    def suffix(self) -> str:
        """What ends the function's name: `8`, `taps` for TAPS, `array` for any other extent."""
        if not self.extent:
            return str(self.count)
        return self.extent.lower() if self.extent.isidentifier() else "array"

    @property
    def text(self) -> str:
        """The name of the function's template."""
        if self.total:
            return "block_sum_batch"
        if self.count == 1:
            return "warp_add" if self.warp else "block_add"
        return "block_add_batch" if self.batch else "block_add_array"


def block_add(batch: Sequence[Stmt]) -> BlockAdd | None:
    """Return what sums that belong to one call need; None for any other statement."""
    match batch[0]:
        case Accumulate(target, amount, "reduce"):
            assert isinstance(target.type, Scalar)
            if isinstance(amount.type, Array):
                spelled = amount.type.spelled[0] if len(amount.type.spelled) == 1 else ""
                if not OWN_NAMES.isdisjoint(re.findall(r"\w+", spelled)):
                    spelled = ""  # the function's variable would hide the constant
                return BlockAdd(target.type.name, amount.type.elements, extent=spelled)
            alone = len(batch) > 1 and any(_in_shared_memory(s) for s in batch)
            return BlockAdd(target.type.name, len(batch), len(batch) > 1, alone=alone)
        case Accumulate(target, how="warp"):
            assert isinstance(target.type, Scalar)
            return BlockAdd(target.type.name, warp=True)
        case Assign(target) if len(batch) > 1:
            assert isinstance(target.type, Scalar)
            return BlockAdd(target.type.name, len(batch), batch=True, total=True)
        case _:
            return None


def block_adds(body: Body, looped: bool = False) -> Iterator[tuple[BlockAdd, bool]]:
    """Yield what each call in a body adds up, and whether it is in a loop."""
    for batch, inside in _calls(body, looped):
        if (found := block_add(batch)) is not None:
            yield found, inside


def unsure(body: Body) -> frozenset[BlockAdd]:
    """Return what is added up in calls whose elements may not exist, so that zero mustn't be added.

    A block in which no thread uses an element of an array has a sum of zero, and may have an index out
    of range.
    """
    return frozenset(
        found
        for batch, _ in _calls(body)
        if (found := block_add(batch)) is not None
        and not all(isinstance(s, Accumulate) and s.exists is not None and s.exists.always for s in batch)
    )


def _calls(body: Body, looped: bool = False) -> Iterator[tuple[tuple[Stmt, ...], bool]]:
    """Yield the batches of a body, inner ones too, and whether each is in a loop."""
    for batch in batches(body):
        yield batch, looped
        for part in bodies(batch[0]):
            yield from _calls(part, looped or isinstance(batch[0], Loop))


def batches(body: Body) -> Iterator[tuple[Stmt, ...]]:
    """Yield the statements of a body one by one, but sums that belong to one call together."""
    start = 0
    while start < len(body):
        batch, end = [body[start]], start + 1
        for k in range(start + 1, len(body)):
            stmt = body[k]
            if isinstance(stmt, Quote | Comment):
                continue
            if len(batch) == LIMIT or not _joins(batch, stmt):
                break
            batch.append(stmt)
            end = k + 1
        if len(batch) > 1:
            yield from ((s,) for s in body[start:end] if isinstance(s, Quote | Comment))
        yield tuple(batch)
        start = end


def _joins(batch: Sequence[Stmt], stmt: Stmt) -> bool:
    """Whether a sum's amount may be taken before the sums of a batch are added, by the same call."""
    if in_place(stmt) and in_place(batch[0]):
        assert isinstance(stmt, Assign)
        others = [s.target for s in batch if isinstance(s, Assign)]
        return stmt.target not in others and stmt.target.type == others[0].type
    if not (_plain(stmt) and _plain(batch[0])):
        return False
    assert isinstance(stmt, Accumulate)
    first = batch[0]
    assert isinstance(first, Accumulate)
    if first.target.type != stmt.target.type:
        return False
    read = stmt.amount.symbols | {s for e in stmt.target.index for s in e.symbols}
    return all(isinstance(s, Accumulate) and s.target.sym not in read for s in batch)


def in_place(stmt: Stmt) -> bool:
    """Whether a statement replaces a variable's value by its sum over the block."""
    match stmt:
        case Assign(Place(_, ()) as target, Call(rule="sum", args=(arg,)), None):
            return target == arg
        case _:
            return False


def _in_shared_memory(stmt: Stmt) -> bool:
    return isinstance(stmt, Accumulate) and stmt.target.sym.storage == "shared"


def _plain(stmt: Stmt) -> bool:
    """Whether a statement is the sum of one value, in memory of the type in which it is computed."""
    match stmt:
        case Accumulate(target, amount, "reduce"):
            kind = target.type
            single = not isinstance(amount.type, Array)
            return single and isinstance(kind, Scalar) and not kind.is_half
        case _:
            return False
