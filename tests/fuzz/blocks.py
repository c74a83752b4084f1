"""Random kernels whose threads meet: shared memory, barriers, and arrays that pass values between threads.

They are free of races because of what is noted for each array since the last barrier:
that every thread keeps to elements of its own, under one map from threads to elements;
that all only read; or that one thread alone is at it. Before a statement that fits none
of these a barrier is put, and at the end of a loop's body where that doesn't fit its
start. Random barriers, which nothing needs, are put too.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from .tree import Block, Expr, Param, Program, Stmt

_SYNC = Stmt("__syncthreads();")
READ = "read"


def program(label: str) -> Program:
    """The program of a seed."""
    return _Kernel(random.Random(f"blocks {label}"), label).program()


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
class _State:
    """What threads may have done to each array since the last barrier.

    `openings`: the same, for each loop around, of what comes before its body's first barrier;
    `closed`: which of them had their barrier on the way here.
    """

    modes: Modes = field(default_factory=dict)
    openings: list[Modes] = field(default_factory=list)
    closed: frozenset[int] = frozenset()

    def copy(self) -> _State:
        return _State({name: set(found) for name, found in self.modes.items()}, self.openings, self.closed)

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


class _Kernel:
    def __init__(self, rng: random.Random, label: str) -> None:
        self.rng = rng
        self.label = label
        self.shape = rng.choice(((4, 1), (4, 1), (8, 1), (8, 1), (6, 1), (3, 2), (4, 2), (2, 2), (3, 3)))
        self.many = self.shape[0] * self.shape[1]
        self.blocks = rng.choice((1, 2, 2, 3))
        self.flat = self.shape[1] == 1
        self.early = self.flat and rng.random() < 0.25
        self.ragged = not self.early and rng.random() < 0.25  # threads beyond n do nothing in global memory
        self.count = self.blocks * self.many - (self.many // 2 if self.early or self.ragged else 0)
        self.params: list[Param] = []
        self.arrays: dict[str, Passed] = {}
        self.locals: list[list[tuple[str, str]]] = [[]]
        self.counters: list[str] = []  # of uniform loops around
        self.state = _State()
        self.needs: list[tuple[str, str]] = []
        self.budget = rng.choice((4, 7, 10, 14))
        self.number = 0
        self.loops = 0
        self.parted = False
        # names for the number of threads and for a thread's own number
        self.P = str(self.many)
        if self.early:
            self.P = "live"
        elif self.flat and rng.random() < 0.35:
            self.P = rng.choice(("blockDim.x", "B"))
        if self.P == "blockDim.x":
            self.P = "(int)blockDim.x" if rng.random() < 0.5 else "blockDim.x"
        self.t = "threadIdx.x" if self.flat and rng.random() < 0.4 else "t"
        self.i = "i"
        self.breaks: list[list[_State]] = []
        self.direct: list[str] = []  # of each body around, the counter from 0 if it is a loop's
        self.arrays_more: list[Stmt] = []

    # ---- the whole ---------------------------------------------------------------

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
        self.floats = [*self.scalars]
        self._param("const int *idx", "idx", f'{{shape="n", fill="randint(0,{self.least})"}}')
        kind = rng.choice(("float", "float", "double"))
        self._param(f"{kind} *y", "y", '{shape="n", fill="uniform(-1,1)"}')
        of, wrt = ["y"], [*self.reads, *self.scalars]
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
            bound="16" if rng.random() < 0.3 else "",
        )

    def assumed(self) -> tuple[str, ...]:
        """That threads store to elements of their own: shifts with a remainder are no proof."""
        names = [name for name, a in self.arrays.items() if a.size]
        names += [
            word
            for stmt in self.arrays_more
            for word in stmt.head.split()[2:]
            for word in [word.split("[")[0]]
        ]
        return tuple(f"injective:{name}" for name in names) if self.rng.random() < 0.8 else ()

    @property
    def least(self) -> int:
        """So many elements each block surely has."""
        return self.many - self.many // 2 if self.early or self.ragged else self.many

    def _param(self, declaration: str, name: str, value: str) -> None:
        self.params.append(Param(declaration, name, value))

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
        return _SYNC

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
                return Expr("real", "0.5f * {0} * {1}", (_wrapped(a), _wrapped(self.real(depth - 1))))
            case 3:
                return Expr("real", "sinf({0})", (a,))
            case 4:
                return Expr("real", "cosf({0}) * {1}", (a, _wrapped(self.real(depth - 1))))
            case 5:
                return Expr(
                    "real", "(0.75f * {0} - 0.25f * {1})", (_wrapped(a), _wrapped(self.real(depth - 1)))
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

    # ---- statements --------------------------------------------------------------

    def block(self, budget: int) -> Block:
        out: list[Stmt] = []
        for _ in range(rng_count(self.rng, budget)):
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
            (self.phases, 3),
            (self.single, 2),
            (self.barrier, 1),
            (self.integers, 2),
            (self.gather, 2),
            (self.fill_again, 2),
        ]
        if len(self.counters) < 2 and self.loops < 4:
            table += [(self.loop, 8), (self.branch, 4), (self.tree, 3), (self.scan, 1), (self.pong, 1)]
        if self.breaks and self.counters and not self.early:
            table.append((self.leave, 2))
        made = rng.choices([f for f, _ in table], [w for _, w in table])[0]()
        self.needs = []
        return made

    def array(self, real: bool = True, room: int = 1) -> Passed | None:
        able = [a for a in self.arrays.values() if (a.kind != "int") == real and a.size >= room]
        return self.rng.choice(able) if able else None

    def filled(self, array: Passed, first: bool = False) -> list[Stmt]:
        """Every element gets a value."""
        rng, t, P = self.rng, self.t, self.P
        if not array.size:
            out = self.one(array)
            array.whole = True
            return out
        if array.kind == "int":
            values = [f"({t} + {rng.randint(0, 3)}) % {P}", f"{P} - 1 - {t}", f"{t} / 2"]
            if not self.ragged and not self.early:
                values.append("idx[i]")
            self.needs = [(array.name, "own")]
            array.whole = True
            return self.placed(Stmt(f"where[{t}] = {rng.choice(values)};"))
        self.needs = []
        if array.size > self.many or array.rows or (rng.random() < 0.2) or (self.early and not array.base):
            q = self.name("q")
            self.needs = [(array.name, "own")]
            value = self.loaded(q)
            head = f"for (int {q} = {t}; {q} < {array.size}; {q} += {P})"
            inner = Stmt(f"{array.at(q)} = {{0}};", (value,))
            out = self.placed(Stmt(head, blocks=((inner,),)))
        else:
            text, mode = self.perm()
            self.needs = [(array.name, mode)]
            out = self.placed(Stmt(f"{array.at(text)} = {{0}};", (self.real(1),)))
        array.whole = True
        return out

    def loaded(self, q: str) -> Expr:
        array = self.rng.choice(self.reads)
        leaf = Expr("real", f"{array}[{q} % n]")
        more = self.rng.random()
        if more < 0.3:
            return Expr("real", "sinf({0})", (leaf,))
        if more < 0.5 and self.counters:
            return Expr("real", f"0.5f * {{0}} * (1 + {self.counters[-1]})", (leaf,))
        return leaf

    def ready(self, array: Passed) -> list[Stmt]:
        if array.whole:
            return []
        needs, self.needs = self.needs, []
        out = self.filled(array)
        self.needs = needs
        if self.direct and self.direct[-1] and self.rng.random() < 0.4:
            first = f"if ({self.direct[-1]} == 0)"  # filled in the first iteration alone
            return [s if s is _SYNC else Stmt(first, blocks=((s,),)) for s in out]
        return out

    def store(self) -> list[Stmt]:
        rng = self.rng
        array = self.array()
        if array is None:
            return self.local()
        before = self.ready(array)
        modes = self.state.modes.get(array.name, set())
        text, mode = self.perm()
        if len(modes) == 1 and rng.random() < 0.6:
            (one,) = modes
            if self.nameable(one):
                text, mode = self.named(one), one
        self.needs = [(array.name, mode)]
        value = self.real(2)
        op = rng.choice(("=", "=", "=", "+=", "-=", "*="))
        if op in ("+=", "-="):
            value = Expr("real", "0.3f * {0}", (_wrapped(value),))
        stmt = Stmt(f"{array.at(text)} {op} {{0}};", (value,))
        return [*before, *self.placed(stmt, guard=array.name == "u")]

    def guarded(self) -> list[Stmt]:
        """Stores and locals of some threads."""
        rng = self.rng
        array = self.array()
        if array is None:
            return self.local()
        before = self.ready(array)
        text, mode = self.perm()
        self.needs = [(array.name, mode)]
        cond = self.where()
        self.locals.append([])
        branches = []
        for _ in range(rng.choice((1, 1, 2))):
            stmts = []
            self.locals[-1] = []
            if rng.random() < 0.4:
                name = self.name("g")
                stmts.append(Stmt(f"float {name} = {{0}};", (self.real(1),)))
                self.locals[-1].append((name, "float"))
            stmts.append(Stmt(f"{array.at(text)} {rng.choice(('=', '*='))} {{0}};", (self.real(2),)))
            names = [n for layer in self.locals for n, k in layer if k == "float"]
            if names and rng.random() < 0.4:
                stmts.append(Stmt(f"{rng.choice(names)} = {{0}};", (self.real(1),)))
            branches.append(tuple(stmts))
        self.locals.pop()
        stmt = Stmt("if ({0})", (cond,), tuple(branches), ("else",) if len(branches) > 1 else ())
        return [*before, *self.placed(stmt, guard=array.name == "u")]

    def local(self) -> list[Stmt]:
        rng = self.rng
        names = [n for layer in self.locals for n, k in layer if k != "int"]
        self.needs = []
        value = self.real(2)
        if names and rng.random() < 0.5:
            op = rng.choice(("=", "=", "*=", "+="))
            if op == "+=":
                value = Expr("real", "0.3f * {0}", (_wrapped(value),))
            return self.placed(Stmt(f"{rng.choice(names)} {op} {{0}};", (value,)))
        name, kind = self.name("v"), rng.choice(("float", "float", "double"))
        out = self.placed(Stmt(f"{kind} {name} = {{0}};", (value,)))
        self.locals[-1].append((name, kind))
        return out

    def phases(self) -> list[Stmt]:
        """Read by others, then, a barrier later, stored."""
        array = self.array(room=2)
        if array is None:
            return self.local()
        before = self.ready(array)
        name = self.name("r")
        self.needs = [(array.name, READ)]
        text = self.rng.choice((self.other(), f"({self.t} + 1) % {self.P}"))
        value = Expr("real", array.at(text))
        if array.name == "u" and self.ragged:
            return before
        out = self.placed(
            Stmt(f"float {name} = {{0}};", (Expr("real", "0.5f * {0} + {1}", (value, self.real(1))),))
        )
        self.locals[-1].append((name, "float"))
        text, mode = self.perm()
        self.needs = [(array.name, mode)]
        stored = Stmt(f"{array.at(text)} = {{0}};", (Expr("real", f"sinf({name})"),))
        return [*before, *out, *self.placed(stored)]

    def one(self, array: Passed) -> list[Stmt]:
        """One thread alone."""
        rng = self.rng
        who = rng.randint(0, self.least - 1)
        mode = f"one{who}"
        other = self.array(room=2)
        self.needs = [(array.name, mode)]
        stmts: list[Stmt] = []
        value = self.leaf() if rng.random() < 0.5 else Expr("real", f"{rng.choice(self.reads)}[0]")
        if other is not None and other.whole and not (other.name == "u" and self.ragged):
            m = READ if other is not array else mode
            if not self.conflict(other.name, m):
                self.needs.append((other.name, m))
                a, q = self.name("a"), self.name("q")
                stmts.append(Stmt(f"float {a} = 0.0f;"))
                inner = Stmt(f"{a} += 0.2f * {other.at(q)};")
                stmts.append(Stmt(f"for (int {q} = 0; {q} < {self.P}; ++{q})", blocks=((inner,),)))
                value = Expr("real", f"0.5f * ({{0}} + {a})", (value,))
        number = str(rng.randint(0, self.least - 1))
        stmts.append(Stmt(f"{array.at(number)} = {{0}};", (value,)))
        return self.placed(Stmt(f"if ({self.t} == {who})", blocks=(tuple(stmts),)))

    def single(self) -> list[Stmt]:
        scalars = [a for a in self.arrays.values() if not a.size]
        array = self.rng.choice(scalars) if scalars and self.rng.random() < 0.7 else self.array()
        if array is None or (array.name == "u" and self.ragged):
            return self.local()
        before = self.ready(array) if array.size else []
        out = self.one(array)
        array.whole = True
        return [*before, *out]

    def barrier(self) -> list[Stmt]:
        return [self.sync()]

    def integers(self) -> list[Stmt]:
        array = self.arrays.get("where")
        if array is None:
            return self.store()
        before = self.ready(array)
        t = self.t
        self.needs = [("where", "own")]
        by = self.rng.randint(1, 3)
        return [*before, *self.placed(Stmt(f"where[{t}] = (where[{t}] + {by}) % {self.P};"))]

    def gather(self) -> list[Stmt]:
        """A loop without barriers over the elements of others."""
        rng = self.rng
        array = self.array(room=2)
        if array is None or (array.name == "u" and self.ragged):
            return self.local()
        before = self.ready(array)
        a, q = self.name("a"), self.name("q")
        self.needs = [(array.name, READ)]
        kind = rng.choice(("float", "double"))
        index, stop = rng.choice(
            (
                (f"({self.t} + {q}) % {self.P}", "3"),
                (q, self.P),
                (f"({q} + lim) % {self.P}", self.P),
                (q, f"(int){self.t} + 1"),
            )
        )
        value = Expr("real", array.at(index))
        if rng.random() < 0.6:
            value = Expr("real", "{0} * {1}", (value, _wrapped(self.real(1))))
        out = self.placed(
            Stmt(
                "",
                blocks=(
                    (
                        Stmt(f"{kind} {a} = 0.1f;"),
                        Stmt(
                            f"for (int {q} = 0; {q} < {stop}; ++{q})",
                            blocks=((Stmt(f"{a} += 0.25f * {{0}};", (value,)),),),
                        ),
                    ),
                ),
                flat=True,
            )
        )
        self.locals[-1].append((a, kind))
        return [*before, *out]

    def fill_again(self) -> list[Stmt]:
        """All elements anew: for another purpose, or with the next tile."""
        array = self.array()
        if array is None or array.name == "u":
            return self.local()
        return self.filled(array)

    # ---- statements with barriers ------------------------------------------------

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
            looking = rng.random() < 0.5
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
        if self.early:
            heads = [h for h in heads if not h[1]]  # its counter would be set by some threads only
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
        with self.inner():
            body = list(self.block(rng.choice((2, 3, 5))))
            if (looking and not self.state.fits([("where", READ)])) or self.meets(opening):
                body.append(self.sync())
            if looking:
                self.state.note([("where", READ)])
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
                f"{own} += {other};",
                f"{own} = 0.5f * ({own} + {other});",
                f"{own} = {own} * {other} + 0.25f * {other};",
                f"{own} = fmaxf({own}, {other});",
                f"{own} = sinf({own}) + {other};",
                f"{own} *= {other};",
            )
        )
        self.needs = [(array.name, f"tree {d}")]
        start_with = rng.random() < 0.5
        body = [Stmt(f"if ({cond})", blocks=((Stmt(inner),),))]
        made = Stmt(f"for ({kind} {d} = {start}; {test}; {step})", blocks=(tuple(body),))
        if start_with:
            made = Stmt(made.head, blocks=((_SYNC, *body),))
            out += self.placed(made) if self.state.fits([(array.name, f"tree {d}")]) else [made]
            self.state.note([(array.name, f"tree {d}")])
            return out
        made = Stmt(made.head, blocks=((*body, _SYNC),))
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
            _SYNC,
            Stmt(
                self.rng.choice(
                    (f"{array.at(t)} += 0.5f * {v};", f"{array.at(t)} = {v} * {array.at(t)} + 0.5f;")
                )
            ),
            _SYNC,
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
        body = rng.choice(((step, _SYNC, swap), (step, swap, _SYNC), (_SYNC, step, swap)))
        out = [*self.placed(Stmt(f"int {p} = 0;", pinned=True)), self.sync()]
        self.arrays_more.append(Stmt(f"__shared__ float {name}[2][{self.many}];"))
        out += [Stmt(f"{name}[{p}][{t}] = {{0}};", (self.real_only(),))]
        if body[0] is not _SYNC:
            out.append(_SYNC)
        out.append(Stmt(f"for (int {k} = 0; {k} < {rng.choice(('steps', '3'))}; ++{k})", blocks=(body,)))
        out.append(self.sync())
        out.append(Stmt(f"float {r} = {name}[{p}][({t} + {rng.randint(0, 2)}) % {P}];"))
        self.locals[-1].append((r, "float"))
        return out

    def real_only(self) -> Expr:
        array = self.rng.choice(self.reads)
        return Expr("real", f"(i < n ? {array}[i] : 0.5f)" if self.ragged else f"{array}[i]")

    def name(self, stem: str) -> str:
        self.number += 1
        return f"{stem}{self.number}"


def _joined(states: list[_State]) -> _State:
    modes: Modes = {}
    for state in states:
        for name, found in state.modes.items():
            modes.setdefault(name, set()).update(found)
    closed = frozenset.intersection(*(state.closed for state in states))
    return _State(modes, states[0].openings, closed)


def _wrapped(e: Expr) -> Expr:
    return e if str(e)[0] != "-" else Expr("real", "({0})", (e,))


def rng_count(rng: random.Random, budget: int) -> int:
    return max(1, rng.randint(budget // 2, budget))
