"""`--format`: what a command found, for compilers' consumers, GitHub Actions and SARIF viewers."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sarif_pydantic import Sarif

from s2sad import transform
from s2sad.chain.chain import ChainResult
from s2sad.chain.checking import ChainReport, DirectionRow
from s2sad.cli import app, main
from s2sad.entries import Place
from s2sad.learn import mutation

EXAMPLES = Path(__file__).parents[1] / "examples"
REFUSED = """\
// s2sad: --of y --wrt x
extern "C" __global__ void k(const float *x, float *y, int n)
{
    int i = blockIdx.x;
    y[i] = g(x[i]);
}
"""

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Run:
    """Return a function that runs a command line in an empty folder: status, output, messages."""
    monkeypatch.chdir(tmp_path)

    def run(*words: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as left:
            main(words)
        out, err = capfd.readouterr()
        assert isinstance(left.value.code, int)
        return left.value.code, out, err

    return run


@pytest.fixture
def wrong(tmp_path: Path) -> Path:
    """Return an adjoint with a wrong factor, beside its kernel and case."""
    for name in ("relax.cu", "relax.toml"):
        shutil.copy(EXAMPLES / name, tmp_path / name)
    text = transform(tmp_path / "relax.cu").source
    path = tmp_path / "relax_adj.cu"
    path.write_text(text.replace("2.0f * g", "2.1f * g"))
    assert path.read_text() != text
    return path


def sarif(text: str) -> dict[str, Any]:
    """Return the run of a SARIF log that fits the standard's schema, and whose references fit together."""
    log = json.loads(text)
    Sarif.model_validate(log)
    assert (log["version"], "2.1.0" in log["$schema"]) == ("2.1.0", True)
    (found,) = log["runs"]
    rules = found["tool"]["driver"]["rules"]
    for result in found["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["level"] in ("error", "warning", "note")
        for location in (*result["locations"], *result.get("relatedLocations", ())):
            place = location["physicalLocation"]
            assert place["artifactLocation"]["uri"]
            assert place["region"]["startLine"] >= 1
            assert place["region"]["startColumn"] >= 1
    assert all(rule["shortDescription"]["text"].endswith(".") for rule in rules)
    assert isinstance(found, dict)
    return found


def test_every_command_has_it() -> None:
    for name, command in app.commands.items():
        assert any("--format" in option.opts for option in command.params), name


def test_a_refusal_has_its_place(run: Run, tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text(REFUSED)
    status, text, err = run("transform", "k.cu", "--format", "text")
    assert (status, err) == (2, "")
    assert text.startswith("k.cu:5:12: error: ")
    assert text.endswith(" [unknown-function]\n")
    status, text, _ = run("transform", "k.cu", "--format=sarif")
    found = sarif(text)
    assert found["invocations"][0]["exitCode"] == status == 2
    assert found["invocations"][0]["executionSuccessful"]
    (result,) = found["results"]
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "k.cu", "uriBaseId": "%SRCROOT%"}
    assert place["region"] == {"startLine": 5, "startColumn": 12, "endLine": 5, "endColumn": 13}
    assert "help" in found["tool"]["driver"]["rules"][0]


def test_a_wrong_gradient_is_at_the_line_that_wrote_it(run: Run, wrong: Path) -> None:
    status, text, err = run("check", "relax.cu", "relax_adj.cu", "--format", "sarif")
    assert (status, err) == (1, "")
    results = [one for one in sarif(text)["results"] if one["level"] == "error"]
    first = results[0]
    assert first["ruleId"] == "wrong-gradient"
    place = first["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "relax_adj.cu"
    assert "adj_" in wrong.read_text().splitlines()[place["region"]["startLine"] - 1]


def test_findings_in_a_generated_text_are_at_the_kernel(run: Run, wrong: Path) -> None:
    wrong.unlink()
    case = Path("relax.toml")
    case.write_text(case.read_text().replace('y = { shape = "n"', 'y = { shape = "n - 1"'))
    status, text, _ = run("check", "relax.cu", "--format", "json")
    entries = [entry for entry in json.loads(text)["entries"] if entry["level"] == "error"]
    assert (status, entries[0]["code"]) == (1, "out-of-bounds")
    assert {entry["file"] for entry in entries} == {"relax.cu"}
    assert all(entry["line"] >= 1 for entry in entries)


def test_commands_of_github_are_escaped(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a,b.cu").write_text(REFUSED)
    status, text, _ = run("transform", "a,b.cu", "--format", "github")
    assert status == 2
    (line,) = text.splitlines()
    assert line.startswith("::error file=a%2Cb.cu,line=5,col=12,")
    assert "title=s2sad%3A unknown-function" in line


def test_usage_errors_are_reported_in_the_format_too(run: Run) -> None:
    status, text, err = run("transform", "--format", "sarif", "--no-such-option")
    assert (status, err) == (3, "")
    (invocation,) = sarif(text)["invocations"]
    assert not invocation["executionSuccessful"]
    assert "no such option" in invocation["toolExecutionNotifications"][0]["message"]["text"]
    status, _, err = run("transform", "k.cu", "--format", "xml")
    assert status == 3
    assert "--format" in err


def test_a_stale_file_is_named(run: Run, wrong: Path) -> None:
    status, text, _ = run("transform", "relax.cu", "-o", "relax_adj.cu", "--check", "--format", "text")
    assert status == 1
    assert any(
        line.startswith("relax_adj.cu:1:1: error:") and "[stale]" in line for line in text.splitlines()
    )


def test_each_reports_the_findings_of_all(run: Run, wrong: Path, tmp_path: Path) -> None:
    (tmp_path / "other.cu").write_text(REFUSED)
    status, text, _ = run("check", "--each", ".", "--format", "text")
    assert status == 1
    assert "other.cu" not in text
    status, text, _ = run("check", "--each", "--require-case", ".", "--format", "text")
    assert status == 2
    lines = text.splitlines()
    assert any(line.startswith("other.cu:1:1: error: ") and "[no-case]" in line for line in lines)
    assert any(line.startswith("relax_adj.cu:") and "[wrong-gradient]" in line for line in lines)
    status, _, err = run("check", "--each", "--require-case", ".")
    assert status == 2
    assert "error[no-case]: other.cu has no case file" in err
    assert "s2sad case other.cu --search" in err
    status, _, err = run("check", "--require-case", "relax.cu")
    assert status == 3
    assert "--each" in err


def test_kernels_lists_what_is_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text(REFUSED)
    _, text, _ = run("kernels", "k.cu", "--format", "text")
    assert text.startswith("k.cu:5:12: error: ")


def places(text: str) -> list[tuple[str, str, int]]:
    """Return code, file and line of each entry; every one has them."""
    entries = json.loads(text)["entries"]
    assert all(entry["file"] and entry["line"] >= 1 for entry in entries), entries
    return [(entry["code"], entry["file"], entry["line"]) for entry in entries]


def test_an_audit_has_its_findings_at_the_lines_of_both_files(run: Run, wrong: Path) -> None:
    status, text, _ = run("audit", "relax.cu", "relax_adj.cu", "--format", "json")
    found = places(text)
    assert status == 1
    assert {file for code, file, _ in found if code.startswith("wrong")} == {"relax_adj.cu"}
    lines = wrong.read_text().splitlines()
    assert "adj_" in next(lines[line - 1] for code, _, line in found if code == "wrong-gradient")


def test_a_planted_fault_is_at_its_line(run: Run, wrong: Path) -> None:
    text = transform("relax.cu").source
    fault = mutation.shuffled(text, 0)[0]
    wrong.write_text(fault.applied(text))
    status, told, _ = run("mutate", "relax_adj.cu", "--reveal", "--format", "json")
    assert (status, places(told)) == (0, [("planted-fault", "relax_adj.cu", fault.line)])
    _, told, _ = run("mutate", "relax_adj.cu", "--reveal", "--format", "sarif")
    assert [one["ruleId"] for one in sarif(told)["results"]] == ["planted-fault"]


def test_a_wrong_chain_is_told_at_its_file() -> None:
    result = ChainResult({}, {}, (), None)  # type: ignore[arg-type]
    rows = tuple(DirectionRow(name, 3, 1.0, error, 0.0, 0.0) for name, error in (("u", 0.0), ("v", 0.5)))
    (entry,) = ChainReport(rows, result, result, 1e-6).entries("heat.toml")
    assert (entry.level, entry.code, entry.place) == ("error", "wrong-gradient", Place("heat.toml"))
    assert entry.message == "the gradient of v differs from differences"


@pytest.mark.parametrize(
    "words",
    [
        "transform k.cu",
        "explain k.cu",
        "explain k.cu --plan-only",
        "check k.cu",
        "check --each --require-case k.cu",
        "audit k.cu k.cu",
        "review k.cu -o k.html",
        "bind k.cu --torch",
        "mutate k.cu --reveal",
        "chain k.toml",
        "chain k.cu",
        "kernels k.cu",
    ],
)
def test_every_entry_has_a_file_and_a_line(run: Run, tmp_path: Path, words: str) -> None:
    (tmp_path / "k.cu").write_text(REFUSED)
    (tmp_path / "k.toml").write_text('kernels = "k.cu"\n')
    status, text, err = run(*words.split(), "--format", "json")
    assert (status, err) == (0 if words.startswith("kernels") else 2, "")
    assert places(text)
    for format in ("sarif", "github", "text"):
        _, text, _ = run(*words.split(), "--format", format)
        assert text
        if format == "sarif":
            assert sarif(text)["results"]
