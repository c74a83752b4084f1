"""Random kernels that are valid, free of races, well defined and numerically tame.

Everything follows from one `random.Random`. Ranges of integers are known while the
text is made, so no index leaves its array and every loop ends; real values are kept
small by sines and small factors, so that differences are accurate. To teach the
generator something new, add a method to `Statements`, `Body` or `Expressions` and its
weight to the table there.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable
from dataclasses import replace

from .pointers import Places, Pointers, place_function
from .scope import Array, Own, Role, Scope
from .tree import Block, Expr, Function, Param, Program, Stmt

# Names that s2sad itself likes to give.
# fmt: off
NASTY = [
    "adj_x", "tape_s", "g", "trips", "r", "stride", "snapshot_x", "threads", "thread", "at", "trip",
    "tape", "exit", "taken", "flag", "g2", "x2", "adj", "tape_x", "size", "first", "count", "start",
    "t", "adj_s", "left", "back", "entry", "segment", "selector", "sel", "step", "forward", "reverse",
]
# fmt: on
PLAIN = ["u", "v", "w", "s", "p", "q", "acc", "h", "z", "e", "d", "b", "f"]
# More than any loop of theirs runs.
BOUND = "64"
WHOLE = ["j", "l", "k", "o", "c", "ii", "steps"]


def program(label: str) -> Program:
    """The program of a seed; the same for ever, for the same generator."""
    return _Kernel(random.Random(label), label).program()


class _Kernel:
    """One program being made."""

    def __init__(self, rng: random.Random, label: str) -> None:
        self.rng = rng
        self.label = label
        self.n = rng.choice((5, 6, 7))
        self.m = rng.choice((2, 3))
        self.layout = rng.choice(
            ("thread", "thread", "guard", "row", "column", "stride", "plane", "permuted")
        )
        if self.layout == "plane" and rng.random() < 0.3:
            self.layout = "box"
        self.params: list[Param] = []
        self.functions: list[Function] = []
        self.declared: list[str] = []  # real locals
        names = rng.sample(NASTY, len(NASTY))
        pool = rng.choice(([], names[:4], names[:12]))
        self.names = [*PLAIN, *pool]
        self.scope = Scope(rng, self.names, WHOLE)
        self.places: Places = {}

    def program(self) -> Program:
        rng = self.rng
        size = self.n * self.m if self.layout in ("row", "column", "plane") else self.n
        size = 2 * self.n * self.m if self.layout == "box" else size
        written, read, scalars = self._parameters(size)
        for number in range(rng.choice((0, 1, 1, 2))):
            self._function(number)
        if rng.random() < 0.4:
            self._place_function()
        block, grid, body = self._body()
        of = tuple(a.name for a in written if a.role != "scratch")
        wrt = [*read, *(a.name for a in written if a.role == "inout"), *scalars]
        wrt = rng.sample(wrt, rng.randint(1, len(wrt)))
        if len(of) > 1 and rng.random() < 0.3:
            of = of[:1]
        lines = [line for stmt in body for line in stmt.lines()]
        of = tuple(name for name in of if may_be_stored(name, lines)) or of
        wrt = list({*wrt, *of})
        assume: tuple[str, ...] = ("injective:perm",) if self.layout == "permuted" else ()
        if self.layout not in ("plane", "box") and rng.random() < 0.2:
            assume = (*assume, "launch:1d")
        declared = sorted({*self.declared}) if rng.random() < 0.2 else []
        chosen = tuple(rng.sample(declared, min(len(declared), 2)))
        mode = "split" if rng.random() < 0.3 else "joint"
        kept = rng.choice((((), chosen), (chosen, ()), (chosen[:1], chosen[1:])))
        return Program(
            tuple(self.params),
            tuple(self.functions),
            body,
            of,
            tuple(sorted(wrt)),
            grid,
            block,
            mode,
            assume,
            *kept,
            self.label,
            "grad" if rng.random() < 0.2 else "adj",
            "lesson" if rng.random() < 0.2 else "plain",
            BOUND if rng.random() < 0.3 else "",
        )

    # ---- parameters --------------------------------------------------------------

    def _parameters(self, size: int) -> tuple[list[Array], list[str], list[str]]:
        rng, scope = self.rng, self.scope
        extent = {"plane": "n*m", "box": "2*n*m"}.get(self.layout, "n" if size == self.n else "n*m")
        self._integer("n", self.n)
        self._integer("m", self.m)
        read: list[str] = []
        written: list[Array] = []
        scalars: list[str] = []
        restrict = rng.choice((" *__restrict__ ", " *"))
        for name in rng.sample(("x", "y", "a0", "adj_y", "tape_x", "in"), rng.choice((1, 2, 2, 3))):
            kind = rng.choice(("float", "float", "float", "double"))
            values = f'{{shape="{extent}", fill="uniform(-1,1)"}}'
            self._add(f"const {kind}{restrict}{name}", name, values)
            scope.arrays[name] = Array(name, kind, "read", size)
            read.append(name)
        for name in rng.sample(("out", "res", "st", "vv", "adj_out", "yy"), rng.choice((1, 2, 2, 3))):
            kind = rng.choice(("float", "float", "float", "double"))
            values = f'{{shape="{extent}", fill="uniform(-1,1)"}}'
            roles: tuple[Role, ...] = ("out", "out", "inout", "inout", "scratch")
            role = rng.choice(roles) if written else "inout"
            self._add(f"{kind}{restrict}{name}", name, values)
            scope.arrays[name] = Array(name, kind, role, size)
            written.append(scope.arrays[name])
        if written[0].role == "inout" and rng.random() < 0.5:
            written[0] = scope.arrays[written[0].name] = replace(written[0], role="out")
        for name in rng.sample(("alpha", "beta", "r", "dt"), rng.choice((0, 1, 2))):
            kind = rng.choice(("float", "double"))
            self._add(f"{kind} {name}", name, f"{rng.uniform(-1, 1):.3f}")
            scope.declare(name, kind, -2, 2)
            scalars.append(name)
        if rng.random() < 0.4:
            self._add(f"const int{restrict}idx", "idx", '{shape="n", fill="randint(0,n)"}')
            scope.arrays["idx"] = Array("idx", "int", "index", self.n, self.n - 1)
        if rng.random() < 0.4:
            self._add(f"const int{restrict}cnt", "cnt", '{shape="n", fill="randint(0,4)"}')
            scope.arrays["cnt"] = Array("cnt", "int", "index", self.n, 3)
        if rng.random() < 0.3:
            kind = rng.choice(("int", "unsigned", "int"))
            self._add(f"{kind} lim", "lim", str(rng.randint(0, 4)))
            scope.declare("lim", kind, 0, 4)
        if rng.random() < 0.25:
            self._add(f"int{restrict}state", "state", f'{{shape="{extent}", fill="randint(0,4)"}}')
            scope.arrays["state"] = Array("state", "int", "state", size, 3)
        if self.layout == "permuted":
            self._add("const int *perm", "perm", '{shape="n", fill="permutation"}')
        rng.shuffle(self.params)
        return written, read, scalars

    def _integer(self, name: str, value: int) -> None:
        self._add(f"int {name}", name, str(value))
        self.scope.declare(name, "int", value, value, fixed=True)

    def _add(self, declaration: str, name: str, value: str) -> None:
        self.params.append(Param(declaration, name, value))

    # ---- functions ---------------------------------------------------------------

    def _function(self, number: int) -> None:
        rng = self.rng
        name = rng.choice(("f", "phi", "adj_f", "step", "g")) + str(number)
        scope = Scope(rng, self.names, WHOLE)
        scope.functions = dict(self.scope.functions)
        heads, kinds = [], []
        for _ in range(rng.choice((1, 2, 3))):
            kind = rng.choice(("float", "float", "double", "int"))
            const = "const " if rng.random() < 0.2 else ""
            own = scope.fresh(kind)
            heads.append(f"{const}{kind} {own}")
            kinds.append(kind)
            top = 3 if kind == "int" else 2
            scope.declare(own, kind, 0 if kind == "int" else -2, top, fixed=bool(const))
        kind = rng.choice(("float", "float", "double"))
        body = Pointers(scope, rng, budget=rng.choice((1, 3, 6, 9)), returns="value").block()
        value = Pointers(scope, rng, returns="value").small(2)
        end = Stmt("return {0};", (value,), pinned=True)
        qualifiers = rng.choice(("__device__", "__device__ __forceinline__", "static __device__ inline"))
        self.functions.append(Function(f"{qualifiers} {kind} {name}({', '.join(heads)})", (*body, end)))
        self.scope.functions[name] = tuple(kinds)

    def _place_function(self) -> None:
        """A function that takes pointers and a reference."""
        rng = self.rng
        name, kind = rng.choice(("pass0", "turn0")), rng.choice(("float", "float", "double"))
        result = rng.choice(("void", kind))
        scope = Scope(rng, self.names, WHOLE)
        scope.functions = dict(self.scope.functions)
        head, body = place_function(scope, name, kind, result, dict(self.places))
        self.functions.append(Function(head, body))
        self.places[name] = (kind, result)

    # ---- the body ----------------------------------------------------------------

    def _body(self) -> tuple[str, str, Block]:
        """Block, grid and body: which elements a thread owns, and what it does with them."""
        rng, scope = self.rng, self.scope
        first, second = rng.sample(("blockIdx.x * blockDim.x", "threadIdx.x"), 2)
        start = f"{first} + {second}"
        declaration = Stmt(f"int i = {start};", pinned=True)
        scope.declare("i", "int", 0, self.n - 1, fixed=True)
        out = Stmt("if (i >= n) return;", pinned=True)
        budget = rng.choice((3, 6, 10, 16, 24))
        statements = Pointers(scope, rng, budget=budget, returns="nothing", places=self.places)
        grid, block = '"(n+3)/4"', "4"
        match self.layout:
            case "thread" | "permuted":
                scope.own = "perm[i]" if self.layout == "permuted" else "i"
                body = (declaration, out, *self._end(statements.block(), statements))
            case "guard":
                scope.own = "i"
                inner = self._end(statements.block(), statements)
                body = (declaration, Stmt("if (i < n)", blocks=(inner,), pinned=True))
            case "row" | "column":
                scope.own = "i * m + {0}" if self.layout == "row" else "i + {0} * n"
                scope.columns = self.m
                body = (declaration, out, *self._end(statements.block(), statements))
            case "stride":
                scope.own = "i"
                statements.inside = ["for"]
                inner = self._end(statements.block(), statements)
                head = f"for (int i = {start}; i < n; i += blockDim.x * gridDim.x)"
                body = (Stmt(head, blocks=(inner,), pinned=True),)
                grid, block = "2", "2"
            case "box":
                scope.own = "(k0 * m + j0) * n + i"
                scope.declare("j0", "int", 0, self.m - 1, fixed=True)
                scope.declare("k0", "int", 0, 1, fixed=True)
                row = Stmt("int j0 = blockIdx.y * blockDim.y + threadIdx.y;", pinned=True)
                sheet = Stmt("int k0 = blockIdx.z * blockDim.z + threadIdx.z;", pinned=True)
                out = Stmt("if (i >= n || j0 >= m || k0 >= 2) return;", pinned=True)
                body = (declaration, row, sheet, out, *self._end(statements.block(), statements))
                grid, block = '["(n+3)/4", "(m+1)/2", 1]', "[4, 2, 2]"
            case _:
                scope.own = "j0 * n + i"
                scope.declare("j0", "int", 0, self.m - 1, fixed=True)
                row = Stmt("int j0 = blockIdx.y * blockDim.y + threadIdx.y;", pinned=True)
                out = Stmt("if (i >= n || j0 >= m) return;", pinned=True)
                body = (declaration, row, out, *self._end(statements.block(), statements))
                grid, block = '["(n+3)/4", "(m+1)/2"]', "[4, 2]"
        return block, grid, body

    def _end(self, block: Block, statements: Pointers) -> Block:
        """The block, and stores of what it computed: else most of it would be inactive."""
        scope, rng = self.scope, self.rng
        scope.push()
        scope.names[-1].update(statements.last)
        self.declared += [o.name for o in statements.last.values() if isinstance(o, Own) and o.real]
        stores = []
        for array in [a for a in scope.arrays.values() if a.written]:
            if rng.random() < 0.85:
                store = statements.store(array, into="=")
                reals = [o.name for o in statements.last.values() if isinstance(o, Own) and o.real]
                if reals and rng.random() < 0.8:
                    parts = tuple(Expr("real", name) for name in rng.sample(reals, min(len(reals), 4)))
                    holes = " + ".join(f"{{{k}}}" for k in range(1, 1 + len(parts)))
                    value = Expr("real", f"0.5f * ({{0}} + {holes})", (store.exprs[1], *parts))
                    store = Stmt(store.head, (store.exprs[0], value))
                stores.append(store)
        scope.pop()
        return (*block, *stores)


def may_be_stored(name: str, lines: Iterable[str]) -> bool:
    """Whether a kernel may store to an array: to an element, or by a pointer to one."""
    element = rf"\b{name}\[.*\][.\w]* *(?:[-+*/]?=(?!=)|\+\+|--)"
    other = rf"\b{name}\b(?!\[)|& *{name}\[|\({name}\[|, {name}\["
    return any(re.search(rf"{element}|{other}", line) for line in lines)
