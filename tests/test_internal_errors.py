"""What a user is told of an error of ours: where it is, not the IR."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from s2sad import passes
from s2sad.cli import main
from s2sad.passes import Pass

RELAX = Path(__file__).parents[1] / "examples" / "relax.cu"
Broken = Callable[[Any, Pass[Any]], Any]


def doubled(state: Any, one: Pass[Any]) -> Any:
    """Run a pass, and have each of its statements twice."""
    made = one.run(state)
    body = made.function.body
    return replace(made, function=replace(made.function, body=(*body, *body)))


def missed(state: Any, one: Pass[Any]) -> Any:
    """Look up a whole function where it isn't."""
    return {}[state.function]


def lost(state: Any, one: Pass[Any]) -> Any:
    """Lose the declarations, so that a long loop has variables that aren't declared."""
    made = one.run(state)
    return replace(made, function=replace(made.function, body=made.function.body[-1:]))


@pytest.fixture
def spoiled(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, Broken], None]:
    """spoiled(name, how): have a pass do something wrong."""

    def spoil(name: str, how: Broken) -> None:
        run = passes.Runner.run

        def spoiling(self: Any, every: Any, state: Any) -> Any:
            def wrong(one: Pass[Any]) -> Pass[Any]:
                return replace(one, run=lambda state: how(state, one)) if one.name == name else one

            return run(self, [wrong(one) for one in every], state)

        monkeypatch.setattr(passes.Runner, "run", spoiling)

    return spoil


def told(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    with pytest.raises(SystemExit) as left:
        main(list(words))
    assert left.value.code == 70
    captured = capsys.readouterr()
    assert captured.out == ""
    return captured.err


@pytest.mark.parametrize("how", [doubled, missed, lost])
def test_an_error_of_ours_is_told_in_a_few_lines(
    how: Broken, spoiled: Callable[[str, Broken], None], capsys: pytest.CaptureFixture[str]
) -> None:
    spoiled("simplify", how)
    text = told(capsys, "transform", str(RELAX), "--verify")
    assert len(text) < 1200
    assert len(text.splitlines()) == 4
    assert f"pass: simplify of relax_adj at {RELAX}:5" in text
    assert "this is a fault of s2sad, not of your code; please report it" in text
    assert "add --dump-after simplify to `s2sad transform`" in text
    assert "S2SAD_DEBUG=1" in text


def test_the_kernel_is_named_where_no_pass_fails(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from s2sad import pipeline

    def fail(*args: object) -> None:
        raise KeyError("x" * 5000)

    monkeypatch.setattr(pipeline.emit, "render", fail)
    text = told(capsys, "transform", str(RELAX))
    assert f"stage: emit, kernel: relax at {RELAX}:5" in text
    assert "--dump-after" not in text  # no pass is at fault
    assert len(text) < 1200


def test_what_a_failing_run_dumped_is_shown(
    spoiled: Callable[[str, Broken], None], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    spoiled("simplify", doubled)
    text = told(capsys, "transform", str(RELAX), "--verify", "--dump-after", "simplify")
    assert text.startswith("// after simplify: relax_adj")
    assert "internal error" in text
    told(capsys, "transform", str(RELAX), "--verify", "--dump-after", "all", "--dump-dir", str(tmp_path))
    assert list(tmp_path.glob("*-simplify.relax_adj.ir"))


def test_the_place_in_the_file_of_a_statement_that_is_wrong_is_named(
    spoiled: Callable[[str, Broken], None], capsys: pytest.CaptureFixture[str]
) -> None:
    spoiled("simplify", doubled)
    assert "a statement occurs in two places: int i = " in told(capsys, "transform", str(RELAX), "--verify")
    assert f"({RELAX}:8)" in told(capsys, "transform", str(RELAX), "--verify")
