"""An emitted adjoint has no superfluous code.

This detects what a reviewer would reject: unread values,
names for values used once, `+ 0` and `* 1`, braces around one statement. It judges
the emitted file, as our own front end parses it again, and only
functions that s2sad wrote, not the author's.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import checklist
import pytest
from golden_kit import KERNELS, made, modes, read_again, text
from tiers import half_thorough

from s2sad.ir import (
    AddressOf,
    Array,
    Assign,
    Binary,
    Block,
    Body,
    Break,
    Call,
    Case,
    Cast,
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
    Place,
    Pointer,
    Return,
    Scalar,
    Stmt,
    Switch,
    Sym,
    Unary,
    While,
    bodies,
    collective,
    statements,
    walk,
)
from s2sad.options import Mode
from s2sad.transform.optimise.scalar.restore_collectives import reaches_all

Live = frozenset[Sym]


by_half = pytest.mark.parametrize("name", half_thorough(KERNELS))
"""The others are emitted in the thorough tier, as in test_golden.py."""


@by_half
def test_nothing_is_computed_for_nothing(name: str) -> None:
    found = [f"{mode}: {what}" for mode, f in functions(name) for what in (*dead(f), *unread(f))]
    assert found == []


@by_half
def test_no_temporary_is_used_once(name: str) -> None:
    known = set(re.findall(r"\w+", text(name)))
    known |= {field.replace(".", "_") for field in re.findall(r"\w+(?:\.\w+)+", text(name))}  # p.x, as p_x
    assert [f"{mode}: {what}" for mode, f in functions(name) for what in used_once(f, known)] == []


@by_half
def test_no_operation_does_nothing(name: str) -> None:
    spelled = re.sub(r"\s", "", text(name))
    found = []
    for mode, f in functions(name):
        for part in (e for stmt in statements(f.body) for whole in expressions(stmt) for e in walk(whole)):
            idle = does_nothing(part)
            if idle and re.sub(r"\s", "", written(part)) not in spelled:
                found.append(f"{mode}: {written(part)}: {idle}")
    assert found == []


@by_half
def test_no_brace_holds_one_statement(name: str) -> None:
    found = [f"{mode}: {line}" for mode in modes(name) for line in lonely(made(name, mode).text)]
    assert found == []


@by_half
def test_no_more_is_left_on_the_checklist(name: str) -> None:
    """What reviewers object to is counted (checklist.py), until it is mended."""
    assert checklist.issues(name) == checklist.known().get(name, {}), "python -m tests.checklist --write"


# ---- the judged code --------------------------------------------------------


def functions(name: str) -> Iterator[tuple[Mode, Function]]:
    """Yield the adjoint kernel and the adjoint functions, parsed from the emitted text."""
    own = set(re.findall(r"\w+", text(name)))
    for mode in modes(name):
        program = read_again(name, mode)
        yield mode, program.kernel
        for function in program.functions.values():
            if function.name not in own:
                yield mode, function


def expressions(stmt: Stmt) -> Iterator[Expr]:
    """Yield the expressions of a statement, without those of nested statements."""
    match stmt:
        case Declare():
            if isinstance(stmt.init, Initialiser):
                yield from stmt.init.values
            elif stmt.init is not None:
                yield stmt.init
        case Assign():
            yield stmt.target
            yield stmt.value
        case Evaluate():
            yield stmt.call
        case If() | While() | DoWhile():
            yield stmt.cond
        case For():
            if stmt.cond is not None:
                yield stmt.cond
        case Switch():
            yield stmt.selector
        case Return():
            if stmt.value is not None:
                yield stmt.value
        case _:
            pass


def reads(stmt: Stmt) -> Iterator[Sym]:
    """Yield the reads of a statement; `v += e` reads v, `v = e` and `a[i] = e` don't read v and a."""
    if isinstance(stmt, Assign):
        for part in stmt.target.index:
            yield from places(part)
        if stmt.op or isinstance(stmt.target.sym.type, Pointer):
            yield stmt.target.sym
        yield from places(stmt.value)
    else:
        for whole in expressions(stmt):
            yield from places(whole)


