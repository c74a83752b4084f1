"""Statements of random kernels for threads that may have returned: own columns, loops that votes end.

A column is touched by its thread alone, so it needs no barrier, wherever it stands. A loop that is left
by a vote, or by a shared flag and barriers, is left by all threads that are there.
"""

from __future__ import annotations

from collections.abc import Callable

from .block_tiles import Tiles
from .block_values import SYNC
from .tree import Stmt

Leave = Callable[[str, str], list[Stmt]]
"""How a loop is left: of the value that a thread looks at, and what it is compared with."""


class Returned(Tiles):
    """Statements of all kinds, such among them."""

    def statement(self) -> list[Stmt]:
        if self.loops < 4 and self.rng.random() < (0.25 if self.early else 0.03):
            return self.rng.choice((self.column, self.column, self.until_voted, self.until_flagged))()
        return super().statement()

    # ---- columns -----------------------------------------------------------------

    def column(self) -> list[Stmt]:
        """An array of which each thread has a column or a row: filled, changed, two of its elements read."""
        rng, t, many = self.rng, self.t, self.many
        col, q, r, j = self.name("col"), self.name("q"), self.name("r"), self.name("j")
        rows = rng.choice((3, 4))
        shape, at = rng.choice(
            (
                (f"[{rows}][{many}]", f"[{{}}][{t}]"),
                (f"[{rows * many}]", f"[({{}}) * {many} + {t}]"),
                (f"[{many}][{rows}]", f"[{t}][{{}}]"),
                (f"[{many * rows}]", f"[{t} * {rows} + {{}}]"),
            )
        )
        self.arrays_more.append(Stmt(f"__shared__ float {col}{shape};"))

        def element(index: str) -> str:
            return col + at.format(index)

        self.needs = []
        own, other, last = element(q), element(f"({q} + 1) % {rows}"), element(f"{q} - 1")
        head = f"for (int {q} = 0; {q} < {rows}; ++{q})"
        up = f"for (int {q} = 1; {q} < {rows}; ++{q})"
        down = f"for (int {q} = {rows - 1}; {q} > 0; --{q})"
        changes = (
            (up, f"{own} = sinf({own}) * {last};"),
            (up, f"{own} += 0.5f * {last} * {own};"),
            (down, f"{last} = 0.6f * {own} + 0.3f * {last} * {last};"),
            (head, f"{own} = 0.5f * {own} * {other} + 0.1f;"),
            (up, f"if ({own} > {last}) {own} = 0.7f * {last} * {own};"),
        )
        value = self.real(1)
        made = [Stmt(head, blocks=((Stmt(f"{own} = 0.3f * {q} + {{0}};", (value,)),),))]
        made += [Stmt(h, blocks=((Stmt(text),),)) for h, text in rng.sample(changes, rng.choice((1, 2)))]
        made.append(Stmt(f"int {j} = {rng.choice(('steps', 'n', 'i', f'(int){t}'))} % {rows};", pinned=True))
        read = f"{element(j)} * {element(f'({j} + {rng.randint(1, rows - 1)}) % {rows}')}"
        out = self.placed(Stmt(""))[:-1]
        self.locals[-1].append((r, "float"))
        return [*out, *made, Stmt(f"float {r} = {read};")]

    # ---- loops that all leave together ---------------------------------------------

    def until_voted(self) -> list[Stmt]:
        """A loop that goes on while the threads that are there vote for it."""
        rng = self.rng
        vote = rng.choice(
            (
                "!__syncthreads_or({v} > {c}f)",
                "__syncthreads_and({v} <= {c}f)",
                f"__syncthreads_count({{v}} > {{c}}f) < {rng.randint(1, 3)}",
            )
        )
        return self.together(lambda v, c: [Stmt(f"if ({vote.format(v=v, c=c)}) break;", pinned=True)])

    def until_flagged(self) -> list[Stmt]:
        """A loop that goes on while any thread raises a flag."""
        busy = self.name("busy")
        self.arrays_more.append(Stmt(f"__shared__ int {busy};"))

        def leave(v: str, c: str) -> list[Stmt]:
            clear = Stmt(f"if ({self.t} == 0) {busy} = 0;", pinned=True)
            rise = Stmt(f"if ({v} > {c}f) {busy} = 1;", pinned=True)
            return [clear, SYNC, rise, SYNC, Stmt(f"if (!{busy}) break;", pinned=True)]

        return self.together(leave)

    def together(self, leave: Leave) -> list[Stmt]:
        rng, t, P = self.rng, self.t, self.P
        s, k, v, r = self.name("vs"), self.name("k"), self.name("v"), self.name("r")
        self.arrays_more.append(Stmt(f"__shared__ float {s}[{self.many}];"))
        self.needs = []
        value = self.real(1)
        near = f"{s}[({t} + 1) % {P}]"
        looked = rng.choice((f"{s}[{t}]", f"0.5f * ({s}[{t}] + {near})", f"{s}[{t}] * {near}"))
        after = rng.choice((f"0.6f * {v}", f"0.5f * {v} * {v} + 0.1f", f"0.8f * sinf({v})"))
        body = (
            Stmt(f"float {v} = {looked};", pinned=True),
            *leave(v, f"{rng.uniform(0.1, 0.6):.3f}"),
            Stmt(f"{s}[{t}] = {after};"),
            SYNC,
        )
        out = self.placed(Stmt(f"{s}[{t}] = fabsf({{0}});", (value,)))
        trips = rng.choice(("steps", "3", "lim + 1"))
        out += [self.sync(), Stmt(f"for (int {k} = 0; {k} < {trips}; ++{k})", blocks=(body,))]
        out += [self.sync(), Stmt(f"float {r} = {s}[{t}];")]
        self.locals[-1].append((r, "float"))
        self.loops += 1
        return out
