"""Random statements: every loop ends, nothing is read before it is set, no thread meets another."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Literal

from .expressions import Expressions
from .scope import Array, Own, Scope
from .tree import Block, Expr, Stmt


class Statements(Expressions):
    """Makes statements without loops; `returns` says what `return` takes at this place."""

    def __init__(
        self,
        scope: Scope,
        rng: random.Random,
        budget: int = 6,
        returns: Literal["value", "nothing"] = "nothing",
    ) -> None:
        super().__init__(scope, rng)
        self.budget = budget
        self.returns = returns
        self.inside: list[str] = []  # "for", "head" (a loop whose counter moves in its head), "switch"
        self.trips = 1
        self.last: dict[str, Own | Array] = {}
        self.makers: list[tuple[int, Callable[[], Block]]] = [
            (7, self._assignment),
            (5, self._declaration),
            (3, self._compound),
            (4, self._owned),
            (3, self._if),
            (2, self._exit),
            (1, self._switch),
            (1, self._later),
            (2, self._local_array),
            (2, self._array_store),
            (2, self._whole_statement),
            (1, self._sincos),
            (1, self._flagged),
            (1, self._braces),
            (1, self._state),
            (2, self._recurrence),
            (1, self._chain),
        ]

    def block(self, push: bool = True) -> Block:
        """Some statements, in a scope of their own."""
        if push:
            self.scope.push()
        made: list[Stmt] = []
        for _ in range(self.rng.randint(1, 5)):
            if self.budget <= 0:
                break
            made += self.one()
        if not made:
            made += self._assignment()
        if push:
            self.last = self.scope.pop()
        return tuple(made)

    def one(self) -> Block:
        """A statement, or a few that belong together."""
        self.budget -= 1
        weights = [weight for weight, _ in self.makers]
        return self.rng.choices([make for _, make in self.makers], weights)[0]()

    @property
    def scale(self) -> float:
        """What a step of a loop may add."""
        return 1.0 if self.trips == 1 else 0.5 if self.trips < 6 else 0.2

    # ---- declarations ------------------------------------------------------------

    def _declaration(self) -> Block:
        rng = self.rng
        if rng.random() < 0.25:
            return self._whole_declaration()
        kind = rng.choice(("float", "float", "float", "double"))
        value = Expr("real", rng.choice(("0.0f", "1.0f", "0.5f"))) if rng.random() < 0.2 else self.small(2)
        const = rng.random() < 0.15
        name = self.scope.fresh(kind, str(value))
        self.scope.declare(name, kind, -2, 2, fixed=const)
        return (Stmt(f"{'const ' if const else ''}{kind} {name} = {{0}};", (value,)),)

    def _whole_declaration(self) -> Block:
        rng = self.rng
        kind = rng.choice(("int", "int", "int", "unsigned", "long", "size_t", "short"))
        high = rng.choice((2, 4, 6))
        low = -high if kind in ("int", "long") and rng.random() < 0.2 else 0
        value = self.ranged(low, high)
        name = self.scope.fresh("int", str(value))
        self.scope.declare(name, kind, low, high)
        return (Stmt(f"{kind} {name} = {{0}};", (value,)),)

    def _later(self) -> Block:
        """A variable without a value, set in both branches."""
        rng = self.rng
        kind = rng.choice(("float", "double"))
        condition, first, second = self.truth(1), self.small(2), self.small(2)
        name = self.scope.fresh(kind, f"{condition} {first} {second}")
        one = (Stmt(f"{name} = {{0}};", (first,), pinned=True),)
        two = (Stmt(f"{name} = {{0}};", (second,), pinned=True),)
        choice = Stmt("if ({0})", (condition,), (one, two), ("else",), pinned=True)
        self.scope.declare(name, kind, -2, 2)
        return (Stmt("", blocks=((Stmt(f"{kind} {name};", pinned=True), choice),), flat=True),)

    def _local_array(self) -> Block:
        rng = self.rng
        kind = rng.choice(("float", "float", "double"))
        size = rng.choice((2, 3, 4))
        if rng.random() < 0.2:
            value = self.small(1)
            name = self.scope.fresh(kind, str(value))
            head = f"{kind} {name}[2][{size}];"
            inner = Stmt(
                f"for (int q1 = 0; q1 < {size}; ++q1)",
                blocks=((Stmt(f"{name}[q0][q1] = {{0}};", (value,), pinned=True),),),
                pinned=True,
            )
            fill = Stmt("for (int q0 = 0; q0 < 2; q0++)", blocks=((inner,),), pinned=True)
            self.scope.names[-1][name] = Array(name, kind, "local", 2 * size, second=size)
            return (Stmt("", blocks=((Stmt(head, pinned=True), fill),), flat=True),)
        if rng.random() < 0.4:
            values = tuple(self.small(1) for _ in range(size))
            name = self.scope.fresh(kind, " ".join(map(str, values)))
            holes = ", ".join(f"{{{k}}}" for k in range(size))
            self.scope.names[-1][name] = Array(name, kind, "local", size)
            return (Stmt(f"{kind} {name}[{size}] = {{{{{holes}}}}};", values),)
        self.scope.push()
        self.scope.declare("q0", "int", 0, size - 1, fixed=True)
        value = self.small(2)
        self.scope.pop()
        name = self.scope.fresh(kind, str(value))
        fill = Stmt(
            f"for (int q0 = 0; q0 < {size}; ++q0)",
            blocks=((Stmt(f"{name}[q0] = {{0}};", (value,), pinned=True),),),
            pinned=True,
        )
        self.scope.names[-1][name] = Array(name, kind, "local", size)
        return (Stmt("", blocks=((Stmt(f"{kind} {name}[{size}];", pinned=True), fill),), flat=True),)

    def _sincos(self) -> Block:
        value = self.real(1)
        a = self.scope.fresh("float", str(value))
        b = self.scope.fresh("float", f"{value} {a}")
        inner = (
            Stmt(f"float {a}, {b};", pinned=True),
            Stmt(f"sincosf({{0}}, &{a}, &{b});", (value,), pinned=True),
        )
        self.scope.declare(a, "float", -1, 1)
        self.scope.declare(b, "float", -1, 1)
        return (Stmt("", blocks=(inner,), flat=True),)

    # ---- assignments -------------------------------------------------------------

    def _assignment(self) -> Block:
        targets = [own for own in self.scope.scalars(True) if not own.fixed]
        if not targets:
            return self._declaration()
        own = self.rng.choice(targets)
        if self.rng.random() < 0.12:
            return (Stmt(f"{own.name} = {{0}};", (Expr("real", self.rng.choice(("0.5f", "0.0f", "1.0f"))),)),)
        return (Stmt(f"{own.name} = {{0}};", (self.small(3, min(1.0, self.scale + 0.3)),)),)

    def _compound(self) -> Block:
        targets = [own for own in self.scope.scalars(True) if not own.fixed]
        if not targets:
            return self._declaration()
        own = self.rng.choice(targets)
        others = [other for other in targets if other.type == own.type and other.name != own.name]
        if others and self.rng.random() < 0.1:
            chosen = f"({{0}} ? {own.name} : {self.rng.choice(others).name})"
            return (self._into(chosen, (self.truth(1),)),)
        return (self._into(own.name),)

    def _into(self, target: str, exprs: tuple[Expr, ...] = ()) -> Stmt:
        """A compound assignment that keeps the target small."""
        hole = f"{{{len(exprs)}}}"
        match self.rng.randrange(6):
            case 0 | 1 | 2:
                op, value = self.rng.choice(("+=", "-=")), self.small(2, 0.5 * self.scale)
            case 3:
                op, value = "*=", Expr("real", "cosf({0})", (self.real(1),))
            case 4:
                op, value = "*=", Expr("real", self.rng.choice(("0.9f", "0.5f", "-0.7f")))
            case _:
                a = self.real(1)
                op, value = "/=", Expr("real", "(1.3f + {0} * {0})", (a,))
        return Stmt(f"{target} {op} {hole};", (*exprs, value))

    def _owned(self) -> Block:
        """A store to an element of the thread's own."""
        arrays = [a for a in self.scope.all_arrays() if a.written]
        if not arrays:
            return self._assignment()
        return (self.store(self.rng.choice(arrays)),)

    def store(self, array: Array, into: str = "") -> Stmt:
        target = self.owned(array, stored=True)
        if into or array.role == "out" or self.rng.random() < 0.5:
            return Stmt("{0} = {1};", (target, self.small(3, min(1.0, self.scale + 0.3))))
        return self._into("{0}", (target,))

    def _array_store(self) -> Block:
        arrays = [a for a in self.scope.all_arrays() if a.role == "local"]
        if not arrays:
            return self._local_array()
        array = self.rng.choice(arrays)
        target = Expr("real", f"{array.name}{{0}}", (self.index(array),))
        if self.rng.random() < 0.6:
            return (Stmt("{0} = {1};", (target, self.small(2, min(1.0, self.scale + 0.3)))),)
        return (self._into("{0}", (target,)),)

    def _whole_statement(self) -> Block:
        targets = [own for own in self.scope.scalars(False) if not own.fixed]
        if not targets:
            return self._whole_declaration()
        own = self.rng.choice(targets)
        low, high = int(own.low), int(own.high)
        match self.rng.randrange(4):
            case 0:
                return (
                    Stmt(f"if ({own.name} < {high}) {self.rng.choice((f'{own.name}++', f'++{own.name}'))};"),
                )
            case 1:
                return (
                    Stmt(
                        f"if ({own.name} > {low}) {self.rng.choice((f'{own.name}--', f'{own.name} -= 1'))};"
                    ),
                )
            case _:
                return (Stmt(f"{own.name} = {{0}};", (self.ranged(low, high),)),)

    def _state(self) -> Block:
        """An element of an integer array, the thread's own, gets another value."""
        state = self.scope.arrays.get("state")
        if state is None or not self.scope.own:
            return self._whole_statement()
        return (Stmt("{0} = {1};", (self.owned(state, stored=True), self.ranged(0, state.high))),)

    def _recurrence(self) -> Block:
        """Elements of a local array that follow from their neighbours."""
        arrays = [a for a in self.scope.all_arrays() if a.role == "local" and not a.second]
        if not arrays or self.trips * 4 > 40:
            return self._array_store()
        array = self.rng.choice(arrays)
        a, last = array.name, array.size - 1
        self.scope.push()
        self.scope.declare("q2", "int", 0, last, fixed=True)
        trips, self.trips = self.trips, self.trips * last
        value = self.small(1, 0.5)
        self.trips = trips
        self.scope.pop()
        head, text = self.rng.choice(
            (
                (f"for (int q2 = 1; q2 < {array.size}; ++q2)", f"{a}[q2] = 0.5f * {a}[q2 - 1] + {{0}};"),
                (
                    f"for (int q2 = 1; q2 <= {last}; q2++)",
                    f"{a}[q2] -= 0.4f * {a}[q2 - 1] * {a}[q2] + {{0}};",
                ),
                (f"for (int q2 = {last - 1}; q2 >= 0; --q2)", f"{a}[q2] = sinf({a}[q2 + 1] * {{0}});"),
                (f"for (int q2 = 0; q2 < {last}; ++q2)", f"{a}[q2] *= cosf({a}[q2 + 1] + {{0}});"),
                (f"for (int q2 = 0; q2 <= {last}; ++q2)", f"{a}[{last} - q2] = 0.7f * {a}[q2] + {{0}};"),
            )
        )
        return (Stmt(head, blocks=((Stmt(text, (value,)),),)),)

    def _chain(self) -> Block:
        """Several assignments in one expression."""
        targets = [own.name for own in self.scope.scalars(True) if not own.fixed]
        if len(targets) < 2:
            return self._declaration()
        first, second = self.rng.sample(targets, 2)
        if self.rng.random() < 0.5:
            return (Stmt(f"{first} = {second} = {{0}};", (self.small(2, self.scale),)),)
        values = (self.small(1, self.scale), self.small(1, self.scale))
        return (Stmt(f"{first} = {{0}}, {second} = {{1}};", values),)

    # ---- choices -----------------------------------------------------------------

    def _if(self) -> Block:
        condition = self.truth(2)
        blocks = [self.block()]
        joints = []
        if self.rng.random() < 0.5:
            blocks.append(self.block())
            joints.append("else")
        return (Stmt("if ({0})", (condition,), tuple(blocks), tuple(joints)),)

    def _switch(self) -> Block:
        selector = self.ranged(0, 3)
        self.inside.append("switch")
        cases: list[Stmt] = []
        labels = [f"case {k}:" for k in range(self.rng.choice((2, 3)))]
        if self.rng.random() < 0.6:
            labels.insert(self.rng.choice((len(labels), 0, 1)), "default:")
        for label in labels:
            cases.append(Stmt(label, pinned=True))
            if self.rng.random() < 0.9:
                cases.append(Stmt("", blocks=(self.block(),)))
            if self.rng.random() < 0.65:
                cases.append(Stmt("break;"))
        self.inside.pop()
        if cases[-1].pinned:
            cases.append(Stmt("break;", pinned=True))
        return (Stmt("switch ({0})", (selector,), (tuple(cases),)),)

    def _exit(self) -> Block:
        """A conditional `break`, `continue` or `return`, after something has been done perhaps."""
        options = []
        if self.inside:
            options += ["break;"] * 2
            if any(kind != "switch" for kind in self.inside):
                options += ["continue;"]
        options.append("return;" if self.returns == "nothing" else "return {0};")
        chosen = self.rng.choice(options)
        self.scope.push()
        before = self.block(push=False) if self.rng.random() < 0.5 else ()
        leave = Stmt(chosen, (self.small(2),) if "{0}" in chosen else ())
        self.scope.pop()
        return (Stmt("if ({0})", (self.truth(1),), ((*before, leave),)),)

    def _flagged(self) -> Block:
        """A flag that is set in a branch and asked later."""
        condition = self.truth(1)
        name = self.scope.fresh("int", str(condition))
        kind = self.rng.choice(("int", "bool"))
        one = "true" if kind == "bool" else "1"
        first = Stmt("if ({0})", (condition,), ((Stmt(f"{name} = {one};"),),))
        self.scope.push()
        self.scope.declare(name, "int", 0, 1, fixed=True)
        between = self.block(push=False)
        later = Stmt(f"if ({self.rng.choice(('', '!'))}{name})", blocks=(self.block(),))
        self.scope.pop()
        zero = "false" if kind == "bool" else "0"
        return (Stmt("", blocks=((Stmt(f"{kind} {name} = {zero};", pinned=True), first, *between, later),)),)

    def _braces(self) -> Block:
        return (Stmt("", blocks=(self.block(),)),)
