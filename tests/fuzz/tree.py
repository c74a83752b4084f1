"""The shape of a random kernel: what it is made of, how it reads, and how it gets smaller.

A program is a tree of statements and expressions, each a text with holes. That is
all a shrinker needs: it drops statements, takes blocks out of their heads and puts
parts in the place of wholes. What may not be taken away by itself, because the rest
would read a value that was never set or would never end, is `pinned`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Literal

Kind = Literal["real", "int", "bool", "index"]
_SIMPLEST: dict[Kind, tuple[str, ...]] = {
    "real": ("0.5f",),
    "int": ("0", "1"),
    "bool": ("true", "false"),
    "index": ("[0]",),
}

GROUPS = "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;"


@dataclass(frozen=True)
class Expr:
    """An expression: a text with one hole for each part. `low` and `high` enclose its value."""

    kind: Kind
    text: str
    parts: tuple[Expr, ...] = ()
    low: float = 0.0
    high: float = 0.0
    unsigned: bool = False
    pinned: bool = False

    def __str__(self) -> str:
        return self.text.format(*(str(part) for part in self.parts))

    @property
    def size(self) -> float:
        """The largest absolute value."""
        return max(abs(self.low), abs(self.high))

    def smaller(self) -> Iterator[Expr]:
        """Simpler expressions of the same kind, simplest first."""
        if self.pinned:
            return
        for text in _SIMPLEST[self.kind]:
            if len(text) < len(str(self)):
                yield Expr(self.kind, text)
        for part in self.parts:
            if part.kind == self.kind:
                yield part
        for index, part in enumerate(self.parts):
            for other in part.smaller():
                yield replace(self, parts=(*self.parts[:index], other, *self.parts[index + 1 :]))


Block = tuple["Stmt", ...]


@dataclass(frozen=True)
class Stmt:
    """A statement: `head {block} joint {block} tail`, with holes for expressions.

    A statement without blocks is its head. `flat`: the blocks have no braces.
    `pinned`: it may go only together with what surrounds it.
    """

    head: str
    exprs: tuple[Expr, ...] = ()
    blocks: tuple[Block, ...] = ()
    joints: tuple[str, ...] = ()
    tail: str = ""
    flat: bool = False
    pinned: bool = False

    def lines(self, indent: int = 0) -> Iterator[str]:
        """The statement's text."""
        margin = "    " * indent
        words = [str(expr) for expr in self.exprs]
        if self.flat:
            for block in self.blocks:
                for stmt in block:
                    yield from stmt.lines(indent)
            return
        if not self.blocks:
            yield margin + self.head.format(*words)
            return
        opening = self.head.format(*words)
        for number, block in enumerate(self.blocks):
            yield f"{margin}{opening} {{" if opening else f"{margin}{{"
            for stmt in block:
                yield from stmt.lines(indent + 1)
            opening = f"}} {self.joints[number]}" if number < len(self.joints) else ""
        yield f"{margin}}} {self.tail.format(*words)}".rstrip()

    def smaller(self) -> Iterator[Block]:
        """Statements to stand in its place, fewest first."""
        if not self.pinned:
            yield ()
        if not self.pinned and not self.flat:
            yield from self.blocks
        if len(self.blocks) == 2 and self.joints and not self.pinned:
            yield (replace(self, blocks=self.blocks[:1], joints=()),)
        for index, block in enumerate(self.blocks):
            for other in shrunk(block):
                blocks = (*self.blocks[:index], other, *self.blocks[index + 1 :])
                yield (replace(self, blocks=blocks),)
        for index, expr in enumerate(self.exprs):
            for simpler in expr.smaller():
                exprs = (*self.exprs[:index], simpler, *self.exprs[index + 1 :])
                yield (replace(self, exprs=exprs),)


def shrunk(block: Block) -> Iterator[Block]:
    """Smaller blocks: without a run of statements, then with one statement made smaller."""
    length = len(block)
    width = length
    while width > 1:
        for start in range(0, length, width):
            if not any(stmt.pinned for stmt in block[start : start + width]):
                yield block[:start] + block[start + width :]
        width //= 2
    for index in range(length - 1, -1, -1):
        for other in block[index].smaller():
            yield block[:index] + other + block[index + 1 :]


@dataclass(frozen=True)
class Param:
    """A parameter of the kernel and the line of the case that gives its value."""

    declaration: str
    name: str
    value: str


