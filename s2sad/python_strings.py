"""Kernels inside the strings of a Python script, each text with its places in the script.

    k = cupy.RawKernel(r'extern "C" __global__ void k(…) { … }', "k")

What is passed to `RawKernel`, `RawModule`, `load_inline(cuda_sources=…)` or `SourceModule`, and any other
constant with a kernel in it, is a text. A text is read only if it is a constant: one that the script
formats or puts together from values that it computes is refused, since another text is compiled.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, replace

from .diagnostics import Code, Diagnostic, Rejected, diagnose
from .python_flow import Flow, name_of
from .python_literals import Characters, Script, text_of
from .source import Source, Span

SUFFIX = ".py"
_KERNEL = re.compile(r"\b__global__\b[^;{}]*\{")
_NAMED = re.compile(r"\b__global__\b[^;{}]*?(\w+)\s*\(")
_BOUNDS = re.compile(r"\b__launch_bounds__\s*\([^()]*\)")
_FLAGS = ("options", "extra_cuda_cflags", "nvcc_options", "nvcc_flags")
_THIRD = ("RawKernel", "SourceModule")  # these take the options third
_DEEP = 32  # names that stand for names


@dataclass(frozen=True)
class Unread:
    """A text that isn't constant: why it isn't read, and the names of its kernels."""

    reason: Diagnostic
    names: frozenset[str]

    @property
    def line(self) -> int:
        return self.reason.span.line if self.reason.span else 1


@dataclass(frozen=True)
class Texts(Source):
    """A script with several texts, of which each is a translation unit; `text` is the script."""

    parts: tuple[Source, ...] = ()
    unread: tuple[Unread, ...] = ()


def texts(file: Source) -> Source:
    """Return the only text of a script, or the script with all of them. Raises Rejected."""
    tree = _tree(file)
    reader = _Reader(Script(file), Flow(tree), file)
    found = list(reader.found(tree))
    parts = tuple(one for one in found if isinstance(one, Source))
    unread = tuple(one for one in found if isinstance(one, Unread))
    if not found:
        help = "a kernel is a __global__ function with a body, here in a string constant"
        raise Rejected(diagnose(Code.NO_KERNEL, Span(file, 0, 0), file=file.name, help=help))
    if len(parts) == 1 and not unread:
        return parts[0]
    if not parts:
        raise Rejected(*(one.reason for one in unread))
    return Texts(file.name, file.text, None, tuple(map(_with_others, parts)), unread)


def _with_others(part: Source) -> Source:
    """Mark a text as one of several."""
    assert part.inside is not None
    return replace(part, inside=replace(part.inside, alone=False))


def _tree(file: Source) -> ast.Module:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of escapes that Python doesn't know
            return ast.parse(file.text)
    except (SyntaxError, ValueError, RecursionError) as error:
        line = (error.lineno if isinstance(error, SyntaxError) else None) or 1
        column = (error.offset if isinstance(error, SyntaxError) else None) or 1
        start = sum(len(one) + 1 for one in file.text.split("\n")[: line - 1]) + max(column, 1) - 1
        why = error.msg if isinstance(error, SyntaxError) else str(error)
        place = Span(file, min(start, len(file.text)), min(start + 1, len(file.text)))
        raise Rejected(diagnose(Code.PYTHON_SYNTAX, place, file=file.name, why=why)) from None


class _Open(Exception):
    """A part of a text isn't constant."""

    def __init__(self, node: ast.expr, why: str) -> None:
        super().__init__(why)
        self.node, self.why = node, why


