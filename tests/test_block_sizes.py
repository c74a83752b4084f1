"""Golden kernels with other block and tile sizes, including odd ones and ones with a partial last tile.

A proof for one BLOCK must not depend on its being a power of two, a whole warp,
or a divisor of anything. Each is transformed anew, since its macros define the size.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from golden_kit import asked, file, text
from test_golden import TOLERANCE, silent
from tiers import half_thorough

from s2sad.options import Options
from s2sad.pipeline import transform
from s2sad.run.backend import Backend
from s2sad.run.isolated import Isolated
from s2sad.source import Source
from s2sad.validate import Case, check_pair

# Replacements in a kernel's text and in its case; every piece occurs there at least once.
SIZES: dict[str, list[tuple[str, str]]] = {
    "attention_head": [("TILE 16", "TILE 7"), ("(n + 15) / 16", "(n + 6) / 7"), ("block = 16", "block = 7")],
    "blelloch_scan": [
        ("BLOCK 64", "BLOCK 16"),
        ("(n + 63) / 64", "(n + 15) / 16"),
        ("block = 64", "block = 16"),
        ("shape = 3", "shape = 10"),
    ],
    "block_layer_norm": [("BLOCK 32", "BLOCK 8"), ("block = 32", "block = 8")],
    "block_log_sum_exp": [("BLOCK 32", "BLOCK 64"), ("block = 32", "block = 64")],
    "blur_covered": [
        ("(width + 7) / 8", "(width + 4) / 5 + 1"),
        ("(height + 3) / 4", "(height + 2) / 3"),
        ("block = [8, 4]", "block = [5, 3]"),
    ],
    "block_sum": [("(n + 95) / 96", "(n + 255) / 256"), ("block = 96", "block = 256")],
    "conv2d_halo": [
        ("TILE 8", "TILE 5"),
        ("(width + 7) / 8", "(width + 4) / 5"),
        ("(height + 7) / 8", "(height + 4) / 5"),
        ("block = [8, 8]", "block = [5, 5]"),
    ],
    "dense_rows": [
        ("TILE 8", "TILE 5"),
        ("(outputs + 7) / 8", "(outputs + 4) / 5"),
        ("(rows + 7) / 8", "(rows + 2) / 3"),
        ("block = [8, 8]", "block = [5, 3]"),
        ("blockIdx.y * TILE", "blockIdx.y * 3"),
    ],
    "diffuse_covered": [("(n + 31) / 32", "(n + 18) / 19 + 1"), ("block = 32", "block = 19")],
    "histogram_block": [("block = 32", "block = 45")],
    "matmul_tile": [
        ("TILE 16", "TILE 5"),
        ("+ 15) / 16", "+ 4) / 5"),
        ("block = [16, 16]", "block = [5, 5]"),
    ],
    "meetings_in_functions": [
        ("WARPS 2", "WARPS 3"),
        ("(n + 63) / 64", "(n + 95) / 96"),
        ("block = 64", "block = 96"),
    ],
    "nbody_tile": [("TILE 32", "TILE 11"), ("(n + 31) / 32", "(n + 10) / 11"), ("block = 32", "block = 11")],
    "reduced_norm": [("block = 96", "block = 32")],
    "relax_tile": [
        ("BLOCK 64", "BLOCK 13"),
        ("(n + 63) / 64", "(n + 12) / 13"),
        ("block = 64", "block = 13"),
    ],
    "relax_until": [
        ("BLOCK 32", "BLOCK 13"),
        ("(n + 31) / 32", "(n + 12) / 13"),
        ("block = 32", "block = 13"),
    ],
    "rounds_of_sums": [("block = 20", "block = 33"), ("shape = 60", "shape = 99")],
    "same_value": [("BLOCK 32", "BLOCK 11"), ("block = 32", "block = 11"), ("rows * 32", "rows * 11")],
    "shared_twice": [("BLOCK 32", "BLOCK 9"), ("(n + 31) / 32", "(n + 8) / 9"), ("block = 32", "block = 9")],
    "splat_image": [
        ("BATCH 16", "BATCH 11"),
        ("(pixels + 15) / 16", "(pixels + 10) / 11"),
        ("block = 16", "block = 11"),
    ],
    "stencil5_tile": [
        ("BX 8", "BX 5"),
        ("BY 4", "BY 3"),
        ("(nx + 7) / 8", "(nx + 4) / 5"),
        ("(ny + 3) / 4", "(ny + 2) / 3"),
        ("block = [8, 4]", "block = [5, 3]"),
    ],
    "stream_compact": [("(n + 31) / 32", "(n + 18) / 19"), ("block = 32", "block = 19")],
    "warp_aggregated": [("block = 64", "block = 96")],
}


@pytest.fixture(scope="module")
def backend() -> Iterator[Backend]:
    with Isolated("cpu", timeout=60.0) as isolated:
        yield isolated


@pytest.mark.parametrize("name", half_thorough(SIZES))
def test_it_is_right_in_another_size(name: str, backend: Backend) -> None:
    kernel, case = text(name), file(name).with_suffix(".toml").read_text(encoding="utf-8")
    for old, new in SIZES[name]:
        whole = re.compile(rf"(?<!\w){re.escape(old)}(?!\w)")
        assert whole.search(kernel) or whole.search(case), old
        kernel, case = whole.sub(new, kernel), whole.sub(new, case)
    done = transform(Source(file(name).name, kernel), Options(mode=asked(name)))
    read = Case.parse(case, done.pair.primal)
    report = check_pair(done.pair, read, backend, tolerance=TOLERANCE)
    assert report.ok, report.text()
    assert {exact.verdict for exact in report.exact} == {"ok"}, report.text()
    assert silent(report, done.options.wrt) == [], report.text()
