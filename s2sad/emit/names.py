"""Names for the symbols of one function, so that every use finds its own declaration.

Moving statements between scopes can make symbols with the same name collide. The
author's names stay as long as they can, those of the kernel before those of functions
that were inlined; the others take one of the names that they have for that case, or their name
with the variable that their statement assigns, and are numbered if that is taken too. Two symbols may share
a name if neither can be mistaken for the other: in disjoint scopes, or where the inner scope
never names the outer symbol.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import assert_never

from ..ir import (
    Accumulate,
    Array,
    Assign,
    Banner,
    Barrier,
    Block,
    Body,
    Break,
    Call,
    Clear,
    Comment,
    Const,
    Continue,
    Declare,
    DoWhile,
    Evaluate,
    Expr,
    For,
    Function,
    If,
    Initialiser,
    Macro,
    Place,
    Quote,
    Record,
    Restore,
    Return,
    Special,
    Stmt,
    Switch,
    Sym,
    While,
    walk,
)
from ..source import Span
from .words import named

KEYWORDS = frozenset(
    re.findall(
        r"\w+",
        """alignas alignof and asm auto bitand bitor bool break case catch char class compl const constexpr
    continue decltype default delete do double else enum explicit export extern false float for friend
    goto if inline int long mutable namespace new noexcept not nullptr operator or private protected
    public register return short signed sizeof static struct switch template this throw true try typedef
    typeid typename union unsigned using virtual void volatile while xor size_t dim3 atomicAdd""",
    )
)


@dataclass
class _Life:
    """The places where a symbol is visible and where it is named, counted along the text."""

    scope: int
    start: int
    end: int = 1 << 60
    uses: list[int] = field(default_factory=list)
    counter: bool = False  # declared in the head of a loop
    opened: int = 0  # from where on it hides no name that is used: of the tool's, from the start of its scope
    at: Span | None = None  # where the author declared it

    def clashes(self, other: _Life) -> bool:
        """Whether the two symbols must have different names."""
        if self.scope == other.scope:
            return True
        outer, inner = (self, other) if self.start <= other.start else (other, self)
        if outer.end <= inner.start:
            return False
        # After a loop, nvcc also looks up its counter's name by old scope rules, and warns; a
        # declaration from another function mustn't cause that.
        apart = inner.counter and outer.at is not None and not _follows(inner.at, outer.at)
        end = outer.end if apart else inner.end
        return any((inner.opened or inner.start) <= use < end for use in outer.uses)


def _follows(inner: Span | None, outer: Span) -> bool:
    """Whether one place follows another in the same file, as a loop in a body does."""
    return inner is not None and inner.source is outer.source and inner.start > outer.start


class _Survey:
    """One walk over a function: the life of every symbol and of every other name that it uses."""

    def __init__(self, function: Function, macros: Mapping[str, Macro]) -> None:
        self.clock = 0
        self.scopes = 0
        self.openings: dict[int, int] = {}
        self.macros = macros
        self.symbols: dict[Sym, _Life] = {}
        self.others: dict[str, _Life] = {}
        for sym in function.syms:
            self.symbols[sym] = _Life(scope=1, start=0)
        self._scope(function.body, scope=1)

    def _tick(self) -> int:
        self.clock += 1
        return self.clock

    def _scope(self, body: Body, scope: int | None = None, *more: Body) -> None:
        """Walk bodies that share a scope, one after the other; a new scope if none is given."""
        if scope is None:
            scope = self._opened()
        declared: list[Sym] = []
        for stmt in (stmt for part in (body, *more) for stmt in part):
            declared.extend(self._stmt(stmt, scope))
        self._close(declared)

    def _opened(self) -> int:
        """Open a new scope."""
        self.scopes += 1
        self.openings[self.scopes + 1] = self.clock + 1
        return self.scopes + 1

    def _close(self, declared: Iterable[Sym]) -> None:
        end = self._tick()
        for sym in declared:
            self.symbols[sym].end = end

    def _declare(self, sym: Sym, scope: int) -> list[Sym]:
        for extent in sym.type.spelled if isinstance(sym.type, Array) else ():
            self._words(extent)
        opened = 1 if sym.replayed else self.openings.get(scope, 0) if sym.ours else 0
        self.symbols[sym] = _Life(scope, self._tick(), at=sym.span, opened=opened)
        return [sym]

    def _use(self, *exprs: Expr | None) -> None:
        for expr in exprs:
            for e in walk(expr) if expr is not None else ():
                match e:
                    case Place():
                        life = self.symbols.setdefault(e.sym, _Life(scope=0, start=-1))
                        life.uses.append(self._tick())
                    case Call():
                        self._other(e.name)
                    case Special(name, axis):
                        self._other(axis if name == "present" else name)
                    case Const(spelling=str(text)):
                        self._words(text)
                    case _:
                        pass

    def _words(self, text: str) -> None:
        """Record names of the file in the author's text, including those in macros that it names."""
        todo, seen = named(text), set[str]()
        while todo:
            name = todo.pop()
            if name not in seen:
                seen.add(name)
                self._other(name)
                todo += named(self.macros[name].text)[2:] if name in self.macros else []

    def _other(self, name: str) -> None:
        self.others.setdefault(name, _Life(scope=0, start=-1)).uses.append(self._tick())

    def _stmt(self, stmt: Stmt, scope: int) -> list[Sym]:
        """Walk one statement; return the symbols that it declares in its own scope."""
        declared: list[Sym] = []
        match stmt:
            case Declare():
                declared = self._declare(stmt.sym, scope)
                self._use(*(stmt.init.values if isinstance(stmt.init, Initialiser) else (stmt.init,)))
            case Assign():
                self._use(stmt.target, stmt.value)
            case Evaluate():
                self._use(stmt.call)
            case If():
                self._use(stmt.cond)
                self._scope(stmt.then)
                self._scope(stmt.other)
            case For():
                inner = self._opened()  # C++ lets the body not redeclare the counter
                heads = [sym for s in stmt.init for sym in self._stmt(s, inner)]
                for sym in heads:
                    self.symbols[sym].counter = True
                self._use(stmt.cond)
                for s in stmt.step:
                    self._stmt(s, inner)
                self._scope(stmt.body, inner)
                self._close(heads)
            case While() | DoWhile():
                self._use(stmt.cond)
                self._scope(stmt.body)
                self._use(stmt.cond)
            case Switch():
                self._use(stmt.selector)
                self._scope((), None, *(case.body for case in stmt.cases))
            case Block():
                self._scope(stmt.body)
            case Return():
                self._use(stmt.value)
            case Record():
                if stmt.declares:
                    declared = self._declare(stmt.tape.sym, scope)
                self._use(stmt.tape, stmt.value)
            case Restore():
                if stmt.declares:
                    declared = self._declare(stmt.target.sym, scope)
                self._use(stmt.target, stmt.tape)
            case Accumulate():
                self._use(stmt.target, stmt.amount)
            case Clear():
                self._use(stmt.target)
            case Barrier():
                self._use(stmt.mask)
            case Break() | Continue() | Quote() | Banner() | Comment():
                pass
            case _:
                assert_never(stmt)
        return declared


