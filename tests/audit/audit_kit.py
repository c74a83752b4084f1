"""Where the tests' pairs of kernels are, and the command line as a function."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from s2sad.cli import main

HERE = Path(__file__).parent
HAND = HERE.parents[1] / "benchmarks" / "hand"
GOLDEN = HERE.parents[0] / "golden"
FOLDERS = (HERE / "reference", HERE / "faults", HERE / "extensions", HAND)


@dataclass(frozen=True)
class Pair:
    """A forward, its backward, and a case: a file may be both."""

    forward: Path
    backward: Path
    case: Path


def file(name: str) -> Path:
    return next(folder / name for folder in FOLDERS if (folder / name).exists())


def pair_of(name: str) -> Pair:
    """The pair whose backward is in that file."""
    path = file(name)
    stem = path.stem.removesuffix("_atomic").removesuffix("_adj").removesuffix("_atomic")
    return Pair(file(f"{stem}.cu"), path, file(f"{stem}.toml"))


def audit(
    pair: Pair, capsys: pytest.CaptureFixture[str], *words: str, backward: Path | None = None
) -> tuple[int, str]:
    """Exit status and what was said."""
    command = ["audit", pair.forward, backward or pair.backward, "--case", pair.case, *words]
    with pytest.raises(SystemExit) as left:
        main([str(word) for word in command])
    said = capsys.readouterr()
    assert said.out == ""
    return int(left.value.code or 0), said.err


def report(pair: Pair, capsys: pytest.CaptureFixture[str], *words: str, backward: Path | None = None) -> Any:
    status, said = audit(pair, capsys, "--json", *words, backward=backward)
    return status, json.loads(said)