def places(expr: Expr) -> Iterator[Sym]:
    return (part.sym for part in walk(expr) if isinstance(part, Place))


def written(expr: Expr) -> str:
    """Return the text of an expression in the file."""
    span = getattr(expr, "span", None)
    return span.source.text[span.start : span.end] if span else type(expr).__name__


def line(stmt: Stmt) -> str:
    span = getattr(stmt, "span", None)
    return f"{span.line}: {span.source.text[span.start : span.end]}" if span else type(stmt).__name__


# ---- unread values ----------------------------------------------------------


def unread(function: Function) -> Iterator[str]:
    """Yield locals, including arrays, that are declared and never read."""
    # a struct is declared as a whole, even if only some fields are read
    taken = Counter(sym.within or sym for stmt in statements(function.body) for sym in reads(stmt))
    for stmt in statements(function.body):
        if isinstance(stmt, Declare) and not taken[stmt.sym.within or stmt.sym]:
            yield f"{line(stmt)}: nobody reads {stmt.sym.name}"


def dead(function: Function) -> Iterator[str]:
    """Yield dead stores to local scalars, by a backward walk with loops iterated to a fixed point."""
    flow = _Flow(function)
    flow.body(function.body, frozenset(), _Exits())
    dead = (s for s in flow.dead.values() if not (isinstance(s, Declare) and s.sym.within is not None))
    yield from (f"{line(stmt)}: nobody reads this" for stmt in dead if not zero_of_an_adjoint(stmt))


def zero_of_an_adjoint(stmt: Stmt) -> bool:
    """Whether a statement declares an adjoint as zero: it has a value even where each branch sets it."""
    match stmt:
        case Declare(sym, Const(value)):
            return value == 0 and re.match(r"(adj|grad)\d*_", sym.name) is not None
        case _:
            return False


@dataclass(frozen=True)
class _Exits:
    on_break: Live = frozenset()
    on_continue: Live = frozenset()


@dataclass
class _Flow:
    function: Function
    dead: dict[int, Stmt] = field(default_factory=dict)

    def body(self, body: Body, after: Live, exits: _Exits) -> Live:
        for stmt in reversed(body):
            after = self.stmt(stmt, after, exits)
        return after

    def stmt(self, stmt: Stmt, after: Live, exits: _Exits) -> Live:
        taken = frozenset(reads(stmt))
        match stmt:
            case Declare() | Assign():
                sym = stmt.sym if isinstance(stmt, Declare) else stmt.target.sym
                stores = not isinstance(stmt, Declare) or stmt.init is not None
                if not self.followed(sym) or (isinstance(stmt, Assign) and stmt.target.index):
                    return after | taken
                if stores:
                    self.note(stmt, sym not in after)
                if sym not in after and isinstance(stmt, Assign):
                    return after
                return after - {sym} | (taken if stores else frozenset())
            case If():
                either = self.body(stmt.then, after, exits) | self.body(stmt.other, after, exits)
                return either | taken
            case For():
                live = after | taken
                while True:
                    step = self.body(stmt.step, live, exits)
                    start = self.body(stmt.body, step, _Exits(after, step))
                    grown = live | start | taken | (after if stmt.cond is not None else frozenset())
                    if grown == live:
                        return self.body(stmt.init, live, exits)
                    live = grown
            case While():
                live = after | taken
                while True:
                    grown = live | self.body(stmt.body, live, _Exits(after, live))
                    if grown == live:
                        return live
                    live = grown
            case DoWhile():
                live = after | taken
                while True:
                    start = self.body(stmt.body, live, _Exits(after, live))
                    if start <= live:
                        return start
                    live |= start
            case Switch():
                live = after
                entries: Live = frozenset() if any(None in c.labels for c in stmt.cases) else after
                for segment in reversed(stmt.cases):
                    live = self.segment(segment, live, after, exits)
                    entries |= live
                return entries | taken
            case Block():
                return self.body(stmt.body, after, exits)
            case Break():
                return exits.on_break
            case Continue():
                return exits.on_continue
            case Return():
                return taken
            case _:
                return after | taken

    def segment(self, segment: Case, after: Live, end: Live, exits: _Exits) -> Live:
        return self.body(segment.body, after, _Exits(end, exits.on_continue))

    def followed(self, sym: Sym) -> bool:
        """Whether a symbol is a scalar of this function whose address isn't taken."""
        return isinstance(sym.type, Scalar) and sym not in self.addressed and sym not in self.function.syms

    def note(self, stmt: Stmt, is_dead: bool) -> None:
        """Record whether a store is dead; a loop is walked several times, and the last result counts."""
        if is_dead:
            self.dead[id(stmt)] = stmt
        else:
            self.dead.pop(id(stmt), None)

    @property
    def addressed(self) -> set[Sym]:
        return {
            part.place.sym
            for stmt in statements(self.function.body)
            for whole in expressions(stmt)
            for part in walk(whole)
            if isinstance(part, AddressOf)
        }


