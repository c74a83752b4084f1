"""Add the sums of a block only where their elements exist.

    block_add_2(&adj_w[0], adj_w0,            if (n > 0)
                &adj_w[1], adj_w1);    ->         block_add_2(&adj_w[0], adj_w0, &adj_w[1], adj_w1);

If that is known of all calls of a function (`ir.Exists`), it adds whatever the sum is. Otherwise it adds no
zeros, and its calls need no condition. A condition is the same for all threads of a block, which meet inside
the function.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from ..ir import Accumulate, Body, Comment, Exists, Expr, If, Quote, Stmt, bodies, rebuilt
from ..transform.common.replay import all_of
from .batch_block_adds import BlockAdd, batches, block_add

_ALWAYS = Exists((), True)


def guard_block_sums(body: Body) -> Body:
    """Return the body with such conditions."""
    unknown = {key for key, when in _sums(body) if when is None}
    return _guarded(body, unknown)


def _sums(body: Body) -> Iterator[tuple[BlockAdd, tuple[Expr, ...] | None]]:
    """Yield what each call adds up, and the conditions under which its elements exist."""
    for batch in batches(body):
        if (key := _key(batch)) is not None:
            yield key, _when(batch)
        for part in bodies(batch[0]):
            yield from _sums(part)


def _key(batch: Sequence[Stmt]) -> BlockAdd | None:
    key = block_add(batch)
    return None if key is None or key.total else key


def _when(batch: Sequence[Stmt]) -> tuple[Expr, ...] | None:
    """The conditions for all of a batch: those of the elements that may not exist, if they are the same."""
    known = [s.exists for s in batch if isinstance(s, Accumulate) and s.exists is not None]
    if len(known) < sum(isinstance(s, Accumulate) for s in batch):
        return None
    when = next((exists.when for exists in known if not exists.always), ())
    for exists in known:
        if not set(when) <= set(exists.when) or not (exists.always or set(exists.when) <= set(when)):
            return None
    return when


def _guarded(body: Body, unknown: Collection[BlockAdd]) -> Body:
    out: list[Stmt] = []
    for batch in batches(body):
        first = batch[0]
        key = _key(batch)
        if key is None:
            inner = rebuilt(first, lambda b: _guarded(b, unknown))
            out += (inner, *batch[1:])
            continue
        when = _when(batch)
        if key in unknown or when is None:
            out += batch
            continue
        sure = tuple(replace(s, exists=_ALWAYS) if isinstance(s, Accumulate) else s for s in batch)
        _append(out, when, sure)
    return tuple(out) if any(a is not b for a, b in zip(out, body, strict=False)) else body


def _append(out: list[Stmt], when: tuple[Expr, ...], sums: Body) -> None:
    """Put sums at the end, in the branch before them if that has the same condition."""
    if not when:
        out += sums
        return
    cond = all_of(when)
    said: list[Stmt] = []
    while out and isinstance(out[-1], Quote | Comment):
        said.insert(0, out.pop())
    last = out[-1] if out else None
    if isinstance(last, If) and last.cond == cond and not last.other and _only_adds(last.then):
        out[-1] = replace(last, then=(*last.then, *said, *sums))
    else:
        out += (*said, If(cond, sums))


def _only_adds(body: Body) -> bool:
    return all(
        isinstance(s, Quote | Comment) or (isinstance(s, Accumulate) and s.exists == _ALWAYS) for s in body
    )
