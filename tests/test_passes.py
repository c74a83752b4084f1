"""Each pass on one kernel: the exact IR before and after it; and the order of the passes.

A file of passes/ is named after its pass. It has the options in its first line, the kernel, and two
texts that `pytest --update-golden` writes: the IR before and after the first run of the pass that
changed something.
"""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from conftest import Golden

from s2sad.emit import pipelines as emission
from s2sad.irtext import show
from s2sad.options import MODES, Options, assumption
from s2sad.passes import Runner, State, unmet
from s2sad.pipeline import PASSES, transform
from s2sad.source import Source
from s2sad.transform import pipelines, primal_pipelines

FILES = sorted((Path(__file__).parent / "passes").glob("*.test"))
BEFORE, AFTER = "---- before", "---- after"


class Watched:
    """Keeps the IR before and after the first change by a pass."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.last = ""
        self.before: str | None = None
        self.after = ""

    def __call__(self, name: str, state: State, changed: bool) -> None:
        text = show(state.function)
        if name == self.name and changed and self.before is None:
            self.before, self.after = self.last, text
        self.last = text


def options(line: str) -> Options:
    """Parse the options in a file's first line: `// --of y --wrt x --mode split --assume covers:N`."""
    words = shlex.split(line.removeprefix("//"))
    given = dict(zip(words[::2], words[1::2], strict=True))
    return Options(
        of=tuple(given.get("--of", "y").split(",")),
        wrt=tuple(given.get("--wrt", "x").split(",")),
        mode=MODES[given.get("--mode", "joint")],
        companion=given.get("--companion") == "yes",
        seeds=int(given["--seeds"]) if "--seeds" in given else None,
        tape_budget=int(given["--tape-budget"]) if "--tape-budget" in given else None,
        assume=tuple(assumption(a) for a in given.get("--assume", "").split(",") if a),
    )


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_pass_makes_of_the_ir_what_its_file_says(path: Path, golden: Golden) -> None:
    source = path.read_text(encoding="utf-8").partition(BEFORE)[0]
    watched = Watched(path.stem)
    asked = options(source.splitlines()[0])
    transform(Source(f"{path.stem}.cu", source), asked, Runner().with_(watched))
    assert watched.before is not None, f"{path.stem} changes nothing of its kernel"
    golden(path, f"{source}{BEFORE}\n{watched.before}\n{AFTER}\n{watched.after}\n")


def test_every_pass_has_a_file() -> None:
    assert {path.stem for path in FILES} == set(PASSES)


def test_passes_run_after_those_that_they_require() -> None:
    built = (*pipelines.ASSEMBLE, *pipelines.OPTIMISE, *pipelines.BARRIERS, *pipelines.FINISH)
    lists = (
        primal_pipelines.NORMALISE,
        primal_pipelines.NORMALISE_FUNCTION,
        primal_pipelines.NORMALISE_MEASURED,
        (*built, *pipelines.IN_MEMORY),
        pipelines.OPTIMISE_FUNCTION,
        pipelines.FINISH_FORWARD,
        pipelines.FINISH_MEASURED,
        emission.AS_WRITTEN,
    )
    assert [wrong for passes in lists for wrong in unmet(passes)] == []
