"""Statements of random kernels with cooperative tiles, with votes that branches follow, and along arrays.

Tiles of less than a warp go round their loops differently often, beside each other in one warp.
Who leaves a loop by a vote leaves it with all those that voted.
"""

from __future__ import annotations

from .block_rows import Rows
from .block_warps import ALL, lanes_of
from .tree import Expr, Stmt


class Tiles(Rows):
    """Statements of all kinds, such among them."""

    def statement(self) -> list[Stmt]:
        roll = self.rng.random()
        if self.exchanging and roll < 0.25:
            return self.rng.choice((self.tile, self.tile, self.voted, self.until_all))()
        if roll > 0.93 and self.loops < 4:
            return self.tiles_along() if self.early else self.rng.choice((self.until_any, self.tiles_along))()
        return super().statement()

    # ---- tiles -------------------------------------------------------------------

    def tile(self) -> list[Stmt]:
        """A group of 8, 16 or 32 threads and what they do together, once or for some rows."""
        rng, tile, v = self.rng, self.name("group"), self.name("v")
        rows = self.by_warps and rng.random() < 0.6
        size = rng.choice((8, 16, 32))
        block = "cg::this_thread_block()"
        kind = rng.choice(("auto", f"cg::thread_block_tile<{size}>"))
        declared = Stmt(f"{kind} {tile} = cg::tiled_partition<{size}>({block});", pinned=True)
        self.needs = []
        value = self.real(1)
        if rows:
            made = self._rows_of(tile, size, v, value)
        else:
            part = rng.choice((self._once, self._halved))(tile, size, v)
            made = self.placed(Stmt("", blocks=((Stmt(f"float {v} = {{0}};", (value,)), *part),), flat=True))
        self.locals[-1].append((v, "float"))
        return [declared, *made]

    def _once(self, tile: str, size: int, v: str) -> list[Stmt]:
        rng, by = self.rng, self.rng.randint(1, size - 1)
        got = rng.choice(
            (
                f"{tile}.shfl_xor({v}, {by})",
                f"{tile}.shfl_down({v}, {by})",
                f"{tile}.shfl_up({v}, {by})",
                f"{tile}.shfl({v}, {by})",
                f"{tile}.shfl({v}, ({tile}.thread_rank() + {by}) % {size})",
            )
        )
        step = Stmt(rng.choice((f"{v} += 0.5f * {got};", f"{v} = 0.6f * {v} * {got} + 0.2f;")))
        if rng.random() < 0.3:
            return [Stmt(f"if ({tile}.{rng.choice(('any', 'all'))}({self._asked(v)}))", blocks=((step,),))]
        return [step]

    def _halved(self, tile: str, size: int, v: str) -> list[Stmt]:
        rng, o = self.rng, self.name("o")
        got = f"{tile}.{rng.choice(('shfl_xor', 'shfl_down'))}({v}, {o})"
        step = rng.choice((f"{v} = 0.5f * ({v} + {got});", f"{v} = fmaxf({v}, {got});"))
        half = rng.choice((f"{tile}.size() / 2", f"{size // 2}"))
        return [Stmt(f"for (int {o} = {half}; {o} > 0; {o} /= 2)", blocks=((Stmt(step),),))]

    def _rows_of(self, tile: str, size: int, v: str, value: Expr) -> list[Stmt]:
        """A row for each tile; its first thread stores what they found, for all to read."""
        rng = self.rng
        r, a, row = self.name("r"), self.name("a"), self.name("row")
        many, array = rng.choice((3, 5, 9)), rng.choice(self.reads)
        self.arrays_more.append(Stmt(f"__shared__ float {row}[{many}];"))
        start = f"0.3f * {array}[({r} * {size} + {tile}.thread_rank()) % n] + 0.3f * {{0}}"
        body = [Stmt(f"float {a} = {start};", (value,), pinned=True)]
        for part in rng.sample((self._once, self._halved, self._through), 2):
            body += part(tile, size, a)
        put = Stmt(f"{row}[{r}] = {a};", pinned=True)
        first = rng.choice((f"{tile}.thread_rank() == 0", f"{tile}.thread_rank() == {size - 1}"))
        body.append(Stmt(f"if ({first})", blocks=((put,),), pinned=True))
        needs, self.needs = self.needs, []
        before = self.sync()
        self.needs = needs
        own, step = f"{tile}.meta_group_rank()", f"{tile}.meta_group_size()"
        if rng.random() < 0.5:
            own, step = f"(int){self.t} / {size}", str(self.many // size)
        head = f"for (int {r} = {own}; {r} < {many}; {r} += {step})"
        got = rng.choice((f"{row}[{self.t} % {many}]", f"{row}[{many - 1}]"))
        loop = self.placed(Stmt(head, blocks=(tuple(body),)))
        return [before, *loop, self.sync(), Stmt(f"float {v} = 0.5f * {got};", pinned=True)]

    def _through(self, tile: str, size: int, v: str) -> list[Stmt]:
        """Through shared memory of the tile's own."""
        rng, name = self.rng, self.name("own")
        self.arrays_more.append(Stmt(f"__shared__ float {name}[{self.many}];"))
        base = f"{self.t} / {size} * {size}"
        other = rng.choice((f"{base} + {rng.randint(0, size - 1)}", f"{self.t} ^ {rng.randint(1, size - 1)}"))
        meet = Stmt(f"{tile}.sync();", pinned=True)
        use = Stmt(f"{v} = 0.6f * {v} * {name}[{other}] + 0.2f;")
        return [Stmt(f"{name}[{self.t}] = {v};", pinned=True), meet, use, meet]

    # ---- votes -------------------------------------------------------------------

    def voted(self) -> list[Stmt]:
        """A branch that a warp takes together, with an exchange in it; or that each lane takes by its bit."""
        rng = self.rng
        v, c = self.name("v"), self.name("c")
        self.needs = []
        value, cond = self.real(1), self._asked(v)
        got = f"__shfl{self._source(32)}".format(v)
        text, inner = rng.choice(
            (
                (f"int {c} = __any_sync({ALL}, {cond});", f"if ({c})"),
                (f"int {c} = __all_sync({ALL}, {cond});", f"if (!{c})"),
                (f"unsigned {c} = __ballot_sync({ALL}, {cond});", f"if (__popc({c}) > 9)"),
            )
        )
        step = Stmt(f"{v} = 0.6f * {v} * {got} + 0.2f;")
        if rng.random() < 0.3:
            text, inner = f"unsigned {c} = __ballot_sync({ALL}, {cond});", f"if ({c} >> ({self.t} & 31) & 1)"
            step = Stmt(f"{v} = 0.6f * {v} * __popc({c}) * 0.03f + 0.2f;")
        elif rng.random() < 0.4:  # segments of the warp decide for themselves, and part
            lanes, kind = lanes_of(self.t, rng.choice((16, 8))), rng.choice(("any", "all"))
            text, inner = f"int {c} = __{kind}_sync({lanes}, {cond});", f"if ({c})"
            step = Stmt(f"{v} = 0.6f * {v} + 0.2f;")
        made = (Stmt(f"float {v} = {{0}};", (value,)), Stmt(text), Stmt(inner, blocks=((step,),)))
        out = self.placed(Stmt("", blocks=(made,), flat=True))
        self.locals[-1].append((v, "float"))
        return out

    def _asked(self, v: str) -> str:
        """What is asked of each lane: of its value, or of its number."""
        return self.rng.choice((f"{v} > 0.317f", f"{v} < 0.213f", f"{self.t} > 40", str(self.where())))

    def until_all(self) -> list[Stmt]:
        """A loop that a warp leaves together."""
        return self._until(f"__any_sync({ALL}, {{0}})", f"__shfl{self._source(32)}")

    def until_any(self) -> list[Stmt]:
        """A loop that the block leaves together."""
        self.needs = []
        before = [self.sync()]
        made = self._until(self.rng.choice(("__syncthreads_or({0})", "__syncthreads_count({0}) > 2")), "")
        return [*before, *made]

    def _until(self, vote: str, exchange: str) -> list[Stmt]:
        rng, v, k = self.rng, self.name("v"), self.name("k")
        self.needs = []
        value = self.real(1)
        other = exchange.format(v) if exchange else "0.7f"
        step = Stmt(f"{v} = 0.8f * {v} * {other} + 0.3f;")
        leave = Stmt(f"if ({vote.format(self._asked(v))}) break;")
        body = rng.choice(((step, leave), (leave, step), (step, leave, step)))
        loop = Stmt(f"for (int {k} = 0; {k} < {rng.choice(('steps', '3'))}; ++{k})", blocks=(body,))
        out = self.placed(Stmt("", blocks=((Stmt(f"float {v} = {{0}};", (value,)), loop),), flat=True))
        self.locals[-1].append((v, "float"))
        return out

    # ---- several elements for each thread ----------------------------------------

    def tiles_along(self) -> list[Stmt]:
        """A block goes along an array by tiles in shared memory; each thread sums what it makes of them."""
        rng, t, P = self.rng, self.t, self.P
        v, at, name, array = self.name("v"), self.name("at"), self.name("along"), rng.choice(self.reads)
        self.arrays_more.append(Stmt(f"__shared__ float {name}[{self.many}];"))
        self.needs = []
        value = self.real(1)
        step = f"(int){P}"
        starts = [("0", step), (f"(int)blockIdx.x * {step}", step)]
        if not self.early:
            starts.append((f"(int)blockIdx.x * {step}", f"(int)gridDim.x * {step}"))
        first, by = rng.choice(starts)
        put = Stmt(f"{name}[{t}] = {at} + (int){t} < n ? {array}[{at} + {t}] : 0.1f;", pinned=True)
        other = rng.choice((f"({t} + {rng.randint(1, 3)}) % {P}", f"{P} - 1 - {t}"))
        use = [
            Stmt(
                rng.choice(
                    (
                        f"{v} += 0.2f * {name}[{other}] * {{0}};",
                        f"{v} = 0.6f * {v} * {name}[{other}] + 0.2f * {{0}};",
                    )
                ),
                (Expr("real", "({0})", (value,)),),
            )
        ]
        own: list[Stmt] = []
        if rng.random() < 0.5:
            q = self.name("q")
            inner = [Stmt(f"{v} += 0.05f * {name}[{q}] * {{0}};", use[0].exprs)]
            if rng.random() < 0.6:
                own, inner = self._own_beside(v, f"{name}[{q}]")
            use = [Stmt(f"for (int {q} = 0; {q} < {step}; ++{q})", blocks=(tuple(inner),))]
        if "z" in self.outputs and rng.random() < 0.5:
            added = Stmt(f"atomicAdd(&z[{at} + {t}], ({self.outputs['z']})(0.3f * {v}));")
            use.append(Stmt(f"if ({at} + (int){t} < n)", blocks=((added,),)))
        meet = Stmt("__syncthreads();", pinned=True)
        body = rng.choice(((put, meet, *use, meet), (meet, put, meet, *use)))
        loop = Stmt(f"for (int {at} = {first}; {at} < n; {at} += {by})", blocks=(body,))
        start = Stmt(f"float {v} = 0.3f;", pinned=True)
        out = self.placed(Stmt("", blocks=((start, *own, loop),), flat=True))
        self.locals[-1].append((v, "float"))
        return out

    def _own_beside(self, v: str, element: str) -> tuple[list[Stmt], list[Stmt]]:
        """A variable of the thread's own, and what uses it beside an element of all threads: now and then."""
        rng, u, g = self.rng, self.name("own"), self.name("scaled")
        some = rng.choice(
            (
                f"fmaxf({u}, 0.1f)",
                f"({u} > 0.213f ? {u} : 0.3f)",
                f"sqrtf({u} * {u} + 0.3f)",
                f"sqrtf(fabsf({u}))",
                f"hypotf({u}, 0.4f)",
                f"fminf({u}, {element})",
                "0.5f",
            )
        )
        inner = [Stmt(f"{v} += 0.05f * {element} * {some};")]
        if rng.random() < 0.4:
            inner.append(
                Stmt(
                    f"if ({u} > {rng.choice(('0.117f', element))})", blocks=((Stmt(f"{v} += 0.02f * {u};"),),)
                )
            )
        if rng.random() < 0.4:
            inner.insert(
                0, Stmt(rng.choice((f"{g} *= 0.95f;", f"if ({u} < 0.317f) {g} = 0.9f * {g} + 0.01f;")))
            )
        start = [
            Stmt(f"float {u} = {{0}};", (self.real(1),), pinned=True),
            Stmt(f"float {g} = {u};", pinned=True),
        ]
        self.locals[-1].append((g, "float"))
        return start, inner