def _wishes(sym: Sym, names: Mapping[Sym, str]) -> tuple[str, ...]:
    """Return the names to try before numbers: the symbol's own, renamed like the symbol it belongs to."""
    of = sym.of
    if of is None:
        return (sym.name, *sym.otherwise)
    start, found, end = sym.name.rpartition(of.plain)
    if of not in names or names[of] == of.name:
        others = [f"{start}{other.replace('.', '_')}{end}" for other in of.otherwise if found]
        return (sym.name, *sym.otherwise, *others)
    called = names[of]
    if called.startswith(of.name):
        return (sym.name + called.removeprefix(of.name), *sym.otherwise)
    return (f"{start}{called}{end}" if found else sym.name, *sym.otherwise)


def _with_target(name: str, sym: Sym) -> tuple[str, ...]:
    """Return a name with the variable for which a symbol, or the one that it belongs to, is computed."""
    belongs = sym.of if sym.of is not None and sym.of.storage != "parameter" else None
    span = sym.span or (belongs.span if belongs is not None else None)
    target = span.target if span is not None else ""
    start, apart, last = name.rpartition("_")
    if not target or f"_{name}".endswith(f"_{target}"):
        return ()
    if re.fullmatch(rf"{re.escape(last)}(\d+|_\w+)", target):  # an element of what it is named after
        return (f"{start}{apart}{target}",)
    return (f"{name}_{target}",)


