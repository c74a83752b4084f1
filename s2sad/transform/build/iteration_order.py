"""Whether the iterations of a loop may be reversed in any order: then they keep the primal's.

for (int k0 = 0; k0 < K; k0 += TILE) {             for (int k0 = 0; k0 < K; k0 += TILE) {
    a[t] = A[k0 + t];                                  a[t] = A[k0 + t];
    __syncthreads();                       ->          __syncthreads();
    sum += a[j] * x[j];                                adj_a_sum += x[j] * adj_sum;
    __syncthreads();                                   __syncthreads();
}                                                      adj_A[k0 + t] += adj_a_sum;
                                                   }
"""

from __future__ import annotations

from ...ir import Array, For, Place, Sym
from ..plan.partials import Add, Invoke
from .sweep import Sweep


def commutes(b: Sweep, stmt: For) -> bool:
    """Whether the iterations' adjoints may run in any order.

    They may if no adjoint that outlives an iteration is both read and accumulated, or is
    overwritten: carried variables are only accumulated, seeds only read. An element that
    only one iteration accesses doesn't count, nor does an array that each iteration fills anew.
    """
    scope = b.versions.inside[stmt][0]
    read: set[Sym] = set()
    added: set[Sym] = set()

    def outlives(sym: Sym) -> bool:
        home = b.recorded.homes.get(sym)
        filled_anew = isinstance(sym.type, Array) and home is not None and home.within(scope)
        return b.outlives(sym, scope) and not filled_anew

    for inner in b.versions.body_of(stmt):
        for owed in b.debts.get(inner, ()):
            if outlives(owed.target.sym):
                array = owed.target.sym
                if owed.stays or b.adjoints[array] in b.constant_seeds:
                    read.add(array)
                # a by-value parameter is shared by all iterations, an element isn't
                elif not owed.target.index or array.storage != "parameter" or not b.own_elements(stmt, array):
                    return False
            for item in (*owed.items, *owed.own):
                match item:
                    case Add(target):
                        added.add(target.sym)
                    case Invoke(_, _, _, outs):
                        added.update(out.sym for out in outs if isinstance(out, Place))
                    case _:
                        pass
    return not any(outlives(sym) for sym in read & added)
