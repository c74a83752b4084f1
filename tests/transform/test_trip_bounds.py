# ruff: noqa: E501
"""How often a loop runs at most: the lemmas by trying, and bounds against loops that are run.

A bound may be too large, never too small: an integer recorded past the end of a tape would be silently wrong.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from itertools import product

import pytest
from integer_programs import Author, Undefined, run, source, value_of

from s2sad import parse
from s2sad.analysis.loops.counted_loops import counted
from s2sad.analysis.ssa import Versions
from s2sad.analysis.ssa_construction import survey
from s2sad.ir import DoWhile, Expr, For, While
from s2sad.source import Source
from s2sad.transform.normalise.structure_exits import structure
from s2sad.transform.plan.trip_bounds import Bounds

LOOPS = (For, While, DoWhile)
SIZES = {"blockDim": 3, "gridDim": 2}


def bounded(body: str) -> tuple[Versions, list[tuple[For | While | DoWhile, Expr | None]]]:
    """The loops of a kernel with this body, and their bounds."""
    kernel = structure(parse.program(Source("k.cu", source(body))).kernel)
    versions = survey(kernel)
    loops = [s for s in versions.order if isinstance(s, LOOPS)]
    bounds = Bounds(versions, {loop: counted(loop, versions) for loop in loops}, {})
    return versions, [(loop, bounds.of(loop)) for loop in loops]


def exceeded(body: str, data: int = 3) -> Iterator[str]:
    """The launches in which a loop runs more often than its bound says, and what it ran."""
    versions, found = bounded(body)
    for n, m, seed in product((-3, 0, 1, 7), (-2, 0, 2, 9), range(data)):
        chance = random.Random(seed)
        known = {"n": n, "m": m, "u": chance.choice((0, 1, 2, 5, 2**32 - 1)), **SIZES}
        try:
            trips = run(versions.function, known, chance)
        except Undefined:
            continue
        for loop, bound in found:
            if bound is not None and trips.get(loop, 0) > (most := value_of(bound, known)):
                yield f"n={n} m={m} u={known['u']} seed={seed}: {trips[loop]} trips, at most {most}\n{body}"


PLAIN = {
    "masked": ("int c = idx[t] & 3; for (int k = 0; k < c; ++k) v += 1.0f;", "3"),
    "masked in place": ("for (int k = 0; k < (idx[t] & 3); ++k) v += 1.0f;", "3"),
    "least of two": ("int c = min(idx[t], 8); int k = 0; while (k < c) { v += 1.0f; k++; }", "8"),
    "remainder": ("int c = idx[t] % 5; for (int k = 0; k < c; ++k) v += 1.0f;", "4"),
    "clamped": ("int c = idx[t]; if (c > 6) c = 6; for (int k = 0; k < c; ++k) v += 1.0f;", "6"),
    "clamped twice": ("int c = idx[t]; c = c < 0 ? 0 : c > 7 ? 7 : c; for (int k = c; k > 0; k--) v += 1.0f;", "7"),
    "guarded": ("int c = idx[t]; if (c <= 5) for (int k = 0; k < c; ++k) v += 1.0f;", "5"),
    "narrow": ("unsigned char c = (unsigned char)idx[t]; for (int k = 0; k < c; ++k) v += 1.0f;", "255"),
    "left in the middle": ("int j = 0; while (true) { v += 1.0f; if (++j >= 4) break; v *= 2.0f; }", "4"),
    "left for good": ("int j = 0; for (;;) { if (x[j] > 1.0f) break; if (++j >= m) break; }", "m"),
    "do while": ("int j = 0; do { v += 1.0f; } while (++j < n);", None),
    "halved": ("int k = n; do { v += 1.0f; k /= 2; } while (k > 0);", "32"),
    "heap": ("int p = 0; while (2 * p + 1 < 16) { int c = 2 * p + 1; if (x[c] > 0) c++; if (x[p] > 1) break; p = c; }", "4"),
    "heap of n": ("int p = 0; for (;;) { int b = p, l = 2 * p + 1; if (l < n && x[l] > 0) b = l; if (l + 1 < n && x[l + 1] > 0) b = l + 1; if (b == p) break; p = b; }", "32"),
    "sift up": ("int c = n - 1; while (c > 0) { int p = (c - 1) / 2; if (x[p] > 0) break; c = p; }", "32"),
    "two pointers": ("int lo = 0, hi = m - 1; while (lo < hi) { if (x[lo] > 0) lo++; else hi--; }", None),
    "bisection": ("int lo = 0, hi = m; while (lo < hi) { int mid = (lo + hi) / 2; if (x[mid] < 1.0f) lo = mid + 1; else hi = mid; }", "32"),
    "bisection by shifts": ("int lo = 0, hi = m; while (hi - lo > 1) { int mid = lo + ((hi - lo) >> 1); if (x[mid] < 1.0f) lo = mid; else hi = mid; }", "32"),
    "one or two": ("int j = 0; while (j < m) { v += 1.0f; if (x[j] > 0) j += 2; else j += 1; }", "m"),
    "also in the body": ("for (int j = 1; j < m; ++j) { if (idx[j] == 0) { ++j; continue; } v += 1.0f; }", None),
    "in a loop inside": ("int j = 0; while (j < m) { while (j < m && x[j] > 0) ++j; v += 1.0f; ++j; }", "m"),
    "tries": ("bool done = false; int k = 0; while (!done && k < 10) { done = x[k] > 0; ++k; }", "10"),
    "digits": ("unsigned k = (unsigned)idx[t]; while (k) { v += 1.0f; k /= 10; }", "32"),
    "set bits": ("for (unsigned k = (unsigned)idx[t]; k; k &= k - 1) v += 1.0f;", "32"),
    "goes on to the end": ("int k = 0; do { v += 1.0f; if (x[k] < 0.1f) continue; v *= 2.0f; } while (++k < n);", None),
    "merge": ("int j = 0, k = 0; while (j < n || k < m) { if (k >= m || (j < n && x[j] < x[k])) ++j; else ++k; }", None),
    "merge of both": ("int j = 0, k = 0; while (j < n && k < m) { if (x[j] < x[k]) ++j; else ++k; }", None),
    "from above": ("for (int j = n; j >= 0; j -= 1 + (idx[j & 3] & 1)) v += 1.0f;", None),
    "steps of three": ("int j = n; while (true) { if (j <= 2) break; j -= 3; v += 1.0f; }", None),
}  # fmt: skip


@pytest.mark.parametrize("name", PLAIN)
def test_plain_loops_have_a_bound_and_it_holds(name: str) -> None:
    body, wanted = PLAIN[name]
    assert not list(exceeded(body))
    _, ((_, bound), *_) = bounded(body)
    assert bound is not None
    if wanted is not None and wanted.isdigit():
        assert value_of(bound, {}) <= int(wanted)
    elif wanted == "m":
        assert value_of(bound, {"n": 5, "m": 9}) == 9


UNBOUNDED = {
    "falls back": "int j = 0; while (j < m) { if (x[j] > 0) j++; else j--; }",
    "may stay": "int j = 0; while (j < m) { if (x[j] > 0) j++; }",
    "by what is read": "int j = 0; while (j < m) j += idx[j & 3];",
    "counts up to !=": "int j = 0; while (j != m) j += 2;",
    "wraps down": "unsigned j = 5; while (j < u) --j;",
    "moved bound": "int j = 0, e = m; while (j < e) { ++j; e += idx[j & 3] & 1; }",
    "in a loop that may not run": "int j = 0, r = 0; while (j < m) { for (int k = 0; k < idx[r & 3]; ++k) ++j; ++r; }",
    "halved below zero": "int lo = -9, hi = m; while (lo < hi) { int mid = (lo + hi) / 2; if (x[0] > 0) lo = mid; else hi = mid; }",
    "reset": "int j = 0; while (j < m) { ++j; if (x[j] > 0) j = 0; }",
}  # fmt: skip


@pytest.mark.parametrize("name", UNBOUNDED)
def test_loops_that_nothing_bounds_have_no_bound(name: str) -> None:
    body = UNBOUNDED[name]
    assert not list(exceeded(body))
    _, ((_, bound), *_) = bounded(body)
    assert bound is None


def test_l34_what_gets_smaller_by_d_is_gone_after_so_many_iterations() -> None:
    for first, d in product(range(-3, 12), range(1, 5)):
        longest = longest_fall(first, d)
        assert longest <= max(0, -(-(first + 1) // d))


@cache
def longest_fall(f: int, d: int) -> int:
    """How many iterations find F >= 0 where each leaves less by at least d."""
    return 0 if f < 0 else 1 + max(longest_fall(f - by, d) for by in range(d, d + 4))


@cache
def longest_pair(f: int, g: int) -> int:
    """How many iterations make neither larger, and one that isn't negative smaller."""
    lower = [(a, b) for a in (f, f - 1, f - 3) for b in (g, g - 1, g - 2)]
    return max(
        (1 + longest_pair(a, b) for a, b in lower if (f >= 0 and a < f) or (g >= 0 and b < g)), default=0
    )


