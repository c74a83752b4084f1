"""The lessons: chapters and exercises, as packaged with the documentation.

`docs/learn/lessons.toml` lists them. A chapter is a notebook, kept as a script; an exercise is a kernel and
its adjoint in one file, with a case beside it (see gaps.py).
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ..resources import folder
from . import gaps

_NAMED = re.compile(r"^// Exercise (\w+):", re.MULTILINE)


@dataclass(frozen=True)
class Exercise:
    """One exercise; `hints` are about its gaps, by their numbers."""

    name: str
    hints: Mapping[int, str]

    @property
    def case(self) -> Path:
        return _answers() / f"{self.name}.toml"

    @property
    def answer(self) -> str:
        """The text with the reference answer."""
        return (_answers() / f"{self.name}.cu").read_text(encoding="utf-8")

    @property
    def text(self) -> str:
        """The text with empty gaps."""
        return gaps.emptied(self.answer)

    @property
    def task(self) -> str:
        """What the exercise is about, in a line: the text's first comment."""
        return self.answer.partition("\n")[0].partition(":")[2].strip()


@dataclass(frozen=True)
class Chapter:
    """One chapter; `file` is its script's name without the suffix, which begins with its number."""

    name: str
    file: str
    title: str
    exercises: tuple[Exercise, ...]

    @property
    def number(self) -> int:
        return int(self.file.partition("_")[0])

    @property
    def script(self) -> Path:
        return _learn() / f"{self.file}.py"


@cache
def chapters() -> tuple[Chapter, ...]:
    """Return all chapters, in order."""
    table = tomllib.loads((_learn() / "lessons.toml").read_text(encoding="utf-8"))
    hints: dict[str, dict[str, str]] = table["hints"]
    return tuple(
        Chapter(
            chapter["file"].partition("_")[2],
            chapter["file"],
            chapter["title"],
            tuple(
                Exercise(name, {int(gap): hint for gap, hint in hints.get(name, {}).items()})
                for name in chapter["exercises"]
            ),
        )
        for chapter in table["chapter"]
    )


def exercises() -> dict[str, Exercise]:
    """Return all exercises by name."""
    return {exercise.name: exercise for chapter in chapters() for exercise in chapter.exercises}


def exercise_of(text: str, file: str) -> Exercise | None:
    """Return the exercise that a file is: its first line names it, or its own name does."""
    named = _NAMED.search(text)
    known = exercises()
    return known.get(named[1] if named else "") or known.get(Path(file).stem)


def _learn() -> Path:
    return folder("docs") / "learn"


def _answers() -> Path:
    return _learn() / "answers"