def _apart(survey: _Survey) -> dict[Sym, tuple[str, ...]]:
    """Return the wishes of symbols of one name that clash: none has it, if each has a longer one of its own.

    A longer name that several have says nothing of either: they take the next, and at last each its longest,
    with the statement's variable.
    """
    groups: dict[str, list[Sym]] = {}
    for sym in survey.symbols:
        if sym.ours and sym.otherwise and sym.otherwise != (sym.then,):
            groups.setdefault(sym.name, []).append(sym)
    found: dict[Sym, tuple[str, ...]] = {}
    for group in groups.values():
        lives = [survey.symbols[sym] for sym in group]
        if any(one.clashes(other) for one, other in itertools.combinations(lives, 2)):
            ladder = {sym: (*sym.otherwise, *_with_target(sym.name, sym)) for sym in group}
            ranks = range(min(map(len, ladder.values())))
            apart = next(
                (k for k in ranks if len({names[k] for names in ladder.values()}) == len(group)), None
            )
            if apart is None and len({names[-1] for names in ladder.values()}) == len(group) > 2:
                found |= {sym: names[-1:] for sym, names in ladder.items()}
                continue
            sums = (sym for sym in group if apart is not None or sym.of is not None)
            found |= {sym: (sym.name,) if apart is None else ladder[sym][apart:] for sym in sums}
    return found


def assigned(
    function: Function, reserved: Iterable[str] = (), macros: Mapping[str, Macro] | None = None
) -> dict[Sym, str]:
    """Assign a name to every symbol of a function, so that each use finds its declaration.

    `reserved` are the macros of the file, which no local may be named after. Parameters
    and file-scope names keep theirs; then the author's locals choose, then the tool's.
    A local that hides a constant of the file where that is used is renamed like any other.
    """
    survey = _Survey(function, macros or {})
    taken = KEYWORDS | frozenset(reserved)
    names: dict[Sym, str] = {}
    users: dict[str, list[_Life]] = {name: [life] for name, life in survey.others.items()}
    fixed = frozenset(function.syms)
    tried: dict[str, int] = {}
    apart = _apart(survey)

    def order(item: tuple[int, Sym]) -> tuple[int, int]:
        place, sym = item
        if survey.symbols[sym].scope == 0 or sym in fixed:
            return 0, place
        longer = tuple(name for name in sym.otherwise if name != sym.then)
        if not sym.ours or longer != sym.otherwise:  # the author's, or one that holds another value of it
            return (2 if longer else 1), place
        if sym.of is None:
            return 5, place
        inlined = bool(sym.of.otherwise)  # of a function's variable, not of the kernel's own
        return (4 if inlined else 3), place

    for _, sym in sorted(enumerate(survey.symbols), key=order):
        life = survey.symbols[sym]
        wishes = apart.get(sym) or _wishes(sym, names)
        wishes = (*wishes, *_with_target(wishes[0], sym))
        keeps = life.scope == 0 or sym in fixed

        def free(name: str, life: _Life = life) -> bool:
            return name not in taken and not any(life.clashes(other) for other in users.get(name, ()))

        name = next((wish for wish in wishes if keeps or free(wish)), "")
        count = tried.get(wishes[0], 1)
        while not name:
            count += 1
            numbered = f"{wishes[0]}_{count}"
            name = numbered if free(numbered) else ""
        if count - tried.get(wishes[0], 1) > 16:
            tried[wishes[0]] = count - 1  # don't retry numbers that clashed
        users.setdefault(name, []).append(life)
        names[sym] = name
    return names
