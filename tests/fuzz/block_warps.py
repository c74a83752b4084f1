"""Statements of random kernels in which lanes of a warp exchange values, and in which threads add atomically.

Lanes exchange in blocks of whole warps, all of a block's threads together. What is added
to atomically is neither read nor stored to before the next barrier.
"""

from __future__ import annotations

from .block_rounds import Rounds
from .block_values import Passed
from .tree import Expr, Stmt

ALL = "0xffffffffu"


def lanes_of(t: str, size: int) -> str:
    """Return the mask of a thread's segment of its warp, computed from its number `t`."""
    return ALL if size == 32 else f"0x{(1 << size) - 1:x}u << ({t} % 32 / {size} * {size})"


class Warps(Rounds):
    """Statements of all kinds, shuffles, votes and atomics among them."""

    def statement(self) -> list[Stmt]:
        roll = self.rng.random()
        if roll < self.exchanging:
            return self.rng.choice((self.shuffle, self.shuffle, self.rounds, self.vote))()
        if roll > 1 - self.adding:
            return self.added()
        return super().statement()

    def shuffle(self) -> list[Stmt]:
        """One exchange, of a local or of what a lane computes for it."""
        rng = self.rng
        self.needs = []
        name, kind = self.name("q"), rng.choice(("float", "float", "double"))
        width = self._width()
        value = self.real(1)
        scale = rng.choice(("", "", "0.5f * ", "sinf"))
        text = f"__shfl{self._source(width)}"
        if scale == "sinf":
            text = f"sinf({text})"
        elif scale:
            text = scale + text
        names = [n for layer in self.locals for n, k in layer if k == "float"]
        if names and rng.random() < 0.3:
            op = rng.choice(("=", "*=", "+="))
            text = f"0.3f * {text}" if op == "+=" else text
            return self.placed(Stmt(f"{rng.choice(names)} {op} {text};", (value,)))
        out = self.placed(Stmt(f"{kind} {name} = {text};", (value,)))
        self.locals[-1].append((name, kind))
        return out

    def _width(self) -> int:
        return self.rng.choice((2, 4, 8, 16, 32, 32))

    def _source(self, width: int) -> str:
        """The rest of a shuffle's name and its arguments, with a hole for the value."""
        rng, by = self.rng, self.rng.randint(1, max(1, width - 1))
        lanes = [
            str(rng.randint(0, width - 1)),
            f"({self.t} + {by}) % {width}",
            f"{width} - 1 - {self.t} % {width}",
        ]
        lanes.append(f"({self.t} / 2) % {width}")
        if not self.ragged:
            lanes.append(f"idx[i] % {width}")
        if self.counters:
            lanes.append(f"({self.t} + {rng.choice(self.counters)}) % {width}")
        last = "" if width == 32 and rng.random() < 0.7 else f", {width}"
        return rng.choice(
            (
                f"_xor_sync({ALL}, {{0}}, {by}{last})",
                f"_down_sync({ALL}, {{0}}, {by}{last})",
                f"_up_sync({ALL}, {{0}}, {by}{last})",
                f"_sync({ALL}, {{0}}, {rng.choice(lanes)}{last})",
            )
        )

    def rounds(self) -> list[Stmt]:
        """A reduction, a scan, or nothing known, in rounds of halved or doubled distances."""
        rng, t = self.rng, self.t
        width = self._width()
        out = self.local()
        names = [n for n, k in self.locals[-1] if k != "int"]
        if not names:
            return out
        v, d, g = rng.choice(names), self.name("d"), self.name("g")
        half = rng.choice(
            (f"int {d} = {width // 2}; {d} > 0; {d} /= 2", f"int {d} = {width // 2}; {d} > 0; {d} >>= 1")
        )
        double = f"int {d} = 1; {d} < {width}; {d} *= 2"
        kind = rng.choice(("xor", "down", "up"))
        got = f"__shfl_{kind}_sync({ALL}, {v}, {d}, {width})"
        body: tuple[Stmt, ...]
        match rng.randint(0, 4):
            case 0:
                body = (Stmt(f"{v} += 0.5f * {got};"),)
            case 1:
                body = (Stmt(f"{v} = 0.5f * ({v} + {got});"),)
            case 2:
                body = (Stmt(f"{v} = fmaxf({v}, {got});"),)
            case 3:
                body = (Stmt(f"{v} = 0.5f * {v} * {got} + 0.25f;"),)
            case _:
                cond = rng.choice((f"{t} % {width} >= {d}", f"({t} & {d}) == 0", f"{t} % 2 == 0"))
                body = (Stmt(f"float {g} = {got};"), Stmt(f"if ({cond}) {v} += 0.5f * {g};"))
        self.needs = []
        out += self.placed(Stmt(f"for ({rng.choice((half, double))})", blocks=(body,)))
        return out

    def vote(self) -> list[Stmt]:
        """A number of lanes, or what they agree on."""
        rng = self.rng
        self.needs = []
        cond = self.where()
        name = self.name("c")
        text = rng.choice(
            ("__popc(__ballot_sync({all}, {{0}}))", "__any_sync({all}, {{0}})", "__all_sync({all}, {{0}})")
        )
        lanes = lanes_of(self.t, rng.choice((32, 32, 16, 8)))
        out = self.placed(Stmt(f"int {name} = {text.format(all=lanes)};", (cond,)))
        kind, value = self.name("v"), self.real(1)
        out += self.placed(
            Stmt(f"float {kind} = 0.1f * (1 + {name}) * {{0}};", (Expr("real", "({0})", (value,)),))
        )
        self.locals[-1].append((kind, "float"))
        return out

    def added(self) -> list[Stmt]:
        """Atomically added to elements that others add to as well."""
        rng = self.rng
        if "z" in self.outputs and rng.random() < 0.5:
            self.needs = []
            index = rng.choice(("i / 2", "idx[i]", f"{rng.randint(0, min(2, self.count - 1))}", "i"))
            return self.placed(Stmt(f"atomicAdd(&z[{index}], {{0}});", (self._of("z"),)), guard=True)
        array = self.array()
        if array is None or (array.name == "u" and (self.ragged or self.P.isdecimal())):
            return self.local()  # that a block alone adds to its elements of u needs blockDim.x in the index
        before = self.ready(array)
        self.needs = [(array.name, "atomic")]
        text = self.other() if array.size else "0"
        stmt = Stmt(f"atomicAdd(&{array.at(text)}, {{0}});", (self._of(array),))
        if rng.random() < 0.4:
            stmt = Stmt("if ({0})", (self.where(),), ((stmt,),))
        return [*before, *self.placed(stmt)]

    def _of(self, array: Passed | str) -> Expr:
        """A value of the array's type, as atomics want it."""
        kind = array.kind if isinstance(array, Passed) else self.outputs[array]
        return Expr("real", f"({kind})(0.3f * {{0}})", (Expr("real", "({0})", (self.real(1),)),))
