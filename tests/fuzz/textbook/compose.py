"""A kernel of one to four algorithms, each on what the one before left."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from s2sad.options import Options

from .block_frame import compose_block
from .catalogue import BLOCK, OWN
from .drawing import Draw
from .language import elements, expand, finished, helpers, words
from .storage import STORAGES, Storage

THREADS = 6
ALL = (*OWN, *BLOCK)
_WIDE = 0.2  # so many kernels are of algorithms that a block runs together


@dataclass(frozen=True)
class Part:
    """An algorithm and the choices that made its text."""

    algorithm: str
    choices: tuple[int, ...]


@dataclass(frozen=True)
class Composed:
    """A kernel: the choices of its frame, and its parts in order."""

    label: str
    frame: tuple[int, ...]
    parts: tuple[Part, ...]

    @cached_property
    def made(self) -> tuple[str, str, Options]:
        """Source, case and what is asked, the kernel named `k_named`."""
        draws = [Draw(again=part.choices) for part in self.parts]
        return compose(
            Draw(again=self.frame), [(p.algorithm, d) for p, d in zip(self.parts, draws, strict=True)]
        )

    def text(self, name: str = "k") -> str:
        """The source file; nothing in it has a name that another kernel's has."""
        return self.made[0].replace("k_named", name)

    def case(self, name: str = "k") -> str:
        """The case that belongs to it."""
        return self.made[1].replace("k_named", name)

    @property
    def asked(self) -> Options:
        """What is asked of the transformation."""
        return self.made[2]

    @property
    def request(self) -> str:
        """The algorithms, and the options as whoever reads a failure needs them."""
        assumed = "".join(f" --assume {one.kind}:{one.what}" for one in self.asked.assume)
        return f"{', '.join(part.algorithm for part in self.parts)}; --mode {self.asked.mode}{assumed}"

    def smaller(self) -> Iterator[Composed]:
        """Kernels with a part less, then with plainer choices."""
        for at in range(len(self.parts)):
            if len(self.parts) > 1:
                yield replace(self, parts=self.parts[:at] + self.parts[at + 1 :])
        for frame in _plainer(self.frame):
            yield replace(self, frame=frame)
        for at, part in enumerate(self.parts):
            for choices in _plainer(part.choices):
                other = replace(part, choices=choices)
                yield replace(self, parts=(*self.parts[:at], other, *self.parts[at + 1 :]))


