"""`s2sad lesson`: chapters and exercises, and answers that are marked with the place of their fault."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from s2sad.cli import main
from s2sad.learn import gaps, hints, lessons, marking
from s2sad.learn.lessons import Exercise
from s2sad.source import Source

HERE = Path(__file__).parent
ANSWERS: dict[str, list[dict[str, Any]]] = tomllib.loads((HERE / "answers.toml").read_text())
WRONG = ANSWERS["wrong"]
EXERCISES = list(lessons.exercises().values())
QUICK = {
    ("mirror", "no barrier between the turns"),
}
"""Answers that are marked in each run; `tests/lessons.sh` marks all."""


def called(answer: dict[str, Any]) -> str:
    return f"{answer['exercise']}: {answer['what']}"


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as left:
        main(words)
    said = capsys.readouterr()
    return int(left.value.code or 0), said.out, said.err


def text_of(answer: dict[str, Any]) -> str:
    exercise = lessons.exercises()[answer["exercise"]]
    assert exercise.answer.count(answer["old"]) == 1
    return exercise.answer.replace(answer["old"], answer["new"])


def assert_marked(answer: dict[str, Any]) -> None:
    """Assert that an answer is wrong, and that its hint names the place that the table names."""
    exercise = lessons.exercises()[answer["exercise"]]
    text = text_of(answer)
    hint = marking.mark(exercise, Source("answer.cu", text)).hint
    assert hint is not None, "marked right"
    assert hint.line is not None
    missing = "before" in answer
    written = [line for line in answer["new"].splitlines() if line.strip()]
    expected = answer["before"] if missing else answer.get("at") or written[0]
    assert expected.strip() in text.splitlines()[hint.line - 1]
    assert (hint.last < hint.line) == missing
    assert (hint.code, hint.array) == (answer["code"], answer["array"])
    assert bool(hint.who) or not answer.get("who")
    assert answer.get("think", "") in hint.think
    assert hint.think


# ---- the catalogue --------------------------------------------------------------------


def test_there_are_ten_chapters_with_two_exercises_each() -> None:
    known = lessons.chapters()
    assert [chapter.number for chapter in known] == list(range(1, 11))
    for chapter in known:
        assert len(chapter.exercises) >= 2


def test_all_files_of_the_exercises_belong_to_a_chapter() -> None:
    there = {path.stem for path in EXERCISES[0].case.parent.iterdir()}
    assert there == set(lessons.exercises())


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda one: one.name)
def test_each_gap_is_empty_has_a_hint_and_names_the_line_that_it_means(exercise: Exercise) -> None:
    text = exercise.text
    found = gaps.gaps(text)
    assert found
    assert all(gap.empty for gap in found)
    assert [gap.number for gap in found] == list(range(1, len(found) + 1)) == sorted(exercise.hints)
    assert lessons.exercise_of(text, "other.cu") == exercise
    lines = ["", *text.splitlines()]
    said = [*re.findall(r"//.*", text), *exercise.hints.values()]
    for comment in said:
        for pair in re.findall(r"\blines? (\d+)(?: (?:and|to) (\d+))?", comment):
            for line in map(int, filter(None, pair)):
                assert re.search(r"=|for|if|atomicAdd", lines[line]), comment
                assert line < text[: text.index("_adj(")].count("\n")
        for number, quoted in re.findall(r"line (\d+), ([^:;]*)", comment):
            assert quoted in lines[int(number)], comment


def test_no_line_of_an_exercise_is_wider_than_the_emitted_files() -> None:
    assert max(len(line) for one in EXERCISES for line in one.answer.splitlines()) <= 120


def test_every_failure_that_an_audit_may_find_has_a_hint() -> None:
    from s2sad.validate.entries import CHECKED

    finer = {"wrong-gradient": "gradient-", "race": "race-"}
    left = [
        code
        for code in CHECKED
        if code not in ("not-reached", "same-value")
        and not any(kind.startswith(finer.get(code, code)) for kind in hints.kinds())
    ]
    assert left == []


def test_there_are_wrong_answers_to_every_exercise() -> None:
    assert {answer["exercise"] for answer in WRONG} == set(lessons.exercises())
    assert len({called(answer) for answer in WRONG}) == len(WRONG) >= 30


# ---- gaps and changes ---------------------------------------------------------------


def test_comments_and_white_space_are_no_changes() -> None:
    exercise = lessons.exercises()["square"]
    other = exercise.answer.replace("adj_x[i] += (2", "   adj_x[i]  +=   (2").replace("// END", "// END  ")
    assert gaps.changes(exercise.answer, other + "// mine\n") == []


def test_a_change_can_be_applied_to_the_reference() -> None:
    for answer in WRONG:
        reference, text = lessons.exercises()[answer["exercise"]].answer, text_of(answer)
        found = gaps.changes(reference, text)
        assert found
        if len(found) == 1:
            assert gaps.changes(gaps.applied(reference, found[0]), text) == []


# ---- marks ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "answer", [one for one in WRONG if (one["exercise"], one["what"]) in QUICK], ids=called
)
def test_some_wrong_answers_are_marked(answer: dict[str, Any]) -> None:
    assert_marked(answer)


@pytest.mark.lessons
@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda one: one.name)
def test_the_reference_answer_is_right(exercise: Exercise) -> None:
    mark = marking.mark(exercise, Source("answer.cu", exercise.answer))
    assert mark.right
    assert mark.report is not None
    assert mark.report.ok
    assert mark.report.covered


@pytest.mark.lessons
@pytest.mark.parametrize("answer", WRONG, ids=called)
def test_a_wrong_answer_is_marked_at_its_place(answer: dict[str, Any]) -> None:
    assert_marked(answer)


@pytest.mark.lessons
@pytest.mark.parametrize("answer", ANSWERS["right"], ids=called)
def test_an_answer_may_be_written_in_another_way(answer: dict[str, Any]) -> None:
    exercise = lessons.exercises()[answer["exercise"]]
    assert marking.mark(exercise, Source("answer.cu", text_of(answer))).right


@pytest.mark.lessons
def test_of_several_changes_the_wrong_one_is_named() -> None:
    exercise = lessons.exercises()["blend"]
    text = exercise.answer.replace("adj_u[i] += w[i] * adj_s", "adj_u[i] += adj_s * w[i]")
    text = text.replace("(1.0f - w[i]) * adj_s", "(1.0f + w[i]) * adj_s")
    text = text.replace("(u[i] - v[i]) * adj_s", "u[i] * adj_s - v[i] * adj_s")
    hint = marking.mark(exercise, Source("answer.cu", text)).hint
    assert hint is not None
    assert hint.line is not None
    assert "(1.0f + w[i])" in text.splitlines()[hint.line - 1]
    assert (hint.line, hint.array, hint.gap) == (hint.last, "adj_v", 2)


@pytest.mark.lessons
def test_an_answer_in_other_words_with_a_fault_has_the_line_of_the_audit() -> None:
    """Nothing of it fits into the reference, so only the audit says where."""
    exercise = lessons.exercises()["gather"]
    text = exercise.answer.replace("int i =", "int me =").replace("if (i < n)", "if (me < n)")
    head, tail = text.split("_adj(")
    tail = tail.replace("[i]", "[me]").replace("atomicAdd(&adj_x[index[me]], w", "adj_x[index[me]] += (w")
    hint = marking.mark(exercise, Source("answer.cu", f"{head.replace('me', 'i')}_adj({tail}")).hint
    assert hint is not None
    assert (hint.code, hint.array, hint.gap) == ("race", "adj_x", 2)


# ---- the command ----------------------------------------------------------------------


def test_the_chapters_are_listed_with_their_exercises(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = run(capsys, "lesson", "--json")
    assert status == 0
    assert re.search(r"^ 2  overwriting +Overwriting\n +overwrite  ", out, re.MULTILINE)
    assert [chapter["name"] for chapter in json.loads(err)["chapters"]][:2] == ["adjoint", "overwriting"]


def test_an_exercise_is_written_once_and_never_over_a_file(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(capsys, "lesson", "square")[0] == 0
    assert Path("square.cu").read_text() == lessons.exercises()["square"].text
    Path("square.cu").write_text("mine\n")
    status, out, err = run(capsys, "lesson", "square")
    assert (status, out) == (2, "")
    assert "error[would-overwrite]" in err
    assert Path("square.cu").read_text() == "mine\n"
    assert run(capsys, "lesson", "square", "-o", "other.cu")[0] == 0
    assert run(capsys, "lesson", "square", "-o", "-")[1] == Path("other.cu").read_text()
    assert [path.name for path in sorted(tmp_path.iterdir())] == ["other.cu", "square.cu"]
    assert run(capsys, "lesson", "square", "--answer")[1] == lessons.exercises()["square"].answer


def test_an_exercise_is_marked(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run(capsys, "lesson", "square", "-o", "mine.cu")
    status, out, err = run(capsys, "lesson", "check", "mine.cu")
    assert (status, out) == (1, "")
    assert "gap 1 is empty" in err
    answer = lessons.exercises()["square"].answer
    Path("mine.cu").write_text(answer)
    assert run(capsys, "lesson", "check", "mine.cu") == (0, "", "mine.cu: right\n")
    Path("mine.cu").write_text(answer.replace("adj_x[i] +=", "adj_x[i] -="))
    status, out, _ = run(capsys, "lesson", "check", "mine.cu", "--format", "text")
    assert status == 1
    assert re.fullmatch(r"mine\.cu:17:1: error: gradient of x: .* \[wrong-gradient\]\n", out)
    status, _, err = run(capsys, "lesson", "check", "mine.cu", "--json")
    told = json.loads(err)
    assert (status, told["exercise"], told["right"]) == (1, "square", False)
    assert (told["hint"]["line"], told["hint"]["array"]) == (17, "adj_x")


def test_an_answer_that_does_not_compile_is_refused_at_its_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "mine.cu"
    path.write_text(lessons.exercises()["square"].answer.replace("adj_x[i] +=", "adj_z[i] +="))
    status, _, err = run(capsys, "lesson", "check", str(path))
    assert status == 2
    assert "adj_z" in err


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (("lesson", "sqare"), 2, "did you mean square"),
        (("lesson", "adjoint", "--answer"), 2, "there is no exercise adjoint"),
        (("lesson", "check"), 3, "which file is to be marked?"),
        (("lesson", "check", "none.cu"), 2, "none.cu"),
        (("lesson", "square", "mine.cu"), 3, "s2sad lesson check"),
        (("lesson", "check", "mine.cu", "-o", "x.cu"), 3, "-o is for writing"),
        (("lesson", "check", "mine.cu", "--timeout", "-1"), 3, "--timeout"),
        (("lesson", "--answer"), 3, "--answer needs"),
        (("lesson", "square", "-o", ""), 3, "isn't a file name"),
    ],
)
def test_what_is_wrong_with_a_command_is_said(
    words: tuple[str, ...],
    status: int,
    said: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.cu").write_text("int a;\n")
    found, out, err = run(capsys, *words)
    assert (found, out) == (status, "")
    assert said in err
    assert [path.name for path in tmp_path.iterdir()] == ["mine.cu"]


def test_a_file_that_is_no_exercise_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "mine.cu").write_text("// Exercise nothing: at all\n")
    status, _, err = run(capsys, "lesson", "check", str(tmp_path / "mine.cu"))
    assert status == 2
    assert "error[no-such-lesson]" in err
