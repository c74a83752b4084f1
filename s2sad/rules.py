"""The rule table: what is differentiated, and how.

`rules.toml` has one entry for every operator and every function that device code
can call; no other place knows a function. A user adds a file of the same form, which
replaces entries or gives the partials of the user's `__device__` functions.
The free names of a partial are the values that the reverse sweep needs.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from . import files, partial_expressions
from .diagnostics import Code, Diagnostic, Rejected, diagnose
from .ir import DOUBLE, INT, Call, Const, Expr, Place, Program, Scalar, walk
from .parse.types.builtins import BUILTINS
from .partial_expressions import HELPERS as HELPERS
from .partial_expressions import Malformed
from .source import Source, Span

RESULT = "r"


@dataclass(frozen=True)
class Partial:
    """d(one result)/d(one argument), over placeholders; `text` is the table's.

    `needs` are the arguments and results (`r`) that it reads. `singular` is the condition
    where it is infinite although the value is finite. `kink` is the choice made where there
    is no derivative, to be read after the function's name: "at 0 its derivative is 0".
    `literal` has the simpler partial for an argument that is a literal, by that argument.
    """

    text: str
    expr: Expr
    needs: frozenset[str]
    singular: Expr | None = None
    kink: str = ""
    literal: Mapping[str, Expr] = field(default_factory=dict)

    @property
    def repeated(self) -> frozenset[str]:
        """Names that occur in it more than once: worth a variable where they aren't variables."""
        used = [e.sym.name for e in walk(self.expr) if isinstance(e, Place)]
        return frozenset(name for name in used if used.count(name) > 1)


@dataclass(frozen=True)
class Rule:
    """One entry. `parameters` are the names of all arguments in order, outputs included.

    `partials` are those of the function's value, `jacobian` those of every result:
    `jacobian["s"]["x"]` is ds/dx, `jacobian["r"]` is `partials`. An argument without
    partial gets no contribution. `constant` and `refused` are reasons for having no partials;
    `exchange` says that the value is passed on to another thread.
    """

    name: str
    parameters: tuple[str, ...]
    integers: frozenset[str]
    outputs: tuple[str, ...]
    partials: Mapping[str, Partial]
    jacobian: Mapping[str, Mapping[str, Partial]]
    constant: str = ""
    refused: str | None = None
    instead: str = ""
    user: bool = False  # from a user's file
    exchange: str = ""  # `x` goes unchanged to another thread

    @property
    def inactive(self) -> bool:
        """Whether no result depends differentiably on any argument."""
        return bool(self.constant)

    @property
    def smooth(self) -> frozenset[int]:
        """Positions of the arguments on which some result depends differentiably."""
        varied = {name for partials in self.jacobian.values() for name in partials}
        if self.exchange:
            varied = {"x"}
        return frozenset(k for k, name in enumerate(self.parameters) if name in varied)

    @property
    def helpers(self) -> tuple[str, ...]:
        """The helper functions that its partials call, by their double-precision names."""
        found = (
            h
            for ps in self.jacobian.values()
            for p in ps.values()
            for h in partial_expressions.helpers(p.expr)
        )
        return tuple(dict.fromkeys(found))


class Table:
    """Rules by key. Partials are parsed on first use."""

    def __init__(self, entries: Mapping[str, _Entry]) -> None:
        self._entries = dict(entries)
        self._rules: dict[str, Rule] = {}

    def __getitem__(self, key: str) -> Rule:
        if key not in self._rules:
            self._rules[key] = self._entries[key].rule()
        return self._rules[key]

    def __contains__(self, key: object) -> bool:
        return key in self._entries

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def names(self) -> tuple[str, ...]:
        """Return all keys, in the table's order; a user's own functions last."""
        return tuple(self._entries)

    def of(self, call: Call) -> Rule | None:
        """Return the rule for a call, preferring the user's by name; None if it is to be derived."""
        own = self._entries.get(call.name)
        if own is not None and own.user:
            return self[call.name]
        return self[call.rule] if call.rule is not None else None

    def find(self, name: str) -> Rule | None:
        """Return the rule for a name: a key (`sin`, `operator+`), a function (`__sinf`), `+`."""
        if name in self:
            return self[name]
        if f"operator{name}" in self:
            return self[f"operator{name}"]
        return next((self[b.rule] for b in BUILTINS.get(name, ())), None)


