"""The templates' input: plain records, one per statement, with expressions as text.

A record has a `kind`, which names the macro that spells it, and fields; `ir` are the
statements that it says. This module decides what a statement says and whether a body needs
braces; its appearance is up to the templates.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import assert_never

from ..ir import (
    ATOMICS,
    FLOAT,
    REDUCTIONS,
    Accumulate,
    AddressOf,
    Array,
    Assign,
    Banner,
    Barrier,
    Binary,
    Block,
    Body,
    Break,
    Case,
    Cast,
    Clear,
    Comment,
    Const,
    Continue,
    Declare,
    DoWhile,
    Evaluate,
    For,
    Function,
    If,
    Place,
    Pointer,
    Quote,
    Record,
    Restore,
    Return,
    Scalar,
    Stmt,
    Struct,
    Switch,
    Sym,
    Unary,
    While,
    statements,
    wide,
)
from ..source import Span
from . import author_comments
from .banners import with_rules
from .batch_block_adds import BlockAdd, batches, block_add
from .c_printer import Printer, base, ends_function, typename, zero
from .conversions import alone, to
from .lessons import Lessons
from .quote import Words, merged, says_itself, words
from .reassemble_structs import reassemble_structs
from .vectors.vector_operators import ATOMIC_ADD
from .wrap import CODE_WIDTH

View = dict[str, object]
BLOCK_ADD, BLOCK_SUM, WARP_ADD = "block_add", "block_sum", "warp_add"
TOTALS = {"sum": BLOCK_SUM, "maximum": "block_max", "minimum": "block_min"}
"""The helper that gives a reduction of the block to all threads, by the call's rule."""


