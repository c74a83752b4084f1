"""The chains of the examples: right with any number of checkpoints, checked by the command, learning."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import numpy as np
import pytest
from example_kit import program

from s2sad import cli
from s2sad.chain import Chain
from s2sad.chain.binomial import forward_steps

EXAMPLES = Path(__file__).parents[2] / "examples"
SHOT = EXAMPLES / "wave_inverse" / "shot.toml"


@pytest.fixture(scope="module")
def shot() -> Chain:
    return Chain.from_toml(SHOT)


@pytest.mark.parametrize("checkpoints", [5, 20, 100])
def test_a_thousand_steps_have_the_same_gradient_with_any_number_of_checkpoints(
    shot: Chain, checkpoints: int
) -> None:
    every = shot.gradient(checkpoints=1000)
    few = shot.gradient(checkpoints=checkpoints)
    np.testing.assert_array_equal(few.gradients["s"], every.gradients["s"])
    np.testing.assert_array_equal(few.outputs["trace"], every.outputs["trace"])
    (loop,) = few.loops
    assert loop.forward_steps == loop.expected == forward_steps(1000, checkpoints)
    assert loop.checkpoints == checkpoints
    assert loop.checkpoint_bytes == 2 * 32 * 32 * 8  # u and previous; s isn't changed, nobody reads trace
    assert few.memory.checkpoints == checkpoints * loop.checkpoint_bytes
    assert every.loops[0].forward_steps == 1000


def command(*words: str, capsys: pytest.CaptureFixture[str]) -> tuple[object, str, str]:
    with pytest.raises(SystemExit) as left:
        cli.main(["chain", *words])
    told = capsys.readouterr()
    return left.value.code, told.out, told.err


@pytest.mark.parametrize("name", ["wave_inverse/shot", "diffusion_inverse/plate", "lstm_sequence/sequence"])
def test_the_command_finds_the_gradient_right(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, told = command(str(EXAMPLES / f"{name}.toml"), "--check", "--json", capsys=capsys)
    assert (status, out) == (0, "")
    report = json.loads(told)["report"]
    assert report["ok"]
    for row in report["independents"]:
        assert row["difference"] < 1e-7
        assert row["exact"] < 1e-12
        assert row["kept"] == 0.0
    assert all(loop["forward_steps"] == loop["expected"] for loop in report["loops"])


def test_a_wrong_gradient_is_status_1_and_writes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The values of v are claimed not to matter, but they do."""
    text = (EXAMPLES / "diffusion_inverse" / "plate.toml").read_text(encoding="utf-8")
    inner = 'grid = [1, "(height + 7) / 8"]'  # the right part of v keeps its values
    changed = text.replace('grid = ["(width + 7) / 8", "(height + 7) / 8"]', inner)
    assert changed != text
    (tmp_path / "plate.toml").write_text(changed, encoding="utf-8")
    kernel = (EXAMPLES / "diffusion_inverse" / "diffuse.cu").read_text(encoding="utf-8")
    (tmp_path / "diffuse.cu").write_text(kernel, encoding="utf-8")
    out = tmp_path / "plate.cu"
    status, _, told = command(str(tmp_path / "plate.toml"), "--check", "-o", str(out), capsys=capsys)
    assert status == 1
    assert "WRONG: differs from differences and exact tangents" in told
    assert not out.exists()


def test_the_command_writes_the_program(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = command(str(SHOT), capsys=capsys)
    assert status == 0
    assert out == Chain.from_toml(SHOT).source()
    path = tmp_path / "shot.cu"
    assert command(str(SHOT), "-o", str(path), capsys=capsys)[:2] == (0, "")
    assert path.read_text(encoding="utf-8") == out


@pytest.mark.parametrize(
    ("words", "status"), [((str(SHOT), "-o", str(SHOT)), 3), (("-",), 3), (("nothing.toml",), 2)]
)
def test_a_command_that_cant_work_is_refused(
    words: tuple[str, ...], status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command(*words, capsys=capsys)[:2] == (status, "")


def test_the_inversion_descends() -> None:
    invert = program("wave_inverse/invert.py")
    _, values = invert.invert(invert.Misfit(invert.plate(), 500), 3)
    assert values[-1] < 0.5 * values[0]


def test_the_lstm_is_trained() -> None:
    train = program("lstm_sequence/train.py")
    losses = list(itertools.islice(train.train(60, steps=3, batch=16), 60))
    assert np.mean(losses[-10:]) < 0.8 * np.mean(losses[:10])
