"""Which lines of the primal each line of the emitted file belongs to: by the statements of the IR.

A statement of the forward sweep is one of the author's, with its place. What follows a quote is the
adjoint of the quoted statement, and a contribution knows the statement it comes from. A variable of the
tool belongs where it is used.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from ..analysis.ssa import targets
from ..ir import (
    Accumulate,
    Assign,
    Banner,
    Clear,
    Const,
    Declare,
    DoWhile,
    Evaluate,
    For,
    Function,
    If,
    Initialiser,
    Quote,
    Record,
    Restore,
    Site,
    Stmt,
    Switch,
    Sym,
    While,
    bodies,
    expressions,
    statements,
)
from ..source import Source, Span
from .emitted_lines import Line, outwards
from .emitted_lines import Record as Said


class At(NamedTuple):
    """A line of one of the author's files."""

    file: str
    line: int


Role = Literal["forward", "reverse"]
"""Whether the primal's line is computed there, or its adjoint."""

Places = dict[At, Role]


def home(source: Source) -> Source:
    """Return the file that a text is in."""
    return source if source.inside is None else source.inside.file


def covered(span: Span, head: bool = False) -> list[At]:
    """Return the lines of a statement; of a loop or a branch, those of its head."""
    end = span.end
    if head:
        end = span.start + _head(span.text)
    first, last = span.line, span.source.position(max(end - 1, span.start))[0]
    return [At(home(span.source).name, line) for line in range(first, last + 1)]


def _head(text: str) -> int:
    depth = 0
    for i, c in enumerate(text):
        depth += (c == "(") - (c == ")")
        if c == ")" and depth == 0:
            return i + 1
    return len(text)


@dataclass
class _Uses:
    """Statements by the variables of the tool that they read and write."""

    readers: dict[Sym, list[Stmt]] = field(default_factory=dict)
    writers: dict[Sym, list[Stmt]] = field(default_factory=dict)

    def add(self, stmt: Stmt) -> None:
        wrote = written(stmt)
        for sym in wrote:
            self.writers.setdefault(sym, []).append(stmt)
        for sym in _read(stmt, wrote):
            self.readers.setdefault(sym, []).append(stmt)


def written(stmt: Stmt) -> tuple[Sym, ...]:
    """Return the variables and arrays that a statement writes, those of an adjoint's own included."""
    match stmt:
        case Declare(sym):
            return (sym,)
        case Accumulate(target) | Clear(target) | Record(target) | Restore(target):
            return (target.sym,)
        case _:
            return tuple(place.sym for place in targets(stmt))


def _read(stmt: Stmt, wrote: Sequence[Sym]) -> frozenset[Sym]:
    found = frozenset[Sym]().union(*(e.symbols for e in expressions(stmt)))
    added = isinstance(stmt, Assign) and stmt.op is not None
    return found if added else found - frozenset(wrote)