@dataclass(frozen=True)
class Viewer:
    """Converts the IR of one function to records.

    `home` is the primal's file: quotes from other files name theirs. `beside` are remarks on
    its lines, for the skin that explains. `said` are the author's comments already
    repeated: each is printed once. `sums` names the functions that add up a block's values.
    `lessons` says what statements do, for the skin that teaches.
    """

    printer: Printer
    home: str = ""
    beside: Mapping[int, Sequence[str]] = field(default_factory=dict)
    said: set[tuple[str, int]] = field(default_factory=set)
    sums: Mapping[BlockAdd, str] = field(default_factory=dict)
    lessons: Lessons | None = None

    # ---- bodies --------------------------------------------------------------

    def body(self, body: Body) -> list[View]:
        """Return the statements of a body, each with whether a blank line goes before it."""
        grouped = list(batches(tuple(s for stmt in body for s in self._split(stmt))))
        stmts = [group[0] for group in grouped]
        views: list[View] = []
        quoted: list[Words] = []
        apart = False
        for i, stmt in enumerate(stmts):
            if isinstance(stmt, Banner) and not stmt.rule:
                apart = i > 0
                continue
            if isinstance(stmt, Quote):
                said = words(stmt.primal, self.printer)
                if quoted and _one_line(quoted[-1], said) and isinstance(stmts[i - 1], Quote):
                    quoted.append(said)
                    notes = [str(views[-1]["note"]), stmt.note]
                    view = self._quote(merged(quoted), " ".join(dict.fromkeys(n for n in notes if n)))
                    plain = bool(views[-1]["plain"]) and says_itself(stmts, i)
                    ir = (*stmts[i - len(quoted) + 1 : i], stmt)
                    views[-1] = {**views[-1], **view, "ir": ir, "plain": plain}
                    continue
                quoted = [said]
                view = {**self._quote(said, stmt.note), "plain": says_itself(stmts, i)}
            elif len(grouped[i]) > 1:
                view = self._batch(grouped[i])
            else:
                view = self.stmt(stmt)
            blank = _blank(stmts, i) or apart
            apart = False
            if comment := self._comment(stmt):
                views.append({"kind": "comment", "text": "\n".join(comment), "blank": blank, "lesson": ()})
                blank = False
            lesson = () if self.lessons is None else self.lessons.of(grouped[i])
            views.append({**view, "blank": blank, "ir": grouped[i], "lesson": lesson})
        return views

    def _comment(self, stmt: Stmt) -> list[str]:
        """Return the author's comment above a statement, the first time only."""
        span = _span(stmt)
        if span is None or (span.source.name, span.start) in self.said:
            return []
        self.said.add((span.source.name, span.start))
        return author_comments.above(span)

    def _remark(self, stmt: Stmt) -> str:
        """Return the author's comment after a statement, the first time only."""
        span = _span(stmt)
        if span is None or (span.source.name, -span.end) in self.said:
            return ""
        self.said.add((span.source.name, -span.end))
        return author_comments.behind(span)

    def _split(self, stmt: Stmt) -> Body:
        """Turn a loop whose head declares several types into a block: C has no such head."""
        if isinstance(stmt, For) and len(stmt.init) > 1:
            declared = {base(s.sym) for s in stmt.init if isinstance(s, Declare)}
            mixed = 0 < sum(isinstance(s, Declare) for s in stmt.init) < len(stmt.init)
            if len(declared) > 1 or mixed:
                loop = For((), stmt.cond, stmt.step, stmt.body, stmt.span, stmt.pragmas, id=stmt.id)
                return (Block((*stmt.init, loop), stmt.span),)
        return (stmt,)

    def _suite(self, body: Body, chained: bool = False) -> View:
        """Return a body and whether it needs braces; `chained` if an `else` follows it."""
        views = self.body(body)
        body = tuple(s for k, s in enumerate(body) if not isinstance(s, Quote) or not says_itself(body, k))
        shown = [view for view in views if not view.get("plain")]
        braces = len(shown) != 1 or _needs_braces(body) or (chained and _ends_open(body))
        braces = braces or any(view["lesson"] for view in views)
        return {"body": views, "braces": braces}

    # ---- statements ----------------------------------------------------------

    def stmt(self, stmt: Stmt) -> View:
        """Return the record of one statement."""
        p = self.printer
        match stmt:
            case Declare():
                init = None if stmt.init is None else p.initialiser(stmt.init, stmt.sym)
                declared = p.declared(stmt.sym)
                return {"kind": "declare", "declared": declared, "init": init, "remark": self._remark(stmt)}
            case Assign():
                target, op, value = p.assignment(stmt)
                fields = {"step": p.step(stmt), "target": target, "op": op, "value": value}
                return {"kind": "assign", **fields, "remark": self._remark(stmt)}
            case Evaluate():
                return {"kind": "evaluate", "call": p.call(stmt.call), "remark": self._remark(stmt)}
            case If():
                return self._if(stmt)
            case For():
                cond = None if stmt.cond is None else p.condition(stmt.cond)
                body = stmt.body
                if cond is not None and _counts_first(stmt):
                    name, _, rest = cond.partition(" ")
                    cond, body = f"{name}-- {rest}", body[1:]
                clauses = {"init": p.clause(stmt.init), "cond": cond, "step": p.clause(stmt.step)}
                return {"kind": "for", "pragmas": stmt.pragmas, **clauses, **self._suite(body)}
            case While():
                cond = p.condition(stmt.cond)
                return {"kind": "while", "pragmas": stmt.pragmas, "cond": cond, **self._suite(stmt.body)}
            case DoWhile():
                cond = p.condition(stmt.cond)
                return {"kind": "do_while", "pragmas": stmt.pragmas, "cond": cond, **self._suite(stmt.body)}
            case Switch():
                cases = [self._case(case) for case in _ended(stmt.cases)]
                return {"kind": "switch", "selector": p.expr(alone(stmt.selector)), "cases": cases}
            case Block():
                return {"kind": "block", "body": self.body(stmt.body)}
            case Barrier():
                name = "__syncwarp" if stmt.warp else "__syncthreads"
                mask = "" if stmt.mask is None else p.expr(stmt.mask)
                return {"kind": "barrier", "call": f"{name}({mask})", "remark": self._remark(stmt)}
            case Break():
                return {"kind": "break"}
            case Continue():
                return {"kind": "continue"}
            case Return():
                return {"kind": "return", "value": None if stmt.value is None else p.condition(stmt.value)}
            case Record():
                tape = p.declared(stmt.tape.sym) if stmt.declares else p.place(stmt.tape)
                return {"kind": "record", "tape": tape, "value": p.converted(stmt.value, stmt.tape.type)}
            case Restore():
                target = p.declared(stmt.target.sym) if stmt.declares else p.place(stmt.target)
                return {"kind": "restore", "target": target, "tape": p.converted(stmt.tape, stmt.target.type)}
            case Accumulate():
                return self._accumulate(stmt)
            case Clear():
                return {"kind": "clear", "target": p.expr(stmt.target), "zero": zero(stmt.target.type)}
            case Quote():
                return self._quote(words(stmt.primal, p), stmt.note)
            case Banner():
                return {"kind": "banner", "text": stmt.text, "dashes": "-" * max(67 - len(stmt.text), 4)}
            case Comment():
                return {"kind": "comment", "text": stmt.text}
            case _:
                assert_never(stmt)

    def _if(self, stmt: If) -> View:
        """Return the whole chain of `else if`, built in a loop: chains get long."""
        chain = [stmt]
        while len(stmt.other) == 1 and isinstance(stmt.other[0], If):
            stmt = stmt.other[0]
            chain.append(stmt)
        other = stmt.other
        branches: list[View] = []
        for i, link in enumerate(chain):
            follows = i + 1 < len(chain) or bool(other)
            suite = self._suite(link.then, chained=follows)
            branches.append({"cond": self.printer.condition(link.cond), **suite})
        last = self._suite(other) if other else None
        braces = any(branch["braces"] for branch in branches) or bool(last and last["braces"])
        branches = [{**branch, "braces": braces} for branch in branches]
        return {"kind": "if", "branches": branches, "other": last and {**last, "braces": braces}}

    def _case(self, case: Case) -> View:
        # A jump past a declaration is an error, and C wants none after a label.
        scoped = any(_declares(s) for s in case.body)
        return {"labels": self.printer.label(case), "body": self.body(case.body), "braces": scoped}

    def _accumulate(self, stmt: Accumulate) -> View:
        p = self.printer
        if isinstance(stmt.target.type, Struct):
            return self._add_vector(stmt, stmt.target.type)
        assert isinstance(stmt.target.type, Scalar)
        whole = False
        if stmt.target.type.is_half and stmt.how not in REDUCTIONS:  # added up in float
            total = Unary("-", stmt.amount, FLOAT) if stmt.negative else stmt.amount
            target = p.expr(AddressOf(stmt.target, Pointer(stmt.target.type)))
            if stmt.how != "atomic":
                target, whole = p.expr(stmt.target), True
                total = Binary("-" if stmt.negative else "+", Cast(stmt.target, FLOAT), stmt.amount, FLOAT)
            amount = p.expr(Cast(total, stmt.target.type))
        elif isinstance(stmt.amount.type, Array):
            target = p.expr(AddressOf(stmt.target, Pointer(stmt.target.type)))
            amount = p.expr(stmt.amount)
        elif stmt.how in ATOMICS:
            target = p.expr(AddressOf(stmt.target, Pointer(stmt.target.type)))
            added = to(stmt.amount, wide(stmt.target.type))
            amount = p.negative(added) if stmt.negative else p.expr(added)
        else:
            op = "-" if stmt.negative else "+"
            target, _, amount = p.assignment(Assign(stmt.target, stmt.amount, op))
        fields = {"target": target, "amount": amount, "negative": stmt.negative, "whole": whole}
        if stmt.how in REDUCTIONS:
            fields["helper"] = self._helper((stmt,))
        return {"kind": "accumulate", **fields, "how": stmt.how, "why": stmt.why}

    def _add_vector(self, stmt: Accumulate, vector: Struct) -> View:
        p = self.printer
        if stmt.how == "atomic":
            amount = Unary("-", stmt.amount, vector) if stmt.negative else stmt.amount
            target = p.expr(AddressOf(stmt.target, Pointer(vector)))
            call = f"{ATOMIC_ADD}({target}, {p.expr(amount)})"
            return {"kind": "evaluate", "call": call, "remark": ""}
        fields = {"target": p.expr(stmt.target), "amount": p.expr(stmt.amount), "negative": stmt.negative}
        return {"kind": "accumulate", **fields, "whole": False, "how": stmt.how, "why": stmt.why}

    def _batch(self, stmts: Sequence[Stmt]) -> View:
        """Return the one call that makes several block-wide sums."""
        places = [self.printer.expr(s.target) for s in stmts if isinstance(s, Assign)]
        if places:
            arguments = ", ".join(f"&{place}" for place in places)
            return {"kind": "evaluate", "call": f"{self._helper(stmts)}({arguments})", "remark": ""}
        adds = [s for s in stmts if isinstance(s, Accumulate)]
        views = [self._accumulate(add) for add in adds]
        pairs = [f"{view['target']}, {view['amount']}" for view in views]
        return {"kind": "evaluate", "call": f"{self._helper(adds)}({', '.join(pairs)})", "remark": ""}

    def _helper(self, adds: Sequence[Stmt]) -> str:
        """Return the name of the function that adds up what a call is given."""
        key = block_add(adds)
        return BLOCK_ADD if key is None else self.sums.get(key, BLOCK_ADD)

    def _quote(self, said: Words, note: str) -> View:
        elsewhere = bool(self.home) and said.file not in ("", self.home)
        file = said.file.rsplit("/", 1)[-1] if elsewhere else ""
        beside = [] if elsewhere else list(self.beside.get(said.line, ()))
        fields = {"file": file, "line": said.line, "text": said.text}
        return {"kind": "quote", **fields, "note": note, "beside": beside}

    # ---- functions -----------------------------------------------------------

    def function(self, function: Function, adjoint_of: Mapping[str, str], private: bool = True) -> View:
        """Return a function's record; `adjoint_of` names the parameter after which each adjoint belongs."""
        words_before = list(function.attributes)
        if private and not function.is_kernel:
            # Helpers are static: the file is linked with others that have them.
            linkage = ('extern"C"', "extern", "static")
            words_before = [w for w in words_before if w.replace(" ", "") not in linkage]
            words_before.insert(0, "static")
        result = typename(function.result)
        gap = "" if result.endswith("*") else " "
        head = " ".join([*words_before, result]) + gap + function.name
        groups = _groups([(sym.name, self.printer.declared(sym)) for sym in function.syms], adjoint_of)
        return {
            "head": head,
            "parameters": laid_out(len(head) + 1, groups),
            "body": self.body(with_rules(function.body)),
            "ir": (function,),
            "lesson": (),
        }


