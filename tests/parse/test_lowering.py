"""What each construct becomes: the files in lowering/ show source and IR side by side.

A block is `# what it shows`, the body of a kernel, `=>`, and the IR as text, in
which `<float>x` is a conversion that C++ makes by itself.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from lowering_kit import lowered

CASES = [
    pytest.param(*block.split("\n", 1)[1].split("\n=>\n"), id=f"{file.stem}: {block.split(chr(10), 1)[0]}")
    for file in sorted((Path(__file__).parent / "lowering").glob("*.txt"))
    for block in ("\n" + file.read_text()).split("\n# ")[1:]
]


@pytest.mark.parametrize(("source", "expected"), CASES)
def test_a_construct_becomes(source: str, expected: str) -> None:
    assert lowered(source) == expected.strip("\n")
