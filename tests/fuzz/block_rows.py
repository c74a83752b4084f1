"""Loops of random kernels that a warp goes through together: a row per warp, its lanes along it.

Lanes meet at `__syncwarp()` and exchange values by shuffles; warps go round the loop
differently often, so that no barrier of the block can stand in it.
"""

from __future__ import annotations

from collections.abc import Callable

from .block_warps import ALL, Warps
from .tree import Expr, Stmt


class Rows(Warps):
    """Statements of all kinds, such loops among them."""

    def statement(self) -> list[Stmt]:
        if self.by_warps and self.rng.random() < 0.25:
            return self.rows() if self.rng.random() < 0.8 else self.once()
        return super().statement()

    def once(self) -> list[Stmt]:
        """Outside every loop of its own, so that each lane stores once in each phase of its warp."""
        self.lane, a = self.name("lane"), self.name("a")
        self.needs = []
        out = [
            Stmt(f"int {self.lane} = {self.t} % 32;", pinned=True),
            *self.placed(Stmt(f"float {a} = {{0}};", (self.real(2),), pinned=True)),
            *self._stored_again(a, ""),
        ]
        self.locals[-1].append((a, "float"))
        return out

    def rows(self) -> list[Stmt]:
        rng, t = self.rng, self.t
        warps = self.many // 32
        r, self.lane, a, total = (self.name(stem) for stem in ("r", "lane", "a", "v"))
        many = rng.choice(("2", "3", "5", "steps"))
        own = rng.choice((f"{t} / 32", f"({t} >> 5)"))
        first, step = own, str(warps)
        kept = rng.choice(("added", "kept", "kept", "atomic", "both"))
        if kept in ("added", "atomic") and rng.random() < 0.4:
            first, step = f"blockIdx.x * {warps} + {own}", f"gridDim.x * {warps}"
        lane = rng.choice((f"{t} % 32", f"{t} & 31", f"{t} % warpSize"))
        self.needs = []
        array = rng.choice(self.reads)
        value = Expr("real", f"0.3f * {array}[({r} * 32 + {self.lane}) % n] + 0.3f * {{0}}", (self.real(1),))
        needs = self.needs
        body = [Stmt(f"float {a} = {{0}};", (value,), pinned=True)]
        for part in rng.sample(self._parts(), 2):
            body += part(a, r)
        ends: list[Stmt] = []
        before: list[Stmt] = [Stmt(f"float {total} = 0.2f;", pinned=True)]
        if kept in ("added", "both"):
            body.append(Stmt(f"{total} += 0.4f * {a};"))
        if kept == "atomic" and "z" in self.outputs:
            put = Stmt(f"atomicAdd(&z[{r} % n], ({self.outputs['z']})(0.3f * {a}));")
            body.append(Stmt(f"if ({self.lane} == {rng.choice((0, 5))})", blocks=((put,),)))
        if kept in ("kept", "both"):
            name = self.name("row")
            self.arrays_more.append(Stmt(f"__shared__ float {name}[5];"))
            put = Stmt(f"{name}[{r}] = {a};")
            body.append(Stmt(f"if ({self.lane} == {rng.choice((0, 31))})", blocks=((put,),), pinned=True))
            before.append(self.sync())
            got = rng.choice((f"{name}[{t} % {many}]", f"{name}[0]", f"{name}[{many} - 1]"))
            ends = [self.sync(), Stmt(f"{total} += 0.5f * {got};", pinned=True)]
        self.needs = needs
        head = f"for (int {r} = {first}; {r} < {many}; {r} += {step})"
        out = [
            *before,
            Stmt(f"int {self.lane} = {lane};", pinned=True),
            *self.placed(Stmt(head, blocks=(tuple(body),))),
            *ends,
        ]
        self.locals[-1].append((total, "float"))
        return out

    def _parts(self) -> tuple[Callable[[str, str], list[Stmt]], ...]:
        return self._exchanged, self._along, self._in_rounds, self._shared_row, self._stored_again

    def _exchanged(self, a: str, r: str) -> list[Stmt]:
        """A shuffle, of the whole warp or of a part."""
        width = self._width()
        got = f"__shfl{self._source(width)}".format(a)
        return [Stmt(self.rng.choice((f"{a} += 0.5f * {got};", f"{a} = 0.6f * {a} * {got} + 0.2f;")))]

    def _along(self, a: str, r: str) -> list[Stmt]:
        """A loop of each lane along the row."""
        c, array = self.name("c"), self.rng.choice(self.reads)
        step = self.rng.choice(
            (
                f"{a} += 0.2f * {array}[({r} + {c}) % n];",
                f"{a} = 0.4f * {a} * {array}[({r} * 40 + {c}) % n] + 0.1f;",
                f"{a} = fmaxf({a}, {array}[{c} % n]);",
            )
        )
        return [Stmt(f"for (int {c} = {self.lane}; {c} < 40; {c} += 32)", blocks=((Stmt(step),),))]

    def _in_rounds(self, a: str, r: str) -> list[Stmt]:
        """A reduction over the warp."""
        o, kind = self.name("o"), self.rng.choice(("xor", "down"))
        got = f"__shfl_{kind}_sync({ALL}, {a}, {o})"
        step = self.rng.choice(
            (f"{a} += {got};", f"{a} = fmaxf({a}, {got});", f"{a} = 0.5f * ({a} + {got});")
        )
        scale = [Stmt(f"{a} *= 0.03f;")] if step.startswith(f"{a} +=") else []
        return [
            Stmt(f"for (int {o} = 16; {o} > 0; {o} >>= 1)", blocks=((Stmt(step, pinned=True),),)),
            *scale,
        ]

    def _shared_row(self, a: str, r: str) -> list[Stmt]:
        """Through shared memory of the warp's own."""
        rng, t = self.rng, self.t
        name = self.name("own")
        if rng.random() < 0.5:
            self.arrays_more.append(Stmt(f"__shared__ float {name}[{self.many}];"))
            at = f"{name}[{t}]"
            others = [f"{name}[{t} ^ {rng.randint(1, 31)}]", f"{name}[{t} / 32 * 32 + {rng.randint(0, 31)}]"]
        else:
            self.arrays_more.append(Stmt(f"__shared__ float {name}[{self.many // 32}][33];"))
            at = f"{name}[{t} / 32][{self.lane}]"
            others = [f"{name}[{t} / 32][({self.lane} + {rng.randint(1, 9)}) % 32]", f"{name}[{t} >> 5][31]"]
        meet = Stmt("__syncwarp();", pinned=True)
        other = rng.choice(others)
        use = rng.choice((f"{a} += 0.5f * {other};", f"{a} = 0.6f * {a} * {other} + 0.2f;"))
        if rng.random() < 0.4:
            use = f"if ({self.lane} > 3) {use}"
        return [Stmt(f"{at} = {a};", pinned=True), meet, Stmt(use), meet]

    def _stored_again(self, a: str, r: str) -> list[Stmt]:
        """Elements of the warp's own that two lanes store, the second behind a barrier of the warp."""
        rng, t, lane = self.rng, self.t, self.lane
        name = self.name("twice")
        self.arrays_more.append(Stmt(f"__shared__ float {name}[{self.many}];"))
        far = rng.choice((1, 1, 3, 8))
        meet = Stmt("__syncwarp();", pinned=True)
        value = rng.choice((f"0.5f * {a} * {a}", f"0.4f * {a} + 0.1f", f"sinf({a})"))
        again = rng.choice(
            (
                f"if ({lane} < {32 - far}) {name}[{t} + {far}] = {value};",
                f"if ({lane} >= {far}) {name}[{t} - {far}] = {value};",
                f"if ({lane} % 2 == 0) {name}[{t} ^ 1] = {value};",
                f"if ({lane} == {far}) {name}[{t} / 32 * 32] = {value};",
                f"if ({lane} > 15) {name}[{t} - 16] {rng.choice(('=', '+=', '*='))} {value};",
            )
        )
        stored = Stmt(f"{name}[{t}] = {a};", pinned=True)
        return [stored, meet, Stmt(again), meet, Stmt(f"{a} = 0.3f * {a} + 0.7f * {name}[{t}];"), meet]