# ---- names for values used once ---------------------------------------------

# they make the layout of a tape, the rounds of a sum readable
EXPLAINING = ("thread", "thread_number", "threads", "sent")


def restored(stmt: Declare) -> bool:
    """Whether a recorded value is restored to a variable of the author, or to a field of a struct."""
    return isinstance(stmt.init, Place) and stmt.init.sym.name == f"tape_{stmt.sym.name}"


def authors(name: str, known: set[str]) -> bool:
    """Whether a name is the author's, perhaps after that of the inlined function or the struct it is in."""
    cuts = (k for k, letter in enumerate(name) if letter == "_")
    return name in known or any(name[:k] in known and name[k + 1 :] in known for k in cuts)


def used_once(function: Function, known: set[str]) -> Iterator[str]:
    """Yield variables of ours that are used once and could be replaced by their value.

    One that is read after its operands have changed, or inside a loop that follows
    it, is justified. So is one that holds the adjoint of a variable.
    """
    counts = Counter(sym for stmt in statements(function.body) for sym in reads(stmt))
    stored = Counter(s.target.sym for s in statements(function.body) if isinstance(s, Assign))
    conditions = (s.cond for s in statements(function.body) if isinstance(s, For) and s.cond is not None)
    bounds = {sym for condition in conditions for sym in condition.symbols}
    for body in every_body(function.body):
        for at, stmt in enumerate(body):
            if not isinstance(stmt, Declare) or stmt.init is None or isinstance(stmt.init, Initialiser):
                continue
            sym = stmt.sym
            ours = (
                sym.within is None  # a field is declared with the others
                and not restored(stmt)
                and sym.name not in EXPLAINING
                and not authors(re.sub(r"_(\d+|line\d+|then)$", "", sym.name), known)
                and not re.match(r"(adj\d*|grad\d*)_", sym.name)
            )
            if isinstance(sym.type, Array | Pointer) or not ours or counts[sym] != 1 or stored[sym]:
                continue
            if exchanged(stmt.init):
                continue  # the exchange must happen there
            if sym in bounds:
                continue  # a loop's bound is computed once
            if collective(stmt) is not None and not reaches_all(body[at + 1 :], sym):
                continue  # computed by all lanes, used by some
            operands = set(places(stmt.init))
            for later in body[at + 1 :]:
                if sym in reads(later):
                    yield f"{line(stmt)}: {sym.name} is used once"
                if sym in reads(later) or touches(later, operands) or loops(later):
                    break


def exchanged(value: Expr) -> bool:
    """Whether a value reads an element's adjoint and zeroes it: our `exchange`, or an atomic."""
    return isinstance(value, Call) and value.name in ("atomicExch", "exchange")


def every_body(body: Body) -> Iterator[Body]:
    yield body
    for stmt in statements(body):
        yield from bodies(stmt)


def touches(stmt: Stmt, syms: set[Sym]) -> bool:
    """Whether a statement, or a nested one, writes one of these; an atomic writes its pointee."""
    for part in (stmt, *(inner for body in bodies(stmt) for inner in statements(body))):
        if isinstance(part, Assign) and part.target.sym in syms:
            return True
        if isinstance(part, Evaluate) and syms & set(places(part.call)):
            return True
    return False