def _plainer(choices: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Choices of which some are the first, many at a time at first."""
    width = len(choices)
    while width:
        for start in range(0, len(choices), width):
            if any(choices[start : start + width]):
                rest = choices[start + width :]
                yield choices[:start] + (0,) * len(choices[start : start + width]) + rest
        width //= 2


def drawn(label: str) -> Composed:
    """The kernel of a label; `textbook-each:SEED:NUMBER` has one algorithm, which the number says."""
    rng = random.Random(f"textbook {label}")
    if label.startswith("textbook-each:"):
        names = [ALL[int(label.split(":")[-1]) % len(ALL)]]
    else:
        many = rng.choice((1, 1, 2, 2, 3, 4))
        names = rng.sample(sorted(BLOCK if rng.random() < _WIDE else OWN), many)
    return of(label, names, rng)


def of(label: str, names: list[str], rng: random.Random) -> Composed:
    """A kernel of these algorithms in their order."""
    frame, draws = Draw(rng), [Draw(rng) for _ in names]
    compose(frame, list(zip(names, draws, strict=True)))
    parts = tuple(Part(name, tuple(draw.made)) for name, draw in zip(names, draws, strict=True))
    return Composed(label, tuple(frame.made), parts)


@dataclass
class _Frame:
    """What all fragments of a kernel share."""

    real: str
    size: int
    spelled: str  # how the size is written
    count: str  # how many elements count
    storage: Storage
    functions: list[str]


def compose(draw: Draw, parts: list[tuple[str, Draw]]) -> tuple[str, str, Options]:
    """Source, case and what is asked."""
    if parts[0][0] in BLOCK:
        return compose_block(draw, parts)
    frame = _Frame(
        draw.pick(("float", "float", "double")),
        draw.pick((4, 3, 5, 6, 7, 8)),
        draw.pick(("literal", "define", "constexpr")),
        draw.pick(("K", "K", "len", "own", "lens")),
        draw.pick((STORAGES[0], STORAGES[0], *STORAGES)),
        [],
    )
    body: list[str] = []
    for number, (name, own) in enumerate(parts):
        if number:
            body.append(_mixed(draw))
        body.append(_fragment(frame, name, own, number))
    return _kernel(frame, draw, body)


_SQUASHED = (
    "V[k] = sinf(V[k]) + 0.5 * x[i * K + k];",
    "V[k] = tanhf(V[k]) * (1.0 + 0.1 * k) + 0.4 * x[i * K + k];",
    "T h = V[k];\nV[k] = 1.5 * h / (1.0 + h * h) + 0.3 * x[i * K + k];",
    "T &r = V[k];\nr = sinf(r);\nr += 0.6 * x[i * K + k] * x[i * K + k];",
)


def _mixed(draw: Draw) -> str:
    """What keeps values of a size, and apart from each other, between two algorithms."""
    return expand(draw, f"@up(k, 0, K) {{ {draw.pick(_SQUASHED)} }}")


def _fragment(frame: _Frame, name: str, draw: Draw, number: int) -> str:
    """The text of an algorithm in the kernel: in place, or a call."""
    text = expand(draw, OWN[name].strip())
    gives = bool(re.search(r"\breturn\b", text))
    forms = frame.storage.shapes
    if forms and (gives or draw.pick((False, False, True, True))):
        return _called(frame, draw, text, forms, f"part{number}", gives)
    if gives:  # a function that must have a copy
        copy = expand(draw, "T copy[K];\n@up(k, 0, K) { copy[k] = V[k]; }\n")
        call = _called(frame, draw, text, (("T *v", "v[{}]"),), f"part{number}", gives, "copy")
        back = expand(draw, "@up(k, 0, K) { V[k] = copy[k]; }\n")
        return f"{{\n{copy}{call}\n{back}\n}}"
    return f"{{\n{words(text, {'ACC': 'acc', 'A': 'alpha', 'Q': 'q', 'N': 'len'})}\n}}"


def _called(
    frame: _Frame,
    draw: Draw,
    text: str,
    forms: tuple[tuple[str, str], ...],
    name: str,
    gives: bool,
    passed: str = "",
) -> str:
    """A call of a function that is added to the file."""
    parameter, spelled = draw.pick(forms)
    how = "returned" if gives else draw.pick(("reference", "pointer", "returned"))
    own = {"reference": "acc", "pointer": "(*acc)", "returned": "acc"}[how]
    text = words(elements(text, spelled), {"ACC": own, "A": "alpha", "Q": "q", "N": "len"})
    more = {"reference": ", T &acc", "pointer": ", T *acc", "returned": ""}[how]
    head = draw.pick(
        ("__device__", "__device__ __forceinline__", "static __device__ inline", "__device__ __noinline__")
    )
    if how == "returned":
        text = f"T acc = 0.0;\n{text}\nreturn acc;" if not gives else f"T acc = 0.0;\n{text}"
    kind = "T" if how == "returned" else "void"
    frame.functions.append(
        f"{head} {kind} {name}({parameter}{more}, T alpha, int q, int len)\n{{\n{text}\n}}"
    )
    given = {"reference": ", acc", "pointer": ", &acc", "returned": ""}[how]
    call = f"{name}({passed or frame.storage.passed}{given}, alpha, q, len)"
    if how != "returned":
        return f"{call};"
    return draw.pick((f"acc += 0.8 * {call};", f"T got_{name} = {call};\nacc += sinf(got_{name});"))


_COUNTS = {
    "K": "K",
    "len": "size",
    "own": "2 + q % (K - 1)",
    "lens": "min(lens[i], K)",
}
_STORES = (
    "T out = 0.3 * acc;\n@up(k, 0, K) { out += (0.2 + 0.1 * k) * V[k]; }\ny[i] = out;",
    "T out = sinf(0.4 * acc);\n@down(k, K, 0) { out = 0.7 * out + 0.5 * sinf(V[k]); }\ny[i] = out;",
    "y[i] = 0.3 * acc;\n@up(k, 0, K) { y[i] += (0.3 + 0.1 * k) * V[k] * V[k]; }",
    "@up(k, 0, K) { y[i * K + k] = V[k] * (0.7 + 0.1 * k) + 0.2 * acc; }",
)


def _kernel(frame: _Frame, draw: Draw, body: list[str]) -> tuple[str, str, Options]:
    """The file, its case and the request."""
    storage, size = frame.storage, str(frame.size)
    store = draw.pick(_STORES)
    wide = "y[i * K" in store
    start = "V[k] += 0.5 * x[i * K + k];" if storage.row else "V[k] = x[i * K + k];"
    start = expand(draw, f"@up(k, 0, K) {{ {start} }}")
    leave = draw.pick(("if (i >= n) return;", "if (i >= n)\nreturn;", "if (n <= i) return;"))
    count = _COUNTS[frame.count]
    lines = [
        "int i = blockIdx.x * blockDim.x + threadIdx.x;",
        storage.declared if "__shared__" in storage.declared else "",
        leave,
        "" if "__shared__" in storage.declared else storage.declared,
        "int q = idx[i];",
        f"{draw.pick(('int', 'const int'))} len = {count};",
        "T acc = 0.1 * alpha;",
        start,
        *body,
        expand(draw, store),
    ]
    parameters = [
        ("const T *x", "x", f'{{shape="{size}*n", fill="uniform(-1.6,1.6)"}}'),
        ("T *y", "y", f'{{shape="{f"{size}*n" if wide else "n"}", fill="uniform(-1,1)"}}'),
        ("const int *idx", "idx", '{shape="n", fill="randint(0,1000)"}'),
        ("T alpha", "alpha", "0.73"),
        ("int n", "n", str(THREADS)),
    ]
    if storage.row:
        parameters.insert(1, ("T *w", "w", f'{{shape="{size}*n", fill="uniform(-1,1)"}}'))
    if frame.count == "len":
        parameters.append(("int size", "size", str(max(2, frame.size - 1))))
    if frame.count == "lens":
        parameters.append(("const int *lens", "lens", f'{{shape="n", fill="randint(2,{frame.size + 1})"}}'))
    restrict = draw.pick((False, False, True))
    heads = [d.replace("*", "*__restrict__ ") if restrict else d for d, _, _ in parameters]
    kernel = f'extern "C" __global__ void k_named({", ".join(heads)})\n{{\n' + "\n".join(lines) + "\n}"
    kernel = elements(kernel, storage.spelled)
    texts = [storage.before, *frame.functions, kernel]
    source = finished([*helpers(texts), *texts], frame.real, "K", frame.size, frame.spelled)
    given = "".join(f"{name} = {value}\n" for _, name, value in parameters)
    of, wrt = (["y", "w"], ["x", "w", "alpha"]) if storage.row else (["y"], ["x", "alpha"])
    quoted = [", ".join(f'"{name}"' for name in names) for names in (of, wrt)]
    case = (
        f'kernel = "k_named"\nof = [{quoted[0]}]\nwrt = [{quoted[1]}]\n[launch]\ngrid = 2\nblock = 4\n'
        f"[args]\n{given}"
    )
    mode = draw.pick(("joint", "joint", "split"))
    return source, case, Options(of=tuple(of), wrt=tuple(wrt), mode=mode)
