"""Random kernels whose threads meet: shared memory, barriers, and arrays that pass values between threads.

They are free of races because of what is noted for each array since the last barrier:
that every thread keeps to elements of its own, under one map from threads to elements;
that all only read; or that one thread alone is at it. Before a statement that fits none
of these a barrier is put, and at the end of a loop's body where that doesn't fit its
start. Random barriers, which nothing needs, are put too.
"""

from __future__ import annotations

import random

from .block_returns import Returned
from .block_values import Passed
from .tree import Block, Param, Program, Stmt


def program(label: str) -> Program:
    """The program of a seed."""
    return _Kernel(random.Random(f"blocks {label}"), label).program()


class _Kernel(Returned):
    """One program being made."""

    def program(self) -> Program:
        rng = self.rng
        width = self.shape[0]
        self._param("int n", "n", str(self.count))
        self._param("int steps", "steps", str(rng.choice((1, 2, 3, 3))))
        self._param("int lim", "lim", str(rng.choice((0, 1, 2))))
        for name in ("x", "w")[: rng.choice((1, 2))]:
            kind = rng.choice(("float", "float", "double"))
            values = '{shape="n", fill="uniform(-1,1)"}'
            self._param(f"const {kind} *{name}", name, values)
        if rng.random() < 0.3:
            self._param("float alpha", "alpha", f"{rng.uniform(-1, 1):.3f}")
        self.reads = [p.name for p in self.params if p.name in ("x", "w")]
        self.scalars = [p.name for p in self.params if p.name == "alpha"]
        self._param("const int *idx", "idx", f'{{shape="n", fill="randint(0,{self.least})"}}')
        kind = rng.choice(("float", "float", "double"))
        self._param(f"{kind} *y", "y", '{shape="n", fill="uniform(-1,1)"}')
        of, wrt = ["y"], [*self.reads, *self.scalars]
        if self.adding and rng.random() < 0.7:
            kind = rng.choice(("float", "float", "double"))
            self._param(f"{kind} *z", "z", '{shape="n", fill="uniform(-1,1)"}')
            self.outputs["z"] = kind
            of.append("z")
        if not self.ragged and rng.random() < 0.4:
            kind = rng.choice(("float", "float", "double"))
            self._param(f"{kind} *u", "u", '{shape="n", fill="uniform(-1,1)"}')
            base = "blockIdx.x * blockDim.x + " if self.flat else f"b * {self.many} + "
            self.arrays["u"] = Passed("u", kind, self.many, base, whole=True)
            of.append("u")
            wrt.append("u")
        top: list[Stmt] = []
        if not self.flat:
            top.append(Stmt(f"int t = threadIdx.y * {width} + threadIdx.x;", pinned=True))
            top.append(Stmt("int b = blockIdx.x;", pinned=True))
            top.append(Stmt(f"int i = b * {self.many} + t;", pinned=True))
        else:
            if self.t == "t":
                top.append(
                    Stmt(
                        f"{rng.choice(('int', 'int', 'const int', 'unsigned'))} t = threadIdx.x;", pinned=True
                    )
                )
            top.append(Stmt(f"int i = blockIdx.x * blockDim.x + {self.t};", pinned=True))
        if self.P == "B":
            top.append(Stmt("int B = blockDim.x;", pinned=True))
        if self.early:
            top.append(
                Stmt("int live = min((int)blockDim.x, n - (int)(blockIdx.x * blockDim.x));", pinned=True)
            )
        if self.early:
            top.append(Stmt("if (i >= n) return;", pinned=True))
        shared = self._shared()
        start = self._start()
        self.budget_left = self.budget
        body = self.block(self.budget)
        ends = self._end()
        if rng.random() < 0.15:
            wrt = rng.sample(wrt, max(1, len(wrt) - 1))
        if len(of) > 1 and rng.random() < 0.2:
            of = of[:1]
        if "u" in of and "u" not in wrt:
            wrt.append("u")
        grid = str(self.blocks)
        block = str(self.shape[0]) if self.flat else f"[{self.shape[0]}, {self.shape[1]}]"
        return Program(
            tuple(self.params),
            (),
            (*top, *shared, *self.arrays_more, *start, *body, *ends),
            tuple(of),
            tuple(sorted(set(wrt))),
            grid,
            block,
            "split" if rng.random() < 0.3 else "joint",
            self.assumed(),
            label=self.label,
            bound="40" if rng.random() < 0.3 else "",
        )

    def _param(self, declaration: str, name: str, value: str) -> None:
        self.params.append(Param(declaration, name, value))

    def assumed(self) -> tuple[str, ...]:
        """That threads store to elements of their own: shifts with a remainder are no proof."""
        names = [name for name, a in self.arrays.items() if a.size]
        names += [
            word
            for stmt in self.arrays_more
            for word in stmt.head.split()[2:]
            if "[" in word and not word.startswith(("col", "vs"))  # of these each thread has its own
            for word in [word.split("[")[0]]
        ]
        return tuple(f"injective:{name}" for name in names) if self.rng.random() < 0.8 else ()

    def _shared(self) -> Block:
        rng, out = self.rng, []
        for name in rng.sample(("s", "tile", "sh", "buf", "adj_s"), rng.choice((1, 1, 2, 2, 3))):
            kind = rng.choice(("float", "float", "float", "double"))
            if rng.random() < 0.3:
                width = self.shape[0] if not self.flat else 2
                rows, pad = self.many // width, rng.choice((0, 1))
                rows += 1 if rows * width < self.many else 0
                out.append(Stmt(f"__shared__ {kind} {name}[{rows}][{width + pad}];"))
                self.arrays[name] = Passed(name, kind, self.many, rows=rows, columns=width)
            else:
                size = rng.choice((self.many, self.many, self.many + 2, 2 * self.many))
                out.append(Stmt(f"__shared__ {kind} {name}[{size}];"))
                self.arrays[name] = Passed(name, kind, size)
        if rng.random() < 0.3:
            out.append(Stmt("__shared__ float mean;"))
            self.arrays["mean"] = Passed("mean", "float", 0)
        if rng.random() < 0.35:
            out.append(Stmt(f"__shared__ int where[{self.many}];"))
            self.arrays["where"] = Passed("where", "int", self.many)
        return tuple(out)

    def _start(self) -> Block:
        """Some arrays are filled at once; others where they are first asked for."""
        out: list[Stmt] = []
        for array in list(self.arrays.values()):
            if not array.whole and self.rng.random() < 0.7:
                out += self.filled(array)
        return tuple(out)

    def _end(self) -> Block:
        rng = self.rng
        self.budget_left = 2
        out: list[Stmt] = []
        for _ in range(rng.choice((1, 1, 2))):
            value = self.real(2)
            op = rng.choice(("=", "=", "+="))
            out += self.placed(Stmt("y[i] " + op + " {0};", (value,)), guard=True)
        return tuple(out)