def _one_line(a: Words, b: Words) -> bool:
    return (a.file, a.line) == (b.file, b.line)


# ---- braces and blank lines --------------------------------------------------


def _needs_braces(body: Body) -> bool:
    """Whether a body needs braces: for several statements, a comment, nothing, or an `if` with an `else`."""
    if len([*batches(body)]) != 1 or (isinstance(body[0], If) and body[0].other):
        return True
    return isinstance(body[0], Quote | Comment | Banner | Declare) or _declares(body[0])


def _ends_open(body: Body) -> bool:
    """Whether an `else` after the body would belong to an `if` inside it."""
    while len(body) == 1:
        match body[0]:
            case If(other=()):
                return True
            case If() as last:
                body = last.other
            case For() | While() as last:
                body = last.body
            case _:
                return False
    return False


def _counts_first(loop: For) -> bool:
    """Match `for (k = m; k > 0;) { --k; … }`, which the author would write `for (k = m; k-- > 0;)`."""
    match loop:
        case For(
            (Declare(sym),),
            Binary(">", Place(left, ())),
            (),
            (Assign(Place(counted, ()), Const(1), _, None, str(spelling)), *_),
        ):
            return left is sym and counted is sym and spelling.startswith("--")
        case _:
            return False


def _declares(stmt: Stmt) -> bool:
    match stmt:
        case Declare():
            return True
        case Record() | Restore():
            return stmt.declares
        case _:
            return False