@cache
def _own() -> Mapping[str, _Entry]:
    path = Path(__file__).parent / "rules.toml"
    source = Source(path.name, path.read_text(encoding="utf-8"))
    entries = tomllib.loads(source.text)
    return {name: _Entry(name, entry, source, user=False) for name, entry in entries.items()}


@cache
def _standard() -> Table:
    return Table(_own())


def load(extra: Sequence[Path] = ()) -> Table:
    """Load the table, overridden by the entries of the user's files. Raises Rejected."""
    if not extra:
        return _standard()
    entries = dict(_own())
    wrong: list[Diagnostic] = []
    for path in extra:
        source = files.read(str(path))
        try:
            read = tomllib.loads(source.text)
        except tomllib.TOMLDecodeError as error:
            wrong.append(_not_toml(source, str(error)))
            continue
        for name, content in read.items():
            entry = _Entry(name, content, source, user=True)
            problems = entry.problems()
            wrong += problems
            if not problems:
                entries[name] = entry
    if wrong:
        raise Rejected(*wrong)
    return Table(entries)


def _not_toml(source: Source, message: str) -> Diagnostic:
    match = re.search(r"\s*\(at line (\d+), column (\d+)\)", message)
    span = None
    if match:
        lines = source.text.split("\n")
        start = sum(len(line) + 1 for line in lines[: int(match[1]) - 1]) + int(match[2]) - 1
        span = Span(source, start, start + 1)
        message = message[: match.start()]
    return diagnose(Code.RULES_NOT_TOML, span, file=source.name, why=message[:1].lower() + message[1:])


# ---- an entry as written ----------------------------------------------------

_PARTIAL = re.compile(r"d([A-Za-z_]\w*)")
_PARAMETER = re.compile(r"(int\s+)?(&\s*)?([A-Za-z_]\w*)")
_TEXTS = ("args", "constant", "exchange", "refused", "instead")
_KEYS = (*_TEXTS, "singular", "kink", "literal", "try", "at")
_DEFAULT = ("x", "y", "z", "w")


class _Wrong(Exception):
    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic)
        self.diagnostic = diagnostic


