"""Random expressions of known range: real ones stay small, integers stay where they may index."""

from __future__ import annotations

import random
from collections.abc import Callable

from .scope import REALS, Array, Scope
from .tree import Expr, Kind

_MOST = 6.0  # a real expression's size before it is wrapped


def number(rng: random.Random) -> str:
    """A literal of moderate size."""
    return rng.choice(("0.5f", "0.25f", "0.3f", "0.7f", "1.1f", "0.9", "0.6", "1.0f", "0.2f"))


class Expressions:
    """Makes expressions over what a scope names."""

    def __init__(self, scope: Scope, rng: random.Random) -> None:
        self.scope = scope
        self.rng = rng
        self.reals: list[tuple[int, Callable[[int], Expr]]] = [
            (6, self._sum),
            (6, self._product),
            (3, self._math),
            (1, self._quotient),
            (1, self._select),
            (1, self._cast),
            (1, self._mixed),
            (2, self._call),
            (1, self._two),
            (1, self._negative),
        ]

    # ---- real --------------------------------------------------------------------

    def real(self, depth: int) -> Expr:
        """A real expression of size at most _MOST."""
        rng = self.rng
        if depth <= 0 or rng.random() < 0.15:
            return self._leaf()
        weights = [weight for weight, _ in self.reals]
        made = rng.choices([make for _, make in self.reals], weights)[0](depth - 1)
        return self._wrapped(made) if made.size > _MOST else made

    def small(self, depth: int, scale: float = 1.0) -> Expr:
        """A real expression of size at most 2 that moves little when its parts do."""
        made = self.real(depth)
        if scale == 1.0 and made.size <= 2:
            return made
        factor = self.rng.choice((0.3, 0.4, 0.5)) * scale
        if made.size * factor <= 1 and self.rng.random() < 0.6:
            return _real(f"{factor:.3g}f * {{0}}", made, size=made.size * factor)
        name = self.rng.choice(("sinf", "tanhf", "cosf", "sin"))
        return _real(f"{1.4 * scale:.3g}f * {name}({{0}})", made, size=1.4 * scale)

    def _wrapped(self, made: Expr) -> Expr:
        return _real(f"{self.rng.choice(('sinf', 'cosf', 'tanhf', 'sin'))}({{0}})", made, size=1)

    def _leaf(self) -> Expr:
        rng = self.rng
        reals = self.scope.scalars(True)
        choice = rng.random()
        arrays = [
            a for a in self.scope.all_arrays() if a.type in REALS and a.role in ("read", "local", "alias")
        ]
        own = [a for a in self.scope.all_arrays() if a.role in ("inout", "scratch")]
        if choice < 0.08 or not (reals or arrays or own):
            return Expr("real", number(rng), low=-1.1, high=1.1)
        if choice < 0.5 and reals:
            var = rng.choice(reals)
            return Expr("real", var.name, low=var.low, high=var.high)
        if choice < 0.62 and own:
            return self.owned(rng.choice(own))
        if arrays:
            array = rng.choice(arrays)
            return Expr("real", f"{array.name}{{0}}", (self.index(array),), -2, 2)
        if reals:
            var = rng.choice(reals)
            return Expr("real", var.name, low=var.low, high=var.high)
        return Expr("real", number(rng), low=-1.1, high=1.1)

    def _sum(self, depth: int) -> Expr:
        a, b = self.real(depth), self.real(depth)
        return _real(f"({{0}} {self.rng.choice('+-')} {{1}})", a, b, size=a.size + b.size)

    def _product(self, depth: int) -> Expr:
        a, b = self.real(depth), self.real(depth)
        return _real("{0} * {1}", a, b, size=a.size * b.size)

    def _negative(self, depth: int) -> Expr:
        a = self.real(depth)
        return _real("(-{0})", a, size=a.size)

    def _math(self, depth: int) -> Expr:
        rng = self.rng
        name, size = rng.choice(
            (
                ("sinf({0})", 1),
                ("cosf({0})", 1),
                ("tanhf({0})", 1),
                ("expf(-{0} * {0})", 1),
                ("expf(0.3f * sinf({0}))", 1.4),
                ("sqrtf(1.0f + {0} * {0})", 6.2),
                ("fabsf({0})", 6),
                ("logf(1.5f + {0} * {0})", 4),
                ("sin({0})", 1),
                ("exp(0.2 * cos({0}))", 1.3),
                ("sqrt(0.5 + {0} * {0})", 6.1),
                ("1.0f / (1.0f + expf(-{0}))", 1),
                ("powf(1.2f + 0.5f * sinf({0}), 1.5f)", 2.3),
                ("atanf({0})", 1.6),
                ("rsqrtf(1.0f + {0} * {0})", 1),
            )
        )
        return _real(name, self.real(depth), size=size)

    def _two(self, depth: int) -> Expr:
        rng = self.rng
        a, b = self.real(depth), self.real(depth)
        text = rng.choice(
            (
                "fmaxf({0}, {1})",
                "fminf({0}, {1})",
                "fmax({0}, {1})",
                "powf(1.5f + 0.4f * sinf({0}), tanhf({1}))",
            )
        )
        return _real(text, a, b, size=max(a.size, b.size, 2))

    def _quotient(self, depth: int) -> Expr:
        a, b = self.real(depth), self.real(depth)
        below = self.rng.choice(("(1.5f + {1} * {1})", "(2.0f + sinf({1}))", "(1.2 + fabs({1}))"))
        return _real(f"{{0}} / {below}", a, b, size=a.size)

    def _select(self, depth: int) -> Expr:
        a, b = self.real(depth), self.real(depth)
        return Expr(
            "real", "({0} ? {1} : {2})", (self.truth(1), a, b), min(a.low, b.low), max(a.high, b.high)
        )

    def _cast(self, depth: int) -> Expr:
        kind = self.rng.choice(("float", "double"))
        a = self.real(depth)
        return _real(f"({kind})({{0}})", a, size=a.size)

    def _mixed(self, depth: int) -> Expr:
        """A real value beside an integer."""
        k = self.whole(1)
        if k.size > 8:
            return self.real(depth)
        a = self.real(depth)
        text = self.rng.choice(("{0} * ({1})", "({1} + {0})", "({0} - (float)({1}))", "({1} * 0.5f + {0})"))
        if k.unsigned:
            text = "{0} * (float)({1})"
        return Expr("real", text, (a, k), -(a.size * (k.size + 1) + k.size), a.size * (k.size + 1) + k.size)

    def _call(self, depth: int) -> Expr:
        if not self.scope.functions:
            return self._leaf()
        name = self.rng.choice(sorted(self.scope.functions))
        kinds = self.scope.functions[name]
        parts = tuple(self.ranged(0, 3) if kind == "int" else self.small(depth) for kind in kinds)
        holes = ", ".join(f"{{{index}}}" for index in range(len(parts)))
        return Expr("real", f"{name}({holes})", parts, -2, 2)

    # ---- arrays ------------------------------------------------------------------

    def index(self, array: Array) -> Expr:
        """The brackets of an access that stays inside."""
        if array.second:
            rows = self.ranged(0, array.size // array.second - 1)
            return Expr("index", "[{0}][{1}]", (rows, self.ranged(0, array.second - 1)))
        visible = {own.name for own in self.scope.scalars(False)}
        parallel = array.role == "read" and "i" in visible
        choice = self.rng.random()
        if parallel and choice < 0.3:
            return Expr("index", "[i]", pinned=True)
        if parallel and choice < 0.5:
            wrap = self.rng.choice(("[(i + 1) % n]", "[i > 0 ? i - 1 : n - 1]", "[(i + n - 1) % n]"))
            return Expr("index", wrap, pinned=True)
        if parallel and choice < 0.65 and "idx" in self.scope.arrays:
            return Expr("index", "[idx[i]]", pinned=True)
        if array.role == "read" and choice < 0.7:
            chosen = self.whole(1)
            if chosen.low >= 0 and chosen.high < array.size:
                return Expr("index", "[{0}]", (chosen,))
        return Expr("index", "[{0}]", (self.ranged(0, array.size - 1),))

    def owned(self, array: Array, stored: bool = False) -> Expr:
        """An element of a written array that is the thread's own."""
        kind: Kind = "real" if array.type in REALS else "int"
        if "{0}" not in self.scope.own:
            return Expr(kind, f"{array.name}[{self.scope.own}]", (), -2, 2)
        counters = [c for c in self.scope.scalars(False) if c.low >= 0 and c.high < self.scope.columns]
        if not stored and self.rng.random() < 0.15:
            column = _in(self.ranged(0, self.scope.columns - 1))
        elif counters and self.rng.random() < 0.7:
            column = Expr("int", self.rng.choice(counters).name)
        else:
            column = Expr("int", str(self.rng.randrange(self.scope.columns)))
        return Expr(kind, f"{array.name}[{self.scope.own}]", (column,), -2, 2)

    # ---- integers ----------------------------------------------------------------

    def whole(self, depth: int) -> Expr:
        """An integer expression of small known range."""
        rng = self.rng
        if depth <= 0 or rng.random() < 0.4:
            scalars = self.scope.scalars(False)
            arrays = [a for a in self.scope.all_arrays() if a.role == "index"]
            state = self.scope.arrays.get("state")
            choice = rng.random()
            if choice < 0.15 and state is not None and self.scope.own:
                return Expr("int", "{0}", (self.owned(state),), 0, state.high)
            if choice < 0.25 and arrays:
                array = rng.choice(arrays)
                return Expr("int", f"{array.name}{{0}}", (self.index(array),), 0, array.high)
            if choice < 0.85 and scalars:
                var = rng.choice(scalars)
                loose = var.type not in ("int", "long", "short", "char")
                return Expr("int", var.name, (), var.low, var.high, loose)
            value = rng.randint(0, 4)
            return Expr("int", str(value), (), value, value)
        match rng.choice((0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5)):
            case 0:
                a, b = self.whole(depth - 1), self.whole(depth - 1)
                loose = a.unsigned or b.unsigned
                if loose and min(a.low, b.low) < 0:
                    return a
                return Expr("int", "({0} + {1})", (a, b), a.low + b.low, a.high + b.high, loose)
            case 1:
                a, b = self.whole(depth - 1), self.whole(depth - 1)
                if (a.unsigned or b.unsigned) and a.low - b.high < 0:
                    return a
                return Expr(
                    "int", "({0} - {1})", (a, b), a.low - b.high, a.high - b.low, a.unsigned or b.unsigned
                )
            case 2:
                a, factor = self.whole(depth - 1), rng.choice((2, 3))
                return Expr(
                    "int", f"{{0}} * {factor}", (a,), min(a.low * factor, 0), a.high * factor, a.unsigned
                )
            case 3:
                a, by = self.whole(depth - 1), rng.choice((2, 3))
                low = -(by - 1) if a.low < 0 else 0
                return Expr("int", f"{{0}} % {by}", (_in(a),), low, min(by - 1, max(a.high, 0)), a.unsigned)
            case 4:
                a, by = self.whole(depth - 1), rng.choice((2, 3))
                low = -int(abs(a.low) // by) if a.low < 0 else 0
                return Expr("int", f"{{0}} / {by}", (_in(a),), low, max(a.high // by, 0), a.unsigned)
            case _:
                a = self.real(1)
                return Expr("int", "(int)(1.5f + sinf({0}))", (a,), 0, 2)

    def ranged(self, low: int, high: int) -> Expr:
        """An integer expression with values in that range, 0 being in it."""
        made = self.whole(2)
        if low <= made.low and made.high <= high:
            return made
        if high == low:
            return Expr("int", str(low), (), low, low)
        count = high + 1
        if made.low >= 0:
            return Expr("int", f"{{0}} % {count}", (_in(made),), 0, high, made.unsigned)
        if low < 0:
            return Expr("int", f"{{0}} % {count}", (_in(made),), -high, high)
        return Expr("int", f"({{0}} % {count} + {count}) % {count}", (_in(made),), 0, high)

    # ---- conditions --------------------------------------------------------------

    def truth(self, depth: int) -> Expr:
        """A condition."""
        rng = self.rng
        match rng.randrange(9 if depth > 0 else 5):
            case 0 | 1:
                text = f"{{0}} {rng.choice('<>')} {rng.choice(('0.13f', '-0.21f', '0.4', '0.0f'))}"
                return Expr("bool", text, (_in(self.real(depth)),))
            case 2:
                return Expr(
                    "bool",
                    f"{{0}} {rng.choice(('<', '>', '<=', '>='))} {{1}}",
                    (_in(self.real(1)), _in(self.real(1))),
                )
            case 3 | 4:
                a, b = self.whole(1), self.whole(0)
                if a.unsigned != b.unsigned and min(a.low, b.low) < 0:
                    b = Expr("int", "2", (), 2, 2)
                    a = Expr("int", "(int){0}", (_in(a),), a.low, a.high)
                return Expr(
                    "bool", f"{{0}} {rng.choice(('<', '>', '<=', '>=', '==', '!='))} {{1}}", (_in(a), _in(b))
                )
            case 5 | 6:
                text = f"({{0}} {rng.choice(('&&', '||'))} {{1}})"
                return Expr("bool", text, (self.truth(depth - 1), self.truth(depth - 1)))
            case 7:
                return Expr("bool", "!({0})", (self.truth(depth - 1),))
            case _:
                return Expr("bool", f"{{0}} % 2 {rng.choice(('==', '!='))} 0", (_in(self.whole(1)),))


def _real(text: str, *parts: Expr, size: float) -> Expr:
    return Expr("real", text, parts, -size, size)


def _in(expr: Expr) -> Expr:
    """The expression in parentheses, unless it is one word."""
    if str(expr).replace("_", "a").isalnum():
        return expr
    return Expr(expr.kind, "({0})", (expr,), expr.low, expr.high, expr.unsigned)
