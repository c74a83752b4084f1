"""docs/calling-convention.md is cut out of golden texts, and what it says of all adjoints holds for each."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from s2sad.signature import ROLES

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "calling-convention.md"
BLOCK = re.compile(r"^<!-- from: (\S+) -->\n```c\n(.*?)^```$", re.MULTILINE | re.DOTALL)
GAP = "…\n"
EMITTED = sorted(
    path for pattern in ("*_adj.cu", "*_split.cu") for path in (ROOT / "tests" / "golden").glob(pattern)
)
KERNEL = re.compile(r"^(?:extern \"C\" )?__global__ [^{;]*?\b(\w+)\(([^{;]*?)\)\n\{", re.MULTILINE)


def kernels(path: Path) -> dict[str, list[str]]:
    """Return the parameters of each kernel of a file, as they are declared."""
    return {
        name: [" ".join(one.split()) for one in re.split(r",\s*(?![^()]*\))", parameters)]
        for name, parameters in KERNEL.findall(path.read_text(encoding="utf-8"))
    }


def test_every_code_block_is_cut_out_of_a_golden_text() -> None:
    page = PAGE.read_text(encoding="utf-8")
    blocks = BLOCK.findall(page)
    assert len(blocks) == page.count("```") // 2
    for name, block in blocks:
        rest = (ROOT / name).read_text(encoding="utf-8")
        for part in block.split(GAP):
            assert f"\n{part}" in f"\n{rest}", f"{name}: {part}"
            rest = rest.partition(part)[2]


def test_every_role_of_a_parameter_is_explained() -> None:
    page = PAGE.read_text(encoding="utf-8").lower()
    words = {"entry value": "before", "exit value": "left", "seed": "seeds", "accumulates": "added"}
    for role in ROLES.values():
        word = words.get(role, role.removeprefix("largest number of ").removeprefix("numbers of "))
        assert word in page, role


@pytest.mark.parametrize("path", EMITTED, ids=lambda path: path.stem)
def test_the_tape_is_the_last_parameter_and_has_a_size(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for name, parameters in kernels(path).items():
        taped = [one for one in parameters if re.fullmatch(r"char \*(?:__restrict__ )?tape", one)]
        assert taped in ([], parameters[-1:]), name
        sized = name.removesuffix("_fwd").removesuffix("_adj") + "_adj_tape_bytes("
        assert bool(taped) <= (sized in text), name


@pytest.mark.parametrize("path", EMITTED, ids=lambda path: path.stem)
def test_an_adjoint_follows_its_parameter(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    if "--separate" in text or "--companion" in text:  # adjoints of fields, of the primal's own variables
        return
    for name, parameters in kernels(path).items():
        if not name.endswith("_adj"):
            continue
        names = [re.findall(r"\w+", re.sub(r"\[.*", "", one))[-1] for one in parameters]
        for before, after in zip(["", *names], names, strict=False):
            if match := re.match(r"(?:adj2?|grad)_(\w+)", after):
                assert match[1] == before or after in _own(text), (name, after)


def _own(text: str) -> set[str]:
    """Return names of adjoints that are the primal's own: the prefix of the file is then another."""
    return set(re.findall(r"\badj2_(adj_\w+)", text)) if "adj2_" in text else set()
