"""The examples are up to date, correct, and explained.

Each adjoint in examples/ is exactly the output of the command in its own header,
and is compared with central differences. Those of the gallery are also in docs/gallery.md,
with their plans. `--update-golden` writes them again.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from conftest import Golden
from example_kit import PROGRAMS, header_command, program
from test_readme import SHOWN

from s2sad import checking, files, pipeline
from s2sad.cli import app
from s2sad.emit import explain
from s2sad.options import Options
from s2sad.run.backend import Backend
from s2sad.run.coverage import joined
from s2sad.run.isolated import Isolated
from s2sad.validate import check_pair
from s2sad.validate.reaching import Reaching

FOLDER = Path(__file__).parent.parent / "examples"
INVERSE = FOLDER / "diffusion_inverse"
GALLERY = FOLDER / "gallery"
PAGE = FOLDER.parent / "docs" / "gallery.md"
BOUND = FOLDER / "bindings"  # tests/bind tests these
DERIVED = [FOLDER / name for name in PROGRAMS]  # test_examples_of_derivatives.py tests these
KERNELS = [
    path
    for path in sorted(FOLDER.rglob("*.cu"))
    if not path.stem.endswith("_adj") and BOUND not in path.parents and path.parent not in DERIVED
]
FLAT = [path for path in KERNELS if path.parent == FOLDER]
SHOWN_IN_GALLERY = [path for path in KERNELS if path.parent == GALLERY]

# The gallery's commands with a template that is launched, and one that is instantiated.
COMMANDS = [
    path for path in KERNELS if path.parent != GALLERY or path.stem in ("cyclic_reduction", "lstm_cell")
]

# Central differences in double precision are accurate to about 1e-10 of the largest entry.
TOLERANCE = 1e-8


@pytest.fixture(scope="module")
def backend() -> Iterator[Backend]:
    with Isolated("cpu", timeout=60.0) as isolated:
        yield isolated


def adjoint(kernel: Path) -> Path:
    return kernel.with_name(f"{kernel.stem}_adj.cu")


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda path: path.stem)
def test_the_adjoint_is_up_to_date_and_right(
    kernel: Path, golden: Golden, backend: Backend, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(kernel.parent)  # its headers are beside it
    source = files.read(kernel.name)
    done = pipeline.transform(source, Options())
    golden(adjoint(kernel), done.text)
    if kernel in SHOWN_IN_GALLERY:
        golden(PAGE, page(kernel, explain.table(done.adjoint.plan)))
    (job,) = checking.prepare(
        source, files.read(str(adjoint(kernel))), kernel.with_suffix(".toml"), Options()
    )
    report = check_pair(job.pair, job.case, backend, tolerance=TOLERANCE, assume=job.assume)
    assert report.ok, report.text()
    assert [row.name for row in report.rows if row.zero] == []


@pytest.mark.parametrize("kernel", FLAT[::4], ids=lambda path: path.stem)
def test_its_case_reaches_all_of_both_texts_or_says_why_not(kernel: Path, backend: Backend) -> None:
    """This tests some of the examples; `benchmarks/reached.py examples` measures all."""
    source = files.read(str(kernel))
    (job,) = checking.prepare(source, None, kernel.with_suffix(".toml"), Options())
    told = [
        coverage for one in job.case.launches if (coverage := Reaching(job.pair, backend)(one)) is not None
    ]
    assert len(told) == len(job.case.launches)
    for one in joined(told):
        assert one.excused(job.case.uncovered).names() == []


def page(kernel: Path, plan: str) -> str:
    """Return the gallery's page with the current text, adjoint and plan of one kernel."""
    folder = GALLERY.relative_to(FOLDER.parent).as_posix()
    true = {
        f"{folder}/{kernel.name}": kernel.read_text(encoding="utf-8"),
        f"{folder}/{adjoint(kernel).name}": adjoint(kernel).read_text(encoding="utf-8"),
        f"plan {folder}/{kernel.name}": plan + "\n",
    }
    text = PAGE.read_text(encoding="utf-8")
    shown = [match["what"] for match in SHOWN.finditer(text) if match["what"] in true]
    assert shown == list(true)
    return SHOWN.sub(lambda match: match[1] + true.get(match["what"], match["text"]), text)


def test_the_gallery_has_an_entry_for_each_of_its_kernels_and_no_other() -> None:
    text = PAGE.read_text(encoding="utf-8")
    listed = re.findall(r"^\| .*?\| \[(\w+)\]\(#\1\) \|", text, re.M)
    assert listed == re.findall(r"^### (\w+)$", text, re.M)
    assert sorted(listed) == [path.stem for path in SHOWN_IN_GALLERY]


@pytest.mark.parametrize("kernel", COMMANDS, ids=lambda path: path.stem)
def test_the_command_in_its_header_writes_it(kernel: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(kernel.parent)
    written = adjoint(kernel).read_text(encoding="utf-8")
    words = shlex.split(header_command(written))
    assert words[:2] == ["s2sad", "transform"]
    outcome = app.main([*words[1:], "-o", adjoint(kernel).name, "--check"], standalone_mode=False)
    assert outcome.status == 0


@pytest.mark.parametrize("kernel", FLAT, ids=lambda path: path.stem)
def test_it_says_what_it_is_and_the_readme_says_what_to_see(kernel: Path) -> None:
    first = kernel.read_text(encoding="utf-8").partition("\n")[0]
    assert first.startswith("// ")  # listed by `s2sad example`
    assert "s2sad:" not in first
    explained = (FOLDER / "README.md").read_text(encoding="utf-8")
    section = re.search(rf"^## {kernel.stem}\n(.*?)(?=^## |\Z)", explained, re.M | re.S)
    assert section is not None
    assert len(section.group(1)) > 150


def test_every_section_of_the_readme_is_an_example() -> None:
    sections = re.findall(r"^## (.*)$", (FOLDER / "README.md").read_text(encoding="utf-8"), re.M)
    programs = (INVERSE.name, "wave_inverse", "lstm_sequence", *PROGRAMS)
    assert sorted(sections) == sorted([*(path.stem for path in FLAT), *programs])


def test_the_inverse_problem_has_the_right_gradient() -> None:
    recover = program("diffusion_inverse/recover.py")
    truth = recover.plate(9)
    seen = recover.experiment(truth, steps=6, every=3)
    random = np.random.default_rng(2)
    where, direction = random.uniform(0.3, 0.9, truth.shape), random.standard_normal(truth.shape)
    _, slope = seen.misfit(where)
    h = 1e-5
    difference = (seen.misfit(where + h * direction)[0] - seen.misfit(where - h * direction)[0]) / (2 * h)
    assert np.vdot(slope, direction) == pytest.approx(difference, rel=1e-8)  # h squared is 1e-10


def test_the_inverse_problem_is_solved() -> None:
    recover = program("diffusion_inverse/recover.py")
    truth = recover.plate(10)
    seen = recover.experiment(truth, steps=8, every=4)
    misfits: list[float] = []
    found = recover.recover(seen, iterations=12, report=lambda iteration, value: misfits.append(value))
    assert misfits[-1] < 1e-3 * misfits[0]
    assert np.mean(abs(found - truth)) < 0.5 * np.mean(abs(0.6 - truth))
