"""Races: each seeded one is found, with its array and both its lines; a kernel without one is left alone.

tests/races/racy_*.cu hold the former: the marked lines are those of the race. What a
kernel is launched with stands above it. All kernels of a file share one translation
unit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from run_kit import signature

from s2sad.run.cpu import CpuBackend
from s2sad.run.cpu.sanitizer import WatchedModule
from s2sad.run.registry import find
from s2sad.run.sanitizer_report import Fault
from s2sad.run.values import Extent, Value
from s2sad.signature import Signature

FOLDER = Path(__file__).parents[1] / "races"
_KERNEL = re.compile(
    r'^//: (?P<launch>.*)\nextern "C" __global__ void (?P<head>(?P<name>\w+)\([^)]*\))', re.MULTILINE
)
_TYPES = {"f": np.float32, "d": np.float64, "i": np.int32, "h": np.int16, "b": np.int8, "u": np.uint8}


@dataclass(frozen=True)
class Seeded:
    """A kernel of a file, and what it is launched with."""

    file: Path
    signature: Signature
    grid: Extent
    block: Extent
    shared: int
    args: Mapping[str, Value]
    marks: Mapping[int, str]  # array by line

    @property
    def name(self) -> str:
        return self.signature.name

    def inspect(self, order: int | str = "forward") -> tuple[Fault, ...]:
        found = module(self.file).inspect(
            self.signature,
            self.grid,
            self.block,
            self.args,
            self.shared,
            order=order,  # type: ignore[arg-type]
        )
        return found.faults


def kernels(pattern: str) -> Iterator[Seeded]:
    for file in sorted(FOLDER.glob(pattern)):
        text = file.read_text(encoding="utf-8")
        found = list(_KERNEL.finditer(text))
        for match, following in zip(found, [*found[1:], None], strict=True):
            end = following.start() if following else len(text)
            words = match["launch"]
            first = text.count("\n", 0, match.start()) + 1
            marks = dict(marked(text[match.start() : end], first, ""))
            if helper := re.search(r"marks=(\w+)", words):
                marks |= dict(marked(text, 1, helper[1]))
            args = {
                name: array(name, kind, int(size))
                for name, kind, size in re.findall(r"(\w+)=(\w+)\[(\d+)\]", words)
            } | {name: int(value) for name, value in re.findall(r"(\w+)=(\d+)", words)}
            yield Seeded(
                file,
                signature(match["head"]),
                extent(words, "grid"),
                extent(words, "block"),
                int((re.search(r"shared (\d+)", words) or [0, 0])[1]),
                args,
                marks,
            )


def marked(text: str, first: int, helper: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.splitlines(), first):
        if (mark := re.search(r"// <- (\w+)(?: (\w+))?$", line)) and (mark[2] or "") == helper:
            yield number, mark[1]


def extent(words: str, what: str) -> Extent:
    match = re.search(rf"{what} (\d+|\([\d, ]+\))", words)
    assert match
    x, y, z = [*map(int, re.findall(r"\d+", match[1])), 1, 1][:3]
    return x, y, z


def array(name: str, kind: str, size: int) -> np.ndarray[tuple[int], np.dtype[np.generic]]:
    random = np.random.default_rng(size)
    match kind:
        case "permutation":
            return random.permutation(size).astype(np.int32)
        case "repeat":
            return random.integers(0, size // 4, size).astype(np.int32)
        case "f" | "d":
            return random.normal(size=size).astype(_TYPES[kind])
        case _:
            return np.zeros(size, _TYPES[kind])


@cache
def module(file: Path) -> WatchedModule:
    backend = find("cpu")
    assert isinstance(backend, CpuBackend)
    heads = [kernel.signature for kernel in kernels(file.name)]
    return backend.watch(file.read_text(encoding="utf-8"), heads, name=file.name)


RACY = list(kernels("racy_*.cu"))
CLEAN = list(kernels("clean.cu"))


def test_there_are_at_least_thirty_of_each() -> None:
    assert len(RACY) >= 30
    assert len(CLEAN) >= 30


@pytest.mark.parametrize("order", ["forward", "reverse", 20])
@pytest.mark.parametrize("kernel", RACY, ids=lambda kernel: kernel.name)
def test_a_seeded_race_is_found_with_both_lines(kernel: Seeded, order: int | str) -> None:
    faults = kernel.inspect(order)
    races = [f for f in faults if f.kind == "race"]
    assert races, [f.text() for f in faults]
    assert {f.array for f in races} == set(kernel.marks.values())
    lines = {access.line for f in races for access in f.accesses}
    assert lines == set(kernel.marks), [f.text() for f in races]
    for fault in races:
        first, second = fault.accesses
        assert (first.block, first.thread) != (second.block, second.thread)
        assert {first.what, second.what} - {"read"}


@pytest.mark.parametrize("order", ["forward", "reverse", 20])
@pytest.mark.parametrize("kernel", CLEAN, ids=lambda kernel: kernel.name)
def test_a_kernel_without_a_race_is_left_alone(kernel: Seeded, order: int | str) -> None:
    assert [f.text() for f in kernel.inspect(order)] == []


def test_the_same_launch_gives_the_same_report() -> None:
    for kernel in RACY:
        assert kernel.inspect() == kernel.inspect()
