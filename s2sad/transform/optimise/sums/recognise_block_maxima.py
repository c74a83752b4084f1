"""Compute the maximum over a block by shuffles, if the forward sweep only needs its value.

    part[t] = m;
    __syncthreads();
    for (int d = blockDim.x / 2; d > 0; d /= 2) {
        if (t < d)                                        m = block_max(m);
            part[t] = fmaxf(part[t], part[t + d]);   ->
        __syncthreads();
    }
    m = part[0];

So are minima. The order doesn't matter: a maximum isn't rounded, and fmaxf ignores a NaN in any order. The
primal's tree stays if the adjoint reverses it: that needs to know which thread's value won. The conditions
on the tree are those of a sum (`normalise.tree_sums`). The block's size must be known, or known to be a power
of two because of the kernel's sums: the check of the launch then asks for it anyway.
"""

from __future__ import annotations

from ....ir import Body, without
from ...normalise.tree_sums import EXTREMES, Trees, reductions


def recognise_block_maxima(body: Body, sums: Trees) -> Body:
    """The body of a kernel with such reductions; `sums` are those of its primal."""
    if not (sums.threads or sums.halved):
        return body
    found = reductions(body, frozenset(EXTREMES.values()))
    if found is None or found.threads != sums.threads:
        return body
    return without(found.made, set(found.stores))