@dataclass(frozen=True)
class Function:
    """A device function."""

    head: str
    body: Block

    def text(self) -> str:
        lines = [line for stmt in self.body for line in stmt.lines(1)]
        return "\n".join([self.head, "{", *lines, "}"])


@dataclass(frozen=True)
class Program:
    """A kernel with its functions, a case to run it on, and what is differentiated."""

    params: tuple[Param, ...]
    functions: tuple[Function, ...]
    body: Block
    of: tuple[str, ...]
    wrt: tuple[str, ...]
    grid: str
    block: str
    mode: str = "joint"
    assume: tuple[str, ...] = ()
    store: tuple[str, ...] = ()
    recompute: tuple[str, ...] = ()
    label: str = field(default="", compare=False)  # which seed made it
    names: str = "adj"
    skin: str = "plain"
    bound: str = ""  # of the trips of each loop that says no number itself

    def text(self, name: str = "k") -> str:
        """The source file."""
        used = " ".join([*(line for s in self.body for line in s.lines()), *self.of, *self.wrt])
        words = set(re.findall(r"\w+", f"{used} {self.grid} {self.block}"))
        sizes = " ".join(p.value for p in self.params if p.name in words)
        words |= set(re.findall(r"\w+", sizes))
        params = ", ".join(p.declaration for p in self.params if p.name in words)
        head = f'extern "C" __global__ void {name}({params})'
        kernel = Function(head, self.body).text()
        groups = [GROUPS] if "cg::" in kernel else []
        return "\n\n".join([*groups, *(f.text() for f in self.functions), kernel]) + "\n"

    def case(self, name: str = "k") -> str:
        """The case file that belongs to it."""
        head = re.search(r"__global__ void \w+\((.*)\)", self.text(name))
        assert head
        words = set(re.findall(r"\w+", head[1]))
        args = "".join(f"{p.name} = {p.value}\n" for p in self.params if p.name in words)
        quoted = [", ".join(f'"{name}"' for name in names) for names in (self.of, self.wrt)]
        return (
            f'kernel = "{name}"\nof = [{quoted[0]}]\nwrt = [{quoted[1]}]\n'
            f"[launch]\ngrid = {self.grid}\nblock = {self.block}\n[args]\n{args}"
        )

    def smaller(self) -> Iterator[Program]:
        """Programs with something less, the most promising first."""
        for index in range(len(self.functions)):
            yield replace(self, functions=self.functions[:index] + self.functions[index + 1 :])
        for body in shrunk(self.body):
            yield replace(self, body=body)
        for index, function in enumerate(self.functions):
            for body in shrunk(function.body):
                other = replace(function, body=body)
                functions = (*self.functions[:index], other, *self.functions[index + 1 :])
                yield replace(self, functions=functions)
        for key in ("of", "wrt"):
            names: tuple[str, ...] = getattr(self, key)
            if len(names) > 1:
                for index in range(len(names)):
                    if key == "wrt" and names[index] in self.of:
                        continue
                    left = names[:index] + names[index + 1 :]
                    yield replace(self, of=left) if key == "of" else replace(self, wrt=left)
        for key, plain in (("mode", "joint"), ("names", "adj"), ("skin", "plain"), ("bound", "")):
            if getattr(self, key) != plain:
                yield replace(self, **{key: plain})  # type: ignore[arg-type]
        if self.store:
            yield replace(self, store=())
        if self.recompute:
            yield replace(self, recompute=())
        if self.assume:
            yield replace(self, assume=())

    @property
    def bounds(self) -> tuple[tuple[int, str], ...]:
        """Line and bound of each of the kernel's loops whose trips no header tells."""
        lines = self.text().splitlines()
        kernel = next(k for k, line in enumerate(lines) if "__global__" in line)
        loops = [k + 1 for k in range(kernel, len(lines)) if re.match(r" *(while \(|do \{)", lines[k])]
        return tuple((line, self.bound) for line in loops) if self.bound else ()

    @property
    def request(self) -> str:
        """The options as whoever reads a failure needs them."""
        words = [f"--mode {self.mode} --names {self.names} --skin {self.skin}"]
        words += [f"--bound {line}={text}" for line, text in self.bounds]
        for option in ("assume", "store", "recompute"):
            words += [f"--{option} {text}" for text in getattr(self, option)]
        return " ".join(words)
