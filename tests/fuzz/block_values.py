"""What random kernels with barriers are made of: the arrays that values pass through, and expressions.

Which accesses are free of races is noted here: see blocks.py.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass, field

from .tree import Expr, Param, Stmt

SYNC = Stmt("__syncthreads();")
READ = "read"


@dataclass
class Passed:
    """An array that threads exchange values through. `at` makes an element from a number or from two."""

    name: str
    kind: str
    size: int  # elements of a block's own
    base: str = ""
    rows: int = 0  # of a two-dimensional one, whose elements are numbered by row and column
    columns: int = 0
    whole: bool = False  # every element has a value
    fixed: bool = False  # only read

    def at(self, number: str) -> str:
        if self.rows:
            return f"{self.name}[({number}) / {self.columns}][({number}) % {self.columns}]"
        return f"{self.name}[{self.base}{number}]" if self.size else self.name


Modes = dict[str, set[str]]


@dataclass
class State:
    """What threads may have done to each array since the last barrier.

    `openings`: the same, for each loop around, of what comes before its body's first barrier;
    `closed`: which of them had their barrier on the way here.
    """

    modes: Modes = field(default_factory=dict)
    openings: list[Modes] = field(default_factory=list)
    closed: frozenset[int] = frozenset()

    def copy(self) -> State:
        return State({name: set(found) for name, found in self.modes.items()}, self.openings, self.closed)

    def fits(self, needs: Iterable[tuple[str, str]]) -> bool:
        return all(self.modes.get(name, {mode}) == {mode} for name, mode in needs)

    def note(self, needs: Iterable[tuple[str, str]]) -> None:
        for name, mode in needs:
            self.modes.setdefault(name, set()).add(mode)
            for depth, opening in enumerate(self.openings):
                if depth not in self.closed:
                    opening.setdefault(name, set()).add(mode)

    def sync(self) -> None:
        self.modes = {}
        self.closed = frozenset(range(len(self.openings)))


class Values:
    """A kernel being made: what is known at a place, and expressions over it."""

    def __init__(self, rng: random.Random, label: str) -> None:
        self.rng = rng
        self.label = label
        self.shape = rng.choice(((4, 1), (4, 1), (8, 1), (8, 1), (6, 1), (3, 2), (4, 2), (2, 2), (3, 3)))
        # how often a statement exchanges values between lanes, and how often it adds atomically
        self.exchanging = rng.choice((0.0, 0.0, 0.0, 0.15, 0.4))
        self.adding = rng.choice((0.0, 0.0, 0.1, 0.25))
        self.by_warps = bool(self.exchanging) and rng.random() < 0.5  # and how its warps take rows
        if self.exchanging:
            self.shape = (64, 1) if self.by_warps else (32, 1)  # whole warps
        self.many = self.shape[0] * self.shape[1]
        self.blocks = rng.choice((1, 2, 2, 3)) if not self.exchanging else rng.choice((1, 1, 2))
        self.flat = self.shape[1] == 1
        self.early = self.flat and not self.exchanging and rng.random() < 0.25
        self.ragged = not self.early and rng.random() < 0.25  # threads beyond n do nothing in global memory
        self.count = self.blocks * self.many - (self.many // 2 if self.early or self.ragged else 0)
        self.params: list[Param] = []
        self.arrays: dict[str, Passed] = {}
        self.locals: list[list[tuple[str, str]]] = [[]]
        self.counters: list[str] = []  # of uniform loops around
        self.repeated = False  # in a loop whose trips come from the data, or in a loop of a loop
        self.state = State()
        self.needs: list[tuple[str, str]] = []
        self.budget = rng.choice((4, 7, 10, 14))
        self.number = 0
        self.loops = 0
        # names for the number of threads and for a thread's own number
        self.P = str(self.many)
        if self.early:
            self.P = "live"
        elif self.flat and rng.random() < 0.35:
            self.P = rng.choice(("blockDim.x", "B"))
        if self.P == "blockDim.x":
            self.P = "(int)blockDim.x" if rng.random() < 0.5 else "blockDim.x"
        self.t = "threadIdx.x" if self.flat and rng.random() < 0.4 else "t"
        self.reads: list[str] = []  # parameters to read, arrays and scalars
        self.scalars: list[str] = []
        self.budget_left = 0
        self.breaks: list[list[State]] = []
        self.direct: list[str] = []  # of each body around, the counter from 0 if it is a loop's
        self.arrays_more: list[Stmt] = []
        self.outputs: dict[str, str] = {}  # only ever added to atomically, and their types

    @property
    def least(self) -> int:
        """So many elements each block surely has."""
        return self.many - self.many // 2 if self.early or self.ragged else self.many

    def name(self, stem: str) -> str:
        self.number += 1
        return f"{stem}{self.number}"

    # ---- barriers ----------------------------------------------------------------

    def placed(self, stmt: Stmt, guard: bool = False) -> list[Stmt]:
        """The statement, after a barrier if what it needs asks for one."""
        if guard and self.ragged:
            stmt = Stmt("if (i < n)", blocks=((stmt,),), pinned=True)
        out: list[Stmt] = []
        needs, self.needs = list(dict.fromkeys(self.needs)), []
        if not self.state.fits(needs) or self.rng.random() < 0.08:
            out.append(self.sync())
        self.state.note(needs)
        return [*out, stmt]

    def sync(self) -> Stmt:
        self.state.sync()
        return SYNC

    def conflict(self, name: str, mode: str) -> bool:
        """Whether one statement would have to be in two modes."""
        return any(n == name and m != mode for n, m in self.needs)

    # ---- expressions -------------------------------------------------------------

    def perm(self) -> tuple[str, str]:
        """A map from threads to elements of their own: its text and its name."""
        rng, t, P = self.rng, self.t, self.P
        kinds = ["own", "own", "own", "reverse", "shift"]
        if self.counters:
            kinds.append("counter")
        if not self.early and self.many % 2 == 0:
            kinds.append("xor")
        match rng.choice(kinds):
            case "own":
                return t, "own"
            case "reverse":
                return f"{P} - 1 - {t}", "reverse"
            case "shift":
                by = rng.randint(1, 3)
                return f"({t} + {by}) % {P}", f"shift{by}"
            case "counter":
                k = rng.choice(self.counters)
                return f"({t} + {k}) % {P}", f"counter {k}@"
            case _:
                return f"({t} ^ 1)", "xor"

    def element(self) -> Expr | None:
        """An element of an array that has values, read in a mode that this statement can have."""
        rng = self.rng
        able = [a for a in self.arrays.values() if a.whole and a.kind != "int"]
        if not able:
            return None
        array = rng.choice(able)
        if array.name == "u" and self.ragged:
            return None
        modes = {m for n, m in self.needs if n == array.name} or self.state.modes.get(array.name, set())
        mode = next(iter(modes)) if len(modes) == 1 and rng.random() < 0.75 else READ
        if array.size and self.nameable(mode):
            text = self.named(mode)
        elif mode != READ:
            return None
        elif not array.size:
            text = "0"
        else:
            mode = READ
            text = self.other()
        if self.conflict(array.name, mode):
            return None
        self.needs.append((array.name, mode))
        return Expr("real", array.at(text).replace("{", "{{"))

    def nameable(self, mode: str) -> bool:
        """Whether it is a map from threads to elements that has a name here."""
        if mode.startswith("counter"):
            return mode[8:-1] in self.counters
        return mode in ("own", "reverse", "xor") or mode.startswith("shift")

    def named(self, mode: str) -> str:
        t, P = self.t, self.P
        if mode == "own":
            return t
        if mode == "reverse":
            return f"{P} - 1 - {t}"
        if mode.startswith("shift"):
            return f"({t} + {mode[5:]}) % {P}"
        if mode.startswith("counter"):
            return f"({t} + {mode[8:-1]}) % {P}"
        return f"({t} ^ 1)"

    def other(self) -> str:
        """The number of any element that has a value."""
        rng, t, P = self.rng, self.t, self.P
        last = f"{P} - 1"
        ways = [
            lambda: t,
            lambda: f"({t} + {rng.randint(1, 4)}) % {P}",
            lambda: f"({t} + {P} - 1) % {P}",
            lambda: str(rng.randint(0, self.least - 1)),
            lambda: f"({t} > 0 ? {t} - 1 : 0)",
            lambda: f"min((int){t} + 1, (int){last})",
            lambda: f"{t} / 2",
            lambda: f"{P} - 1 - {t}",
        ]
        if not self.ragged:
            ways.append(lambda: "idx[i]")
        if self.counters:
            k = rng.choice(self.counters)
            ways += [lambda: f"({t} + {k}) % {P}", lambda: f"{k} % {P}"]
        where = self.arrays.get("where")
        if where and where.whole and not self.conflict("where", READ):
            ways.append(lambda: self.through())
        return rng.choice(ways)()

    def through(self) -> str:
        self.needs.append(("where", READ))
        return f"where[({self.t} + {self.rng.randint(0, 2)}) % {self.P}]"

    def real(self, depth: int) -> Expr:
        """A floating value of at most two or so."""
        rng = self.rng
        if depth == 0 or rng.random() < 0.15:
            return self.leaf()
        a = self.real(depth - 1)
        match rng.randint(0, 8):
            case 0:
                return Expr("real", "0.5f * ({0} + {1})", (a, self.real(depth - 1)))
            case 1 | 2:
                return Expr("real", "0.5f * {0} * {1}", (wrapped(a), wrapped(self.real(depth - 1))))
            case 3:
                return Expr("real", "sinf({0})", (a,))
            case 4:
                return Expr("real", "cosf({0}) * {1}", (a, wrapped(self.real(depth - 1))))
            case 5:
                return Expr(
                    "real", "(0.75f * {0} - 0.25f * {1})", (wrapped(a), wrapped(self.real(depth - 1)))
                )
            case 6:
                return Expr("real", "tanhf({0})", (a,))
            case 7:
                return Expr("real", "({0} ? {1} : {2})", (self.where(), a, self.real(depth - 1)))
            case _:
                return a

    def leaf(self) -> Expr:
        rng = self.rng
        if rng.random() < 0.6:
            found = self.element()
            if found is not None:
                return found
        names = [name for layer in self.locals for name, kind in layer if kind != "int"]
        if names and rng.random() < 0.55:
            return Expr("real", rng.choice(names))
        if self.scalars and rng.random() < 0.2:
            return Expr("real", rng.choice(self.scalars))
        if rng.random() < 0.1:
            return Expr("real", f"{rng.uniform(0.1, 1):.2f}f")
        array = rng.choice(self.reads)
        if self.ragged:
            return Expr("real", f"(i < n ? {array}[i] : 0.5f)")
        if rng.random() < 0.2:
            return Expr("real", f"{array}[idx[i]]")
        return Expr("real", f"{array}[i]")

    def where(self) -> Expr:
        """A condition on integers, in which threads may differ."""
        rng, t = self.rng, self.t
        options = [f"{t} < {rng.randint(1, self.many - 1)}", f"{t} % 2 == {rng.randint(0, 1)}", f"{t} > 0"]
        options.append(f"{t} == {rng.randint(0, self.least - 1)}")
        if not self.ragged:
            options.append(f"idx[i] > {rng.randint(0, 2)}")
        if self.counters:
            options.append(f"{t} >= {rng.choice(self.counters)}")
        return Expr("bool", rng.choice(options))

    def uniform(self) -> Expr:
        """A condition on integers that is the same for all threads."""
        rng = self.rng
        options = [f"lim > {rng.randint(0, 1)}", f"n > {rng.randint(2, 20)}", "blockIdx.x == 0", "lim == 1"]
        for k in self.counters:
            options += [f"{k} > 0", f"{k} == {rng.randint(0, 2)}", f"{k} % 2 == 0", f"{k} < lim"]
        where = self.arrays.get("where")
        if where and where.whole and not self.conflict("where", READ) and rng.random() < 0.2:
            self.needs.append(("where", READ))
            return Expr("bool", f"where[{rng.randint(0, self.least - 1)}] > 1")
        return Expr("bool", rng.choice(options))


def wrapped(e: Expr) -> Expr:
    return e if str(e)[0] != "-" else Expr("real", "({0})", (e,))