class Partners:
    """The partners of each line of an emitted file."""

    def __init__(self, functions: Iterable[Function], lines: Sequence[Line]) -> None:
        self._uses = _Uses()
        self._around: dict[Stmt, Said] = {}
        for function in functions:
            for stmt in statements(function.body):
                self._uses.add(stmt)
        for line in lines:
            for said in outwards(line.record):
                for one in said.says:
                    if not isinstance(one, Function):
                        self._around.setdefault(one, said)
        self._known: dict[Stmt, Places] = {}
        self._after = {line.number: line for line in lines}

    def of(self, line: Line) -> Places:
        """Return the primal's lines that a line of the file computes or is the adjoint of."""
        if line.record is None or not line.text.strip(" {}"):
            return {}
        if line.record.kind == "comment":
            after = self._after.get(line.number + 1)
            return {} if after is None else self.of(after)
        found: Places = {}
        for said in outwards(line.record):
            for one in said.says:
                found |= self._parameters(one, line) if isinstance(one, Function) else self._stmt(one)
            if found or any(isinstance(one, Function | Banner) for one in said.says):
                break
        return found

    def _parameters(self, function: Function, line: Line) -> Places:
        """Return the places of the parameters on a line of the function's head."""
        found: Places = {}
        first = line.text.startswith(tuple(w for w in (*function.attributes, "static") if w))
        if first and function.span is not None:
            found |= dict.fromkeys(covered(function.span), "forward")
        words = set(line.text.replace("*", " ").replace(",", " ").replace(")", " ").replace("(", " ").split())
        for sym in function.syms:
            whole = sym.within or sym
            if whole.name in words:
                at = (whole.of or whole).span
                role: Role = "forward" if whole.of is None else "reverse"
                if at is not None:
                    found |= dict.fromkeys(covered(at), role)
        return found

    def _stmt(self, stmt: Stmt, asked: frozenset[Stmt] = frozenset()) -> Places:
        if stmt in self._known:
            return self._known[stmt]
        found = self._found(stmt, asked | {stmt})
        if not asked or found:
            self._known[stmt] = found
        return found

    def _found(self, stmt: Stmt, asked: frozenset[Stmt]) -> Places:
        if isinstance(stmt, Quote):
            return _role(_own(stmt.primal), "reverse")
        if sites := _sites(getattr(stmt, "sites", ())):
            return _role(sites, "reverse")
        if own := _own(stmt):
            return _role(own, "reverse" if _reverses(stmt) else "forward")
        if isinstance(stmt, Declare) and _is_blank(stmt):
            found = self._belongs(stmt.sym) or self._used(stmt, asked)
            return found if stmt.sym.of is not None else _role(found, "forward")
        said = self._around.get(stmt)
        if said is not None and said.quote is not None:
            quotes = [quote for quote in said.quote.says if isinstance(quote, Quote)]
            return _role([at for quote in quotes for at in _own(quote.primal)], "reverse")
        found = self._used(stmt, asked)
        if not found:  # a branch or a loop of the tool's belongs to what is in it
            found = self._all((s for body in bodies(stmt) for s in body), asked)
        return _role(found, "forward") if isinstance(stmt, Record | Evaluate) else found

    def _belongs(self, sym: Sym) -> Places:
        """Return the place of the author's variable whose adjoint a variable is."""
        at = sym.of.span if sym.of is not None and sym.of.storage == "local" else None
        return {} if at is None else _role(covered(at), "reverse")

    def _used(self, stmt: Stmt, asked: frozenset[Stmt]) -> Places:
        """Return the partners of the statements that read what a statement writes, or write what it reads."""
        wrote = written(stmt)
        near = [s for sym in wrote for s in self._uses.readers.get(sym, ()) if s not in asked]
        found = self._all(near, asked)
        if found or isinstance(stmt, Declare):
            return found or self._all((s for y in wrote for s in self._uses.writers.get(y, ())), asked)
        made = (sym for sym in _read(stmt, wrote) if sym.ours)
        return self._all((s for sym in made for s in self._uses.writers.get(sym, ())), asked)

    def _all(self, stmts: Iterable[Stmt], asked: frozenset[Stmt]) -> Places:
        found: Places = {}
        for stmt in stmts:
            if stmt not in asked and len(asked) < _DEEP:
                found |= self._stmt(stmt, asked)
        return found


_DEEP = 6  # variables of the tool in a row that lead to one of the author's


def _sites(sites: Iterable[Site]) -> list[At]:
    return [at for site in sites if site.stmt is not None for at in _own(site.stmt)]


def _own(stmt: Stmt) -> list[At]:
    """Return the lines of a statement of the author's."""
    span: Span | None = getattr(stmt, "span", None)
    if span is None:
        return []
    return covered(span, isinstance(stmt, If | For | While | DoWhile | Switch))


def _role(places: Iterable[At], role: Role) -> Places:
    return dict.fromkeys(places, role)


def _reverses(stmt: Stmt) -> bool:
    """Whether a loop or a branch holds statements of the reverse sweep alone."""
    if not isinstance(stmt, If | For | While | DoWhile | Switch):
        return False
    inner = list(statements((stmt,)))
    sweeps = any(isinstance(s, Banner) for s in inner)
    return not sweeps and any(isinstance(s, Quote | Restore) for s in inner)


def _is_blank(stmt: Declare) -> bool:
    """Whether a declaration holds no value yet."""
    match stmt.init:
        case None | Const():
            return True
        case Initialiser(values):
            return all(isinstance(value, Const) for value in values)
        case _:
            return False
