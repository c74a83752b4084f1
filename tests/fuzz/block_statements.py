"""Statements of random kernels with barriers that stand in one phase, or in two."""

from __future__ import annotations

from .block_values import READ, SYNC, Passed, Values, wrapped
from .tree import Expr, Stmt


class Simple(Values):
    """Statements without a body that threads meet in."""

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
            return [s if s is SYNC else Stmt(first, blocks=((s,),)) for s in out]
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
            value = Expr("real", "0.3f * {0}", (wrapped(value),))
        stmt = Stmt(f"{array.at(text)} {op} {{0}};", (self.factor(op, value),))
        return [*before, *self.placed(stmt, guard=array.name == "u")]

    def factor(self, op: str, value: Expr) -> Expr:
        """A value to multiply by; within one, so that nothing overflows, in a loop with many trips."""
        return Expr("real", "cosf({0})", (value,)) if op == "*=" and self.repeated else value

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
            op = rng.choice(("=", "*="))
            stmts.append(Stmt(f"{array.at(text)} {op} {{0}};", (self.factor(op, self.real(2)),)))
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
                value = Expr("real", "0.3f * {0}", (wrapped(value),))
            return self.placed(Stmt(f"{rng.choice(names)} {op} {{0}};", (self.factor(op, value),)))
        name, kind = self.name("v"), rng.choice(("float", "float", "double"))
        out = self.placed(Stmt(f"{kind} {name} = {{0}};", (value,)))
        self.locals[-1].append((name, kind))
        return out

    def few(self) -> list[Stmt]:
        """A local array with values from a list, some of them left out."""
        rng = self.rng
        name, kind, size = self.name("l"), rng.choice(("float", "float", "double")), rng.choice((2, 2, 3))
        self.needs = []
        values = tuple(self.real(1) for _ in range(rng.choice((1, size, size))))
        holes = ", ".join(f"{{{k}}}" for k in range(len(values)))
        out = self.placed(Stmt(f"{kind} {name}[{size}] = {{{{{holes}}}}};", values))
        indices = ["0", "1", f"{self.t} % {size}", *(f"{k} % {size}" for k in self.counters)]
        self.locals[-1] += [(f"{name}[{index}]", kind) for index in rng.sample(indices, 2)]
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
            value = Expr("real", "{0} * {1}", (value, wrapped(self.real(1))))
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

    def table(self) -> list[Stmt]:
        """A loop over a few elements of an argument, from where a local says; often some threads alone."""
        rng, t = self.rng, self.t
        a, at, q = self.name("a"), self.name("at"), self.name("q")
        start = rng.choice(("lim", "lim", "n / 3", "(int)blockIdx.x", f"(int){t} % 3", f"(int){t} / 2 % 3"))
        whole = self.count >= 12 and "n" not in start
        if self.counters and rng.random() < 0.3:
            start = f"{rng.choice(self.counters)} + {start}"
            whole = False  # it may be the block's size
        index = f"{at} + {q}" if whole else f"({at} + {q}) % n"
        value = Expr("real", f"{rng.choice(self.reads)}[{index}]")
        if rng.random() < 0.6:
            value = Expr("real", "{0} * {1}", (value, wrapped(self.real(1))))
        step = rng.choice((f"{a} += 0.3f * {{0}};", f"{a} = sinf({a} + {{0}});"))
        loop = Stmt(
            f"for (int {q} = 0; {q} < {rng.choice(('2', '3', 'steps'))}; ++{q})",
            blocks=((Stmt(step, (value,)),),),
        )
        made: tuple[Stmt, ...] = (Stmt(f"const int {at} = {start};", pinned=True), loop)
        if rng.random() < 0.5:
            made = (Stmt(f"int {at} = {start};", pinned=True), Stmt(f"{at} += 1;"), loop)
        head = f"float {a} = 0.2f;"
        inner = Stmt("", blocks=(made,), flat=rng.random() < 0.3)
        if rng.random() < 0.6:
            inner = Stmt("if ({0})", (self.where(),), blocks=(made,))
        out = self.placed(Stmt("", blocks=((Stmt(head, pinned=True), inner),), flat=True))
        self.locals[-1].append((a, "float"))
        return out

    def fill_again(self) -> list[Stmt]:
        """All elements anew: for another purpose, or with the next tile."""
        array = self.array()
        if array is None or array.name == "u":
            return self.local()
        return self.filled(array)
