"""Every notebook of the lessons runs, from top to bottom, and has what a chapter should have."""

from __future__ import annotations

import re

import pytest

from s2sad.cli import main
from s2sad.learn import lessons, marking
from s2sad.learn.lessons import Chapter
from s2sad.source import Source

CHAPTERS = pytest.mark.parametrize("chapter", lessons.chapters(), ids=lambda one: one.name)


@CHAPTERS
def test_a_chapter_has_a_kernel_a_picture_a_check_and_its_exercises(chapter: Chapter) -> None:
    script = chapter.script.read_text()
    assert script.count(f"# # {chapter.number}. {chapter.title}\n") == 1
    for suffix in (".cu", ".toml"):
        assert chapter.script.with_suffix(suffix).is_file()
    assert f'kit.show("{chapter.file}.cu")' in script
    assert f's2sad.transform("{chapter.file}.cu")' in script
    assert re.search(r"^kit\.(graph|touches|tape)\(", script, re.MULTILINE)
    assert f'kit.command("trace {chapter.file}.cu --thread 0,3' in script
    for exercise in chapter.exercises:
        assert f'kit.exercise("{exercise.name}")' in script
        assert re.search(rf'kit\.mark\(\s*"{exercise.name}"', script)


def test_the_page_lists_all_chapters_and_exercises() -> None:
    page = (lessons.chapters()[0].script.parent / "README.md").read_text()
    for chapter in lessons.chapters():
        named = ", ".join(f"`{exercise.name}`" for exercise in chapter.exercises)
        link = re.escape(f"[{chapter.number}. {chapter.title}]({chapter.file}.py)")
        assert re.search(rf"^\| {link} \| .* \| {named} \|$", page, re.MULTILINE)


@pytest.mark.lessons
def test_the_mark_on_the_page_is_what_is_printed() -> None:
    page = (lessons.chapters()[0].script.parent / "README.md").read_text()
    (shown,) = re.findall(r"^```text\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    exercise = lessons.exercises()["stencil"]
    text = exercise.answer.replace("atomicAdd(&adj_x[i + 1], adj_y[i])", "adj_x[i + 1] += adj_y[i]")
    assert marking.page(marking.mark(exercise, Source("stencil.cu", text))) == shown


@pytest.mark.parametrize("name", ["adjoint", "1", "01_adjoint"])
def test_a_chapter_is_printed_as_markdown(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["lesson", name])
    assert not left.value.code
    out = capsys.readouterr().out
    assert out.startswith("# 1. What an adjoint is\n")
    assert (lessons.chapters()[0].script.with_suffix(".cu").read_text()) in out
    assert "\n    s2sad lesson square\n" in out
    assert "# %%" not in out
    assert "kit.graph" not in out


@pytest.mark.lessons
@CHAPTERS
def test_a_notebook_runs(chapter: Chapter) -> None:
    import jupytext
    from nbclient import NotebookClient

    notebook = jupytext.read(chapter.script)
    folder = {"metadata": {"path": str(chapter.script.parent)}}
    NotebookClient(notebook, timeout=300, kernel_name="python3", resources=folder).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    assert any("image/png" in output.get("data", {}) for output in outputs)
    printed = "".join(output.get("text", "") for output in outputs)
    assert printed.count("not yet right") == len(chapter.exercises)
    assert "WRONG" not in printed