@dataclass(frozen=True)
class _Entry:
    name: str
    content: object
    source: Source = field(repr=False)
    user: bool

    def problems(self) -> list[Diagnostic]:
        """Return the errors in the entry's text."""
        try:
            self.rule()
        except _Wrong as wrong:
            return [wrong.diagnostic]
        return []

    def rule(self) -> Rule:
        content = self._table(self.content, self.name)
        partials = {m[1]: value for key, value in content.items() if (m := _PARTIAL.fullmatch(key))}
        for key in content:
            if key not in _KEYS and not _PARTIAL.fullmatch(key):
                raise self._wrong(Code.RULE_KEY, key, key=key, rule=self.name)
        texts = {key: self._text(content.get(key, ""), key) for key in _TEXTS}
        parameters, integers, outputs = self._parameters(texts["args"], partials)
        if not (partials or texts["constant"] or texts["exchange"] or texts["refused"]):
            raise self._wrong(Code.RULE_EMPTY, "", rule=self.name)

        results = (RESULT, *outputs)
        types = {n: INT if n in integers else DOUBLE for n in (*parameters, RESULT)}
        jacobian: dict[str, dict[str, Partial]] = {r: {} for r in results}
        for arg, value in partials.items():
            key = f"d{arg}"
            if arg not in parameters or arg in integers or arg in outputs:
                raise self._wrong(Code.RULE_ARGUMENT, key, key=key, name=arg, rule=self.name)
            by_result = value if isinstance(value, dict) else {RESULT: value}
            for result, text in by_result.items():
                if result not in results or result in integers:
                    raise self._wrong(Code.RULE_ARGUMENT, key, key=key, name=result, rule=self.name)
                formula_text = self._text(text, key)
                singular = self._of(content.get("singular", ""), arg, "singular")
                expr = self._formula(formula_text, types, key)
                jacobian[result][arg] = Partial(
                    formula_text,
                    expr,
                    partial_expressions.names(expr),
                    self._formula(singular, types, "singular") if singular else None,
                    self._of(content.get("kink", ""), arg, "kink"),
                    self._literal(content.get("literal", {}), key, types),
                )
        return Rule(
            self.name,
            parameters,
            integers,
            outputs,
            jacobian[RESULT],
            jacobian,
            texts["constant"],
            texts["refused"] or None,
            texts["instead"],
            self.user,
            texts["exchange"],
        )

    def _parameters(
        self, args: str, partials: Iterable[str]
    ) -> tuple[tuple[str, ...], frozenset[str], tuple[str, ...]]:
        """Return names, integers and outputs among the parameters."""
        if not args:
            count = max((_DEFAULT.index(p) + 1 for p in partials if p in _DEFAULT), default=1)
            return _DEFAULT[:count], frozenset(), ()
        found = [(part, _PARAMETER.fullmatch(part.strip())) for part in args.split(",")]
        for part, match in found:
            if match is None or match[3] == RESULT:
                raise self._wrong(Code.RULE_PARAMETER, "args", text=part.strip(), rule=self.name)
        matches = [match for _, match in found if match is not None]
        return (
            tuple(m[3] for m in matches),
            frozenset(m[3] for m in matches if m[1]),
            tuple(m[3] for m in matches if m[2]),
        )

    def _literal(self, value: object, key: str, types: Mapping[str, Scalar]) -> dict[str, Expr]:
        """Return the partial `key` for arguments that are literals, by argument."""
        found: dict[str, Expr] = {}
        for name, partials in self._table(value, "literal").items():
            if name not in types:
                raise self._wrong(Code.RULE_ARGUMENT, "literal", key="literal", name=name, rule=self.name)
            table = self._table(partials, "literal")
            if key in table:
                found[name] = self._formula(self._text(table[key], "literal"), types, "literal")
        return found

    def _formula(self, text: str, types: Mapping[str, Scalar], key: str) -> Expr:
        try:
            if key == "singular":
                return partial_expressions.parse_condition(text, types)
            return partial_expressions.parse(text, types)
        except Malformed as error:
            span = self._span(key)
            start = self.source.text.find(text, span.end)
            if start >= 0:
                word = re.search(rf"\b{re.escape(error.word)}\b", text) if error.word else None
                first, last = word.span() if word else (0, len(text))
                span = Span(self.source, start + first, start + last)
            values = {"key": key, "rule": self.name, "why": error.why}
            raise _Wrong(diagnose(Code.RULE_FORMULA, span, **values)) from None

    def _table(self, value: object, key: str) -> dict[str, object]:
        if not isinstance(value, dict):
            raise self._wrong(Code.RULE_VALUE, key, key=key, rule=self.name, wanted="a table, as in [exp]")
        return value

    def _text(self, value: object, key: str) -> str:
        if not isinstance(value, str):
            raise self._wrong(Code.RULE_VALUE, key, key=key, rule=self.name, wanted="a quoted string")
        return value

    def _of(self, value: object, arg: str, key: str) -> str:
        """Return a key's text for one argument: one text for all, or a table by argument."""
        if isinstance(value, dict):
            value = value.get(arg, "")
        return self._text(value, key)

    def _wrong(self, code: Code, key: str, /, **values: str) -> _Wrong:
        return _Wrong(diagnose(code, self._span(key), **values))

    def _span(self, key: str) -> Span:
        """Return the place of the key in the entry; the entry's head if it isn't found."""
        text = self.source.text
        head = re.search(rf'^\s*\[\s*"?{re.escape(self.name)}"?\s*\]', text, re.M)
        if head is None:
            at = re.search(rf'^\s*"?{re.escape(self.name)}"?', text, re.M)
            return Span(self.source, at.start(), at.end()) if at else Span(self.source, 0, 1)
        end = re.compile(r"^\s*\[", re.M).search(text, head.end())
        at = re.compile(rf'^[ \t]*"?({re.escape(key)})"?(?=\s*[=.])', re.M).search(
            text, head.end(), end.start() if end else len(text)
        )
        if key and at:
            return Span(self.source, at.start(1), at.end(1))
        start = head.start() + len(head[0]) - len(head[0].lstrip())
        return Span(self.source, start, head.end())


