"""Random loops: each ends, and says how often it runs at most.

Counters go up and down, in steps of one to three, signed or not, or a real value
decides when it is enough.
"""

from __future__ import annotations

import random
import re
from typing import Literal

from .scope import REALS, Own, Scope
from .statements import Statements
from .tree import Block, Expr, Stmt

_MOST_TRIPS = 40
_TYPES = (*REALS, "int", "unsigned", "long", "size_t", "short", "bool")


class Body(Statements):
    """Makes statements of all kinds."""

    def __init__(
        self,
        scope: Scope,
        rng: random.Random,
        budget: int = 6,
        returns: Literal["value", "nothing"] = "nothing",
    ) -> None:
        super().__init__(scope, rng, budget, returns)
        self.makers += [
            (4, self._for),
            (2, self._while),
            (1, self._do),
            (1, self._until),
            (1, self._real_counter),
            (2, self._row),
            (1, self._long),
            (1, self._fading),
        ]

    # ---- loops -------------------------------------------------------------------

    def _loop(
        self, head: str, exprs: tuple[Expr, ...], trips: int, counter: Own | None, kind: str, **more: str
    ) -> Stmt:
        """A loop of at most so many trips, around some statements."""
        outer, self.trips = self.trips, self.trips * max(trips, 1)
        self.inside.append(kind)
        self.scope.push()
        if counter is not None:
            self.scope.names[-1][counter.name] = counter
        body = self.block(push=False)
        self.scope.pop()
        self.inside.pop()
        self.trips = outer
        return Stmt(head, exprs, (body,), tail=more.get("tail", ""))

    def _for(self) -> Block:
        rng = self.rng
        if self.trips * 5 > _MOST_TRIPS:
            return self._assignment()
        bound = self.ranged(0, rng.choice((2, 3, 4)))
        top, step = int(bound.high), rng.choice((1, 1, 1, 2, 3))
        start, moves = self.ranged(0, 2), self.truth(1)
        # what the head or the body says was drawn without the counter: it must not be hidden by it
        name = self.scope.fresh("int", f"{bound} {start} {moves}")
        kind = rng.choice(("int", "int", "int", "unsigned", "long", "size_t"))
        more = {
            1: rng.choice((f"++{name}", f"{name}++", f"{name} += 1")),
            2: f"{name} += 2",
            3: f"{name} += 3",
        }[step]
        less = {
            1: rng.choice((f"--{name}", f"{name}--", f"{name} -= 1")),
            2: f"{name} -= 2",
            3: f"{name} -= 3",
        }[step]
        bound = Expr("int", "({0})", (bound,), bound.low, bound.high, bound.unsigned)
        match rng.randrange(8):
            case 0 | 1 | 2:
                counter = Own(name, kind, 0, max(top - 1, 0), fixed=True)
                if bound.low < 0 and kind in ("unsigned", "size_t"):
                    kind = "int"
                return (
                    self._loop(
                        f"for ({kind} {name} = 0; {name} < {{0}}; {more})", (bound,), top, counter, "for"
                    ),
                )
            case 3:
                counter = Own(name, "int", 0, max(top, 0), fixed=True)
                start = Expr("int", "(int)({0})", (start,)) if start.unsigned else start
                bound = Expr("int", "(int){0}", (bound,)) if bound.unsigned else bound
                return (
                    self._loop(
                        f"for (int {name} = {{1}}; {name} <= {{0}}; {more})",
                        (bound, start),
                        top + 1,
                        counter,
                        "for",
                    ),
                )
            case 4:
                counter = Own(name, "int", 0, max(top - 1, 0), fixed=True)
                bound = Expr("int", "(int){0}", (bound,)) if bound.unsigned else bound
                return (
                    self._loop(
                        f"for (int {name} = {{0}} - 1; {name} >= 0; {less})", (bound,), top, counter, "for"
                    ),
                )
            case 5:
                # a bound that the body moved could be stepped over
                known = [
                    own
                    for own in self.scope.scalars(False)
                    if own.fixed and 0 <= own.low <= own.high < 5 and own.name != name
                    if own.name not in self.scope.renamed
                ]
                bound, top = Expr("int", str(rng.randint(0, 3)), (), 0, 3), 3
                if known and rng.random() < 0.7:
                    bound, top = Expr("int", rng.choice(known).name), 4
                counter = Own(name, kind, 0, top, fixed=True)
                head = f"for ({kind} {name} = 0; {name} != {{0}}; {rng.choice((f'++{name}', f'{name}++'))})"
                return (self._loop(head, (bound,), top, counter, "for"),)
            case 6:
                # the counter is declared outside, and known after the loop
                first = Stmt(f"int {name};", pinned=True)
                bound = Expr("int", "(int){0}", (bound,)) if bound.unsigned else bound
                own = self.scope.declare(name, "int", 0, max(top, 0) + 2, fixed=True)
                loop = self._loop(f"for ({name} = 0; {name} < {{0}}; {more})", (bound,), top, own, "for")
                return (Stmt("", blocks=((first, _pinned(loop)),), flat=True),)
            case _:
                # a counter that the body moves
                counter = Own(name, "int", 0, max(top, 1), fixed=True)
                bound = Expr("int", "(int){0}", (bound,)) if bound.unsigned else bound
                loop = self._loop(
                    f"for (int {name} = 0; {name} < {{0}}; ++{name})", (bound,), top, counter, "for"
                )
                skip = Stmt(f"if ({{0}}) {rng.choice((f'{name}++', f'++{name}', f'{name} += 1'))};", (moves,))
                body = loop.blocks[0]
                at = rng.randint(0, _until_hidden(body, moves))
                return (Stmt(loop.head, loop.exprs, ((*body[:at], skip, *body[at:]),)),)

    def _while(self) -> Block:
        rng = self.rng
        if self.trips * 5 > _MOST_TRIPS:
            return self._assignment()
        top = rng.randint(1, 4)
        name = self.scope.fresh("int", "")
        # in the scope of the loop, so that a condition may use it; nothing else may set it
        match rng.randrange(4):
            case 0:
                start, head, low, high = f"int {name} = 0;", f"while ({name}++ < {top})", 0, top + 1
            case 1:
                start, head, low, high = f"int {name} = {top};", f"while ({name}-- > 0)", -1, top
            case 2:
                start, head, low, high = (
                    f"unsigned {name} = {top};",
                    f"while ({name} > 0 && {name}-- > 0)",
                    0,
                    top,
                )
            case _:
                own = self.scope.declare(name, "int", 0, top, fixed=True)
                condition = self.truth(1)
                loop = self._loop(f"while ({name} < {top} && {{0}})", (condition,), top, own, "head")
                body = (Stmt(rng.choice((f"++{name};", f"{name} += 1;")), pinned=True), *loop.blocks[0])
                if rng.random() < 0.5 and not _has(loop.blocks[0], "continue;"):
                    body = (*body[1:], body[0])
                inner = (
                    Stmt(f"int {name} = 0;", pinned=True),
                    Stmt(loop.head, loop.exprs, (body,), pinned=True),
                )
                return (Stmt("", blocks=(inner,), flat=True),)
        own = self.scope.declare(name, start.split()[0], low, high, fixed=True)
        loop = self._loop(head, (), top, own, "head")
        return (Stmt("", blocks=((Stmt(start, pinned=True), _pinned(loop)),), flat=True),)

    def _do(self) -> Block:
        rng = self.rng
        if self.trips * 5 > _MOST_TRIPS:
            return self._assignment()
        top = rng.randint(1, 4)
        name = self.scope.fresh("int", "")
        own = self.scope.declare(name, "int", 0, top + 1, fixed=True)
        condition = self.truth(1)
        tail = rng.choice(
            (
                f"while (++{name} < {top} && {{0}});",
                f"while (++{name} < {top});",
                f"while ({{0}} && {name}++ < {top});",
            )
        )
        loop = self._loop("do", (condition,), top + 1, own, "head", tail=tail)
        return (Stmt("", blocks=((Stmt(f"int {name} = 0;", pinned=True), _pinned(loop)),), flat=True),)

    def _until(self) -> Block:
        """A loop that a real value ends, whose number of trips nothing says beforehand."""
        targets = [own for own in self.scope.scalars(True) if not own.fixed]
        if not targets or self.trips * 8 > _MOST_TRIPS:
            return self._assignment()
        own = self.rng.choice(targets)
        self.scope.push()
        self.scope.names[-1][own.name] = Own(own.name, own.type, own.low, own.high, fixed=True)
        trips, self.trips = self.trips, self.trips * 6
        self.inside.append("head")
        body = self.block(push=False) if self.rng.random() < 0.5 else ()
        self.inside.pop()
        self.trips = trips
        hidden = own.name in self.scope.pop() and any(_declares(stmt, own.name) for stmt in body)
        if hidden:
            body = ()
        move = Stmt(
            f"{own.name} = 0.6f * {own.name} - 0.03f * {{0}};",
            (Expr("real", "cosf({0})", (self.real(1),)),),
            pinned=True,
        )
        head = self.rng.choice((f"while ({own.name} > 0.1f)", f"while (fabsf({own.name}) > 0.3f)"))
        return (Stmt(head, blocks=((move, *body),)),)

    def _fading(self) -> Block:
        """A value that every iteration multiplies, and a loop that is left when little of it is left."""
        rng, scope = self.rng, self.scope
        targets = [own for own in scope.scalars(True) if not own.fixed]
        if not targets or self.trips * 8 > _MOST_TRIPS:
            return self._assignment()
        target, trips = rng.choice(targets), rng.randint(1, 8)
        kind = rng.choice(("float", "float", "double"))
        share = Expr(
            "real", rng.choice(("(0.6f + 0.3f * sinf({0}))", "(0.9f - 0.2f * {0} * {0})")), (self.real(1),)
        )
        name = scope.fresh(kind, f"{share} {target.name}")
        scope.declare(name, kind, 0, 2, fixed=True)
        counter = scope.fresh("int", f"{share} {target.name} {name}")
        own = Own(counter, "int", 0, trips, fixed=True)
        here = Stmt(
            f"{target.name} = 0.8f * {target.name} + 0.2f * {name} * sinf({{0}});",
            (self.real(1),),
            pinned=True,
        )
        less = Stmt(rng.choice((f"{name} *= {{0}};", f"{name} = {{0}} * {name};")), (share,), pinned=True)
        low = rng.choice(("0.1f", "0.3f", "0.0f", "-1.0f"))
        above = rng.random() < 0.3
        more = f" && {name} > {low}" if above else ""
        leave = () if above else (Stmt(f"if ({name} < {low}) break;", pinned=True),)
        head = f"for (int {counter} = 0; {counter} < {trips}{more}; ++{counter})"
        loop = self._loop(head, (), trips, own, "head")
        inner = loop.blocks[0] if rng.random() < 0.5 else ()
        if any(_declares(stmt, n) for stmt in inner for n in (name, target.name)):
            inner = ()
        parts = (here, *inner, less, *leave) if rng.random() < 0.7 else (less, *leave, here, *inner)
        whole = Stmt(head, blocks=(parts,), pinned=True)
        return (Stmt("", blocks=((Stmt(f"{kind} {name} = 1.0f;", pinned=True), whole),), flat=True),)

    def _long(self) -> Block:
        """Many trips, as data has it: more than fit into what is kept without a bound."""
        rng, scope = self.rng, self.scope
        targets = [own for own in scope.scalars(True) if not own.fixed]
        if not targets or self.trips > 3:
            return self._assignment()
        many = Expr("int", f"({rng.choice((7, 13, 20, 37))} * {{0}})", (self.ranged(0, 4),))
        many = Expr("int", "(int){0}", (many,))
        target, read, left = rng.choice(targets).name, self.real(1), self.truth(0)
        name = scope.fresh("int", f"{many} {read} {left}")
        moved = Stmt(f"{target} = 0.8f * sinf({target} + {{0}}) + 0.01f * {name};", (read,))
        leave = Stmt("if ({0})", (left,), ((Stmt(rng.choice(("break;", "continue;"))),),))
        step, start = rng.choice((1, 1, 2, 3)), rng.choice((0, 1, -5))
        head = rng.choice(
            (
                f"for (int {name} = {{0}}; {name} > 0; --{name})",
                f"for (int {name} = {{0}} - 1; {name} >= 0; {name} -= {step})",
                f"for (int {name} = {start}; {name} < {{0}}; {name} += {step})",
                f"for (unsigned {name} = max({{0}}, 0); {name} > 2; {name} -= 2)",
            )
        )
        return (Stmt(head, (many,), ((moved, leave) if rng.random() < 0.3 else (moved,),)),)

    def _row(self) -> Block:
        """All elements that are the thread's own, one after the other, each from its neighbour."""
        scope, rng = self.scope, self.rng
        arrays = [a for a in scope.all_arrays() if a.role in ("inout", "scratch")]
        if not scope.columns or not arrays or self.trips * 3 > _MOST_TRIPS:
            return self._for()
        name = rng.choice([a.name for a in arrays])
        column = scope.fresh("int", name)
        here, before, after = (
            f"{name}[{scope.own.format(text)}]" for text in (column, f"({column} - 1)", f"({column} + 1)")
        )
        head, near = rng.choice(
            (
                (f"for (int {column} = 1; {column} < m; ++{column})", before),
                (f"for (int {column} = m - 1; {column} > 0; --{column})", before),
                (f"for (int {column} = 0; {column} < m - 1; {column}++)", after),
                (f"for (int {column} = m - 2; {column} >= 0; {column} -= 1)", after),
            )
        )
        scope.push()
        scope.declare(column, "int", 0, scope.columns - 1, fixed=True)
        trips, self.trips = self.trips, 3 * self.trips
        value = self.small(2, 0.5)
        self.trips = trips
        scope.pop()
        text = rng.choice(
            (
                f"{here} = 0.5f * {near} + {{0}};",
                f"{here} = {here} * {near} + {{0}};",
                f"{here} += 0.3f * {near} * {{0}};",
                f"{here} *= cosf({near} * {{0}});",
                f"{near} = sinf({here} + {{0}});",
            )
        )
        return (Stmt(head, blocks=((Stmt(text, (value,)),),)),)

    def _real_counter(self) -> Block:
        """A loop with a real counter."""
        if self.trips * 5 > _MOST_TRIPS:
            return self._assignment()
        name = self.scope.fresh("float", "")
        counter = Own(name, "float", 0, 1, fixed=True)
        return (
            self._loop(f"for (float {name} = 0.1f; {name} < 0.9f; {name} += 0.25f)", (), 4, counter, "for"),
        )


def _pinned(stmt: Stmt) -> Stmt:
    return Stmt(stmt.head, stmt.exprs, stmt.blocks, stmt.joints, stmt.tail, stmt.flat, pinned=True)


def _has(block: Block, head: str) -> bool:
    return any(stmt.head == head or any(_has(inner, head) for inner in stmt.blocks) for stmt in block)


def _until_hidden(block: Block, expr: Expr) -> int:
    """How many statements of a block may stand before an expression that was drawn outside of it."""
    words = re.findall(r"[a-zA-Z_]\w*", str(expr))
    for at, stmt in enumerate(block):
        if any(_declares(stmt, word) for word in words):
            return at
    return len(block)


def _declares(stmt: Stmt, name: str) -> bool:
    own = re.search(rf"\b({'|'.join(_TYPES)}) (\w+, )?{name}\b", stmt.head) is not None
    return own or any(_declares(inner, name) for block in stmt.blocks for inner in block)
