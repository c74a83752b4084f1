"""Launches as an author states them, drafts, and what is refused."""

from __future__ import annotations

import pytest

from s2sad.bind.launch import Known, Launch, Unclear, drafted, stated, uncovered
from s2sad.validate.hints import Hints

KNOWN = Known(("n", "w", "h"), ("x", "y"), {"TILE": 16})
GUARDED = "int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return;"


def test_a_launch_has_grid_block_and_shared_bytes() -> None:
    launch = stated("grid=(n + 255) / 256 block=256 shared=block * sizeof(float)", KNOWN)
    assert launch.text() == "grid=(n + 255) / 256 block=256 shared=block * sizeof(float)"
    assert launch.grid[0].value({"n": 300}) == 2


@pytest.mark.parametrize(
    "text",
    ["grid=(w+15)/16,(h+15)/16 block=16,16", "grid=[(w+15)/16, (h+15)/16] block=(16, 16)"],
)
def test_extents_have_commas_between(text: str) -> None:
    launch = stated(text, KNOWN)
    assert [e.value({"w": 17, "h": 40}) for e in launch.grid] == [2, 3]
    assert [e.value({}) for e in launch.block] == [16, 16]


def test_a_launch_says_what_the_caller_need_not() -> None:
    launch = stated("grid=n block=1 n=x.size y=x", KNOWN)
    assert launch.sizes["n"].value({"x.size": 7}) == 7
    assert launch.shapes["y"].like == "x"
    assert stated("grid=n block=1 y=h,w", KNOWN).shapes["y"].names == ("h", "w")


def test_sizes_are_evaluated_after_those_that_they_name() -> None:
    launch = stated("grid=n block=1 n=w*h w=x.dim0 h=x.dim1", KNOWN)
    assert list(launch.sizes)[-1] == "n"


def test_a_constant_of_the_file_is_its_value() -> None:
    assert stated("grid=(n+TILE-1)/TILE block=TILE", KNOWN).block[0].text == "16"


def test_comparisons_are_not_keys() -> None:
    assert stated("grid=n==0?1:n block=n<=32?32:64", KNOWN).grid[0].value({"n": 0}) == 1


@pytest.mark.parametrize(
    ("text", "why", "at"),
    [
        ("grid=(m+1)/2 block=4", "'m' isn't an integer", "m"),
        ("grid=n block=x", "'x' isn't an integer", "x"),
        ("grid=n", "block is missing", ""),
        ("grid=n block=1,1,1,1", "one to 3 expressions", "1,1,1,1"),
        ("grid=n block=1 grid=2", "grid is given twice", "2"),
        ("grid=n block=1 z=4", "no integer or array z", "4"),
        ("(n+1)/2 block=4", "isn't KEY=VALUE", "(n+1)/2"),
        ("grid=n/ block=4", "expected a number", ""),
        ("grid=n block=4 n=w w=n", "each is stated by the other", ""),
    ],
)
def test_an_unclear_launch_is_refused_with_its_place(text: str, why: str, at: str) -> None:
    with pytest.raises(Unclear) as caught:
        stated(text, KNOWN)
    assert why in caught.value.why
    if at:
        assert text[caught.value.start : caught.value.end] == at


def of(text: str, grid: str) -> Launch:
    return stated(grid, Known(("n", "m"), ("x",)))


def test_a_launch_is_drafted_from_the_guard() -> None:
    grid, block = drafted(Hints.of(GUARDED), KNOWN, ("n",))
    assert (grid[0].text, block[0].text) == ("(n + 255) / 256", "256")


@pytest.mark.parametrize(
    "text",
    [
        "int i = threadIdx.x; y[i] = x[i];",
        "extern __shared__ float s[]; " + GUARDED,
        "int i = blockIdx.z * blockDim.z + threadIdx.z; if (i >= n) return;",
    ],
)
def test_a_launch_that_the_text_does_not_tell_is_not_drafted(text: str) -> None:
    with pytest.raises(Unclear):
        drafted(Hints.of(text), KNOWN, ("n",))


@pytest.mark.parametrize(
    ("launch", "short"),
    [
        ("grid=(n+255)/256 block=256", None),
        ("grid=n/256 block=256", ("n", 1, 0)),
        ("grid=(n+255)/256 block=128", ("n", 255, 128)),
        ("grid=(x.size+255)/256 block=256 n=x.size", None),
        ("grid=x.size/256 block=256 n=x.size", ("n", 1, 0)),
        ("grid=x.dim0 block=256", None),  # not known: depends on the array
    ],
)
def test_a_launch_must_cover_the_guard(launch: str, short: tuple[str, int, int] | None) -> None:
    assert uncovered(of(GUARDED, launch), GUARDED, ["n"]) == short


def test_a_loop_over_the_grid_covers_everything() -> None:
    text = "for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = 0;"
    assert uncovered(of(text, "grid=4 block=64"), text, ["n"]) is None