def test_l35_two_that_get_smaller_in_turn() -> None:
    for f, g in product(range(-3, 6), repeat=2):
        assert longest_pair(f, g) <= max(0, f + 1) + max(0, g + 1)


@cache
def longest_halving(m: int) -> int:
    return 0 if m < 1 else 1 + max(longest_halving(left) for left in range(-1, m // 2 + 1))


def test_l36_what_is_halved_is_gone_after_its_bits() -> None:
    assert all(longest_halving(m) <= max(0, m).bit_length() for m in range(-3, 300))


def test_l37_what_doubles_reaches_the_end_after_its_bits() -> None:
    for w, first in product(range(1, 9), range(1, 5)):
        g, trips = first, 0
        while g <= 2**w - 1:
            trips, g = trips + 1, 2 * g
        assert trips <= w


def test_l38_bits_are_cleared_one_by_one_at_most() -> None:
    @cache
    def longest(v: int) -> int:
        return max((1 + longest(v & mask) for mask in range(32) if v & mask != v), default=0)

    assert all(longest(v) <= 5 for v in range(32))


def test_l39_a_mask_takes_bits_away() -> None:
    for a, b in product(range(-8, 8), repeat=2):
        if a >= 0:
            assert 0 <= a & b <= a


# ---- at random -----------------------------------------------------------------


def some_loops(seed: int) -> str:
    """Statements that change integers in loops, as authors may: most end, some never do."""
    return Author(random.Random(seed)).text()


@pytest.mark.parametrize(
    "seed", [*range(4), *(pytest.param(seed, marks=pytest.mark.thorough) for seed in range(4, 12))]
)
def test_random_loops_never_run_more_often_than_their_bound(seed: int) -> None:
    found = 0
    for number in range(25):
        body = some_loops(1000 * seed + number)
        problems = list(exceeded(body, 1))
        assert not problems, problems[0]
        found += any(bound is not None for _, bound in bounded(body)[1])
    assert found >= 3
