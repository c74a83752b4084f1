"""Verify a user's assumptions on the data of a case."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from .elements import Array
from .expressions import parse
from .findings import Finding
from .hints import sizes_of
from .recipe import Launch, Value


@dataclass(frozen=True)
class Repeat:
    """A value that occurs twice, and the flat indices of two of its occurrences."""

    value: int
    first: int
    second: int


def verify_injective(array: Array) -> Repeat | None:
    """Return the array's first value that repeats an earlier one; None if there is none."""
    flat = array.reshape(-1)
    order = np.argsort(flat, kind="stable")
    same = flat[order][1:] == flat[order][:-1]
    if not same.any():
        return None
    seconds = order[1:][same]
    at = int(np.argmin(seconds))
    return Repeat(int(flat[seconds[at]]), int(order[:-1][same][at]), int(seconds[at]))


def verify(
    assume: Sequence[str], args: Mapping[str, Value], launch: Launch
) -> tuple[list[Finding], list[str]]:
    """Return findings for assumptions that data and launch can decide, and notes for the others."""
    findings: list[Finding] = []
    notes: list[str] = []
    for assumption in assume:
        kind, _, name = assumption.partition(":")
        value = args.get(name)
        if kind == "injective" and isinstance(value, np.ndarray) and value.dtype.kind in "iu":
            repeat = verify_injective(value)
            if repeat is None:
                findings.append(Finding(True, f"all values of {name} are distinct"))
            else:
                what = f"{name}[{repeat.first}] and {name}[{repeat.second}] are both {repeat.value}"
                findings.append(Finding(False, f"--assume {assumption}: {what}"))
        elif kind == "sorted" and isinstance(value, np.ndarray) and value.dtype.kind in "iu":
            flat = value.reshape(-1).astype(np.int64)
            falls = np.flatnonzero(flat[1:] < flat[:-1])
            what = f"the values of {name} are in ascending order"
            if falls.size:
                at = int(falls[0])
                what = f"--assume {assumption}: {name}[{at + 1}] is {flat[at + 1]}, below {flat[at]}"
            findings.append(Finding(not falls.size, what))
        elif kind == "earlier" and isinstance(value, np.ndarray) and value.dtype.kind in "iu":
            flat = value.reshape(-1).astype(np.int64)
            late = np.flatnonzero(flat >= np.arange(flat.size))
            what = f"each value of {name} is below its index"
            if late.size:
                at = int(late[0])
                what = f"--assume {assumption}: {name}[{at}] is {flat[at]}"
            findings.append(Finding(not late.size, what))
        elif kind == "covers":
            findings.append(_covers(assumption, name.split(":"), args, launch))
        elif kind == "block":
            findings.append(_block(assumption, name, launch))
        elif kind == "range":
            findings.append(_range(assumption, name, args, launch))
        elif kind == "launch":
            findings.append(_dimensions(assumption, int(name[0]), launch))
        else:
            notes.append(f"--assume {assumption} is not tested by the case's data")
    return findings, notes


def _dimensions(assumption: str, most: int, launch: Launch) -> Finding:
    """Check that the launch has at most `most` dimensions."""
    for what, extents in (("grid", launch.grid), ("block", launch.block)):
        if any(extent > 1 for extent in extents[most:]):
            return Finding(False, f"--assume {assumption}: the {what} is {extents}")
    return Finding(True, f"the launch has no more than {most} dimension{'s' * (most > 1)}")


def _block(assumption: str, block: str, launch: Launch) -> Finding:
    """Check that a block has the size that is declared."""
    same = tuple(launch.block) == sizes_of(block)
    what = f"the block is {launch.block}"
    return Finding(same, what if same else f"--assume {assumption}: {what}")


def _range(assumption: str, text: str, args: Mapping[str, Value], launch: Launch) -> Finding:
    """Check a comparison of integers."""
    names = {name: int(value) for name, value in args.items() if isinstance(value, int | np.integer)}
    for what, extents in (("blockDim", launch.block), ("gridDim", launch.grid)):
        names |= {f"{what}.{axis}": extent for axis, extent in zip("xyz", extents, strict=False)}
    holds = bool(parse(text).value(names))
    asked = dict.fromkeys(re.findall(r"[A-Za-z_][\w.]*", text))
    values = ", ".join(f"{name} is {names[name]}" for name in asked)
    return Finding(holds, f"{text} holds" if holds else f"--assume {assumption}: {values}")


def _covers(assumption: str, extents: Sequence[str], args: Mapping[str, Value], launch: Launch) -> Finding:
    """Check that there is a thread for each point."""
    for axis, extent, blocks, threads in zip("xyz", extents, launch.grid, launch.block, strict=False):
        points = int(extent) if extent.isdigit() else int(args[extent])
        if blocks * threads < points:
            what = f"{blocks * threads} threads along {axis}, but {extent} is {points}"
            return Finding(False, f"--assume {assumption}: {what}")
    return Finding(True, f"the launch covers {' by '.join(extents)}")