def _without_value(stmt: Stmt) -> bool:
    return isinstance(stmt, Declare) and stmt.init is None


def _blank(stmts: Sequence[Stmt], i: int) -> bool:
    """Whether a blank line goes before statement `i` of a body.

    Around banners; between quoted groups unless both are one line; and where the
    author had one between two statements that are still adjacent.
    """
    if i == 0:
        return False
    stmt, before = stmts[i], stmts[i - 1]
    if isinstance(stmt, Banner):
        return True
    if isinstance(before, Banner):
        return before.rule
    if isinstance(before, Quote | Comment):
        return False
    if isinstance(stmt, Comment) and isinstance(before, Accumulate):
        return True
    if isinstance(stmt, Quote):
        last = next((k for k in range(i - 1, -1, -1) if isinstance(stmts[k], Quote)), None)
        if last is not None and says_itself(stmts, last) != says_itself(stmts, i):
            return True
        return _weight(stmts, i, -1) > 1 or _weight(stmts, i, 1) > 1
    return _author_left_a_line(stmts, i)


def _weight(stmts: Sequence[Stmt], at: int, direction: int) -> int:
    """Return the weight of the statements between the quote at `at` and the next in a direction."""
    weight = 0
    i = at + direction
    while 0 <= i < len(stmts):
        if isinstance(stmts[i], Quote | Banner):
            break
        inner = sum(not isinstance(s, Comment) for s in statements((stmts[i],)))
        weight += 1 if inner <= 2 else 2
        i += direction
    return weight