# ---- use --------------------------------------------------------------------


def instantiate(
    partial: Partial,
    args: Mapping[str, Expr],
    result: Expr | None,
    real: Scalar,
    *,
    call: Call | None = None,
) -> Expr:
    """Write the partial for a kernel in the precision `real`; `call` is the author's, for the spelling.

    `args` has an expression for every argument and output in `partial.needs`.
    """
    simpler = (expr for name, expr in partial.literal.items() if partial_expressions.constant(args.get(name)))
    return _write(next(simpler, partial.expr), args, result, real, call)


def singular(
    partial: Partial,
    args: Mapping[str, Expr],
    result: Expr | None,
    real: Scalar,
    *,
    call: Call | None = None,
) -> Expr | None:
    """Return the condition under which the partial is infinite; None if it never is.

    Constants may decide it: `pow(x, 2.0f)` has no singular point.
    """
    if partial.singular is None:
        return None
    condition = _write(partial.singular, args, result, real, call)
    return None if isinstance(condition, Const) and not condition.value else condition


def _write(
    expr: Expr, args: Mapping[str, Expr], result: Expr | None, real: Scalar, call: Call | None
) -> Expr:
    known = dict(args) if result is None else {**args, RESULT: result}
    return partial_expressions.write(expr, known, real, partial_expressions.style(call, real))


def misfits(table: Table, program: Program) -> list[Diagnostic]:
    """Report user rules for device functions of the program with different parameters."""
    wrong: list[Diagnostic] = []
    for function in program.functions.values():
        if function.name not in table or not table[function.name].user:
            continue
        rule = table[function.name]
        kinds = [isinstance(s.type, Scalar) and s.type.is_integer for s in function.syms]
        said = [name in rule.integers for name in rule.parameters]
        if kinds != said:
            wrong.append(diagnose(Code.RULE_MISFIT, function.span, name=function.name, args=_args(rule)))
    return wrong


_GENERIC = {"x": "u", "y": "v", "z": "w", "w": "q"}
"""Names of arguments that are rarely those of a kernel's arrays."""


def said(rule: Rule, parameter: str, partial: Partial) -> str:
    """The derivative as the table has it, r being the result: `d sqrt(u)/du = 0.5 / r, r = sqrt(u)`."""
    call = f"{rule.name}({', '.join(p for p in rule.parameters if p not in rule.outputs)})"
    text = f"d {call}/d{parameter} = {partial.text}"
    if "r" in partial.needs:
        text += f", r = {call}"
    return re.sub(r"\b(d?)([xyzw])\b", lambda m: m[1] + _GENERIC[m[2]], text)


def _args(rule: Rule) -> str:
    return ", ".join(
        ("int " if p in rule.integers else "") + ("&" if p in rule.outputs else "") + p
        for p in rule.parameters
    )


def describe(rule: Rule) -> dict[str, object]:
    """Return a rule as plain data, for `s2sad rules`, without empty entries."""
    partials = {
        (f"d{arg}" if result == RESULT else f"d{result}/d{arg}"): partial.text
        for result, by_arg in rule.jacobian.items()
        for arg, partial in by_arg.items()
    }
    every = [p for by_arg in rule.jacobian.values() for p in by_arg.values()]
    rows: dict[str, object] = {
        "name": rule.name,
        "args": _args(rule),
        "serves": sorted(n for n in BUILTINS if any(b.rule == rule.name for b in BUILTINS[n])),
        "partials": partials,
        "needs": sorted(set().union(*(p.needs for p in every))),
        "kinks": list(dict.fromkeys(p.kink for p in every if p.kink)),
        "singular": any(p.singular is not None for p in every),
        "constant": rule.constant,
        "exchange": rule.exchange,
        "refused": rule.refused or "",
        "instead": rule.instead,
        "helpers": list(rule.helpers),
    }
    return {key: value for key, value in rows.items() if value}
