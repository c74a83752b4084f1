"""Kernels on vectors with operators: float3 and structs of the author's, whole and by component.

The emitter writes as one operation what the sweep does to each component, so statements are drawn that
nearly do the same to each: a component is set alone, read by the other components' statements, or stands
in two vectors at once.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from s2sad.options import Options

from .idioms import Idiom, accepted

__all__ = ["accepted", "program"]

_STATEMENTS = range(3, 9)
_DEEP = 2


@dataclass(frozen=True)
class _Type:
    """A type of vectors: its name, its components, their type, how one is made, and its definition."""

    name: str
    components: str
    real: str
    maker: str
    definition: str = ""


_TYPES = (
    _Type("float3", "xyz", "float", "make_float3"),
    _Type("float3", "xyz", "float", "make_float3"),
    _Type("float2", "xy", "float", "make_float2"),
    _Type("float4", "xyzw", "float", "make_float4"),
    _Type("double3", "xyz", "double", "make_double3"),
    _Type("Vec", "xyz", "float", "Vec", "struct Vec { float x, y, z; };"),
    _Type("Pair", "ab", "float", "Pair", "struct Pair { float a, b; };"),
)


def program(label: str, name: str) -> Idiom:
    """The kernel of a label, under a name."""
    rng = random.Random(label)
    made = _Kernel(rng, rng.choice(_TYPES))
    body = made.body()
    asked = Options(
        of=("out", "s"),
        wrt=tuple(rng.sample(("p", "q", "w", "pose"), rng.randint(2, 4))),
        mode="split" if rng.random() < 0.4 else "joint",
        accumulate="deterministic" if rng.random() < 0.15 else None,
    )
    source = f"{made.head()}\n{made.signature(name)}\n{{\n{body}\n}}\n"
    return Idiom(label, source, f'kernel = "{name}"\n{made.case()}', asked)


@dataclass
class _Kernel:
    rng: random.Random
    type: _Type
    vectors: list[str] = field(default_factory=lambda: ["p[i]", "q[i]", "*pose", "p[at]"])
    numbers: list[str] = field(default_factory=lambda: ["w[i]", "w[at]"])
    own: list[str] = field(default_factory=list)  # vectors that may be set
    sums: list[str] = field(default_factory=list)  # numbers that may be set
    count: int = 0

    # ---- the file ------------------------------------------------------------------

    def head(self) -> str:
        t, cs = self.type, self.type.components
        by = self.rng.choice((f"{t.name} ", f"const {t.name} &"))
        fn = "__device__ "
        made = {c: f"a.{c} @ b.{c}" for c in cs}

        def of(parts: dict[str, str]) -> str:
            values = ", ".join(parts[c] for c in cs)
            return f"return {t.maker}({values});" if t.definition == "" else f"return {t.name}{{{values}}};"

        lines = [t.definition] if t.definition else []
        for op in "+-":
            body = of({c: text.replace("@", op) for c, text in made.items()})
            lines.append(f"{fn}{t.name} operator{op}({by}a, {by}b) {{ {body} }}")
        lines.append(f"{fn}{t.name} operator-({by}a) {{ {of({c: f'-a.{c}' for c in cs})} }}")
        scaled = of({c: f"s * a.{c}" for c in cs})
        lines.append(f"{fn}{t.name} operator*({t.real} s, {by}a) {{ {scaled} }}")
        lines.append(f"{fn}{t.name} operator*({by}a, {t.real} s) {{ return s * a; }}")
        divided = of({c: f"a.{c} / s" for c in cs})
        lines.append(f"{fn}{t.name} operator/({by}a, {t.real} s) {{ {divided} }}")
        for op in ("+=", "-="):
            each = " ".join(f"a.{c} {op} b.{c};" for c in cs)
            lines.append(f"{fn}void operator{op}({t.name} &a, {by}b) {{ {each} }}")
        products = " + ".join(f"a.{c} * b.{c}" for c in cs)
        lines.append(f"{fn}{t.real} dot({by}a, {by}b) {{ return {products}; }}")
        if cs == "xyz":
            turned = {c: f"a.{d} * b.{e} - a.{e} * b.{d}" for c, d, e in ("xyz", "yzx", "zxy")}
            lines.append(f"{fn}{t.name} cross({by}a, {by}b) {{ {of(turned)} }}")
        each = " ".join(f"atomicAdd(&to->{c}, a.{c});" for c in cs)
        lines.append(f"{fn}void add_to({t.name} *to, {t.name} a) {{ {each} }}")
        return "\n".join(lines)

    def signature(self, name: str) -> str:
        t = self.type
        return (
            f'extern "C" __global__ void {name}(const {t.name} *p, const {t.name} *q, const {t.name} *pose, '
            f"const {t.real} *w, const int *idx, {t.name} *out, {t.real} *s, int n)"
        )

    def case(self) -> str:
        fills = {
            **{"p": "uniform(-1,1)", "q": "uniform(0.2,1)", "pose": "uniform(-1,1)", "w": "uniform(0.3,1)"},
            **{"idx": "randint(0, 12)", "out": "zeros", "s": "zeros"},
        }
        rows = [
            f'{name} = {{ shape = {1 if name == "pose" else 12}, fill = "{fill}" }}'
            for name, fill in fills.items()
        ]
        return "\n".join(["[launch]", "grid = 3", "block = 4", "[args]", "n = 12", *rows, ""])

    # ---- statements ----------------------------------------------------------------

    def body(self) -> str:
        lines = ["int i = blockIdx.x * blockDim.x + threadIdx.x;", "int at = idx[i];"]
        lines += [f"{self.type.name} acc = {self.vector()};", f"{self.type.real} sum = {self.number()};"]
        self.vectors.append("acc")
        self.own.append("acc")
        self.numbers.append("sum")
        self.sums.append("sum")
        lines += self.statements(self.rng.choice(_STATEMENTS), 0)
        if self.rng.random() < 0.3:
            lines.append("add_to(&out[at], acc);")
        else:
            lines.append(f"out[i] {self.rng.choice(('=', '+='))} acc;")
        lines.append(f"s[i] = {self.number()} + sum;")
        return "\n".join(f"    {line}" for line in lines)

    def statements(self, many: int, depth: int) -> list[str]:
        out: list[str] = []
        for _ in range(many):
            out += self.statement(depth)
        return out

    def statement(self, depth: int) -> list[str]:
        rng, t = self.rng, self.type
        kind = rng.random()
        if kind < 0.25:
            name = self.fresh("v")
            line = f"{rng.choice(('', 'const '))}{t.name} {name} = {self.vector()};"
            self.vectors.append(name)
            if not line.startswith("const"):
                self.own.append(name)
            return [line]
        if kind < 0.4:
            name = self.fresh("f")
            line = f"{t.real} {name} = {self.number()};"
            self.numbers.append(name)
            self.sums.append(name)
            return [line]
        if kind < 0.55:
            return [f"{rng.choice(self.own)} {rng.choice(('=', '+=', '-='))} {self.vector()};"]
        if kind < 0.62:
            return [f"{rng.choice(self.sums)} {rng.choice(('=', '+='))} {self.number()};"]
        if kind < 0.8:
            return self.by_component()
        if depth == _DEEP:
            return [f"{rng.choice(self.own)} += {self.vector()};"]
        known = list(self.vectors), list(self.numbers), list(self.own), list(self.sums)
        if kind < 0.9:
            head = f"for (int k{depth} = 0; k{depth} < {rng.choice(('2', '3', 'at % 3'))}; ++k{depth}) {{"
        else:
            head = f"if ({rng.choice(('i % 2 == 0', 'at > 4', f'{self.number()} > 0.3f'))}) {{"
        inner = self.statements(rng.randint(1, 4), depth + 1)
        self.vectors, self.numbers, self.own, self.sums = known
        return [head, *(f"    {line}" for line in inner), "}"]

    def by_component(self) -> list[str]:
        """Statements for each component, which nearly do the same."""
        rng, t = self.rng, self.type
        to, of = rng.choice(self.own), rng.choice(self.vectors)
        number = rng.choice(self.numbers)
        op = rng.choice(("=", "+=", "-=", "*="))
        order = list(t.components)
        rng.shuffle(order)
        form = rng.choice(
            ("{s} * {b}.{c}", "{b}.{c}", "{b}.{c} - {s}", "{b}.{c} * {b}.{d}", "{s} * {a}.{d} + {b}.{c}")
        )
        lines = []
        for c in order[: rng.choice((1, len(order), len(order)))]:
            d = rng.choice((c, rng.choice(t.components), t.components[0]))
            b = self.parenthesised(of)
            lines.append(f"{to}.{c} {op} 0.5f * ({form.format(s=number, a=to, b=b, c=c, d=d)});")
        if rng.random() < 0.3:
            lines.insert(
                rng.randint(0, len(lines)), f"{rng.choice(self.sums)} += 0.3f * {to}.{t.components[-1]};"
            )
        return lines

    # ---- expressions ---------------------------------------------------------------

    def vector(self, depth: int = 0) -> str:
        rng = self.rng
        kind = rng.random()
        if depth > _DEEP or kind < 0.25:
            return rng.choice(self.vectors)
        if kind < 0.45:
            return f"({self.vector(depth + 1)} {rng.choice('+-')} {self.vector(depth + 1)})"
        if kind < 0.65:
            return f"{self.factor(depth)} * {self.vector(depth + 1)}"
        if kind < 0.7:
            return f"(-{self.vector(depth + 1)})"
        if kind < 0.75:
            return f"({self.vector(depth + 1)} / (1.5f + {self.factor(depth)} * {self.factor(depth)}))"
        if kind < 0.85 and self.type.components == "xyz":
            return f"cross({self.vector(depth + 1)}, {self.vector(depth + 1)})"
        if kind < 0.9:
            return f"(at > 5 ? {self.vector(depth + 1)} : {self.vector(depth + 1)})"
        return f"({self.vector(depth + 1)} * {self.factor(depth)})"

    def factor(self, depth: int) -> str:
        return self.rng.choice((*self.numbers, "0.5f", f"({self.number(depth + 1)})"))

    def number(self, depth: int = 0) -> str:
        rng = self.rng
        kind = rng.random()
        if depth > _DEEP or kind < 0.25:
            return rng.choice((*self.numbers, "0.7f"))
        if kind < 0.5:
            return f"dot({self.vector(depth + 1)}, {self.vector(depth + 1)})"
        if kind < 0.65:
            return f"{self.parenthesised(rng.choice(self.vectors))}.{rng.choice(self.type.components)}"
        if kind < 0.75:
            a = self.vector(depth + 1)
            return f"1.0f / (1.0f + dot({a}, {a}))"
        if kind < 0.85:
            return f"sinf({self.number(depth + 1)})"
        return f"({self.number(depth + 1)} {rng.choice('+-*')} {self.number(depth + 1)})"

    def parenthesised(self, name: str) -> str:
        return f"({name})" if name.startswith("*") else name

    def fresh(self, stem: str) -> str:
        self.count += 1
        return f"{stem}{self.count}"