def _span(stmt: Stmt) -> Span | None:
    return getattr(stmt, "span", None)


def _ended(cases: Sequence[Case]) -> Sequence[Case]:
    """The cases of a switch; C wants a statement after the last label."""
    if not cases or any(not isinstance(s, Quote | Comment | Banner) for s in cases[-1].body):
        return cases
    return [*cases[:-1], replace(cases[-1], body=(*cases[-1].body, Break()))]


def _author_left_a_line(stmts: Sequence[Stmt], i: int) -> bool:
    """Whether the source has a blank line here; the tool's declarations go below it."""
    if _span(stmts[i - 1]) is None or (_without_value(stmts[i]) and _without_value(stmts[i - 1])):
        return False
    following = islice(stmts, i, None)
    after = next((span for s in following if (span := _span(s)) is not None or not _declares(s)), None)
    before = [span for s in statements((stmts[i - 1],)) if (span := _span(s)) is not None]
    if after is None or before[0].source is not after.source:
        return False
    end = max(span.end for span in before)
    lines = after.source.text[end : after.start].split("\n")
    if any(map(ends_function, lines)):
        return False  # of another function, whose body is here
    return end <= after.start and any(not line.strip() for line in lines[1:-1])


# ---- parameters --------------------------------------------------------------


def _groups(declared: Sequence[tuple[str, str]], adjoint_of: Mapping[str, str]) -> list[list[str]]:
    """Group parameters with their adjoints, to be kept on one line."""
    groups: list[list[str]] = []
    owner = ""
    for name, text in declared:
        if groups and adjoint_of.get(name) == owner:
            groups[-1].append(text)
        else:
            groups.append([text])
            owner = name
    return groups


def laid_out(column: int, groups: Sequence[Sequence[str]]) -> View:
    """Lay out parameters: all on one line if they fit, else each pair begins a line."""
    flat = ", ".join(text for group in groups for text in group)
    if column + len(flat) + 1 <= CODE_WIDTH:
        return {"lines": [flat], "pad": "", "below": False}
    below = column > 56  # too little room beside the name
    pad = 8 if below else column
    lines: list[str] = []
    paired = any(len(group) > 1 for group in groups)
    for group in groups:
        text = ", ".join(group)
        fits = bool(lines) and pad + len(lines[-1]) + 2 + len(text) + 1 <= CODE_WIDTH
        if fits and not (paired and len(group) > 1):
            lines[-1] += f", {text}"
        elif pad + len(text) + 1 <= CODE_WIDTH:
            lines.append(text)
        else:
            lines.extend(group)
    return {"lines": lines, "pad": " " * pad, "below": below}


def scalars(function: Function) -> list[Sym]:
    """Return S of the protocol: all by-value parameters, in order."""
    return [sym for sym in reassemble_structs(function).syms if isinstance(sym.type, Scalar | Struct)]