@dataclass(frozen=True)
class _Reader:
    script: Script
    flow: Flow
    file: Source

    def found(self, tree: ast.Module) -> Iterator[Source | Unread]:
        """Yield the texts of a script in the order of their first literals."""
        done: set[ast.AST] = set()
        for node in sorted(_strings(tree), key=lambda node: (node.lineno, node.col_offset)):
            for one, whole in self._of(node):
                if whole not in done:
                    done.add(whole)
                    yield one

    def _of(self, node: ast.Constant | ast.JoinedStr) -> Iterator[tuple[Source | Unread, ast.AST]]:
        """Yield the texts to which a literal belongs, each with its whole expression."""
        if isinstance(node, ast.JoinedStr):
            said = "".join(map(_value, node.values))
            if _KERNEL.search(said):
                yield self._unread(node, "it is an f-string", said), node
            return
        if not self.flow.is_statement(node) and _KERNEL.search(_value(node)):
            yield from self._texts(node, _value(node))

    def _texts(
        self, whole: ast.expr, said: str, parts: tuple[ast.expr, ...] = ()
    ) -> Iterator[tuple[Source | Unread, ast.AST]]:
        """Yield the texts that an expression is or is put into."""
        ends = self.flow.ends(whole)
        if ends.changes:
            where, why = ends.changes[0]
            yield self._unread(where, why, said), where
            return
        others = [one for one in ends.joined if one is not whole and one not in parts]
        if ends.direct or not others:
            yield self._read(whole, ends.calls), whole
        for one in others:
            yield from self._texts(one, said, (*parts, whole))

    def _read(self, whole: ast.expr, calls: list[ast.Call]) -> Source | Unread:
        try:
            characters = self._characters(whole)
        except _Open as open:
            said = "".join(map(_value, _strings(whole)))
            return self._unread(open.node, open.why, said)
        return text_of(self.file, characters, self._flags(calls))

    def _characters(self, node: ast.expr, depth: int = 0, *, inner: bool = False) -> Characters:
        """Return the text of an expression of constants, `inner`: of a part of a sum. Raises _Open."""
        match node:
            case ast.Constant(value=str()):
                if (found := self.script.characters(node)) is None:
                    raise _Open(node, "its literals can't be read")
                return found
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                first = self._characters(left, depth, inner=True)
                return first + self._characters(right, depth, inner=True)
            case ast.List(elts=parts) | ast.Tuple(elts=parts) if not inner:  # as load_inline joins them
                return self._with("\n", node, parts, depth)
            case ast.Call(
                func=ast.Attribute(value=ast.Constant(value=str(between)), attr="join"), args=[listed]
            ):
                value = self.flow.value(listed) if isinstance(listed, ast.Name | ast.Attribute) else listed
                if isinstance(value, ast.List | ast.Tuple):
                    return self._with(between, value, value.elts, depth)
            case ast.Name() | ast.Attribute() if depth < _DEEP:
                value = self.flow.value(node)
                if value is None:
                    raise _Open(node, f"`{name_of(node)}` isn't assigned once in this script")
                return self._characters(value, depth + 1, inner=inner)
            case ast.JoinedStr():
                raise _Open(node, "it is an f-string")
        raise _Open(node, "this part of it is computed")

    def _with(self, between: str, node: ast.expr, parts: list[ast.expr], depth: int) -> Characters:
        found: Characters = []
        for number, part in enumerate(parts):
            if number:
                last = found[-1][1] if found else self.script.span(node).start
                found += [(c, last) for c in between]
            found += self._characters(part, depth, inner=True)
        return found

    def _flags(self, calls: list[ast.Call]) -> tuple[str, ...]:
        """Return the macros and folders that each call passes to the compiler with a text."""
        every = [tuple(text for value in _options(call) for text in self._words(value)) for call in calls]
        given = [flags for flags in every if flags]
        return given[0] if given and all(flags == given[0] for flags in given) else ()

    def _words(self, node: ast.expr) -> list[str]:
        """Return the constant words of a list of options; `-D` before a computed one is left out with it."""
        value = self.flow.value(node) if isinstance(node, ast.Name | ast.Attribute) else node
        found: list[str] = []
        for part in value.elts if isinstance(value, ast.List | ast.Tuple) else ():
            if isinstance(part, ast.Constant):
                found.append(_value(part))
            elif found and found[-1] in ("-D", "-I", "-isystem"):
                found.pop()
        return found

    def _unread(self, node: ast.expr | ast.stmt, why: str, said: str) -> Unread:
        span = self.script.span(node)
        reason = diagnose(Code.PYTHON_TEXT, span, why=why)
        return Unread(reason, frozenset(_NAMED.findall(_BOUNDS.sub(" ", said))))


def _options(call: ast.Call) -> Iterator[ast.expr]:
    """Yield the arguments of a call that are options of the compiler."""
    if name_of(call.func) in _THIRD:
        yield from call.args[2:3]
    for keyword in call.keywords:
        if keyword.arg in _FLAGS:
            yield keyword.value


def _strings(tree: ast.AST) -> Iterator[ast.Constant | ast.JoinedStr]:
    """Yield the string constants and f-strings of a tree; the parts of an f-string aren't constants."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.JoinedStr) or _value(node):
            assert isinstance(node, ast.JoinedStr | ast.Constant)
            yield node
        else:
            waiting += ast.iter_child_nodes(node)


def _value(node: ast.AST) -> str:
    """Return the value of a string constant, "" of anything else."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""