def loops(stmt: Stmt) -> bool:
    inner = (s for body in bodies(stmt) for s in statements(body))
    return any(isinstance(s, For | While | DoWhile) for s in (stmt, *inner))


# ---- operations that do nothing ---------------------------------------------


def does_nothing(expr: Expr) -> str:
    """Return why an operation could be omitted; "" if it couldn't."""
    if isinstance(expr, Binary):
        expr = replace(expr, left=unconverted(expr.left), right=unconverted(expr.right))
    match expr:
        case Binary(_, Const() as left, _) if not literal(left):
            return ""
        case Binary(_, _, Const() as right) if not literal(right):
            return ""
        case Binary("+" | "-", _, Const(value)) if value == 0:
            return "adds nothing"
        case Binary("+", Const(value), _) if value == 0:
            return "adds nothing"
        case Binary("*" | "/", _, Const(value)) if value == 1:
            return "multiplies by one"
        case Binary("*", Const(value), _) if value == 1:
            return "multiplies by one"
        case Binary("*", Const(value), _) | Binary("*", _, Const(value)) if value in (0, -1):
            return "multiplies by zero or minus one"
        case Unary("-", Unary("-", _)) | Binary("+" | "-", _, Unary("-", _)):
            return "two signs"
        case Binary("+" | "-", Const() as left, Const() as right) if literal(left, right):
            return "two literals"
        case Binary("+" | "-", Binary("+" | "-", _, Const() as left), Const() as right) if literal(
            left, right
        ):
            return "two literals"
        case _:
            return ""


def unconverted(expr: Expr) -> Expr:
    while isinstance(expr, Cast):
        expr = expr.arg
    return expr


def literal(*constants: Const) -> bool:
    """Whether these are literals, and not named constants."""
    return not any(constant.macro or re.match("[A-Za-z_]", constant.spelling or "") for constant in constants)


# ---- braces -----------------------------------------------------------------


def lonely(emitted: str) -> Iterator[str]:
    """Yield braces around one plain statement; a comment inside justifies them.

    In an `else` chain, all branches have braces if one needs them.
    """
    lines = emitted.splitlines()
    open_: list[int] = []
    chain: dict[int, list[tuple[int, bool]]] = {}  # by depth
    for number, text_ in enumerate(lines):
        here = text_.lstrip()
        if here.startswith("}"):
            start, depth = open_.pop(), len(text_) - len(here)
            if depth:
                held = lines[start + 1 : number]
                starts = [h for h in held if re.match(rf" {{{depth + 4}}}[^ }}]", h)]
                alone = (
                    len(starts) == 1 and starts[0].endswith(";") and not starts[0].lstrip().startswith("/")
                )
                if not lines[start].lstrip().startswith("} else"):
                    chain[depth] = []
                chain[depth].append((start, alone))
                if not here.startswith("} else") and all(alone for _, alone in chain[depth]):
                    yield from (f"{at + 1}: {lines[at].strip()}" for at, _ in chain[depth])
        if text_.endswith("{") and not here.startswith("//"):
            open_.append(number)


# ---- the header and the kernel below it -------------------------------------


@pytest.mark.parametrize("name", KERNELS)
def test_the_header_names_the_storage_that_the_kernel_has(name: str) -> None:
    own = set(re.findall(r"\w+", text(name)))
    for mode in modes(name):
        done = made(name, mode)
        header, _, file_ = done.text.partition("\n\n")
        found = re.search(rf"__global__ [^;{{}}]*\b{done.adjoint.kernel.name}\(", file_)
        assert found is not None
        kernel = file_[found.start() :]
        assert storage(header) - own == storage(kernel) - own, mode


@pytest.mark.parametrize("name", KERNELS)
def test_the_header_is_written_in_c_and_english(name: str) -> None:
    for mode in modes(name):
        header = made(name, mode).text.partition("\n\n")[0]
        assert re.findall(r"\bline 0\b|<[\w ]+>\w|\b1 \*|Sym\(", header) == []


def storage(text_: str) -> set[str]:
    """Return the names of tapes and snapshots."""
    return {name for name in re.findall(r"\b(?:tape|snapshot)_\w+", text_) if not name.endswith("_bytes")}
