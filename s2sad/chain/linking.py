"""A chain with its kernels read: what each launch reads and writes, and the types of all arrays.

Everything that is wrong is reported at once, each with its place in the chain.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from .. import files, options, pipeline
from ..diagnostics import Code, Diagnostic, Rejected
from ..fields import variables
from ..ir import Program
from ..options import Options
from ..signature import Signature
from ..source import Source
from ..toml_file import Document
from ..transform.plan.accumulation_policy import touched
from ..validate.case_args import problem_at
from ..validate.elements import is_floating
from ..validate.expressions import Expression, ExpressionError, parse
from ..validate.recipe import Problem, Size
from .model import Bound, Launch, Path, Repeat, Step, Swap, bound, byte_count


@dataclass(frozen=True, eq=False)
class Call:
    """A launch: `number` tells launches apart. `bound` has an entry for each parameter."""

    number: int
    path: Path
    source: Source
    program: Program
    options: Options
    kernel: Signature
    reads: frozenset[str]  # parameters
    writes: frozenset[str]
    bound: Mapping[str, Bound]
    grid: tuple[Size, ...]
    block: tuple[Size, ...]
    shared_bytes: Size

    def array(self, parameter: str) -> str:
        """Return the array that a parameter is bound to; "" if it is passed by value."""
        if not self.kernel.argument(parameter).pointer:
            return ""
        to = self.bound[parameter]
        return to.part.array if to.part else to.name

    def arrays(self, parameters: Iterable[str], *, floating: bool = False) -> frozenset[str]:
        """Return the arrays that parameters are bound to."""
        found = {self.array(p) for p in parameters if not floating or self.is_real(p)}
        return frozenset(found - {""})

    def is_real(self, parameter: str) -> bool:
        return is_floating(self.kernel.argument(parameter).type)

    def numbers(self) -> dict[str, str]:
        """Return the scalar that each real parameter by value is bound to, if it is one."""
        return {
            a.name: self.bound[a.name].name
            for a in self.kernel.arguments
            if not a.pointer and is_floating(a.type) and self.bound[a.name].name
        }


@dataclass(frozen=True, eq=False)
class Exchange:
    """Two arrays change their names."""

    path: Path
    first: str
    second: str


@dataclass(frozen=True, eq=False)
class Loop:
    """A loop with its body."""

    path: Path
    count: Size
    counter: str
    checkpoints: Size | None
    bytes: int | None
    scratch: frozenset[str]
    body: tuple[Node, ...]


Node = Call | Exchange | Loop


@dataclass(frozen=True)
class Linked:
    """A chain whose kernels are known. Types are those of elements, in C."""

    nodes: tuple[Node, ...]
    of: tuple[str, ...]
    wrt: tuple[str, ...]
    arrays: Mapping[str, str]
    scalars: Mapping[str, str]
    document: Document | None = None  # for places of errors

    @property
    def calls(self) -> tuple[Call, ...]:
        return tuple(node for node in every(self.nodes) if isinstance(node, Call))

    @property
    def loops(self) -> tuple[Loop, ...]:
        return tuple(node for node in every(self.nodes) if isinstance(node, Loop))


def every(nodes: Sequence[Node]) -> Iterator[Node]:
    """Yield all nodes, outer ones first."""
    for node in nodes:
        yield node
        if isinstance(node, Loop):
            yield from every(node.body)


def changed(nodes: Sequence[Node]) -> frozenset[str]:
    """Return the arrays that may be changed: stored to, or swapped."""
    found: set[str] = set()
    for node in every(nodes):
        if isinstance(node, Call):
            found |= node.arrays(node.writes)
        elif isinstance(node, Exchange):
            found |= {node.first, node.second}
    return frozenset(found)


def link(
    steps: Sequence[Step],
    of: tuple[str, ...],
    wrt: tuple[str, ...],
    folder: str = "",
    document: Document | None = None,
) -> Linked:
    """Read the kernels of a chain; files are relative to `folder`. Raises Rejected with all errors."""
    linker = _Linker(folder, document)
    nodes = linker.nodes(steps, ("step",), frozenset())
    if not linker.found:
        linker.swaps(nodes)
        linker.asked(of, wrt)
    if linker.found:
        raise Rejected(*linker.found)
    return Linked(nodes, of, wrt, linker.arrays, linker.types(), document)


def drafted(steps: Sequence[Step], of: tuple[str, ...], wrt: tuple[str, ...], folder: str) -> Linked:
    """Like `link`; without names, the real arrays that are written depend on all real arrays."""
    linker = _Linker(folder, None)
    nodes = linker.nodes(steps, ("step",), frozenset())
    if linker.found:
        raise Rejected(*linker.found)
    linker.swaps(nodes)
    real = [name for name, type in linker.arrays.items() if is_floating(type)]
    of = of or tuple(name for name in real if name in changed(nodes))
    wrt = wrt or tuple(real)
    linker.asked(of, wrt)
    if linker.found:
        raise Rejected(*linker.found)
    return Linked(nodes, of, wrt, linker.arrays, linker.types())


@dataclass
class _Linker:
    folder: str
    document: Document | None
    found: list[Diagnostic] = field(default_factory=list)
    arrays: dict[str, str] = field(default_factory=dict)
    scalars: dict[str, set[str]] = field(default_factory=dict)
    count: int = 0

    def wrong(
        self, path: Path, what: str, *, text: str = "", start: int = 0, end: int = 0, help: str = ""
    ) -> None:
        problem = Problem(path, what, text, start, end, help)
        self.found.append(problem_at(self.document, problem))

    def nodes(self, steps: Sequence[Step], path: Path, counters: frozenset[str]) -> tuple[Node, ...]:
        made = [self.node(step, (*path, str(i)), counters) for i, step in enumerate(steps)]
        return tuple(node for node in made if node is not None)

    def node(self, step: Step, path: Path, counters: frozenset[str]) -> Node | None:
        match step:
            case Swap():
                return Exchange(path, step.first, step.second)
            case Repeat():
                return self.loop(step, path, counters)
            case Launch():
                return self.call(step, path, counters)

    def loop(self, step: Repeat, path: Path, counters: frozenset[str]) -> Loop:
        count = self.size(step.count, (*path, "repeat"), counters)
        if step.counter in counters:
            self.wrong((*path, "counter"), f"{step.counter} counts an outer loop")
        if step.checkpoints is not None and step.bytes is not None:
            self.wrong((*path, "bytes"), "checkpoints and bytes exclude each other")
        room, limit = step.checkpoints, None
        kept = self.size(room, (*path, "checkpoints"), counters) if room is not None else None
        if step.bytes is not None:
            try:
                limit = byte_count(step.bytes)
            except ValueError as error:
                self.wrong((*path, "bytes"), str(error), help='bytes = "64 MB"')
        if not any(isinstance(inner, Launch | Repeat) for inner in step.do):
            self.wrong(path, "a loop without a launch", help="put the launches under [[step.do]]")
        inner = counters | {step.counter} if step.counter else counters
        body = self.nodes(step.do, (*path, "do"), inner)
        for name in step.scratch:
            if not is_floating(self.arrays.get(name, "")) or name not in changed(body):
                what = f"{name} isn't an array of floating-point numbers that this loop changes"
                self.wrong((*path, "scratch"), what)
        return Loop(path, count, step.counter, kept, limit, frozenset(step.scratch), body)

    # ---- launches ---------------------------------------------------------------

    def call(self, step: Launch, path: Path, counters: frozenset[str]) -> Call | None:
        try:
            asked = _options(step)
            file = files.read(os.path.join(self.folder, os.fspath(step.file)))
            source = pipeline.selected(file, asked)
            program = pipeline.read(source, asked)
        except Rejected as rejected:
            self.found += [d for d in rejected.diagnostics if d not in self.found]
            return None
        asked = asked.over(Options(kernel=program.kernel.name))
        whole = pipeline.primal_signature(program, asked)
        kernel = whole.leaves
        for argument in whole.arguments:
            if argument.layout is not None or argument.parts:
                self.wrong(
                    (*path, "launch"),
                    f"{kernel.name} takes the struct {argument.name}, which a chain can't pass yet",
                    help="pass its fields as arrays and numbers",
                )
                return None
        read, written = touched(program.kernel, program.functions)
        syms = variables(program.kernel.syms)
        reads = frozenset(s.name for s, parts in syms.items() if any(part in read for part in parts))
        writes = frozenset(s.name for s, parts in syms.items() if any(part in written for part in parts))
        pointers = {a.name for a in kernel.arguments if a.pointer}
        to = self.bindings(step, kernel, path, counters)
        grid = self.sizes(step.grid, (*path, "grid"), counters)
        block = self.sizes(step.block, (*path, "block"), counters)
        shared = self.size(step.shared_bytes, (*path, "shared_bytes"), counters)
        if to is None:
            return None
        self.count += 1
        call = Call(
            self.count,
            path,
            source,
            program,
            asked,
            kernel,
            reads & pointers,
            writes & pointers,
            to,
            grid,
            block,
            shared,
        )
        self.overlap(call)
        return call

    def bindings(
        self, step: Launch, kernel: Signature, path: Path, counters: frozenset[str]
    ) -> dict[str, Bound] | None:
        names = [a.name for a in kernel.arguments]
        before = len(self.found)
        for name in step.args:
            if name not in names:
                help = f"its parameters are {', '.join(names)}"
                self.wrong((*path, "args", name), f"{kernel.name} has no parameter {name}", help=help)
        to: dict[str, Bound] = {}
        for argument in kernel.arguments:
            where = (*path, "args", argument.name)
            value = step.args.get(argument.name, argument.name)
            try:
                one = bound(value)
                for size in (one.size, *((one.part.begin, one.part.end) if one.part else ())):
                    self.named(size, counters)
            except ExpressionError as error:
                text = value if isinstance(value, str) else ""
                self.wrong(where, str(error), text=text, start=error.start, end=error.end)
                continue
            to[argument.name] = one
            if argument.pointer:
                self.array(one.part.array if one.part else one.name, argument.type, where, kernel.name)
            elif one.part is not None or (one.number is not None and not is_floating(argument.type)):
                kind = f"{argument.type} {argument.name}"
                self.wrong(where, f"{one.text} for {kind}, which is passed by value")
            elif one.name and one.name not in counters:
                self.scalars.setdefault(one.name, set()).add(argument.type)
        return to if len(self.found) == before else None

    def array(self, name: str, type: str, where: Path, kernel: str) -> None:
        if not name:
            self.wrong(where, f"{kernel} takes an array of {type} here", help="give an array's name")
        elif self.arrays.setdefault(name, type) != type:
            had = self.arrays[name]
            self.wrong(where, f"{name} is an array of {type} here and of {had} in another launch")

    def overlap(self, call: Call) -> None:
        """Refuse a launch that gets an array twice, and writes it or is differentiated by it."""
        seen: dict[str, str] = {}
        for argument in call.kernel.arguments:
            name = call.array(argument.name)
            if not name or call.bound[argument.name].part:
                continue
            if name in seen and (is_floating(argument.type) or {argument.name, seen[name]} & call.writes):
                self.wrong(
                    (*call.path, "args", argument.name),
                    f"{call.kernel.name} gets {name} twice, as {seen[name]} and as {argument.name}",
                    help="an adjoint assumes that arrays don't overlap: bind another array, or parts of it",
                )
            seen[name] = argument.name

    # ---- names and sizes --------------------------------------------------------

    def sizes(
        self, value: Sequence[int | str] | int | str, path: Path, counters: frozenset[str]
    ) -> tuple[Size, ...]:
        several = [value] if isinstance(value, int | str) else list(value)
        if not 1 <= len(several) <= 3:
            self.wrong(path, f"expected one to three sizes, not {len(several)}")
        launch = frozenset({"block", *(f"block.{axis}" for axis in "xyz")})
        return tuple(self.size(one, path, counters | launch) for one in several)

    def size(self, value: int | str, path: Path, known: frozenset[str]) -> Size:
        if isinstance(value, str):
            try:
                size = parse(value)
                self.named(size, known)
                return size
            except ExpressionError as error:
                self.wrong(path, str(error), text=value, start=error.start, end=error.end)
                return 1
        if isinstance(value, bool) or not isinstance(value, int):
            self.wrong(path, "expected an integer or an expression in quotes")
            return 1
        return value

    def named(self, size: Size | None, known: frozenset[str]) -> None:
        """Declare the names of an expression as integers."""
        for name in size.names if isinstance(size, Expression) else ():
            if name not in known:
                self.scalars.setdefault(name, set()).add("")

    def types(self) -> dict[str, str]:
        """Return the type of each scalar: its parameters', if they agree."""
        found: dict[str, str] = {}
        for name, seen in self.scalars.items():
            real = all(is_floating(t) for t in seen)
            alone = seen - {""}
            found[name] = alone.pop() if len(seen) == 1 and alone else "double" if real else "long long"
        return found

    def swaps(self, nodes: tuple[Node, ...]) -> None:
        """Check swaps; an array that no launch uses is of the type of what it is swapped with."""
        pairs = [(n.first, n.second) for n in every(nodes) if isinstance(n, Exchange)]
        pairs += [(second, first) for first, second in pairs]
        while new := [
            (one, other) for one, other in pairs if one in self.arrays and other not in self.arrays
        ]:
            self.arrays |= {other: self.arrays[one] for one, other in new}
        for node in every(nodes):
            if isinstance(node, Exchange):
                for name in (node.first, node.second):
                    if name not in self.arrays:
                        known = ", ".join(self.arrays)
                        self.wrong((*node.path, "swap"), f"no launch uses an array {name}", help=known)
                        return
                one, other = self.arrays[node.first], self.arrays[node.second]
                if one != other:
                    what = f"{node.first} is an array of {one}, {node.second} of {other}"
                    self.wrong((*node.path, "swap"), what)

    def asked(self, of: tuple[str, ...], wrt: tuple[str, ...]) -> None:
        for key, names in (("of", of), ("wrt", wrt)):
            if not names:
                self.wrong((key,), "expected at least one name", help=f'{key} = ["x"]')
            for name in names:
                types = {self.arrays[name]} if name in self.arrays else self.scalars.get(name, set())
                if not types or (key == "of" and name not in self.arrays):
                    known = [n for n, t in self.arrays.items() if is_floating(t)]
                    self.wrong((key,), f"no launch uses an array {name}", help=f"valid: {', '.join(known)}")
                elif not all(is_floating(t) for t in types):
                    self.wrong((key,), f"{name} consists of integers and has no derivative")
        both = sorted(set(self.scalars) & set(self.arrays))
        if both:
            self.wrong(("args", both[0]), f"{both[0]} is an array in one place and a number in another")


def _options(step: Launch) -> Options:
    try:
        return Options(
            kernel=step.kernel,
            defines=tuple((key, str(value)) for key, value in step.define.items()),
            includes=tuple(os.fspath(folder) for folder in step.include),
            template=tuple(
                (key, str(value).lower() if isinstance(value, bool) else str(value))
                for key, value in step.template.items()
            ),
            assume=tuple(options.assumption(text) for text in step.assume),
        )
    except options.Unclear as unclear:
        raise Rejected(
            problem_at(None, Problem(("assume",), unclear.why, help=unclear.help), Code.CASE_VALUE)
        ) from None
