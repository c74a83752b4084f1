"""A drafted case is a case: it reads, and it has room for every index a kernel may form."""

from __future__ import annotations

import numpy as np
import pytest
from validate_kit import array, number

from s2sad.signature import Argument, Signature
from s2sad.validate import Case, case_template, draft
from s2sad.validate.assumptions import verify
from s2sad.validate.hints import Hints
from s2sad.validate.recipe import Launch

SIGNATURES = [
    Signature("one", (array("x"), array("y", written=True), number("n"))),
    Signature(
        "scalars", (number("a", "float"), number("flag", "bool"), array("y", written=True, type="double"))
    ),
    Signature("image", (array("img"), array("out", written=True), number("width"), number("height"))),
    Signature("matmul", (array("A"), array("B"), array("C", written=True), *map(number, "MNK"))),
    Signature("many", (array("x", written=True), *(number(f"n_{c}", "unsigned int") for c in "abcdef"))),
    Signature("bytes", (array("m", type="unsigned char"), array("f", type="bool"), array("y", written=True))),
    Signature("steps", (array("x", written=True), number("offset", "long long"))),
    Signature("tiny", (array("x", written=True), number("n", "short"), array("i", type="int8_t"))),
    Signature("nothing", ()),
]


@pytest.mark.parametrize("signature", SIGNATURES, ids=lambda signature: signature.name)
def test_a_draft_reads_as_a_case(signature: Signature) -> None:
    case = Case.parse(draft(signature, f"{signature.name}.cu"), signature)
    setting = case.setting("double", least_blocks=2)
    assert list(setting.args) == [argument.name for argument in signature.arguments]
    threads = setting.launch.grid[0] * setting.launch.block[0]
    sizes = [int(v) for a, v in setting.args.items() if isinstance(v, int) and a != "flag"]
    for value in setting.args.values():
        if isinstance(value, np.ndarray):
            assert value.size >= np.prod(sizes or [threads])


def test_a_draft_takes_what_is_differentiated_from_the_signature() -> None:
    signature = Signature("k", (array("x"), array("y", written=True)), ("y",), ("x",))
    assert 'of  = ["y"]\nwrt = ["x"]\n' in draft(signature)


def test_an_array_that_is_changed_in_place_is_both() -> None:
    assert 'of  = ["x"]\nwrt = ["x"]\n' in draft(SIGNATURES[6])


def test_a_name_like_a_size_gets_the_size() -> None:
    text = draft(Signature("k", (array("x"), number("steps"), number("n_rows"), array("y", written=True))))
    assert "n_rows = 150" in text
    assert "steps = 3" in text
    assert 'x = { shape = "n_rows", fill = "normal" }' in text


def test_an_array_of_rows_has_their_extents() -> None:
    planes = Argument("x", "float", pointer=True, rows=(4, 6))
    assert 'x = { shape = ["n", 4, 6], fill = "normal" }' in draft(Signature("k", (planes, number("n"))))


def test_the_same_signature_gives_the_same_draft() -> None:
    signature = Signature("k", (Argument("x", "float", pointer=True),))
    assert draft(signature) == draft(signature)


def test_a_draft_follows_what_is_assumed() -> None:
    signature = Signature(
        "k", (array("y", written=True), array("ptr", type="int"), array("perm", type="int"), number("n"))
    )
    text = "y[threadIdx.y * n + blockIdx.z] += ptr[perm[threadIdx.x]];"
    assert Hints.of(text).dimensions == 3
    hints = Hints.of(text).under(["launch:1d", "sorted:ptr", "injective:perm", "covers:n"])
    setting = Case.parse(draft(signature, hints=hints), signature).setting()
    assert setting.launch.grid[1:] == setting.launch.block[1:] == (1, 1)
    findings, untested = verify(["launch:1d", "sorted:ptr", "injective:perm"], setting.args, setting.launch)
    assert all(finding.ok for finding in findings)
    assert len(findings) == 3
    assert not untested
    ptr = setting.args["ptr"]
    assert isinstance(ptr, np.ndarray)
    assert ptr.size == 151
    assert len(np.unique(ptr)) < ptr.size


def test_a_launch_with_more_dimensions_than_assumed_is_a_finding() -> None:
    findings, _ = verify(["launch:1d"], {}, Launch((2, 1, 1), (8, 4, 1), 0))
    assert [finding.ok for finding in findings] == [False]


def test_a_rank_in_a_block_is_a_coordinate_of_threads() -> None:
    text = "int i = blockIdx.x * blockDim.x + block.thread_rank(); if (i < n) y[i] = 0.0f;"
    assert Hints.of(text).bounds == {0: "n"}
    assert not Hints.of(text).by_block


def test_a_block_has_as_many_threads_as_a_shared_array_has_places_for_them() -> None:
    text = "__shared__ float sx[16], sy[16]; int t = threadIdx.x; sx[threadIdx.x] = x[0]; sy[t] = 0;"
    assert Hints.of(text).room == {0: 16}
    assert case_template._block(0, Hints.of(text), 150) == 16
    tile = "__shared__ double tile[2][17]; tile[threadIdx.y][threadIdx.x] = 0;"
    assert Hints.of(tile).room == {0: 16, 1: 2}
    assert [case_template._block(axis, Hints.of(tile), 150) for axis in (0, 1)] == [16, 2]
    tree = "__shared__ float s[256]; int t = threadIdx.x; s[t] = x[0]; __syncthreads();"
    assert case_template._block(0, Hints.of(tree), 150) == 256
    halo = "__shared__ float s[18]; s[threadIdx.x + 1] = 0;"
    assert Hints.of(halo).room == {}
