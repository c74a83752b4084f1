"""Statements of random kernels that hold barriers: branches, loops, and the rounds of reductions."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from .block_statements import Simple
from .block_values import READ, SYNC, Modes, State
from .tree import Block, Expr, Stmt


class Rounds(Simple):
    """Statements of all kinds."""

    def block(self, budget: int) -> Block:
        out: list[Stmt] = []
        for _ in range(_count(self.rng, budget)):
            if self.budget_left <= 0:
                break
            self.budget_left -= 1
            out += self.statement()
        return tuple(out)

    def statement(self) -> list[Stmt]:
        rng = self.rng
        table: list[tuple[Callable[[], list[Stmt]], int]] = [
            (self.store, 10),
            (self.guarded, 5),
            (self.local, 5),
            (self.few, 2),
            (self.phases, 3),
            (self.single, 2),
            (self.barrier, 1),
            (self.integers, 2),
            (self.gather, 2),
            (self.table, 3),
            (self.fill_again, 2),
        ]
        if len(self.counters) < 2 and self.loops < 4:
            table += [(self.loop, 8), (self.branch, 4), (self.tree, 3), (self.scan, 1), (self.pong, 1)]
        if self.breaks and self.counters:
            table.append((self.leave, 2))
        made = rng.choices([f for f, _ in table], [w for _, w in table])[0]()
        self.needs = []
        return made

    @contextmanager
    def inner(self) -> Iterator[None]:
        """A body: what it declares and fills ends with it."""
        whole = {name for name, a in self.arrays.items() if a.whole}
        self.locals.append([])
        yield
        self.locals.pop()
        for name, array in self.arrays.items():
            array.whole = name in whole

    def branch(self) -> list[Stmt]:
        """A branch that all threads go through alike."""
        self.needs = []
        cond = self.uniform()
        before = self.placed(Stmt(""))[:-1]
        start = self.state
        ends, blocks = [], []
        self.direct.append("")
        for _ in range(self.rng.choice((1, 2, 2))):
            self.state = start.copy()
            with self.inner():
                blocks.append(self.block(3))
            ends.append(self.state)
        self.direct.pop()
        if len(blocks) == 1:
            ends.append(start)
        self.state = _joined(ends)
        return [*before, Stmt("if ({0})", (cond,), tuple(blocks), ("else",) if len(blocks) > 1 else ())]

    def loop(self) -> list[Stmt]:
        """A loop that all threads go through alike, with barriers where its iterations would meet."""
        rng = self.rng
        self.loops += 1
        k = self.name("k")
        trips = rng.choice(("steps", "steps", "2", "3", "lim"))
        out: list[Stmt] = []
        self.needs = []
        where = self.arrays.get("where")
        looking = False
        if where and where.whole and rng.random() < 0.3:
            element = f"where[{rng.randint(0, self.least - 1)}]"
            looking = self.early or rng.random() < 0.5
            self.needs = [("where", READ)]
            if looking:
                trips = element
                out += self.placed(Stmt(""))[:-1]
            else:
                trips = self.name("m")
                out += self.placed(Stmt(f"int {trips} = {element} % 3;", pinned=True))
        many = self.many
        heads = [
            (f"for (int {k} = 0; {k} < {trips}; ++{k})", "", ""),
            (f"for (int {k} = 0; {k} < {trips}; {k} += 1)", "", ""),
            (f"for (int {k} = 0; {k} < {trips} * 2; {k} += 2)", "", ""),
            (f"while ({k} < {trips})", f"int {k} = 0;", f"++{k};"),
        ]
        if not looking:
            heads += [
                (f"for (int {k} = {trips} - 1; {k} >= 0; --{k})", "", ""),
                (f"for (int {k} = {many}; {k} > 0; {k} /= 2)", "", ""),
                (f"for (int {k} = 1; {k} < {many}; {k} *= 2)", "", ""),
                (f"for (unsigned {k} = {rng.choice((5, 8))}u; {k} > 0; {k} >>= 1)", "", ""),
                (f"for (int {k} = {many} / 2; {k} > 0; {k} >>= 1)", "", ""),
                (f"for (int {k} = 9; {k} > 0; {k} /= 3)", "", ""),
                (f"while ({k} > 1)", f"int {k} = {many};", f"{k} /= 2;"),
                (f"while ({k} < {many})", f"int {k} = 1;", f"{k} <<= 1;"),
                ("do", f"int {k} = {trips} + 1;", f"--{k};"),
            ]
        head, first, last = rng.choice(heads)
        entry = self.state
        self.state = entry.copy()
        opening: Modes = {}
        self.state.openings = [*entry.openings, opening]
        if looking:
            self.state.note([("where", READ)])
        self.counters.append(k)
        self.breaks.append([])
        self.direct.append(k if f"{k} = 0;" in head + first else "")
        around, self.repeated = self.repeated, looking or len(self.counters) > 1
        with self.inner():
            body = list(self.block(rng.choice((2, 3, 5))))
            if (looking and not self.state.fits([("where", READ)])) or self.meets(opening):
                body.append(self.sync())
            if looking:
                self.state.note([("where", READ)])
        self.repeated = around
        self.direct.pop()
        self.counters.pop()
        ends = [entry, self.state, *self.breaks.pop()]
        for end in ends:
            end.openings = entry.openings
            end.closed = frozenset(d for d in end.closed if d < len(entry.openings))
        self.state = _joined(ends)
        if last:
            body.append(Stmt(last, pinned=True))
        tail = f"while ({k} > 0);" if head == "do" else ""
        made = Stmt(head, blocks=(tuple(body),), tail=tail)
        if first:
            return [*out, Stmt("", blocks=((Stmt(first, pinned=True), made),), flat=True)]
        return [*out, made]

    def meets(self, opening: Modes) -> bool:
        """Whether threads in one iteration's end and in another's start may meet."""
        for name, modes in opening.items():
            both = modes | self.state.modes.get(name, set())
            if name in self.state.modes and (len(both) > 1 or any(self.turns(m) for m in both)):
                return True
        return False

    def turns(self, mode: str) -> bool:
        """Whether it is another map in the innermost loop's next iteration."""
        return mode.endswith("@") and mode[8:-1] not in self.counters[:-1]

    def leave(self) -> list[Stmt]:
        """Out of a loop, all threads together."""
        self.needs = []
        cond = self.uniform()
        able = [a for a in self.arrays.values() if a.whole and a.kind != "int" and a.size]
        if able and self.rng.random() < 0.3:
            array = self.rng.choice(able)
            self.needs = [(array.name, READ)]
            cond = Expr("bool", f"{array.at(str(self.rng.randint(0, self.least - 1)))} > 0.317f")
        out = self.placed(Stmt("if ({0}) break;", (cond,)))
        self.breaks[-1].append(self.state.copy())
        return out

    def tree(self) -> list[Stmt]:
        """Halves added, or some such, until one element is left."""
        rng, t, P = self.rng, self.t, self.P
        array = self.array(room=2)
        if array is None or (array.name == "u" and self.ragged):
            return self.local()
        out = self.ready(array)
        d = self.name("d")
        own, other = array.at(t), array.at(f"{t} + {d}")
        up = self.early or self.many & (self.many - 1) != 0 or rng.random() < 0.25
        if up:
            start, test, step = "1", f"{d} < (int){P}", f"{d} *= 2"
            cond = f"{t} % (2 * {d}) == 0 && {t} + {d} < {P}"
        else:
            half = f"{self.many // 2}" if self.early or rng.random() < 0.5 else f"{P} / 2"
            start, test, step = half, f"{d} > 0", rng.choice((f"{d} /= 2", f"{d} >>= 1", f"{d} = {d} / 2"))
            cond = f"{t} < {d}"
        kind = rng.choice(("int", "int", "unsigned")) if not up else "int"
        inner = rng.choice(
            (
                f"{own} += 0.5f * {other};",
                f"{own} = 0.5f * ({own} + {other});",
                f"{own} = 0.5f * {own} * {other} + 0.25f * {other};",
                f"{own} = fmaxf({own}, {other});",
                f"{own} = 0.5f * (sinf({own}) + {other});",
                f"{own} *= 0.5f * {other};",
            )
        )
        self.needs = [(array.name, f"tree {d}")]
        start_with = rng.random() < 0.5
        body = [Stmt(f"if ({cond})", blocks=((Stmt(inner),),))]
        made = Stmt(f"for ({kind} {d} = {start}; {test}; {step})", blocks=(tuple(body),))
        if start_with:
            made = Stmt(made.head, blocks=((SYNC, *body),))
            out += self.placed(made) if self.state.fits([(array.name, f"tree {d}")]) else [made]
            self.state.note([(array.name, f"tree {d}")])
            return out
        made = Stmt(made.head, blocks=((*body, SYNC),))
        out += self.placed(made)
        return out

    def scan(self) -> list[Stmt]:
        """Running sums, in rounds."""
        t, P = self.t, self.P
        array = self.array(room=2)
        if array is None or (array.name == "u" and self.ragged):
            return self.local()
        out = self.ready(array)
        d, v = self.name("d"), self.name("v")
        self.needs = [(array.name, READ)]
        got = f"({t} >= {d} ? {array.at(f'{t} - {d}')} : 0.0f)"
        body = (
            Stmt(f"float {v} = {got};"),
            SYNC,
            Stmt(
                self.rng.choice(
                    (f"{array.at(t)} += 0.5f * {v};", f"{array.at(t)} = 0.5f * {v} * {array.at(t)} + 0.3f;")
                )
            ),
            SYNC,
        )
        return [*out, *self.placed(Stmt(f"for (int {d} = 1; {d} < (int){P}; {d} *= 2)", blocks=(body,)))]

    def pong(self) -> list[Stmt]:
        """Two buffers that take turns."""
        rng, t, P = self.rng, self.t, self.P
        name, p, k, r = self.name("pp"), self.name("p"), self.name("k"), self.name("r")
        turn = rng.choice((f"{p} = 1 - {p};", f"{p} ^= 1;"))
        self.needs = []
        value = Expr(
            "real", f"0.5f * {{0}} + 0.5f * {name}[{p}][({t} + {rng.randint(1, 3)}) % {P}]", (self.leaf(),)
        )
        swap = Stmt(turn, pinned=True)
        step = Stmt(f"{name}[1 - {p}][{t}] = {{0}};", (value,))
        body = rng.choice(((step, SYNC, swap), (step, swap, SYNC), (SYNC, step, swap)))
        out = [*self.placed(Stmt(f"int {p} = 0;", pinned=True)), self.sync()]
        self.arrays_more.append(Stmt(f"__shared__ float {name}[2][{self.many}];"))
        out += [Stmt(f"{name}[{p}][{t}] = {{0}};", (self.real_only(),))]
        if body[0] is not SYNC:
            out.append(SYNC)
        out.append(Stmt(f"for (int {k} = 0; {k} < {rng.choice(('steps', '3'))}; ++{k})", blocks=(body,)))
        out.append(self.sync())
        out.append(Stmt(f"float {r} = {name}[{p}][({t} + {rng.randint(0, 2)}) % {P}];"))
        self.locals[-1].append((r, "float"))
        return out

    def real_only(self) -> Expr:
        array = self.rng.choice(self.reads)
        return Expr("real", f"(i < n ? {array}[i] : 0.5f)" if self.ragged else f"{array}[i]")


def _joined(states: list[State]) -> State:
    modes: Modes = {}
    for state in states:
        for name, found in state.modes.items():
            modes.setdefault(name, set()).update(found)
    closed = frozenset.intersection(*(state.closed for state in states))
    return State(modes, states[0].openings, closed)


def _count(rng: random.Random, budget: int) -> int:
    return max(1, rng.randint(budget // 2, budget))
