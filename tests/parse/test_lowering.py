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


def test_values_of_a_struct_in_braces_run_from_left_to_right() -> None:
    shown = "float a_was = a;\na += 1.0f;\nfloat v.x = a_was;\nfloat v.y = a;"
    assert lowered("float2 v = {a, a += 1.0f};") == shown


def test_a_struct_is_assigned_before_the_index_of_its_target_changes() -> None:
    shown = "float x_was = x[i];\nint i_was = i;\ni += 1;\nv[i_was].x = x_was;\nv[i_was].y = a;"
    assert lowered("float2 v[2]; v[i++] = make_float2(x[i], a);").endswith(shown)
