"""All algorithms by name."""

from __future__ import annotations

from . import (
    block_wide,
    graphs,
    linear_algebra,
    numbers,
    numerics,
    searching,
    sequences,
    sorting,
    tables,
    trees,
)

OWN: dict[str, str] = {
    **graphs.ALGORITHMS,
    **linear_algebra.ALGORITHMS,
    **numbers.ALGORITHMS,
    **numerics.ALGORITHMS,
    **searching.ALGORITHMS,
    **sequences.ALGORITHMS,
    **sorting.ALGORITHMS,
    **tables.ALGORITHMS,
    **trees.ALGORITHMS,
}
BLOCK = block_wide.ALGORITHMS
